"""One host at a time: what the servers of several hosts must not do to one database at the same moment."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

from django.db import connections

from handan.errors import InputError

NUMBER = 0x68616E64616E  # "handan": of our advisory lock, beside those of other programs in the database
PATIENCE = 600.0  # seconds; our choice: a large database takes minutes to be brought up to date
PAUSE = 0.2  # seconds between two looks; our choice


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
