"""Ratings and ranks of the players of a list as arrays, by which two lists are compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from handan.club.state import State
from handan.ratings import rank_from
from handan.ratings.arrays import ranks_by_rating
from handan.systems import System


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
