"""Vectors of OGS; a player is rating, deviation and volatility."""

from __future__ import annotations

from handan.systems import ogs
from tests.vectors.family import Family

Player = tuple[float, float, float]


def rating_to_rank(rating: float) -> float:
    """Return the rank of a rating, 0 for 30 kyu."""
    return ogs.rating_to_rank(rating)


def rank_to_rating(rank: float) -> float:
    """Return the rating of a rank."""
    return ogs.rank_to_rating(rank)


def rank_difference(r1: float, r2: float) -> float:
    """Return how many ranks one rating lies above another."""
    return ogs.rating_to_rank(r1) - ogs.rating_to_rank(r2)


def handicap_rank_difference(handicap: int, size: int, komi: float, rules: str) -> float:
    """Return the worth of terms in ranks."""
    return ogs.handicap_rank_difference(handicap, size, komi, rules)


def update(
    player: Player, opponent: Player, score: float, tau: float = 0.5, min_rd: float = 30.0, max_rd: float = 500.0
) -> dict[str, float]:
    """Return a player after a game."""
    rating, deviation, volatility = ogs.update(
        (player[0], player[1], player[2]), (opponent[0], opponent[1]), score, tau**-2.0, (min_rd, max_rd)
    )
    return {"rating": rating, "deviation": deviation, "volatility": volatility}


FAMILIES = (
    Family(
        "ogs",
        r"\bogs\b|online-go",
        {
            "rating_to_rank": rating_to_rank,
            "rank_to_rating": rank_to_rating,
            "rank_difference": rank_difference,
            "handicap_rank_difference": handicap_rank_difference,
            "update": update,
        },
    ),
)
