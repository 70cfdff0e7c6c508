"""Vectors of the Japanese points systems."""

from __future__ import annotations

from functools import partial
from typing import Any

from handan.systems.points import Points
from tests.vectors.family import Family
from tests.vectors.played import last, played


def lookup(name: str, /, diff: int) -> dict[str, Any]:
    """What a card says to two rated players at a difference, under the names that the vectors of the cards use."""
    ratings = played(Points(card=name, jigo="unchanged"), (None, diff), (None, 0.0), 0.5)
    terms = ratings.fair_terms("Own", "Other")
    return {
        "stones": terms.card_stones,
        "table_handicap": terms.card_stones,
        "conventional_stones": terms.stones_on_board,
        "komi_to_white": terms.komi,
    }


def initial_points12(rank: str) -> float:
    """Entry points of a rank on the 12-point card."""
    return last(played(Points(card="tagajo12"), (rank, None), (rank, None), 1.0)).before


CARDS = {
    "lookup12": "tagajo12",
    "lookup15": "tokyo15",
    "lookup18": "takadanobaba18",
    "lookup_ryokusei11": "ryokusei11",
    "lookup_mami12": "mami12",
    "lookup13": "regular13",
    "lookup_gon_printed": "gon13",
}
LOOKUPS = {function: partial(lookup, name) for function, name in CARDS.items()}
FAMILIES = (Family("points_japan", "points|tensuusei|点数", {**LOOKUPS, "initial_points12": initial_points12}),)
