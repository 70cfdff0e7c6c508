"""The rating list of saved ratings, made without reading their games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from handan.kernels.types import Ints
from handan.ledger import Ledger, Player
from handan.ledger.columns import of_games
from handan.ledger.dates import written
from handan.ledger.ledger import of_players
from handan.ratings import RatingArrays, Ratings, Rules
from handan.saved.contents import Contents
from handan.saved.player_states import TALLIES, People
from handan.saved.replaying import members_of
from handan.saved.saving import read_shown
from handan.systems.core.sequential import Sequential
from handan.systems.core.warnings import pool_warning


class Moved(NamedTuple):
    """What became of a player."""

    player: str
    rank_before: str
    """Empty without a rank."""
    rank: str
    rating_before: float | None
    """None for who had no rated game."""
    rating: float
    change: float | None
    games: int
    """Rated games."""


def standings(contents: Contents, names: Sequence[str] | None = None) -> Ratings:
    """Return ratings of some players, or of all, as of the last game: what the ladder shows, and no game.

    Its ledger has no game; games played, pools and last days are those of all games.
    """
    people = contents.people
    if names is None:
        players = [Player(**row) for row in contents.players.iter_rows(named=True)]
        number = {player.name: place for place, player in enumerate(players)}
    else:
        members = members_of(contents, names)
        players, number = list(members.players.values()), members.numbers
    waiting = [
        item
        for item in contents.adjustments
        if item.player in number and not people.facts["entered"][number[item.player]]
    ]
    ledger = of_players(of_games([]), players, waiting)
    numbers = np.array([number[player.name] for player in ledger.players], dtype=np.int64)
    rules = contents.system
    if isinstance(rules, Sequential):
        ratings = rules.rate_after(people.past(numbers), ledger)
    else:
        ratings = _solved(contents, ledger, numbers)
    pool = people.pools()
    arrays = replace(
        ratings.arrays,
        pool=pool[numbers],
        warnings=pool_warning(pool),
        totals=np.stack([*(people.facts[name][numbers] for name in TALLIES), -np.ones_like(numbers)], axis=1),
        last_played=_last_days(people, numbers),
    )
    return Ratings(arrays)


def without_games(system: Rules[Any], ledger: Ledger, **figures: Any) -> Ratings:
    """Return ratings of the players of a ledger without games.

    Args:
        system: By which they were found.
        ledger: Has players and no game.
        figures: Other fields of `Ratings`, `rating` among them.
    """
    nothing, none = np.empty((0, 2)), np.empty(0, dtype=np.int64)
    fields: dict[str, Any] = {"reasons": ("",), "pool": none} | figures
    arrays = RatingArrays(
        system=system, ledger=ledger, before=nothing, change=nothing, unrated=none.astype(np.int8),
        sequence=none, batch=np.zeros(1, dtype=np.int64), **fields,
    )  # fmt: skip
    return Ratings(arrays)


def _solved(contents: Contents, ledger: Ledger, numbers: Ints) -> Ratings:
    """Return ratings that were found from all games together."""
    figures = read_shown(contents)
    notes, beside = figures.pop("notes"), {name: values[numbers] for name, values in figures.pop("beside").items()}
    own: dict[str, Any] = {name: values[numbers] for name, values in figures.items()}
    return without_games(contents.system, ledger, notes=notes, beside=beside, **own)


def _last_days(people: People, numbers: Ints) -> list[str | None]:
    """Return the days of the last games of players as they were written, None without one."""
    moments = pl.Series(people.facts["last"][numbers]).cast(pl.Datetime("ms")).to_list()
    precisions = people.facts["precision"][numbers].tolist()
    return [
        written(moment, min(precision, 10)) if precision else None
        for moment, precision in zip(moments, precisions, strict=True)
    ]


def moved(before: Ratings, after: Ratings) -> list[Moved]:
    """Return what became of players, the one that moved most first; who is new comes last."""
    rows = []
    for place, player in enumerate(after.ledger.players):
        old = before.ledger.get(player.name)
        old = None if old is not None and not before.arrays.tallies[old, 0] else old
        rating, rank = float(after.rating[place]), str(after.arrays.rank_of(place) or "")
        was = None if old is None else float(before.rating[old])
        rank_was = "" if old is None else str(before.arrays.rank_of(old) or "")
        change = None if was is None else rating - was
        rows.append(Moved(player.name, rank_was, rank, was, rating, change, int(after.arrays.tallies[place, 0])))
    return sorted(rows, key=lambda row: (row.change is None, -abs(row.change or 0.0), row.player))
