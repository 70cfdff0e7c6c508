"""Rows that say the same, put together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


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
