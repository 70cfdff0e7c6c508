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


def with_first_move(games: Sequence[Game], prior: float, doubt: float) -> tuple[dict[str, float], float, float]:
    """Return strengths, worth of the first move and its deviation, all in Elo, with full matrices.

    Args:
        games: As above; all with known colours, and against entries of 0.
        prior: Virtual wins and losses of each player.
        doubt: Deviation of the first move before any game, Elo, if strengths were known.
    """
    names = sorted({name for black, white, *_ in games for name in (black, white)})
    rows = np.array([[(name == black) - (name == white) for name in names] + [1.0] for black, white, *_ in games])
    score, terms, weight = (np.array([game[place] for game in games]) for place in (2, 3, 4))

    def remains(information: np.ndarray) -> float:
        whole = rows.T @ (information[:, None] * rows)
        strengths, shared = whole[:-1, :-1], whole[:-1, -1]
        return float(whole[-1, -1] - shared @ np.linalg.pinv(strengths, rcond=1e-10) @ shared)

    precision = (UNIT / doubt) ** 2
    virtual = 2.0 * precision * 0.25 * weight.sum() / remains(0.25 * weight)
    priors, theta = np.array([prior] * len(names) + [virtual]), np.zeros(len(names) + 1)
    for _ in range(200):
        p, q = 1.0 / (1.0 + np.exp(-rows @ theta - terms / UNIT)), 1.0 / (1.0 + np.exp(-theta))
        gradient = rows.T @ (weight * (score - p)) + priors * (1.0 - 2.0 * q)
        hessian = rows.T @ ((weight * p * (1.0 - p))[:, None] * rows) + np.diag(2.0 * priors * q * (1.0 - q))
        step = np.linalg.solve(hessian, gradient)
        theta += step * min(1.0, 1.0 / max(float(np.abs(step).max()), 1.0))
        if np.abs(step).max() < 1e-13:
            break
    p = 1.0 / (1.0 + np.exp(-rows @ theta - terms / UNIT))
    deviation = 1.0 / np.sqrt(precision + remains(weight * p * (1.0 - p)))
    return dict(zip(names, (UNIT * theta[:-1]).tolist(), strict=True)), UNIT * float(theta[-1]), UNIT * float(deviation)
