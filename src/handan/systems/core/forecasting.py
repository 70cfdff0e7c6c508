"""Forecasts one step ahead: what a system's law said of each game before it was played, and how far that holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from handan.kernels.calibration import calibration
from handan.kernels.types import Floats
from handan.ratings import Ratings, Standing

if TYPE_CHECKING:
    from handan.systems.core.base import System

FURTHEST = 700.0  # log odds; beyond it a probability is 0 or 1 to the last digit, and exp would overflow


def leads(system: System, ratings: Ratings) -> Floats | None:
    """Return the log odds of Black before each rated game, shape (rated,); None without a law for all of them."""
    rating_before, uncertain = system.onset(ratings)
    rating, deviation = rating_before.tolist(), None if uncertain is None else uncertain.tolist()
    log_odds: list[float] = []
    for game in ratings.sequence.tolist():
        spread = (None, None) if deviation is None else deviation[game]
        black, white = (Standing("", rating[game][side], spread[side]) for side in (0, 1))
        lead = system.lead(ratings, game, black, white)
        if lead is None:
            return None
        log_odds.append(lead)
    return np.array(log_odds, dtype=np.float64)


def slopes(system: System, ratings: Ratings) -> Floats:
    """Return the slope with which forecasts take the log odds before each game and after the last, (rated + 1,)."""
    before = leads(system, ratings) if system.calibrated else None
    if before is None:
        return np.ones(ratings.rated + 1)
    return calibration(before, ratings.ledger.score[ratings.sequence], ratings.batch)


def probabilities(lead: Floats) -> Floats:
    """Return 1 / (1 + e^-lead)."""
    chances: Floats = 1.0 / (1.0 + np.exp(-np.clip(lead, -FURTHEST, FURTHEST)))
    return chances
