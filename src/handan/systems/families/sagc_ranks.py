"""Ranks and indices of the South African clubs as numbers."""

from __future__ import annotations

from handan.ranks import Rank

WEAKEST, STRONGEST = 1, 39  # rank numbers of 30 kyu and 9 dan
LIMIT = 999.0


def number_of(rank: Rank) -> int:
    """Return the rank number (30k = 1, 1d = 31) of a rank; a professional counts as the amateur nearest in strength."""
    return min(max(round(rank.stones), WEAKEST), STRONGEST)


def index_of(rating: float | None) -> float:
    """Return the index that an adjustment sets: 0 for a rank alone, and never beyond -999 to +999."""
    return min(max(rating or 0.0, -LIMIT), LIMIT)
