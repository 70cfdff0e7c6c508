"""Template (`template`), to be copied to `src/handan/systems/<name>.py`: the smallest system that keeps all promises.

Source: author, title, year, section. A number or formula without a source is marked `our choice`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from handan.handicaps import advantage
from handan.kernels.compiling import kernel
from handan.kernels.incremental.adjustments import ByHand, adjust, due
from handan.kernels.types import Floats, Seats
from handan.kernels.winning_law import Pairing, WinningLaw
from handan.ledger import Ledger
from handan.ranks import Rank
from handan.ratings import Factor, Ratings, Reason
from handan.systems.core.base import System
from handan.systems.core.conditions import Conditions
from handan.systems.core.initial_ratings import starting_ratings
from handan.systems.core.schedule import Schedule
from handan.systems.core.settings import setting


@kernel  # plain Python that can also be compiled: numbers and arrays only
def step(points: float, score: float) -> float:
    """Return the change of one side: `points` for a win, as much less for a loss. Our choice."""
    return points * (2.0 * score - 1.0)


@kernel
def replay(
    seats: tuple[Seats, Seats],
    score: Floats,
    points: float,
    hand: ByHand,
    rating: Floats,
    before: Floats,
    change: Floats,
) -> None:
    """Take the games in order, and between them the ratings set by hand; fill the last three arrays."""
    black, white = seats
    first, done = 0, 0
    while True:
        end = due(done, len(score), hand)  # the next game before which a rating was set by hand
        for game in range(first, end):
            b, w = black[game], white[game]  # a player's place in `rating`
            before[game, 0], before[game, 1] = rating[b], rating[w]  # column 0 is Black
            change[game, 0], change[game, 1] = step(points, score[game]), step(points, 1.0 - score[game])
            rating[b] += change[game, 0]
            rating[w] += change[game, 1]
        if done == len(hand.places):  # asked after the last game: an adjustment may be the newest fact
            break
        done = adjust(done, end, hand, rating)
        first = end


@kernel
def lead_of(pairing: Pairing) -> float:
    """Return the log odds of Black: 400 points are odds of ten to one. Our choice."""
    return math.log(10.0) / 400.0 * (pairing.black + pairing.worth - pairing.white)


@dataclass(frozen=True)
class Template(System):
    """A win is worth as much as a loss costs, and a hundred points are a rank."""

    name: ClassVar[str] = "template"
    title: ClassVar[str] = "Template of a system"
    winning_law: ClassVar[WinningLaw] = WinningLaw.of("template", lead_of)  # a system without a law leaves this out

    points: float = setting(10.0, "what a win is worth", unit="points", low=0.0, high=1000.0)
    start: float = setting(1500.0, "rating of a newcomer without a rank", unit="points", low=-1e5, high=1e5)

    def rate(self, ledger: Ledger) -> Ratings:
        """Replay the games one by one."""
        schedule = Schedule.of(ledger, self.refusals(ledger))  # the rated games as arrays, in playing order
        # the ratings at entry, and what was set by hand later, in its place
        rating, hand = starting_ratings(schedule, self.rating_for, self.start)
        before, change = np.empty((len(schedule), 2)), np.empty((len(schedule), 2))
        replay.for_work(len(schedule))(schedule.seats, schedule.score, self.points, hand, rating, before, change)
        return schedule.ratings(self, rating, before, change, adjusted=schedule.adjusted(self, hand))

    def rank(self, rating: float) -> Rank | None:
        """Return the rank whose rating is nearest; None for a system without ranks."""
        return Rank.at(31.0 + (rating - 2100.0) / 100.0)  # 31 is 1 dan on the axis of stones

    def rating_for(self, rank: Rank) -> float:
        """Return the rating at which a player of this rank enters."""
        return 2100.0 + (rank.stones - 31.0) * 100.0

    def terms_worth(self, conditions: Conditions) -> float:
        """Return what handicap and komi are worth to Black, in the unit of the law; without this it is nothing."""
        return 100.0 * advantage(conditions.handicap, conditions.komi)

    def reason(self, ratings: Ratings, game: int, side: int) -> Reason:
        """Return the factors whose product is the change, by the formula of the replay."""
        score = abs(side - float(ratings.ledger.arrays.score[game]))  # the ledger's is Black's
        result = Factor("result", step(1.0, score), "1 for a win, -1 for a loss, 0 for jigo.")
        return Reason((Factor("points", self.points, "What a win is worth."), result), "product")
