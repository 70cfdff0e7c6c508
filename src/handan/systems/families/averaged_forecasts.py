"""Forecasts that average over how uncertain two strengths are."""

from __future__ import annotations

import math

import numpy as np

from handan.kernels.posterior.likelihood import win_probability
from handan.ratings import Standing

ROOT_2PI = math.sqrt(2.0 * math.pi)
NODES, WEIGHTS = (column.tolist() for column in np.polynomial.hermite_e.hermegauss(24))
"""Gauss-Hermite quadrature for a standard normal.
our choice: 24 points, within 2e-6 for deviations of both together of up to 2 natural units."""


def averaged(lead: float, black: Standing, white: Standing, unit: float) -> float:
    """Return the log odds of a win for Black: 1 / (1 + e^-z) averaged over z ~ N(lead, s_b + s_w).

    Args:
        lead: Of Black, natural units.
        black, white: Where the players stand; a strength without a deviation is exact.
        unit: A natural unit in the unit of the deviations.
    """
    spread = math.hypot(black.deviation or 0.0, white.deviation or 0.0) / unit
    if spread == 0.0 or math.isnan(spread):
        return lead
    pairs = zip(NODES, WEIGHTS, strict=True)
    # the smaller of the two probabilities, which keeps its digits
    less = sum(weight * win_probability(spread * node - abs(lead)) for node, weight in pairs) / ROOT_2PI
    return math.copysign(math.log1p(-less) - math.log(less), lead) if less > 0.0 else lead
