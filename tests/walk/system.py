"""FIDE's rating of chess players: Elo with a table, the 400-point rule, and K 40, 20 and 10.

Source: FIDE Handbook, B.02 Rating Regulations (in force from 1 March 2024), sections 8.1.2 and 8.3.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from handan.handicaps import advantage
from handan.kernels.compiling import kernel
from handan.kernels.incremental.events import Games, Lines, Side, replay_events
from handan.kernels.types import Floats
from handan.kernels.winning_law import Pairing, WinningLaw
from handan.ledger import Ledger
from handan.ranks import Rank
from handan.ratings import Factor, RatedFrom, Ratings, Reason, surprise
from handan.systems.core.base import System
from handan.systems.core.conditions import Conditions
from handan.systems.core.initial_ratings import starting_ratings
from handan.systems.core.schedule import Schedule
from handan.systems.core.settings import setting

LAST = (
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162, 170, 179, 188, 197,
    206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374, 391, 411,
)  # fmt: skip
"""Last difference of each row of table 8.1.2, from 0.50 on in steps of 0.01."""
MOST = 400.0  # points; a larger difference counts as this one
HIGH = 2400.0  # from here on K is 10
FEW = 30  # games during which a player is new


@kernel
def expected(own: float, other: float) -> float:
    """Return the score probability P_D of table 8.1.2, the difference counted as 400 where it is more.

    Differences between two rows, which published ratings never have, belong to the nearer one (our choice).
    """
    difference = min(abs(own - other), MOST)
    row = 0
    while difference >= LAST[row] + 0.5:
        row += 1
    higher = (50 + row) / 100.0
    return higher if own >= other else 1.0 - higher


@kernel
def coefficient(rating: float, games: int, constants: tuple[float, ...]) -> float:
    """Return K: 40 for a player's first 30 games, else 20, and 10 from 2400 points on."""
    if games < FEW:
        return constants[0]
    return constants[2] if rating >= HIGH else constants[1]


@kernel
def change_of(side: Side) -> float:
    """Return the change of one side, K (S - P_D), the handicap added to Black's rating."""
    expectation = expected(side.own + side.own_worth, side.other + side.other_worth)
    return coefficient(side.own, side.games, side.constants) * (side.score - expectation)


@kernel
def lead_of(pairing: Pairing) -> float:
    """Return the log odds of Black by the formula that the table follows: 400 points are odds of ten to one."""
    return math.log(10.0) / 400.0 * (pairing.black + pairing.worth - pairing.white)


replay = replay_events.using("fide_replay_events", change_of=change_of)


@dataclass(frozen=True)
class FIDE(System):
    """The rating of the International Chess Federation."""

    name: ClassVar[str] = "fide"
    title: ClassVar[str] = "FIDE (chess)"
    winning_law: ClassVar[WinningLaw] = WinningLaw.of("fide", lead_of)

    k_new: float = setting(40.0, "K of a player's first 30 games", unit="points", low=0.0, high=1000.0)
    k: float = setting(20.0, "K below 2400 points", unit="points", low=0.0, high=1000.0)
    k_high: float = setting(10.0, "K from 2400 points on", unit="points", low=0.0, high=1000.0)
    start: float = setting(1400.0, "rating of a newcomer without one: the floor", unit="points", low=-1e5, high=1e5)

    def rate(self, ledger: Ledger) -> Ratings:
        """Replay the tournaments, each from the ratings held at its start."""
        schedule = Schedule.of(ledger, self.refusals(ledger), by_event=True)
        rating, hand = starting_ratings(schedule, self.rating_for, self.start)
        lines, worth = Lines.empty(len(schedule)), schedule.taken(self.worth_in_games(ledger))
        games = Games(*schedule.seats, schedule.score, worth, np.ones(len(schedule)), schedule.batch)
        played = np.zeros(len(rating), dtype=np.int64)
        constants = (self.k_new, self.k, self.k_high)
        replay.for_work(len(schedule))(constants, games, -np.inf, played, hand, rating, lines)
        return schedule.ratings(
            self, rating, lines.before, lines.change,
            adjusted=schedule.adjusted(self, hand), extra=RatedFrom(schedule.scatter(lines.rated_from)),
        )  # fmt: skip

    def rank(self, rating: float) -> Rank | None:
        """Return the rank on the European scale (our choice: chess has none)."""
        return Rank.at(31.0 + (rating - 2100.0) / 100.0)

    def rating_for(self, rank: Rank) -> float:
        """Return the rating of a rank on the European scale (our choice)."""
        return 2100.0 + (rank.stones - 31.0) * 100.0

    def terms_worth(self, conditions: Conditions) -> float:
        """Return what handicap and komi are worth to Black: 100 points a stone (our choice: chess has none)."""
        return 100.0 * advantage(conditions.handicap, conditions.komi)

    def onset(self, ratings: Ratings) -> tuple[Floats, Floats | None]:
        """Return the ratings at the start of the tournament, shape (games, 2), and no deviations."""
        return RatedFrom.of(ratings).rated_from, None

    def reason(self, ratings: Ratings, game: int, side: int) -> Reason:
        """Return K and what the score exceeds P_D, whose product is the change."""
        own, other = (float(RatedFrom.of(ratings).rated_from[game, each]) for each in (side, 1 - side))
        worth = self._worth_in_game(ratings.ledger, game) * (1.0 if side == 0 else -1.0)
        score = abs(side - float(ratings.ledger.arrays.score[game]))
        k = coefficient(own, ratings.arrays.games_before(game, side), (self.k_new, self.k, self.k_high))
        text = "P_D stands in table 8.1.2; a difference of more than 400 points counts as 400."
        exceeds = surprise("score - P_D", "The change is K (S - P_D).", score, expected(own + worth, other), text)
        return Reason(
            (Factor("K", k, "40 for the first 30 games, 20, and 10 from 2400 points on."), exceeds), "product"
        )
