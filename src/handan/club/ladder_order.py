"""The ladder in other orders than strongest first, and of some players alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from handan.club.movement import Movement
from handan.club.people import Person
from handan.club.standings import Standings
from handan.club.state import State
from handan.ratings.ladder import Row

Moves = Mapping[str, Movement]
"""How far players have come of late, by key."""


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

    def sort(self, rows: Sequence[Row], state: State, moves: Moves) -> list[Row]:
        """Return rows of a ladder in this order: equal ones as they stood, and who has no such figure at the end."""
        figure = ORDERS[self.name](state, moves)
        figures = {row["key"]: figure(row) for row in rows}
        filled = [row for row in rows if figures[row["key"]] is not None]
        empty = [row for row in rows if figures[row["key"]] is None]
        filled.sort(key=lambda row: figures[row["key"]], reverse=not self.ascends)
        return [*filled, *empty]


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
    without: frozenset[str] = frozenset()
    """Keys of players who are left out."""
    only: frozenset[str] | None = None
    """Keys of those who are not, None: all."""

    def rows(self, standings: Standings) -> list[Row]:
        """Return the rows of the players who are shown, strongest first."""
        rows = [
            row
            for row in standings.rows
            if row["games"] >= self.games
            and (row["last_played"] or "") >= self.since
            and row["key"] not in self.without
            and (self.only is None or row["key"] in self.only)
        ]
        if not (self.text or self.country or self.club):
            return rows
        people = {person.key for person in self.people(standings.state, standings.day)}
        return [row for row in rows if row["key"] in people]

    def people(self, state: State, day: date | None = None) -> list[Person]:
        """Return the players who match the text, and the country and the club that were theirs on a day."""
        people = state.matching(self.text) if self.text else state.active.values()
        homes = ((person, person.home_on(day)) for person in people)
        return [
            person
            for person, (country, club) in homes
            if (not self.country or country == self.country) and (not self.club or club == self.club)
        ]


def members_by(standings: Standings, name: str, people: Collection[Person] | None = None) -> Sequence[str]:
    """Return the keys of all members, or of some, by one of `ORDERS`, most and latest first.

    Equals stand in the order of names, and who has no such figure at the end.
    """
    keys = standings.state.keys_by_name
    if people is not None:
        chosen = {person.key for person in people}
        keys = [key for key in keys if key in chosen]
    if name == "name":
        return keys
    rows = [standings.by_key.get(key, {"key": key}) for key in keys]
    order = LadderOrder(name)
    return [row["key"] for row in order.sort(rows, standings.state, {})]


def _column(name: str) -> Callable[[State, Moves], Callable[[Row], Any]]:
    """Return an order by a column of the ladder."""
    return lambda _state, _moves: lambda row: row.get(name)


def _by_name(state: State, _: Moves) -> Callable[[Row], Any]:
    places = {key: place for place, key in enumerate(state.keys_by_name)}
    return lambda row: places.get(row["key"])


def _by_change(_: State, moves: Moves) -> Callable[[Row], Any]:
    """Sort by the change of each player who played; a new rank in another unit is more than any."""
    return lambda row: moves[row["key"]].figure if row["key"] in moves else None


ORDERS: dict[str, Callable[[State, Moves], Callable[[Row], Any]]] = {
    "rank": lambda _state, _moves: lambda row: -row["place"] if "place" in row else None,
    "name": _by_name,
    "rating": _column("rating"),
    "games": _column("games"),
    "last_played": _column("last_played"),
    "change": _by_change,
}
"""What a ladder can be sorted by: the figure of a row, None for who has none."""
