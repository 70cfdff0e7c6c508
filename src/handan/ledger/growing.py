"""A ledger that goes on: games that come last are put behind the others, and nothing before them is made anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from weakref import ref

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.ledger.coded import Coded, behind, dates, numbered
from handan.ledger.ledger import ORDER, Ledger
from handan.ledger.parts import BY_GAME, OF_NAMES, Numbered
from handan.ledger.room import appended, with_room

MOST = 5_000  # games; our choice: more are laid out with all the others
BY_NAME = ("black", "white")


def ledger_with(ledger: Ledger, table: pl.DataFrame) -> Ledger | None:
    """Return the ledger with the games of a table behind its own; None unless they belong there.

    The answer is that of `Ledger.from_table` on all games. It takes games of players who have played, later than the
    last game or on the same date and behind it, in the order in which they were entered.

    Args:
        ledger: Made of games in the order of their `line`, kept as numbers.
        table: Typed games (`columns.SCHEMA`) in the same form, rows in order of entry, with the names shown and ids.
    """
    if not table.height:
        return ledger
    columns = ledger.columns
    if not isinstance(columns, Coded) or not len(ledger) or table.height > MOST:
        return None
    sides = {pair for side in BY_NAME for pair in zip(table[side], table[f"{side}_id"], strict=True)}
    if (table["black"] == table["white"]).any() or not all(_is_there(ledger, *pair) for pair in sides):
        return None
    if not _comes_behind(ledger, table):
        return None
    black, white = (np.array([ledger.get(name) for name in table[side]], dtype=np.uint32) for side in BY_NAME)
    later = Coded(black, white, dates(table["date"]), numbered(table), table["line"].to_numpy())
    grown = replace(ledger, columns=behind(columns, later))
    _extend(ledger, grown)
    vars(grown)["past"] = ref(ledger)
    return grown


def goes_on(ledger: Ledger, past: Ledger) -> bool:
    """Return whether a ledger was made of another one by `ledger_with`, or is the same."""
    return ledger is past or (ledger.past is not None and ledger.past() is past)


def last_games(ledger: Ledger, first: int) -> tuple[Ledger, NDArray[np.int64]]:
    """Return the games from a place on as a ledger of who stands in them, and their places in the whole, ascending.

    The games are kept as numbers.
    """
    columns = _from(ledger, first)
    places = np.unique(np.concatenate([columns.black, columns.white])).astype(np.int64)
    black, white = (np.searchsorted(places, side).astype(np.uint32) for side in (columns.black, columns.white))
    part = Ledger(replace(columns, black=black, white=white), tuple(ledger.players[place] for place in places.tolist()))
    for name in BY_GAME:
        if name in vars(ledger) and name not in {"black", "white"}:
            vars(part)[name] = getattr(ledger, name)[first:]
    return part, places


def _from(ledger: Ledger, first: int) -> Coded:
    assert isinstance(ledger.columns, Coded)  # noqa: S101  # no other ledger goes on
    return ledger.columns.between(first, len(ledger))


def _is_there(ledger: Ledger, name: str, number: str) -> bool:
    """Return whether a player stands in the ledger by the very name and number."""
    index = ledger.get(name)
    return index is not None and (ledger.players[index].name, ledger.players[index].id) == (name, number)


def _comes_behind(ledger: Ledger, table: pl.DataFrame) -> bool:
    """Return whether each game of a table comes behind the one before, the first behind the last of a ledger.

    Games that share date, event and round stand in the order of their lines.
    """
    keys = (*ORDER[:3], "line")
    last = ledger.rows([len(ledger) - 1], keys).row(0)
    for row in zip(*(table[name] for name in keys), strict=True):
        if row[0] is None or (row[2] is None) != (last[2] is None):
            return False
        if row[:3] == last[:3]:
            if row[3] <= last[3]:
                return False
        elif not (last[0] is None or row[0] > last[0] or (row[0] == last[0] and _comes_later(row[1:3], last[1:3]))):
            return False
        last = row
    return True


def _comes_later(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Return whether event and round stand behind others; rounds are both known or both not."""
    return one[0] > other[0] or (one[0] == other[0] and one[1] is not None and one[1] > other[1])


def _extend(ledger: Ledger, grown: Ledger) -> None:
    """Give a grown ledger what the one before has made already, with room behind what it says of each game."""
    later = Ledger(_from(grown, len(ledger)), grown.players)
    for name in BY_GAME:
        if name in vars(ledger):
            past = vars(ledger)[name] = with_room(vars(ledger)[name], len(later))
            vars(grown)[name] = appended(past, getattr(later, name))
    for name in ("_kinds", "_terms"):
        if name in vars(ledger):
            vars(grown)[name] = numbered_with(vars(ledger)[name], getattr(later, name), appended)
    own, there = vars(grown), vars(ledger)
    own.update({name: there[name] for name in OF_NAMES if name in there})
    if "first_game" in there and ledger.first_game.max(initial=0) < len(ledger):  # nobody comes anew
        own["first_game"] = ledger.first_game
        own["_kept_at_entry"] = dict(there.get("_kept_at_entry", {}))
    if "event" in there and (later.column("event") == "").all():
        past = there["event"] = with_room(ledger.event, len(later))
        behind_them = int(past.max(initial=-1)) + 1
        own["event"] = appended(past, np.arange(behind_them, behind_them + len(later)))


def numbered_with(
    past: Numbered, later: Numbered, put: Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]]
) -> Numbered:
    """Return the different values of all games, and the number of each game's among them, from those of two parts.

    `put` brings the numbers of the second part among those of the first.
    """
    different, number = past
    new = [value for value in later[0] if value not in different]
    places = np.array([(different + new).index(value) for value in later[0]], dtype=np.int64)
    room = np.promote_types(number.dtype, np.min_scalar_type(len(different) + len(new)))
    return different + new, put(number, places[later[1]].astype(room))
