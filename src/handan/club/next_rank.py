"""How far a player is from the next rank, by the law of the club's own system."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
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

    Where the rating is an index of the rank, the index promotes; elsewhere the first rating with a higher rank.
    """
    row = standings.by_key.get(key)
    if row is None or not row["rank"] or row["rating"] is None:
        return None
    rating, rank = float(row["rating"]), Rank.parse(row["rank"])
    if standings.system.traits.index_of_rank:
        number = rank.number_from_30k
        higher = None if number >= Rank.dan(9).number_from_30k else (rank_from(number + 1), LIMIT + 1)
    else:
        law = partial(standings.system.rank_held, rank)
        higher = next_rank_at(law, rating, _reach(law, rating))
    if higher is None:
        return None
    unit = 10.0**-standings.decimals
    return NextRank(higher[0], round(math.ceil((higher[1] - rating) / unit - 1e-6) * unit, standings.decimals))


def _reach(law: Callable[[float], Rank | None], rating: float) -> float:
    """Return how far up the next rank is looked for: doubled until the rank is another one."""
    distance, rank = 1.0, law(rating)
    while distance < FARTHEST and law(rating + distance) == rank:
        distance *= 2
    return distance
