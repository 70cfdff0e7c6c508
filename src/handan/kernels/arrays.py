"""Columns of games: rows of one key put together, an order, and sums that run player by player."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.types import Floats, Ints, Numbers
from handan.ledger.radix_sort import radix_argsort

ROWS = 1 << 16  # our choice: rows of a block; what is worked out of them stays near the processor


def blocks(count: int, rows: int = ROWS) -> Iterator[slice]:
    """Yield the rows 0 to `count` block by block, so that steps between arrays of all rows need room for one block."""
    return (slice(first, first + rows) for first in range(0, count, rows))


def merged(key: Ints, weight: Floats) -> tuple[Ints, Floats]:
    """Return the first row of each key (0 or more) in the order of the keys, and the weights of its rows together."""
    order = radix_argsort(key)
    first = np.flatnonzero(np.diff(key[order], prepend=-1))
    return order[first], np.add.reduceat(weight[order], first) if len(first) else weight


@kernel
def running_sums(
    black: Ints,
    white: Ints,
    change: Floats,
    total: Floats,
    before: Floats,
) -> None:
    """Fill `before`, shape (games, 2), with each player's sum of earlier changes; `total` ends as the sums of all."""
    for game in range(len(black)):
        before[game, 0], before[game, 1] = total[black[game]], total[white[game]]
        total[black[game]] += change[game, 0]
        total[white[game]] += change[game, 1]


def latest(days: Ints | Numbers) -> int:
    """Return the last of some days or periods, which are negative before 1970; 0 of none."""
    return int(days.max()) if len(days) else 0
