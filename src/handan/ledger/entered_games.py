"""Games as they are entered: columns of different values, in the order of the rows, before anybody knows who is who."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.ledger.columns import SCHEMA
from handan.ledger.encoded_columns import (
    BLOCK,
    DIFFERING,
    PLAYERS,
    RUN,
    Different,
    EncodedColumns,
    dates,
    differing,
    narrow,
    unknown,
)
from handan.ledger.radix_sort import radix_argsort

WIDEST = 62  # bits of a key by which games are sorted


@dataclass(frozen=True)
class EnteredGames:
    """Games in the order of their rows; nobody has looked yet who is who."""

    names: list[str]
    """The different names of both sides, in order."""
    games: EncodedColumns
    """Their columns; players are places among the names, and the values of event and round stand in order."""
    entry: Different
    """Place of each among the games of one date, event and round, as far as the rows say it."""

    @classmethod
    def of_table(cls, table: pl.DataFrame) -> EnteredGames:
        """Take a typed table (`handan.ledger.columns.SCHEMA`), rows in order of entry."""
        sides = [table[side].cast(pl.String) for side in PLAYERS]
        names = pl.concat([side.unique().alias("") for side in sides]).unique().sort()
        black, white = (side.cast(pl.Enum(names)).to_physical().cast(pl.UInt32).to_numpy() for side in sides)
        columns = {}
        for name in (*DIFFERING, "entry"):
            values, number = differing(table[name])
            columns[name] = Different(values) if number is None else numbered(values, number)
        entry = columns.pop("entry")
        lines = None if table["line"].null_count() == table.height else in_range(table["line"].fill_null(-1))
        return cls(names.to_list(), EncodedColumns(black, white, dates(table["date"]), columns, lines), entry)

    def __len__(self) -> int:
        """Number of games."""
        return len(self.games)

    @property
    def black(self) -> NDArray[np.uint32]:
        """The place of each game's Black among the names, shape (games,)."""
        return self.games.black

    @property
    def white(self) -> NDArray[np.uint32]:
        """The place of each game's White among the names."""
        return self.games.white

    def filtered(self, kept: NDArray[np.bool_]) -> EnteredGames:
        """Return the games that are kept, and the names that stand in them."""
        rows = np.flatnonzero(kept)
        games = self.games.taken(rows)
        used, place = _used(len(self.names), games.black, games.white)
        seats = {side: place[getattr(games, side)].astype(np.uint32) for side in PLAYERS}
        different = {name: _of_these(own, len(rows)) for name, own in games.different.items()}
        games = replace(games, **seats, different=different)
        names = list(compress(self.names, used.tolist()))
        return EnteredGames(names, games, _of_these(self.entry.at(rows), len(rows)))

    def with_notes(self, remarks: Different) -> EnteredGames:
        """Return the games with what stands behind their results at the end of their notes."""
        notes, more = (column.column(len(self)) for column in (self.games.different["notes"], remarks))
        together = differing((notes + " " + more).str.strip_chars())
        return replace(self, games=replace(self.games, different={**self.games.different, "notes": together}))

    def against_oneself(self) -> NDArray[np.bool_]:
        """Return which games have one player on both sides: by the ids if both have one, else by the names."""
        alike: NDArray[np.bool_] = self.black == self.white
        if alike.any() and self.names[0] == "":
            alike &= self.black != 0
        if not self.has_ids:
            return alike
        black, white = (self.games.different[f"{side}_id"].column(len(self)) for side in PLAYERS)
        both = ((black != "") & (white != "")).to_numpy()
        return np.where(both, (black == white).to_numpy(), alike)

    @property
    def has_ids(self) -> bool:
        """Whether a player has an id."""
        return any((self.games.different[f"{side}_id"].values != "").any() for side in PLAYERS)

    @cached_property
    def frame(self) -> pl.DataFrame:
        """The typed table (`handan.ledger.columns.SCHEMA`)."""
        return self.games.frame(self.names).with_columns(self.entry.column(len(self)).alias("entry")).cast(SCHEMA)

    def pairs(self) -> tuple[list[tuple[str, str]], NDArray[np.uint32], NDArray[np.uint32]]:
        """Return the different names with their ids as they stand in the rows, and which of them each side has."""
        if not self.has_ids:
            return [(name, "") for name in self.names], self.black, self.white
        sides = [self.games.different[f"{side}_id"] for side in PLAYERS]
        ids = pl.concat([values.alias("") for values, _ in sides]).unique().sort()
        keys = []
        for seats, (values, number) in zip((self.black, self.white), sides, strict=True):
            own = _places(values, ids)
            keys.append(seats.astype(np.int64) * len(ids) + (own[0] if number is None else own[number]))
        different, place = np.unique(np.concatenate(keys), return_inverse=True)
        black, white = np.split(place.reshape(-1).astype(np.uint32), 2)
        return [(self.names[pair // len(ids)], ids[pair % len(ids)]) for pair in different.tolist()], black, white

    def in_order(self, black: NDArray[np.uint32], white: NDArray[np.uint32]) -> EncodedColumns:
        """Return the games in playing order, with these players."""
        games = replace(self.games, black=black, white=white)
        if self.entry.values.null_count() == len(self.entry.values):
            return in_playing_order(games)
        entry = self.entry.column(len(self)).fill_null(pl.int_range(len(self), eager=True)).to_numpy()
        return in_playing_order(games, entry)


def _used(count: int, *numbers: NDArray[Any]) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Return which of so many values stand in columns of numbers, and the place of each among those that do."""
    used = np.zeros(count, dtype=np.bool_)
    for number in numbers:
        used[number] = True
    return used, np.cumsum(used) - 1


def _of_these(column: Different, games: int) -> Different:
    """Return a column of so many games without values that none has, such as results that cannot be read."""
    values, number = column
    if number is None:
        return column if games else Different(values.clear())
    used, place = _used(len(values), number)
    values = values.filter(pl.Series(used))
    return Different(values, place[number].astype(narrow(len(values))) if len(values) > 1 else None)


def in_range(lines: pl.Series) -> NDArray[Any] | range:
    """Return the lines of rows, as a range where they follow each other."""
    array = lines.to_numpy()
    first = int(array[0]) if len(array) else 0
    for at in range(0, len(array), BLOCK):
        part = array[at : at + BLOCK]
        if not np.array_equal(part, np.arange(first + at, first + at + len(part))):
            return array
    return range(first, first + len(array))


def _places(values: pl.Series, among: pl.Series) -> NDArray[np.int64]:
    """Return the place of each value among different ones."""
    places = {value: place for place, value in enumerate(among.to_list())}
    return np.array([places[value] for value in values.to_list()], dtype=np.int64)


def numbered(values: pl.Series, number: NDArray[Any]) -> Different:
    """Return a column from the value of each different text, of which several may be one, and each row's number."""
    different = values.unique().sort()
    if len(different) < 2:
        return Different(different)
    return Different(different, _places(values, different).astype(narrow(len(different)))[number])


def in_playing_order(games: EncodedColumns, entry: NDArray[np.int64] | None = None) -> EncodedColumns:
    """Return games in the order of date, event, round and entry; without `entry` they stand in its order."""
    columns = [games.date if name == "date" else games.different[name].number for name in RUN] + [entry]
    varied = [column for column in columns if column is not None]
    if len(varied) == 1 and (varied[0][1:] >= varied[0][:-1]).all():
        return games
    keys = [_ranked(column) for column in varied]
    bits = [int(key.max(initial=0)).bit_length() for key in keys]
    if sum(bits) > WIDEST:
        return games.taken(np.lexsort(keys[::-1]))
    key = np.zeros(len(games), dtype=np.int64)
    for own, width in zip(keys, bits, strict=True):
        key = key << width | own
    return games if (key[1:] >= key[:-1]).all() else games.taken(radix_argsort(key))


def _ranked(column: NDArray[Any]) -> NDArray[np.int64]:
    """Return numbers of 0 or more in the same order; those of games without a date come first."""
    absent = column == unknown(column.dtype) if column.dtype.kind == "i" else np.zeros(0, dtype=np.bool_)
    if not absent.any():
        return column.astype(np.int64) - int(column.min())
    lowest = column[~absent].min() if not absent.all() else 0
    return np.where(absent, 0, column.astype(np.int64) - int(lowest) + 1)
