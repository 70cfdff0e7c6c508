"""KGS: the most likely ranks given the games of the last 180 days, old games counting less. A reconstruction.

Source: KGS help, "Rating math"; KGSRatingMath (Sensei's Library). What was never published is marked as our choice.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from handan.errors import Clause
from handan.handicaps import EVEN_KOMI, HANDICAP_KOMI
from handan.kernels.compiling import kernel
from handan.kernels.posterior.newton import LOGISTIC
from handan.kernels.winning_law import WinningLaw
from handan.kernels.winning_law import win_probability as logistic
from handan.ranks import Rank
from handan.ratings import Traits
from handan.systems.core.settings import setting
from handan.systems.families.most_likely_ranks import Answer, MostLikelyRanks

if TYPE_CHECKING:
    from handan.kernels.posterior.newton import Solver
    from handan.kernels.types import Floats, Nodes
    from handan.kernels.winning_law import Pairing
    from handan.systems.core.conditions import Conditions
    from handan.systems.families.most_likely_ranks import Games

KYU_5, DAN_2 = 26.0, 32.0  # where 5 kyu and 2 dan begin, 30 kyu = 1
KYU_15, DAN_1 = 16.0, 31.0
PACES = (
    1.0,
    0.5,
    0.25,
    0.125,
)  # our choice: share of the way that players follow, where the one before does not settle
MOST_STEPS = 3000  # our choice: Newton steps of the rounds at one pace; hundreds are many
SLOWEST = 0.999  # our choice: of a round to the one before, when it is asked how far the rounds will still go


@kernel
def kappa(place: float) -> float:
    """Return kappa: 0.85 up to 5 kyu, 1.30 from 2 dan on, linear between (our choice), at the mean of two players."""
    return 0.85 + 0.45 * min(max((place - KYU_5) / (DAN_2 - KYU_5), 0.0), 1.0)


@kernel
def half_life(place: float) -> float:
    """Return the half-life in days: 15 up to 15 kyu, 45 from 1 dan on, linear between at that mean (our choice)."""
    return 15.0 + 30.0 * min(max((place - KYU_15) / (DAN_1 - KYU_15), 0.0), 1.0)


@kernel
def game_weight(age_days: float, half_life: float) -> float:
    """Return 2^(-age / half-life), and 0 after 180 days."""
    return 2.0 ** (-age_days / half_life) if age_days <= 180.0 else 0.0


@kernel
def win_probability(gap: float, k: float) -> float:
    """Return 1 / (1 + e^(-kappa gap)), the probability of who is `gap` ranks stronger."""
    return logistic(k * gap)


@kernel
def freeze_games(
    black: Nodes, white: Nodes, age: Floats, rating: Floats, anchor: Floats, weight: Floats, steepness: Floats,
    at_entry: Floats,
) -> None:  # fmt: skip
    """Fill weight and kappa of each game, shape (games,), and kappa against the own entry rank, shape (players,)."""
    for game in range(len(black)):
        place = 0.5 * (rating[black[game]] + rating[white[game]])
        weight[game] = game_weight(age[game], half_life(place))
        steepness[game] = kappa(place)
    for player in range(len(rating)):
        at_entry[player] = kappa(0.5 * (rating[player] + anchor[player]))


@kernel
def lead_of(pairing: Pairing) -> float:
    """Return the log odds of Black, kappa times the gap in ranks."""
    return kappa(0.5 * (pairing.black + pairing.white)) * (pairing.black - pairing.white + pairing.worth)


class Walk(NamedTuple):
    """Where rounds led."""

    reached: Floats
    """The answer of the last one, rating less entry rating, shape (players,)."""
    rounds: int
    steps: int
    """Newton steps of all rounds."""
    left: float
    """Ranks that the rounds to come would still move somebody."""
    circle: int
    """How many rounds lead back to the same answer, 0 where none do."""


def farthest(one: Floats, other: Floats) -> float:
    """Return the largest difference of two ratings of the same player."""
    return float(np.abs(one - other).max(initial=0.0))


@dataclass(frozen=True)
class KGS(MostLikelyRanks):
    """KGS as far as it was published."""

    name: ClassVar[str] = "kgs"
    title: ClassVar[str] = "KGS (reconstruction)"
    traits: ClassVar[Traits] = Traits(needs_dates=True, calibrated=True, whole=True, ties_to_fewer_stones=True)

    winning_law: ClassVar[WinningLaw] = WinningLaw.of("kgs", lead_of)
    solver: ClassVar[Solver] = LOGISTIC
    surprise: ClassVar[str] = "(s - E) / (kappa E (1 - E))."

    start: float = setting(
        11.5, "rank of a newcomer without one: the middle of 20 kyu", unit="ranks", low=-1e3, high=1e3
    )
    window: int = setting(180, "days before the last game whose games count", unit="days", low=1, high=180)
    rounds: int = setting(
        300, "most rounds in which kappa and half-lives follow the ranks, at each pace", low=1, high=10**6
    )
    # our choice: KGS published only that komi is worth little
    komi_per_stone: float = setting(13.0, "points of komi in a stone", unit="points", low=1.0, high=1e4)

    def freeze(self, games: Games, beyond: Floats) -> None:
        """Fill weights and kappas as they are where all players stand."""
        posterior, rating = games.posterior, games.anchor + beyond
        run = freeze_games.for_work(len(games.age))
        run(
            posterior.graph.black, posterior.graph.white, games.age, rating, games.anchor,
            posterior.weight, posterior.steepness, posterior.prior.steepness,
        )  # fmt: skip

    def solve(self, games: Games) -> Answer:
        """Return the ratings at which the most likely ones are those by which kappa and the weights go.

        Every round fixes kappa and the weights where all players stand, goes to the one maximum of the posterior, and
        lets all players follow. Where that does not settle, it begins anew from the entry ranks and players follow half
        as far. Where no pace settles, the answer of the highest posterior of the first walk's circle is kept; without a
        circle, that by kappa and weights of the entry ranks. Nothing of a walk without rest goes on to the next, since
        it would carry the rounding of sums, and with it the order of names, into the answer.
        """
        walks = []
        for pace in PACES:
            walks.append(self._walk(games, pace))
            if walks[-1].left < self.tolerance:
                return self._settled(games, walks)
        if walks[0].circle:
            return self._best_of_circle(games, walks[0])
        reached, _ = self._round(games, np.zeros(len(games.anchor)))
        return Answer(reached, (), (self._not_settled(max(walk.left for walk in walks)),))

    def _walk(self, games: Games, pace: float) -> Walk:
        """Follow the rounds from the entry ranks by a share of the way until they settle or lead in a circle."""
        beyond, steps, before, left = np.zeros(len(games.anchor)), 0, 0.0, np.inf
        mark, marked = beyond, 0
        for number in range(1, self.rounds + 1):
            reached, more = self._round(games, beyond)
            steps, moved = steps + more, farthest(reached, beyond)
            shrinking = min(moved / before, SLOWEST) if before else 0.0  # rounds shrink like powers
            left, before = moved * max(1.0, pace / (1.0 - shrinking)), moved
            if left < self.tolerance or steps > MOST_STEPS:
                return Walk(reached, number, steps, left, 0)
            beyond = beyond + pace * (reached - beyond)
            if farthest(beyond, mark) < self.tolerance < (1.0 - SLOWEST) * moved:
                return Walk(reached, number, steps, left, number - marked)
            if number & (number - 1) == 0:  # R. Brent's way to find a circle: look back to the last power of two
                mark, marked = beyond, number
        return Walk(reached, self.rounds, steps, left, 0)

    def _round(self, games: Games, beyond: Floats) -> tuple[Floats, int]:
        """Return the maximum of the posterior with kappa and weights as they are at given ratings, and the steps."""
        self.freeze(games, beyond)
        reached = beyond.copy()
        return reached, self.maximise(games, reached)

    def _settled(self, games: Games, walks: list[Walk]) -> Answer:
        reached, steps = walks[-1].reached, sum(walk.steps for walk in walks)
        rounds = sum(walk.rounds for walk in walks)
        within = walks[-1].left + self.error_bound(games, reached)
        if not self._settles(within):
            return Answer(reached, (), (self._not_settled(within),))
        pattern = (
            "solved for the whole pool: kappa and half-lives followed the ranks in {rounds} rounds, {steps} Newton "
            "steps in all; nobody stands more than {within:.1g} ranks off"
        )
        return Answer(reached, (Clause.of(pattern, rounds=rounds, steps=steps, within=within),), ())

    def _best_of_circle(self, games: Games, walk: Walk) -> Answer:
        """Repeat the circle once; return the answer of the highest posterior by its own kappa and weights."""
        circle = [walk.reached]
        for _ in range(walk.circle - 1):
            circle.append(self._round(games, circle[-1])[0])
        best = max(range(len(circle)), key=lambda place: self.log_posterior(games, circle[place]))
        apart = max(farthest(other, circle[best]) for other in circle)
        beyond, _ = self._round(games, circle[best - 1])  # which also leaves kappa and weights as they led there
        pattern = (
            "kappa and half-lives do not settle: {count} answers up to {apart:.2g} ranks apart lead to each "
            "other; that of the highest posterior stands here"
        )
        return Answer(beyond, (), (Clause.of(pattern, count=len(circle), apart=apart),))

    def log_posterior(self, games: Games, beyond: Floats) -> float:
        """Return the log posterior at ratings, by kappa and weights that belong to them."""
        self.freeze(games, beyond)
        model, k, at_entry = games.posterior, games.posterior.steepness, games.posterior.prior.steepness
        lead = k * (beyond[model.graph.black] - beyond[model.graph.white] + model.bonus)
        results = model.score * np.logaddexp(0.0, -lead) + (1.0 - model.score) * np.logaddexp(0.0, lead)
        virtual = np.logaddexp(0.0, at_entry * beyond) + np.logaddexp(0.0, -at_entry * beyond)
        return -float((model.weight * results).sum() + (model.prior.weight * virtual).sum())

    def terms_worth(self, conditions: Conditions) -> float:
        """Return ranks to Black: half a rank for the first move without komi, one for each further stone."""
        handicap, komi, *_ = conditions
        if handicap == 0:
            return (EVEN_KOMI - komi) / self.komi_per_stone
        return handicap - 0.5 + (HANDICAP_KOMI - komi) / self.komi_per_stone

    def rank(self, rating: float) -> Rank | None:
        """Return the rank in which a rating lies: 1 dan begins at 31, 30 kyu at 1."""
        return Rank.at(math.floor(rating))

    def rating_for(self, rank: Rank) -> float:
        """Return the middle of a rank."""
        return rank.stones + 0.5
