"""The errors of the package, and problems: faults in the input, kept as data with their place."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Self

from handan.colours import may_mean

MOST_COMPARED = 20_000
"""Names that are compared for a hint; our choice: of more only those that begin alike, so that a message is at once."""
LIKE = 65.0  # per cent; our choice: names less like the one that was given are no hint
MOST_LIKE = 3
LONGEST = 200  # characters; a longer text is no slip for a name


class Clause(str):
    """A sentence with values in it: English text, whose pattern and values make it in another language too."""

    __slots__ = ("pattern", "values")

    pattern: str
    """With the names of the values in braces."""
    values: Mapping[str, Any]
    """A value that is itself words is a `Clause`, a rank a `Rank`; other text, such as a name, stays as it is."""

    @classmethod
    def of(cls, pattern: str, **values: Any) -> Clause:
        """Return the sentence that a pattern and its values make."""
        made = cls(pattern.format(**values))
        made.pattern, made.values = pattern, values
        return made

    def with_english(self, text: str) -> Clause:
        """Return the sentence with other English text, such as a shorter one."""
        made = Clause(text)
        made.pattern, made.values = self.pattern, self.values
        return made


def as_clause(text: str) -> Clause:
    """Return words as a clause, so that a page knows them for words; braces in them stay as they are."""
    return text if isinstance(text, Clause) else Clause.of(text.replace("{", "{{").replace("}", "}}"))


def either(texts: Iterable[str]) -> str:
    """Return several texts, one of which will do: `one or other or another`."""
    first, *others = texts
    for other in others:
        first = Clause.of("{one} or {other}", one=first, other=other)
    return first


def line_of(source: str, line: int | None) -> str:
    """Return a place in a file as a message begins with it; the file where lines have no meaning."""
    return source if line is None else Clause.of("{source} line {line}", source=source, line=line)


def clause_of(error: HandanError) -> Clause:
    """Return what an error says, as a part of another sentence."""
    if type(error) is FieldError:
        values = {"field": as_clause(error.field), "found": shown(error.found), "expected": as_clause(error.expected)}
        return Clause.of("{field} {found} is not {expected}", **values)
    text = error.args[0] if error.args else ""
    return as_clause(text if isinstance(text, Clause) and text == str(error) else str(error))


class HandanError(Exception):
    """The root of every error that the package raises on purpose; its text is one line for the user."""


class InputError(HandanError):
    """A value that was given cannot be used; the text says what was found and what would be right."""


class FieldError(InputError):
    """One field of a record cannot be used."""

    def __init__(self, field: str, found: object, expected: str) -> None:
        self.field, self.found, self.expected = field, str(found), expected
        super().__init__(f"{field} {shown(self.found)} is not {expected}")

    def __reduce__(self) -> tuple[type[FieldError], tuple[str, str, str]]:
        """What another process is told."""
        return type(self), (self.field, self.found, self.expected)


def refuse_other(name: str, value: object, kind: type | tuple[type, ...], expected: str) -> None:
    """Raise FieldError for a value of another type than is read there, such as a number in place of text."""
    if not isinstance(value, kind):
        raise FieldError(name, value, expected)


class QuestionError(InputError):
    """A table that can be read in several ways; its text asks which one and names the option that answers."""

    def __init__(
        self,
        question: str,
        option: str,
        answers: tuple[str, ...],
        place: str = "",
        readings: tuple[str, ...] = (),
        cell: str = "",
    ) -> None:
        """Take the question.

        Args:
            question: In English.
            option: Of the command line, that answers it.
            answers: Those that it may have.
            place: File and worksheet.
            readings: What each answer makes of the table: a day, a cell, a colour; empty where the answer says it.
            cell: The cell in question, as it is written; empty where it is a column.
        """
        self.question, self.option, self.answers, self.place = question, option, answers, place
        self.readings, self.cell = readings, cell
        hint = " Give " + " or ".join(f"{option} {_quoted(answer)}" for answer in answers)
        pattern = "{source}: {question}{hint}" if place else "{question}{hint}"
        super().__init__(Clause.of(pattern, source=place, question=as_clause(question), hint=hint))

    def at(self, place: str) -> QuestionError:
        """Return the same question about a file."""
        own = (self.question, self.option, self.answers, place, self.readings, self.cell)
        return self if self.place else QuestionError(*own)

    def __reduce__(self) -> tuple[type[QuestionError], tuple[Any, ...]]:
        """What another process is told."""
        return type(self), (self.question, self.option, self.answers, self.place, self.readings, self.cell)


class HeadingsError(InputError):
    """A table whose headings do not say which columns hold the players and the result; whoever has it can say so."""

    def __init__(self, message: str, headings: tuple[str, ...], columns: tuple[str, ...]) -> None:
        """Take the message, the headings as they are written, and the column that each means, empty for none."""
        super().__init__(message)
        self.headings, self.columns = headings, columns

    def __reduce__(self) -> tuple[type[HeadingsError], tuple[Any, ...]]:
        """What another process is told."""
        return type(self), (self.args[0], self.headings, self.columns)


def _quoted(answer: str) -> str:
    """Return an answer as a shell takes it."""
    return f'"{answer}"' if any(c.isspace() for c in answer) else answer


class AbsentError(InputError):
    """A name that is not among those that are there; its text proposes those like it, looked for when it is read.

    A loop over many names that asks for each and catches this error does not wait for hints that nobody reads.
    """

    def __init__(self, message: str, name: str = "", names: Callable[[], Sequence[str]] = tuple) -> None:
        """Take the message without the hint, the name, and a function that returns the names that are there, sorted."""
        super().__init__(message)
        self._name, self._names = name, names
        self.advice = ""
        """What is said where no name is like it, such as an option that takes it for a newcomer's."""

    @cached_property
    def hint(self) -> str:
        """The names that are like it, as a question; empty where there are none."""
        return closest(self._name, self._names()) if self._name else ""

    def __str__(self) -> str:
        """The message with its hint, or else the advice."""
        return f"{self.args[0]}{self.hint or self.advice}"

    def __reduce__(self) -> tuple[type[AbsentError], tuple[str]]:
        """What another process is told: the whole text, and not all names."""
        return type(self), (str(self),)


class SettingError(HandanError):
    """A setting of a rating system is unknown or out of its range."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of the input: the smallest thing that is wrong, kept so that the good rest can be used."""

    source: str
    """File (or other origin) as the user named it."""
    line: int | None
    """Line in the file, counted from 1; None where lines have no meaning."""
    field: str
    """Column or part that is wrong; empty for the whole row."""
    found: str
    """What stands there."""
    expected: str
    """What would be right."""
    rejected: bool = True
    """Whether the row was left out; a warning tells what was read in another way than it was written."""
    message: str = ""
    """What to say in place of "found is not expected", where that would be no sentence."""

    def __str__(self) -> str:
        """One line: source, line, field, found, expected, or the message in place of these three."""
        place = self.source if self.line is None else f"{self.source} line {self.line}"
        fault = f"{self.field} {shown(self.found)}" if self.field else shown(self.found)
        text = self.message or f"{fault} is not {self.expected}"
        return f"{place}: {text}" if place else text  # of several files together no source is named


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: 1 game, 2,000 games; `plural` where that is more than an s behind it."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {plural or noun + 's'}"


def shortened(text: str, most: int = 200) -> str:
    """Return a text of at most so many characters; where some are left out, three points say so."""
    return text if len(text) <= most else text[: most - 1] + "…"


def shown(text: str, limit: int = 60) -> str:
    """Return `text` quoted for a message: control characters as escapes, long text cut."""
    return "'" + "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in shortened(text, limit)) + "'"


def refuse_unknown(call: str, given: Iterable[str], parameters: Iterable[str]) -> None:
    """Raise TypeError for an argument that a call does not have, as Python does, and propose the one like it."""
    names = sorted(parameters)
    for name in given:
        if name not in names:
            raise TypeError(f"{call} has no argument {shown(name)}{closest(name, names)}")


class ProposesArguments:
    """A data class that refuses an argument which it does not have, and proposes the one like it."""

    __slots__ = ()

    def __new__(cls, *_: object, **given: object) -> Self:
        """Look at the names that are given; `__init__` takes the values."""
        if given:
            refuse_unknown(f"{cls.__name__}()", given, (each.name for each in fields(cls)))  # type: ignore[arg-type]  # it is one
        return super().__new__(cls)


def closest(name: str, names: Sequence[str]) -> str:
    """Return a hint with the names most like `name`, capitals aside, namesakes first; empty if none is like it.

    A name that stands for the other colour is never proposed. Of more than `MOST_COMPARED` names, which must be sorted
    then, those that stand nearest in their order are compared.
    """
    from rapidfuzz import fuzz, process

    if len(name) > LONGEST:
        return ""
    if len(names) > MOST_COMPARED:
        place = min(max(bisect_left(names, name) - MOST_COMPARED // 2, 0), len(names) - MOST_COMPARED)
        names = names[place : place + MOST_COMPARED]
    like = process.extract(
        name, names, scorer=fuzz.ratio, processor=str.casefold, score_cutoff=LIKE, limit=4 * MOST_LIKE
    )
    marked = tuple(f"{name.casefold()}{mark}" for mark in (" (", "#"))
    namesakes = [candidate for candidate in names if candidate.casefold().startswith(marked)]
    proposed = [*dict.fromkeys([*namesakes, *(other for other, *_ in like if may_mean(name, other))])][:MOST_LIKE]
    return Clause.of("; did you mean {names}?", names=either(proposed)) if proposed else ""


def one_line(text: object) -> str:
    """Return a text, or that of an error, without line ends and control characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in str(text)).split())
