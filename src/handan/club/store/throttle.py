"""A throttle on reading that has to be worked out: days of the past, other systems, what was known, previews.

Each account, or address without one, has some seconds of computing in hand, which come back slowly. What is kept costs
nothing, so whoever looks at what others look at never feels it, and a small club hardly at all.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import chain, islice
from time import monotonic, thread_time
from typing import TypeVar

from cachetools import LRUCache
from django.conf import settings

from handan.errors import Clause, HandanError

Part = TypeVar("Part")
ASKER: ContextVar[str] = ContextVar("asker", default="")
"""Who asks: an account or an address; empty for commands, which have no throttle."""
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
        asker = ASKER.get()
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
        rest, asker = iter(parts), ASKER.get()
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
