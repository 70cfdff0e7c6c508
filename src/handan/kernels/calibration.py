"""How far the odds of a law hold in a ledger: slopes of calibration, weighed by how they forecast the games before.

A forecast is the mean of the probabilities that the slopes give. One of them is a coin, so whatever their results, the
first n games that are forecast one after another cost at most n (ln 2 + `CHANGES`) + ln(1 / `AS_A_COIN`), and n games
in a row anywhere ln(1 / `CHANGES`) more. No forecaster but a coin can promise n ln 2: against every other forecast
stands the result that costs more than ln 2. Games of one batch are forecast with what the first of them knows, so that
their sum is small only by the weight of the coin.

Source: D. Cox, "Two further applications of a model for binary regression" (1958), for the slope; A. P. Dawid, "The
prequential approach" (1984), for forecasts that are judged one step ahead; M. Herbster and M. Warmuth, "Tracking the
best expert" (1998), section 5, for the share of every weight that returns, and for the sums.
"""

from __future__ import annotations

import math

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.types import Floats, Ints

SLOPES = tuple(tenth / 10.0 for tenth in range(11))
"""Slopes that are weighed: 0 is a coin, 1 the law as published; our choice: no ledger makes a law surer than it is."""
AS_A_COIN = 0.7
"""Weight of slope 0 before the first game. our choice: where all players enter at once by ranks that mean nothing
here, many games are forecast before any has been played."""
AS_PUBLISHED = 0.15
"""Weight of slope 1 before the first game; the others share the rest. our choice."""
CHANGES = 1e-4
"""Share of the weights that returns to those before the first game with every game. our choice: what a law is worth
changes once in ten thousand games."""


@kernel
def likelihood(odds: float, score: float) -> float:
    """Return p^S (1 - p)^(1 - S) for a win, a loss or a draw of the side that leads, against which the odds are."""
    share = 1.0 / (1.0 + odds)
    if score == 0.5:
        return math.sqrt(odds) * share
    return share if score == 1.0 else odds * share


@kernel
def calibrated(lead: float, slopes: Floats, weight: Floats) -> float:
    """Return the log odds of the mean of the probabilities that the slopes give.

    Args:
        lead: Log odds by the law.
        slopes: As in `calibrate`.
        weight: Their weights, shape (slopes,).
    """
    once, odds, more, less = math.exp(-abs(slopes[1] * lead)), 1.0, 0.0, 0.0
    for i in range(len(slopes)):
        more += weight[i] / (1.0 + odds)
        less += weight[i] * odds / (1.0 + odds)
        odds *= once
    return math.copysign(math.log(more / less), lead)


@kernel
def calibrate(
    lead: Floats,
    score: Floats,
    known_until: Ints,
    order: Ints,
    slopes: Floats,
    first: Floats,
    weight: Floats,
    out: Floats,
) -> None:
    """Fill `out` with the log odds of Black before each game, calibrated by what was known before it.

    Args:
        lead: Log odds of Black by the law before each game, in the order of the replay, shape (games,).
        score: Black's score, shape (games,).
        known_until: Game before which all that is known to each game was played, none after it, shape (games,).
        order: Games by `known_until`, shape (games,); empty where that ascends.
        slopes: The slopes that are weighed: 0, a number, twice and three times that number, and so on.
        first: Their weights before any game, which add up to 1.
        weight: Their weights before these games; overwritten with those after them.
        out: Filled, shape (games,).
    """
    place = 0
    for game in range(len(lead)):
        while place < len(lead):
            at = order[place] if len(order) > 0 else place
            if known_until[at] > game:
                break
            out[at] = calibrated(lead[at], slopes, weight)
            place += 1
        total = 0.0
        once = math.exp(-abs(slopes[1] * lead[game]))  # odds by the slope i are its i-th power
        leader = score[game] if lead[game] >= 0.0 else 1.0 - score[game]
        odds = 1.0
        for i in range(len(slopes)):
            weight[i] *= likelihood(odds, leader)
            total += weight[i]
            odds *= once
        kept = (1.0 - CHANGES) / total
        for i in range(len(slopes)):
            weight[i] = kept * weight[i] + CHANGES * first[i]


def first_weights() -> Floats:
    """Return the weights of the slopes before the first game, shape (slopes,)."""
    weight = np.full(len(SLOPES), (1.0 - AS_A_COIN - AS_PUBLISHED) / (len(SLOPES) - 2))
    weight[0], weight[-1] = AS_A_COIN, AS_PUBLISHED
    return weight


def as_published() -> Floats:
    """Return the weights of the slopes where the law is taken as it is, shape (slopes,)."""
    weight = np.zeros(len(SLOPES))
    weight[-1] = 1.0
    return weight


def calibration(lead: Floats, score: Floats, known_until: Ints, weight: Floats | None = None) -> Floats:
    """Return the calibrated log odds of Black before each game, shape (games,).

    Args:
        lead, score, known_until: As in `calibrate`.
        weight: Weights of the slopes after the games before, which those after these games take the place of; None:
            there are no games before.
    """
    out, ascending = np.empty(len(lead)), bool((known_until[1:] >= known_until[:-1]).all())
    order = np.empty(0, dtype=np.int64) if ascending else np.argsort(known_until, kind="stable")
    first = first_weights()
    weight = first.copy() if weight is None else weight
    slopes = np.array(SLOPES)
    calibrate.for_work(len(slopes) * len(lead))(lead, score, known_until, order, slopes, first, weight, out)
    return out
