"""Bradley-Terry as defined: the log posterior of all strengths, maximised with full matrices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

UNIT = 400.0 / np.log(10.0)
Game = tuple[str, str, float, float, float]
"""Black, White, Black's score, Black's advantage in Elo, weight."""


def strengths(games: Sequence[Game], prior: float, entries: Mapping[str, float]) -> dict[str, float]:
    """Return the most likely strengths in Elo; virtual games are against the player's entry, in Elo."""
    names = sorted({name for black, white, *_ in games for name in (black, white)})
    place = {name: index for index, name in enumerate(names)}
    entry = np.array([entries[name] / UNIT for name in names])
    r = entry.copy()
    for _ in range(200):
        p = 1.0 / (1.0 + np.exp(entry - r))
        gradient, hessian = prior * (1.0 - 2.0 * p), np.diag(2.0 * prior * p * (1.0 - p))
        for black, white, score, worth, weight in games:
            i, j = place[black], place[white]
            chance = 1.0 / (1.0 + np.exp(r[j] - r[i] - worth / UNIT))
            gradient[[i, j]] += weight * np.array([score - chance, chance - score])
            square = np.array([[1.0, -1.0], [-1.0, 1.0]])
            hessian[np.ix_([i, j], [i, j])] += weight * chance * (1.0 - chance) * square
        step = np.linalg.solve(hessian, gradient)
        r += step * min(1.0, 1.0 / max(float(np.abs(step).max()), 1.0))  # far from the maximum a whole step may lose
        if np.abs(step).max() < 1e-13:
            break
    return dict(zip(names, (UNIT * r).tolist(), strict=True))
