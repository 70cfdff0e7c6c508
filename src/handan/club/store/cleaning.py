"""After somebody was forgotten: free pages and journals of the database, and the record that outlives it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from time import sleep
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import OperationalError, connections

from handan.club.entries import canonical
from handan.club.kinds import Kind
from handan.club.store.models import Entry
from handan.errors import InputError

SUFFIX = ".erasures"
TELLING = {
    "PersonalText", "Player", "Game", "Adjustment", "Submission", "User", "Session", "Shown", "AccessToken",
    "AccessAttempt", "AccessFailureLog", "AccessLog",
}  # fmt: skip
"""Tables in which names and addresses of people stand."""
TRIES = 5  # our choice: how often the journal is emptied if others are reading it
PAUSE = 0.2  # seconds between them


def clean() -> bool:
    """Write the database file anew without what was deleted, and empty its journal; whether both was done.

    Others who read keep a journal in use for a moment. PostgreSQL writes the tables anew; its own journal it reuses
    with time, and where it is kept for longer (an archive of it, a stream to another server) the operator ends that.
    """
    connection = connections["default"]
    if connection.in_atomic_block:
        return False
    if connection.vendor != "sqlite":
        with connection.cursor() as cursor:
            for model in apps.get_models():
                if model.__name__ in TELLING:
                    cursor.execute(f"VACUUM FULL {connection.ops.quote_name(model._meta.db_table)}")  # noqa: SLF001
        return True
    for _ in range(TRIES):
        try:
            with connection.cursor() as cursor:
                cursor.execute("VACUUM")
                busy = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        except OperationalError:
            busy = 1
        if not busy:
            return True
        sleep(PAUSE)
    return False


def erasures_file() -> Path | None:
    """Return the file beside the database that keeps who was forgotten, by keys; None without a database file."""
    database = settings.DATABASES["default"]
    name = str(database["NAME"])
    return Path(f"{name}{SUFFIX}") if str(database["ENGINE"]).endswith("sqlite3") and name != ":memory:" else None


def erasure_of(entry: Entry) -> dict[str, Any]:
    """Return the record of a forgotten person: club, keys, when and by which account; no name."""
    whose = {name: entry.facts[name] for name in ("people", "accounts", "numbers") if name in entry.facts}
    return {"club": entry.club.slug, **whose, "entered": entry.entered.isoformat(), "by": entry.account}


def erasures() -> list[dict[str, Any]]:
    """Return the records of all who were forgotten on this server."""
    entries = Entry.objects.filter(kind=Kind.PERSON_FORGOTTEN).select_related("club").order_by("entered", "pk")
    return sorted(map(erasure_of, entries), key=of_clubs)  # those of federations follow from those of their clubs


def of_clubs(item: dict[str, Any]) -> bool:
    """Whether an erasure is that of a federation, which names players of its clubs."""
    return any("." in key for key in item["people"])


def keep_erasure(entry: Entry) -> None:
    """Add a forgotten person to the file beside the database, which a restored backup is compared with."""
    file = erasures_file()
    if file is None:
        return
    with os.fdopen(os.open(file, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600), "ab") as out:
        out.write(canonical(erasure_of(entry)) + b"\n")
        out.flush()
        os.fsync(out.fileno())


def read_erasures(file: Path) -> list[dict[str, Any]]:
    """Return the records of a file; InputError for a line that is none."""
    records = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        try:
            data = json.loads(line)
            keys = all(isinstance(key, str) for key in (*data["people"], *data["accounts"], data["club"]))
            for slug, entry, place in (one for places in data.get("numbers", ()) for one in places):
                keys &= isinstance(slug, str) and type(entry) is int and type(place) is int
        except (ValueError, KeyError, TypeError):
            keys = False
        if not keys:
            raise InputError(f"{file}, line {number}: this does not say who was forgotten")
        records.append(data)
    return records


def older_copies() -> list[Path]:
    """Return the copies that were made beside the database file before its tables changed."""
    file = erasures_file()
    name = file and file.name.removesuffix(SUFFIX)
    return sorted(file.parent.glob(f"{name}.*.backup")) if file else []
