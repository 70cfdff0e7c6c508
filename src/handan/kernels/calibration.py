"""How far the odds of a law hold in a ledger: the slope of calibration, learned from the games that went before.

Source: D. Cox, "Two further applications of a model for binary regression" (1958), for the slope; A. P. Dawid, "The
prequential approach" (1984), for forecasts that are judged one step ahead.
"""

from __future__ import annotations

import math

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.types import Floats, Ints

SLOPES = tuple(tenth / 10.0 for tenth in range(11))
"""Slopes that are weighed: 0 is a coin, 1 the law as published; our choice: no ledger makes a law surer than it is."""
AS_PUBLISHED = 0.5
"""Weight of slope 1 before the first game; the others share the rest. our choice."""


LEAST = 1e-250
"""Below it a weight plays no part and does not fall, so that later games can raise it again. our choice."""


@kernel
def likelihood(odds: float, score: float) -> float:
    """Return p^S (1 - p)^(1 - S) for a win, a loss or a draw of the side that leads, against which the odds are."""
    share = 1.0 / (1.0 + odds)
    if score == 0.5:
        return math.sqrt(odds) * share
    return share if score == 1.0 else odds * share


@kernel
def calibrate(
    lead: Floats,
    score: Floats,
    batch: Ints,
    slopes: Floats,
    weight: Floats,
    slope: Floats,
) -> None:
    """Fill `slope`: the mean slope known before each game, and after the last one.

    Args:
        lead: Log odds of Black by the law before each game, in the order of the replay, shape (games,).
        score: Black's score, shape (games,).
        batch: First game of each batch of games rated together, and the number of games, shape (batches + 1,).
        slopes: The slopes that are weighed: 0, a number, twice and three times that number, and so on.
        weight: Their weights, which add up to 1; overwritten.
        slope: Filled, shape (games + 1,).
    """
    mean = 0.0
    for i in range(len(slopes)):
        mean += weight[i] * slopes[i]
    for number in range(len(batch) - 1):
        first, behind = batch[number], batch[number + 1]
        slope[first:behind] = mean
        for game in range(first, behind):
            total, mean = 0.0, 0.0
            once = math.exp(-abs(slopes[1] * lead[game]))  # odds by the slope i are its i-th power
            leader = score[game] if lead[game] >= 0.0 else 1.0 - score[game]
            odds = 1.0
            for i in range(len(slopes)):
                weight[i] *= likelihood(odds, leader)
                total += weight[i]
                odds *= once
            scale = 1.0 / total
            for i in range(len(slopes)):
                weight[i] = max(weight[i] * scale, LEAST)
                mean += weight[i] * slopes[i]
    slope[len(lead)] = mean


def first_weights() -> Floats:
    """Return the weights of the slopes before the first game, shape (slopes,)."""
    weight = np.full(len(SLOPES), (1.0 - AS_PUBLISHED) / (len(SLOPES) - 1))
    weight[-1] = AS_PUBLISHED
    return weight


def calibration(lead: Floats, score: Floats, batch: Ints, weight: Floats | None = None) -> Floats:
    """Return the slope known before each game and after the last one, shape (games + 1,).

    Args:
        lead, score, batch: As in `calibrate`.
        weight: Weights of the slopes after the games before, which those after these games take the place of; None:
            there are no games before.
    """
    slopes, slope = np.array(SLOPES), np.empty(len(lead) + 1)
    weight = first_weights() if weight is None else weight
    calibrate.for_work(len(slopes) * len(lead))(lead, score, batch, slopes, weight, slope)
    return slope
