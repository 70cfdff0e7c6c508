"""Arrays that go on: a few rows are put behind many without copying these, as long as there is room behind them.

Where others stand behind them already, those who come next get the same first rows from one file without a name, which
lies in memory: each maps it for itself and writes behind it what nobody else sees.
"""

from __future__ import annotations

import math
import mmap
import os
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

SPARE = 1024  # our choice: rows for which there is room at least
SHARE = 16  # our choice: of the rows there are, one in so many more has room
LARGE = 1 << 20  # bytes; our choice: smaller arrays are copied, which costs less than a mapping
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


class _File:
    """A file with first rows that several rooms show; nothing is written into it any more."""

    def __init__(self, descriptor: int) -> None:
        """Take over a descriptor, which is closed with the last room."""
        self.descriptor = descriptor
        finalize(self, os.close, descriptor)


class _Room(np.ndarray[Any, Any]):
    """An array with room behind its first rows, of which arrays that are handed out show a part."""

    used: int = 0
    """Rows that some array shows; they are never written again while one does."""
    as_in_file: int = 0
    """Bytes from its beginning on, whole pages, that are mapped from a file and never written."""
    file: _File | None = None
    """That file; it is as long as the room."""


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


def with_room(array: NDArray[Any], rows: int, *, for_several: bool = False) -> NDArray[Any]:
    """Return an array itself if there is room for more rows behind it, else an equal one behind which there is.

    Who keeps what is returned in the place of the array has all rows in memory once, and copies them once. Of a large
    array behind which others stand, all who go on from it have the rows in memory once.

    Args:
        array: Shape (rows, …).
        rows: For how many more there is to be room.
        for_several: Whether more than one will go on from it, so that a large one is put into a file now.
    """
    room, number = _room_of(array), len(array)
    with _lock:
        has_room = room is not None and room.used == number and number + rows <= len(room)
        others = room is not None and (room.used > number or (for_several and room.file is None))
    if has_room and not others:
        return array
    if (others or for_several) and array.nbytes >= LARGE:
        with suppress(OSError):  # no more files can be open, or no memory is left for one
            return _from_one_file(array, room, rows)
    if has_room:
        return array
    same = empty_with_room((number, *array.shape[1:]), array.dtype, rows)
    same[:] = array
    return fixed(same)


def _from_one_file(array: NDArray[Any], room: _Room | None, rows: int) -> NDArray[Any]:
    """Return an array equal to another one, the first rows of a room if there is one, with its rows from a file.

    Raises:
        OSError: There can be no such file.
    """
    number = len(array)
    if room is not None and room.file is not None and number + rows <= len(room):
        file, in_file = room.file, room.as_in_file
    else:
        file, in_file = _file_of(array, rows), array.nbytes
    same = _mapped(file, array.dtype, array.shape, in_file)
    whole = np.asarray(same).reshape(-1)
    first = same.as_in_file // array.itemsize
    whole[first : array.size] = array.reshape(-1)[first:]
    return fixed(np.asarray(same)[:number])


def _file_of(array: NDArray[Any], rows: int) -> _File:
    """Return a file without a name that begins with an array and has room for more rows; OSError if there is none."""
    number = len(array)
    if hasattr(os, "memfd_create"):
        file = _File(os.memfd_create("handan-rows"))
    else:
        with tempfile.TemporaryFile() as stream:
            file = _File(os.dup(stream.fileno()))
    os.truncate(file.descriptor, (number + rows + room_behind(number)) * (array.nbytes // number))
    with mmap.mmap(file.descriptor, 0) as content:
        np.frombuffer(content, array.dtype, array.size)[:] = array.reshape(-1)
    return file


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
    return fixed(np.asarray(_mapped(_File(os.dup(file)), dtype, shape, sys.maxsize))[: shape[0]])


def _mapped(file: _File, dtype: Any, shape: tuple[int, ...], in_file: int) -> _Room:
    """Return a room of its own over a file, of which some rows are used and so many bytes at most stay as they are."""
    whole = mmap.mmap(file.descriptor, 0, access=mmap.ACCESS_COPY)
    row = np.dtype(dtype).itemsize * math.prod(shape[1:])
    room = _Room((len(whole) // row, *shape[1:]), dtype, buffer=whole)
    room.used, room.file = shape[0], file
    room.as_in_file = min(in_file, shape[0] * row) // mmap.PAGESIZE * mmap.PAGESIZE
    return room


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
