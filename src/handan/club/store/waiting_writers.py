"""Writers who wait for a ledger: few at a time, so that a process always has threads for those who only look.

A writer who waits for the lock of an SQLite file, or for a club's row of PostgreSQL, keeps a thread. While the lock is
handed on all the time the next one waits a moment; where it stands still, all beyond a few are refused at once.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from time import monotonic
from typing import Any

from django.db import OperationalError

from handan.club.store.working import working
from handan.errors import InputError

MOST = "HANDAN_WAITING_WRITERS"
"""Names how many writers of a process may wait for a lock; `handan serve` sets it, commands wait as they like."""
STANDING = 1.0  # seconds; our choice: a lock that was not handed on for so long stands still
WRITES = ("INSERT", "UPDATE", "DELETE")


class BusyError(InputError):
    """Others are writing; nothing was saved, and what was typed can be sent again."""

    def __init__(self) -> None:
        super().__init__("Others are writing just now. Nothing was saved; press again in a moment.")


class WaitingWriters:
    """The writers of this process that wait for a lock."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._changed = threading.Condition()
        self._since: dict[int, float] = {}

    def _stands_still(self) -> bool:
        return bool(self._since) and monotonic() - min(self._since.values()) > STANDING

    def enter(self) -> int:
        """Join those who wait, and return the number to leave with; OperationalError where too many stand still."""
        with self._changed:
            until = monotonic() + STANDING
            while len(self._since) >= self.most:
                if self._stands_still() or not self._changed.wait(max(0.0, until - monotonic())):
                    raise OperationalError("database is locked: too many writers wait")
            number = max(self._since, default=0) + 1
            self._since[number] = monotonic()
            return number

    def leave(self, number: int) -> None:
        """Wait no longer."""
        with self._changed:
            del self._since[number]
            self._changed.notify()


writers = WaitingWriters(int(os.environ.get(MOST, "1000000")))


def limit_writers(connection: Any, **_: object) -> None:
    """Count the writers of a new connection; a receiver of Django's `connection_created`."""
    if connection.alias == "default" and _counted not in connection.execute_wrappers:
        connection.execute_wrappers.append(_counted)


def _counted(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:  # noqa: FBT001  # as Django calls it
    """Run a statement; one that may wait for a lock is counted as long as it runs."""
    begins = sql.startswith("BEGIN IMMEDIATE") or " FOR UPDATE" in sql  # a transaction has the lock from there on
    if not (begins or (sql.startswith(WRITES) and not context["connection"].in_atomic_block)):
        return execute(sql, params, many, context)
    working.leave()
    number = writers.enter()
    try:
        return execute(sql, params, many, context)
    finally:
        writers.leave(number)


def is_busy(error: Exception) -> bool:
    """Return whether a database refuses since others write."""
    text = str(error).lower()
    return any(word in text for word in ("locked", "busy", "lock timeout"))
