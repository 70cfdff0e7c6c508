"""What Holigor's rating minimises, result by result."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from handan.systems.holigor import Results


def loss(x: NDArray[np.float64], results: Results, p: float) -> float:
    """Return the sum of a (1 - exp(-p (x_i - x_j - r)^2))."""
    rows = zip(*(column.tolist() for column in results), strict=True)
    return math.fsum(weight * (1.0 - math.exp(-p * (x[i] - x[j] - result) ** 2)) for i, j, result, weight in rows)
