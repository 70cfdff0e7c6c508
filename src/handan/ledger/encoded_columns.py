"""Games as numbers: players by index, dates by day, and every other column as numbers of its different values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from handan.ledger.columns import SCHEMA

if TYPE_CHECKING:
    from numpy.typing import NDArray

EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001  # clubs write local time
DAY = 86_400_000  # milliseconds
PLAYERS = ("black", "white")
DERIVED = ("entry", "line")
DIFFERING = tuple(name for name in SCHEMA if name not in (*PLAYERS, *DERIVED, "date"))
"""Columns that are kept as their different values."""
MOST_COUNTED = 1 << 16  # our choice: values of several columns together that are counted rather than sorted
SPARSE = 1 << 20  # our choice: numbers so far beyond those of a column's rows are joined rather than looked up
BLOCK = 4096  # games that are looked at together; our choice
RUN = ("date", "event", "round")
"""Games that share these are numbered by `entry`."""


class Different(NamedTuple):
    """A column that takes few values."""

    values: pl.Series
    """The different ones."""
    number: NDArray[Any] | None = None
    """Which of them each game has, shape (games,), unsigned; None where all games have the first."""

    def at(self, rows: Any) -> Different:
        """Return the column of some games, by a slice or by index."""
        return Different(self.values, None if self.number is None else self.number[rows])

    def column(self, games: int) -> pl.Series:
        """Return the value of each of so many games."""
        if self.number is not None:
            return self.values.gather(self.number)
        return self.values.new_from_index(0, games) if games else self.values.clear()


@dataclass(frozen=True, slots=True, eq=False)
class EncodedColumns:
    """Games in playing order in some 15 bytes each; the arrays are never written to."""

    black: NDArray[np.uint32]
    """Index of the player in the black column, shape (games,)."""
    white: NDArray[np.uint32]
    date: NDArray[Any]
    """Days since 1970-01-01 (int32), or milliseconds (int64) where times are known; `unknown(date)` without a date."""
    different: Mapping[str, Different]
    """Every other column that is a fact, and `source`."""
    line: NDArray[Any] | range | None = None
    """Line of each game in its source, -1 where it has none; a range where the games stand there in this order, None
    if no game has a line."""

    def __post_init__(self) -> None:
        """Let nobody write to the arrays."""
        for array in (self.black, self.white, self.date):
            array.flags.writeable = False

    def __len__(self) -> int:
        """Number of games."""
        return len(self.black)

    def moments(self) -> pl.Series:
        """Return the dates as moments, null where unknown."""
        moments = pl.Series("date", in_milliseconds(self.date))
        return moments.set(moments == unknown(np.int64), None).cast(SCHEMA["date"])

    def column(self, name: str, players: Sequence[str]) -> pl.Series:
        """Return one column of the games table; `players` are the names by number."""
        if name in PLAYERS:
            return pl.Series(name, getattr(self, name)).cat.to(pl.Enum(players))
        if name == "date":
            return self.moments()
        if name == "entry":
            return pl.Series("entry", self.entries())
        if name == "line":
            return self._lines().alias("line")
        return self.different[name].column(len(self)).alias(name)

    def combinations(self, names: Sequence[str]) -> tuple[list[tuple[Any, ...]], NDArray[Any]]:
        """Return the values that games take together in some columns, and the number of each game's among them."""
        sizes = [len(self.different[name].values) for name in names]
        if not len(self):
            return [], np.zeros(0, dtype=np.uint8)
        key = np.zeros(len(self), dtype=narrow(math.prod(sizes) + 1))
        for name, size in zip(names, sizes, strict=True):
            key *= key.dtype.type(size)
            if (number := self.different[name].number) is not None:
                key += number.astype(key.dtype, copy=False)
        if math.prod(sizes) > MOST_COUNTED:
            taken, number_of = np.unique(key, return_inverse=True)
        else:
            taken = np.flatnonzero(np.bincount(key, minlength=math.prod(sizes)))
            place = np.zeros(math.prod(sizes), dtype=narrow(len(taken)))
            place[taken] = np.arange(len(taken))
            number_of = place[key]
        codes = np.unravel_index(taken, sizes)
        values = [self.different[name].values.to_list() for name in names]
        columns = [[own[code] for code in each.tolist()] for own, each in zip(values, codes, strict=True)]
        return list(zip(*columns, strict=True)), number_of.astype(narrow(len(taken)), copy=False)

    def _lines(self) -> pl.Series:
        if self.line is None:
            return pl.repeat(None, len(self), dtype=pl.Int64, eager=True)
        if isinstance(self.line, range):
            return pl.int_range(self.line.start, self.line.stop, dtype=pl.Int64, eager=True)
        lines = pl.Series(self.line).cast(pl.Int64)
        return lines.set(lines < 0, None)

    def rows(self, games: NDArray[np.int64], names: Sequence[str], players: Sequence[str]) -> pl.DataFrame:
        """Return some games, by index from 0, as rows of the games table with some of its columns."""
        if len(games) > len(self) // 8 or not len(self):  # most of a column is read anyway
            return pl.DataFrame([self.column(name, players).gather(games) for name in names])
        chosen = self.taken(games)
        table = pl.DataFrame([chosen.column(name, players) for name in names])
        return table.with_columns(entry=pl.Series(self._entries_of(games))) if "entry" in names else table

    def _entries_of(self, games: NDArray[np.int64]) -> list[int]:
        """Return `entry` of some games, found by going back to the first of their run."""
        columns = [self.date, *(self.different[name].number for name in RUN[1:])]
        entries = []
        for game in games.tolist():
            first = game
            while first:
                start = max(first - BLOCK, 0)
                other = np.zeros(first - start, dtype=np.bool_)
                for column in columns:
                    if column is not None:
                        other |= column[start:first] != column[game]
                first = start + int(np.flatnonzero(other).max(initial=-1)) + 1
                if other.any():
                    break
            entries.append(game - first + 1)
        return entries

    def taken(self, games: NDArray[np.int64]) -> EncodedColumns:
        """Return some games, by index from 0, in the order given."""
        line = (
            games + self.line.start if isinstance(self.line, range) else None if self.line is None else self.line[games]
        )
        different = {name: column.at(games) for name, column in self.different.items()}
        return EncodedColumns(self.black[games], self.white[games], self.date[games], different, line)

    def between(self, first: int, end: int) -> EncodedColumns:
        """Return the games from one index up to another one, as views of the same columns."""
        line = None if self.line is None else self.line[first:end]
        different = {name: column.at(slice(first, end)) for name, column in self.different.items()}
        return EncodedColumns(self.black[first:end], self.white[first:end], self.date[first:end], different, line)

    @property
    def arrays(self) -> list[NDArray[Any]]:
        """All arrays of the columns, which are not read for it."""
        numbers = [self.black, self.white, self.date, *(number for _, number in self.different.values())]
        return [array for array in numbers if array is not None]

    def frame(self, players: Sequence[str]) -> pl.DataFrame:
        """Return the whole games table; `players` are the names by number."""
        return pl.DataFrame([self.column(name, players) for name in SCHEMA])

    def entries(self) -> NDArray[np.int64]:
        """Return the place of each game among those of one date, event and round, counted from 1, shape (games,)."""
        place = np.arange(len(self))
        first = place == 0
        for name in RUN:
            column = self.date if name == "date" else self.different[name].number
            if column is not None:
                first[1:] |= column[1:] != column[:-1]
        return place - np.maximum.accumulate(np.where(first, place, 0)) + 1

    def first_from(self, moment: datetime) -> int:
        """Return the index of the first game of a moment or later, the number of games if there is none."""
        milliseconds = round((moment - EPOCH) / timedelta(milliseconds=1))
        unit = DAY if self.date.dtype == np.int32 else 1
        return first_at(self.date, -(-milliseconds // unit))  # unknown dates come first

    @property
    def nbytes(self) -> int:
        """Bytes of all columns."""
        return sum(array.nbytes for array in self.arrays)


def first_at(dates: NDArray[Any], number: int) -> int:
    """Return the index of the first of ascending dates that is not below a number; the dates are not copied."""
    limits = np.iinfo(dates.dtype)
    if number > limits.max:
        return len(dates)
    # a number of another type than the dates would turn all of them into a wider one
    return int(np.searchsorted(dates, dates.dtype.type(max(number, limits.min)), side="left"))


def unknown(dtype: Any) -> int:
    """Return the number that stands for an unknown date."""
    return int(np.iinfo(dtype).min)


def in_milliseconds(dates: NDArray[Any]) -> NDArray[np.int64]:
    """Return dates, of days or of milliseconds, as milliseconds."""
    if dates.dtype == np.int64:
        return dates
    return np.where(dates == unknown(dates.dtype), unknown(np.int64), dates.astype(np.int64) * DAY)


def in_days(dates: NDArray[Any]) -> NDArray[np.int64]:
    """Return dates, of days or of milliseconds, as days."""
    days: NDArray[np.int64] = dates.astype(np.int64) if dates.dtype == np.int32 else dates // DAY
    return days


def of_table(games: pl.DataFrame) -> EncodedColumns:
    """Return the games of a ledger's own table; its black and white are categories, its rows in playing order."""
    black, white = (games[side].to_physical().cast(pl.UInt32).to_numpy() for side in PLAYERS)
    lines = games["line"]
    line = None if lines.null_count() == len(lines) else lines.fill_null(-1).to_numpy()
    return EncodedColumns(black, white, dates(games["date"]), numbered(games), line)


def numbered(games: pl.DataFrame) -> dict[str, Different]:
    """Return the columns of a games table that are kept as their different values."""
    return {name: differing(games[name]) for name in DIFFERING}


def dates(moments: pl.Series) -> NDArray[Any]:
    """Return moments as days, or as milliseconds if any of them is not the start of a day."""
    numbers: NDArray[np.int64] = moments.to_physical().fill_null(none := unknown(np.dtype(np.int64))).to_numpy()
    days, rest = np.divmod(numbers, DAY)
    dated = numbers != none
    if rest[dated].any():
        return numbers
    return np.where(dated, days, unknown(np.dtype(np.int32))).astype(np.int32)


def differing(column: pl.Series) -> Different:
    """Return the different values of a column in the order in which they come, and the number of each row's."""
    if isinstance(column.dtype, pl.Categorical):
        codes, of_code = differing(column.to_physical())
        return Different(codes.cat.to(column.dtype).cast(pl.String), of_code)
    values = (column if len(column) == 1 else column.unique(maintain_order=True)).alias("value")
    if len(values) < 2:
        return Different(values)
    least, most = _ends(values)
    if least >= 0 and most < SPARSE + len(column):
        place = np.zeros(most + 1, dtype=narrow(len(values)))
        place[values.cast(pl.UInt32).to_numpy()] = np.arange(len(values))
        return Different(values, place[column.cast(pl.UInt32).to_numpy()])
    keys = values.to_frame().with_row_index("number")
    rows = column.alias("value").to_frame().join(keys, "value", "left", nulls_equal=True, maintain_order="left")
    return Different(values, rows["number"].to_numpy().astype(narrow(len(values))))


def _ends(values: pl.Series) -> tuple[int, int]:
    """Return the least and the largest of whole numbers; -1 where there are others, or none."""
    if not values.dtype.is_integer() or values.null_count():
        return -1, -1
    return int(values.min()), int(values.max())  # type: ignore[arg-type]


def numbered_among(values: pl.Series, later: Different, games: int) -> Different:
    """Return a column of later games, whose different values begin with those of earlier games."""
    together, places = with_values(values, later.values)
    if len(together) < 2:
        return Different(together)
    codes = np.array(places or [0], dtype=narrow(len(together)))
    return Different(together, np.full(games, codes[0]) if later.number is None else codes[later.number])


def with_values(values: pl.Series, more: pl.Series) -> tuple[pl.Series, list[int]]:
    """Add the values that are missing among different ones; return these, and the place of each added or known one."""
    there = {value: place for place, value in enumerate(values.to_list())}
    places = [there.get(value) for value in more.to_list()]
    absent = [number for number, place in enumerate(places) if place is None]
    if absent:
        for place, number in enumerate(absent, len(values)):
            places[number] = place
        values = pl.concat([values, more.gather(absent).cast(values.dtype).alias(values.name)])
    return values, [place for place in places if place is not None]


def narrow(count: int) -> Any:
    """Return the narrowest type of numbers below a count."""
    return np.min_scalar_type(max(count - 1, 0))
