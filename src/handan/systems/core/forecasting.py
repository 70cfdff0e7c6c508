"""Forecasts one step ahead: what a system's law said of each game before it was played, and how far that holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from handan.kernels.arrays import blocks
from handan.kernels.calibration import calibration, first_weights
from handan.systems.core.law import LARGEST_EXPONENT

if TYPE_CHECKING:
    from handan.kernels.types import Floats
    from handan.ratings import Ratings
    from handan.systems.core.law import Law


def leads(system: Law, ratings: Ratings) -> Floats | None:
    """Return the log odds of Black before each rated game, shape (rated,); None without a law for all of them."""
    rating, deviation = system.onset(ratings)
    taken = ratings.arrays.sequence
    spread = None if deviation is None else deviation[taken]
    return system.leads(ratings.ledger, taken, rating[taken], spread, ratings, taken)


class Forecast(NamedTuple):
    """What a system says of its rated games before each, and how it takes the log odds of games to come."""

    lead: Floats | None
    """Log odds of Black before each rated game, shape (rated,); None without a law for all of them."""
    weight: Floats | None
    """Weights of the slopes after the last game (`Ratings.slope_weights`); None: the law is taken as it is."""


def forecast(system: Law, before: Floats | None, ratings: Ratings) -> Forecast:
    """Return the forecasts of games one step ahead, from the weights of slopes that the ratings begin with.

    Args:
        system: Which made the ratings.
        before: The log odds before each game by the law, as `System.leads_before` gives them.
        ratings: Of the games.
    """
    if before is None or not system.traits.calibrated:
        return Forecast(before, None)
    weight = first_weights() if ratings.arrays.slope_weights is None else ratings.arrays.slope_weights.copy()
    batch, score = ratings.arrays.batch, ratings.ledger.arrays.score[ratings.arrays.sequence]
    known_until = np.repeat(batch[:-1], np.diff(batch))
    return Forecast(calibration(before, score, known_until, weight), weight)


def probabilities(lead: Floats, out: Floats | None = None) -> Floats:
    """Return 1 / (1 + e^-lead), shape (n,), written to `out` if it is given, which may be `lead` itself."""
    chances = np.empty(len(lead)) if out is None else out
    for rows in blocks(len(lead)):
        chances[rows] = 1.0 / (1.0 + np.exp(-np.clip(lead[rows], -LARGEST_EXPONENT, LARGEST_EXPONENT)))
    return chances
