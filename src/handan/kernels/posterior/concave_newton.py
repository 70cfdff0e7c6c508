"""The most likely ratings of a whole pool under any concave law of winning: Newton's method with a safe step length.

Laws with a kink in their curvature are climbed too, and far out, where the posterior is nearly flat, steps stay safe.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from handan.kernels.compiling import Kernel, kernel
from handan.kernels.posterior.concave_posterior import (
    FLAT,
    Pool,
    linearise,
    scores_and_information,
    slope_along,
    slope_of_player,
)
from handan.kernels.posterior.newton import EXACTLY, Effort, find_step, room
from handan.kernels.types import Floats

FLATTEST = 1e-14  # our choice: the same where the distance from the maximum is bounded
EPSILON = 2.220446049250313e-16  # spacing of double precision at 1
LOOSE, TIGHT = 1e-3, 1e-3  # our choice: share of a step, and of the tolerance, to which a step is solved
ENOUGH = 0.2  # our choice: share of the first slope that the slopes halfway and at the end must have together
HALVINGS = 20  # our choice: of a step; players are then moved one by one
SWEEPS = 3  # our choice: over all players where a whole step would lose
CLOSE, LONGEST = 1e-3, 4.0  # our choice: what is left of a player's slope, and ranks of one step, in a sweep
NARROW = 1e-11  # our choice: ranks; a sweep looks no closer
MOST_STEPS = 200  # our choice: tens are usual


@kernel
def safe_share(pool: Pool, beyond: Floats, step: Floats) -> float:
    """Return how much of a step to take: the first of 1, 1/2, 1/4 … that surely gains, 0 if none does.

    The slope of a concave function falls along a step, so that its gain is at least half the step times the sum of the
    slopes halfway and at the end. Slopes, unlike values of the function, can be compared down to the last digits.
    """
    share, start, end = 1.0, slope_along(pool, beyond, step, 0.0), slope_along(pool, beyond, step, 1.0)
    for _ in range(HALVINGS):
        half = slope_along(pool, beyond, step, 0.5 * share)
        if half + end >= ENOUGH * start:
            return share
        share, end = 0.5 * share, half
    return 0.0


@kernel
def best_place(pool: Pool, beyond: Floats, player: int) -> float:
    """Return a player's own maximum, the others fixed: Newton's method, bisection where its steps do not shrink."""
    place = float(beyond[player])
    low, high, last = -np.inf, np.inf, 2.0 * LONGEST
    slope, curvature = slope_of_player(pool, beyond, player, place)
    enough = CLOSE * abs(slope)
    for _ in range(MOST_STEPS):
        if slope > 0.0:
            low = place
        else:
            high = place
        step = min(max(slope / curvature, -LONGEST), LONGEST)
        if high - low < np.inf and (abs(step) > 0.5 * last or not low < place + step < high):
            step = 0.5 * (low + high) - place
        if abs(step) < NARROW:
            break
        last = abs(step)
        place += step
        slope, curvature = slope_of_player(pool, beyond, player, place)
        if abs(slope) <= enough:
            break
    return place


@kernel
def sweep(pool: Pool, beyond: Floats) -> None:
    """Move one player after another to the player's own maximum; each move gains."""
    for player in pool.order:
        beyond[player] = best_place(pool, beyond, player)


@kernel
def maximise_pool(pool: Pool, tolerance: float, beyond: Floats) -> Effort:
    """Move `beyond`, shape (players,), to the maximum of the log posterior; return the effort.

    Ends when a whole step of Newton's method moves nobody by `tolerance` or more, and takes that step, or where
    rounding hides which way is up; `moved` is the largest change of the last whole step.

    A law with a kink in its curvature makes whole steps lose: a player whom only the prior holds, far from the
    entry, would jump over the kink of a single game. Sweeps bring such players to their kinks, and the next step moves
    them with their opponents; those with few games come last, where their opponents already are.
    """
    count = len(beyond)
    gradient, curvature, step = np.zeros(count), np.zeros(count), np.zeros(count)
    pull = np.zeros(len(pool.model.score))
    work = room(count, step)
    rounds, moved = 0, 0.0
    for done in range(1, MOST_STEPS + 1):
        linearise(pool, beyond, FLAT, gradient, curvature, pull)
        rounds += find_step(pool.model, gradient, curvature, pull, LOOSE, TIGHT * tolerance, work)
        moved = largest(step)
        if moved < tolerance:
            beyond += step
            return Effort(done, rounds, moved)
        share = safe_share(pool, beyond, step)
        if share == 1.0:
            beyond += step
            continue
        before = beyond.copy()
        beyond += share * step
        for _ in range(SWEEPS):
            sweep(pool, beyond)
        if largest(beyond - before) < NARROW:
            return Effort(done, rounds, moved)
    return Effort(MOST_STEPS, rounds, moved)


@kernel
def largest(values: Floats) -> float:
    """Return the largest absolute value, 0 of none."""
    result = 0.0
    for value in values:
        result = max(result, abs(value))
    return result


@kernel
def error_bound(pool: Pool, beyond: Floats) -> float:
    """Return how far anybody may stand from the maximum, by the curvature here: max of H^-1 (|gradient| + rounding).

    H, the negative Hessian, has no positive entry off its diagonal, so that its inverse has no negative one, and what
    the gradient and its rounding can do to any rating is at most this.
    """
    model, count = pool.model, len(beyond)
    gradient, curvature, step = np.zeros(count), np.zeros(count), np.zeros(count)
    pull = np.zeros(len(model.score))
    linearise(pool, beyond, FLATTEST, gradient, curvature, pull)
    for player in range(count):
        gradient[player] = abs(gradient[player]) + 2.0 * EPSILON * model.prior[player] * pool.at_entry[player]
    for game in range(len(model.score)):
        rounding = EPSILON * model.weight[game] * pool.steepness[game]
        gradient[model.black[game]] += rounding
        gradient[model.white[game]] += rounding
    find_step(model, gradient, curvature, pull, EXACTLY, 0.0, room(count, step))
    return largest(step)


class Solver(NamedTuple):
    """The kernels bound to the law of a system."""

    law: Kernel[[float, float], tuple[float, float, float]]
    maximise: Kernel[[Pool, float, Floats], Effort]
    error_bound: Kernel[[Pool, Floats], float]
    evidence: Kernel[[Pool, Floats, Floats, Floats], None]

    @classmethod
    def of(cls, name: str, law: Kernel[[float, float], tuple[float, float, float]]) -> Solver:
        """Bind a law; `name` tells its kernels apart from those of other laws."""
        along = slope_along.using(f"{name}_slope_along", score_and_information=law)
        share = safe_share.using(f"{name}_safe_share", slope_along=along)
        lines = linearise.using(f"{name}_linearise", score_and_information=law)
        single = slope_of_player.using(f"{name}_slope_of_player", score_and_information=law)
        best = best_place.using(f"{name}_best_place", slope_of_player=single)
        sweeps = sweep.using(f"{name}_sweep", best_place=best)
        return cls(
            law,
            maximise_pool.using(f"{name}_maximise_pool", linearise=lines, safe_share=share, sweep=sweeps),
            error_bound.using(f"{name}_error_bound", linearise=lines),
            scores_and_information.using(f"{name}_scores_and_information", score_and_information=law),
        )
