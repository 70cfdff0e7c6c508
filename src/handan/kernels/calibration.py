"""How far the odds of a law hold in a ledger: the slope of calibration, learned from the games that went before.

Source: D. Cox, "Two further applications of a model for binary regression" (1958), for the slope; A. P. Dawid, "The
prequential approach" (1984), for forecasts that are judged one step ahead.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from handan.kernels.compiling import kernel

SLOPES = tuple(tenth / 10.0 for tenth in range(11))
"""Slopes that are weighed: 0 is a coin, 1 the law as published; our choice: no ledger makes a law surer than it is."""
AS_PUBLISHED = 0.5
"""Weight of slope 1 before the first game; the others share the rest. our choice."""


@kernel
def log_likelihood(lead: float, score: float) -> float:
    """Return S ln p + (1 - S) ln(1 - p) of p = 1 / (1 + e^-lead), without overflow."""
    missing = math.log1p(math.exp(-abs(lead)))
    return -missing - (1.0 - score) * lead if lead >= 0.0 else -missing + score * lead


@kernel
def mean_slope(slopes: NDArray[np.float64], logs: NDArray[np.float64]) -> float:
    """Return the mean of slopes whose weights are given by their logarithms."""
    highest = float(np.max(logs))
    total, weighted = 0.0, 0.0
    for i in range(len(slopes)):
        weight = math.exp(logs[i] - highest)
        total += weight
        weighted += weight * slopes[i]
    return weighted / total


@kernel
def calibrate(
    lead: NDArray[np.float64],
    score: NDArray[np.float64],
    batch: NDArray[np.int64],
    slopes: NDArray[np.float64],
    logs: NDArray[np.float64],
    slope: NDArray[np.float64],
) -> None:
    """Fill `slope`: the mean slope known before each game, and after the last one.

    Args:
        lead: Log odds of Black by the law before each game, in the order of the replay, shape (games,).
        score: Black's score, shape (games,).
        batch: First game of each batch of games rated together, and the number of games, shape (batches + 1,).
        slopes: The slopes that are weighed.
        logs: Logarithms of their weights; overwritten.
        slope: Filled, shape (games + 1,).
    """
    for number in range(len(batch) - 1):
        first, behind = batch[number], batch[number + 1]
        slope[first:behind] = mean_slope(slopes, logs)
        for game in range(first, behind):
            for i in range(len(slopes)):
                logs[i] += log_likelihood(slopes[i] * lead[game], score[game])
    slope[len(lead)] = mean_slope(slopes, logs)


def calibration(lead: NDArray[np.float64], score: NDArray[np.float64], batch: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the slope known before each game and after the last one, shape (games + 1,); arguments of `calibrate`."""
    slopes = np.array(SLOPES)
    weights = np.full(len(slopes), (1.0 - AS_PUBLISHED) / (len(slopes) - 1))
    weights[-1] = AS_PUBLISHED
    slope = np.empty(len(lead) + 1)
    calibrate.for_work(len(slopes) * len(lead))(lead, score, batch, slopes, np.log(weights), slope)
    return slope
