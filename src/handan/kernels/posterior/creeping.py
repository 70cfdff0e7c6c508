"""Where a slow iteration of robust ratings creeps to: Newton's steps on the function that it lowers.

The iteration moves everybody to the weighted mean of what his games ask for. Where few, old or surprising games join
two groups, it needs as many rounds as those games are light; its limit is where the function has no slope.

Source of the function: R. E. Welsch, whose weight e^(-p e^2) of an error e is described in P. Holland and R. Welsch,
"Robust regression using iteratively reweighted least-squares" (1977).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.posterior.likelihood import Model
from handan.kernels.posterior.newton import EXACTLY, find_step, room, widest
from handan.kernels.types import Floats, Nodes

STEPS = 100  # our choice: most steps at once; ten are usual
WIDEST = 0.1  # our choice: units; no step changes a difference by more, so that the path is that of the iteration


class Results(NamedTuple):
    """The different results of pairs, shape (rows,)."""

    one: Nodes
    """A player of the pair."""
    other: Nodes
    result: Floats
    """Of the first: 1, 0 or -1."""
    weight: Floats
    """How much the games with this result weigh together."""


@kernel
def fit_of(error: float, p: float) -> float:
    """Return how well a result fits: exp(-p (x_i - x_j - r)^2), 1 for a perfect fit."""
    return math.exp(-p * error * error)


@kernel
def slopes(x: Floats, results: Results, p: float, gradient: Floats, curvature: Floats, pull: Floats) -> bool:
    """Fill slopes and curvatures of the function, less the factor 2p; return whether it is hollow around everybody.

    Args:
        x: Ratings, shape (players,).
        results: The results.
        p: How soon a surprising result is disregarded.
        gradient: Filled with the slope downhill of each player, shape (players,).
        curvature: Filled with the second derivative of each player, shape (players,).
        pull: Filled with that of each row by the difference of its players, shape (rows,).
    """
    gradient[:] = 0.0
    curvature[:] = 0.0
    for row in range(len(pull)):
        i, j = results.one[row], results.other[row]
        error = x[i] - x[j] - results.result[row]
        share = results.weight[row] * fit_of(error, p)
        pull[row] = share * (1.0 - 2.0 * p * error * error)
        gradient[i] -= share * error
        gradient[j] += share * error
        curvature[i] += pull[row]
        curvature[j] += pull[row]
    for player in range(len(x)):
        if gradient[player] != 0.0 and not curvature[player] > 0.0:
            return False
        if curvature[player] == 0.0:  # plays no part
            curvature[player] = 1.0
    return True


@kernel
def hasten(x: Floats, results: Results, p: float, tolerance: float) -> bool:
    """Move `x` downhill to where the function has no slope; return whether it came there, else `x` is as it was."""
    count, rows = len(x), len(results.one)
    gradient, curvature, pull, step = np.zeros(count), np.zeros(count), np.zeros(rows), np.zeros(count)
    alone, nothing = np.arange(count).astype(np.uint32), np.zeros(count)
    model = Model(
        results.one, results.other, results.result, results.weight, results.result, alone[:0], alone, nothing, nothing
    )
    work, start = room(count, step), x.copy()
    for _ in range(STEPS):
        if not slopes(x, results, p, gradient, curvature, pull):
            break
        find_step(model, gradient, curvature, pull, EXACTLY, tolerance, work)
        wide = widest(model, step)
        x += step * min(1.0, WIDEST / max(wide, WIDEST))
        if wide < tolerance:
            return True
    x[:] = start
    return False
