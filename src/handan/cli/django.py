"""Starting Django for the commands of the club server."""

from __future__ import annotations

import os
from pathlib import Path

from handan.errors import InputError


def start(database: Path | str | None = None) -> None:
    """Start Django on a database: an SQLite file or a URL; by default what the configuration says."""
    if database is not None:
        text = str(database)
        os.environ["DATABASE_URL"] = text if "://" in text else f"sqlite:///{Path(text).absolute()}"
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "handan.web.settings")
    try:
        import django
    except ImportError:
        raise InputError("the club server needs more parts: pip install 'handan[server]'") from None
    django.setup()


def started(database: Path | str | None = None) -> None:
    """Start Django on a database that is there and up to date."""
    start(database)
    from django.db import DatabaseError, connection
    from django.db.migrations.executor import MigrationExecutor

    try:
        executor = MigrationExecutor(connection)
        waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as error:
        raise InputError(f"the database cannot be used: {error}") from None
    if waiting:
        raise InputError("the database is empty or of an older version; `handan club migrate` mends it")
