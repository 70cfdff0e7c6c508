"""What is alike among many rows found by tables of hashes: cells of a column, games of a day."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from handan.kernels.compiling import kernel
from handan.kernels.types import Flags, Ints, Seats

Words = NDArray[np.uint64]
Places = NDArray[np.uint32]

ONE, HALF = np.uint64(1), np.uint64(32)
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
"""2^64 over the golden ratio: it spreads numbers that are close (Knuth, The Art of Computer Programming, 6.4)."""


@kernel
def scattered(one: np.uint64, other: np.uint64) -> np.uint64:
    """Return a number that depends on all bits of both."""
    mixed = (one ^ other) * MULTIPLIER
    return mixed ^ (mixed >> HALF)


@kernel
def mark_alike(
    day: Ints, without: int, black: Seats, white: Seats, result: Places, seed: np.uint64, table: Places, alike: Flags
) -> None:
    """Mark the games that share day, players and result with another one; those without a day are not looked at.

    Args:
        day: In order, shape (games,).
        without: The number that stands for no day.
        black: The players.
        white: The players.
        result: A number for each.
        seed: As in `Marks`.
        table: Zeros; more than twice as many, a power of two, as games of any day.
        alike: The marks, shape (games,).
    """
    mask = np.uint64(len(table) - 1)
    first = 0
    for game in range(len(day)):
        if day[game] == without:
            continue
        if game and day[game] != day[game - 1]:
            first = game
        players = (np.uint64(black[game]) << HALF) | np.uint64(white[game])
        slot = scattered(scattered(seed, players), np.uint64(result[game])) & mask
        there = np.int64(table[slot]) - 1
        while there >= first:
            if black[there] == black[game] and white[there] == white[game] and result[there] == result[game]:
                alike[there] = alike[game] = True
                break
            slot = (slot + ONE) & mask
            there = np.int64(table[slot]) - 1
        if there < first:
            table[slot] = game + 1
