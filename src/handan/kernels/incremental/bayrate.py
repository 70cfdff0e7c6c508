"""The most likely ratings of the players of one event, and the events one after another, each starting from the last.

Source: P. Waldron's BayRate (2010), as described by the AGA; the solver is Newton's method with conjugate gradients.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.incremental.adjustments import ByHand, adjust
from handan.kernels.normal import inverse_mills, log_cdf, shrinkage
from handan.kernels.types import Floats, Ints

TOLERANCE = 1e-12  # our choice: stones; Newton's method ends when no rating moves by more
MOST_STEPS = 200  # our choice: never reached, since the function is strictly convex
GRID = 100
FIRST, APART = -5.05, 0.1  # the grid in units of the prior deviation, as in the original


@kernel
def seeding(
    entry: float,  # noqa: ARG001  # the signature is what this function is for
    rating: float,
    sigma: float,
    days: float,  # noqa: ARG001
    wins: int,  # noqa: ARG001
) -> tuple[float, float]:
    """Return seed and prior deviation of a rated player who enters an event; the system binds its own rule here."""
    return rating, sigma


@kernel
def initial_sigma(
    rating: float,  # noqa: ARG001  # the signature is what this function is for
) -> float:
    """Return the prior deviation of a new player; the system binds its own rule here."""
    return 1.0


@kernel
def margin(black: Ints, white: Ints, sign: Floats, e: Floats, s: Floats, x: Floats, game: int) -> float:
    """Return how far the result agrees with the ratings, in deviations: +-(w - b - e)/s, + if White won."""
    return float(sign[game] * (x[white[game]] - x[black[game]] - e[game]) / s[game])


@kernel
def misfit(
    black: Ints, white: Ints, sign: Floats, e: Floats, s: Floats, seed: Floats, sigma: Floats, x: Floats
) -> float:
    """Return what is minimised: sum (c - m)^2 / (2 sigma^2) - sum ln Phi(+-(w - b - e)/s)."""
    total = 0.0
    for player in range(len(x)):
        total += 0.5 * ((x[player] - seed[player]) / sigma[player]) ** 2
    for game in range(len(black)):
        total -= log_cdf(margin(black, white, sign, e, s, x, game))
    return total


@kernel
def newton_step(black: Ints, white: Ints, curve: Floats, diagonal: Floats, gradient: Floats) -> Floats:
    """Return minus the inverse Hessian times the gradient, by conjugate gradients preconditioned by the diagonal.

    The Hessian is never stored: a game adds its curvature to both diagonal entries and takes it from the two between.
    """
    prior = diagonal.copy()
    for game in range(len(black)):
        prior[black[game]] -= curve[game]
        prior[white[game]] -= curve[game]
    solution = np.zeros(len(gradient))
    rest = -gradient
    way = rest / diagonal
    size = float(np.sum(rest * way))
    enough = 1e-24 * size
    for _ in range(4 * len(gradient) + 20):
        if size <= enough:
            break
        image = prior * way
        for game in range(len(black)):
            pull = curve[game] * (way[white[game]] - way[black[game]])
            image[white[game]] += pull
            image[black[game]] -= pull
        length = size / float(np.sum(way * image))
        solution += length * way
        rest -= length * image
        next_size = float(np.sum(rest * rest / diagonal))
        way = rest / diagonal + (next_size / size) * way
        size = next_size
    return solution


@kernel
def fit(black: Ints, white: Ints, sign: Floats, e: Floats, s: Floats, seed: Floats, sigma: Floats, x: Floats) -> int:
    """Move `x` from any start to the minimum of the misfit; return the number of Newton steps."""
    value = misfit(black, white, sign, e, s, seed, sigma, x)
    curve = np.empty(len(black))
    for number in range(MOST_STEPS):
        gradient = (x - seed) / (sigma * sigma)
        diagonal = 1.0 / (sigma * sigma)
        for game in range(len(black)):
            agreement = margin(black, white, sign, e, s, x, game)
            slope = sign[game] * inverse_mills(agreement) / s[game]
            gradient[white[game]] -= slope
            gradient[black[game]] += slope
            curve[game] = shrinkage(agreement) / (s[game] * s[game])
            diagonal[white[game]] += curve[game]
            diagonal[black[game]] += curve[game]
        move = newton_step(black, white, curve, diagonal, gradient)
        if float(np.max(np.abs(move))) < TOLERANCE:
            x += move
            return number
        length = 1.0
        new = misfit(black, white, sign, e, s, seed, sigma, x + move)
        while not new <= value + 1e-12 * (1.0 + abs(value)) and length > 1e-9:
            length *= 0.5
            new = misfit(black, white, sign, e, s, seed, sigma, x + length * move)
        x += length * move
        value = new
    return MOST_STEPS


@kernel
def new_sigmas(
    black: Ints, white: Ints, sign: Floats, e: Floats, s: Floats, seed: Floats, sigma: Floats, x: Floats,
    laplace: bool,  # noqa: FBT001  # a setting of the system
) -> Floats:  # fmt: skip
    """Return the deviations after the event, each player's with all others held at the mode.

    The root of the second moment about the mode, over a grid of 100 points spaced in prior deviations; or by Laplace's
    method from the curvature at the mode.
    """
    count = len(x)
    if laplace:
        precision = 1.0 / (sigma * sigma)
        for game in range(len(black)):
            curve = shrinkage(margin(black, white, sign, e, s, x, game)) / (s[game] * s[game])
            precision[black[game]] += curve
            precision[white[game]] += curve
        return 1.0 / np.sqrt(precision)
    weight = np.empty((count, GRID))
    for player in range(count):
        for point in range(GRID):
            place = x[player] + sigma[player] * (FIRST + APART * point)
            weight[player, point] = -0.5 * ((place - seed[player]) / sigma[player]) ** 2
    for game in range(len(black)):
        b, w = black[game], white[game]
        agreement = margin(black, white, sign, e, s, x, game)
        for point in range(GRID):
            offset = FIRST + APART * point
            weight[b, point] += log_cdf(agreement - sign[game] * sigma[b] * offset / s[game])
            weight[w, point] += log_cdf(agreement + sign[game] * sigma[w] * offset / s[game])
    new = np.empty(count)
    for player in range(count):
        highest = float(np.max(weight[player]))
        moment, total = 0.0, 0.0
        for point in range(GRID):
            share = math.exp(weight[player, point] - highest)
            moment += share * (FIRST + APART * point) ** 2
            total += share
        new[player] = sigma[player] * math.sqrt(moment / total)
    return new


class Games(NamedTuple):
    """The games event by event, shape (games,)."""

    black: Ints
    white: Ints
    sign: Floats
    """1 if White won, else -1."""
    e: Floats
    """Stones that the terms give to Black."""
    s: Floats
    """Spread of the result in stones."""
    declared: Floats
    """Seeds of the ranks declared at each game, NaN where none was, shape (games, 2)."""


class Events(NamedTuple):
    """The events in order."""

    first: Ints
    """First game of each event, and the number of games, shape (events + 1,)."""
    day: Floats
    """Day of each event, NaN where it is not known, shape (events,)."""


class Lines(NamedTuple):
    """What the replay writes down of each game and side, shape (games, 2)."""

    before: Floats
    """Running rating before the game."""
    change: Floats
    """What the game contributed."""
    prior: Floats
    """Deviation of the seed."""
    mode: Floats
    """Most likely rating of the event."""
    sigma: Floats
    """Deviation after the event."""
    onset_rating: Floats
    """Rating before any result of the event was known."""
    onset_sigma: Floats
    """Deviation before any result of the event was known."""
    seeded_from: Floats
    """Rating where a player's first game of an event found the player seeded above it; NaN elsewhere."""
    seeded_to: Floats
    """The seed there."""


class State(NamedTuple):
    """What is known of the players, shape (players,): before the first event, then at the end of the replay."""

    rating: Floats
    sigma: Floats
    """Deviation; NaN marks players who are not yet rated."""
    last: Floats
    """Day of the last event, NaN where there is none."""


@kernel
def replay(  # noqa: C901  # an event from its players to what its games gave, in the order of the source
    games: Games,
    events: Events,
    entry: Floats,
    laplace: bool,  # noqa: FBT001  # a setting of the system
    hand: ByHand,
    state: State,
    lines: Lines,
) -> None:
    """Replay the events in order; all ratings are on the closed scale.

    Args:
        games, events: The games.
        entry: Seeds of players who are not yet rated: fixed by hand, for want of a declared one, least, (players, 3).
        laplace: Whether deviations are found by Laplace's method.
        hand: Ratings set by hand.
        state: The players; filled.
        lines: Filled; `seeded_from` and `seeded_to` are NaN at first.
    """
    black, white, sign, e, s, declared = games
    batch, day = events
    rating, sigma, last = state
    local = np.full(len(rating), -1, dtype=np.int64)
    done = 0
    for number in range(len(batch)):
        earlier = done
        done = adjust(done, batch[number], hand, rating)
        for item in range(earlier, done):
            if not (hand.at_least[item] and hand.became[item] == hand.replaced[item]):
                own = hand.variances[item]
                newcomer = initial_sigma(rating[hand.players[item]])
                sigma[hand.players[item]] = newcomer if math.isnan(own) else math.sqrt(own)
                last[hand.players[item]] = np.nan
        if number == len(batch) - 1:
            break
        start, end = batch[number], batch[number + 1]
        members = np.empty(2 * (end - start), dtype=np.int64)
        first = np.empty((2 * (end - start), 2), dtype=np.int64)
        count = 0
        for game in range(start, end):
            for side in range(2):
                player = black[game] if side == 0 else white[game]
                if local[player] < 0:
                    local[player] = count
                    members[count], first[count, 0], first[count, 1] = player, game, side
                    count += 1
        wins, named = np.zeros(count, dtype=np.int64), np.full(count, np.nan)
        one, other = np.empty(end - start, dtype=np.int64), np.empty(end - start, dtype=np.int64)
        for game in range(start, end):
            one[game - start], other[game - start] = local[black[game]], local[white[game]]
            wins[local[white[game] if sign[game] > 0.0 else black[game]]] += 1
            for side in range(2):
                i = local[black[game] if side == 0 else white[game]]
                if math.isnan(named[i]):
                    named[i] = declared[game, side]
        seed, prior, onset_rating, onset_sigma = np.empty(count), np.empty(count), np.empty(count), np.empty(count)
        for i in range(count):
            player = members[i]
            if math.isnan(sigma[player]):
                seed[i] = named[i] if math.isnan(entry[player, 0]) else entry[player, 0]
                seed[i] = max(entry[player, 1] if math.isnan(seed[i]) else seed[i], entry[player, 2])
                prior[i] = initial_sigma(seed[i])
                onset_rating[i], onset_sigma[i] = seed[i], prior[i]
            else:
                since = day[number] - last[player]
                days = 0.0 if math.isnan(since) else max(since, 0.0)
                onset_rating[i], onset_sigma[i] = seeding(math.nan, rating[player], sigma[player], days, 0)
                seed[i], prior[i] = seeding(named[i], rating[player], sigma[player], days, wins[i])
                if seed[i] != rating[player]:
                    lines.seeded_from[first[i, 0], first[i, 1]] = rating[player]
                    lines.seeded_to[first[i, 0], first[i, 1]] = seed[i]
        won, worth, width = sign[start:end], e[start:end], s[start:end]
        x = seed.copy()
        fit(one, other, won, worth, width, seed, prior, x)
        new = new_sigmas(one, other, won, worth, width, seed, prior, x, laplace)
        for i in range(count):
            rating[members[i]], sigma[members[i]], last[members[i]] = seed[i], new[i], day[number]
        for game in range(start, end):
            agreement = margin(one, other, won, worth, width, x, game - start)
            slope = sign[game] * inverse_mills(agreement) / s[game]
            for side in range(2):
                player = black[game] if side == 0 else white[game]
                i = local[player]
                contribution = prior[i] * prior[i] * (slope if side == 1 else -slope)
                lines.before[game, side], lines.change[game, side] = rating[player], contribution
                lines.prior[game, side], lines.mode[game, side], lines.sigma[game, side] = prior[i], x[i], new[i]
                lines.onset_rating[game, side], lines.onset_sigma[game, side] = onset_rating[i], onset_sigma[i]
                rating[player] += contribution
        for i in range(count):
            local[members[i]] = -1
