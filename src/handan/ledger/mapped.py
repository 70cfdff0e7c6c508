"""Games in mapped files, which anything may have happened to: their numbers are looked through as they are read.

Loops in machine code trust that a number is one of a player or of a value, and would read or write elsewhere in memory.
A look takes a small part of the time that a loop over the same games does. Damage by which a number becomes another
possible one only digests tell (`disk.damage`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from handan.errors import InputError
from handan.ledger.coded import DAY, EPOCH, PLAYERS, Coded, Different, give_back, unknown

AT_ONCE = 1 << 22  # numbers that are looked at together; our choice
FIRST_DAY, LAST_DAY = ((day - EPOCH).days for day in (datetime.min, datetime.max))  # noqa: DTZ901  # local time


class Files(NamedTuple):
    """The files of a ledger on disk."""

    folder: Path
    names: Mapping[str, str]
    """Of the file of each column."""
    players: int
    """How many players there are."""

    def check_numbers(self, name: str, numbers: NDArray[Any], count: int) -> None:
        """Refuse numbers of a column that are not below a count; InputError names the file."""
        if count > np.iinfo(numbers.dtype).max:
            return
        for part in _parts(numbers):
            if (most := int(part.max())) >= count:
                raise self._damage(name, f"it holds {most:,}, and its numbers end at {count - 1:,}")

    def check_dates(self, dates: NDArray[Any]) -> None:
        """Refuse numbers that stand for no date; InputError names the file."""
        unit = 1 if dates.dtype == np.int32 else DAY
        for part in _parts(dates):
            outside = (part >= (LAST_DAY + 1) * unit) | ((part < FIRST_DAY * unit) & (part != unknown(part.dtype)))
            if outside.any():
                raise self._damage("date", "it holds what is no date")

    def check_order(self, dates: NDArray[Any]) -> None:
        """Refuse dates that do not ascend; InputError names the file."""
        last = unknown(dates.dtype)
        for part in _parts(dates):
            if part[0] < last or (part[1:] < part[:-1]).any():
                raise self._damage("date", "its dates do not ascend")
            last = part[-1]

    def _damage(self, name: str, what: str) -> InputError:
        return InputError(f"{self.folder / self.names[name]} is damaged: {what}; build the ledger anew from its files")


class MappedColumns(Mapping[str, Different]):
    """Columns by name whose numbers are mapped from files; each is looked through when it is first asked for."""

    def __init__(self, columns: Mapping[str, Different], files: Files) -> None:
        """Take columns, none of which has been looked at."""
        self.unread = columns
        """The same columns, without a look at their numbers."""
        self._files = files
        self._seen: set[str] = set()

    def __getitem__(self, name: str) -> Different:
        """Return a column; InputError if one of its numbers is that of no value."""
        values, number = column = self.unread[name]
        if number is not None and name not in self._seen:
            self._files.check_numbers(name, number, len(values))
            self._seen.add(name)
        return column

    def __iter__(self) -> Iterator[str]:
        """Yield the names of the columns."""
        return iter(self.unread)

    def __len__(self) -> int:
        """Number of columns."""
        return len(self.unread)

    def at(self, rows: slice) -> MappedColumns:
        """Return the columns of games that stand behind each other."""
        return MappedColumns({name: column.at(rows) for name, column in self.unread.items()}, self._files)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MappedGames(Coded):
    """Games whose columns are mapped from files; InputError names the one that is damaged, where it is read."""

    different: MappedColumns
    files: Files

    def seats(self) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        """Return `black` and `white`, all of whose numbers are those of players."""
        for name in PLAYERS:
            self.files.check_numbers(name, getattr(self, name), self.files.players)
        return self.black, self.white

    def days(self) -> NDArray[Any]:
        """Return `date`, all of whose numbers stand for dates, in ascending order."""
        self.files.check_dates(self.date)
        self.files.check_order(self.date)
        return self.date

    def taken(self, games: NDArray[np.int64]) -> Coded:
        """Return some games, by index from 0, in the order given."""
        black, white, date = (column[games] for column in (self.black, self.white, self.date))
        for name, seats in zip(PLAYERS, (black, white), strict=True):
            self.files.check_numbers(name, seats, self.files.players)
        self.files.check_dates(date)
        different = {name: column.at(games) for name, column in self.different.unread.items()}
        for name, (values, number) in different.items():
            if number is not None:
                self.files.check_numbers(name, number, len(values))
        return Coded(black, white, date, different)

    def between(self, first: int, end: int) -> MappedGames:
        """Return the games from one index up to another one, as views of the same columns."""
        return MappedGames(
            black=self.black[first:end], white=self.white[first:end], date=self.date[first:end],
            different=self.different.at(slice(first, end)), files=self.files,
        )  # fmt: skip

    @property
    def arrays(self) -> list[NDArray[Any]]:
        """All arrays of the columns, which are not read for it."""
        numbers = [self.black, self.white, self.date, *(number for _, number in self.different.unread.values())]
        return [array for array in numbers if array is not None]


def _parts(column: NDArray[Any]) -> Iterator[NDArray[Any]]:
    """Yield a column in parts; where there are several, the system takes back the pages of each."""
    for first in range(0, len(column), AT_ONCE):
        part = column[first : first + AT_ONCE]
        yield part
        if len(column) > AT_ONCE:
            give_back(part)
