"""The ladder of a rating, row by row: places, arrays, ranks and tallies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from handan.ratings.arrays import places_of, written_ranks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from handan.ratings.arrays import RatingArrays

Row = dict[str, Any]
TALLIES = ("games", "wins", "losses", "draws")
"""What the first columns of the tallies count."""
SEVERAL = 8  # our choice: of one in so many players and more, all ranks and days are written together


def ladder_rows(arrays: RatingArrays, limit: int | None = None) -> list[Row]:
    """Return one row a player, strongest first; who has the rank and the rating of the player above has their place.

    With a limit only the first so many, and nothing is made of the others.
    """
    players = arrays.ladder[:limit]
    rows = rows_of_players(arrays, players.tolist())
    for row, place in zip(rows.values(), places_of(arrays, players).tolist(), strict=True):
        row["place"] = place
    return list(rows.values())


def ranks_of(arrays: RatingArrays, players: Sequence[int]) -> list[str]:
    """Return the ranks of some players, given by index, as they are written; those of many are written with all."""
    if len(players) * SEVERAL >= len(arrays.rating):
        texts = arrays.rank_texts
        return [texts[player] for player in players]
    return written_ranks(arrays, np.array(players, dtype=np.int64))


def last_days_of(arrays: RatingArrays, players: NDArray[np.int64]) -> list[str | None]:
    """Return the days of the last games of some players, given by index; those of many are written with all."""
    if arrays.last_played is not None or len(players) * SEVERAL >= len(arrays.rating):
        days = arrays.last_days
        return [days[player] for player in players.tolist()]
    return arrays.days_of(arrays.tallies[players, 4])


def rows_of_players(arrays: RatingArrays, players: Sequence[int]) -> dict[int, Row]:
    """Return the rows of some players, given by index, by index and in their order; without a place."""
    chosen = np.array(players, dtype=np.int64)
    tallies, pools = arrays.tallies[chosen].tolist(), (arrays.pool[chosen] + 1).tolist()
    figures = arrays.rating[chosen].tolist()
    deviations = [None] * len(figures) if arrays.deviation is None else arrays.deviation[chosen].tolist()
    beside = {name: values[chosen].tolist() for name, values in arrays.beside.items()}
    days, ranks = last_days_of(arrays, chosen), ranks_of(arrays, players)
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
