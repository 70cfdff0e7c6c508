"""Memory that a process gives back to the system as soon as it needs it no longer."""

from __future__ import annotations

import ctypes
from contextlib import suppress

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
