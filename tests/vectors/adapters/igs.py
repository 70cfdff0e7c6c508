"""Vectors of IGS and of KGS."""

from __future__ import annotations

from typing import Any

from handan.systems import igs, kgs
from tests.vectors.family import Family


def handicap(rank_diff: float) -> dict[str, Any]:
    """Return the row of Pandanet's table."""
    stones, komi = igs.proposal(rank_diff)
    return {"stones": stones, "komi_black_gives": komi}


def rank(rating: float) -> str:
    """Return the rank of a rating in stones."""
    return str(igs.IGS().rank(rating))


def igs_probability(gap: float) -> float:
    """Return the chance of who is `gap` stones stronger."""
    return igs.win_probability(gap)


def kgs_probability(gap: float, k: float) -> float:
    """Return the chance of who is `gap` ranks stronger."""
    return kgs.win_probability(gap, k)


def game_weight(age_days: float, half_life: float) -> float:
    """Return the weight of a game."""
    return kgs.game_weight(age_days, half_life)


FAMILIES = (
    Family("igs", r"\bigs\b|pandanet", {"win_probability": igs_probability, "handicap": handicap, "rank": rank}),
    Family("kgs", r"\bkgs\b", {"win_probability": kgs_probability, "game_weight": game_weight}),
)
