"""A ledger on disk made of many sorted runs of games, of which only a few million are in memory at a time.

Each run comes with names and values of its own; they are put into tables as large as there are different ones, and the
games go to files beside those of the ledger. Then the runs of the same days are put in the order of play together.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.ledger.coded import (
    DAY,
    DIFFERING,
    PLAYERS,
    Coded,
    Different,
    first_at,
    give_back,
    in_milliseconds,
    narrow,
    unknown,
)
from handan.ledger.columns import SCHEMA
from handan.ledger.folder import Writing
from handan.ledger.rewriting import Growing

PLACE = "building"
"""Folder of the runs, within that of the ledger."""
TOGETHER = 1 << 21  # games that are put in order together; our choice: some 400 MB of arrays
IDS = ("black_id", "white_id")
Pair = tuple[str, str]
"""Name and id of a player as they stand in a row."""
InOrder = Callable[[Coded], Coded]


class Run(NamedTuple):
    """Games in the order of play, of which `black` and `white` are indices of pairs."""

    games: Coded
    pairs: Sequence[Pair]


@dataclass
class Store:
    """A column of all runs, one behind the other, in a file."""

    file: Path
    dtype: np.dtype[Any]

    def add(self, array: NDArray[Any]) -> None:
        """Put the rows of a run behind the others."""
        with self.file.open("ab") as stream:
            stream.write(np.ascontiguousarray(array, dtype=self.dtype).data.cast("B"))

    def widen(self, dtype: np.dtype[Any], turn: Callable[[NDArray[Any]], NDArray[Any]]) -> None:
        """Write all rows anew as numbers of another type, some at a time."""
        old = self.mapped() if self.file.exists() else np.empty(0, self.dtype)
        wide = Store(self.file.with_suffix(".wide"), dtype)
        wide.add(np.empty(0, dtype))
        for first in range(0, len(old), TOGETHER):
            wide.add(turn(old[first : first + TOGETHER]))
        del old
        wide.file.replace(self.file)
        self.dtype = dtype

    def mapped(self) -> NDArray[Any]:
        """Return the column as it is now, mapped from its file."""
        if not self.file.stat().st_size:
            return np.empty(0, self.dtype)
        return np.memmap(self.file, dtype=self.dtype, mode="r").view(np.ndarray)


@dataclass
class Runs:
    """The runs of a ledger that is being built."""

    folder: Path
    ends: list[int] = field(default_factory=list)
    """Where each run ends, in games from the first."""
    pairs: dict[Pair, int] = field(default_factory=dict)
    values: dict[str, dict[Any, int]] = field(default_factory=lambda: {name: {} for name in DIFFERING})
    days: dict[int, int] = field(default_factory=dict)
    """How many games each day has; the day of games without a date is the lowest number."""
    stores: dict[str, Store] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Begin the columns that every ledger has."""
        for name, dtype in (("black", np.uint32), ("white", np.uint32), ("date", np.int32)):
            self.stores[name] = Store(self.folder / name, np.dtype(dtype))

    @property
    def games(self) -> int:
        """Number of games."""
        return self.ends[-1] if self.ends else 0

    @property
    def timed(self) -> bool:
        """Whether a game has a time of day."""
        return self.stores["date"].dtype == np.int64

    def add(self, run: Run) -> None:
        """Put a run behind the others."""
        games = run.games
        pair = _numbers(self.pairs, run.pairs)
        self.stores["black"].add(pair[games.black])
        self.stores["white"].add(pair[games.white])
        if games.date.dtype == np.int64 and not self.timed:
            self.stores["date"].widen(np.dtype(np.int64), in_milliseconds)
        self.stores["date"].add(in_milliseconds(games.date) if self.timed else games.date)
        for name in DIFFERING:
            if name not in IDS:
                self._add(name, games.different[name], len(games))
        days, counts = np.unique(_days(games.date), return_counts=True)
        for day, count in zip(days.tolist(), counts.tolist(), strict=True):
            self.days[day] = self.days.get(day, 0) + count
        self.ends.append(self.games + len(games))

    def _add(self, name: str, column: Different, games: int) -> None:
        """Put one column of a run behind the others; one in which all say the same takes nothing."""
        codes = _numbers(self.values[name], column.values.to_list())
        if len(self.values[name]) < 2:
            return
        dtype = np.dtype(narrow(len(self.values[name])))
        if name not in self.stores:
            self.stores[name] = self._first_ones(name, dtype)
        elif self.stores[name].dtype != dtype:
            self.stores[name].widen(dtype, lambda part: part.astype(dtype))
        number = column.number
        self.stores[name].add(np.full(games, codes[0]) if number is None else codes[number])

    def _first_ones(self, name: str, dtype: np.dtype[Any]) -> Store:
        """Return a column in which all games so far have the first value."""
        store = Store(self.folder / name, dtype)
        for first in range(0, self.games, TOGETHER):
            store.add(np.zeros(min(TOGETHER, self.games - first), dtype))
        return store

    def batches(self) -> Iterator[tuple[int, int]]:
        """Yield days from one up to another one, with not many more games than are put in order together."""
        days = sorted(self.days)
        first, gathered = 0, 0
        for place, day in enumerate(days):
            if gathered and gathered + self.days[day] > TOGETHER:
                yield days[first], day
                first, gathered = place, 0
            gathered += self.days[day]
        if gathered:
            yield days[first], days[-1] + 1


def _numbers(table: dict[Any, int], values: Sequence[Any]) -> NDArray[np.uint32]:
    """Return the number in a table of each value; new ones get the next."""
    numbers = list(map(table.get, values))
    if None in numbers:  # which is seldom, after the first runs
        numbers = [table.setdefault(value, len(table)) for value in values]
    return np.array(numbers, dtype=np.uint32)


def _days(dates: NDArray[Any]) -> NDArray[np.int64]:
    """Return the day of each date; that of an unknown one is the lowest of all, whatever the unit."""
    days = dates.astype(np.int64)
    lost = dates == unknown(dates.dtype)
    days = days if dates.dtype == np.int32 else days // DAY
    return np.where(lost, int(unknown(np.int32)), days)


@dataclass
class Merging:
    """Runs put in the order of play and written as the columns of a ledger."""

    runs: Runs
    folder: Writing
    seats: NDArray[np.uint32]
    """Number of the player of each pair, shape (pairs,)."""
    in_order: InOrder
    """Puts games in the order of play."""
    look: Callable[[Coded], None]
    """Is shown the games that were put in order together."""
    different: dict[str, Different] = field(default_factory=dict)
    codes: dict[str, NDArray[Any]] = field(default_factory=dict)
    """Number among the sorted values of each value, in the order in which they came."""
    mapped: dict[str, NDArray[Any]] = field(default_factory=dict)
    """The columns of the runs."""
    alone: dict[tuple[str, int], int] = field(default_factory=dict)
    """How many games were left out whose two names are one player, by their file and the player."""
    games: int = 0

    def write(self, progress: Callable[[int], None]) -> None:
        """Write all columns; `progress` is called with the number of games written."""
        self._sort_values()
        self.mapped = {name: store.mapped() for name, store in self.runs.stores.items()}
        names = [*PLAYERS, "date", *(name for name in DIFFERING if self._varies(name))]
        dtypes = {"black": np.uint32, "white": np.uint32, "date": np.int64 if self.runs.timed else np.int32}
        kinds = {name: dtypes.get(name) or narrow(len(self.different[name].values)) for name in names}
        files = {name: Growing.of(self.folder, name, kinds[name]) for name in names}
        try:
            for first, end in self.runs.batches():
                for games in self._parts(first, end):
                    placed = self._without_alone(self.in_order(games))
                    self.look(placed)
                    for name, file in files.items():
                        file.write(getattr(placed, name) if name in dtypes else placed.different[name].number)
                    self.games += len(placed)
                    progress(self.games)
        finally:
            for file in files.values():
                file.close()

    def _varies(self, name: str) -> bool:
        return len(self.different[name].values) > 1

    def _sort_values(self) -> None:
        for name, table in self.runs.values.items():
            if name not in IDS:
                self._sort(name, list(table))
        ids = [number for _, number in self.runs.pairs]
        for name in IDS:
            self._sort(name, ids)
        self.different = {name: self.different[name] for name in DIFFERING}

    def _sort(self, name: str, values: list[Any]) -> None:
        series = pl.Series(name, values, dtype=SCHEMA[name])
        ordered = series.unique().sort()
        place = {value: number for number, value in enumerate(ordered.to_list())}
        self.different[name] = Different(ordered)
        self.codes[name] = np.array([place[value] for value in series.to_list()], dtype=narrow(len(ordered)))

    def _parts(self, first: int, end: int) -> Iterator[Coded]:
        """Yield the games of some days in the order of the runs; a day that needs no sorting in several parts."""
        sorted_by = ("event", "round")
        free = end == first + 1 and not any(self._varies(name) for name in sorted_by)
        slices: list[tuple[int, int]] = []
        gathered = 0
        for run in range(len(self.runs.ends)):
            start, stop = self._between(run, first, end)
            while start < stop:
                until = min(stop, start + TOGETHER) if free else stop
                if free and gathered + until - start > TOGETHER and slices:
                    yield self._gathered(slices)
                    slices, gathered = [], 0
                slices.append((start, until))
                gathered += until - start
                start = until
        if slices:
            yield self._gathered(slices)

    def _between(self, run: int, first: int, end: int) -> tuple[int, int]:
        """Return where the games of some days begin and end in a run, in games from the first of all."""
        begin = self.runs.ends[run - 1] if run else 0
        dates = self.mapped["date"][begin : self.runs.ends[run]]
        unit = DAY if self.runs.timed else 1
        undated = first_at(dates, unknown(dates.dtype) + 1)
        lowest = int(unknown(np.int32))
        places = (0 if day == lowest else undated if day == lowest + 1 else first_at(dates, day * unit)
                  for day in (first, end))  # fmt: skip
        start, stop = places
        return begin + start, begin + stop

    def _gathered(self, slices: Sequence[tuple[int, int]]) -> Coded:
        """Return the games of slices of runs, with the numbers of the whole ledger."""
        black, white = (self._joined(name, slices) for name in PLAYERS)
        date = self._joined("date", slices)
        different = {}
        for name in DIFFERING:
            values = self.different[name].values
            if not self._varies(name):
                different[name] = Different(values)
            elif name in IDS:
                different[name] = Different(values, self.codes[name][black if name == "black_id" else white])
            else:
                different[name] = Different(values, self.codes[name][self._joined(name, slices)])
        return Coded(self.seats[black], self.seats[white], date, different, range(len(black)))

    def _joined(self, name: str, slices: Sequence[tuple[int, int]]) -> NDArray[Any]:
        parts = [self.mapped[name][start:stop] for start, stop in slices]
        joined = np.concatenate(parts)
        for part in parts:
            give_back(part)
        return joined

    def _without_alone(self, games: Coded) -> Coded:
        """Leave games out whose two names are one player, because an id says so."""
        alone = games.black == games.white
        if not alone.any():
            return games
        values, number = games.different["source"]
        for game in np.flatnonzero(alone).tolist():
            which = (values[0 if number is None else int(number[game])], int(games.black[game]))
            self.alone[which] = self.alone.get(which, 0) + 1
        return games.taken(np.flatnonzero(~alone))


def fresh_place(folder: Path) -> Path:
    """Return the folder of the runs, empty; what a build left there that was killed is removed."""
    remove_runs(folder)
    place = folder / PLACE
    place.mkdir()
    return place


def remove_runs(folder: Path) -> None:
    """Remove what a build in pieces left in the folder of a ledger, which only its writer may do."""
    shutil.rmtree(folder / PLACE, ignore_errors=True)
