"""The most likely strengths given all results: Newton's method on a concave log posterior, with a safe step length.

The posterior is concave, so its maximum is unique and the way to it only a matter of speed.
Strengths and their gradient have 64 bits, so that each step begins from what is really left; the vectors with which a
step is found have 32 where no link is stiff, since an error in a step is what the next step finds.

Source of the step that cannot lose: F. Bach, "Self-concordant analysis for logistic regression" (2010), section 3.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from handan.kernels.compiling import Kernel, kernel
from handan.kernels.posterior.conjugate_gradients import Limits, Vectors, conjugate_gradients
from handan.kernels.posterior.coordinate_ascent import Incidence, ascend, ascend_node, slope_of_node
from handan.kernels.posterior.likelihood import (
    FLAT,
    Hessian,
    Posterior,
    derivatives,
    evidence,
    linearise,
    linearise_games,
    linearise_priors,
    slope_along,
)
from handan.kernels.types import Flags, Floats, Ints, Reals

SELF_CONCORDANT = 1.79
"""Change of the log odds in any game for which a full step by the logistic law cannot lose: e^d - d - 1 <= d^2."""
LOOSE, TIGHT = 0.3, 0.05  # our choice: share of a step, and of the tolerance, to which a step is solved
EXACTLY = 1e-6
"""Share of the first iteration at which a column x of an inverse is found. Its entry on the diagonal is off by the
square of the error of x, measured by the matrix, so that its relative error is about the square of this."""
USUAL = 50  # our choice: iterations of a search; tens are usual
MOST_STEPS = 200  # our choice: a few steps are usual
ENOUGH = 0.2  # our choice: share of the first slope that the slopes halfway and at the end must have together
HALVINGS = 20  # our choice: of a step
NARROW = 1e-11  # our choice: change below which a step that is cut ends the search
FLATTEST = 1e-14  # our choice: the same where the distance from the maximum is bounded
EPSILON = 2.220446049250313e-16  # spacing of double precision at 1
STIFF = 1e4
"""Link, 1 / natural units^2, up to which steps are found with 32 bits.
our choice: rounding of a day's strength then weighs at most a five-hundredth of what a game says."""
COARSE = 1e-4
"""Share of its first iteration to which a step is solved at most; our choice: beyond it is rounding of 32 bits."""


class Effort(NamedTuple):
    """What a solution took."""

    steps: int
    """Newton steps."""
    iterations: int
    """Iterations of conjugate gradients in all of them, each about one sweep over all games."""
    moved: float
    """Largest change of the last step, in the unit of strengths."""
    ended: bool
    """Whether the search has ended, rather than done as much as it was asked for."""


@kernel
def largest(values: Reals) -> float:
    """Return the largest absolute value, 0 of none."""
    result = 0.0
    for value in values:
        result = max(result, abs(np.float64(value)))
    return result


@kernel
def safe_share(posterior: Posterior, strength: Floats, step: Reals, start: float) -> float:
    """Return how much of a step to take: the first of 1, 1/2, 1/4 … that surely gains, 0 if none does.

    The slope of a concave function falls along a step, from `start` on, so that its gain is at least half the step
    times the sum of the slopes halfway and at the end. Slopes, unlike values of the function, can be compared down to
    the last digits.
    """
    share, end = 1.0, slope_along(posterior, strength, step, 1.0)
    for _ in range(HALVINGS):
        if end >= 0.0:
            return share
        half = slope_along(posterior, strength, step, 0.5 * share)
        if half + end >= ENOUGH * start:
            return share
        share, end = 0.5 * share, half
    return 0.0


@kernel
def maximise(
    posterior: Posterior,
    incidence: Incidence,
    tolerance: float,
    limits: Limits,
    safe: float,
    strength: Floats,
    gradient: Floats,
    hessian: Hessian,
    vectors: Vectors,
    so_far: Effort,
    enough: int,
) -> Effort:
    """Move `strength` to the maximum, or towards it for `enough` iterations; return the effort.

    Ends when a whole step moves no strength by `tolerance` or more, and takes that step, or where rounding hides which
    way is up.

    Args:
        posterior: What is maximised.
        incidence: The nodes that are moved one by one where a whole step would lose.
        tolerance: In the unit of strengths.
        limits: To which each step is solved.
        safe: Change of a strength up to which a whole step cannot lose.
        strength: Where the search begins, and where it ends, shape (nodes,).
        gradient, hessian, vectors: Room.
        so_far: What was done before.
        enough: Iterations, with those before, after which no step begins.
    """
    done, iterations, moved, _ = so_far
    x = vectors.x
    while done < MOST_STEPS:
        if iterations >= enough:
            return Effort(done, iterations, moved, ended=False)
        done += 1
        linearise(posterior, strength, FLAT, gradient, hessian)
        iterations += conjugate_gradients(posterior, hessian, gradient, limits, vectors)
        moved = largest(x)
        if moved <= safe or moved < tolerance:
            strength += x
            if moved < tolerance:
                return Effort(done, iterations, moved, ended=True)
            continue
        start = 0.0
        for node in range(len(gradient)):
            start += gradient[node] * np.float64(x[node])
        share = safe_share(posterior, strength, x, start)
        if share == 1.0:
            strength += x
            continue
        before = strength.copy()
        for node in range(len(strength)):
            strength[node] += share * np.float64(x[node])
        ascend(posterior, incidence, strength)
        if largest(strength - before) < NARROW:
            break
    return Effort(done, iterations, moved, ended=True)


@kernel
def error_bound(posterior: Posterior, strength: Floats, gradient: Floats, hessian: Hessian, vectors: Vectors) -> float:
    """Return how far any strength may be from the maximum, by the curvature here: max of H^-1 (|gradient| + rounding).

    H, the negative Hessian, has no positive entry off its diagonal without learned worths, so that its inverse has no
    negative one, and what the gradient and its rounding can do to any strength is at most this.
    """
    graph, prior = posterior.graph, posterior.prior
    linearise(posterior, strength, FLATTEST, gradient, hessian)
    for node in range(len(gradient)):
        gradient[node] = abs(gradient[node])
    for place in range(len(prior.node)):
        gradient[prior.node[place]] += 2.0 * EPSILON * prior.weight[place] * prior.steepness[place]
    for game in range(len(graph.black)):
        kind = posterior.kind[game]
        rounding = EPSILON * posterior.weight[kind] * posterior.steepness[kind]
        gradient[graph.black[game]] += rounding
        gradient[graph.white[game]] += rounding
    conjugate_gradients(posterior, hessian, gradient, Limits(EXACTLY, 0.0, 0.0), vectors)
    return largest(vectors.x)


@kernel
def joint_variances(posterior: Posterior, hessian: Hessian, pool: Ints, free: Flags, vectors: Vectors) -> Floats:
    """Return the diagonal of the inverse of the negative Hessian, shape (nodes,), one column of it at a time.

    Args:
        posterior, hessian: At the maximum.
        pool: Pool of each node; -1 leaves a node out (NaN).
        free: Whether nothing holds the level of a node's pool; the variance is then that of the distance to the mean
            of the pool, from the pseudo-inverse.
        vectors: Room.
    """
    count = len(pool)
    size = np.zeros(count + 1)
    for node in range(count):
        size[pool[node]] += 1.0
    variance, unit = np.full(count, np.nan), np.zeros(count)
    for node in range(count):
        if pool[node] < 0:
            continue
        for other in range(count):
            shared = free[node] and pool[other] == pool[node]
            unit[other] = -1.0 / size[pool[node]] if shared else 0.0
        unit[node] += 1.0
        conjugate_gradients(posterior, hessian, unit, Limits(EXACTLY, 0.0, 0.0), vectors)
        level = 0.0
        if free[node]:
            for other in range(count):
                if pool[other] == pool[node]:
                    level += vectors.x[other] / size[pool[node]]
        variance[node] = vectors.x[node] - level
    return variance


class Solver(NamedTuple):
    """Newton's method under one law of winning."""

    law: Kernel[[float, float], tuple[float, float, float]]
    maximise: Kernel[..., Effort]
    error_bound: Kernel[..., float]
    evidence: Kernel[[Posterior, Floats, Floats, Floats], None]
    self_concordant: float
    """Change of the log odds of any game up to which a full step cannot lose."""

    @classmethod
    def of(cls, name: str, law: Kernel[[float, float], tuple[float, float, float]]) -> Solver:
        """Bind a concave law, which may have kinks in its curvature; `name` tells its kernels from those of others."""
        along = slope_along.using(f"{name}_slope_along", derivatives=law)
        lines = linearise.using(
            f"{name}_linearise",
            linearise_priors=linearise_priors.using(f"{name}_linearise_priors", derivatives=law),
            linearise_games=linearise_games.using(f"{name}_linearise_games", derivatives=law),
        )
        slope = slope_of_node.using(f"{name}_slope_of_node", derivatives=law)
        alone = ascend_node.using(f"{name}_ascend_node", slope_of_node=slope)
        return cls(
            law,
            maximise.using(
                f"{name}_maximise",
                linearise=lines,
                safe_share=safe_share.using(f"{name}_safe_share", slope_along=along),
                ascend=ascend.using(f"{name}_ascend", ascend_node=alone),
            ),
            error_bound.using(f"{name}_error_bound", linearise=lines),
            evidence.using(f"{name}_evidence", derivatives=law),
            0.0,
        )


LOGISTIC = Solver(derivatives, maximise, error_bound, evidence, SELF_CONCORDANT)
"""By the law of Bradley-Terry, Elo and Whole-History Rating."""


def workspace(nodes: int, games: int, priors: int, precision: Any = np.float64) -> tuple[Floats, Hessian, Vectors]:
    """Return arrays for a gradient, a Hessian and the vectors of conjugate gradients."""
    hessian = Hessian(np.empty(nodes, precision), np.empty(games, precision), np.empty(priors))
    return np.empty(nodes), hessian, Vectors(*(np.zeros(nodes, precision) for _ in Vectors._fields))


def maximise_from(
    posterior: Posterior,
    strength: Floats,
    tolerance: float,
    solver: Solver = LOGISTIC,
    incidence: Incidence | None = None,
    loose: float = LOOSE,
    tight: float = TIGHT,
) -> Effort:
    """Move `strength`, shape (nodes,), to the maximum, to a tolerance in the unit of strengths.

    Args:
        posterior: What is maximised.
        strength: Where the search begins.
        tolerance: Change of the last step.
        solver: The law.
        incidence: The nodes that are moved one by one where a whole step would lose.
        loose, tight: Share of a step, and of the tolerance, to which a step is solved.
    """
    games, stiff = len(posterior.kind), float(posterior.links.max()) > STIFF
    precision: Any = np.float64 if stiff else np.float32
    steepest = max(float(column.max(initial=0.0)) for column in (posterior.steepness, posterior.prior.steepness))
    sides = 3.0 if len(posterior.graph.worth) else 2.0
    safe = solver.self_concordant / (sides * steepest) if steepest else 0.0
    gradient, hessian, vectors = workspace(len(strength), games, len(posterior.prior.node), precision)
    limits = Limits(loose, 0.0 if stiff else COARSE, tight * tolerance)
    effort, alone = Effort(0, 0, 0.0, ended=False), incidence or Incidence.none()
    while not effort.ended:  # machine code takes over where weak priors and long ways between players take hundreds
        more = max(USUAL, effort.iterations)
        run = solver.maximise.for_work(more * max(games, len(strength) // 2))
        enough = effort.iterations + more
        effort = run(posterior, alone, tolerance, limits, safe, strength, gradient, hessian, vectors, effort, enough)
    return effort


def hessian_at(posterior: Posterior, strength: Floats) -> Hessian:
    """Return the negative Hessian at some strengths."""
    nodes, games = len(strength), len(posterior.kind)
    hessian = Hessian(np.empty(nodes), np.empty(games), np.empty(len(posterior.prior.node)))
    linearise.for_work(games)(posterior, strength, 0.0, np.empty(nodes), hessian)
    return hessian
