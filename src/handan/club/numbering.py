"""The ledger of a club as numbers, from the numbers by which its state keeps texts: no text is made of any game."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.club.first_days import SIDES
from handan.ledger import Ledger, Player
from handan.ledger.coded import DIFFERING, Coded, Different, dates, differing
from handan.ledger.ledger import in_order, in_playing_order

if TYPE_CHECKING:
    from handan.club.state import State


class Seats(NamedTuple):
    """Who stands in games."""

    players: list[Player]
    """In the order of a ledger."""
    sides: list[NDArray[np.uint32]]
    """Index of the player, for Black and for White, shape (games,) each."""


def numbered_ledger(state: State, games: pl.DataFrame) -> Ledger | None:
    """Return what `Ledger.from_table` makes of games of a state, with their names shown.

    None where that has to tell players apart: two bear one number of a register, or one plays against himself.

    Raises:
        InputError: A player of a game is not registered.
    """
    adjustments = state.valid_adjustments
    seats = _seats(state, games, {item.player for item in adjustments})
    if seats is None or games["event"].null_count() or games["entry"].null_count():
        return None
    places = _places(games)
    columns = {"source": Different(pl.Series([state.slug]))}
    black, white = (side[places] for side in seats.sides)
    ids = differing(pl.Series([player.id for player in seats.players], dtype=pl.String))
    for name, side in (("black_id", black), ("white_id", white)):
        columns[name] = Different(ids.values, None if ids.number is None else ids.number[side])
    for name in DIFFERING:
        if name not in columns:
            columns[name] = differing(games[name].gather(places))
    line = games["line"].gather(places).to_numpy()
    made = Coded(black, white, dates(games["date"].gather(places)), columns, line)
    return Ledger(made, tuple(seats.players), in_order(adjustments))


def _seats(state: State, games: pl.DataFrame, adjusted: set[str]) -> Seats | None:
    """Return the players of games, and those whose names have adjustments; None where who is who must be found."""
    codes = [games[side].to_physical().to_numpy() for side in SIDES]
    seen = np.zeros(1 + max((int(side.max(initial=0)) for side in codes), default=0), dtype=np.bool_)
    for side in codes:
        seen[side] = True
    there = pl.Series(np.flatnonzero(seen).astype(np.uint32) if games.height else [], dtype=pl.UInt32)
    owners = [state.person(key).key for key in there.cat.to(games.schema["black"])]
    players = {key: Player(state.labels[key], _id(state, key), order=order_of(key)) for key in owners}
    ids = [player.id for player in players.values() if player.id]
    if len(set(ids)) < len(ids):
        return None
    entered = {player.name for player in players.values()}
    others = [Player(name, order=order_of(state.keys[name])) for name in adjusted - entered]
    ordered = sorted([*players.values(), *others], key=lambda player: player.order)
    number = {player.name: place for place, player in enumerate(ordered)}
    place = np.zeros(len(seen), dtype=np.uint32)
    place[there.to_numpy()] = [number[players[key].name] for key in owners]
    sides = [place[side] for side in codes]
    return None if (sides[0] == sides[1]).any() else Seats(ordered, sides)


def _id(state: State, key: str) -> str:
    return next(iter(state.people[key].ids), "")


def _places(games: pl.DataFrame) -> NDArray[np.int64]:
    """Return the places of games in a table in playing order."""
    texts, number = differing(games["event"])
    rank = texts.rank("dense").to_numpy().astype(np.uint32)
    event = rank[np.zeros(games.height, dtype=np.uint8) if number is None else number] if len(texts) else []
    keys = games.select("date", pl.Series("event", event, dtype=pl.UInt32), "round", "entry")
    ordered = in_playing_order(keys.with_row_index("place"))
    return ordered["place"].to_numpy().astype(np.int64)


def order_of(key: str) -> str:
    """Return what puts players into order of registration, whatever their names: the key with a long number."""
    club, point, own = key.rpartition(".")
    return f"{club}{point}{own[:1]}{own[1:]:0>20}"
