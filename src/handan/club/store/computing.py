"""What takes long to work out: a cache within a number of bytes, and a throttle for who asks for much of it."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import chain, islice
from time import monotonic, thread_time
from typing import Any, TypeVar

import numpy as np
from cachetools import LRUCache, cached
from django.conf import settings

from handan.club.standings import Standings
from handan.club.state import State
from handan.errors import Clause, HandanError

Answer = TypeVar("Answer")
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
        self.values: LRUCache[Hashable, Any] = LRUCache(most, lambda answer: min(size(answer), int(most * LARGEST)))
        self._one_at_a_time = threading.Condition()  # of each key; never held while an answer is worked out
        self._get = cached(self.values, lambda key, _: key, condition=self._one_at_a_time)(lambda _, make: make())

    def get(self, key: Hashable, make: Callable[[], Answer]) -> Answer:
        """Return the answer of a key, made if it is not kept; all who ask meanwhile get the same one."""
        answer: Answer = self._get(key, make)
        return answer

    def forget(self) -> None:
        """Drop everything."""
        with self._one_at_a_time:
            self.values.clear()


MOST_BYTES = 64_000_000  # our choice: of standings and states of the past that a process keeps
computed_cache = ComputedCache(MOST_BYTES)


Part = TypeVar("Part")
ASKER: ContextVar[Callable[[], str]] = ContextVar("asker", default=str)
"""Returns who asks: an account or an address; empty for commands, which have no throttle."""
BACK = 0.2  # our choice: of each second that passes, this much comes back
MOST_ASKERS = 10_000  # our choice: of whom a process keeps what they have used


class ThrottledError(HandanError):
    """Somebody has let the server work out too much in a short time."""

    def __init__(self, seconds: int) -> None:
        pattern = "you have asked for much that takes long to work out; ask again in {seconds} s"
        super().__init__(Clause.of(pattern, seconds=seconds))
        self.seconds = seconds


class Throttle:
    """What each asker has used of the seconds of computing that are in hand."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._used: LRUCache[str, tuple[float, float]] = LRUCache(MOST_ASKERS)

    @contextmanager
    def computing(self) -> Iterator[None]:
        """Count what is worked out meanwhile; ThrottledError for who has nothing in hand."""
        asker = ASKER.get()()
        if not asker:
            yield
            return
        most = float(settings.COMPUTING_SECONDS)
        used = self._used_by(asker)
        if used >= most:
            raise ThrottledError(max(1, math.ceil((used - most) / BACK)))
        start = thread_time()
        try:
            yield
        finally:
            self._count(asker, thread_time() - start)

    def counted(self, parts: Iterable[Part]) -> Iterator[Part]:
        """Return parts that are worked out while they are sent; ThrottledError now for who has nothing in hand."""
        rest, asker = iter(parts), ASKER.get()()
        with self.computing():
            first = list(islice(rest, 1))
        return chain(first, self._rest(rest, asker))

    def _rest(self, parts: Iterator[Part], asker: str) -> Iterator[Part]:
        """Pass parts on and count what each takes; an answer that has begun is not broken off."""
        while True:
            start = thread_time()
            part = list(islice(parts, 1))
            self._count(asker, thread_time() - start)
            if not part:
                return
            yield part[0]

    def _count(self, asker: str, seconds: float) -> None:
        """Add seconds to what somebody has used."""
        if asker:
            with self._lock:
                used, most = self._aged(asker), float(settings.COMPUTING_SECONDS)
                self._used[asker] = (min(used + seconds, 2.0 * most), monotonic())

    def _used_by(self, asker: str) -> float:
        with self._lock:
            return self._aged(asker)

    def _aged(self, asker: str) -> float:
        """Return how many seconds somebody has used, less what has come back since."""
        used, moment = self._used.get(asker, (0.0, 0.0))
        return max(0.0, used - BACK * (monotonic() - moment))

    def forget(self) -> None:
        """Forget what everybody has used."""
        with self._lock:
            self._used.clear()


throttle = Throttle()
