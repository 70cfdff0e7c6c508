"""Vectors of the Dragon Go Server's rating; results count for White: 1 White won, 0 Black."""

from __future__ import annotations

from handan.systems import dgs
from tests.vectors.family import Family
from tests.vectors.played import last, part, played

EPSILON = 0.014


def con_a(rating: float) -> dict[str, float]:
    """Return con, as it stands in a reason, and a."""
    con = dgs.con(rating)
    if dgs.FLOOR <= rating <= dgs.CEILING:
        con = part(last(played(dgs.DGS(), (None, rating), (None, rating), 1.0)), "con")
    return {"con": con, "a": dgs.scale(rating)}


def initial_band(rating: float) -> list[float]:
    """Return the band with which a player enters."""
    ratings = played(dgs.DGS(), (None, rating), (None, rating), 1.0)
    low, high = dgs.DGSExtra.of(ratings).before[0, 0, 1:].tolist()
    return [low, high]


def update_rating2(
    white: list[float], black: list[float], result: float, size: int, komi: float, handicap: int
) -> dict[str, list[float]]:
    """Return rating, min and max of both sides after a game: by a ledger, where the bands are those of newcomers."""
    one, other = (white[0], white[1], white[2]), (black[0], black[1], black[2])
    if all(side[1:] == dgs.initial_band(side[0]) for side in (one, other)):
        entries = (None, one[0]), (None, other[0])
        ratings = played(dgs.DGS(), *entries, result, black=False, handicap=handicap, komi=komi, size=size)
        after = dgs.DGSExtra.of(ratings).after[0]
        return {"white": after[1].tolist(), "black": after[0].tolist()}
    shared = dgs.stones(handicap, komi, size), dgs.size_factor(size), 0.0 if result == 0.5 else EPSILON
    moved = dgs.moved(1, one, other, result, *shared), dgs.moved(0, other, one, 1.0 - result, *shared)
    return {"white": list(moved[0]), "black": list(moved[1])}


def change_rating(white: float, black: float, result: float, size: int, komi: float, handicap: int) -> dict[str, float]:
    """Return both ratings after a game with factor 1: of newcomers, if their bands are equally wide."""
    bands = [[rating, *dgs.initial_band(rating)] for rating in (white, black)]
    if bands[0][2] - bands[0][1] != bands[1][2] - bands[1][1]:
        bands = [[rating, rating - 1.0, rating + 1.0] for rating in (white, black)]
    after = update_rating2(bands[0], bands[1], result, size, komi, handicap)
    return {side: state[0] for side, state in after.items()}


FAMILIES = (
    Family(
        "dgs",
        r"\bdgs\b|dragon go",
        {
            "change_rating": change_rating,
            "con_a": con_a,
            "initial_band": initial_band,
            "update_rating2": update_rating2,
        },
    ),
)
