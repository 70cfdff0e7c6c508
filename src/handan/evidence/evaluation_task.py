"""The games that all systems forecast: the same for all, in playing order."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from handan.evidence.information_set import InformationSet, in_parts
from handan.kernels.types import Flags, Floats, Numbers
from handan.ledger import Ledger, When
from handan.ledger.ledger import between
from handan.systems.core.ledger_windows import Window
from handan.systems.core.unrated_reasons import FREE_KINDS, HISTORY

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Task:
    """Games of a ledger that are forecast, and which of them are scored."""

    knowledge: InformationSet
    games: Numbers
    """Indices in the ledger, ascending, shape (n,)."""
    wanted: Flags
    """Which of them are scored, shape (n,); from the others systems only learn."""
    halves: NDArray[np.int8]
    """Black's score in half points, shape (n,): an eighth of the memory of the score."""
    batch: Numbers
    """Place of the first of each run of games that do not know each other, and their number."""

    @classmethod
    def of(cls, ledger: Ledger, level: str = "game", wanted: Flags | None = None) -> Task:
        """Lay out a ledger.

        Args:
            ledger: All games, those to learn from too.
            level: What is known before a game, one of `LEVELS`.
            wanted: Which games are to be scored where they can be, shape (games,); None: all.
        """
        knowledge = InformationSet.of(in_parts(ledger), level)
        games = np.flatnonzero(countable(ledger)).astype(np.int32)
        batch = np.searchsorted(games, knowledge.batch).astype(np.int32)
        batch = batch[np.diff(batch, prepend=-1) > 0]
        chosen = np.ones(len(games), dtype=np.bool_) if wanted is None else wanted[games]
        halves = (2.0 * ledger.arrays.score[games]).astype(np.int8)
        task = cls(knowledge, games, chosen, halves, batch)
        ledger.arrays.forget(flags=True)
        return task

    def between(self, window: Window) -> Task:
        """Return the games of a window that parts no day and no unit, as a task of their own."""
        first, end = np.searchsorted(self.games, window).tolist()
        inside, ledger, count = slice(first, end), between(self.ledger, *window, ()), end - first
        if 0 < count == window.end - window.first and self.games[count - 1] == count - 1:
            games = self.games[:count]  # 0, 1, 2 and so on, for all such windows
        else:
            games = self.games[inside] - np.int32(window.first)
        knowledge = self.knowledge.between(window, ledger)
        return Task(knowledge, games, self.wanted[inside], self.halves[inside], self.batch[:0])

    @property
    def score(self) -> Floats:
        """Black's score, shape (n,), made anew."""
        return self.halves / 2.0

    @property
    def known_until(self) -> Numbers:
        """Place of a game before which all that is known to each game stands, shape (n,), made anew."""
        if self.knowledge.level != "event":
            return np.repeat(self.batch[:-1], np.diff(self.batch))
        return np.searchsorted(self.games, self.knowledge.known_until[self.games]).astype(np.int32)

    def kept(self, name: Hashable, make: Callable[[], T]) -> T:
        """Return what `make` says about these games, made once for all systems that ask the same."""
        if name not in self._kept:
            self._kept[name] = make()
        return cast("T", self._kept[name])

    def latest(self, name: str, which: Hashable, make: Callable[[], T]) -> T:
        """Return what `make` says about these games, kept until something else is asked under the same name.

        Systems that follow each other often ask the same; all that was ever asked would fill the memory.
        """
        of, answer = self._kept.get(name, (None, None))
        if of != which:
            self._kept.pop(name, None)
            answer = make()
            self._kept[name] = which, answer
        return cast("T", answer)

    def forget(self) -> None:
        """Let go of what was kept of these games and of their ledger."""
        self._kept.clear()
        self.ledger.arrays.forget(flags=True)

    @cached_property
    def _kept(self) -> dict[Hashable, Any]:
        return {}

    @property
    def ledger(self) -> Ledger:
        """The ledger."""
        return self.knowledge.ledger

    def earlier(self) -> Numbers:
        """Return how many games of the task each side had played before what each game knows nothing of, (n, 2)."""
        counted = np.zeros(len(self.ledger), dtype=np.bool_)
        counted[self.games] = True
        return self.knowledge.earlier(counted)[self.games]


def since_day(ledger: Ledger, since: date | str | When | None) -> Flags:
    """Return which games are of a day or a later one, shape (games,); None: all, also those without a date."""
    when = When.of(since)
    if when is None:
        return np.ones(len(ledger), dtype=np.bool_)
    moment = ledger.arrays.column("date") >= when.moment
    late: Flags = moment.fill_null(value=False).to_numpy()
    return late


def countable(ledger: Ledger) -> Flags:
    """Return which games can be scored: played to a result on 19x19, neither free nor teaching, shape (games,)."""
    can: Flags = ~np.any(list(why_not(ledger).values()), axis=0)
    return can


def why_not(ledger: Ledger) -> dict[str, Flags]:
    """Return for each reason, in words, which games cannot be scored for it, shape (games,).

    A game without a date among dated ones has no place in time.
    """
    free = ledger.arrays.of_kind(dict.fromkeys((*FREE_KINDS, HISTORY), 1.0), 0.0) == 1.0
    timeless = ~ledger.arrays.dated if ledger.arrays.dated.any() else np.zeros(len(ledger), dtype=np.bool_)
    return {
        "without a result by play": ~ledger.arrays.scored | ledger.arrays.by_default,
        "on other boards": ~ledger.arrays.full_size,
        "free, teaching or history": free,
        "without a date among dated ones": timeless,
    }
