"""Forecasts one step ahead: what a system's law said of each game before it was played, and how far that holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from handan.kernels.calibration import calibration
from handan.kernels.leads import WinningLaw
from handan.kernels.types import Floats
from handan.ratings import Ratings

if TYPE_CHECKING:
    from handan.systems.core.base import System

FURTHEST = 700.0  # log odds; beyond it a probability is 0 or 1 to the last digit, and exp would overflow


def leads(system: System, ratings: Ratings) -> Floats | None:
    """Return the log odds of Black before each rated game, shape (rated,); None without a law for all of them."""
    rating, deviation = system.onset(ratings)
    taken = ratings.sequence
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


def slopes(system: System, ratings: Ratings) -> Floats:
    """Return the slope with which forecasts take the log odds before each game and after the last, (rated + 1,)."""
    before = system.leads_before(ratings) if system.calibrated else None
    if before is None:
        return np.ones(ratings.rated + 1)
    return calibration(before, ratings.ledger.score[ratings.sequence], ratings.batch)


def probabilities(lead: Floats) -> Floats:
    """Return 1 / (1 + e^-lead)."""
    chances: Floats = 1.0 / (1.0 + np.exp(-np.clip(lead, -FURTHEST, FURTHEST)))
    return chances
