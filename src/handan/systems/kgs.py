"""KGS: the most likely ranks given the games of the last 180 days, old games counting less. A reconstruction.

Source: KGS help, "Rating math"; KGSRatingMath (Sensei's Library). What was never published is marked as our choice.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from handan.kernels.agreement import agree, tell_each, weight_and_pull
from handan.kernels.compiling import kernel
from handan.kernels.likelihood import win_and_information
from handan.kernels.likelihood import win_probability as logistic
from handan.ranks import Rank
from handan.ratings import Ratings, Standing
from handan.systems.base import EVEN_KOMI, HANDICAP_KOMI, Floats, Ints
from handan.systems.fitted import Fitted
from handan.systems.settings import setting

KYU_5, DAN_2 = 26.0, 32.0  # where 5 kyu and 2 dan begin, 30 kyu = 1
KYU_15, DAN_1 = 16.0, 31.0


@kernel
def kappa(place: float) -> float:
    """Return kappa: 0.85 up to 5 kyu, 1.30 from 2 dan on, linear between (our choice), at the mean of two players."""
    return 0.85 + 0.45 * min(max((place - KYU_5) / (DAN_2 - KYU_5), 0.0), 1.0)


@kernel
def half_life(place: float) -> float:
    """Return the half-life in days: 15 up to 15 kyu, 45 from 1 dan on, linear between (our choice)."""
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
def tell(score: float, own: float, other: float, worth: float) -> tuple[float, float, float]:
    """Return kappa (S - P), kappa^2 P (1 - P), and the same: kappa is held while a rating moves."""
    k = kappa(0.5 * (own + other))
    p, known = win_and_information(k * (own - other + worth))
    return k * (score - p), k * k * known, k * k * known


@kernel
def weigh(age: float, own: float) -> float:
    """Return the weight of a game for a player of this rank."""
    return game_weight(age, half_life(own))


told = tell_each.using("kgs_tell_each", tell=tell, weigh=weigh)
bound = agree.using("kgs_agree", weight_and_pull=weight_and_pull.using("kgs_weight_and_pull", tell=tell, weigh=weigh))


@dataclass(frozen=True)
class KGS(Fitted):
    """KGS as far as it was published."""

    name: ClassVar[str] = "kgs"
    title: ClassVar[str] = "KGS (reconstruction)"
    ties_to_fewer_stones: ClassVar[bool] = True  # as many stones as ranks: two at two ranks, where three are as near

    start: float = setting(
        11.5, "rank of a newcomer without one: the middle of 20 kyu", unit="ranks", low=-1e3, high=1e3
    )
    window: int = setting(180, "days before the last game whose games count", unit="days", low=1, high=180)
    # our choice: KGS published only that komi is worth little
    komi_per_stone: float = setting(13.0, "points of komi in a stone", unit="points", low=1.0, high=1e4)

    def _agree(self, steps: int) -> Callable[..., tuple[int, float]]:
        return bound.for_work(steps)

    def _tell(self, steps: int) -> Callable[..., None]:
        return told.for_work(steps)

    def worth_of(self, handicap: Ints, komi: Floats) -> Floats:
        """Return ranks to Black: half a rank for the first move without komi, one for each further stone."""
        even = (EVEN_KOMI - komi) / self.komi_per_stone
        return np.where(handicap == 0, even, handicap - 0.5 + (HANDICAP_KOMI - komi) / self.komi_per_stone)

    def rank(self, rating: float) -> Rank | None:
        """Return the rank in which a rating lies: 1 dan begins at 31, 30 kyu at 1."""
        return Rank.at(math.floor(rating))

    def rating_for(self, rank: Rank) -> float:
        """Return the middle of a rank."""
        return rank.stones + 0.5

    def log_odds(
        self,
        black: Standing,
        white: Standing,
        handicap: int = 0,
        komi: float | None = None,
        ratings: Ratings | None = None,  # noqa: ARG002  # nothing is learned beside the ratings
    ) -> float:
        """Return the log odds of Black's win probability, kappa times the gap in ranks."""
        points = self.customary_komi(handicap) if komi is None else komi
        worth = float(self.worth_of(np.array([handicap]), np.array([points]))[0])
        return kappa(0.5 * (black.rating + white.rating)) * (black.rating - white.rating + worth)
