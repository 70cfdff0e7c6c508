"""Starting Django for the commands of the club server."""

from __future__ import annotations

import os
from pathlib import Path

from handan.errors import InputError


def start(database: Path | str | None = None) -> None:
    """Start Django on a database: an SQLite file or a URL; by default what the configuration says."""
    if database is not None:
        os.environ["DATABASE_URL"] = url_of(database)
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

    from handan.club.store.database import refuse_unknown_tables

    file = sqlite_file()
    if file and not file.exists():
        raise InputError(f"database {file} is not there; `handan serve {file.name}` or `handan club migrate` makes it")
    try:
        refuse_unknown_tables()
        executor = MigrationExecutor(connection)
        waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as error:
        raise InputError(f"the database cannot be used: {error}") from None
    if waiting:
        raise InputError("the database is empty or of an older version; `handan club migrate` mends it")


def url_of(database: Path | str) -> str:
    """Return the URL of a database that is named by its file or its URL."""
    text = str(database)
    return text if "://" in text else f"sqlite:///{Path(text).absolute()}"


def sqlite_file() -> Path | None:
    """Return the file of the database, None if it is no SQLite file."""
    from django.conf import settings

    database = settings.DATABASES["default"]
    return Path(str(database["NAME"])) if str(database["ENGINE"]).endswith("sqlite3") else None


def keep_private() -> None:
    """Make the database file for its owner only, if it is an SQLite file that is not there yet."""
    from handan.club.store.backup import private

    file = sqlite_file()
    if file and not file.exists():
        private(file)


def public_address(local: str) -> str:
    """Return the address under which others reach the server, the local one if the configuration names none."""
    from handan.web.configuration import configured

    named = configured().address
    return f"{named}/" if named else local
