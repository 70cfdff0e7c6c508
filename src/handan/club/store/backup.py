"""Keeping a club's database safe: backups while others write, getting them back, and new versions of the tables."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connections
from django.db.migrations.executor import MigrationExecutor

from handan.club.lists import Checked
from handan.club.store.clock import at_place
from handan.club.store.copying import copy, private, replayed, second
from handan.club.store.database import alone_before_the_database, refuse_unknown_tables
from handan.club.store.facts import Report, fill
from handan.club.store.models import Backup, Club
from handan.club.store.rating_lists import list_of
from handan.errors import HandanError, InputError

PART = ".handan-part"
"""How the name of a file ends that is not whole yet."""
DAY = 86_400  # seconds


def integrity(path: Path) -> int:
    """Return the number of entries of an SQLite file if its pages, chains and replays are right, else InputError."""
    _pages(path)
    with second(f"sqlite:///{path}") as alias:
        return sum(number for number, _ in replayed(alias).values())


def verify_clubs() -> dict[str, tuple[int, Checked | None]]:
    """Return the entries and lists of each club here if pages, chains and replays are right, else InputError."""
    if connections["default"].vendor == "sqlite":
        _pages(_default_file())
    return replayed("default")


def _pages(path: Path) -> None:
    """Refuse a file whose pages SQLite finds damaged."""
    if not path.is_file():
        raise InputError(f"{path} is not a file")
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)) as database:
            answer = database.execute("PRAGMA integrity_check").fetchone()[0]
    except sqlite3.Error as error:
        raise InputError(f"{path}: {error}") from None
    if answer != "ok":
        raise InputError(f"{path}: integrity_check says {answer}")


def _default_file() -> Path:
    return Path(str(settings.DATABASES["default"]["NAME"]))


def _forget_parts(folder: Path) -> None:
    """Remove what killed commands left in a folder a day ago or more; a command that runs writes to its own part."""
    for left in folder.glob(f".*{PART}"):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > DAY:
                left.unlink()


@contextmanager
def made_whole(target: Path) -> Iterator[Path]:
    """Yield a file to be filled; it gets its name only once it is whole, and is gone if that fails."""
    if target.exists():
        raise InputError(f"{target} is there already; what is kept never overwrites a file")
    part = target.with_name(f".{target.name}{PART}")
    try:
        part.unlink(missing_ok=True)
        _forget_parts(target.parent)
        private(part)
        yield part
        with part.open("rb") as made:
            os.fsync(made.fileno())
        part.rename(target)
    except OSError as error:
        raise InputError(f"{target} was not made: {error.strerror or error}") from None
    except (sqlite3.Error, DatabaseError) as error:
        raise InputError(f"{target} was not made: {error}") from None
    finally:
        for left in (part, part.with_name(f"{part.name}-journal"), part.with_name(f"{part.name}-wal")):
            with suppress(OSError):
                left.unlink(missing_ok=True)


def _copied_pages(target: Path) -> None:
    """Copy the pages of the SQLite database of the default connection as they are at one moment."""
    connection = connections["default"]
    connection.ensure_connection()
    with closing(sqlite3.connect(target)) as copied:
        connection.connection.backup(copied)  # in one step: others go on writing, and cannot make it start again
        copied.execute("PRAGMA journal_mode=DELETE")  # one file, without a journal beside it


def backup(target: Path) -> int:
    """Copy the database into a new SQLite file while others write, verify it, and return its number of entries.

    SQLite copies its own pages; PostgreSQL is copied row by row out of one snapshot.
    """
    with made_whole(target) as part:
        if connections["default"].vendor == "sqlite":
            _copied_pages(part)
        else:
            copy(f"sqlite:///{part}", part=True)
        number = integrity(part)
    note_backup(number, target.name)
    return number


def note_backup(entries: int, file: str) -> None:
    """Write down that a backup was made and verified, for the administrators' page; a full disk stops no backup."""
    with suppress(DatabaseError):
        Backup.objects.create(entries=entries, file=file[:200])


def restore(source: Path, target: Path) -> int:
    """Make a backup the database of a club again; InputError if it is none or the target is there already."""
    _pages(source)
    with made_whole(target) as part:
        with closing(sqlite3.connect(source)) as original, closing(sqlite3.connect(part)) as made:
            original.backup(made)
        with second(f"sqlite:///{part}", part=True) as alias:
            refuse_unknown_tables(alias, filled=True)
            call_command("migrate", database=alias, verbosity=0)  # a backup may be of an older version
            fill(alias=alias)
        return integrity(part)


def migrate(report: Report = lambda *_: None) -> Path | None:
    """Bring the tables up to date and replay every ledger; return the backup, None if there was nothing to keep.

    An SQLite file that holds something is copied beside itself first, and the copy's pages are checked. Of several
    hosts that begin at the same time one does it, and the others find it done.
    """
    with alone_before_the_database():
        return _migrated(report)


def _remove_snapshots() -> None:
    """Remove the folder in which earlier versions kept states of clubs, which held names of people."""
    database = settings.DATABASES["default"]
    name = str(database["NAME"])
    beside = str(database["ENGINE"]).endswith("sqlite3")
    folder = Path(f"{name}.states") if beside else Path.cwd() / f".handan-{Path(name).name}.states"
    shutil.rmtree(folder, ignore_errors=True)


def _make_lists() -> None:
    """Make the rating lists of all clubs, for which who looks first would wait."""
    for club in Club.objects.exclude(number=0):
        with at_place(club), suppress(HandanError):
            list_of(club)


def _migrated(report: Report) -> Path | None:
    connection = connections["default"]
    refuse_unknown_tables()
    executor = MigrationExecutor(connection)
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        fill(report)
        return None
    kept = None
    if executor.loader.applied_migrations and connection.vendor == "sqlite":
        file = _default_file()
        kept = file.with_name(f"{file.name}.{datetime.now(UTC):%Y%m%dT%H%M%S%f}.backup")
        with made_whole(kept) as part:
            _copied_pages(part)
            _pages(part)
    try:
        call_command("migrate", verbosity=0)
        fill(report)
        replayed("default", lists=False)
        _make_lists()
        _remove_snapshots()
    except (DatabaseError, InputError) as error:
        hint = f"; the database as it was: {kept}" if kept else ""
        raise InputError(f"the database could not be brought up to date: {error}{hint}") from None
    return kept


__all__ = ["backup", "copy", "integrity", "made_whole", "migrate", "private", "restore", "verify_clubs"]
