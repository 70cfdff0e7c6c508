"""The ladder of a rating, row by row: places, ratings, ranks and tallies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from handan.ledger import Ledger

if TYPE_CHECKING:
    from handan.ratings.ratings import Ratings

Row = dict[str, Any]


def ladder_rows(ratings: Ratings, limit: int | None = None) -> list[Row]:
    """Return one row a player, strongest first; who has the rank and the rating of the player above has their place.

    With a limit only the first so many, and nothing is made of the others.
    """
    players = ratings.ladder[:limit]
    return _placed(players, ratings, _row_maker(ratings, None if limit is None else players))


def ladder_rows_on(
    before: Ratings, rows: Iterable[Row], ratings: Ratings, finish: Callable[[Row], Row]
) -> list[Row] | None:
    """Return the rows of a ladder, those of an earlier one themselves where they still hold.

    None where the players are others. A row that is returned again must not be changed.

    Args:
        before: The earlier ratings.
        rows: Their ladder, as `ladder_rows` gives it, each row with whatever `finish` adds.
        ratings: The ratings now.
        finish: Adds to a new row, in place or not, what the earlier ones have.
    """
    shown = [(list(each.beside), each.deviation is None) for each in (before, ratings)]
    if before.ledger.players is not ratings.ledger.players or shown[0] != shown[1]:
        return None
    make, differ = _row_maker(ratings), _differ(before, ratings)
    earlier = {row["player"]: row for row in rows}
    players = ratings.ledger.players
    return _placed(
        ratings.ladder, ratings, lambda index: finish(make(index)) if index in differ else earlier[players[index].name]
    )


def _placed(players: list[int], ratings: Ratings, row_of: Callable[[int], Row]) -> list[Row]:
    """Return the rows of players, strongest first, with their places; a row with another place is copied."""
    rows: list[Row] = []
    for number, player in enumerate(players, 1):
        row, place = row_of(player), number
        own_rank = ratings.rank_number is None or (rows and rows[-1]["rank"] == row["rank"])
        if rows and own_rank and rows[-1]["rating"] == row["rating"]:
            place = rows[-1]["place"]
        rows.append(row if row["place"] == place else {**row, "place": place})
    return rows


def _row_maker(ratings: Ratings, players: list[int] | None = None) -> Callable[[int], Row]:
    """Return what makes the row of a player, given by index, or of one of some players; without a place."""
    tallies = ratings.tallies
    days: Mapping[int, str | None] | Sequence[str | None] = (
        ratings.last_days if players is None else dict(zip(players, ratings.days_of(tallies[players, 4]), strict=True))
    )
    ranks: Mapping[int, str] | Sequence[str] = (
        ratings.rank_texts if players is None else {player: ratings.rank_text(player) for player in players}
    )
    figures, pools = ratings.rating.tolist(), (ratings.pool + 1).tolist()
    deviations = [None] * len(figures) if ratings.deviation is None else ratings.deviation.tolist()
    beside = {name: values.tolist() for name, values in ratings.beside.items()}

    def make(player: int) -> Row:
        games, wins, losses, draws, _ = tallies[player].tolist()
        return {
            "place": None,
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

    return make


def _differ(before: Ratings, ratings: Ratings) -> set[int]:
    """Return the players, by index, of whom two ratings of the same players say different things."""
    other = before.pool != ratings.pool
    for one, now in zip(before.figures(), ratings.figures(), strict=True):
        other = other | (one != now)
    other |= (before.tallies != ratings.tallies).any(axis=1)
    texts = zip(before.rank_texts, ratings.rank_texts, before.last_days, ratings.last_days, strict=True)
    written = {player for player, (rank, new, day, last) in enumerate(texts) if rank != new or day != last}
    return written | set(np.flatnonzero(other).tolist())


def tallied(ledger: Ledger, sequence: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return games, wins, losses, draws and index of the last game (-1: none) of every player, shape (players, 5).

    Args:
        ledger: Holds the games.
        sequence: Indices of the rated ones, shape (rated,).
    """
    tally = np.zeros((len(ledger.players), 5), dtype=np.int64)
    tally[:, 4] = -1
    halves = (2 * ledger.score[sequence]).astype(np.int64)
    for side, own in zip(ledger.seats, (halves, 2 - halves), strict=True):
        players = side[sequence]
        counts = np.bincount(players * np.int64(3) + own, minlength=3 * len(tally)).reshape(-1, 3)
        tally[:, 0] += counts.sum(axis=1)
        tally[:, 1:4] += counts[:, [2, 0, 1]]
        np.maximum.at(tally[:, 4], players, sequence)
    return tally
