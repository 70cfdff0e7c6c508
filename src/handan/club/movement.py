"""Ratings and ranks of the players of a list as arrays, what it says of all together, and who came how far."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from operator import eq
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from handan.club.state import State
from handan.ledger.dates import day_number
from handan.paper.from_ratings import DAYS
from handan.ranks import Rank
from handan.ratings import Explanation, Ratings, rank_from
from handan.ratings.arrays import ranks_by_rating, written_ranks
from handan.ratings.ladder import Row
from handan.systems import System
from handan.wording.figures import digits


@dataclass(frozen=True)
class Figures:
    """Who stands in a list, with which rating; arrays have shape (players,)."""

    state: State
    """The club, which knows how the players are called."""
    system: System
    keys: Sequence[str]
    """Of the players, in the order of registration."""
    rating: NDArray[np.float64]
    rank_number: NDArray[np.int64] | None = None
    """Rank (30k = 1, 1d = 31) where it is a state of its own and does not follow from the rating."""

    @classmethod
    def of_listed(
        cls, state: State, system: System, keys: Sequence[str], listed: NDArray[np.bool_], rating: NDArray[np.float64],
        rank_number: NDArray[np.int64] | None,
    ) -> Figures:  # fmt: skip
        """Return those of who stands in a list, of arrays of all players, whose keys are given in the same order."""
        there = np.flatnonzero(listed)
        numbers = None if rank_number is None else rank_number[there]
        return cls(state, system, [keys[player] for player in there.tolist()], rating[there], numbers)

    @cached_property
    def place_of(self) -> dict[str, int]:
        """The index of each player by key."""
        return {key: place for place, key in enumerate(self.keys)}

    @cached_property
    def finite(self) -> NDArray[np.float64]:
        """The ratings, NaN where they are infinite."""
        return np.where(np.isfinite(self.rating), self.rating, np.nan)

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """The place of each player from 1 on, strongest first; equal ones share that of the first."""
        order = np.argsort(-self.rating, kind="stable")
        if self.rank_number is not None:
            order = order[np.argsort(-self.rank_number[order], kind="stable")]
        alike = self.rating[order][1:] == self.rating[order][:-1]
        if self.rank_number is not None:
            alike &= self.rank_number[order][1:] == self.rank_number[order][:-1]
        numbers = np.arange(1, len(order) + 1)
        places = np.empty(len(order), dtype=np.int64)
        places[order] = np.maximum.accumulate(np.where(np.append(False, alike)[: len(order)], 0, numbers))
        return places

    def ranks(self, players: Sequence[int]) -> list[str]:
        """Return the ranks of some players, given by index, as they are written; empty where there is none."""
        if self.rank_number is not None:
            return [str(rank_from(int(self.rank_number[player])) or "") for player in players]
        return ranks_by_rating(self.rating[list(players)], self.system)

    def label(self, player: int) -> str:
        """Return how a player, given by index, is called."""
        return self.state.labels[self.keys[player]]


class Summary(NamedTuple):
    """What a list says of all its players together."""

    decimals: int
    """How many decimals the ratings are shown with."""
    pools: int
    """Number of groups of players that never met, not even through others."""
    deviations: bool
    """Whether ratings have deviations."""
    draws: bool
    """Whether anybody in the ladder has a draw."""
    own_ranks: bool
    """Whether the rank is a state of its own and does not follow from the rating."""
    beside: list[str]
    """Further columns of figures."""

    @classmethod
    def of(cls, ratings: Ratings, decimals: int, *, draws: bool) -> Summary:
        """Return what ratings say."""
        own_ranks = ratings.arrays.rank_number is not None
        deviations, beside = ratings.deviation is not None, [*ratings.arrays.beside]
        return cls(decimals, ratings.arrays.pools, deviations, draws, own_ranks, beside)


NOWHERE = -1
"""The index of who does not stand in a list."""
Players = NDArray[np.int64]


def moved_between(before: Figures, after: Figures) -> MovedPlayers:
    """Return every player whose rating or rank differs in the figures of two lists, the largest change first.

    So do those who stand in one of them alone.
    """
    one, other = _everybody(before, after)
    differ = _differing(before, after, one, other)
    moved = MovedPlayers(before, after, one[differ], other[differ])
    sizes = np.abs(np.nan_to_num(moved.change, posinf=0.0, neginf=0.0))
    order = np.argsort(-sizes, kind="stable")
    starts = np.flatnonzero(np.append(True, np.diff(sizes[order]) != 0)) if len(order) else order
    for start, end in zip(starts.tolist(), [*starts[1:].tolist(), len(order)], strict=False):
        if end - start > 1:  # equal ones stand in the order of names
            alike = order[start:end]
            names = [moved.label(place) for place in alike.tolist()]
            order[start:end] = alike[sorted(range(len(alike)), key=names.__getitem__)]
    return moved.chosen(order)


class MovedPlayers(Sequence[dict[str, Any]]):
    """Players whom something moved, a row each; rows are made when they are asked for, since it may move everybody.

    A row has `key`, `player` (as after it, if there), `before`, `after`, `change` (None where there is no rating),
    `rank_before`, `rank_after`, `place_before` and `place_after`.
    """

    def __init__(self, before: Figures, after: Figures, one: Players, other: Players) -> None:
        """Take the figures of two lists, and by index where each player stands in both, or `NOWHERE`."""
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
        moved[alike] = _differ_in_rank(self.before, self.after, self._one[alike], self._other[alike])
        return self if moved.all() else self.chosen(moved)

    def first_of(self, keys: Collection[str]) -> MovedPlayers:
        """Return the same, some players first, given by key."""
        return self.chosen(np.argsort(self._others_than(keys), kind="stable"))

    def still_there(self) -> MovedPlayers:
        """Return the same without those who have no rating after it."""
        return self.chosen(np.isfinite(self._figures[1]))

    @cached_property
    def decimals(self) -> int:
        """How many decimals the ratings are shown with."""
        return digits(np.concatenate(self._figures).tolist())

    @property
    def change(self) -> NDArray[np.float64]:
        """How far each player moved, NaN where there is no rating, shape (players,)."""
        old, new = self._figures
        with np.errstate(invalid="ignore"):  # of infinite ones
            return new - old

    @cached_property
    def _figures(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Ratings before and after, NaN where there is none, shape (players,) each."""
        return _ratings_of(self.before, self._one), _ratings_of(self.after, self._other)

    def _others_than(self, keys: Collection[str]) -> NDArray[np.bool_]:
        """Return which of the players are none of some, given by key."""
        places = [self.after.place_of.get(self.after.state.final(key)) for key in keys]
        others: NDArray[np.bool_] = ~np.isin(self._other, [place for place in places if place is not None])
        return others

    def label(self, place: int) -> str:
        """Return how a player is called, in the list after it if there."""
        figures, player = self._named(int(self._one[place]), int(self._other[place]))
        return figures.label(player)

    def _named(self, old: int, new: int) -> tuple[Figures, int]:
        return (self.after, new) if new >= 0 else (self.before, old)

    def _rows(self, one: Players, other: Players) -> list[dict[str, Any]]:
        sides = _said_of(self.before, one), _said_of(self.after, other)
        named = [self._named(*pair) for pair in zip(one.tolist(), other.tolist(), strict=True)]
        self.after.state.labels.prefetch([figures.keys[player] for figures, player in named])
        return [
            {
                "key": figures.keys[player],
                "player": figures.label(player),
                "before": old,
                "after": new,
                "change": None if old is None or new is None else new - old,
                "rank_before": rank_before,
                "rank_after": rank_after,
                "place_before": place_before,
                "place_after": place_after,
            }
            for (figures, player), (old, rank_before, place_before), (new, rank_after, place_after) in zip(
                named, *sides, strict=True
            )
        ]


def _everybody(before: Figures, after: Figures) -> tuple[Players, Players]:
    """Return where each player stands in both lists, `NOWHERE` for not at all."""
    if before.keys == after.keys:
        same = np.arange(len(before.keys))
        return same, same
    there = after.place_of
    later = np.fromiter((there.get(key, NOWHERE) for key in before.keys), np.int64, len(before.keys))
    came = np.setdiff1d(np.arange(len(after.keys)), later)
    return np.append(np.arange(len(before.keys)), np.full(len(came), NOWHERE)), np.append(later, came)


def _differing(before: Figures, after: Figures, one: Players, other: Players) -> NDArray[np.bool_]:
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


def _differ_in_rank(before: Figures, after: Figures, one: Players, other: Players) -> NDArray[np.bool_]:
    """Return whose written rank differs, of players who stand in both lists."""
    texts = (np.array(side.ranks(players.tolist()), dtype=object) for side, players in ((before, one), (after, other)))
    differ: NDArray[np.bool_] = np.not_equal(*texts)
    return differ


def _ratings_of(figures: Figures, players: Players) -> NDArray[np.float64]:
    """Return the ratings of players, NaN where there is none."""
    ratings = figures.finite[players] if len(figures.finite) else np.full(len(players), np.nan)
    return np.where(players >= 0, ratings, np.nan)


def _said_of(figures: Figures, players: Players) -> list[tuple[float | None, str, int | None]]:
    """Return rating, rank and place of players; None, "" and None for who does not stand in the list."""
    there = players[players >= 0]
    places = iter(figures.places[there].tolist())
    ranks = iter(figures.ranks(there.tolist()))
    ratings = _ratings_of(figures, players).tolist()
    return [
        (None if math.isnan(rating) else rating, next(ranks), next(places)) if player >= 0 else (None, "", None)
        for player, rating in zip(players.tolist(), ratings, strict=True)
    ]


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
    ranks = zip(ranks_before, written_ranks(arrays, players.astype(np.int64)), strict=True)
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
