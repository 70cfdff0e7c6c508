"""Forecasts one step ahead: what a system's law said of each game before it was played, and how far that holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from handan.kernels.arrays import blocks
from handan.kernels.calibration import calibration, first_weights
from handan.kernels.leads import WinningLaw
from handan.kernels.types import Floats
from handan.ledger.room import appended
from handan.ratings import Ratings

if TYPE_CHECKING:
    from handan.systems.core.base import System

WEIGHT = "weights of the slopes"
"""Under which ratings keep them."""
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


def slopes(system: System, ratings: Ratings, weight: Floats | None = None) -> Floats:
    """Return the slope with which forecasts take the log odds before each game and after the last, (rated + 1,).

    Args:
        system: Which made the ratings; these keep the weights after the last game, for games behind it.
        ratings: Of the games.
        weight: Weights of the slopes after the games before, shape (slopes,); None: there are none.
    """
    own, weights = _slopes(system, ratings, ratings.slope_weights if weight is None else weight)
    if weights is not None:
        vars(ratings)[WEIGHT] = weights
    return own


def slope_weights_after(system: System, ratings: Ratings) -> Floats | None:
    """Return the weights of the slopes after the last game (`Ratings.slope_weights`); None: there are no slopes."""
    return _slopes(system, ratings, ratings.slope_weights)[1]


def _slopes(system: System, ratings: Ratings, weight: Floats | None) -> tuple[Floats, Floats | None]:
    """Return the slopes before each game and after the last, and their weights then; None where all slopes are 1."""
    before = system.leads_before(ratings) if system.calibrated else None
    if before is None:
        return np.ones(ratings.rated + 1), None
    weight = first_weights() if weight is None else weight.copy()
    return calibration(before, ratings.ledger.score[ratings.sequence], ratings.batch, weight), weight


def pass_on_slopes(ratings: Ratings, whole: Ratings, later: Ratings) -> None:
    """Let ratings know the slopes, if those of the games before have them: to the bit what `slopes` gives of all games.

    Args:
        ratings: Of the games before.
        whole: Of all games.
        later: Of those behind alone.
    """
    own = vars(ratings)
    if not own.keys().isdisjoint({"calibration", WEIGHT}):
        more = slopes(later.system, later, own.get(WEIGHT))  # type: ignore[arg-type]  # all systems are of this kind
        vars(whole)["calibration"] = appended(ratings.calibration, more[1:])
        vars(whole)[WEIGHT] = vars(later).get(WEIGHT)


def probabilities(lead: Floats, out: Floats | None = None) -> Floats:
    """Return 1 / (1 + e^-lead), shape (n,), written to `out` if it is given, which may be `lead` itself."""
    chances = np.empty(len(lead)) if out is None else out
    for rows in blocks(len(lead)):
        chances[rows] = 1.0 / (1.0 + np.exp(-np.clip(lead[rows], -FURTHEST, FURTHEST)))
    return chances
