"""What the user says about the files to be read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TypedDict

from handan.errors import InputError, refuse_other, shown
from handan.files.io.limits import Limits
from handan.ledger import When

ORDERS = ("dmy", "mdy", "ymd")
"""Orders of day, month and year."""
NAMES = {"columns": "column"}
"""How options of a command are named, where that is another name."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the user said about the files to be read."""

    encoding: str | None = None
    """Python's name of the encoding; None: as the file declares it, or as its format has it."""
    date: When | str | None = None
    """Date of the games that have none; text is accepted."""
    date_from_path: bool = False
    """Whether a year or date in a file's path dates the games that have none."""
    limits: Limits = field(default_factory=Limits)
    """How much is read; a dict of those that differ is accepted, such as `{"games": 20_000_000}`."""
    dates: str | None = None
    """Order of day, month and year in tables: dmy, mdy or ymd; None: as the column shows."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """Headings of tables by column, such as `{"black": "Noir"}`, that overrule what they mean by themselves."""
    letters: str | None = None
    """Letters of Black and White in the results of tables, such as bw or nb; None: as the column shows."""
    worksheet: str | None = None
    """Name of the worksheet that is read of a workbook; None: those with games."""
    list_date: When | str | None = None
    """Day of the ratings of a list that are taken over; None: as the list says, else before the first game."""
    query: str | None = None
    """What a database is asked for, in SQL; its columns have the headings of a table of games."""

    def __post_init__(self) -> None:
        """Check what was given; InputError for what is none."""
        refuse_other("columns", self.columns or {}, Mapping, 'headings by column, such as {"black": "Noir"}')
        refuse_other("letters", self.letters or "", str, "the letters of Black and White, such as bw or nb")
        object.__setattr__(self, "columns", dict(self.columns or {}))
        object.__setattr__(self, "limits", Limits.of(self.limits))
        object.__setattr__(self, "date", When.of(self.date))
        object.__setattr__(self, "list_date", When.of(self.list_date))
        if self.dates is not None and self.dates not in ORDERS:
            raise InputError(f"order of dates {shown(str(self.dates))} is not one of {', '.join(ORDERS)}")
        if self.letters is not None:
            object.__setattr__(self, "letters", self.letters.casefold())
            if len(self.letters) != 2 or not self.letters.isalpha() or self.letters[0] == self.letters[1]:
                raise InputError(f"letters {shown(self.letters)} are not those of Black and White, such as bw or nb")

    @property
    def of_text(self) -> tuple[str, ...]:
        """Names of what was said that only changes how text is read, as options of a command."""
        plain = Options()
        names = (part.name for part in fields(self) if part.name not in {"limits", "list_date", "query"})
        differ = [name for name in names if getattr(self, name) != getattr(plain, name)]
        return tuple(f"--{NAMES.get(name, name).replace('_', '-')}" for name in differ)


class NamedOptions(TypedDict, total=False):
    """The fields of `Options` one by one, as `read` takes them by name."""

    encoding: str | None
    date: When | str | None
    date_from_path: bool
    limits: Limits | Mapping[str, int]
    dates: str | None
    columns: Mapping[str, str]
    letters: str | None
    worksheet: str | None
    list_date: When | str | None
    query: str | None
