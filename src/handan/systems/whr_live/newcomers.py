"""Players who come into a solved history that goes on: those who were there keep their numbers in it.

They enter as a solution of all games has them enter. The mean of all entries moves by that, and with it those who enter
there since nothing is known of them: they stay until it is too far away, then all games are solved anew.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from handan.ledger import Ledger
from handan.ledger.growing import Enlarged
from handan.systems.families.paired_comparison import PairedExtra
from handan.systems.whr import WHR

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from handan.systems.whr_live.continuing import LiveRatings

MOST_SHIFT = 0.1  # Elo; our choice: what pages show, of which the games of a player leave a part
Number = TypeVar("Number", bound=np.generic)


def with_more_players(ratings: LiveRatings, more: Enlarged) -> LiveRatings:
    """Return the ratings of the same games in a ledger with further players, of whom nothing is known yet."""
    players = len(more.ledger.players)
    extra, deviation = PairedExtra.of(ratings), ratings.deviation
    assert deviation is not None  # noqa: S101  # this system knows them

    def spread(values: NDArray[Number], of_newcomers: Any) -> NDArray[Number]:
        row = np.full((players, *values.shape[1:]), of_newcomers, dtype=values.dtype)
        row[more.places] = values
        return row

    number = spread(ratings.number, -1)
    new = np.flatnonzero(number < 0)
    number[new] = np.arange(len(more.places), players)
    made = ratings.but_for(
        ledger=more.ledger,
        rating=spread(ratings.rating, extra.mean_entry),
        deviation=spread(deviation, np.nan),
        pool=spread(ratings.pool, -1),
        variance=spread(ratings.variance, np.nan),
        last=spread(ratings.last, 0),
        number=number,
        extra=replace(extra, entry=spread(extra.entry, extra.mean_entry)),
    )
    tallies = spread(ratings.tallies, 0)
    tallies[new, -1] = -1
    vars(made)["tallies"] = tallies
    return made


def with_entries(ratings: LiveRatings, ledger: Ledger) -> LiveRatings | None:
    """Return ratings in which all who have no rated game enter, and stand in pools, as the games of a ledger say.

    None where somebody else would enter elsewhere by more than `MOST_SHIFT`, and where pools are joined.

    Args:
        ratings: Of the first games of the ledger.
        ledger: All games, of the same players.
    """
    extra, system = PairedExtra.of(ratings), ratings.system
    assert isinstance(system, WHR)  # noqa: S101  # as of those in the beginning
    schedule, plays = system.schedule_of(ledger), ratings.pool >= 0
    entered, pool = system.anchors(schedule), schedule.pool
    farthest = np.abs(entered.rating - extra.entry)[plays].max(initial=0.0)
    if entered.ranked != extra.ranked or farthest > MOST_SHIFT:
        return None
    if len(np.unique(pool[plays])) < len(np.unique(ratings.pool[plays])):
        return None
    made = ratings.but_for(
        rating=np.where(plays, ratings.rating, entered.rating),
        pool=pool,
        warnings=schedule.warnings(system.notes_on(schedule, None, ranked=entered.ranked)[1]),
        extra=replace(extra, entry=np.where(plays, extra.entry, entered.rating)),
    )
    vars(made)["tallies"] = ratings.tallies
    return made
