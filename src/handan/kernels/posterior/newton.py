"""Newton's method on a log posterior with very many unknowns; each step is found by conjugate gradients.

The posterior is concave, so its maximum is unique and the way to it only a matter of speed. Each player's chain of days
is solved exactly (it is tridiagonal) to precondition the conjugate gradients, which then settle the players against
each other. Nodes stand in the order of time, so that the two nodes of a game lie close together in memory.

Source of the step length: F. Bach, "Self-concordant analysis for logistic regression" (2010), section 3.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.posterior.likelihood import Model, linearise
from handan.kernels.types import Flags, Floats, Ints, Nodes, Reals

SAFE = 1.79  # largest change of a lead for which a full step cannot lose: e^d - d - 1 <= d^2
LOOSE, TIGHT = 0.3, 0.05  # our choice: share of a step, and of the tolerance, to which a step is solved
EXACTLY = 1e-6
"""Share of the first round at which a column x of an inverse is found. Its entry on the diagonal is off by the square
of the error of x, measured by the matrix, so that its relative error is about the square of this."""
MOST_STEPS = 200  # our choice: a few steps are usual
MOST_ROUNDS = 100_000  # our choice: rounds of conjugate gradients in one step; tens are usual


class Effort(NamedTuple):
    """What a solution took."""

    steps: int
    """Newton steps."""
    rounds: int
    """Rounds of conjugate gradients in all of them, each about one sweep over all games."""
    moved: float
    """Largest change of the last step, natural units."""


class Work(NamedTuple):
    """What a step is found with, shape (nodes,)."""

    pivot: Floats
    """1 / the pivot of each node, eliminated from the first day on."""
    carry: Floats
    """How much of a node's solution its previous day takes over: link * pivot of the previous day."""
    step: Floats
    """The solution so far."""
    rest: Floats
    """What the solution still leaves of the gradient."""
    fresh: Floats
    """The solution of the players' own systems for the rest."""
    way: Floats
    """Direction of the conjugate gradients."""
    product: Floats
    """Negative Hessian times `way`."""


@kernel
def factorise(model: Model, curvature: Floats, work: Work) -> None:
    """Fill the factors of the tridiagonal system of each player, all other players held fixed.

    A pivot is d_i = h_i - link^2 / d_(i-1).
    """
    pivot, carry = work.pivot, work.carry
    for node in range(len(curvature)):
        last, link = model.previous[node], model.link[node]
        carry[node] = link * pivot[last] if last != node else 0.0
        pivot[node] = 1.0 / (curvature[node] - link * carry[node])


@kernel
def multiply(
    model: Model,
    curvature: Floats,
    pull: Floats,
    share: float,
    work: Work,
) -> float:
    """Set way = fresh + share * way and product = H way, H the negative Hessian; return way . H way."""
    fresh, way, product = work.fresh, work.way, work.product
    square, cross = 0.0, 0.0
    for node in range(len(way)):
        last, link = model.previous[node], model.link[node]
        way[node] = fresh[node] + share * way[node]
        product[node] = curvature[node] * way[node] - link * way[last]
        product[last] -= link * way[node]
        square += curvature[node] * way[node] * way[node]
        cross += link * way[node] * way[last]
    if len(model.helps) > 0:
        cross += multiply_learned(model.black, model.white, model.helps, pull, way, product)
    else:
        cross += multiply_games(model.black, model.white, pull, way, product)
    return square - 2.0 * cross


@kernel
def multiply_games(black: Nodes, white: Nodes, pull: Reals, way: Reals, product: Reals) -> float:
    """Add what the games add to `product` off the diagonal; return what they add to the cross terms."""
    cross = 0.0
    for game in range(len(pull)):
        b, w, weight = black[game], white[game], np.float64(pull[game])
        one, other = np.float64(way[b]), np.float64(way[w])
        product[b] -= weight * other
        product[w] -= weight * one
        cross += weight * one * other
    return cross


@kernel
def multiply_learned(black: Nodes, white: Nodes, helps: Nodes, pull: Reals, way: Reals, product: Reals) -> float:
    """Do the same where a factor that helps Black is learned."""
    cross = 0.0
    for game in range(len(pull)):
        b, w, up, weight = black[game], white[game], helps[game], np.float64(pull[game])
        one, other, terms = np.float64(way[b]), np.float64(way[w]), np.float64(way[up])
        product[b] += weight * (terms - other)
        product[w] -= weight * (terms + one)
        product[up] += weight * (one - other)
        cross += weight * (one * other - terms * (one - other))
    return cross


@kernel
def relax(model: Model, stride: float, work: Work) -> tuple[float, float]:
    """Step `stride` along `way`, then solve the chains for the remainder; return rest . fresh and the largest change.

    Sets step += stride * way and rest -= stride * product, then solves each player's own system, L D L^T x = rest:
    forward y_i = (rest_i + link y_(i-1)) / d_i, backward x_i = y_i + link / d_i x_(i+1).
    """
    pivot, carry, step, rest, fresh, way, product = work
    largest = 0.0
    for node in range(len(step)):
        last, change = model.previous[node], stride * way[node]
        step[node] += change
        rest[node] -= stride * product[node]
        fresh[node] = pivot[node] * (rest[node] + model.link[node] * fresh[last])
        largest = max(largest, abs(change))
    total = 0.0
    for node in range(len(step) - 1, -1, -1):
        total += rest[node] * fresh[node]
        fresh[model.previous[node]] += carry[node] * fresh[node]
    return total, largest


@kernel
def find_step(
    model: Model,
    gradient: Floats,
    curvature: Floats,
    pull: Floats,
    loose: float,
    tolerance: float,
    work: Work,
) -> int:
    """Solve H step = gradient by preconditioned conjugate gradients; return the rounds that it took.

    They end when a round changes no strength by more than `loose` times the size of the first round (and times that
    size itself once it is small, so that Newton's steps converge quadratically) or TIGHT times the tolerance.
    """
    factorise(model, curvature, work)
    work.rest[:] = gradient
    for vector in (work.step, work.way, work.product):
        vector[:] = 0.0
    energy, _ = relax(model, 0.0, work)
    share, enough = 0.0, 0.0
    for done in range(1, MOST_ROUNDS + 1):
        slope = multiply(model, curvature, pull, share, work)
        if not slope > 0.0:
            return done - 1
        left, largest = relax(model, energy / slope, work)
        if done == 1:
            enough = max(min(loose, largest) * largest, TIGHT * tolerance)
        if largest <= enough:
            return done
        share, energy = left / energy, left
    return MOST_ROUNDS


@kernel
def widest(model: Model, step: Floats) -> float:
    """Return the largest change that a step makes to the lead in any game, or in a virtual one."""
    width = 0.0
    for node in range(len(step)):
        if model.prior[node] > 0.0:
            width = max(width, abs(step[node]))
    for game in range(len(model.black)):
        change = step[model.black[game]] - step[model.white[game]]
        if len(model.helps) > 0:
            change += step[model.helps[game]]
        width = max(width, abs(change))
    return width


@kernel
def room(count: int, step: Floats) -> Work:
    """Return the arrays with which a step is found."""
    return Work(
        np.zeros(count), np.zeros(count), step, np.zeros(count), np.zeros(count), np.zeros(count), np.zeros(count)
    )


@kernel
def joint_variances(
    model: Model,
    curvature: Floats,
    pull: Floats,
    pool: Ints,
    free: Flags,
) -> Floats:
    """Return the diagonal of the inverse of the negative Hessian, shape (nodes,), one column of it at a time.

    Args:
        model, curvature, pull: As `maximise` leaves them.
        pool: Pool of each node; -1 leaves a node out (NaN).
        free: Whether nothing holds the level of a node's pool; the variance is then that of the distance to the mean
            of the pool, from the pseudo-inverse.
    """
    count = len(curvature)
    size = np.zeros(count + 1)
    for node in range(count):
        size[pool[node]] += 1.0
    variance = np.full(count, np.nan)
    step, unit = np.zeros(count), np.zeros(count)
    work = room(count, step)
    for node in range(count):
        if pool[node] < 0:
            continue
        for other in range(count):
            shared = free[node] and pool[other] == pool[node]
            unit[other] = -1.0 / size[pool[node]] if shared else 0.0
        unit[node] += 1.0
        find_step(model, unit, curvature, pull, EXACTLY, 0.0, work)
        level = 0.0
        if free[node]:
            for other in range(count):
                if pool[other] == pool[node]:
                    level += step[other] / size[pool[node]]
        variance[node] = step[node] - level
    return variance


@kernel
def maximise(model: Model, tolerance: float, strength: Floats, pull: Floats) -> tuple[Effort, Floats]:
    """Move `strength` to the maximum, and fill `pull`; return the effort and the curvature there.

    Ends when a step changes no strength by `tolerance` or more. A step that changes a lead by d > 1.79 may lose; if the
    slope has turned against it at its end, it is cut to ln(1 + d) / d of its length, which never loses.
    """
    count = len(strength)
    gradient, curvature, step = np.zeros(count), np.zeros(count), np.zeros(count)
    work = room(count, step)
    rounds, moved, width = 0, 0.0, 0.0
    for done in range(1, MOST_STEPS + 1):
        linearise(model, strength, gradient, curvature, pull)
        if width > SAFE and (gradient * step).sum() < 0.0:
            strength -= (1.0 - math.log(1.0 + width) / width) * step
            linearise(model, strength, gradient, curvature, pull)
        rounds += find_step(model, gradient, curvature, pull, LOOSE, tolerance, work)
        strength += step
        moved = np.abs(step).max() if count > 0 else 0.0
        if moved < tolerance:
            return Effort(done, rounds, moved), curvature
        width = widest(model, step) if 2.0 * moved > SAFE else 0.0
    return Effort(MOST_STEPS, rounds, moved), curvature
