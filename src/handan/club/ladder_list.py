"""The ladder of a club: its rows in their order and by player, each made when somebody looks at it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from handan.club.state import State
from handan.ratings import Ratings
from handan.ratings.ladder import Row, places_of, rows_of_players
from handan.wording.figures import digits


class LadderList(Sequence[Row]):
    """The rows of a ladder, strongest first. A row that was made stays the same object, and must not be changed."""

    def __init__(self, ratings: Ratings, finish: Callable[[Row], Row]) -> None:
        """Take the ratings, and what is added to each of their rows."""
        self.ratings = ratings
        self._finish = finish
        self._made: dict[int, Row] = {}

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """Number of the place of each row, from 1 on; equal ones share it."""
        return places_of(self.ratings)

    def __len__(self) -> int:
        """Number of players."""
        return len(self.ratings.ladder)

    def __eq__(self, other: object) -> bool:
        """Return whether another sequence has the same rows."""
        return isinstance(other, Sequence) and [*self] == [*other]

    __hash__ = None  # type: ignore[assignment]

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> list[Row]: ...
    def __getitem__(self, at: Any) -> Any:
        """Return a row, or some of them."""
        if isinstance(at, slice):
            return self.at(range(*at.indices(len(self))))
        return self.at([range(len(self))[at]])[0]

    def __iter__(self) -> Iterator[Row]:
        """Go through all rows."""
        return iter(self.at(range(len(self))))

    def at(self, rows: Sequence[int]) -> list[Row]:
        """Return rows by where they stand, from 0 on."""
        players, places = self.ratings.ladder[rows].tolist(), self.places[rows].tolist()
        made = self._made
        missing = [player for player in players if player not in made]
        for player, row in rows_of_players(self.ratings, missing).items() if missing else ():
            made[player] = self._finish(row)
        for player, place in zip(players, places, strict=True):
            if made[player]["place"] != place:
                made[player] = {**made[player], "place": place}
        return [made[player] for player in players]


class RowsByKey(Mapping[str, Row]):
    """The rows of a ladder by the key of the player."""

    def __init__(self, rows: LadderList, state: State) -> None:
        """Take the ladder, and the state that knows its players."""
        self._rows, self._state = rows, state

    def __getitem__(self, key: str) -> Row:
        """Return the row of a player; KeyError for who is not in the ladder."""
        return self._rows[self.place(key)]

    def __len__(self) -> int:
        """Number of players."""
        return len(self._rows)

    def __iter__(self) -> Iterator[str]:
        """Go through the keys, strongest player first."""
        return (row["key"] for row in self._rows)

    def place(self, key: str) -> int:
        """Return where a player stands, from 0 on; KeyError for who is not in the ladder."""
        player = int(self.players([key])[0])
        if player < 0:
            raise KeyError(key)
        return int(self.where[player])

    def players(self, keys: Sequence[str]) -> NDArray[np.int64]:
        """Return the indices of players in the ratings, -1 for who is not there; KeyError for a key of nobody."""
        labels, bearer = self._state.labels, self._rows.ratings.ledger.bearer
        places = map(bearer, map(labels.__getitem__, keys))
        return np.fromiter((-1 if place is None else place for place in places), np.int64, len(keys))

    @cached_property
    def where(self) -> NDArray[np.int64]:
        """Where each player stands, from 0 on, by index in the ratings, shape (players,)."""
        ladder = self._rows.ratings.ladder
        where = np.empty(len(ladder), dtype=np.int64)
        where[ladder] = np.arange(len(ladder))
        return where


def whole_row(state: State, not_finite: list[str], before: Iterable[Mapping[str, Row]], row: Row) -> Row:
    """Return a row of the ratings under the rules in force with the games of the phases before, and its key.

    Args:
        state: The club.
        not_finite: Columns with numbers that are not finite.
        before: `Standings.earlier_rows`.
        row: As `Ratings.rows` gives it.
    """
    whole = {**row, "key": state.keys[row["player"]]}
    for name in not_finite:
        if whole[name] is not None and not math.isfinite(whole[name]):
            whole[name] = None
    for earlier in before:
        own = earlier.get(row["player"], {})
        for name in ("games", "wins", "losses", "draws"):
            whole[name] += own.get(name, 0)
        whole["last_played"] = whole["last_played"] or own.get("last_played")
    return whole


def digits_of_array(values: NDArray[np.float64]) -> int:
    """Return what `digits` says of many ratings: one that is no whole number, and the largest, decide for all."""
    finite = values[np.isfinite(values)]
    broken = finite[finite != np.floor(finite)]
    return digits([*broken[:1].tolist(), *np.abs(finite).max(initial=0.0, keepdims=True).tolist()])
