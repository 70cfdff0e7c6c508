"""A cache, within a number of bytes, of what takes long; who asks for what another works out waits for that alone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Any, TypeVar

import numpy as np
from cachetools import LRUCache

from handan.club.standings import Standings
from handan.club.state import State

Answer = TypeVar("Answer")
Series = tuple[Hashable, int]
SPARE = 100
PLAYER = 2_000  # our choice: bytes that a player's row, label and key take, rounded up
LARGEST = 0.75  # our choice: share of the room as which the largest answer counts, so that no small one drives it out
DERIVED = 2  # our choice: columns and arrays that pages make of an answer take about as much as the answer itself


def size_of(answer: Standings | State) -> int:
    """Return about how many bytes an answer keeps in memory, with what pages will make of it."""
    if isinstance(answer, State):
        return int(answer.games.estimated_size()) * DERIVED + PLAYER * (1 + len(answer.people))
    games = sum(phase.ratings.ledger.arrays.columns.nbytes for phase in answer.phases)
    arrays = sum(_array_bytes(vars(phase.ratings.arrays)) for phase in answer.phases)
    players = sum(len(phase.ratings.ledger.players) for phase in answer.phases)
    return int(games + arrays) * DERIVED + PLAYER * (1 + players)


def _array_bytes(values: Any) -> int:
    """Return the bytes of all arrays among values, tuples and dictionaries of them."""
    if isinstance(values, np.ndarray):
        return values.nbytes
    if isinstance(values, dict):
        return sum(_array_bytes(value) for value in values.values())
    return sum(_array_bytes(value) for value in values) if isinstance(values, tuple) else 0


class ComputedCache:
    """The answers last asked for, as many as `most` bytes hold; one that is larger leaves a quarter to small ones."""

    def __init__(self, most: int, size: Callable[[Any], int] = size_of) -> None:
        self._size_of = size
        self._lock = threading.Lock()  # never held while an answer is worked out
        self._under_way: dict[Hashable, Future[Any]] = {}
        self._newest: dict[Hashable, tuple[Hashable, int]] = {}
        self._values: LRUCache[Hashable, Any] = LRUCache(most, getsizeof=self._size)

    def _size(self, answer: Any) -> int:
        """Return the bytes that an answer counts for: never so many that small ones have no room beside it."""
        return min(self._size_of(answer), int(self._values.maxsize * LARGEST))

    @property
    def bytes(self) -> int:
        """About how many bytes are kept."""
        return int(self._values.currsize)

    @property
    def number(self) -> int:
        """How many answers are kept."""
        return len(self._values)

    def get(self, key: Hashable, make: Callable[[], Answer], series: Series | None = None) -> Answer:
        """Return the answer of a key, made if it is not kept; all who ask meanwhile get the same one.

        Args:
            key: What is asked.
            make: Works the answer out.
            series: What is asked again after every entry, and the number of entries: a later answer takes the place
                of the one before.
        """
        with self._lock:
            if key in self._values:
                kept: Answer = self._values[key]
                return kept
            waiting = self._under_way.get(key)
            own = self._under_way.setdefault(key, Future())
        if waiting is not None:
            answer: Answer = waiting.result()
            return answer
        try:
            answer = make()
            self._settle(key, answer, series)
        except BaseException as error:  # also one that cannot be kept, for which others would wait for ever
            self._settle(key)
            own.set_exception(error)
            raise
        own.set_result(answer)
        return answer

    def _settle(self, key: Hashable, answer: Any = None, series: Series | None = None) -> None:
        """Keep an answer, if there is one, in the place of the one before; it is under way no longer."""
        with self._lock:
            self._under_way.pop(key, None)
            if answer is None:
                return
            if series is not None:
                self._put_last(key, *series)
            self._values[key] = answer

    def _put_last(self, key: Hashable, question: Hashable, entries: int) -> None:
        """Drop the answer to a question from fewer entries; that from more stays, for this one is of the past."""
        last, before = self._newest.get(question, (None, 0))
        if before <= entries:
            self._values.pop(last, None)
            self._newest[question] = (key, entries)
        if len(self._newest) > 2 * len(self._values) + SPARE:  # most of them are of answers that were dropped
            self._newest = {name: kept for name, kept in self._newest.items() if kept[0] in self._values}

    def forget(self) -> None:
        """Drop everything."""
        with self._lock:
            self._values.clear()
            self._newest.clear()


MOST_BYTES = 64_000_000  # our choice: of standings and states of the past that a process keeps
computed_cache = ComputedCache(MOST_BYTES)
