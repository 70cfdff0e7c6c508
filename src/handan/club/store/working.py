"""Requests of a process are worked on one after the other, in the order in which they came.

Python runs one thread at a time and hands over every few milliseconds, also at each question to the database: four
threads that make pages at the same moment take together more than twice as long as one after the other, and a writer
who holds the database's lock waits for all of them. Nobody waits long: who waits for a lock, or works out what takes
its time, leaves the place to the next, and after a short while a request goes ahead beside a slow one.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

PATIENCE = 0.25  # seconds; our choice: after which a request goes ahead beside one that takes long


class Working:
    """Whose turn it is to work."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self.patience = patience
        self._changed = threading.Condition()
        self._waiting: deque[object] = deque()
        self._at_work = 0
        self._own = threading.local()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Work when it is this thread's turn, or has waited for it long enough; within a turn there is no other."""
        if getattr(self._own, "turn", False):
            yield
            return
        self._begin()
        try:
            yield
        finally:
            self.leave()

    def leave(self) -> None:
        """Let the next begin, since this thread is done or waits for something else; once a turn."""
        if not getattr(self._own, "turn", False):
            return
        self._own.turn = False
        with self._changed:
            self._at_work -= 1
            self._changed.notify_all()

    def _begin(self) -> None:
        mine, until = object(), monotonic() + self.patience
        with self._changed:
            self._waiting.append(mine)
            try:
                while (self._at_work or self._waiting[0] is not mine) and (left := until - monotonic()) > 0:
                    self._changed.wait(left)
            finally:  # who is interrupted while waiting would keep all others behind it
                self._waiting.remove(mine)
            self._at_work += 1
            self._own.turn = True
            self._changed.notify_all()


working = Working()
