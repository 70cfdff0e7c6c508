"""Solved histories that go on, in the versions that somebody still looks at; a draft is taken back to the bit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from threading import RLock
from typing import NamedTuple, TypeVar

import numpy as np

from handan.kernels.types import Floats, Ints, Numbers
from handan.kernels.whr_live.journal import USED, journal_of, note
from handan.kernels.whr_live.reading import last_days, take_back, take_on
from handan.kernels.whr_live.state import COLUMNS, History, with_room
from handan.kernels.whr_live.update import solve
from handan.ledger.room import drafting

TOLERANCE = 1e-4  # natural units, 0.017 Elo that a player may be left to move; our choice: pages show a tenth
AT_FIRST = TOLERANCE / 4.0
"""Natural units that a player may be left to move where a history begins at strengths that an earlier one found.
our choice: from nearly `TOLERANCE` on, as all are left there else, each game moves eight times as many players."""
ROOM = 1 << 21  # our choice: single values that one change may overwrite; where it is more, all games are solved
MOST_BACK = 8  # our choice: changes that can be taken back for who still looks at the ratings before them
MOST_BYTES = 8_000_000  # our choice: of all of these but the last

Answer = TypeVar("Answer")


class Step(NamedTuple):
    """A change: what `take_back` and `take_on` read."""

    place: Ints
    value: Floats
    day: Numbers
    state: Floats

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        return sum(array.nbytes for array in self)


class Change(NamedTuple):
    """Games that come, or that say something else. Players bear the numbers that they have in the history."""

    version: int
    """Where it begins."""
    games: int
    """How many come."""
    make: Callable[[History], int]
    """Enters them, and returns how many it could not find."""
    players: Ints
    """Who stand in them, ascending."""
    shift: float
    """As in `last_days`."""
    people: int = 0
    """How many players there are with those who come."""


class Reached(NamedTuple):
    """What became of a history."""

    version: int
    players: Ints
    """Those who moved, by number in the history, ascending."""
    strength: Floats
    """Of each of them on the last day beyond the entry, natural units."""
    variance: Floats
    number: Ints
    """Number of the last day."""


class Versions:
    """The solved histories of a ledger that goes on, in the versions that some ratings still show."""

    def __init__(self, history: History | None, read: Callable[[], History | None] | None = None) -> None:
        """Take a history, or what reads one when it is needed; where that finds none, no version can be reached."""
        self._history, self._read_history = history, read
        self.was_read = read is not None
        """Whether another process made the history."""
        self.lock = RLock()
        self.moves = 0
        """How often the arrays were about to change."""
        self._numbers = count(1)
        self._versions = [0]
        """Those that can be reached, the oldest first."""
        self._steps: list[Step] = []
        """From each of them to the next."""
        self._place = 0
        """Of the version that the arrays hold now."""
        self._most: Ints = np.zeros(2, dtype=np.int64) if history is None else history.used.copy()
        """Days and entries that some version uses."""

    @property
    def history(self) -> History:
        """The arrays, at the version at which they stand."""
        with self.lock:
            self._is_there()
            assert self._history is not None  # noqa: S101  # who has a version has them
            return self._history

    @history.setter
    def history(self, history: History) -> None:
        self._history = history

    def _is_there(self) -> bool:
        """Read the history if it was not read yet; return whether there is one."""
        if self._read_history is not None:
            read, self._read_history = self._read_history, None
            self._history = read()
            if self._history is None:
                self._versions = []
            else:
                self._most = self._history.used.copy()
        return self._history is not None

    def left(self) -> int:
        """Return how many players have more than the tolerance to move."""
        players = self.history.players
        return int(np.count_nonzero((players.first >= 0) & (players.pending > TOLERANCE * players.weight)))

    def solved(self, shift: float) -> Reached:
        """Solve the first version to `AT_FIRST`, before anything came of it; return who moved, and where they stand.

        Args:
            shift: As in `last_days`.
        """
        history = self.history
        self.moves += 1
        moved = np.zeros(len(history.players.first), dtype=np.bool_)
        solve.for_work(int(history.used[1]))(history, AT_FIRST, moved)
        return _standing(history, np.flatnonzero(moved), shift, 0)

    @contextmanager
    def at(self, version: int) -> Iterator[History | None]:
        """Give the history as it was in a version, for as long as the block lasts; None where it cannot be reached."""
        with self.lock:
            yield self.history if self._moved_to(version) else None

    def changed(self, change: Change, read: Callable[[Reached], Answer]) -> Answer | None:
        """Change a version, and solve what that reaches; None where this cannot be done.

        While drafts are made (`ledger.room.drafts`) the change is taken back when it has been read, and the version
        that it made cannot be reached any more.

        Args:
            change: To be made.
            read: Returns what becomes of it.
        """
        with self.lock:
            if not self._moved_to(change.version):
                return None
            self.moves += 1
            before = self._versions.copy(), self._steps.copy(), self._place, self._most
            history = self._with_journal(change.games, change.people)
            work = int(history.used[1])
            missing, moved = change.make(history), np.zeros(len(history.players.first), dtype=np.bool_)
            if not missing:
                solve.for_work(work)(history, TOLERANCE, moved)
            step, whole = self._written(history), int(history.journal.used[0]) <= ROOM
            if missing or not whole:
                self._forget(step if whole else None)
                return None
            moved[change.players] = True
            reached = _standing(history, np.flatnonzero(moved), change.shift, next(self._numbers))
            self._keep(step, reached.version)
            try:
                return read(reached)
            finally:
                if drafting():
                    self._moved_to(reached.version)
                    take_back.for_work(len(step.place) + len(step.day))(history, *step)
                    self._versions, self._steps, self._place, self._most = before

    def load_code(self) -> None:
        """Load the machine code that goes from one version to another."""
        with self.lock:
            if self._is_there():
                nothing = Step(np.empty(0, np.int64), np.empty(0), np.empty(0, np.int32), np.empty((0, COLUMNS)))
                for run in (take_back, take_on):
                    run.for_work(1)(self.history, *nothing)

    def _moved_to(self, version: int) -> bool:
        """Bring the arrays to a version; return whether it is there."""
        if not self._is_there() or version not in self._versions:
            return False
        target = self._versions.index(version)
        self.moves += self._place != target
        while self._place > target:
            self._place -= 1
            step = self._steps[self._place]
            take_back.for_work(len(step.place) + len(step.day))(self.history, *step)
        while self._place < target:
            step = self._steps[self._place]
            take_on.for_work(len(step.place) + len(step.day))(self.history, *step)
            self._place += 1
        return True

    def _with_journal(self, games: int, people: int) -> History:
        """Return the history with an empty journal and room for all players and more games behind all versions."""
        history, most = self.history, (self._most + 2 * games).tolist()
        rooms = with_room(history.days, most[0]), with_room(history.entries, most[1])
        players = with_room(history.players, people)
        self.history = history._replace(days=rooms[0], entries=rooms[1], players=players)
        journal = journal_of(ROOM, len(rooms[0].player), len(players.first))
        history = self.history._replace(journal=journal)
        for place in range(2):
            note(history.journal, USED, place, float(history.used[place]))
        history.used[:] = self._most
        return history

    def _written(self, history: History) -> Step:
        """Return what the journal of a change says; only that of a draft, which is soon taken back, is not copied."""
        journal = history.journal
        values, days = (slice(used) for used in journal.used.tolist())
        arrays = journal.place[values], journal.value[values], journal.day[days], journal.state[days]
        return Step(*(arrays if drafting() else (array.copy() for array in arrays)))

    def _forget(self, step: Step | None) -> None:
        """Take back a change that could not be made; without its journal no version can be reached any more."""
        if step is not None:
            take_back.for_work(len(step.place) + len(step.day))(self.history, *step)
        else:
            self._versions, self._steps = [], []

    def _keep(self, step: Step, version: int) -> None:
        """Put a change behind the version at which the arrays stood; versions behind it are not reached any more."""
        del self._versions[self._place + 1 :], self._steps[self._place :]
        self._versions.append(version)
        self._steps.append(step)
        self._most = np.maximum(self._most, self.history.used)
        while len(self._steps) > MOST_BACK or (
            len(self._steps) > 1 and sum(step.nbytes for step in self._steps[:-1]) > MOST_BYTES
        ):
            del self._versions[0], self._steps[0]
        self._place = len(self._versions) - 1


def _standing(history: History, players: Ints, shift: float, version: int) -> Reached:
    """Return where players stand, given by index, ascending; `shift` as in `last_days`."""
    strength, variance = np.empty(len(players)), np.empty(len(players))
    number = np.empty(len(players), dtype=np.int64)
    last_days.for_work(int(history.used[1]))(history, players, shift, strength, variance, number)
    return Reached(version, players, strength, variance, number)
