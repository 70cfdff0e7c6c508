"""Forecasts one step ahead: what a system's law said of each game before it was played, and how far that holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from handan.kernels.arrays import blocks
from handan.kernels.calibration import calibration, first_weights

if TYPE_CHECKING:
    from handan.kernels.types import Floats
    from handan.ratings import Ratings
    from handan.systems.core.law import Law

FURTHEST = 700.0  # log odds; beyond it a probability is 0 or 1 to the last digit, and exp would overflow


def leads(system: Law, ratings: Ratings) -> Floats | None:
    """Return the log odds of Black before each rated game, shape (rated,); None without a law for all of them."""
    rating, deviation = system.onset(ratings)
    taken = ratings.arrays.sequence
    spread = None if deviation is None else deviation[taken]
    return system.leads(ratings.ledger, taken, rating[taken], spread, ratings, taken)


class Slopes(NamedTuple):
    """How far the law of a system holds in some games, as the games before each have shown it."""

    slope: Floats
    """With which forecasts take the log odds before each game, and after the last, shape (rated + 1,)."""
    weight: Floats | None
    """Weights of the slopes after the last game (`Ratings.slope_weights`); None: the law is taken as it is."""


def slopes(system: Law, before: Floats | None, ratings: Ratings) -> Slopes:
    """Return the slopes with which forecasts take the log odds of games, from the weights that the ratings begin with.

    Args:
        system: Which made the ratings.
        before: The log odds before each game, as `System.leads_before` gives them; None: the law is taken as it is.
        ratings: Of the games.
    """
    if before is None or not system.traits.calibrated:
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
