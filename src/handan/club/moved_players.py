"""Whose rating or rank differs between two standings, as before and after an entry."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from itertools import count
from operator import eq
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from handan.club.ladder_list import digits_of_array
from handan.club.once import once
from handan.club.standings import Standings
from handan.ratings import Ratings
from handan.ratings.ladder import ranks_of

NOWHERE = -1
"""The index of who does not stand in the ratings."""
Players = NDArray[np.int64]


def changes_of(before: Standings, after: Standings) -> MovedPlayers:
    """Return every player whose rating or rank differs between two standings, the largest change first.

    So do those who stand in one of them alone.
    """
    one, other, by_name = _everybody(before, after)
    differ = _differing(before.ratings, after.ratings, one, other)
    moved = MovedPlayers(before, after, one[differ], other[differ])
    largest_first = np.lexsort((by_name[differ], -np.abs(np.nan_to_num(moved.change, posinf=0.0, neginf=0.0))))
    return moved.chosen(largest_first)


class MovedPlayers(Sequence[dict[str, Any]]):
    """Players whom something moved, a row each; rows are made when they are asked for, since it may move everybody.

    A row has `key`, `player` (as after it, if there), `before`, `after`, `change` (None where there is no rating),
    `rank_before`, `rank_after`, `place_before` and `place_after`.
    """

    def __init__(self, before: Standings, after: Standings, one: Players, other: Players) -> None:
        """Take two standings, and by index where each player stands in the one and the other, or `NOWHERE`."""
        self.before, self.after = before, after
        self._one, self._other = one, other

    def __len__(self) -> int:
        """Number of players."""
        return len(self._one)

    @overload
    def __getitem__(self, place: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, place: slice) -> list[dict[str, Any]]: ...
    def __getitem__(self, place: int | slice) -> Any:
        """Return a row, or a list of rows."""
        if isinstance(place, slice):
            return self._rows(self._one[place], self._other[place])
        if not -len(self) <= place < len(self):
            raise IndexError(place)
        return self._rows(*(players[[place]] for players in (self._one, self._other)))[0]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Go through the rows."""
        return iter(self[:])

    def __eq__(self, other: object) -> bool:
        """Return whether another sequence has the same rows."""
        return isinstance(other, Sequence) and len(self) == len(other) and all(map(eq, self, other))

    __hash__ = None  # type: ignore[assignment]  # as lists

    def chosen(self, places: NDArray[Any]) -> MovedPlayers:
        """Return the players at some places, or those of whom a flag is set."""
        return MovedPlayers(self.before, self.after, self._one[places], self._other[places])

    def without(self, keys: Collection[str]) -> MovedPlayers:
        """Return the same without some players, given by key."""
        return self.chosen(self._others_than(keys))

    def visible(self) -> MovedPlayers:
        """Return the same without those whose rating and rank are written as before: a game may move all a little."""
        old, new = (np.round(figures, self.decimals) for figures in self._figures)
        moved = (old != new) & ~(np.isnan(old) & np.isnan(new)) | (self._one < 0) | (self._other < 0)
        alike = np.flatnonzero(~moved)
        moved[alike] = _differ_in_rank(self.before.ratings, self.after.ratings, self._one[alike], self._other[alike])
        return self if moved.all() else self.chosen(moved)

    def first_of(self, keys: Collection[str]) -> MovedPlayers:
        """Return the same, some players first, given by key."""
        return self.chosen(np.argsort(self._others_than(keys), kind="stable"))

    def still_there(self) -> MovedPlayers:
        """Return the same without those who have no rating after it."""
        return self.chosen(np.isfinite(self._figures[1]))

    @once
    def decimals(self) -> int:
        """How many decimals the ratings are shown with."""
        return digits_of_array(np.concatenate(self._figures))

    @property
    def change(self) -> NDArray[np.float64]:
        """How far each player moved, NaN where there is no rating, shape (players,)."""
        old, new = self._figures
        with np.errstate(invalid="ignore"):  # of infinite ones
            return new - old

    @once
    def _figures(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Ratings before and after, NaN where there is none, shape (players,) each."""
        return _ratings_of(self.before.ratings, self._one), _ratings_of(self.after.ratings, self._other)

    def _others_than(self, keys: Collection[str]) -> NDArray[np.bool_]:
        """Return which of the players are none of some, given by key."""
        places = [_index(self.after, key) for key in keys]
        others: NDArray[np.bool_] = ~np.isin(self._other, [place for place in places if place is not None])
        return others

    def _rows(self, one: Players, other: Players) -> list[dict[str, Any]]:
        sides = _said_of(self.before, one), _said_of(self.after, other)
        named = [(self.after, new) if new >= 0 else (self.before, old)
                 for old, new in zip(one.tolist(), other.tolist(), strict=True)]  # fmt: skip
        names = [standings.ratings.ledger.names[player] for standings, player in named]
        keys = [standings.state.keys[name] for (standings, _), name in zip(named, names, strict=True)]
        return [
            {
                "key": key,
                "player": name,
                "before": old,
                "after": new,
                "change": None if old is None or new is None else new - old,
                "rank_before": rank_before,
                "rank_after": rank_after,
                "place_before": place_before,
                "place_after": place_after,
            }
            for key, name, (old, rank_before, place_before), (new, rank_after, place_after) in zip(
                keys, names, *sides, strict=True
            )
        ]


def _everybody(before: Standings, after: Standings) -> tuple[Players, Players, Players]:
    """Return where each player stands in both ratings, `NOWHERE` for not at all, and a number in the order of names."""
    one, other = before.ratings.ledger, after.ratings.ledger
    if one.players is other.players:
        same = np.arange(len(one.players))
        return same, same, same
    place = dict(zip(map(after.state.keys.__getitem__, other.names), count()))
    of_before = (place.get(before.state.keys[name], NOWHERE) for name in one.names)
    later = np.fromiter(of_before, np.int64, len(one.names))
    came = np.setdiff1d(np.arange(len(other.names)), later)
    first, second = np.arange(len(one.names)), np.concatenate([later, came])
    names = [one.names[at] if place < 0 else other.names[place] for at, place in enumerate(later.tolist())]
    names += [other.names[player] for player in came.tolist()]
    by_name = np.empty(len(names), dtype=np.int64)
    by_name[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
    return np.concatenate([first, np.full(len(came), NOWHERE)]), second, by_name


def _differing(before: Ratings, after: Ratings, one: Players, other: Players) -> NDArray[np.bool_]:
    """Return whose rating or rank differs; those who stand in one of both alone do."""
    old, new = _ratings_of(before, one), _ratings_of(after, other)
    there = (one >= 0) & (other >= 0)
    differ: NDArray[np.bool_] = ~there | ((old != new) & ~(np.isnan(old) & np.isnan(new)))
    if before.system == after.system and (before.rank_number is None) == (after.rank_number is None):
        if before.rank_number is not None and after.rank_number is not None:
            differ[there] |= before.rank_number[one[there]] != after.rank_number[other[there]]
        return differ  # else equal ratings are of one rank
    differ[there] |= _differ_in_rank(before, after, one[there], other[there])
    return differ


def _differ_in_rank(before: Ratings, after: Ratings, one: Players, other: Players) -> NDArray[np.bool_]:
    """Return whose written rank differs, of players who stand in both ratings."""
    texts = (np.array(ranks_of(*side), dtype=object) for side in ((before, one.tolist()), (after, other.tolist())))
    differ: NDArray[np.bool_] = np.not_equal(*texts)
    return differ


def _ratings_of(ratings: Ratings, players: Players) -> NDArray[np.float64]:
    """Return the ratings of players, NaN where there is none."""
    figures = ratings.rating[players] if len(ratings.rating) else np.full(len(players), np.nan)
    return np.where((players >= 0) & np.isfinite(figures), figures, np.nan)


def _said_of(standings: Standings, players: Players) -> list[tuple[float | None, str, int | None]]:
    """Return rating, rank and place of players; None, "" and None for who does not stand in the ratings."""
    there = players[players >= 0]
    if not len(there):
        return [(None, "", None)] * len(players)
    places = iter(standings.rows.places[standings.by_key.where[there]].tolist())
    ranks = iter(ranks_of(standings.ratings, there.tolist()))
    figures = _ratings_of(standings.ratings, players).tolist()
    return [
        (None if math.isnan(figure) else figure, next(ranks), next(places)) if player >= 0 else (None, "", None)
        for player, figure in zip(players.tolist(), figures, strict=True)
    ]


def _index(standings: Standings, key: str) -> int | None:
    """Return where the player of a key stands in the ratings, None for nowhere."""
    return standings.ratings.ledger.bearer(standings.state.labels[key])
