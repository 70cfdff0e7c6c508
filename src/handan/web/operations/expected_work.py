"""How much work a request will be: as much as those of its kind were of late."""

from __future__ import annotations

import re
import threading
from typing import Any

from cachetools import LRUCache

MOST_KINDS = 500  # our choice
UNKNOWN = 0.02  # seconds of processor time; our choice: of a kind that nobody has asked for yet
SHARE = 0.1  # our choice: of the newest in the mean
NUMBERED = re.compile(r"(?<![^/])[^/0-9]*+[0-9][^/]*+")


class ExpectedWork:
    """The mean work of requests by kind: method, path without its keys, whether there is a query."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._bit_by_bit: LRUCache[tuple[str, str, bool], bool] = LRUCache(MOST_KINDS)
        self._seconds: LRUCache[tuple[str, str, bool], float] = LRUCache(MOST_KINDS)

    def of(self, environ: dict[str, Any]) -> float:
        """Return the seconds of processor time that a request will take, as far as others tell."""
        with self._lock:
            return self._seconds.get(_kind(environ), UNKNOWN)

    def note(self, environ: dict[str, Any], seconds: float) -> None:
        """Remember what a request took."""
        kind = _kind(environ)
        with self._lock:
            before = self._seconds.get(kind, seconds)
            self._seconds[kind] = before + SHARE * (seconds - before)

    def note_bit_by_bit(self, environ: dict[str, Any]) -> None:
        """Remember that what such a request asks for is sent bit by bit, which no other process does for this one."""
        with self._lock:
            self._bit_by_bit[_kind(environ)] = True

    def is_bit_by_bit(self, environ: dict[str, Any]) -> bool:
        """Return whether what a request asks for is sent bit by bit, as far as others tell."""
        with self._lock:
            return _kind(environ) in self._bit_by_bit


def _kind(environ: dict[str, Any]) -> tuple[str, str, bool]:
    path = NUMBERED.sub("#", environ["PATH_INFO"][:200])
    return environ["REQUEST_METHOD"], path, bool(environ.get("QUERY_STRING"))
