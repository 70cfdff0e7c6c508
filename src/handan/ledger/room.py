"""Arrays that go on: a few rows are put behind many without copying these, as long as there is room behind them."""

from __future__ import annotations

import math
import mmap
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

SPARE = 1024  # our choice: rows for which there is room at least
SHARE = 16  # our choice: of the rows there are, one in so many more has room
_lock = threading.RLock()  # a draft may go at any moment, also while its thread has the lock
_drafts = threading.local()


@contextmanager
def drafts() -> Iterator[None]:
    """Let rows that this thread puts behind others be given back as soon as nobody looks at them any more."""
    before = drafting()
    _drafts.made = True
    try:
        yield
    finally:
        _drafts.made = before


def drafting() -> bool:
    """Return whether this thread makes drafts now."""
    return bool(getattr(_drafts, "made", False))


class _Room(np.ndarray[Any, Any]):
    """An array with room behind its first rows, of which arrays that are handed out show a part."""

    used: int = 0
    """Rows that some array shows; they are never written again while one does."""
    as_in_file: int = 0
    """Bytes from its beginning on, whole pages, that are mapped from a file and never written."""


class _Draft(np.ndarray[Any, Any]):
    """The first rows of a room, the last of them for as long as this array or one that shows a part of it is kept."""

    before: NDArray[Any] | None = None
    """The rows before the last ones, which may be a draft too."""
    room: _Room | None = None

    def __del__(self) -> None:
        """Give the last rows back, unless others stand behind them."""
        room, before = self.room, self.before
        if room is not None and before is not None:
            with _lock:
                if room.used == len(self):
                    room.used = len(before)


def appended(past: NDArray[Any], later: NDArray[Any]) -> NDArray[Any]:
    """Return what `np.concatenate` returns of two arrays, read only; `past` stays as it is.

    It costs what `later` is long where there is room behind `past`.
    """
    if past.dtype != later.dtype:
        past, later = past.astype(dtype := np.result_type(past, later)), later.astype(dtype)
    number = len(past) + len(later)
    with _lock:
        past = with_room(past, len(later))
        room = _room_of(past)
        assert room is not None  # noqa: S101  # that of the line before
        room.used = number
    whole = np.asarray(room)[:number]
    whole[len(past) :] = later
    return fixed(_as_draft(number, past, room) if drafting() else whole)


def with_room(array: NDArray[Any], rows: int) -> NDArray[Any]:
    """Return an array itself if there is room for more rows behind it, else an equal one behind which there is.

    Who keeps what is returned in the place of the array has all rows in memory once, and copies them once.
    """
    room, number = _room_of(array), len(array)
    with _lock:
        if room is not None and room.used == number and number + rows <= len(room):
            return array
        same = empty_with_room((number, *array.shape[1:]), array.dtype, rows)
    same[:] = array
    return fixed(same)


def empty_with_room(shape: tuple[int, ...], dtype: Any = np.float64, rows: int = 0) -> NDArray[Any]:
    """Return what `np.empty` returns, with room for so many rows behind it, and some more."""
    number = shape[0]
    room = _Room((number + rows + room_behind(number), *shape[1:]), dtype)
    room.used = number
    return np.asarray(room)[:number]


def room_behind(rows: int) -> int:
    """Return for how many more rows there is room behind so many."""
    return max(SPARE, rows // SHARE)


def mapped_with_room(file: int, dtype: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    """Return the first rows of a file, read only, mapped into memory; what the file has behind them is their room.

    What is written there only this process sees, and the file, given by its descriptor, stays as it is.
    """
    whole = mmap.mmap(file, 0, access=mmap.ACCESS_COPY)
    row = np.dtype(dtype).itemsize * math.prod(shape[1:])
    room = _Room((len(whole) // row, *shape[1:]), dtype, buffer=whole)
    room.used = shape[0]
    room.as_in_file = shape[0] * row // mmap.PAGESIZE * mmap.PAGESIZE
    return fixed(np.asarray(room)[: shape[0]])


def give_back_file(array: NDArray[Any]) -> None:
    """Let the system take back the memory of rows that `mapped_with_room` mapped; who asks reads them anew."""
    room: Any = array
    while isinstance(room, np.ndarray) and not isinstance(room, _Room):
        room = room.base
    if isinstance(room, _Room) and room.as_in_file:
        pages: Any = room.base
        with suppress(AttributeError):  # of systems that have no such advice
            pages.madvise(mmap.MADV_DONTNEED, 0, room.as_in_file)


def _as_draft(number: int, past: NDArray[Any], room: _Room) -> NDArray[Any]:
    """Return the first rows of a room as an array that keeps a draft, as all do that show a part of it.

    NumPy leaves out what stands between an array and the one that it shows only where both are of one type.
    """
    draft = room[:number].view(_Draft)
    draft.before, draft.room = past, room
    return np.asarray(draft)


def fixed(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array, made here, that cannot be written to from now on."""
    array.flags.writeable = False
    return array


def _room_of(array: NDArray[Any]) -> _Room | None:
    """Return the room of which an array shows the first rows, None where there is none."""
    room: Any = array
    while isinstance(room.base, np.ndarray):
        room = room.base
    if not isinstance(room, _Room) or room.shape[1:] != array.shape[1:] or room.strides != array.strides:
        return None
    begins = [each.__array_interface__["data"][0] for each in (room, array)]
    return room if begins[0] == begins[1] else None
