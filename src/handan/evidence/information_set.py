"""What was known before each game: nothing of its own moment, day or event, and nothing later."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.errors import InputError, closest, shown
from handan.kernels.types import Flags, Ints, Numbers
from handan.ledger import Ledger
from handan.ledger.ledger import between
from handan.ledger.radix_sort import radix_argsort
from handan.systems.core.ledger_windows import Window, windows_between

LEVELS = ("game", "day", "event")
"""What is known before a game: all moments and rounds before it, the days before it, or the other events."""
GAMES = 50_000  # of which is worked out together what each side has played; our choice
DAY_ALONE = 10  # characters of a date that says no more than the day
T = TypeVar("T", bound=np.generic)


@dataclass(frozen=True, eq=False)
class InformationSet:
    """Which games of a ledger were known before which others."""

    ledger: Ledger
    level: str
    """`game`, `day` or `event`."""
    day: Numbers
    """Number of the day of each game, shape (games,)."""
    unit: Numbers
    """Number of the moment, day or event of which each game knows nothing, shape (games,)."""

    @classmethod
    def of(cls, ledger: Ledger, level: str = "game") -> InformationSet:
        """Return what was known; InputError for a level that is none.

        Games of one day know each other only where times of day or rounds of one event order them: without these,
        `game` is `day`. In a ledger without dates, games without rounds are taken in the order of the rows.
        """
        if level not in LEVELS:
            raise InputError(f"known {shown(level)} is not one of {', '.join(LEVELS)}{closest(level, LEVELS)}")
        if level == "game" and not ordered_within_days(ledger):
            level = "day"
        day = _days(ledger)
        if level != "event":
            return cls(ledger, level, day, _moments(ledger) if level == "game" else day)
        event = _named_events(ledger)
        return cls(ledger, level, day, np.where(event >= 0, event, len(ledger) + day).astype(np.int32))

    def between(self, window: Window, ledger: Ledger) -> InformationSet:
        """Return what was known of the games of a window that parts no day and no unit.

        Args:
            window: Where they stand.
            ledger: Holds them alone.
        """
        inside = slice(*window)
        return replace(self, ledger=ledger, day=self.day[inside], unit=self.unit[inside])

    @property
    def batch(self) -> Ints:
        """Index of the first game of each run of games that do not know each other, and the number of games."""
        clock = self.day if self.level == "event" else self.unit
        return np.append(np.flatnonzero(_changes(clock)), len(clock))

    @property
    def known_until(self) -> Numbers:
        """Index of a game before which everything is known to each game, shape (games,)."""
        if self.level != "event":
            return _first_of_runs(_changes(self.unit))
        return _first_of_runs(_changes(self.day))[_first_of(self.unit)]

    @property
    def table(self) -> Seats:
        """The sides of all games, player by player."""
        return Seats.of(self)

    @cached_property
    def common(self) -> Numbers:
        """Index of a game before which all games are known to each game, whoever played them, shape (games,).

        Where two events share a day that no times order, that is the beginning of the day.
        """
        if self.level != "game" or not self.ledger.arrays.dated.any():
            return self.known_until
        timed = self.ledger.arrays.column("precision").to_numpy() > DAY_ALONE
        today = _first_of_runs(_changes(self.day))
        event = _named_events(self.ledger)
        mixed = np.unique(self.day[event != event[today]])
        return np.where(~timed & np.isin(self.day, mixed), today, self.known_until)

    def earlier(self, counted: Flags) -> Numbers:
        """Return how many of the counted games each side had played before what it knows nothing of, (games, 2)."""
        if self.level != "event" and len(counted) > GAMES:
            return self._earlier_in_windows(counted)
        return self.earlier_at_once(counted)

    def earlier_at_once(self, counted: Flags) -> Numbers:
        """Return the same, worked out for all games together."""
        seats = self.table
        games = np.zeros(len(seats.order) + 1, dtype=np.int32)
        np.cumsum(counted[seats.order // 2], out=games[1:])
        return seats.placed(games[seats.first] - games[seats.start])

    def _earlier_in_windows(self, counted: Flags) -> Numbers:
        """Return the same, worked out for some days at a time."""
        earlier = np.empty((len(counted), 2), dtype=np.int32)
        played = np.zeros(len(self.ledger.players), dtype=np.int32)
        for window in windows_between(np.flatnonzero(_changes(self.day)), len(counted), GAMES):
            part, inside = self.between(window, between(self.ledger, *window, ())), slice(*window)
            players = np.stack(part.ledger.arrays.seats, axis=1)
            earlier[inside] = part.earlier_at_once(counted[inside]) + played[players]
            played += np.bincount(players[counted[inside]].ravel(), minlength=len(played)).astype(np.int32)
        return earlier


@dataclass(frozen=True, eq=False)
class Seats:
    """Both sides of every game as one table, sorted by player, then in playing order; shape (2 games,) each."""

    order: Numbers
    """Seat of each row: 2 game for Black, 2 game + 1 for White."""
    first: Numbers
    """Row of the player's first game of the same unit."""
    start: Numbers
    """Row of the player's first game."""

    @classmethod
    def of(cls, knowledge: InformationSet) -> Seats:
        """Sort the sides of a ledger by player; which game is `first` follows from the level of knowledge."""
        ledger = knowledge.ledger
        seated = np.stack(ledger.arrays.seats, axis=1).ravel()
        order = radix_argsort(seated.astype(np.int32)).astype(np.int32)
        game, player = order // 2, seated[order].astype(np.int32)
        new = _changes(player)
        start = _first_of_runs(new)
        if knowledge.level == "event":  # games of an event may stand among those of others
            keys = np.unique(np.stack((player, knowledge.unit[game])), axis=1, return_inverse=True)[1].reshape(-1)
            return cls(order, _first_of(keys).astype(np.int32), start)
        first = _first_of_runs(new | _changes(knowledge.unit[game]))
        if knowledge.level == "game":
            today = _first_of_runs(new | _changes(knowledge.day[game]))
            event = _named_events(ledger)[game]
            second = np.zeros(len(ledger), dtype=np.bool_)
            second[game[event != event[today]]] = True
            first = np.where(_out_of_order(knowledge, second)[game], today, first)
        return cls(order, first, start)

    def placed(self, values: NDArray[T]) -> NDArray[T]:
        """Return values of the rows at their games and sides, shape (games, 2)."""
        back: NDArray[T] = np.empty_like(values)
        back[self.order] = values
        return back.reshape(-1, 2)


def _out_of_order(knowledge: InformationSet, second: Flags) -> Flags:
    """Return which games may have been played before games of other events that stand before them, shape (games,).

    Nothing says which of two events of a day was first, unless games bear times. From the round on in which an event
    has a player who stands in another of the day before it, its games know nothing of the day.

    Args:
        knowledge: What is known by moments.
        second: Whether a game has such a player, shape (games,).
    """
    ledger = knowledge.ledger
    second = second & (ledger.arrays.column("precision").to_numpy() <= DAY_ALONE) & ledger.arrays.dated
    if not second.any():
        return second
    keys = np.unique(np.stack((knowledge.day, _named_events(ledger))), axis=1, return_inverse=True)[1].reshape(-1)
    since = np.full(int(keys.max()) + 1, np.iinfo(np.int32).max)
    np.minimum.at(since, keys[second], knowledge.unit[second])
    later: Flags = knowledge.unit >= since[keys]
    return later


def _named_events(ledger: Ledger) -> Ints:
    """Return the number of the event of each game, -1 for all games without one, shape (games,)."""
    return np.where(ledger.arrays.in_event, ledger.arrays.event, -1)


def ordered_within_days(ledger: Ledger) -> bool:
    """Return whether anything orders games within a day: times, rounds, or the rows of a ledger without dates."""
    times = (ledger.arrays.column("precision") > DAY_ALONE).any()
    return times or bool(ledger.arrays.column("round").is_not_null().any()) or not ledger.arrays.dated.any()


def in_parts(ledger: Ledger) -> Ledger:
    """Return the ledger with each event that games of others interrupt cut into parts.

    A system that rates events as a whole would else learn the results of one event before it forecasts another that
    began later and ended earlier.
    """
    if not ledger.arrays.in_event.any():
        return ledger
    event = ledger.arrays.event
    new = np.diff(event, prepend=-1) != 0
    again = np.flatnonzero(new & (_first_of(event) != np.arange(len(event))))
    if not len(again):
        return ledger
    starts = np.flatnonzero(new)
    part = _counted(event[starts])[np.cumsum(new) - 1]
    names = pl.when(pl.Series(part > 0)).then(
        pl.col("event") + pl.lit(" / part ") + pl.Series(part + 1).cast(pl.String)
    )
    return replace(ledger, arrays=ledger.arrays.of(ledger.games.with_columns(event=names.otherwise(pl.col("event")))))


def _counted(values: Ints) -> Ints:
    """Return how often each value stood before."""
    order = np.argsort(values, kind="stable")
    place = np.arange(len(values))
    begins = np.diff(values[order], prepend=-1) != 0
    counts = np.empty_like(place)
    counts[order] = place - _first_of_runs(begins)
    return counts


def _days(ledger: Ledger) -> Numbers:
    """Return the number of the day of each game; without dates, of its moment."""
    return _numbered([ledger.arrays.column("date").dt.date()]) if ledger.arrays.dated.any() else _moments(ledger)


def _moments(ledger: Ledger) -> Numbers:
    """Return the number of the run of games of one date, event and round; of each row where none is given."""
    if ledger.arrays.dated.any() or ledger.arrays.column("round").is_not_null().any():
        event = pl.Series(ledger.arrays.different("event")[1])
        return _numbered([ledger.arrays.column("date"), event, ledger.arrays.column("round")])
    return np.arange(len(ledger), dtype=np.int32)


def _numbered(keys: list[pl.Series]) -> Numbers:
    """Return numbers that rise by 1 wherever a key differs from that of the row before."""
    new = np.zeros(len(keys[0]), dtype=np.bool_)
    for key in keys:
        new |= key.ne_missing(key.shift()).to_numpy()
    new[:1] = False
    return np.cumsum(new, dtype=np.int32)


def _changes(values: Numbers) -> Flags:
    """Return whether each value differs from the one before it; the first does."""
    new = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=new[1:])
    return new


def _first_of(values: Numbers | Ints) -> Ints:
    """Return the index of the first of all equal values, at every place."""
    _, first, number = np.unique(values, return_index=True, return_inverse=True)
    return first[number.reshape(-1)]


def _first_of_runs(begins: Flags) -> Numbers:
    """Return the index at which the run of each place begins."""
    place = np.arange(len(begins), dtype=np.int32)
    place[~begins] = 0
    return np.maximum.accumulate(place, out=place)
