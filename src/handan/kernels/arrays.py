"""Columns of games: rows of one key put together, an order, and sums that run player by player."""

from __future__ import annotations

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.types import Floats, Ints


def merged(key: Ints, weight: Floats) -> tuple[Ints, Floats]:
    """Return the first row of each key (0 or more) in the order of the keys, and the weights of its rows together."""
    order = ordered(key)
    first = np.flatnonzero(np.diff(key[order], prepend=-1))
    return order[first], np.add.reduceat(weight[order], first) if len(first) else weight


def ordered(key: Ints) -> Ints:
    """Return the order that sorts numbers of 0 or more, equal ones as they stand."""
    bits = len(key).bit_length()
    if int(key.max(initial=0)) >= 1 << (62 - bits):
        return np.argsort(key, kind="stable")
    return np.sort(key << bits | np.arange(len(key))) & ((1 << bits) - 1)  # several times faster than the stable sort


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
