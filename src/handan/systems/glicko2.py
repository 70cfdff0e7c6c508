"""Glicko-2: Glicko with a third number, the volatility, which says how fast a player's strength changes.

Source: M. Glickman, "Example of the Glicko-2 system" (2013, with the iterative step for the volatility).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, get_args

import numpy as np

from handan.kernels.compiling import kernel
from handan.ratings import Factor
from handan.systems import glicko
from handan.systems.core.periods import CALENDAR, Period, calendar
from handan.systems.core.settings import setting
from handan.systems.families.glickman import Glickman, Onsets

if TYPE_CHECKING:
    from handan.kernels.compiling import Kernel
    from handan.kernels.types import Floats, Ints
    from handan.systems.families.glickman import Constants, Lines, State

SCALE = 173.7178  # Elo in a unit of mu and phi, exactly as the paper writes it
EXACT = 1e-9  # our choice: after so small a step Newton's error is about its square
MOST_STEPS = 100
LEAST = 1e-30  # our choice: bounds v, whose square would overflow when a result was certain


@kernel
def f(u: float, away: float, delta2: float, wide: float, per_tau2: float) -> float:
    """Return the function that is zero at the new volatility, step 5 of the paper.

    It is e^x (Delta^2 - phi^2 - v - e^x) / (2 (phi^2 + v + e^x)^2) - (x - a) / tau^2.

    Args:
        u: e^x, the variance that a period adds.
        away: x - a, from the logarithm of the variance that a period added so far.
        delta2: Delta^2.
        wide: phi^2 + v.
        per_tau2: 1 / tau^2.
    """
    return u * (delta2 - wide - u) / (2.0 * (wide + u) * (wide + u)) - away * per_tau2


@kernel
def slope(u: float, delta2: float, wide: float, per_tau2: float) -> float:
    """Return the derivative in x of the function above."""
    return u * (delta2 * (wide - u) - wide * (wide + u)) / (2.0 * (wide + u) * (wide + u) * (wide + u)) - per_tau2


@kernel
def new_sigma2(sigma2: float, delta2: float, wide: float, per_tau2: float) -> float:
    """Return sigma'^2 = e^x at the root of f next to a, by Newton's method within a bracket.

    A surprise many times as large as expected gives f two roots more, far away; the paper's iteration, which starts
    from a, comes to the near one as well.
    """
    x, u = 0.0, sigma2  # x is counted from a
    value = f(u, x, delta2, wide, per_tau2)
    low, high = value / per_tau2, 0.0  # f >= 0 there: below a its first term is nowhere lower than at a
    if value > 0.0:
        low, high = 0.0, math.log((delta2 - wide) / sigma2)  # where the first term of f is 0
    for _ in range(MOST_STEPS):
        fall = slope(u, delta2, wide, per_tau2)
        new = 0.5 * (low + high)
        if fall < 0.0 and low <= x - value / fall <= high:
            new = x - value / fall
        step, x = new - x, new
        if abs(step) < EXACT:
            return u * (1.0 + step)
        u = sigma2 * math.exp(x)
        value = f(u, x, delta2, wide, per_tau2)
        if value > 0.0:
            low = x
        else:
            high = x
    return u


@kernel
def onset_variance(constants: Constants, variance: float, sigma2: float, elapsed: float) -> float:
    """Return phi^2 at the onset of a period: phi' = sqrt(phi^2 + sigma^2) for every period without games in between.

    Args:
        constants: What the games do not change.
        variance: phi^2 after the last period.
        sigma2: sigma^2.
        elapsed: Time since the last period, in periods.
    """
    return min(max(variance + sigma2 * max(elapsed - 1.0, 0.0), constants.least), constants.largest)


@kernel
def settled(
    per_tau2: float, variance: float, sigma2: float, information: float, surprise: float
) -> tuple[float, float]:
    """Return phi'^2 = 1 / (1 / (phi^2 + sigma'^2) + 1 / v), and sigma'^2.

    Args:
        per_tau2: 1 / tau^2.
        variance: phi^2 at the onset.
        sigma2: sigma^2 before.
        information: 1 / v = sum of g^2 E (1 - E).
        surprise: Sum of g (s - E); Delta is v times it.
    """
    v = 1.0 / max(information, LEAST)
    delta = v * surprise
    after = new_sigma2(sigma2, delta * delta, variance + v, per_tau2)
    wider = variance + after
    return wider / (1.0 + wider * information), after


replay_games = glicko.replay_games.using("glicko2_replay_games", onset_variance=onset_variance, settled=settled)
replay_periods = glicko.replay_periods.using("glicko2_replay_periods", onset_variance=onset_variance, settled=settled)


@dataclass(frozen=True, eq=False)
class Glicko2Extra(Onsets):
    """Beside the onsets, what the list's next period starts from."""

    by_rated_game: ClassVar[tuple[str, ...]] = ("rated_from", "variance")

    volatility: Floats
    """Sigma of every player now, shape (players,)."""


@dataclass(frozen=True)
class Glicko2(Glickman):
    """Glickman's system of 2001, with volatility."""

    name: ClassVar[str] = "glicko2"
    title: ClassVar[str] = "Glicko-2"
    revision: ClassVar[int] = 2

    # our choice: a week, since 0.06 a week is 15.5 Elo^2 a day; growths of 14 to 20 fitted games of Go best
    period: Period = setting("week", "games that are rated together", choices=get_args(Period))
    volatility: float = setting(0.06, "volatility of a newcomer", low=1e-4, high=1.0)
    tau: float = setting(0.5, "tau, how much volatilities change; 0.3 to 1.2 is usual", low=0.01, high=3.0)
    idle_days: float = setting(
        7.0, "days that widen the deviation like one period without games, for event and game", low=0.01, high=1e5
    )

    @property
    def _unit(self) -> float:
        return SCALE

    @property
    def _by_days(self) -> bool:
        return self.period not in CALENDAR

    def _onset_variance(self, state: State, elapsed: Floats) -> Floats:
        constants = self._constants
        variance = state.variance + state.sigma2 * np.maximum(elapsed - 1.0, 0.0)
        return np.clip(variance, constants.least, constants.largest)

    @property
    def _per_tau2(self) -> float:
        per_tau2: float = self.tau**-2.0
        return per_tau2

    @property
    def _sigma2(self) -> float:
        return self.volatility * self.volatility

    @property
    def _game_loop(self) -> Kernel[..., None]:
        return replay_games

    @property
    def _period_loop(self) -> Kernel[..., None]:
        return replay_periods

    def _times(self, day: Ints, first: int) -> Floats:  # noqa: ARG002  # Glicko counts them
        return calendar(self.period, day).astype(np.float64) if self.period in CALENDAR else day / self.idle_days

    @property
    def _ahead(self) -> float:
        return 1.0

    def _extra(self, lines: Lines, state: State) -> Glicko2Extra:
        return Glicko2Extra(lines.rated_from, lines.onset_variance, np.sqrt(state.sigma2))

    def _step(self, deviation: float) -> tuple[Factor, ...]:
        phi = deviation / SCALE
        clause = "phi'^2 = 1 / (1 / (phi^2 + sigma'^2) + 1 / v), the variance after the period."
        return (Factor("scale", SCALE, "One unit of mu is 173.7178 points."), Factor("phi'^2", phi * phi, clause))
