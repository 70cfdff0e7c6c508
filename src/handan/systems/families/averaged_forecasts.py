"""Forecasts that average over how uncertain two strengths are."""

from __future__ import annotations

import math

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.posterior.likelihood import win_probability

ROOT_2PI = math.sqrt(2.0 * math.pi)
NODES, WEIGHTS = (tuple(column.tolist()) for column in np.polynomial.hermite_e.hermegauss(24))
"""Gauss-Hermite quadrature for a standard normal.
our choice: 24 points, within 2e-6 for deviations of both together of up to 2 natural units."""


@kernel
def averaged(lead: float, spread: float) -> float:
    """Return the log odds of a win: 1 / (1 + e^-z) averaged over z ~ N(lead, spread^2); NaN stands for no spread.

    Args:
        lead: Natural units.
        spread: Deviation of the lead, natural units.
    """
    if spread == 0.0 or math.isnan(spread):
        return lead
    less = 0.0  # the smaller of the two probabilities, which keeps its digits
    for place in range(len(NODES)):
        less += WEIGHTS[place] * win_probability(spread * NODES[place] - abs(lead))
    less /= ROOT_2PI
    return math.copysign(math.log1p(-less) - math.log(less), lead) if less > 0.0 else lead
