"""The database of this process: whether its file is still the one, who prepares it, and who holds its lock."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from django.conf import settings
from django.db import OperationalError, connection, connections
from django.db.migrations.loader import MigrationLoader

from handan.errors import InputError

NUMBER = 0x68616E64616E  # "handan": of our advisory lock, beside those of other programs in the database
PATIENCE = 600.0  # seconds; our choice: a large database takes minutes to be brought up to date
PAUSE = 0.2  # seconds between two looks; our choice
R = TypeVar("R")
SNAPSHOT = {
    "sqlite": ("PRAGMA query_only = ON",),
    "postgresql": (
        "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY",
        "SET LOCAL idle_in_transaction_session_timeout = 0",  # a list of a past day may be worked out in between
    ),
}
"""What makes a transaction of each database one in which nothing changes."""
_opened: dict[str, tuple[int, int]] = {}
"""Device and number of each file when this process first opened it."""


def remember_file(connection: Any, **_: object) -> None:
    """Keep which file the default connection opened first; a receiver of Django's `connection_created`."""
    if connection.alias == "default" and connection.vendor == "sqlite":
        path = str(connection.settings_dict["NAME"])
        if identity := _identity(path):
            _opened.setdefault(path, identity)


def refuse_replaced_file() -> None:
    """Raise OperationalError if another file, or none, bears the name now: what is written would not be found again."""
    path = str(connections["default"].settings_dict["NAME"])
    if path in _opened and _identity(path) != _opened[path]:
        raise OperationalError("the database file was replaced")


def _identity(path: str) -> tuple[int, int] | None:
    try:
        status = Path(path).stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def refuse_unknown_tables(alias: str = "default", *, filled: bool = False) -> None:
    """Raise InputError if an SQLite file is another program's, or if a later version made the tables.

    Args:
        alias: The database.
        filled: Whether one without any table is refused too.
    """
    connection = connections[alias]
    loader = MigrationLoader(connection)
    ours = {name for app, name in loader.applied_migrations or () if app == "club"}
    if any(("club", name) not in loader.disk_migrations for name in ours):
        raise InputError(
            "the database is of a later version of Handan; install that version, or restore a backup from before it"
        )
    tables = connection.introspection.table_names() if connection.vendor == "sqlite" else []
    if not ours and (tables or filled):
        raise InputError("the database holds no clubs: it is " + ("that of another program" if tables else "empty"))


@contextmanager
def alone_before_the_database() -> Iterator[None]:
    """Keep all others who prepare the same PostgreSQL database out until the block ends.

    The lock is PostgreSQL's own, of a connection of its own, and ends with it: a host that fails keeps nobody out. An
    SQLite file is of one machine, and its own lock is enough.

    Raises:
        InputError: Another host has not ended within ten minutes.
    """
    default = connections["default"]
    if default.vendor != "postgresql":
        yield
        return
    with closing(default.copy()) as connection:
        until = time.monotonic() + PATIENCE
        while True:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_try_advisory_lock(%s)", [NUMBER])
                if cursor.fetchone()[0]:
                    break
            if time.monotonic() > until:
                raise InputError("another host has been preparing the database for ten minutes; try again")
            time.sleep(PAUSE)
        yield


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


class BehindError(Exception):
    """Rows must first follow the last entry, and nothing can be written within `snapshot`."""


@contextmanager
def snapshot() -> Iterator[None]:
    """Let what is read within the block be as it was at its start, while others write; the block itself cannot.

    Within another one, or within a transaction, it is a part of that.
    """
    if not connection.get_autocommit():
        yield
        return
    sqlite = connection.vendor == "sqlite"
    if sqlite:  # of which a transaction of Django keeps others from writing
        connection.ensure_connection()
        mode, connection.transaction_mode = connection.transaction_mode, "DEFERRED"  # type: ignore[attr-defined]
        try:
            connection.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
        finally:
            connection.transaction_mode = mode  # type: ignore[attr-defined]
    else:
        connection.set_autocommit(False)
    try:
        with connection.cursor() as cursor:
            for statement in SNAPSHOT[connection.vendor]:
                cursor.execute(statement)
        yield
    finally:
        connection.rollback()
        connection.set_autocommit(True)
        if sqlite:
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA query_only = OFF")


def in_snapshot() -> bool:
    """Whether a snapshot is read, in which nothing can be written."""
    return not connection.get_autocommit() and not connection.in_atomic_block


def read_snapshot(read: Callable[[], R]) -> R:
    """Return what is read in a snapshot; where rows must follow the last entry first, it is read again without one."""
    try:
        with snapshot():
            return read()
    except BehindError:
        return read()
