"""Glicko: a rating and its deviation; games of one period are rated together, and absence widens the deviation.

Source: M. Glickman, "The Glicko system" (1995, revised 1999). The growth of 20 Elo^2 a day was fitted to games of Go in
R. Coulom, "Whole-History Rating" (2008), table 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.incremental.adjustments import due, reset
from handan.ratings import Factor
from handan.systems.core.law import LARGEST_EXPONENT
from handan.systems.core.periods import CALENDAR, calendar, first_day
from handan.systems.core.settings import setting
from handan.systems.families.glickman import Glickman, expected, g, since

if TYPE_CHECKING:
    from handan.kernels.compiling import Kernel
    from handan.kernels.incremental.adjustments import ByHand
    from handan.kernels.types import Floats, Ints
    from handan.systems.families.glickman import Constants, Games, Lines, State

Q = math.log(10.0) / 400.0  # natural units in one Elo
WINDOW = 64  # games; our choice: of 20,000 players somebody usually comes up again sooner


def growth_constant(low: float, high: float, periods: float) -> float:
    """Return c in Elo, for which a deviation grows from `low` to `high` in so many periods: c^2 t = high^2 - low^2."""
    return math.sqrt((high * high - low * low) / periods)


@kernel
def onset_variance(constants: Constants, variance: float, sigma2: float, elapsed: float) -> float:  # noqa: ARG001  # Glicko-2 reads it
    """Return the variance at the onset of a period: RD = min(350, sqrt(RD^2 + c^2 t)).

    Args:
        constants: What the games do not change.
        variance: Variance after the last period in natural units.
        sigma2: Not read.
        elapsed: Time since the last period.
    """
    return min(max(variance + constants.growth * elapsed, constants.least), constants.largest)


@kernel
def settled(
    per_tau2: float,  # noqa: ARG001  # Glicko-2 reads it
    variance: float,
    sigma2: float,
    information: float,
    surprise: float,  # noqa: ARG001  # Glicko-2 reads it
) -> tuple[float, float]:
    """Return the variance after a period, and the squared volatility as it was: RD'^2 = 1 / (1 / RD^2 + 1 / d^2).

    Args:
        per_tau2: Not read.
        variance: Variance at the onset in natural units.
        sigma2: Handed on.
        information: 1 / d^2 = sum of g^2 E (1 - E), in natural units.
        surprise: Sum of g (s - E).
    """
    return variance / (1.0 + variance * information), sigma2


@kernel
def replay_games(
    games: Games,
    constants: Constants,
    hand: ByHand,
    state: State,
    lines: Lines,
) -> None:
    """Replay games one by one, each a period of its own.

    Games that follow one another and share no player, of whom none waits for another, are taken as one window: their
    expected scores are worked out together, which takes less time than one after the other.

    Args:
        games: The games, each with its time.
        constants: What the games do not change.
        hand: Ratings set by hand.
        state: The players at entry, then at the end.
        lines: Filled, without `rated_from`, which is `before`.
    """
    black, white, score, worth, _, time = games
    unit = constants.unit
    rating, variance, sigma2, last = state
    before, change, _, wide, variance_after = lines
    weight, exponent = np.empty((WINDOW, 2)), np.empty((WINDOW, 2))  # of Black and White
    latest = np.zeros(len(rating), dtype=np.int32)  # number of the last window in which each player is
    first, done, number = 0, 0, 0
    while first < len(black) or done < len(hand.places):
        if done < len(hand.places):
            done = reset(done, first, hand, rating, variance, constants.by_rank, last)
        end, number, count = min(due(done, len(black), hand), first + WINDOW), number + 1, 0
        for game in range(first, end):
            b, w, now = black[game], white[game], time[game]
            if latest[b] == number or latest[w] == number:
                break
            latest[b], latest[w] = number, number
            var_b = onset_variance(constants, variance[b], sigma2[b], since(last[b], now))
            var_w = onset_variance(constants, variance[w], sigma2[w], since(last[w], now))
            variance[b], variance[w], last[b], last[w] = var_b, var_w, now, now
            g_b, g_w = g(var_b), g(var_w)
            lead = (rating[b] + worth[game] - rating[w]) * (1.0 / unit)
            weight[count, 0], weight[count, 1] = g_b, g_w
            exponent[count, 0], exponent[count, 1] = -g_w * lead, g_b * lead
            count += 1
        for place in range(count):
            exponent[place, 0] = math.exp(min(exponent[place, 0], LARGEST_EXPONENT))
            exponent[place, 1] = math.exp(min(exponent[place, 1], LARGEST_EXPONENT))
        for place in range(count):
            game = first + place
            b, w, s = black[game], white[game], score[game]
            r_b, r_w, var_b, var_w = rating[b], rating[w], variance[b], variance[w]
            g_b, g_w = weight[place, 0], weight[place, 1]
            e_b, e_w = 1.0 / (1.0 + exponent[place, 0]), 1.0 / (1.0 + exponent[place, 1])
            s_b, s_w = g_w * (s - e_b), g_b * (1.0 - s - e_w)
            i_b, i_w = g_w * g_w * e_b * (1.0 - e_b), g_b * g_b * e_w * (1.0 - e_w)
            new_b, sigma2[b] = settled(constants.per_tau2, var_b, sigma2[b], i_b, s_b)
            new_w, sigma2[w] = settled(constants.per_tau2, var_w, sigma2[w], i_w, s_w)
            gain, loss = unit * new_b * s_b, unit * new_w * s_w
            rating[b], rating[w], variance[b], variance[w] = r_b + gain, r_w + loss, new_b, new_w
            if len(before) > 0:
                before[game, 0], before[game, 1] = r_b, r_w
                change[game, 0], change[game, 1] = gain, loss
                wide[game, 0], wide[game, 1] = var_b, var_w
                variance_after[game, 0], variance_after[game, 1] = new_b, new_w
        first += count


class Period(NamedTuple):
    """Who plays in a period and what its games say of them, side by side, so that it stays near; room for all players.

    The numbers are those of the players' seats, given in the order of their first games of the period.
    """

    player: Ints
    rating: Floats
    """At the onset, then with the games taken so far."""
    variance: Floats
    """At the onset, then after the period."""
    sigma2: Floats
    weight: Floats
    """g of the variance at the onset."""
    information: Floats
    surprise: Floats


@kernel
def learn(games: Games, first: int, behind: int, unit: float, seat: Ints, period: Period, lines: Lines) -> None:
    """Add up what the games of a period say of each of its players; the changes hold the surprise of each game."""
    rating, weight, information, surprise = period.rating, period.weight, period.information, period.surprise
    for game in range(first, behind):
        b, w = seat[games.black[game]], seat[games.white[game]]
        lines.rated_from[game, 0], lines.rated_from[game, 1] = rating[b], rating[w]
        lines.onset_variance[game, 0], lines.onset_variance[game, 1] = period.variance[b], period.variance[w]
        g_b, g_w = weight[b], weight[w]
        lead = (rating[b] + games.worth[game] - rating[w]) / unit
        e_b, e_w = expected(g_w, lead), expected(g_b, -lead)
        s_b, s_w = g_w * (games.score[game] - e_b), g_b * (1.0 - games.score[game] - e_w)
        lines.change[game, 0], lines.change[game, 1] = s_b, s_w
        information[b] += g_w * g_w * e_b * (1.0 - e_b)
        information[w] += g_b * g_b * e_w * (1.0 - e_w)
        surprise[b] += s_b
        surprise[w] += s_w


@kernel
def share_out(games: Games, first: int, behind: int, unit: float, seat: Ints, period: Period, lines: Lines) -> None:
    """Write down what each game of a period changed, game after game from the ratings at its onset.

    The changes hold the surprise of each game, and the variances are those at the end of the period.
    """
    for game in range(first, behind):
        for side in range(2):
            own = seat[games.black[game] if side == 0 else games.white[game]]
            lines.before[game, side] = period.rating[own]
            lines.change[game, side] *= unit * period.variance[own]
            lines.variance_after[game, side] = period.variance[own]
            period.rating[own] += lines.change[game, side]


@kernel
def replay_periods(
    games: Games,
    constants: Constants,
    hand: ByHand,
    state: State,
    lines: Lines,
) -> None:
    """Replay the periods in order, all games of one from the ratings at its onset; arguments as in `replay_games`."""
    rating, variance, sigma2, last = state
    black, white, players = games.black, games.white, len(rating)
    seat, places = np.zeros(players, dtype=np.int64), np.zeros(players, dtype=np.int64)
    period = Period(
        places, np.empty(players), np.empty(players), np.empty(players), np.empty(players), np.empty(players),
        np.empty(players),
    )  # fmt: skip
    done = 0
    for number in range(len(games.period) - 1):
        first, behind = games.period[number], games.period[number + 1]
        done = reset(done, first, hand, rating, variance, constants.by_rank, last)
        count = 0
        for game in range(first, behind):
            for side in range(2):
                player = black[game] if side == 0 else white[game]
                own = seat[player]
                if own >= count or period.player[own] != player:  # of an earlier period
                    seat[player], period.player[count] = count, player
                    elapsed = since(last[player], games.time[number])
                    aged = onset_variance(constants, variance[player], sigma2[player], elapsed)
                    period.rating[count], period.variance[count], period.weight[count] = rating[player], aged, g(aged)
                    period.sigma2[count] = sigma2[player]
                    period.information[count], period.surprise[count] = 0.0, 0.0
                    last[player] = games.time[number]
                    count += 1
        learn(games, first, behind, constants.unit, seat, period, lines)
        for own in range(count):
            period.variance[own], period.sigma2[own] = settled(
                constants.per_tau2,
                period.variance[own],
                period.sigma2[own],
                period.information[own],
                period.surprise[own],
            )
        share_out(games, first, behind, constants.unit, seat, period, lines)
        for own in range(count):
            player = period.player[own]
            rating[player], variance[player] = period.rating[own], period.variance[own]
            sigma2[player] = period.sigma2[own]
    reset(done, len(black), hand, rating, variance, constants.by_rank, last)


@dataclass(frozen=True)
class Glicko(Glickman):
    """Glickman's system of 1995."""

    name: ClassVar[str] = "glicko"
    title: ClassVar[str] = "Glicko"
    revision: ClassVar[int] = 2

    w2: float = setting(20.0, "growth of the variance with time", unit="Elo^2 a day", low=0.0, high=1e5)
    c: float | None = setting(
        None, "growth of the deviation by periods instead of days", unit="Elo", low=0.0, high=1e4, kind=float
    )

    @property
    def _unit(self) -> float:
        return 1.0 / Q

    @property
    def _by_days(self) -> bool:
        return self.c is None

    def _onset_variance(self, state: State, elapsed: Floats) -> Floats:
        constants = self._constants
        return np.clip(state.variance + constants.growth * elapsed, constants.least, constants.largest)

    @property
    def _growth(self) -> float:
        growth = self.w2 if self.c is None else self.c * self.c
        return growth * Q * Q

    @property
    def _game_loop(self) -> Kernel[..., None]:
        return replay_games

    @property
    def _period_loop(self) -> Kernel[..., None]:
        return replay_periods

    def _times(self, day: Ints, first: int) -> Floats:
        if self.c is None:
            return first_day(self.period, day).astype(np.float64)
        if self.period in CALENDAR:
            return calendar(self.period, day).astype(np.float64)
        return np.arange(first, first + len(day), dtype=np.float64)

    @property
    def _ahead(self) -> float:
        return 0.0

    def _step(self, deviation: float) -> tuple[Factor, ...]:
        return (
            Factor("q", Q, "q = ln 10 / 400."),
            Factor("RD'^2", deviation * deviation, "RD'^2 = 1 / (1 / RD^2 + 1 / d^2), the variance after the period."),
        )
