"""The law of winning of the house's own system, and the coefficients in it that games teach.

Black's lead in Elo is G(r_b + stones) - G(r_w) + first move, with G(r) = d e^l (e^(c u) - 1) / c and u the ranks from
1 dan to r, d points each. First move, l and c, the terms, are normal beliefs; each forecast counts in what they leave
open. Where all ratings follow from results, they lean on the terms: a rank worth less spreads the ratings wider.

Source: D. MacKay, "The evidence framework applied to classification networks" (1992), for the slope of an uncertain
forecast; the law of the ranks is that of GoR, by which a rank is worth more among the strong (European Go Federation).
"""

from __future__ import annotations

import math
from typing import NamedTuple

from handan.kernels.compiling import kernel
from handan.kernels.types import Floats
from handan.kernels.winning_law import Pairing

NATURAL = math.log(10.0) / 400.0  # natural units in one Elo: 400 points are odds of 10 to 1
FLAT = math.pi / 8.0 * NATURAL * NATURAL  # MacKay's pi / 8, for variances in Elo^2
FARTHEST = 40.0  # ranks from 1 dan up to which the scale bends; our choice: no rank stands farther
FLATTEST = 1e-6  # a bend below it is none
LARGEST_BEND = 0.2  # our choice: ten ranks are then worth seven times as much as the first ten
LARGEST_SCALE = 3.0  # our choice: a rank is worth at most twenty times its points
Vector = Floats | tuple[float, float, float]
Matrix = Floats | tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]


class Scale(NamedTuple):
    """What a rating means: constants of the law."""

    noise: float
    """beta^2, the variance of both performances of a game together, Elo^2."""
    origin: float
    """Rating at which the scale is the steeper the higher, that of 1 dan."""
    step: float
    """Points from one rank to the next."""


class Lead(NamedTuple):
    """What the law says of a game at the mean of all beliefs."""

    mean: float
    """Black's lead, Elo."""
    black_slope: float
    """Elo of the lead for a point of Black's rating."""
    white_slope: float
    slopes: tuple[float, float, float]
    """Elo of the lead for a unit of first move, scale l and bend c, in all ways in which it depends on them."""
    width: float
    """Variance of the lead that the coefficients leave, Elo^2."""
    flat: float
    """The same without the bend, by which forecasts are flattened: a weaker Black must never be the surer to win."""


@kernel
def flattening(variance: float) -> float:
    """Return kappa = q / sqrt(1 + pi q^2 V / 8), the slope per Elo of a forecast that is uncertain by a variance V."""
    return NATURAL / math.sqrt(1.0 + FLAT * variance)


@kernel
def on_scale(ranks: float, step: float, scale: float, bend: float) -> tuple[float, float, float]:
    """Return G in Elo at so many ranks above 1 dan, its slope per point, and its slope per unit of the bend."""
    steep = math.exp(scale)
    bent = min(max(ranks, -FARTHEST), FARTHEST)
    beyond = ranks - bent
    if abs(bend) < FLATTEST:
        return step * steep * ranks, steep, step * steep * (0.5 * bent * bent + bent * beyond)
    raised = math.exp(bend * bent)
    value = (raised - 1.0) / bend + raised * beyond
    by_bend = ((bend * bent - 1.0) * raised + 1.0) / (bend * bend) + bent * raised * beyond
    return step * steep * value, steep * raised, step * steep * by_bend


@kernel
def quadratic_form(covariance: Matrix, slopes: Vector) -> float:
    """Return x' C x, the variance of a weighted sum; rounding leaves none below 0."""
    total = 0.0
    for row in range(3):
        along = covariance[row][0] * slopes[0] + covariance[row][1] * slopes[1] + covariance[row][2] * slopes[2]
        total += slopes[row] * along
    return max(total, 0.0)


@kernel
def lead_between(
    constants: Scale,
    terms: tuple[Vector, Matrix],
    sides: tuple[float, float],
    ties: tuple[Vector, Vector],
    stones: float,
    coloured: float,
) -> Lead:
    """Return Black's lead in one game, its slopes, and the variance that the terms leave.

    Args:
        constants: What a rating means.
        terms: First move, scale and bend: mean and covariance.
        sides: Ratings of Black and White.
        ties: Points by which either moves for a unit of each term.
        stones: What handicap and komi add to Black's rating, points.
        coloured: 1 where it is known who had the first move, else 0.
    """
    step, (mean, covariance), (black, white) = constants.step, terms, ties
    scale, bend = min(max(mean[1], -LARGEST_SCALE), LARGEST_SCALE), min(max(mean[2], -LARGEST_BEND), LARGEST_BEND)
    high, up, high_bend = on_scale((sides[0] + stones - constants.origin) / step, step, scale, bend)
    low, down, low_bend = on_scale((sides[1] - constants.origin) / step, step, scale, bend)
    slopes = (
        coloured + up * black[0] - down * white[0],
        high - low + up * black[1] - down * white[1],
        high_bend - low_bend + up * black[2] - down * white[2],
    )
    width, flat = quadratic_form(covariance, slopes), quadratic_form(covariance, (slopes[0], slopes[1], 0.0))
    return Lead(mean[0] * coloured + high - low, up, down, slopes, width, flat)


@kernel
def log_odds_between(
    constants: Scale,
    terms: tuple[Vector, Matrix],
    rating: tuple[float, float],
    variance: tuple[float, float],
    ties: tuple[Vector, Vector],
    worth: tuple[float, float],
) -> float:
    """Return the log odds of Black, from ratings and variances of Black and White, and from stones and coloured.

    The variances have what the ratings owe to the terms in them, which the law counts itself.
    """
    lead = lead_between(constants, terms, rating, ties, worth[0], worth[1])
    own_b, own_w = variance[0] - quadratic_form(terms[1], ties[0]), variance[1] - quadratic_form(terms[1], ties[1])
    spread = lead.black_slope * lead.black_slope * max(own_b, 0.0) + lead.white_slope * lead.white_slope * max(
        own_w, 0.0
    )
    return flattening(constants.noise + lead.flat + spread) * lead.mean


@kernel
def unpacked(c: tuple[float, ...]) -> tuple[Scale, tuple[Vector, Matrix], tuple[Vector, Vector]]:
    """Return the constants of the law as scale, terms with their covariance, and how both ratings depend on these."""
    terms = (c[3], c[4], c[5]), ((c[6], c[7], c[8]), (c[9], c[10], c[11]), (c[12], c[13], c[14]))
    return Scale(c[0], c[1], c[2]), terms, ((c[15], c[16], c[17]), (c[18], c[19], c[20]))


@kernel
def lead_of(pairing: Pairing) -> float:
    """Return the log odds of Black; the width of the terms is `coloured`."""
    scale, terms, ties = unpacked(pairing.constants)
    variance = pairing.black_spread * pairing.black_spread, pairing.white_spread * pairing.white_spread
    sides = pairing.black, pairing.white
    return log_odds_between(scale, terms, sides, variance, ties, (pairing.worth, pairing.width))


def learned_variance(pairing: Pairing) -> float:
    """Return the variance of the log odds that the terms leave open."""
    scale, terms, ties = unpacked(pairing.constants)
    lead = lead_between(scale, terms, (pairing.black, pairing.white), ties, pairing.worth, pairing.width)
    return flattening(scale.noise + lead.flat) ** 2 * lead.width
