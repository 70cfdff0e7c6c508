"""The ladder in other orders than strongest first: by name, games, last game or change, worked out on arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from handan.club.ladder_list import LadderList
from handan.club.movement import Movement
from handan.club.standings import Standings
from handan.ledger.dates import When, day_number
from handan.ratings.ladder import Row

Moves = Mapping[str, Movement]
"""How far players have come of late, by key."""


class OrderedLadder(Sequence[Row]):
    """The rows of a ladder in another order; each is made when somebody looks at it."""

    def __init__(self, rows: LadderList, order: NDArray[np.int64]) -> None:
        """Take the ladder, and where each row stands in it, from 0 on."""
        self._rows, self._order = rows, order

    def __len__(self) -> int:
        """Number of players."""
        return len(self._order)

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> list[Row]: ...
    def __getitem__(self, at: Any) -> Any:
        """Return a row, or some of them."""
        chosen = self._rows.at(np.atleast_1d(self._order[at]).tolist())
        return chosen if isinstance(at, slice) else chosen[0]


@dataclass(frozen=True, slots=True)
class LadderOrder:
    """By what a ladder is sorted: one of `ORDERS`, and whether the other way round."""

    name: str = "rank"
    turned: bool = False

    @classmethod
    def of(cls, text: str) -> LadderOrder:
        """Read an order as addresses have it: `games`, `-games`; strongest first for what is none."""
        name = text.removeprefix("-")
        return cls(name, text.startswith("-")) if name in ORDERS else cls()

    def __str__(self) -> str:
        """Return the order as an address has it."""
        return f"{'-' * self.turned}{self.name}"

    @property
    def is_default(self) -> bool:
        """Whether it is the order of the ladder itself."""
        return self == LadderOrder()

    @property
    def ascends(self) -> bool:
        """Whether what is small stands first, as names do."""
        return (self.name == "name") != self.turned

    def places(self, standings: Standings, moves: Moves) -> NDArray[np.int64]:
        """Return where in the ladder the rows of this order stand, from 0 on; shape (players,).

        Equals stand in the order of the ladder, and who has no such figure at the end.
        """
        figures = ORDERS[self.name](standings, moves)[standings.ratings.ladder]
        sense = 1.0 if self.ascends else -1.0
        places: NDArray[np.int64] = np.lexsort((figures * sense, np.isnan(figures)))
        return places

    def applied(self, standings: Standings, rows: Sequence[Row], moves: Moves) -> Sequence[Row]:
        """Return rows of `Standings.rows`, all of them or some, in this order."""
        if self.is_default:
            return rows
        places = self.places(standings, moves)
        if rows is standings.rows:
            return OrderedLadder(standings.rows, places)
        numbers = np.empty(len(places), dtype=np.int64)
        numbers[places] = np.arange(len(places))
        return sorted(rows, key=lambda row: numbers[standings.by_key.place(row["key"])])


def _by_rank(standings: Standings, _: Moves) -> NDArray[np.float64]:
    """Return how far from the weakest each player stands; equals keep the order that the ladder gives them."""
    ladder = standings.ratings.ladder
    figures = np.empty(len(ladder))
    figures[ladder] = -standings.rows.places.astype(np.float64)
    return figures


def _by_rating(standings: Standings, _: Moves) -> NDArray[np.float64]:
    return standings.ratings.rating.astype(np.float64)


def _by_name(standings: Standings, _: Moves) -> NDArray[np.float64]:
    numbers, names = standings.state.name_numbers, standings.ratings.ledger.names
    return np.fromiter((numbers.get(name, len(numbers)) for name in names), dtype=np.float64, count=len(names))


def _by_games(standings: Standings, _: Moves) -> NDArray[np.float64]:
    games = standings.ratings.tallies[:, 0].astype(np.float64)
    for earlier in standings.earlier_rows:
        games += [earlier.get(name, {}).get("games", 0) for name in standings.ratings.ledger.names]
    return games


def _by_last_played(standings: Standings, _: Moves) -> NDArray[np.float64]:
    ledger, last = standings.ratings.ledger, standings.ratings.tallies[:, 4]
    days = np.full(len(last), np.nan)
    played = np.flatnonzero(last >= 0)
    dated = played[ledger.dated[last[played]]]
    days[dated] = ledger.day[last[dated]]
    for earlier in standings.earlier_rows:
        for player in np.flatnonzero(np.isnan(days)).tolist():
            when = When.of(earlier.get(ledger.names[player], {}).get("last_played"))
            if when is not None:
                days[player] = day_number(when.moment.date())
    return days


def _by_change(standings: Standings, moves: Moves) -> NDArray[np.float64]:
    """Return the change of each player who played; a new rank in another unit is more than any."""
    ratings = standings.ratings
    figures = np.full(len(ratings.ladder), np.nan)
    for key, moved in moves.items():
        change = moved.change if moved.change is not None else np.inf if moved.promoted else -np.inf
        figures[ratings.ladder[standings.by_key.place(key)]] = change
    return figures


ORDERS: dict[str, Callable[[Standings, Moves], NDArray[np.float64]]] = {
    "rank": _by_rank,
    "name": _by_name,
    "rating": _by_rating,
    "games": _by_games,
    "last_played": _by_last_played,
    "change": _by_change,
}
"""What a ladder can be sorted by: figures of the players by index, NaN for who has none."""
