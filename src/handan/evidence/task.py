"""The games that all systems forecast: the same for all, in playing order."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any, TypeVar, cast

import numpy as np

from handan.evidence.knowledge import Knowledge, in_parts
from handan.kernels.types import Flags, Floats, Ints
from handan.ledger import Ledger, When

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Task:
    """Games of a ledger that are forecast, and which of them are scored."""

    knowledge: Knowledge
    games: Ints
    """Indices in the ledger, ascending, shape (n,)."""
    wanted: Flags
    """Which of them are scored, shape (n,); from the others systems only learn."""
    score: Floats
    """Black's, shape (n,)."""
    batch: Ints
    """Place of the first of each run of games that do not know each other, and their number."""
    opening: Ints
    """Place of a game before which all that is known to each game stands, shape (n,)."""

    @classmethod
    def of(cls, ledger: Ledger, level: str = "game", wanted: Flags | None = None) -> Task:
        """Lay out a ledger.

        Args:
            ledger: All games, those to learn from too.
            level: What is known before a game, one of `LEVELS`.
            wanted: Which games are to be scored where they can be, shape (games,); None: all.
        """
        knowledge = Knowledge.of(in_parts(ledger), level)
        games = np.flatnonzero(countable(ledger))
        batch = np.searchsorted(games, knowledge.batch)
        batch = batch[np.diff(batch, prepend=-1) > 0]
        opening = np.searchsorted(games, knowledge.opening[games])
        chosen = np.ones(len(games), dtype=np.bool_) if wanted is None else wanted[games]
        return cls(knowledge, games, chosen, ledger.score[games], batch, opening)

    def kept(self, name: Hashable, make: Callable[[], T]) -> T:
        """Return what `make` says about these games, made once for all systems that ask the same."""
        if name not in self._kept:
            self._kept[name] = make()
        return cast("T", self._kept[name])

    @cached_property
    def _kept(self) -> dict[Hashable, Any]:
        return {}

    @property
    def ledger(self) -> Ledger:
        """The ledger."""
        return self.knowledge.ledger

    def earlier(self) -> Ints:
        """Return how many games of the task each side had played before what each game knows nothing of, (n, 2)."""
        counted = np.zeros(len(self.ledger), dtype=np.bool_)
        counted[self.games] = True
        return self.knowledge.earlier(counted)[self.games]


def since_day(ledger: Ledger, since: date | str | When | None) -> Flags:
    """Return which games are of a day or a later one, shape (games,); None: all, also those without a date."""
    when = When.of(since)
    if when is None:
        return np.ones(len(ledger), dtype=np.bool_)
    moment = ledger.column("date") >= when.moment
    late: Flags = moment.fill_null(value=False).to_numpy()
    return late


def countable(ledger: Ledger) -> Flags:
    """Return which games can be scored: played to a result on 19x19, neither free nor teaching, shape (games,).

    A game without a date among dated ones has no place in time.
    """
    free = ledger.of_kind({"free": 1.0, "teaching": 1.0}, 0.0) == 1.0
    timeless = ~ledger.dated if ledger.dated.any() else np.zeros(len(ledger), dtype=np.bool_)
    can: Flags = ledger.scored & ~ledger.by_default & ledger.full_size & ~free & ~timeless
    return can
