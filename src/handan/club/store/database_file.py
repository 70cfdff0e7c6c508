"""The database of this process: whether its SQLite file is still the one, and how one host at a time prepares it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from django.db import OperationalError, connections
from django.db.migrations.loader import MigrationLoader

from handan.errors import InputError

NUMBER = 0x68616E64616E  # "handan": of our advisory lock, beside those of other programs in the database
PATIENCE = 600.0  # seconds; our choice: a large database takes minutes to be brought up to date
PAUSE = 0.2  # seconds between two looks; our choice
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
