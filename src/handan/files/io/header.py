"""The names of a table's columns: which are known, which are missing, which stand there twice."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from handan.colours import player_of
from handan.errors import Clause, InputError, Problem, closest, either, line_of, shown

MOST_COLUMNS = 10_000
DEEPEST = 60  # our choice: lines with text, or rows, in which headings are looked for
MOST_NAMED = 20  # our choice: names of a header that a message repeats
LONGEST_NAME = 40  # our choice: a longer name is no slip of the pen for ours


NO_TEXT = "{source} begins with bytes that stand in no text; a file of games was expected"
NO_HEADER = "{source} is empty; a header line with the names of the columns was expected"
ODD_QUOTES = "{source}: the quotes of the header are not paired"
IGNORED = "a column that is read; ignored{closest}"
PASSED_OVER = "the text above the headings is passed over: {title}"
PASSED_OVER_BELOW = "the text below the table is passed over: {title}"
MOST_OF_TITLE = 60  # our choice: letters of it that a remark repeats
TOO_MANY = "{source}: {number} columns are more than {most}, the limit"


def plain_name(name: object) -> str:
    """Return the name of a column without capitals and outer blanks; inner blanks are underscores."""
    return "_".join(str(name).lower().split())


def passed_over(titles: Iterable[str], source: str, line: int, pattern: str = PASSED_OVER) -> list[Problem]:
    """Return the remark about lines of text beside a table, above its headings; none where nothing stands there."""
    written = [" ".join(title.split()).strip(" ;,|") for title in titles]
    text = " · ".join(filter(None, written))
    message = Clause.of(pattern, title=text[:MOST_OF_TITLE])
    return [Problem(source, line, "", message, "", rejected=False, message=message)] if text else []


def unread_columns(headings: Iterable[str], source: str, line: int | None, hint: str = "") -> list[Problem]:
    """Return the one warning about columns of a table that nobody reads, by their headings; none where all are read."""
    written = [" ".join(heading.split()) or "(no name)" for heading in headings]
    expected = Clause.of(IGNORED, closest=hint)
    return [Problem(source, line, "column", ", ".join(written), expected, rejected=False)] if written else []


def passed_over_below(grid: Sequence[Sequence[str]], rows: Collection[int], source: str) -> list[Problem]:
    """Return the remark about the rows of a grid below the first of those that are read, which are none of them."""
    others = [at for at in range(min(rows), len(grid)) if at not in rows and any(map(str.strip, grid[at]))]
    texts = (" ".join(grid[at]) for at in others)
    return passed_over(texts, source, others[0] + 1, PASSED_OVER_BELOW) if others else []


def refuse_no_text(names: Iterable[str], source: str, line: int | None) -> None:
    """Raise InputError for what stands where headings should, if its bytes are no text."""
    if any(unicodedata.category(letter) == "Cc" for name in names for letter in name):
        raise InputError(Clause.of(NO_TEXT, source=line_of(source, line)))


def refuse_twice(names: Sequence[str], place: str) -> None:
    """Raise InputError for a name that two columns have."""
    twice = [name for name, count in Counter(names).items() if name and count > 1]
    if twice:
        pattern = "{source}: column {name} stands there twice; every column needs its own name"
        raise InputError(Clause.of(pattern, source=place, name=shown(twice[0])))


def check_header(
    names: Sequence[str],
    readable: Sequence[str],
    needed: Sequence[Sequence[str]],
    source: str,
    line: int | None,
    understood: Collection[str] = (),
    headings: Sequence[str] = (),
) -> list[Problem]:
    """Refuse a header that cannot be used, and report the columns that nobody reads.

    Args:
        names: As `plain_name` gives them; a name may be empty.
        readable: The names that are read.
        needed: Sets of names, one of which must be there in full.
        source: Name for the reports.
        line: Line of the header.
        understood: Names that mean something which this table is not read by, so that no other one is proposed.
        headings: The names as they stand in the file, for the report; without them as `names` has them.

    Raises:
        InputError: A name stands there twice, or none of the sets is there.
    """
    place = line_of(source, line)
    if len(names) > MOST_COLUMNS:
        raise InputError(Clause.of(TOO_MANY, source=place, number=len(names), most=MOST_COLUMNS))
    refuse_twice(names, place)
    unknown = [name for name in names if name not in readable]
    if not any(set(choice) <= set(names) for choice in needed):
        raise InputError(_missing(names, unknown, needed, place))
    if not unknown:
        return []
    absent = [name for name in readable if name not in names]
    hint = _hint([name for name in unknown if name not in understood], absent)
    written = [text for name, text in zip(names, headings or names, strict=True) if name in unknown]
    return unread_columns(written, source, line, hint)


def _missing(names: Sequence[str], unknown: Sequence[str], needed: Sequence[Sequence[str]], place: str) -> Clause:
    """Describe what a header lacks, what it has, and what would do."""
    nearest = max(needed, key=lambda choice: len(set(choice) & set(names)))
    lacking = [name for name in nearest if name not in names]
    present = ", ".join(shown(name) for name in names[:MOST_NAMED]) + (", …" if len(names) > MOST_NAMED else "")
    choices = either(", ".join(choice) for choice in needed)
    where = Clause.of("the header {names}" if names else "an empty header", names=present)
    pattern = "{source}: no column {lacking} in {where}; needed are {choices}{closest}"
    if len(lacking) > 1:
        pattern = "{source}: no columns {lacking} in {where}; needed are {choices}{closest}"
    values = {"where": where, "choices": choices, "closest": _hint(unknown, lacking)}
    return Clause.of(pattern, source=place, lacking=", ".join(lacking), **values)


def _hint(unknown: Sequence[str], absent: Sequence[str]) -> str:
    """Describe which of the absent names the unknown ones mean in other languages, or may mean."""
    colours = [(name, player_of(name)) for name in unknown[:MOST_NAMED]]
    meant = [
        Clause.of("{name} is {colour}", name=shown(name), colour=Clause.of(colour))
        for name, colour in colours if colour in absent
    ]  # fmt: skip
    if len(meant) > 1:
        return Clause.of("; {one} and {other}: rename them", one=meant[0], other=meant[1])
    if meant:
        return Clause.of("; {one}: rename it", one=meant[0])
    for name in [name for name in unknown if len(name) <= LONGEST_NAME][:MOST_NAMED]:
        if isinstance(hint := closest(name, list(absent)), Clause):
            return Clause.of("; did you mean {names} instead of {name}?", name=shown(name), **hint.values)
    return ""
