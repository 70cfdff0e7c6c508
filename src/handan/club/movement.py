"""How far each player has come since a day, from the standings alone: no game is rated again."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from datetime import date
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from handan.ledger.dates import day_number
from handan.paper.from_ratings import DAYS
from handan.ranks import Rank
from handan.ratings import Explanation, Ratings
from handan.ratings.arrays import ranks_by_rating
from handan.ratings.ladder import Row, ranks_of
from handan.systems import System

MONTH = DAYS
"""Days over which pages say who moved."""


class Movement(NamedTuple):
    """A player's way over some days in which they played."""

    key: str
    games: int
    before: float
    """Rating before the first of these games."""
    after: float
    rank_before: str
    rank_after: str
    change: float | None
    """None where the rating is an index of the rank, which has changed, so that the two say different things."""

    @classmethod
    def between(
        cls, key: str, games: int, ratings: tuple[float, float], ranks: tuple[str, str], *, index_of_rank: bool
    ) -> Movement:  # fmt: skip
        """Return the movement of a player over so many games, of the ratings and ranks before and after them."""
        before, after = ratings
        other_unit = index_of_rank and ranks[0] != ranks[1]
        return cls(key, games, before, after, *ranks, None if other_unit else after - before)

    @property
    def figure(self) -> float:
        """The change as a number; a new rank in another unit is more than any."""
        if self.change is not None:
            return self.change
        return math.inf if self.promoted else -math.inf

    @property
    def promoted(self) -> bool:
        """Whether the rank is higher than it was."""
        return bool(self.rank_before and self.rank_after) and Rank.parse(self.rank_after) > Rank.parse(self.rank_before)


def moved_since(ratings: Ratings, key_of: Callable[[str], str], day: date) -> dict[str, Movement]:
    """Return the movement of who played rated games after a day, by key.

    Args:
        ratings: Under the rules now in force.
        key_of: Returns the key of a name of their ledger.
        day: Games of later days are looked at.
    """
    taken = _rated_after(ratings, day)
    seats = np.stack([side[taken] for side in ratings.ledger.arrays.seats], axis=1).ravel()  # in playing order
    players, first, counts = np.unique(seats, return_index=True, return_counts=True)
    games, sides = taken[first // 2], first % 2
    arrays, names, index_of_rank = ratings.arrays, ratings.ledger.names, ratings.system.traits.index_of_rank
    before, after = arrays.before[games, sides], ratings.rating[players]
    if arrays.rank_numbers is None:
        ranks_before = ranks_by_rating(before, ratings.system)
    else:
        places = zip(games.tolist(), sides.tolist(), strict=True)
        ranks_before = [str(arrays.rank_before(game, side) or "") for game, side in places]
    figures = zip(before.tolist(), after.tolist(), strict=True)
    ranks = zip(ranks_before, ranks_of(arrays, players.tolist()), strict=True)
    keys = [key_of(names[player]) for player in players.tolist()]
    return {
        key: Movement.between(key, *row, index_of_rank=index_of_rank)
        for key, *row in zip(keys, counts.tolist(), figures, ranks, strict=True)
    }


def _rated_after(ratings: Ratings, day: date) -> NDArray[np.int64]:
    """Return the rated games after a day, in the order in which they were taken."""
    later = ratings.ledger.arrays.day > day_number(day)  # who has no date has the least number
    chosen: NDArray[np.int64] = ratings.arrays.sequence[later[ratings.arrays.sequence]]
    return chosen


def movement_on_card(system: System, row: Row, lines: Iterable[Explanation], day: date) -> Movement | None:
    """Return the movement of one player after a day, which the lines of their card tell; None where nothing moved.

    Args:
        system: Now in force.
        row: Of the ladder.
        lines: Of their rated games under these rules.
        day: Games of later days are looked at.
    """
    later = [line for line in lines if line.date[: len(str(day))] > str(day)]
    if not later or row["rating"] is None:
        return None
    ranks = later[0].rank_before, row["rank"]
    ratings, index_of_rank = (later[0].before, row["rating"]), system.traits.index_of_rank
    return Movement.between(row["key"], len(later), ratings, ranks, index_of_rank=index_of_rank)


def farthest(moves: dict[str, Movement]) -> list[Movement]:
    """Return who rose in rank, then all others who moved, each by how far."""

    def weight(item: Movement) -> tuple[Any, ...]:
        return not item.promoted, -abs(item.change or 0.0), item.key

    return sorted((item for item in moves.values() if item.promoted or item.change), key=weight)
