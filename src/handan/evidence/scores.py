"""How good forecasts were: log-loss, Brier score, accuracy, and calibration.

Source: I. J. Good, "Rational decisions" (1952), for the logarithmic score; G. Brier, "Verification of forecasts
expressed in terms of probability" (1950); D. Cox, "Two further applications of a model for binary
regression" (1958), for intercept and slope of calibration.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from handan.kernels.arrays import blocks
from handan.kernels.types import Floats, Ints, Reals
from handan.systems.core.forecasting import probabilities

COIN = math.log(2.0)
"""What a coin loses in any game."""
CLIP = 1e-6  # nearest to 0 and 1 that a probability is scored; our choice, as in the tallies of online-go.com
EVEN = 1e-9  # nearer to one half a chance is even; what lies between is the rounding of the solvers
BINS = 10
STEPS = 50
SETTLED = 1e-12
FARTHEST = 10.0  # slopes and intercepts beyond it mean that forecasts or results do not vary enough to tell
RIDGE = 1e-9  # information that keeps the solution finite where forecasts do not vary
MANY = 100_000  # our choice: so many games do not show the rounding of a probability to 24 binary digits
Chances = Reals
"""Probabilities that Black wins, shape (games,)."""


def halved(probability: Floats) -> Chances:
    """Return probabilities as they are kept: in half the memory where they are many."""
    return probability if len(probability) < MANY else probability.astype(np.float32)


def losses(probability: Chances, score: Reals) -> Floats:
    """Return -(s ln p + (1 - s) ln(1 - p)) of each game, p kept 1e-6 from 0 and 1, a draw one half; shape (games,)."""
    loss = np.empty(len(score))
    for rows in blocks(len(score)):
        p = np.clip(np.asarray(probability[rows], dtype=np.float64), CLIP, 1.0 - CLIP)
        loss[rows] = -(score[rows] * np.log(p) + (1.0 - score[rows]) * np.log1p(-p))
    return loss


@dataclass(frozen=True, eq=False)
class Losses:
    """The losses of several systems, made for the games that are asked for: all together would outweigh a ledger."""

    probability: Sequence[Chances]
    """That Black wins each game, of each system."""
    score: Reals

    def __getitem__(self, rows: Ints | slice) -> Floats:
        """Return the losses of some games, shape (rows, systems)."""
        return np.stack([losses(p[rows], self.score[rows]) for p in self.probability], axis=1)


def log_odds(probability: Chances) -> Floats:
    """Return ln(p / (1 - p)) of each game, p kept 1e-6 from 0 and 1, shape (games,)."""
    odds = np.empty(len(probability))
    for rows in blocks(len(odds)):
        p = np.clip(np.asarray(probability[rows], dtype=np.float64), CLIP, 1.0 - CLIP)
        odds[rows] = np.log(p) - np.log1p(-p)
    return odds


def log_loss(probability: Chances, score: Reals) -> float:
    """Return the mean loss."""
    return float(losses(probability, score).mean())


def brier(probability: Chances, score: Reals) -> float:
    """Return the mean of (p - s)^2."""
    squares = np.empty(len(score))
    for rows in blocks(len(score)):
        squares[rows] = (np.asarray(probability[rows], dtype=np.float64) - score[rows]) ** 2
    return float(squares.mean())


def accuracy(probability: Chances, score: Reals) -> float | None:
    """Return the share of decided games whose winner had the higher chance, even chances one half; None without any."""
    right, decided = 0.0, 0
    for rows in blocks(len(score)):
        mine = score[rows] != 0.5
        p, s = np.asarray(probability[rows], dtype=np.float64)[mine], score[rows][mine]
        even = np.abs(p - 0.5) < EVEN
        right += float(np.where(even, 0.5, (p > 0.5) == (s == 1.0)).sum())
        decided += len(s)
    return right / decided if decided else None


class Bin(NamedTuple):
    """Games whose forecasts are alike."""

    low: float
    high: float
    games: int
    forecast: float
    """Mean probability."""
    score: float
    """Mean score."""


class Calibration(NamedTuple):
    """How far forecasts mean what they say."""

    intercept: float | None
    """Of the log odds of results; 0 where Black wins as often as forecast. None where it cannot be told."""
    slope: float | None
    """1 where chances are as forecast, below 1 where forecasts are too sure. None where it cannot be told."""
    error: float
    """Mean distance of forecast and score over the bins, weighted by games."""
    table: tuple[Bin, ...]


def calibration(probability: Chances, score: Reals) -> Calibration:
    """Return the calibration of forecasts: the results as a logistic regression on the log odds, and ten bins."""
    intercept, slope = _line(log_odds(probability), score)
    table = tuple(_bins(probability, score))
    error = sum(each.games * abs(each.forecast - each.score) for each in table) / max(len(score), 1)
    return Calibration(intercept, slope, error, table)


def _line(lead: Floats, score: Reals) -> tuple[float | None, float | None]:
    """Return the most likely (a, b) of log odds a + b lead, None each where the forecasts do not vary."""
    if not len(lead) or np.ptp(lead) < 1e-9:
        return None, None
    line = np.array([0.0, 1.0])
    for _ in range(STEPS):
        pull, bend = np.zeros(2), RIDGE * np.eye(2)
        for rows in blocks(len(lead)):
            some = lead[rows]
            columns = np.stack((np.ones(len(some)), some), axis=1)
            p = probabilities(columns @ line)
            bend += (columns * (p * (1.0 - p))[:, None]).T @ columns
            pull += columns.T @ (score[rows] - p)
        step = np.linalg.solve(bend, pull)
        line = line + np.clip(step, -1.0, 1.0)
        if np.abs(step).max() < SETTLED:
            break
        if np.abs(line).max() > FARTHEST:
            return None, None
    return float(line[0]), float(line[1])


def _bins(probability: Chances, score: Reals) -> list[Bin]:
    """Return ten bins of equal width, without those that hold no game."""
    games, forecast, results = np.zeros(BINS, dtype=np.int64), np.zeros(BINS), np.zeros(BINS)
    for rows in blocks(len(score)):
        p = np.asarray(probability[rows], dtype=np.float64)
        number = np.minimum((p * BINS).astype(np.int8), BINS - 1)
        games += np.bincount(number, minlength=BINS)
        np.add.at(forecast, number, p)
        np.add.at(results, number, score[rows])
    return [
        Bin(i / BINS, (i + 1) / BINS, int(games[i]), float(forecast[i] / games[i]), float(results[i] / games[i]))
        for i in range(BINS)
        if games[i]
    ]
