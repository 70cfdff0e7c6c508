"""A tidy table made into a ledger at once: each different cell is looked at once, and games are numbers from the start.

It takes tables in which nothing is odd. For all others it gives None, and the way through text, which says of every row
what is wrong with it, makes the same ledger.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.errors import InputError, Problem
from handan.files.cells.nobody import nobody_in
from handan.files.cells.ranked_names import ranked
from handan.files.games.columns import MOST_STONES, RowReport, unlikely
from handan.files.games.date_column import read_dates, stand_once
from handan.files.io.texts import FEW, Texts
from handan.kernels.arrays import ordered
from handan.ledger import Ledger, Player
from handan.ledger.coded import DIFFERING, RUN, Coded, Different, dates, narrow, unknown
from handan.ledger.columns import SCHEMA
from handan.ledger.dates import When
from handan.ledger.facts import READERS, read_name
from handan.ledger.identity import identify
from handan.ledger.named import Named
from handan.ledger.results import Result

ODD_BLANKS = ("  ", " \n", "\n ", "\n\n")
"""Two in a row, around a text or in place of one, where texts stand on lines."""
TO_THE_DAY = 10  # characters of a date
WIDEST = 62  # bits of a key by which games are sorted


class Table(NamedTuple):
    """A table in which every row is a game."""

    columns: Mapping[str, Texts]
    """Named as in `COLUMNS`; black and white have the same different texts, and so have their ids."""
    source: str
    first_line: int
    """Line of the first row; the others follow one by one."""
    problems: list[Problem]
    """What was said of it before."""
    days: NDArray[np.int32] | None = None
    """The dates as days since 1970-01-01, shape (rows,), instead of a column of texts."""


def ledger_of(table: Table, readers: Mapping[str, Callable[[str], Any]]) -> Ledger | None:
    """Return the ledger of a table, its games in order; None if anything in it is odd.

    Args:
        table: The games.
        readers: How a cell of each column is read.
    """
    columns = table.columns
    rows = len(columns["black"].number)
    entry = _entries(columns.get("entry"))
    if not rows or (entry is None and "entry" in columns):
        return None
    lines = range(table.first_line, table.first_line + rows)
    report = RowReport(table.source, lines)
    days = _days(columns.get("date"), rows, report) if table.days is None else _likely(table.days, report)
    read = {name: _read(name, columns.get(name), readers, report) for name in DIFFERING if name not in OTHERWISE}
    players = _players(columns, readers)
    if days is None or players is None or any(column is None for column in read.values()):
        return None
    date, precision = days
    people, black, white = players
    different = {name: column for name, column in read.items() if column is not None}
    different |= {"precision": precision, "source": Different(pl.Series([table.source]))}
    for side in SIDES:
        different[f"{side}_id"] = _ids(columns, side, readers[f"{side}_id"])
    games = in_playing_order(Coded(black, white, date, {name: different[name] for name in DIFFERING}, lines), entry)
    return Ledger(games, people, (), (*table.problems, *report.problems()))


SIDES = ("black", "white")
OTHERWISE = ("precision", "source", "black_id", "white_id")


def _days(cells: Texts | None, rows: int, report: RowReport) -> tuple[NDArray[Any], Different] | None:
    """Return the dates of all rows, and how much of each is known; None if a cell has none of the common forms.

    Unlikely dates become unknown ones, which `report` tells of.
    """
    if cells is None:
        return np.full(rows, unknown(np.int32), np.int32), Different(pl.Series([0], dtype=SCHEMA["precision"]))
    moments, precisions, bad = read_dates(pl.Series(cells.different, dtype=pl.String), _none)
    if bad or _stand_once(cells):
        return None
    odd = unlikely(moments)
    if odd.any():
        wrong = np.flatnonzero(odd.to_numpy()[cells.number])
        report.note_unlikely_dates(moments.gather(cells.number[wrong]), pl.Series(wrong))
        moments, precisions = moments.set(odd, None), precisions.set(odd, 0)
    return dates(moments)[cells.number], numbered(precisions, cells.number)


def _stand_once(days: Texts) -> bool:
    """Return whether each day stands once, above rows without one, as for the games of an evening."""
    if "" not in days.different or days.different[days.number[0]] == "":
        return False
    given = int((days.number != days.different.index("")).sum())
    return stand_once(len(days.number), given, len(days.different) - 1)


def _likely(days: NDArray[np.int32], report: RowReport) -> tuple[NDArray[Any], Different]:
    """Return days as dates; unlikely ones become unknown, which `report` tells of."""
    extremes = pl.Series([days.min(), days.max()], dtype=pl.Int32).cast(pl.Date).cast(SCHEMA["date"])
    if not unlikely(extremes).any():
        return days, Different(pl.Series([TO_THE_DAY], dtype=SCHEMA["precision"]))
    moments = pl.Series(days).cast(pl.Date).cast(SCHEMA["date"])
    odd = unlikely(moments)
    report.note_unlikely_dates(moments.filter(odd), odd.arg_true())
    precisions = pl.Series([TO_THE_DAY, 0], dtype=SCHEMA["precision"])
    return dates(moments.set(odd, None)), numbered(precisions, odd.cast(pl.UInt8).to_numpy())


def _none(cells: list[str]) -> tuple[dict[str, When], dict[str, str]]:
    """Read no date that has not one of the common forms."""
    return {}, dict.fromkeys(cells, "a date in a common form")


def _read(
    name: str, cells: Texts | None, readers: Mapping[str, Callable[[str], Any]], report: RowReport
) -> Different | None:
    """Return a column of facts; None if a cell is odd."""
    if cells is None:
        return _absent(name)
    values: list[Any] = []
    try:
        for cell in cells.different:
            value = readers[name](cell)
            if "\0" in cell or (isinstance(value, Result) and value.remark):
                return None
            values.append(str(value) if isinstance(value, Result) else value)
    except InputError:
        return None
    if name == "handicap" and max(values) > MOST_STONES:
        stones = np.array(values)[cells.number]
        rows = np.flatnonzero(stones > MOST_STONES)
        report.note_many_stones(pl.Series(stones[rows]), pl.Series(rows))
    return numbered(pl.Series(name, values, dtype=SCHEMA[name]), cells.number)


@cache
def _absent(name: str) -> Different:
    """Return a column of facts of which nothing is said."""
    return Different(pl.Series(name, [READERS[name]("")], dtype=SCHEMA[name]))


def numbered(values: pl.Series, number: NDArray[Any]) -> Different:
    """Return a column from the value of each different cell, of which several may be one, and each row's number."""
    different = values.unique().sort()
    if len(different) == 1:
        return Different(different)
    if len(values) <= FEW:
        places = {value: place for place, value in enumerate(different.to_list())}
        own = np.array([places[value] for value in values.to_list()], dtype=narrow(len(different)))
        same = len(own) == len(different) and bool((own == np.arange(len(own))).all())
        return Different(different, number if same else own[number])
    keys = different.to_frame("value").with_row_index("number")
    place = values.to_frame("value").join(keys, "value", "left", nulls_equal=True, maintain_order="left")["number"]
    return Different(different, place.to_numpy().astype(narrow(len(different)))[number])


def _players(
    columns: Mapping[str, Texts], readers: Mapping[str, Callable[[str], Any]]
) -> tuple[Sequence[Player], NDArray[np.uint32], NDArray[np.uint32]] | None:
    """Return the players by name, and their numbers as Black and as White; None if somebody plays himself."""
    texts, black = columns["black"]
    white = columns["white"].number
    if nobody_in(pl.Series(texts, dtype=pl.String)):
        return None
    if "black_rank" not in columns and "white_rank" not in columns and ranked(texts):
        return None
    try:
        names = texts if _are_plain(texts) else [read_name(text) for text in texts]
    except InputError:
        return None
    if any(f"{side}_id" in columns for side in SIDES):
        try:
            ids = [readers[f"{SIDES[0]}_id"](text) for text in _id_texts(columns)]
        except InputError:
            return None
        return _with_ids(columns, names, ids)
    people = texts if names is texts else sorted(set(names))
    if people == names:
        seats = black.astype(np.uint32, copy=False), white.astype(np.uint32, copy=False)
    else:
        place = {name: number for number, name in enumerate(people)}
        number = np.array([place[name] for name in names], dtype=np.uint32)
        seats = number[black], number[white]
    return None if (seats[0] == seats[1]).any() else (Named(people), *seats)


def _are_plain(texts: Sequence[str]) -> bool:
    """Return whether reading leaves texts as they are: ASCII that can be printed, no blanks around it or in a row."""
    lines = "\n".join(["", *texts, ""])
    if not lines.isascii() or any(blanks in lines for blanks in ODD_BLANKS):
        return False
    return lines.replace("\n", "").isprintable() and lines.count("\n") == len(texts) + 1


def _with_ids(
    columns: Mapping[str, Texts], names: list[str], ids: list[str]
) -> tuple[Sequence[Player], NDArray[np.uint32], NDArray[np.uint32]] | None:
    """Return the same by names and ids, of which each pair that comes is looked at once."""
    empty = np.zeros(len(columns["black"].number), dtype=np.int64)
    keys = []
    for side in SIDES:
        own = columns[f"{side}_id"].number if f"{side}_id" in columns else empty
        keys.append(columns[side].number.astype(np.int64) * len(ids) + own)
    if (columns["black"].number == columns["white"].number).any() or any("\0" in text for text in ids):
        return None
    pairs, number = np.unique(np.concatenate(keys), return_inverse=True)
    cells = {
        "black": [names[name] for name in pairs // len(ids)],
        "black_id": [ids[own] for own in pairs % len(ids)],
    }
    frame = pl.DataFrame(cells | {"white": cells["black"], "white_id": cells["black_id"]})
    labelled, people, warnings = identify(frame)
    if warnings:
        return None
    place = {player.name: number for number, player in enumerate(people)}
    seat = np.array([place[label] for label in labelled["black"]], dtype=np.uint32)[number.reshape(-1)]
    black, white = np.split(seat, 2)
    return None if (black == white).any() else (tuple(people), black, white)


def _id_texts(columns: Mapping[str, Texts]) -> list[str]:
    return next((columns[f"{side}_id"].different for side in SIDES if f"{side}_id" in columns), [""])


def _ids(columns: Mapping[str, Texts], side: str, reader: Callable[[str], Any]) -> Different:
    """Return the ids of one side as they stand in its column."""
    cells = columns.get(f"{side}_id")
    if cells is None:
        return Different(pl.Series([""]))
    return numbered(pl.Series([reader(text) for text in cells.different]), cells.number)


def _entries(cells: Texts | None) -> NDArray[np.int64] | None:
    """Return the place of each game among those of one date, event and round; None if it is not given, or odd."""
    if cells is None:
        return None
    try:
        values = [READERS["entry"](cell) for cell in cells.different]
    except InputError:
        return None
    places = np.array([-1 if value is None else value for value in values], dtype=np.int64)[cells.number]
    return np.where(places < 0, np.arange(len(places)), places)


def in_playing_order(games: Coded, entry: NDArray[np.int64] | None = None) -> Coded:
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
    return games if (key[1:] >= key[:-1]).all() else games.taken(ordered(key))


def _ranked(column: NDArray[Any]) -> NDArray[np.int64]:
    """Return numbers of 0 or more in the same order; those of games without a date come first."""
    absent = column == unknown(column.dtype) if column.dtype.kind == "i" else np.zeros(0, dtype=np.bool_)
    if not absent.any():
        return column.astype(np.int64) - int(column.min())
    lowest = column[~absent].min() if not absent.all() else 0
    return np.where(absent, 0, column.astype(np.int64) - int(lowest) + 1)
