"""The database of this process: whether its file is still the one, who prepares it, holds its lock, what it refuses."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any, TypeVar

from django.conf import settings
from django.db import Error, OperationalError, connection, connections, transaction
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
        until = monotonic() + PATIENCE
        while True:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_try_advisory_lock(%s)", [NUMBER])
                if cursor.fetchone()[0]:
                    break
            if monotonic() > until:
                raise InputError("another host has been preparing the database for ten minutes; try again")
            sleep(PAUSE)
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


LEAST_ROOM = 50_000_000  # bytes; our choice: below it a monitor should call somebody
REFUSED_FOR = 60.0  # seconds; our choice: for so long a refusal counts at least, unless something is written
LASTING = {"SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_CORRUPT", "SQLITE_NOTADB"}
"""Refusals that do not pass by themselves; longer names begin with them."""
LASTING_CODES = ("53", "58", "25006", "XX")
"""The same as PostgreSQL has them: no room or memory, input and output, read only, damage."""
WORDS = {"full": "SQLITE_FULL", "no space": "SQLITE_FULL", "i/o error": "SQLITE_IOERR", "readonly": "SQLITE_READONLY"}
_lock = threading.Lock()
_refused: dict[str, Any] = {}


def code_of(error: BaseException | None) -> str:
    """Return the name or number by which SQLite or PostgreSQL calls an error, which holds no values; empty for none."""
    while error is not None:
        for name in ("sqlite_errorname", "sqlstate", "pgcode"):
            if code := getattr(error, name, None):
                return str(code)
        error = error.__cause__
    return ""


def note_failure(error: Exception) -> None:
    """Remember that the database refused, if it will not pass by itself."""
    code = code_of(error) or next((name for word, name in WORDS.items() if word in str(error).lower()), "")
    if code.startswith((*LASTING, *LASTING_CODES)):
        with _lock:
            _refused.update(code=code, moment=monotonic())


def note_success() -> None:
    """Remember that something was written."""
    with _lock:
        _refused.clear()


def fault() -> str:
    """Return what keeps the database from being written, empty if nothing does."""
    if _refused and not _writes_again():
        return f"the last write failed: {_refused.get('code', '')}"
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite" and Path(name).exists() and shutil.disk_usage(Path(name).parent).free < LEAST_ROOM:
        return f"the disk has less than {LEAST_ROOM // 1_000_000} MB left"
    return ""


def _writes_again() -> bool:
    """Return whether the database may take a write after one that failed; SQLite rewrites a number it has."""
    if monotonic() - _refused.get("moment", 0.0) < REFUSED_FOR:
        return False
    if connection.vendor == "sqlite":
        try:
            _rewrite_number()
        except Error:
            return False
    note_success()
    return True


def _rewrite_number() -> None:
    """Write a number of the SQLite file that nobody reads as it is, without waiting for who writes."""
    with without_waiting(), transaction.atomic(), connection.cursor() as cursor:
        number = int(cursor.execute("PRAGMA user_version").fetchone()[0])
        cursor.execute(f"PRAGMA user_version = {number}")
