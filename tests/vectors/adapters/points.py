"""Vectors of the Japanese points systems."""

from __future__ import annotations

from functools import partial
from typing import Any

from handan.handicaps import card
from handan.ranks import Rank
from handan.systems.points import Points
from tests.vectors.family import Family


def lookup(name: str, /, diff: int) -> dict[str, Any]:
    """What a card says at a difference, under the names that the vectors of the several cards use."""
    row = card(name).row(diff)
    return {
        "stones": row.card_stones,
        "table_handicap": row.card_stones,
        "conventional_stones": row.stones_on_board,
        "komi_to_white": row.komi,
    }


def initial_points12(rank: str) -> float:
    """Entry points of a rank on the 12-point card."""
    return Points(card="tagajo12").rating_for(Rank.parse(rank))


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
