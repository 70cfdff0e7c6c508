"""Whether the SQLite file that this process has open is still the one that bears its name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.db import OperationalError, connections

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
