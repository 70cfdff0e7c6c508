"""The state of every player at one place of a ledger, one row a player in the order of their numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.kernels.connectivity import pools
from handan.kernels.types import Ints, Seats
from handan.ratings import Ratings
from handan.systems.core.replay_state import RANK, ReplayState, state_after

STATE = "state "
"""What stands before the names of the columns that only the system reads."""
FACTS: dict[str, np.dtype[Any]] = {
    "entered": np.dtype(np.bool_),
    "declared": RANK,
    "highest": RANK,
    "by_hand": np.dtype(np.bool_),
    "games": np.dtype(np.int64),
    "wins": np.dtype(np.int64),
    "losses": np.dtype(np.int64),
    "draws": np.dtype(np.int64),
    "last": np.dtype(np.int64),
    "precision": np.dtype(np.uint8),
    "pool": np.dtype(np.int64),
}
"""Columns that all systems share. `last` is the date of the last rated game, milliseconds since 1970-01-01; `precision`
is the one of that date, 0 without one; `pool` is the lowest number of a player of the pool plus 1, 0 without a game."""
SHARED = ("entered", "declared", "highest", "by_hand")
TALLIES = ("games", "wins", "losses", "draws")


@dataclass
class People:
    """What is known of all players; changed as games are taken."""

    facts: dict[str, NDArray[Any]]
    state: dict[str, NDArray[Any]] = field(default_factory=dict)
    batches: int = 0
    day: int = 0

    @classmethod
    def strangers(cls, count: int) -> People:
        """Return so many players of whom nothing is known."""
        return cls({name: np.zeros(count, dtype=kind) for name, kind in FACTS.items()})

    def __len__(self) -> int:
        """Number of players."""
        return len(self.facts["games"])

    def grow(self, count: int) -> None:
        """Add players of whom nothing is known, up to so many in all."""
        for arrays in (self.facts, self.state):
            for name, values in arrays.items():
                more = np.zeros((count - len(values), *values.shape[1:]), dtype=values.dtype)
                arrays[name] = np.concatenate([values, more])

    def past(self, numbers: Ints) -> ReplayState:
        """Return what is known of some players, as a replay reads it."""
        entered, declared, highest, by_hand = (self.facts[name][numbers] for name in SHARED)
        state = {name: values[numbers] for name, values in self.state.items()}
        return ReplayState(numbers, entered, declared, highest, by_hand, state, self.batches, self.day)

    def take(self, ratings: Ratings, past: ReplayState) -> None:
        """Take over what is known after the games of some players, who were known as `past` says before."""
        after = state_after(ratings, past)
        for name in SHARED:
            self.facts[name][past.numbers] = getattr(after, name)
        for name, values in after.state.items():
            if name not in self.state:
                self.state[name] = np.zeros((len(self), *values.shape[1:]), dtype=values.dtype)
            self.state[name][past.numbers] = values
        self.batches, self.day = after.batches, after.day
        self._count(ratings, past.numbers)

    def _count(self, ratings: Ratings, numbers: Ints) -> None:
        """Count rated games, their last dates, and who has met whom."""
        tallies = ratings.arrays.tallies
        for column, name in enumerate(TALLIES):
            self.facts[name][numbers] += tallies[:, column]
        played = tallies[:, 4] >= 0
        if not played.any():
            return
        games = ratings.ledger.arrays.rows(tallies[played, 4], ("date", "precision"))
        who = numbers[played]
        self.facts["last"][who] = games["date"].dt.epoch("ms").fill_null(0).to_numpy()
        self.facts["precision"][who] = np.where(games["date"].is_null().to_numpy(), 0, games["precision"].to_numpy())
        own = self.facts["pool"][who]
        own = np.where(own == 0, who + 1, own)
        heads, place = np.unique(own, return_inverse=True)
        of_games = ratings.arrays.pool[played] + len(heads)
        edges: tuple[Seats, Seats] = (place.astype(np.uint32), of_games.astype(np.uint32))
        joined = pools(*edges, int(of_games.max()) + 1)[: len(heads)]
        lowest = np.full(int(joined.max()) + 1, np.iinfo(np.int64).max)
        np.minimum.at(lowest, joined, heads)
        table = np.arange(len(self) + 1)
        table[heads] = lowest[joined]
        self.facts["pool"][who] = own
        self.facts["pool"] = table[self.facts["pool"]]

    def pools(self) -> Ints:
        """Return the pool of every player, 0 for the largest, then by size; -1 without a game."""
        head = self.facts["pool"]
        heads, place, members = np.unique(head[head > 0], return_inverse=True, return_counts=True)
        order = np.empty(len(heads), dtype=np.int64)
        order[np.lexsort((heads, -members))] = np.arange(len(heads))
        number = np.full(len(head), -1, dtype=np.int64)
        number[head > 0] = order[place]
        return number

    def frame(self) -> pl.DataFrame:
        """Return the table, one row a player."""
        columns = {**self.facts, **{STATE + name: values for name, values in self.state.items()}}
        return pl.DataFrame({name: _series(values) for name, values in columns.items()})

    @classmethod
    def of_frame(cls, frame: pl.DataFrame, batches: int, day: int) -> People:
        """Return the players of a table."""
        facts = {name: frame[name].to_numpy().astype(kind) for name, kind in FACTS.items()}
        state = {
            name.removeprefix(STATE): frame[name].to_numpy().copy() for name in frame.columns if name.startswith(STATE)
        }
        return cls(facts, state, batches, day)


def _series(values: NDArray[Any]) -> pl.Series:
    if values.dtype.kind == "U":
        return pl.Series(values.tolist(), dtype=pl.String)
    return pl.Series(values=values)
