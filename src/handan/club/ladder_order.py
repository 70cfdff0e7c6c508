"""The ladder in other orders than strongest first, and of some players alone, worked out on arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from handan.club.ladder_list import LadderList
from handan.club.movement import Movement
from handan.club.people import Person
from handan.club.standings import Standings
from handan.club.state import State
from handan.ledger.dates import When, day_number
from handan.ratings.ladder import TALLIES, Row, last_days_of

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

    def __iter__(self) -> Iterator[Row]:
        """Go through all rows."""
        return iter(self._rows.at(self._order.tolist()))


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

    def led_to(self, name: str) -> LadderOrder:
        """Return the order that the heading of a column leads to: the other way round where it is sorted so already."""
        return LadderOrder(name, turned=self.name == name and not self.turned)

    def places(self, standings: Standings, moves: Moves) -> NDArray[np.int64]:
        """Return where in the ladder the rows of this order stand, from 0 on; shape (players,).

        Equals stand in the order of the ladder, and who has no such figure at the end.
        """
        figures = ORDERS[self.name](standings, moves)[standings.ratings.ladder]
        sense = 1.0 if self.ascends else -1.0
        places: NDArray[np.int64] = np.lexsort((figures * sense, np.isnan(figures)))
        return places

    def applied(self, standings: Standings, moves: Moves, players: NDArray[np.int64] | None = None) -> Sequence[Row]:
        """Return the rows of the ladder in this order, or those of some players alone, given by index."""
        if self.is_default and players is None:
            return standings.rows
        ladder = standings.ratings.ladder
        places = np.arange(len(ladder)) if self.is_default else self.places(standings, moves)
        if players is not None:
            chosen = np.zeros(len(ladder), dtype=np.bool_)
            chosen[players] = True
            places = places[chosen[ladder[places]]]
        return OrderedLadder(standings.rows, places)


@dataclass(frozen=True, slots=True)
class LadderFilter:
    """Whom a ladder shows; what is empty or 0 leaves nobody out."""

    text: str = ""
    """What a search finds."""
    country: str = ""
    club: str = ""
    since: str = ""
    """The day on which or after which the last game was, as it is written."""
    games: int = 0
    """The fewest games."""

    def players(self, standings: Standings) -> NDArray[np.int64] | None:
        """Return the players by index, ascending; None for all."""
        if self == LadderFilter():
            return None
        shown = np.ones(len(standings.ratings.ladder), dtype=np.bool_)
        if self.text or self.country or self.club:
            chosen = standings.by_key.players([person.key for person in self.people(standings.state)])
            shown[:] = False
            shown[chosen[chosen >= 0]] = True
        if self.games:
            shown &= tally_of(standings, "games") >= self.games
        players = np.flatnonzero(shown)
        if self.since:
            days = _last_days(standings, players)
            players = players[[str(day or "") >= self.since for day in days]]
        return players

    def people(self, state: State) -> list[Person]:
        """Return the players who match the text, the country and the club."""
        people = state.matching(self.text) if self.text else state.active.values()
        return [
            person
            for person in people
            if (not self.country or person.country == self.country) and (not self.club or person.club == self.club)
        ]


def members_by(standings: Standings, name: str, people: Sequence[Person] | None = None) -> Sequence[str]:
    """Return the keys of all members, or of some, by one of `ORDERS`, most and latest first.

    Equals stand in the order of names, and who has no such figure at the end.
    """
    keys = standings.state.keys_by_name
    if people is not None:
        chosen = {person.key for person in people}
        keys = [key for key in keys if key in chosen]
    if name == "name":
        return keys
    players, figures = standings.by_key.players(keys), ORDERS[name](standings, {})
    own = np.where(players >= 0, figures[players] if len(figures) else np.nan, np.nan)
    own[~np.isfinite(own)] = np.nan
    return [keys[place] for place in np.argsort(-own, kind="stable").tolist()]


def tally_of(standings: Standings, name: str) -> NDArray[np.int64]:
    """Return how many of `TALLIES` each player has under all rules that ever held, shape (players,)."""
    ratings = standings.ratings
    counts: NDArray[np.int64] = ratings.tallies[:, TALLIES.index(name)].copy()
    for earlier in standings.earlier_rows:
        counts += [earlier.get(player, {}).get(name, 0) for player in ratings.ledger.names]
    return counts


def _last_days(standings: Standings, players: NDArray[np.int64]) -> list[str | None]:
    """Return the days of the last games of players, given by index, as they were written."""
    if not standings.earlier_rows:
        return last_days_of(standings.ratings, players)
    return [row["last_played"] for row in standings.rows.at(standings.by_key.where[players].tolist())]


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
    return tally_of(standings, "games").astype(np.float64)


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
        figures[ratings.ladder[standings.by_key.place(key)]] = moved.figure
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
