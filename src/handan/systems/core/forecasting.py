"""Forecasts one step ahead: what a system's law said of each game before it was played, and how far that holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from handan.kernels.arrays import blocks
from handan.kernels.calibration import calibration, first_weights

if TYPE_CHECKING:
    from handan.kernels.leads import WinningLaw
    from handan.kernels.types import Floats
    from handan.ratings import Ratings
    from handan.systems.core.base import System

FURTHEST = 700.0  # log odds; beyond it a probability is 0 or 1 to the last digit, and exp would overflow


def leads(system: System, ratings: Ratings) -> Floats | None:
    """Return the log odds of Black before each rated game, shape (rated,); None without a law for all of them."""
    rating, deviation = system.onset(ratings)
    taken = ratings.arrays.sequence
    spread = None if deviation is None else deviation[taken]
    return system.leads(ratings.ledger, taken, rating[taken], spread, ratings, taken)


def leads_by_law(
    law: WinningLaw, constants: tuple[float, ...], terms: Floats, rating: Floats, spread: Floats | None
) -> Floats:
    """Return the log odds of Black in n games by a law of winning, shape (n,).

    Args:
        law: The law.
        constants: Which it reads.
        terms: Worth and width of the terms of each game, shape (n, 2).
        rating, spread: As in `System.leads`.
    """
    lead = np.empty(len(rating))
    spread = np.zeros_like(rating) if spread is None else spread
    ratings, spreads, worths = (np.ascontiguousarray(values, dtype=np.float64) for values in (rating, spread, terms))
    fill = law.fill_leads.for_work(2 * len(lead))  # our choice: a law is worth two steps of a loop
    fill(constants, ratings, spreads, worths, lead)
    return lead


class Slopes(NamedTuple):
    """How far the law of a system holds in some games, as the games before each have shown it."""

    slope: Floats
    """With which forecasts take the log odds before each game, and after the last, shape (rated + 1,)."""
    weight: Floats | None
    """Weights of the slopes after the last game (`Ratings.slope_weights`); None: the law is taken as it is."""


def slopes(system: System, ratings: Ratings) -> Slopes:
    """Return the slopes with which forecasts take the log odds of games, from the weights that the ratings begin with.

    Args:
        system: Which made the ratings.
        ratings: Of the games.
    """
    before = system.leads_before(ratings) if system.traits.calibrated else None
    if before is None:
        return Slopes(np.ones(ratings.rated + 1), None)
    weight = first_weights() if ratings.arrays.slope_weights is None else ratings.arrays.slope_weights.copy()
    slope = calibration(before, ratings.ledger.arrays.score[ratings.arrays.sequence], ratings.arrays.batch, weight)
    return Slopes(slope, weight)


def probabilities(lead: Floats, out: Floats | None = None) -> Floats:
    """Return 1 / (1 + e^-lead), shape (n,), written to `out` if it is given, which may be `lead` itself."""
    chances = np.empty(len(lead)) if out is None else out
    for rows in blocks(len(lead)):
        chances[rows] = 1.0 / (1.0 + np.exp(-np.clip(lead[rows], -FURTHEST, FURTHEST)))
    return chances
