"""Memory that a process gives back to the system as soon as it needs it no longer, and files that stand in memory."""

from __future__ import annotations

import ctypes
import os
import shutil
from contextlib import suppress
from pathlib import Path

IN_MEMORY = Path("/dev/shm")  # of Linux  # noqa: S108  # folders that others cannot enter are made in it
LEAST_ROOM = 50_000_000  # bytes; our choice: who writes into a mapped file for which no room is left ends
MMAP_THRESHOLD, ARENA_MAX = -3, -8
"""`M_MMAP_THRESHOLD` and `M_ARENA_MAX` of `mallopt`. Source: malloc.h of glibc."""
LARGE = 1 << 20  # bytes; our choice: the columns of a large club have more, pages and rows less
ARENAS = 2  # our choice: stores of freed memory, of which threads would have eight for each processor


def give_back_at_once() -> None:
    """Have the system take back large arrays as they are freed, where the C library is glibc.

    It would keep them for later ones, each thread its own: a process that rates a million games after each entry holds
    three times as much then as its games and ratings need.
    """
    with suppress(OSError, AttributeError, TypeError):
        library = ctypes.CDLL(None)
        library.mallopt(MMAP_THRESHOLD, LARGE)
        library.mallopt(ARENA_MAX, ARENAS)


def folder_in_memory() -> str | None:
    """Return where files stay in memory, None where the system has no such place with room.

    Who writes into a mapped file on a disk waits for that disk now and then, with all threads of the process.
    """
    try:
        has_room = shutil.disk_usage(IN_MEMORY).free >= LEAST_ROOM
    except OSError:
        return None
    return str(IN_MEMORY) if has_room and os.access(IN_MEMORY, os.W_OK) else None
