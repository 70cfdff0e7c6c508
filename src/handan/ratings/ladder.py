"""The ladder of a rating, row by row: places, arrays, ranks and tallies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from sys import intern
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from handan.kernels.tallies import count_games
from handan.ledger import Ledger
from handan.ranks import STRONGEST, WEAKEST
from handan.ratings.rules import rank_from

if TYPE_CHECKING:
    from handan.ratings.arrays import RatingArrays

Row = dict[str, Any]
TALLIES = ("games", "wins", "losses", "draws")
"""What the first columns of the tallies count."""
COLUMNS = np.array([2, 3, 1])
"""Where losses, draws and wins stand among the tallies, by half points."""
FEW = 8  # our choice: one game to so many players is counted by itself
AT_ONCE = 1 << 20  # games that are counted together; our choice
SEVERAL = 8  # our choice: of one in so many players and more, all ranks and days are written together
MANY = 1 << 17  # games that a loop counts sooner than steps over all of them; our choice


def strongest_first(arrays: RatingArrays) -> NDArray[np.int64]:
    """Return all players, by index: by rank where ranks are a state of their own, then rating, then name."""
    strength = np.argsort(-arrays.rating, kind="stable")
    if arrays.rank_number is not None:
        strength = strength[np.argsort(-arrays.rank_number[strength], kind="stable")]
    return strength


def ladder_rows(arrays: RatingArrays, limit: int | None = None) -> list[Row]:
    """Return one row a player, strongest first; who has the rank and the rating of the player above has their place.

    With a limit only the first so many, and nothing is made of the others.
    """
    players = arrays.ladder[:limit]
    rows = rows_of_players(arrays, players.tolist())
    for row, place in zip(rows.values(), _places(players, arrays).tolist(), strict=True):
        row["place"] = place
    return list(rows.values())


def written_ranks(arrays: RatingArrays, players: NDArray[np.int64] | None = None) -> list[str]:
    """Return the rank of every player, or of some by index, as it is written; empty where there is none.

    A higher rating never makes a weaker rank: whoever stands between two of one rank has it too, and is not asked.
    """
    chosen = np.arange(len(arrays.rating)) if players is None else players
    if arrays.rank_number is not None:
        different, number = np.unique(arrays.rank_number[chosen], return_inverse=True)
        written = [str(rank_from(one) or "") for one in different]
        return [written[place] for place in number.tolist()]

    def rank_at(place: int) -> str:
        return intern(str(arrays.rank_of(int(chosen[place])) or ""))

    ascending = np.argsort(arrays.rating[chosen], kind="stable")
    numbers = np.isfinite(arrays.rating[chosen[ascending]])
    texts = np.full(len(chosen), "", dtype=object)
    for place in ascending[~numbers].tolist():
        texts[place] = rank_at(place)
    ascending = ascending[numbers]
    texts[ascending] = made_in_steps(len(ascending), lambda step: rank_at(int(ascending[step])))
    return list(texts)


def made_in_steps(count: int, make: Callable[[int], str]) -> NDArray[np.object_]:
    """Return what places from 0 on make, where all between two that make the same make it too: few are asked for."""
    made = np.empty(count, dtype=object)
    ranges = [(0, count - 1, make(0), make(count - 1))] if count else []
    while ranges:
        first, last, low, high = ranges.pop()
        if low == high or last - first < 2:
            made[first:last], made[last] = low, high
            continue
        middle = (first + last) // 2
        text = make(middle)
        ranges += [(middle, last, text, high), (first, middle, low, text)]
    return made


def places_of(arrays: RatingArrays) -> NDArray[np.int64]:
    """Return the places from 1 on of the players of the ladder, strongest first; equal ones share that of the first."""
    return _places(arrays.ladder, arrays)


def _places(players: NDArray[np.int64], arrays: RatingArrays) -> NDArray[np.int64]:
    """Return the places from 1 on of players, strongest first; equal ones share that of the first."""
    rating = arrays.rating[players]
    alike = rating[1:] == rating[:-1]
    if arrays.rank_number is not None:
        number = np.clip(arrays.rank_number[players], WEAKEST, STRONGEST)  # as ranks of numbers are
        alike &= number[1:] == number[:-1]
    numbers = np.arange(1, len(rating) + 1)
    return np.maximum.accumulate(np.where(np.append(False, alike)[: len(rating)], 0, numbers))


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


def tallied(ledger: Ledger, sequence: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return games, wins, losses, draws and index of the last game (-1: none) of every player, shape (players, 5).

    Args:
        ledger: Holds the games.
        sequence: Indices of the rated ones, shape (rated,).
    """
    tally = np.zeros((len(ledger.players), 5), dtype=np.int64)
    tally[:, 4] = -1
    if (loop := count_games.compiled_if(worth_it=len(sequence) >= MANY)) is not None:
        loop(*ledger.arrays.seats, ledger.arrays.score, sequence, tally.reshape(-1))
        return tally
    for first in range(0, len(sequence), AT_ONCE):
        games = sequence[first : first + AT_ONCE]
        halves = (2 * ledger.arrays.score[games]).astype(np.int64)
        for side, own in zip(ledger.arrays.seats, (halves, 2 - halves), strict=True):
            players = side[games]
            np.maximum.at(tally[:, 4], players, games)
            if len(games) * FEW < len(tally):
                np.add.at(tally[:, 0], players, 1)
                np.add.at(tally, (players, COLUMNS[own]), 1)
                continue
            counts = np.bincount(players * np.int64(3) + own, minlength=3 * len(tally)).reshape(-1, 3)
            tally[:, 0] += counts.sum(axis=1)
            tally[:, 1:4] += counts[:, [2, 0, 1]]
    return tally


def tallied_on(before: NDArray[np.int64], later: NDArray[np.int64], first: int) -> NDArray[np.int64]:
    """Return the tallies of players when games follow those of `before`.

    Args:
        before: As `tallied` gives them, shape (players, 5).
        later: The same of the later games alone, as if they were all.
        first: Index of the first of the later games.
    """
    whole = before + later
    whole[:, 4] = np.where(later[:, 4] >= 0, later[:, 4] + first, before[:, 4])
    return whole
