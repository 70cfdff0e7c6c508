"""Arrays that go on: a few rows are put behind many without copying these, as long as there is room behind them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

SPARE = 1024  # our choice: rows for which there is room at least
SHARE = 16  # our choice: of the rows there are, one in so many more has room
_lock = threading.Lock()
_drafts = threading.local()


@contextmanager
def drafts() -> Iterator[None]:
    """Leave the room to others in this thread: what is made here is looked at and dropped."""
    _drafts.made = True
    try:
        yield
    finally:
        _drafts.made = False


class _Room(np.ndarray[Any, Any]):
    """An array with room behind its first rows, of which arrays that are handed out show a part."""

    used: int = 0
    """Rows that some array shows; they are never written again."""


def appended(past: NDArray[Any], later: NDArray[Any]) -> NDArray[Any]:
    """Return what `np.concatenate` returns of two arrays, read only; `past` stays as it is.

    It costs what `later` is long where `past` was returned from here and nothing was put behind it yet.
    """
    if past.dtype != later.dtype:
        past, later = past.astype(dtype := np.result_type(past, later)), later.astype(dtype)
    if getattr(_drafts, "made", False):
        whole = np.concatenate([past, later])
        whole.flags.writeable = False
        return whole
    number = len(past) + len(later)
    room = _room_of(past)
    with _lock:
        if room is None or room.used != len(past) or number > len(room):
            room = _Room((number + max(SPARE, number // SHARE), *past.shape[1:]), past.dtype)
            np.asarray(room)[: len(past)] = past
        room.used = number
    whole = np.asarray(room)[:number]
    whole[len(past) :] = later
    whole.flags.writeable = False
    return whole


def _room_of(array: NDArray[Any]) -> _Room | None:
    """Return the room of which an array shows the first rows, None where there is none."""
    room: Any = array
    while isinstance(room.base, np.ndarray):
        room = room.base
    if not isinstance(room, _Room) or room.shape[1:] != array.shape[1:] or room.strides != array.strides:
        return None
    begins = [each.__array_interface__["data"][0] for each in (room, array)]
    return room if begins[0] == begins[1] else None
