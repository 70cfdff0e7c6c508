"""A Whole-History Rating of a large ledger that begins at strengths that an earlier one has found."""

from __future__ import annotations

import numpy as np

from handan.kernels.posterior.history_newton import Near
from handan.kernels.whr_live.reading import read_days
from handan.ledger import Ledger
from handan.ratings import Ratings
from handan.systems.core.base import System
from handan.systems.whr import WHR
from handan.systems.whr_live.continuing import LiveRatings, takes_games

MOST_LEFT = 0.25  # our choice: where more of the players have to move, all are solved together


def rated_near(system: System, ledger: Ledger, near: Near) -> Ratings:
    """Return the ratings of a ledger under a system, from strengths that are near where they go on live anyway.

    Where few players have to move, they alone are solved, as after a game that is added: the ratings are `LiveRatings`.
    """
    if not isinstance(system, WHR) or not takes_games(system, ledger):
        return system.rate(ledger)
    live = LiveRatings.beginning(system.at_near(ledger, near))
    left = live.versions.left()
    if left > MOST_LEFT * len(ledger.players):
        return system.rate_near(ledger, near)
    return live.followed_by(live.versions.solved(system.hessian_shift), ledger)


def strengths_of(ratings: LiveRatings) -> Near | None:
    """Return the strengths of all days, from which another solution can begin; None where they are changed already."""
    with ratings.versions.at(ratings.version) as history:
        if history is None:
            return None
        days, players = int(history.used[0]), len(ratings.ledger.players)
        near = Near(np.empty(players, np.int64), np.empty(players, np.int64), np.empty(days, np.int32), np.empty(days))
        read_days.for_work(days)(history, *near)
        return near._replace(first=near.first[ratings.number], end=near.end[ratings.number])
