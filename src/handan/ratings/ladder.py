"""The ladder of a rating, row by row: places, arrays, ranks and tallies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from handan.ratings.arrays import places_of, written_ranks

if TYPE_CHECKING:
    from handan.ratings.arrays import RatingArrays

Row = dict[str, Any]
TALLIES = ("games", "wins", "losses", "draws")
"""What the first columns of the tallies count."""


def ladder_rows(arrays: RatingArrays, limit: int | None = None) -> list[Row]:
    """Return one row a player, strongest first; who has the rank and the rating of the player above has their place.

    With a limit only the first so many, and nothing is made of the others.
    """
    players = arrays.ladder[:limit]
    rows = rows_of_players(arrays, players.tolist())
    for row, place in zip(rows.values(), places_of(arrays, players).tolist(), strict=True):
        row["place"] = place
    return list(rows.values())


def rows_of_players(arrays: RatingArrays, players: Sequence[int]) -> dict[int, Row]:
    """Return the rows of some players, given by index, by index and in their order; without a place."""
    chosen = np.array(players, dtype=np.int64)
    tallies, pools = arrays.tallies[chosen].tolist(), (arrays.pool[chosen] + 1).tolist()
    figures = arrays.rating[chosen].tolist()
    deviations = [None] * len(figures) if arrays.deviation is None else arrays.deviation[chosen].tolist()
    beside = {name: values[chosen].tolist() for name, values in arrays.beside.items()}
    days, ranks = arrays.last_days(chosen), written_ranks(arrays, chosen)
    names = arrays.ledger.names
    return {
        player: {
            "place": None,
            "player": names[player],
            "rating": float(figures[at]),
            **{name: float(values[at]) for name, values in beside.items()},
            "deviation": deviations[at],
            "rank": ranks[at],
            "games": games,
            "wins": wins,
            "losses": losses,
            "draws": draws,
            "last_played": days[at],
            "pool": pools[at] or None,
        }
        for at, (player, (games, wins, losses, draws, _)) in enumerate(zip(players, tallies, strict=True))
    }
