"""The ladder of a rating, row by row: places, ratings, ranks and tallies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import compress, count
from operator import is_not
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from handan.ledger import Ledger

if TYPE_CHECKING:
    from handan.ratings.ratings import Ratings

Row = dict[str, Any]


def ladder_rows(ratings: Ratings) -> list[Row]:
    """Return one row a player, strongest first; who has the rank and the rating of the player above has their place."""
    ladder = ratings.ladder
    rows = _unplaced(ratings, ladder)
    _place(rows, 0, len(rows), ranks_apart=ratings.rank_number is not None)
    return rows


def ladder_rows_on(
    before: Ratings, rows: Sequence[Row], ratings: Ratings, finish: Callable[[Row], Row]
) -> list[Row] | None:
    """Return the rows of a ladder, those of an earlier one themselves where they still hold.

    None where the players are others. A row that is returned again must not be changed. What it costs are the players
    between whose places somebody moved.

    Args:
        before: The earlier ratings.
        rows: Their ladder, as `ladder_rows` gives it, each row with whatever `finish` adds.
        ratings: The ratings now.
        finish: Adds to a new row, in place or not, what the earlier ones have.
    """
    shown = [(list(each.beside), each.deviation is None) for each in (before, ratings)]
    if before.ledger.players is not ratings.ledger.players or shown[0] != shown[1]:
        return None
    ranked, now = before.ladder, ratings.ladder
    other = np.array(ranked, dtype=np.int64) != np.array(now, dtype=np.int64)
    differ = _differ(before, ratings)
    other |= differ[now]
    places = np.flatnonzero(other)
    if not len(places):
        return list(rows)
    start, stop = int(places[0]), int(places[-1]) + 1
    anew = [player for player in now[start:stop] if differ[player]]
    made = dict(zip(ranked[start:stop], rows[start:stop], strict=True))
    made |= zip(anew, map(finish, _unplaced(ratings, anew)), strict=True)
    whole = [*rows[:start], *(made[player] for player in now[start:stop]), *rows[stop:]]
    _place(whole, start, stop, ranks_apart=ratings.rank_number is not None)
    return whole


def _place(rows: list[Row], start: int, stop: int, *, ranks_apart: bool) -> None:
    """Let rows from `start` to before `stop` say their places, and those behind who share the place of the last.

    A row that says another place is left as it is, and copied.
    """
    for number in range(start, len(rows)):
        row, above = rows[number], rows[number - 1] if number else None
        shares = above is not None and above["rating"] == row["rating"]
        shares = shares and (not ranks_apart or above["rank"] == row["rank"])  # type: ignore[index]
        place = above["place"] if shares else number + 1  # type: ignore[index]
        if number >= stop and row["place"] == place:
            return
        rows[number] = row if row["place"] == place else {**row, "place": place}


def _unplaced(ratings: Ratings, players: Sequence[int]) -> list[Row]:
    """Return the rows of players, given by index, without places."""
    chosen = np.array(players, dtype=np.int64)
    games, wins, losses, draws, _ = ratings.tallies[chosen].T.tolist()
    names, days, ranks = ratings.ledger.players, ratings.last_days, ratings.rank_texts
    figures, pools = ratings.rating[chosen].tolist(), (ratings.pool[chosen] + 1).tolist()
    deviations = [None] * len(figures) if ratings.deviation is None else ratings.deviation[chosen].tolist()
    beside = {name: values[chosen].tolist() for name, values in ratings.beside.items()}
    return [
        {
            "place": None,
            "player": names[player].name,
            "rating": float(figures[number]),
            **{name: float(values[number]) for name, values in beside.items()},
            "deviation": deviations[number],
            "rank": ranks[player],
            "games": games[number],
            "wins": wins[number],
            "losses": losses[number],
            "draws": draws[number],
            "last_played": days[player],
            "pool": pools[number] or None,
        }
        for number, player in enumerate(players)
    ]


def _differ(before: Ratings, ratings: Ratings) -> NDArray[np.bool_]:
    """Return of which players two ratings of the same players say different things, shape (players,)."""
    other: NDArray[np.bool_] = before.pool != ratings.pool
    for one, now in zip(before.figures(), ratings.figures(), strict=True):
        other = other | (one != now)
    other |= (before.tallies != ratings.tallies).any(axis=1)
    for texts, later in ((before.rank_texts, ratings.rank_texts), (before.last_days, ratings.last_days)):
        for player in compress(count(), map(is_not, texts, later)):  # most are the very same
            other[player] |= texts[player] != later[player]
    return other


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
