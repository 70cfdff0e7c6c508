"""Where a player stands, or a stranger of whom a rank, a rating or nothing is known."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

from handan.errors import InputError, shown
from handan.ranks import Rank

MOST_RATING = 1e9  # our choice: beyond it a stone is lost in rounding


class Standing(NamedTuple):
    """Where a player stands: what fair terms and forecasts are made from."""

    name: str
    rating: float
    deviation: float | None = None
    """Standard deviation of the rating; None: it is taken as exact."""
    rank: Rank | None = None
    rank_alone: bool = False
    """Whether somebody asked for the rank itself, and no player has the rating."""


Opponent = str | float | Rank | Standing | None
"""A player by name or id, or a stranger by rating, by rank, by a standing, or by nothing (None)."""
Strangers = Literal["refuse", "allow"]
"""What becomes of a name that no player has: it is refused, or taken for a newcomer of whom nothing is known."""


def rank_or_rating(text: str) -> tuple[Rank | None, float]:
    """Return what a rank (`3d`) or a rating (`2100`) says, NaN in place of a rating; InputError if it is neither."""
    try:
        rating = float(text)
    except ValueError:
        return Rank.parse(text), math.nan
    return None, finite(rating, text)


def finite(rating: float, text: str = "") -> float:
    """Return a rating, given as a text; InputError unless it is a finite number of a size that ratings have."""
    if not math.isfinite(rating):
        raise InputError(f"rating {shown(text or str(rating))} is not a finite number")
    if abs(rating) > MOST_RATING:
        raise InputError(
            f"rating {shown(text or str(rating))} is not a number from -{MOST_RATING:.0f} to {MOST_RATING:.0f}"
        )
    return float(rating)
