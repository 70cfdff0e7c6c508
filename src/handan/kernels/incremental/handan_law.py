"""The law of winning of the house's own system, and the coefficients in it that games teach.

Black's lead in Elo is G(r_b + stones) - G(r_w) + first move, with G(r) = d e^l (e^(c u) - 1) / c and u the ranks from
1 dan to r, d points each. First move, l and c are normal beliefs; each forecast counts in what they leave open.

Source: D. MacKay, "The evidence framework applied to classification networks" (1992), for the slope of an uncertain
forecast; the law of the ranks is that of GoR, by which a rank is worth more among the strong (European Go Federation).
"""

from __future__ import annotations

import math
from typing import NamedTuple

from handan.kernels.compiling import kernel
from handan.kernels.types import Floats, Ints
from handan.kernels.winning_law import Pairing

NATURAL = math.log(10.0) / 400.0  # natural units in one Elo: 400 points are odds of 10 to 1
FLAT = math.pi / 8.0 * NATURAL * NATURAL  # MacKay's pi / 8, for variances in Elo^2
FARTHEST = 40.0  # ranks from 1 dan up to which the scale bends; our choice: no rank stands farther
FLATTEST = 1e-6  # a bend below it is none
LARGEST_BEND = 0.2  # our choice: ten ranks are then worth seven times as much as the first ten
LARGEST_SCALE = 3.0  # our choice: a rank is worth at most twenty times its points
Coefficients = Floats | tuple[float, ...]
COEFFICIENTS = 9
"""First move, scale l and bend c; then the covariances of 1-1, 1-2, 1-3, 2-2, 2-3 and 3-3."""


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
    by_scale: float
    """Elo of the lead for a unit of the scale l."""
    by_bend: float
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
def covariance(learned: Coefficients, one: float, scale: float, bend: float) -> tuple[float, float, float]:
    """Return C x of the coefficients for a lead that moves by x with each of them."""
    return (
        learned[3] * one + learned[4] * scale + learned[5] * bend,
        learned[4] * one + learned[6] * scale + learned[7] * bend,
        learned[5] * one + learned[7] * scale + learned[8] * bend,
    )


@kernel
def lead_between(
    constants: Scale, learned: Coefficients, black: float, white: float, stones: float, coloured: float
) -> Lead:
    """Return Black's lead in one game, its slopes, and the variance that the coefficients leave.

    Args:
        constants: What a rating means.
        learned: Coefficients, shape (COEFFICIENTS,).
        black, white: Ratings.
        stones: What handicap and komi add to Black's rating, points.
        coloured: 1 where it is known who had the first move, else 0.
    """
    step = constants.step
    high, black_slope, high_bend = on_scale((black + stones - constants.origin) / step, step, learned[1], learned[2])
    low, white_slope, low_bend = on_scale((white - constants.origin) / step, step, learned[1], learned[2])
    by_scale, by_bend = high - low, high_bend - low_bend
    first, second, third = covariance(learned, coloured, by_scale, by_bend)
    width = coloured * first + by_scale * second + by_bend * third
    flat = coloured * (learned[3] * coloured + 2.0 * learned[4] * by_scale) + learned[6] * by_scale * by_scale
    mean = learned[0] * coloured + by_scale
    return Lead(mean, black_slope, white_slope, by_scale, by_bend, max(width, 0.0), max(flat, 0.0))


@kernel
def log_odds_between(
    constants: Scale,
    learned: Coefficients,
    rating: tuple[float, float],
    deviation: tuple[float, float],
    terms: tuple[float, float],
) -> float:
    """Return the log odds of Black, from ratings and deviations of Black and White, and from stones and coloured."""
    lead = lead_between(constants, learned, rating[0], rating[1], terms[0], terms[1])
    spread_b, spread_w = lead.black_slope * deviation[0], lead.white_slope * deviation[1]
    return flattening(constants.noise + lead.flat + spread_b * spread_b + spread_w * spread_w) * lead.mean


@kernel
def lead_of(pairing: Pairing) -> float:
    """Return the log odds of Black; constants are those of `Scale`, then the coefficients, the width is `coloured`."""
    constants = pairing.constants
    return log_odds_between(
        Scale(constants[0], constants[1], constants[2]),
        constants[3:],
        (pairing.black, pairing.white),
        (pairing.black_spread, pairing.white_spread),
        (pairing.worth, pairing.width),
    )


def learned_variance(pairing: Pairing) -> float:
    """Return the variance of the log odds that the coefficients leave open; constants as in `lead_of`."""
    constants = pairing.constants
    meaning = Scale(constants[0], constants[1], constants[2])
    lead = lead_between(meaning, constants[3:], pairing.black, pairing.white, pairing.worth, pairing.width)
    return flattening(meaning.noise + lead.flat) ** 2 * lead.width


@kernel
def fill_log_odds(
    constants: Scale, learned: Floats, row: Ints, rating: Floats, spread: Floats, terms: Floats, lead: Floats
) -> None:
    """Fill `lead`, shape (games,), each game with the coefficients of its row; other shapes (games, 2)."""
    for game in range(len(lead)):
        lead[game] = log_odds_between(
            constants,
            learned[row[game]],
            (rating[game, 0], rating[game, 1]),
            (spread[game, 0], spread[game, 1]),
            (terms[game, 0], terms[game, 1]),
        )


@kernel
def teach(learned: Floats, lead: Lead, coloured: float, slope: float, curvature: float, after: Floats) -> None:
    """Fill `after` with the coefficients after a game: the mean and the covariance of the belief.

    Args:
        learned: Before the game.
        lead: What the law said.
        coloured: As in `lead_between`.
        slope: Of the log likelihood by the lead.
        curvature: Its curvature, taken positive.
        after: Filled.
    """
    first, second, third = covariance(learned, coloured, lead.by_scale, lead.by_bend)
    rest = curvature / (1.0 + curvature * lead.width)
    move = slope / (1.0 + curvature * lead.width)
    after[0] = learned[0] + first * move
    after[1] = min(max(learned[1] + second * move, -LARGEST_SCALE), LARGEST_SCALE)
    after[2] = min(max(learned[2] + third * move, -LARGEST_BEND), LARGEST_BEND)
    after[3] = learned[3] - rest * first * first
    after[4] = learned[4] - rest * first * second
    after[5] = learned[5] - rest * first * third
    after[6] = learned[6] - rest * second * second
    after[7] = learned[7] - rest * second * third
    after[8] = learned[8] - rest * third * third
