"""A database whose lock somebody else has: what is said of it, and what does not wait for it or need it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import connection

from handan.errors import InputError


class BusyError(InputError):
    """Others are writing; nothing was saved, and what was typed can be sent again."""

    def __init__(self) -> None:
        super().__init__("Others are writing just now. Nothing was saved; press again in a moment.")


def is_busy(error: Exception) -> bool:
    """Return whether a database refuses since others write."""
    text = str(error).lower()
    return any(word in text for word in ("locked", "busy", "lock timeout"))


@contextmanager
def without_waiting() -> Iterator[None]:
    """Let SQLite refuse at once, within the block, to write while others do; PostgreSQL locks rows, not the database.

    For what is written by the way when somebody only looks.
    """
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 0")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {1000 * settings.LONGEST_WAIT}")


@contextmanager
def unchanging() -> Iterator[None]:
    """Let what is read within the block be as it was at its start, while others write.

    A transaction of Django would keep them from it on SQLite, where those of this server begin as writers.
    """
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED" if connection.vendor == "sqlite" else "BEGIN ISOLATION LEVEL REPEATABLE READ")
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")
