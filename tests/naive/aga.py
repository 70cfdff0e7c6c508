"""BayRate written straight from its description, for one event, with dense matrices."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Result = tuple[int, int, int, float, float]  # white, black, +1 if White won else -1, e, s


def log_phi(z: float) -> float:
    """Return the logarithm of the standard normal distribution function, for z above -37."""
    return math.log(0.5 * math.erfc(-z / math.sqrt(2)))


def fit(seed: Floats, sigma: Floats, games: list[Result]) -> Floats:
    """Return the minimiser of sum (c - m)^2 / (2 sigma^2) - sum ln Phi(+-(w - b - e)/s)."""
    c = seed.copy()
    for _ in range(60):
        gradient = (c - seed) / sigma**2
        hessian = np.diag(1 / sigma**2)
        for white, black, sign, e, s in games:
            z = sign * (c[white] - c[black] - e) / s
            v = math.exp(-z * z / 2 - log_phi(z)) / math.sqrt(2 * math.pi)
            side = np.zeros(len(c))
            side[white], side[black] = sign / s, -sign / s
            gradient -= v * side
            hessian += v * (v + z) * np.outer(side, side)
        c -= 0.7 * np.linalg.solve(hessian, gradient)
    return c


def new_sigma(player: int, c: Floats, seed: Floats, sigma: Floats, games: list[Result]) -> float:
    """Return the root of the second moment about the mode over 100 points, the others held there."""
    offsets = sigma[player] * (-5.05 + 0.1 * np.arange(100))
    logs = -((c[player] + offsets - seed[player]) ** 2) / (2 * sigma[player] ** 2)
    for white, black, sign, e, s in games:
        if player in {white, black}:
            shift = offsets if player == white else -offsets
            logs += [log_phi(sign * (c[white] - c[black] + move - e) / s) for move in shift]
    weight = np.exp(logs - logs.max())
    return math.sqrt(float(np.sum(weight * offsets**2) / np.sum(weight)))
