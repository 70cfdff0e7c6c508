"""A store of answers within a number of bytes; who asks for what another is working out waits for that one only."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import numpy as np
import polars as pl
from cachetools import LRUCache

from handan.club.standings import Standings
from handan.club.state import State
from handan.ledger.coded import Coded

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
    games = sum(_bytes_of(phase.ratings.ledger.columns) for phase in answer.phases)
    arrays = sum(_array_bytes(vars(phase.ratings)) for phase in answer.phases)
    players = sum(len(phase.ratings.ledger.players) for phase in answer.phases)
    return int(games + arrays) * DERIVED + PLAYER * (1 + players)


def _bytes_of(columns: pl.DataFrame | Coded) -> int:
    return columns.nbytes if isinstance(columns, Coded) else int(columns.estimated_size())


def _array_bytes(values: Any) -> int:
    """Return the bytes of all arrays among values, tuples and dictionaries of them."""
    if isinstance(values, np.ndarray):
        return values.nbytes
    if isinstance(values, dict):
        return sum(_array_bytes(value) for value in values.values())
    return sum(_array_bytes(value) for value in values) if isinstance(values, tuple) else 0


class Turn:
    """A lock that is dropped with the last who waits for it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()


class Answers:
    """The answers last asked for, as many as `most` bytes hold; one that is larger leaves a quarter to small ones."""

    def __init__(self, most: int, size: Callable[[Any], int] = size_of) -> None:
        self._size_of = size
        self._lock = threading.Lock()  # never held while an answer is worked out
        self._under_way: dict[Hashable, Future[Any]] = {}
        self._newest: dict[Hashable, tuple[Hashable, int]] = {}
        self._together: dict[Hashable, tuple[int, set[Hashable]]] = {}
        self._turns: WeakValueDictionary[Hashable, Turn] = WeakValueDictionary()
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

    def get(
        self, key: Hashable, make: Callable[[], Answer], series: Series | None = None, of: Series | None = None
    ) -> Answer:
        """Return the answer of a key, made if it is not kept; all who ask meanwhile get the same one.

        Args:
            key: What is asked.
            make: Works the answer out.
            series: What is asked again after every entry, and the number of entries: a later answer takes the place
                of the one before.
            of: What many answers follow from, and its number of entries: with the first answer of another number all
                before it are dropped.
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
            self._settle(key, answer, series, of)
        except BaseException as error:  # also one that cannot be kept, for which others would wait for ever
            self._settle(key)
            own.set_exception(error)
            raise
        own.set_result(answer)
        return answer

    def last(self, question: Hashable) -> Any | None:
        """Return the newest answer to a question of a series, None if it is not kept."""
        with self._lock:
            key, _ = self._newest.get(question, (None, 0))
            return self._values.get(key)

    def drop_last(self, question: Hashable) -> None:
        """Drop the newest answer to a question of a series, of whose memory the next one is made."""
        with self._lock:
            key, _ = self._newest.pop(question, (None, 0))
            self._values.pop(key, None)

    @contextmanager
    def turn(self, question: Hashable) -> Iterator[bool]:
        """Let those who work out answers to one question do so one after the other; yield whether this one waited."""
        with self._lock:
            turn = self._turns.get(question)
            if turn is None:
                turn = self._turns[question] = Turn()
        waits = not turn.lock.acquire(blocking=False)
        if waits:
            turn.lock.acquire()
        try:
            yield waits
        finally:
            turn.lock.release()

    def _settle(
        self, key: Hashable, answer: Any = None, series: Series | None = None, of: Series | None = None
    ) -> None:
        """Keep an answer, if there is one, in the place of the one before; it is under way no longer."""
        with self._lock:
            self._under_way.pop(key, None)
            if answer is None:
                return
            if of is not None:
                self._put_with_others(key, *of)
            if series is not None:
                self._put_last(key, *series)
            self._values[key] = answer

    def _put_with_others(self, key: Hashable, source: Hashable, entries: int) -> None:
        """Drop the answers that follow from another number of entries of a source."""
        last, keys = self._together.get(source, (entries, set()))
        if entries != last:
            for past in keys:
                self._values.pop(past, None)
            keys = set()
        if len(keys) > 2 * len(self._values) + SPARE:  # most of them were dropped for want of room
            keys.intersection_update([*self._values])
        keys.add(key)
        self._together[source] = entries, keys

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
            self._together.clear()


MOST_BYTES = 256_000_000  # our choice: of standings and states of the past that a process keeps
answers = Answers(MOST_BYTES)
beside: list[Answers] = []
"""Further stores of what was made of the clubs, dropped with the answers."""


def forget() -> None:
    """Drop everything that this process keeps."""
    for store in (answers, *beside):
        store.forget()
