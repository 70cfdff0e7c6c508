"""The errors of the package, and problems: faults in the input, kept as data with their place."""

from __future__ import annotations

from dataclasses import dataclass


class HandanError(Exception):
    """The root of every error that the package raises on purpose; its text is one line for the user."""


class InputError(HandanError):
    """A value that was given cannot be used; the text says what was found and what would be right."""


class FieldError(InputError):
    """One field of a record cannot be used."""

    def __init__(self, field: str, found: object, expected: str) -> None:
        self.field, self.found, self.expected = field, str(found), expected
        super().__init__(f"{field} {shown(self.found)} is not {expected}")


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

    def __str__(self) -> str:
        """One line: source, line, field, found, expected."""
        place = self.source if self.line is None else f"{self.source} line {self.line}"
        found = f"{self.field} {shown(self.found)}" if self.field else shown(self.found)
        return f"{place}: {found} is not {self.expected}"


def shown(text: str, limit: int = 60) -> str:
    """Return `text` quoted for a message: control characters as escapes, long text cut."""
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    return "'" + "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in cut) + "'"


def closest(name: str, known: list[str]) -> str:
    """Return a hint that names the known words most like `name`; empty if none is like it."""
    from difflib import get_close_matches

    matches = get_close_matches(name, known, n=3, cutoff=0.6)
    return f"; did you mean {' or '.join(matches)}?" if matches else ""
