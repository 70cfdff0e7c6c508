"""How far a player is from the next rank, by the law of the club's own system, and which wins would bring it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from handan.club import changes
from handan.club.entries import Draft
from handan.club.movement import Figures
from handan.club.recorded import SIDES, Chosen
from handan.club.state import COUNTS
from handan.drawing import next_rank_at
from handan.errors import InputError
from handan.handicaps import Terms
from handan.ranks import Rank
from handan.ratings import rank_from
from handan.systems.families.sagc_ranks import LIMIT

if TYPE_CHECKING:
    from handan.club.service.looking import ClubStandings

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


MOST_WINS = 6
"""Our choice: more wins in a row against one player are no way that anybody goes."""
Tried = Callable[[Sequence[Draft]], Figures]


class WayUp(NamedTuple):
    """Wins against one player that lead to a higher rank."""

    opponent: str
    """Key of the player."""
    wins: int
    terms: Terms
    """Of tonight; later wins are taken at the same."""
    rank: str
    rating: float


def opponents_near(standings: ClubStandings, key: str) -> list[str]:
    """Return who stands next above and next below a player, and who was met most often, by key."""
    places = [*standings.by_key]
    place = places.index(key)
    state = standings.state
    games = state.recorded.rows(Chosen(state.names_of(key), COUNTS, standings.day)).select(SIDES)
    met = Counter(state.final(player) for sides in games.iter_rows() for player in sides)
    often = sorted(met.keys() - {key}, key=lambda other: (-met[other], other))
    beside = [*places[max(place - 1, 0) : place], *places[place + 1 : place + 2]]
    standings.prefetch([*beside, *often[:1]])
    near = [*(other for other in beside if standings.by_key[other]["rating"] is not None), *often[:1]]
    return [other for other in dict.fromkeys(near) if other in state.active]


def ways_up(standings: ClubStandings, key: str, today: date, kind: str, tried: Tried) -> Iterator[WayUp]:
    """Give the fewest wins against each of the opponents near a player that lead to a higher rank.

    Args:
        standings: As they are now.
        key: Of the player, who has a rank.
        today: The day of the games.
        kind: Of the games.
        tried: Returns the figures of the list behind some entries, which nobody writes.
    """
    before = Rank.parse(standings.by_key[key]["rank"])

    def way(other: str, terms: Terms, draft: Draft, wins: int) -> WayUp | None:
        after = tried([draft] * wins)
        player = after.place_of.get(key)
        rank = "" if player is None else after.ranks([player])[0]
        if player is None or not rank or Rank.parse(rank) <= before:
            return None
        return WayUp(other, wins, terms, rank, float(after.rating[player]))

    for other in opponents_near(standings, key):
        try:
            terms = standings.fair_terms(key, other)
        except InputError:
            continue
        seats = {"black": standings.state.keys[terms.black], "white": standings.state.keys[terms.white]}
        won = "B+" if seats["black"] == key else "W+"
        facts = {**seats, "handicap": terms.handicap, "komi": terms.komi, "date": str(today), "kind": kind}
        draft = changes.games.record_game(standings.state, {**facts, "result": won}, today)
        if most := way(other, terms, draft, MOST_WINS):  # else fewer do not suffice either
            fewer = (way(other, terms, draft, wins) for wins in range(1, MOST_WINS))
            yield next(filter(None, fewer), most)
