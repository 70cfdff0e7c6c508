"""Vectors of the Dragon Go Server's rating; results count for White: 1 White won, 0 Black."""

from __future__ import annotations

from handan.systems import dgs
from tests.vectors.family import Family

EPSILON = 0.014


def con_a(rating: float) -> dict[str, float]:
    """Return con and a."""
    return {"con": dgs.con(rating), "a": dgs.scale(rating)}


def update_rating2(
    white: list[float], black: list[float], result: float, size: int, komi: float, handicap: int
) -> dict[str, list[float]]:
    """Return rating, min and max of both sides after a game."""
    one, other = (white[0], white[1], white[2]), (black[0], black[1], black[2])
    shared = dgs.stones(handicap, komi, size), dgs.size_factor(size), 0.0 if result == 0.5 else EPSILON
    after = dgs.moved(1, one, other, result, *shared), dgs.moved(0, other, one, 1.0 - result, *shared)
    return {"white": list(after[0]), "black": list(after[1])}


def change_rating(white: float, black: float, result: float, size: int, komi: float, handicap: int) -> dict[str, float]:
    """Return both ratings after a game with factor 1."""
    bands = [white, white - 1.0, white + 1.0], [black, black - 1.0, black + 1.0]
    after = update_rating2(*bands, result, size, komi, handicap)
    return {side: state[0] for side, state in after.items()}


FAMILIES = (
    Family(
        "dgs",
        r"\bdgs\b|dragon go",
        {
            "change_rating": change_rating,
            "con_a": con_a,
            "initial_band": dgs.initial_band,
            "update_rating2": update_rating2,
        },
    ),
)
