"""Glicko: a rating and its deviation; all games of a rating period are rated together, and absence widens the deviation.

Source: M. Glickman, "The Glicko system" (1995, revised 1999). The growth of 20 Elo^2 a day was fitted to games of Go in
R. Coulom, "Whole-History Rating" (2008), table 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from handan.kernels.adjusting import ByHand, adjust
from handan.kernels.compiling import kernel
from handan.ratings import Factor, Ratings, Reason, Standing
from handan.systems.base import Floats, Sheet
from handan.systems.periods import (
    CALENDAR,
    Games,
    Lines,
    PeriodSystem,
    State,
    calendar,
    days,
    first_day,
    last_day,
    place_of,
)
from handan.systems.settings import setting

Q = math.log(10.0) / 400.0  # natural units in one Elo
THREE_OVER_PI2 = 3.0 / (math.pi * math.pi)
FURTHEST = 700.0  # natural units; beyond it E is 0 or 1 to the last digit, and exp would overflow


def growth_constant(low: float, high: float, periods: float) -> float:
    """Return c in Elo, for which a deviation grows from `low` to `high` in so many periods: c^2 t = high^2 - low^2."""
    return math.sqrt((high * high - low * low) / periods)


@kernel
def g(variance: float) -> float:
    """Return g(RD) = 1 / sqrt(1 + 3 q^2 RD^2 / pi^2); `variance` is q^2 RD^2, the variance in natural units."""
    return 1.0 / math.sqrt(1.0 + THREE_OVER_PI2 * variance)


@kernel
def expected(weight: float, lead: float) -> float:
    """Return E = 1 / (1 + 10^(-g(RD_j) (r - r_j) / 400)) from g of the opponent and r - r_j in natural units."""
    return 1.0 / (1.0 + math.exp(-min(max(weight * lead, -FURTHEST), FURTHEST)))


@kernel
def onset(constants: tuple[float, ...], variance: float, volatility: float, elapsed: float) -> float:  # noqa: ARG001  # Glicko-2 reads it
    """Return the variance at the onset of a period: RD = min(350, sqrt(RD^2 + c^2 t)).

    Args:
        constants: Least and largest variance, growth of the variance in the unit of time.
        variance: Variance after the last period in natural units.
        volatility: Not read.
        elapsed: Time since the last period.
    """
    return min(max(variance + constants[2] * elapsed, constants[0]), constants[1])


@kernel
def settled(
    constants: tuple[float, ...],  # noqa: ARG001  # Glicko-2 reads it
    variance: float,
    volatility: float,
    information: float,
    surprise: float,  # noqa: ARG001  # Glicko-2 reads it
) -> tuple[float, float]:
    """Return the variance after a period, and the volatility as it was: RD'^2 = 1 / (1 / RD^2 + 1 / d^2).

    Args:
        constants: Not read.
        variance: Variance at the onset in natural units.
        volatility: Handed on.
        information: 1 / d^2 = sum of g^2 E (1 - E), in natural units.
        surprise: Sum of g (s - E).
    """
    return variance / (1.0 + variance * information), volatility


@kernel
def set_by_hand(done: int, place: int, hand: ByHand, state: State, entry: tuple[float, float], last: Floats) -> int:
    """Apply the adjustments due before a place; a rating set by hand is as uncertain as a newcomer's."""
    until = adjust(done, place, hand, state.rating)
    for item in range(done, until):
        if hand.became[item] == hand.values[item]:
            player = hand.players[item]
            state.variance[player], state.volatility[player] = entry
            last[player] = np.inf
    return until


@kernel
def replay(
    games: Games,
    end: float,
    unit: float,
    constants: tuple[float, ...],
    entry: tuple[float, float],
    hand: ByHand,
    state: State,
    lines: Lines,
) -> None:
    """Take the games one by one, each a period by itself; fill `state` and `lines`, of which `held` is `before`."""
    rating, variance, volatility = state.rating, state.variance, state.volatility
    last = np.full(len(rating), np.inf)  # before the first period no time passes
    done = 0
    for game in range(len(games.black)):
        done = set_by_hand(done, game, hand, state, entry, last)
        b, w = games.black[game], games.white[game]
        var_b = onset(constants, variance[b], volatility[b], max(games.time[game] - last[b], 0.0))
        var_w = onset(constants, variance[w], volatility[w], max(games.time[game] - last[w], 0.0))
        g_b, g_w = g(var_b), g(var_w)
        lead = (rating[b] + games.bonus[game] - rating[w]) / unit
        e_b, e_w = expected(g_w, lead), expected(g_b, -lead)
        s_b, s_w = g_w * (games.score[game] - e_b), g_b * (1.0 - games.score[game] - e_w)
        variance[b], volatility[b] = settled(constants, var_b, volatility[b], g_w * g_w * e_b * (1.0 - e_b), s_b)
        variance[w], volatility[w] = settled(constants, var_w, volatility[w], g_b * g_b * e_w * (1.0 - e_w), s_w)
        lines.before[game, 0], lines.before[game, 1] = rating[b], rating[w]
        lines.change[game, 0], lines.change[game, 1] = unit * (variance[b] * s_b), unit * (variance[w] * s_w)
        lines.onset[game, 0], lines.onset[game, 1] = unit * math.sqrt(var_b), unit * math.sqrt(var_w)
        lines.after[game, 0], lines.after[game, 1] = unit * math.sqrt(variance[b]), unit * math.sqrt(variance[w])
        rating[b] += lines.change[game, 0]
        rating[w] += lines.change[game, 1]
        last[b] = games.time[game]
        last[w] = games.time[game]
    set_by_hand(done, len(games.black), hand, state, entry, last)
    for player in range(len(rating)):
        variance[player] = onset(constants, variance[player], volatility[player], max(end - last[player], 0.0))


@kernel
def replay_periods(
    games: Games,
    end: float,
    unit: float,
    constants: tuple[float, ...],
    entry: tuple[float, float],
    hand: ByHand,
    state: State,
    lines: Lines,
) -> None:
    """Take the periods in order, all games of one from the ratings at its onset; fill `state` and `lines`."""
    rating, variance, volatility = state.rating, state.variance, state.volatility
    players = len(rating)
    last = np.full(players, np.inf)  # before the first period no time passes
    seen = np.full(players, -1)
    playing = np.empty(players, dtype=np.int64)
    weight, information, surprise, running = np.empty(players), np.empty(players), np.empty(players), np.empty(players)
    done = 0
    for number in range(len(games.period) - 1):
        first, behind = games.period[number], games.period[number + 1]
        done = set_by_hand(done, first, hand, state, entry, last)
        count = 0
        for game in range(first, behind):
            for side in range(2):
                player = games.black[game] if side == 0 else games.white[game]
                if seen[player] != number:
                    seen[player] = number
                    playing[count] = player
                    count += 1
                    elapsed = max(games.time[number] - last[player], 0.0)
                    variance[player] = onset(constants, variance[player], volatility[player], elapsed)
                    weight[player] = g(variance[player])
                    information[player], surprise[player], running[player] = 0.0, 0.0, rating[player]
                    last[player] = games.time[number]
                lines.onset[game, side] = variance[player]
                lines.held[game, side] = rating[player]
        for game in range(first, behind):
            b, w = games.black[game], games.white[game]
            g_b, g_w = weight[b], weight[w]
            lead = (rating[b] + games.bonus[game] - rating[w]) / unit
            e_b, e_w = expected(g_w, lead), expected(g_b, -lead)
            lines.change[game, 0] = g_w * (games.score[game] - e_b)
            lines.change[game, 1] = g_b * (1.0 - games.score[game] - e_w)
            information[b] += g_w * g_w * e_b * (1.0 - e_b)
            information[w] += g_b * g_b * e_w * (1.0 - e_w)
            surprise[b] += lines.change[game, 0]
            surprise[w] += lines.change[game, 1]
        for place in range(count):
            player = playing[place]
            variance[player], volatility[player] = settled(
                constants, variance[player], volatility[player], information[player], surprise[player]
            )
        for game in range(first, behind):
            for side in range(2):
                player = games.black[game] if side == 0 else games.white[game]
                lines.before[game, side] = running[player]
                lines.change[game, side] *= unit * variance[player]
                lines.after[game, side] = variance[player]
                running[player] += lines.change[game, side]
        for place in range(count):
            rating[playing[place]] = running[playing[place]]
    set_by_hand(done, len(games.black), hand, state, entry, last)
    for player in range(players):
        variance[player] = onset(constants, variance[player], volatility[player], max(end - last[player], 0.0))
