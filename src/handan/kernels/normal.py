"""The standard normal distribution, and its truncations, in forms that stay exact far out in the tails.

Source: Abramowitz and Stegun, Handbook of Mathematical Functions (1964), 26.2; 26.2.14 is the continued fraction.
"""

from __future__ import annotations

import math

from handan.kernels.compiling import kernel

ROOT_HALF = math.sqrt(0.5)
LOG_ROOT_2PI = 0.5 * math.log(2.0 * math.pi)
TAIL = -8.0  # our choice: below it the continued fraction is exact to the last digits with TERMS terms
TERMS = 40
NO_MARGIN = 1e-6  # our choice: for a narrower interval its limit is nearer than the rounding of the formula


@kernel
def pdf(x: float) -> float:
    """Return the density phi(x) = exp(-x^2 / 2) / sqrt(2 pi)."""
    return math.exp(-0.5 * x * x - LOG_ROOT_2PI)


@kernel
def cdf(x: float) -> float:
    """Return the distribution function Phi(x) = erfc(-x / sqrt(2)) / 2."""
    return 0.5 * math.erfc(-x * ROOT_HALF)


@kernel
def tail_excess(t: float) -> float:
    """Return phi(t) / Phi(-t) - t = 1/(t + 2/(t + 3/(t + ...))) for t of at least 8."""
    rest = t
    for term in range(TERMS, 1, -1):
        rest = t + term / rest
    return 1.0 / rest


@kernel
def inverse_mills(x: float) -> float:
    """Return phi(x) / Phi(x), the slope of log Phi and the mean of a standard normal above -x."""
    if x < TAIL:
        return tail_excess(-x) - x
    return pdf(x) / cdf(x)


@kernel
def shrinkage(x: float) -> float:
    """Return v (v + x) with v = phi(x) / Phi(x), minus the curvature of log Phi: between 0 and 1, falling in x."""
    if x < TAIL:
        excess = tail_excess(-x)
        return (excess - x) * excess
    v = pdf(x) / cdf(x)
    return v * (v + x)


@kernel
def log_cdf(x: float) -> float:
    """Return log Phi(x), which does not underflow where Phi(x) does."""
    if x < TAIL:
        return -0.5 * x * x - LOG_ROOT_2PI - math.log(inverse_mills(x))
    if x > 1.0:
        return math.log1p(-cdf(-x))
    return math.log(cdf(x))


@kernel
def log_sum(one: float, other: float) -> float:
    """Return ln(e^one + e^other), which does not underflow where both terms do."""
    return max(one, other) + math.log1p(math.exp(-abs(one - other)))


@kernel
def normal_log_odds(x: float) -> float:
    """Return ln(Phi(x) / (1 - Phi(x))), which does not underflow where Phi(x) does."""
    return log_cdf(x) - log_cdf(-x)


@kernel
def between(x: float, margin: float) -> tuple[float, float]:
    """Return slope and minus curvature in x of log(Phi(margin - x) - Phi(-margin - x)), margin at least 0.

    The slope is (phi(-margin - x) - phi(margin - x)) / Z, odd in x; the second lies between 0 and 1 and is even in x.
    Both are divided by phi(|x| - margin), so that nothing underflows.
    """
    if margin < NO_MARGIN:
        return -x, 1.0
    near, far = abs(x) - margin, abs(x) + margin
    drop = math.expm1(-2.0 * abs(x) * margin)  # phi(far) / phi(near) - 1
    if drop == -1.0:
        return math.copysign(inverse_mills(-near), -x), shrinkage(-near)
    mass = 1.0 / inverse_mills(-near) - (1.0 + drop) / inverse_mills(-far)
    slope = drop / mass
    curve = slope * slope + (far * (1.0 + drop) - near) / mass
    return math.copysign(slope, -x), min(max(curve, 0.0), 1.0)
