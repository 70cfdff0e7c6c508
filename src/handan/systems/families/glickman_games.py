"""Glicko and Glicko-2 game by game: games that share no player stand side by side in vector registers.

The bits are those of one game after the other. Each system binds its own `onset` and `settled` (`Kernel.using`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from handan.kernels.compiling import TwoWays, kernel
from handan.kernels.exponential import limited, split_exponentials
from handan.kernels.incremental.adjustments import ByHand, due, reset
from handan.kernels.lanes import ABREAST, in_turn, lanes_for
from handan.kernels.prefetching import MANY_PLAYERS, fetch_players, fetch_rows
from handan.kernels.types import Floats, Ints, Numbers
from handan.systems.families.glickman import Games, Lines, State, expected, g, since

RATING, VARIANCE, VOLATILITY, LAST, WEIGHT, EXPECTED, CHANGE, SETTLED = range(0, 16 * ABREAST, 2 * ABREAST)
"""Where `Window.values` holds each quantity, first of all Blacks, then of all Whites."""
WORTH, SCORE, TIME, ROOM = range(16 * ABREAST, 20 * ABREAST, ABREAST)
"""Where it holds what a game has one of; how long it is."""


class Window(NamedTuple):
    """Games that follow one another and share no player, so that none waits for another, side by side.

    A single array holds them: the compiler makes no vector instructions of a loop over many that might overlap.
    """

    values: Floats
    """Shape (ROOM,), see above."""
    powers: Floats
    """Factors of exponentials, shape (2 * ABREAST,)."""
    bits: Ints
    """The same memory as whole numbers (`split_exponentials`)."""
    latest: Numbers
    """Number of the last window in which each player is, counted from 1; shape (players,)."""


@kernel
def onset(_constants: tuple[float, ...], variance: float, _volatility: float, _elapsed: float) -> float:
    """Return the variance at the onset of a period; here it does not grow."""
    return variance


@kernel
def settled(
    _constants: tuple[float, ...], variance: float, volatility: float, _information: float, _surprise: float
) -> tuple[float, float]:
    """Return variance and volatility after a period; here no game tells anything."""
    return variance, volatility


@kernel
def weigh(values: Floats, count: int, per_unit: float, constants: tuple[float, ...]) -> None:
    """Find the variances at the onset, g, and for each expected score 1 / (1 + e^x) that x."""
    for own in range(count):
        other = ABREAST + own
        now = values[TIME + own]
        idle_b, idle_w = since(values[LAST + own], now), since(values[LAST + other], now)
        var_b = onset(constants, values[VARIANCE + own], values[VOLATILITY + own], idle_b)
        var_w = onset(constants, values[VARIANCE + other], values[VOLATILITY + other], idle_w)
        g_b, g_w = g(var_b), g(var_w)
        lead = (values[RATING + own] + values[WORTH + own] - values[RATING + other]) * per_unit
        values[VARIANCE + own], values[VARIANCE + other] = var_b, var_w
        values[WEIGHT + own], values[WEIGHT + other] = g_b, g_w
        values[EXPECTED + own], values[EXPECTED + other] = limited(-g_w * lead), limited(g_b * lead)


@kernel
def settle(values: Floats, powers: Floats, count: int, unit: float, constants: tuple[float, ...]) -> None:
    """Find the changes of both players of each game, and their variances and volatilities after it."""
    for own in range(count):
        other = ABREAST + own
        s, g_b, g_w = values[SCORE + own], values[WEIGHT + own], values[WEIGHT + other]
        e_b = 1.0 / (1.0 + values[EXPECTED + own] * powers[own])
        e_w = 1.0 / (1.0 + values[EXPECTED + other] * powers[other])
        s_b, s_w = g_w * (s - e_b), g_b * (1.0 - s - e_w)
        i_b, i_w = g_w * g_w * e_b * (1.0 - e_b), g_b * g_b * e_w * (1.0 - e_w)
        new_b, sigma_b = settled(constants, values[VARIANCE + own], values[VOLATILITY + own], i_b, s_b)
        new_w, sigma_w = settled(constants, values[VARIANCE + other], values[VOLATILITY + other], i_w, s_w)
        values[CHANGE + own], values[CHANGE + other] = unit * (new_b * s_b), unit * (new_w * s_w)
        values[SETTLED + own], values[SETTLED + other] = new_b, new_w
        values[VOLATILITY + own], values[VOLATILITY + other] = sigma_b, sigma_w


@kernel
def play_in_turn(
    games: Games, unit: float, constants: tuple[float, ...], players: Floats, window: Window, number: int, lines: Lines  # noqa: ARG001  # see play_in_windows
) -> int:  # fmt: skip
    """Replay the games one after the other, each a period by itself with its time; fill `players` and `lines`."""
    black, white, score, worth, _, time = games
    before, change, _, wide, after = lines
    per_unit = 1.0 / unit
    for game, (b, w, s, bonus, now) in enumerate(in_turn(black, white, score, worth, time)):
        r_b, var_b, sigma_b, last_b = players[b].tolist()
        r_w, var_w, sigma_w, last_w = players[w].tolist()
        var_b = onset(constants, var_b, sigma_b, since(last_b, now))
        var_w = onset(constants, var_w, sigma_w, since(last_w, now))
        g_b, g_w = g(var_b), g(var_w)
        lead = (r_b + bonus - r_w) * per_unit
        e_b, e_w = expected(g_w, lead), expected(g_b, -lead)
        s_b, s_w = g_w * (s - e_b), g_b * (1.0 - s - e_w)
        i_b, i_w = g_w * g_w * e_b * (1.0 - e_b), g_b * g_b * e_w * (1.0 - e_w)
        new_b, sigma_b = settled(constants, var_b, sigma_b, i_b, s_b)
        new_w, sigma_w = settled(constants, var_w, sigma_w, i_w, s_w)
        up, down = unit * (new_b * s_b), unit * (new_w * s_w)
        players[b], players[w] = (r_b + up, new_b, sigma_b, now), (r_w + down, new_w, sigma_w, now)
        if len(before) > 0:
            before[game, 0], before[game, 1] = r_b, r_w
            change[game, 0], change[game, 1] = up, down
            wide[game, 0], wide[game, 1] = var_b, var_w
            after[game, 0], after[game, 1] = new_b, new_w
    return number


@kernel
def play_in_windows(
    games: Games, unit: float, constants: tuple[float, ...], players: Floats, window: Window, number: int, lines: Lines
) -> int:  # fmt: skip
    """Replay games that follow one another and share no player together, with the same bits as one after the other.

    Args:
        games: The games, each with its time.
        unit: Elo in a natural unit.
        constants: What `onset` and `settled` read.
        players: Rating, variance, volatility and time of the last period of each player, shape (players, 4).
        window: Room.
        number: Of the last window.
        lines: One row a game, or none where nobody asks.

    Returns:
        The number of the last window.
    """
    black, white, score, worth, _, time = games
    before, change, _, wide, after = lines
    values, powers, bits, latest = window
    of_black, of_white = values[EXPECTED : EXPECTED + ABREAST], values[EXPECTED + ABREAST : EXPECTED + 2 * ABREAST]
    powers_b, powers_w, bits_b, bits_w = powers[:ABREAST], powers[ABREAST:], bits[:ABREAST], bits[ABREAST:]
    far, first = len(latest) >= MANY_PLAYERS, 0
    while first < len(black):
        number += 1
        count, most = 0, min(ABREAST, len(black) - first)
        while count < most:
            game, other = first + count, ABREAST + count
            if far:
                fetch_players(latest, black, white, game)
                fetch_rows(players, black, white, game)
            b, w = black[game], white[game]
            if latest[b] == number or latest[w] == number:
                break
            latest[b], latest[w] = number, number
            values[RATING + count], values[RATING + other] = players[b, 0], players[w, 0]
            values[VARIANCE + count], values[VARIANCE + other] = players[b, 1], players[w, 1]
            values[VOLATILITY + count], values[VOLATILITY + other] = players[b, 2], players[w, 2]
            values[LAST + count], values[LAST + other] = players[b, 3], players[w, 3]
            values[WORTH + count], values[SCORE + count], values[TIME + count] = worth[game], score[game], time[game]
            count += 1
        lanes = lanes_for(count)
        weigh(values, lanes, 1.0 / unit, constants)
        split_exponentials(of_black, powers_b, bits_b, lanes)
        split_exponentials(of_white, powers_w, bits_w, lanes)
        settle(values, powers, lanes, unit, constants)
        for place in range(count):
            b, w, other = black[first + place], white[first + place], ABREAST + place
            players[b, 0] = values[RATING + place] + values[CHANGE + place]
            players[w, 0] = values[RATING + other] + values[CHANGE + other]
            players[b, 1], players[w, 1] = values[SETTLED + place], values[SETTLED + other]
            players[b, 2], players[w, 2] = values[VOLATILITY + place], values[VOLATILITY + other]
            players[b, 3], players[w, 3] = values[TIME + place], values[TIME + place]
        for place in range(count if len(before) > 0 else 0):
            game, other = first + place, ABREAST + place
            before[game, 0], before[game, 1] = values[RATING + place], values[RATING + other]
            change[game, 0], change[game, 1] = values[CHANGE + place], values[CHANGE + other]
            wide[game, 0], wide[game, 1] = values[VARIANCE + place], values[VARIANCE + other]
            after[game, 0], after[game, 1] = values[SETTLED + place], values[SETTLED + other]
        first += count
    return number


play = TwoWays(play_in_turn, play_in_windows)


@kernel
def replay(
    games: Games,
    unit: float,
    constants: tuple[float, ...],
    newcomer: float,
    hand: ByHand,
    state: State,
    lines: Lines,
) -> None:
    """Replay all games, with the ratings set by hand between them; fill `state` and `lines` (`rated_from` is `before`).

    Args:
        games: The games, each with its time.
        unit: Elo in a natural unit.
        constants: What `onset` and `settled` read.
        newcomer: Variance of who is set by hand, in natural units.
        hand: Ratings set by hand.
        state: The players at entry, then at the end.
        lines: Filled.
    """
    black, white, score, worth, period, time = games
    before, change, rated_from, onset_of, after = lines
    players = np.empty((len(state.rating), 4))  # side by side, so that a player costs one way to the memory
    players[:, 0], players[:, 1] = state.rating, state.variance
    players[:, 2], players[:, 3] = state.volatility, state.last
    powers = np.empty(2 * ABREAST)
    window = Window(np.zeros(ROOM), powers, powers.view(np.int64), np.zeros(len(players), dtype=np.int32))
    first, done, number = 0, 0, 0
    while True:
        stop = due(done, len(black), hand)
        part = Games(
            black[first:stop], white[first:stop], score[first:stop], worth[first:stop], period, time[first:stop]
        )
        rows = Lines(before[first:stop], change[first:stop], rated_from, onset_of[first:stop], after[first:stop])
        number = play(part, unit, constants, players, window, number, rows)
        if done == len(hand.places):
            break
        done = reset(done, stop, hand, players[:, 0], players[:, 1], newcomer, players[:, 3])
        first = stop
    state.rating[:], state.variance[:] = players[:, 0], players[:, 1]
    state.volatility[:], state.last[:] = players[:, 2], players[:, 3]
