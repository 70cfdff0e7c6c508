"""Ratings set by hand in systems whose scale has ends: what lies beyond an end counts as that end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from handan.errors import Clause

if TYPE_CHECKING:
    from handan.kernels.incremental.adjustments import ByHand
    from handan.kernels.types import Floats
    from handan.systems.core.schedule import Schedule


def bounded(rating: Floats, hand: ByHand, low: float, high: float = np.inf) -> tuple[Floats, ByHand]:
    """Return ratings at entry, shape (players,), and later adjustments, none of them beyond the ends of the scale."""
    return np.clip(rating, low, high), hand._replace(values=np.clip(hand.values, low, high))


def beyond(schedule: Schedule, low: float, high: float = np.inf) -> tuple[str, ...]:
    """Return a warning that says how many ratings set by hand lie beyond the ends of the scale, in the past too."""
    earlier = () if schedule.past is None else schedule.past.adjustments
    items = dict.fromkeys((*earlier, *schedule.ledger.adjustments))
    count = sum(item.rating is not None and not low <= item.rating <= high for item in items)
    if not count:
        return ()
    if np.isinf(high):
        pattern = "{count} adjustments ask for ratings below {low:g}; the nearest end of the scale is taken"
        one = "1 adjustment asks for a rating below {low:g}; the nearest end of the scale is taken"
    else:
        pattern = (
            "{count} adjustments ask for ratings outside {low:g} to {high:g}; the nearest end of the scale is taken"
        )
        one = "1 adjustment asks for a rating outside {low:g} to {high:g}; the nearest end of the scale is taken"
    return (Clause.of(one if count == 1 else pattern, count=count, low=low, high=high),)
