"""How far a player is from the next rank, by the law of the club's own system."""

from __future__ import annotations

import math
from typing import NamedTuple

from handan.club.standings import ClubStandings
from handan.drawing import next_rank_at
from handan.ranks import Rank
from handan.ratings import rank_from
from handan.systems.families.sagc_ranks import LIMIT

FARTHEST = 1e6  # units of the rating; our choice: who has no next rank by then has none


class NextRank(NamedTuple):
    """The next higher rank, and what is missing."""

    rank: Rank
    missing: float
    """In the unit of the rating, as the club's figures are written; rounded up, so that it suffices."""


def next_rank(standings: ClubStandings, key: str) -> NextRank | None:
    """Return the next rank of a player who stands in the ladder; None where the system has no ranks, or no higher one.

    A system whose ranks are a state of their own promotes by its index; for others the rank follows from the rating.
    """
    row = standings.by_key.get(key)
    if row is None or not row["rank"] or row["rating"] is None:
        return None
    rating = float(row["rating"])
    if standings.has_own_ranks:
        number = Rank.parse(row["rank"]).number_from_30k
        higher = None if number >= Rank.dan(9).number_from_30k else (rank_from(number + 1), LIMIT + 1)
    else:
        higher = next_rank_at(standings.system.rank, rating, _reach(standings, rating))
    if higher is None:
        return None
    unit = 10.0**-standings.decimals
    return NextRank(higher[0], round(math.ceil((higher[1] - rating) / unit - 1e-6) * unit, standings.decimals))


def _reach(standings: ClubStandings, rating: float) -> float:
    """Return how far up the next rank is looked for: doubled until the rank is another one."""
    law, distance = standings.system, 1.0
    rank = law.rank(rating)
    while distance < FARTHEST and law.rank(rating + distance) == rank:
        distance *= 2
    return distance
