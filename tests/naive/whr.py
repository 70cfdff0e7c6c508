"""Whole-History Rating as defined: the log posterior of all days, maximised with full matrices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

UNIT = 400.0 / np.log(10.0)
Game = tuple[str, str, float, int, float]
"""Black, White, Black's score, day, Black's advantage in Elo."""
Day = tuple[str, int]


def history(
    games: Sequence[Game], w2: float, prior: float, entries: Mapping[str, float] | None = None
) -> tuple[list[Day], NDArray[np.float64], NDArray[np.float64]]:
    """Return the days, their strengths in Elo, and the negative Hessian in natural units at the maximum.

    Virtual games of the first day are against the player's entry in Elo, 0 without one.
    """
    days = sorted({(player, day) for black, white, _, day, _ in games for player in (black, white)})
    place = {day: index for index, day in enumerate(days)}
    r = np.array([(entries or {}).get(player, 0.0) / UNIT for player, _ in days])
    while True:
        gradient, hessian = np.zeros(len(days)), np.zeros((len(days), len(days)))
        for black, white, score, day, worth in games:
            i, j = place[black, day], place[white, day]
            p = 1.0 / (1.0 + np.exp(-(r[i] - r[j] + worth / UNIT)))
            gradient[[i, j]] += score - p, p - score
            hessian[np.ix_([i, j], [i, j])] += p * (1.0 - p) * np.array([[1.0, -1.0], [-1.0, 1.0]])
        for index, (player, day) in enumerate(days):
            if index and days[index - 1][0] == player:
                per = UNIT**2 / ((day - days[index - 1][1]) * w2)
                gap = r[index] - r[index - 1]
                gradient[[index - 1, index]] += per * gap, -per * gap
                hessian[index - 1 : index + 1, index - 1 : index + 1] += per * np.array([[1.0, -1.0], [-1.0, 1.0]])
            else:
                p = 1.0 / (1.0 + np.exp((entries or {}).get(player, 0.0) / UNIT - r[index]))
                gradient[index] += prior * (1.0 - 2.0 * p)
                hessian[index, index] += 2.0 * prior * p * (1.0 - p)
        step = np.linalg.solve(hessian, gradient)
        r += step * min(1.0, 1.0 / max(float(np.abs(step).max()), 1.0))  # far from the maximum a whole step may lose
        if np.abs(step).max() < 1e-13:
            return days, UNIT * r, hessian
