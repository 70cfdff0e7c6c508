"""The order of large arrays of whole numbers, sorted 16 bits at a time, which numpy does by counting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def radix_argsort(key: NDArray[Any]) -> NDArray[np.int64]:
    """Return the order that sorts numbers of 0 or more, equal ones as they stand."""
    order = np.argsort(key.astype(np.uint16), kind="stable")
    for bits in range(16, int(key.max(initial=0)).bit_length(), 16):
        order = order[np.argsort((key[order] >> bits).astype(np.uint16), kind="stable")]
    return order
