"""Forecasts one step ahead: what a system's law said of each game before it was played, and how far that holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from handan.kernels.calibration import calibration
from handan.kernels.compiling import Kernel
from handan.kernels.types import Floats, Ints
from handan.ledger import Ledger
from handan.ratings import Ratings, Standing

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
    loop: Kernel[..., None], constants: tuple[float, ...], terms: Floats, rating: Floats, spread: Floats | None
) -> Floats:
    """Return the log odds of Black in n games by the law that is bound to a loop of `kernels/leads.py`, shape (n,).

    Args:
        loop: With a law.
        constants: Which it reads.
        terms: Worth and width of the terms of each game, shape (n, 2).
        rating, spread: As in `System.leads`.
    """
    lead = np.empty(len(rating))
    spread = np.zeros_like(rating) if spread is None else spread
    arrays = (np.ascontiguousarray(values, dtype=np.float64) for values in (rating, spread, terms))
    loop.for_work(2 * len(lead))(constants, *arrays, lead)  # our choice: a law is worth two steps of a loop
    return lead


def leads_one_by_one(
    system: System, ledger: Ledger, games: Ints, rating: Floats, spread: Floats | None, ratings: Ratings | None
) -> Floats | None:
    """Return the same by `System.log_odds`, one call a game, for systems without a loop.

    Where nobody is known to be Black, the law is asked in both seats, without terms.
    """
    table = ledger.games
    terms = list(zip(table["handicap"].gather(games), table["komi"].gather(games), strict=True))
    sides = rating.tolist(), [(None, None)] * len(games) if spread is None else spread.tolist()
    log_odds: list[float] = []
    for game, (own, wide) in enumerate(zip(*sides, strict=True)):
        black, white = (Standing("", own[side], wide[side]) for side in (0, 1))
        if ledger.colours_known[games[game]]:
            lead = system.log_odds(black, white, *terms[game], ratings)
        else:
            one, other = (system.log_odds(*seats, ratings=ratings) for seats in ((black, white), (white, black)))
            lead = None if one is None or other is None else (one - other) / 2.0
        if lead is None:
            return None
        log_odds.append(lead)
    return np.array(log_odds, dtype=np.float64)


def without_width(worth: Floats) -> Floats:
    """Return worths of terms, shape (games,), as worth and width, shape (games, 2), for a law that reads no width."""
    return np.stack((worth, np.zeros(len(worth))), axis=1)


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
