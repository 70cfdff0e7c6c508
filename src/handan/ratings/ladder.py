"""The ladder of a rating, row by row: places, ratings, ranks and tallies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from handan.ratings.ratings import Ratings


def ladder_rows(ratings: Ratings) -> list[dict[str, Any]]:
    """Return one row a player, strongest first; who has the rank and the rating of the player above has their place."""
    rows: list[dict[str, Any]] = []
    tallies, days, ranks = ratings.tallies.tolist(), ratings.last_days, ratings.rank_texts
    figures, pools = ratings.rating.tolist(), (ratings.pool + 1).tolist()
    deviations = [None] * len(figures) if ratings.deviation is None else ratings.deviation.tolist()
    beside = {name: values.tolist() for name, values in ratings.beside.items()}
    for number, player in enumerate(ratings.ladder, 1):
        games, wins, losses, draws, _ = tallies[player]
        row = {
            "place": number,
            "player": ratings.ledger.players[player].name,
            "rating": float(figures[player]),
            **{name: float(values[player]) for name, values in beside.items()},
            "deviation": deviations[player],
            "rank": ranks[player],
            "games": games,
            "wins": wins,
            "losses": losses,
            "draws": draws,
            "last_played": days[player],
            "pool": pools[player] or None,
        }
        own_rank = ratings.rank_number is None or (rows and rows[-1]["rank"] == row["rank"])
        if rows and own_rank and rows[-1]["rating"] == row["rating"]:
            row["place"] = rows[-1]["place"]
        rows.append(row)
    return rows
