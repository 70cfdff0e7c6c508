"""Logs as one JSON object a line, with nothing personal in them.

What the project itself logs is made of fields that are listed here. Messages of other programs may hold addresses and
values, so of those only the origin is written, and of an error its kind and where it came from, without its text.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

CAME = "handan.came"
"""In the environment of a request that may have waited for a thread: when it came, in seconds of `perf_counter`."""
REQUEST: ContextVar[str] = ContextVar("request", default="")
"""Number of the request that is being answered."""
FIELDS = ("method", "route", "status", "milliseconds", "club", "code")
OWN = ("handan", "_granian")
FRAMES = 8  # our choice: enough to find the place


class Lines(logging.Formatter):
    """One JSON object for each record."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        fields: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
        }
        if REQUEST.get():
            fields["request"] = REQUEST.get()
        if record.name.split(".")[0] in OWN:
            fields["message"] = record.getMessage()
        fields |= {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        if record.exc_info and record.exc_info[0]:
            fields["error"] = record.exc_info[0].__qualname__
            fields["at"] = [
                f"{Path(frame.filename).name}:{frame.lineno} {frame.name}"
                for frame in traceback.extract_tb(record.exc_info[2])[-FRAMES:]
            ]
        return json.dumps(fields, ensure_ascii=False)


class Stderr(logging.Handler):
    """Writes to what stderr is at the moment."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line."""
        sys.stderr.write(self.format(record) + "\n")


def logging_configuration(level: str) -> dict[str, Any]:
    """Return the configuration of Python's logging for the server."""
    handlers = ["stderr"]
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": f"{__name__}.Lines"}},
        "handlers": {"stderr": {"class": f"{__name__}.Stderr", "formatter": "lines"}},
        "root": {"handlers": handlers, "level": "WARNING"},
        "loggers": {
            "handan": {"level": level.upper()},
            "django": {"level": "WARNING", "handlers": handlers, "propagate": False},
            "django.server": {"level": "WARNING", "handlers": handlers, "propagate": False},
            "_granian": {"level": "WARNING", "handlers": handlers, "propagate": False},
        },
    }
