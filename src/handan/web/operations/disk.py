"""Whether the database can be written: what its last refusal was, and what room the disk has."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path
from time import monotonic
from typing import Any

from django.db import Error, connection, transaction

LEAST_ROOM = 50_000_000  # bytes; our choice: below it a monitor should call somebody
PATIENCE = 60.0  # seconds; our choice: for so long a refusal counts at least, unless something is written
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


def note_refusal(error: Exception) -> None:
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
    if monotonic() - _refused.get("moment", 0.0) < PATIENCE:
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
    with connection.cursor() as cursor:
        waits = int(cursor.execute("PRAGMA busy_timeout").fetchone()[0])
        cursor.execute("PRAGMA busy_timeout = 100")
        try:
            with transaction.atomic():
                number = int(cursor.execute("PRAGMA user_version").fetchone()[0])
                cursor.execute(f"PRAGMA user_version = {number}")
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {waits}")
