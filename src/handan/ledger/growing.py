"""A ledger that goes on: games that come last are put behind the others, and nothing before them is made anew."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any
from weakref import ref

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.ledger.ledger import ORDER, Ledger

PIECES = 16  # our choice: columns stand in so many pieces before they are copied into one
MOST = 500  # games; our choice: more are laid out with all the others
BY_GAME = ("black", "white", "score", "scored", "by_default", "colours_known", "handicap", "komi", "size", "full_size",
           "dated", "day")  # fmt: skip
"""Arrays of a ledger that say one thing of each game by itself."""
SPARE = 1_000  # games; our choice: for so many there is space behind others at least
_filling = threading.Lock()
Numbered = tuple[list[Any], NDArray[Any]]


def ledger_with(ledger: Ledger, table: pl.DataFrame) -> Ledger | None:
    """Return the ledger with the games of a table behind its own; None unless they belong there.

    The answer is that of `Ledger.from_table` on all games. It takes games of players who have played, later than the
    last game or on the same date and behind it, in the order in which they were entered.

    Args:
        ledger: Made of games in the order of their `line`.
        table: Typed games (`columns.SCHEMA`) in the same form, rows in order of entry, with the names shown and ids.
    """
    if not table.height:
        return ledger
    if not len(ledger) or table.height > MOST or (table["black"] == table["white"]).any():
        return None
    sides = pl.concat([table.select(name=side, number=f"{side}_id") for side in ("black", "white")])
    if not all(_is_there(ledger, name, number) for name, number in sides.iter_rows()):
        return None
    entries = _places(ledger, table)
    if entries is None:
        return None
    names = ledger.games.schema["black"]
    rows = table.with_columns(entry=pl.Series(entries, dtype=pl.Int64)).cast({"black": names, "white": names})
    games = pl.concat([ledger.games, rows.select(ledger.games.columns)], rechunk=ledger.games.n_chunks() >= PIECES)
    grown = Ledger(games, ledger.players, ledger.adjustments, ledger.problems, ledger.warnings, ledger.saved)
    _extend(ledger, grown)
    vars(grown)["past"] = ref(ledger)
    return grown


def goes_on(ledger: Ledger, past: Ledger) -> bool:
    """Return whether a ledger was made of another one by `ledger_with`, or is the same."""
    return ledger is past or (ledger.past is not None and ledger.past() is past)


def _is_there(ledger: Ledger, name: str, number: str) -> bool:
    """Return whether a player stands in the ledger by the very name and number."""
    index = ledger.get(name)
    return index is not None and (ledger.players[index].name, ledger.players[index].id) == (name, number)


def _places(ledger: Ledger, table: pl.DataFrame) -> list[int] | None:
    """Return `entry` of each new game, its place among those of one date, event and round; None if one comes earlier.

    Games that share all three stand in the order of their lines.
    """
    *last, entry = ledger.games.select(*ORDER[:3], "line", "entry").row(-1)
    entries = []
    for row in table.select(*ORDER[:3], "line").iter_rows():
        if row[0] is None or (row[2] is None) != (last[2] is None):
            return None
        if list(row[:3]) == last[:3]:
            if row[3] <= last[3]:
                return None
            entry += 1
        elif last[0] is None or row[0] > last[0] or (row[0] == last[0] and _comes_later(row[1:3], last[1:3])):
            entry = 1
        else:
            return None
        last = list(row)
        entries.append(entry)
    return entries


def _comes_later(one: tuple[Any, ...], other: list[Any]) -> bool:
    """Return whether event and round stand behind others; rounds are both known or both not."""
    return one[0] > other[0] or (one[0] == other[0] and one[1] is not None and one[1] > other[1])


def _extend(ledger: Ledger, grown: Ledger) -> None:
    """Give a grown ledger the arrays that the one before has made already, with those of the new games."""
    later = Ledger(grown.games[len(ledger) :], ledger.players)
    rooms = vars(grown)["rooms"] = dict(vars(ledger).get("rooms", {}))
    for name in BY_GAME:
        if name in vars(ledger):
            vars(grown)[name] = _appended(rooms, name, getattr(ledger, name), getattr(later, name))
    for name in ("_kinds", "_terms"):
        if name in vars(ledger):
            vars(grown)[name] = _numbered_on(vars(ledger)[name], getattr(later, name))
    for name in ("_index", "_alike", "_sorted_names"):
        if name in vars(ledger):
            vars(grown)[name] = vars(ledger)[name]


@dataclass(slots=True)
class Room:
    """Memory with space behind the rows that count, so that more rows need not copy those before them."""

    rows: NDArray[Any]
    filled: int
    """Rows that arrays show; what stands behind them is free."""

    @classmethod
    def of(cls, past: NDArray[Any], more: int) -> Room:
        """Return a room with rows copied into it, and with space for so many more."""
        rows = np.empty(len(past) + more + max(SPARE, len(past) // 16), dtype=past.dtype)
        rows[: len(past)] = past
        return cls(rows, len(past))


def _appended(rooms: dict[str, Room], name: str, past: NDArray[Any], later: NDArray[Any]) -> NDArray[Any]:
    """Return rows with more behind them, which stay where they are unless others were put behind them already."""
    stop = len(past) + len(later)
    with _filling:
        room = rooms.get(name)
        if room is None or room.filled != len(past) or stop > len(room.rows):
            room = rooms[name] = Room.of(past, len(later))
        room.rows[len(past) : stop] = later
        room.filled = stop
    values = room.rows[:stop]
    values.flags.writeable = False
    return values


def _numbered_on(past: Numbered, later: Numbered) -> Numbered:
    """Return the different values of all games, and the number of each game's among them, from those of two parts."""
    different, number = past
    new = [value for value in later[0] if value not in different]
    places = np.array([(different + new).index(value) for value in later[0]], dtype=np.int64)
    return different + new, np.concatenate([number, places[later[1]]])
