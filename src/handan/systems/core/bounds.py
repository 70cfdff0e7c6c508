"""Ratings set by hand in systems whose scale has ends: what lies beyond an end counts as that end."""

from __future__ import annotations

import numpy as np

from handan.kernels.incremental.adjustments import ByHand
from handan.kernels.types import Floats
from handan.ledger import Ledger


def bounded(rating: Floats, hand: ByHand, low: float, high: float = np.inf) -> tuple[Floats, ByHand]:
    """Return ratings at entry, shape (players,), and later adjustments, none of them beyond the ends of the scale."""
    return np.clip(rating, low, high), hand._replace(values=np.clip(hand.values, low, high))


def beyond(ledger: Ledger, low: float, high: float = np.inf) -> tuple[str, ...]:
    """Return a warning that says how many ratings set by hand lie beyond the ends of the scale."""
    count = sum(item.rating is not None and not low <= item.rating <= high for item in ledger.adjustments)
    if not count:
        return ()
    ends = f"below {low:g}" if np.isinf(high) else f"outside {low:g} to {high:g}"
    many = "adjustments ask for ratings" if count > 1 else "adjustment asks for a rating"
    return (f"{count} {many} {ends}; the nearest end of the scale is taken",)
