"""Vectors of the winning percentages of Go ranks and ratings (Wikipedia)."""

from __future__ import annotations

from handan.cli.odds import PUBLISHED
from handan.ranks import Rank
from handan.systems import system as system_named
from tests.vectors.family import Family

LAWS = {name: (law, komi) for name, law, komi in PUBLISHED}


def win_probability(system: str, stronger_by_ranks: int, weaker: str) -> float:
    """Return the chance of the stronger in an even game under the law that made the table."""
    law, komi = LAWS[system]
    rules = system_named(law)
    one, other = rules.standing(weaker), rules.standing(str(Rank.at(Rank.parse(weaker).stones + stronger_by_ranks)))
    return 1.0 - (rules.win_probability(one, other, 0, komi) or 0.0)


FAMILIES = (Family("wikipedia", r"wikipedia|seed002", {"win_probability": win_probability}),)
