"""Ratings set by hand in systems that know how sure they are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from handan.kernels.adjusting import ByHand, adjust
from handan.kernels.compiling import kernel


@kernel
def reset(
    done: int,
    place: int,
    hand: ByHand,
    rating: NDArray[np.float64],
    variance: NDArray[np.float64],
    newcomer: float,
    last: NDArray[np.float64],
) -> int:
    """Apply the adjustments due before a place; who is set by hand is as uncertain as a newcomer.

    `newcomer` is the variance at entry. `last`, the time of each player's last period, becomes infinite: until the
    next one no time passes. Returns how many adjustments are done.
    """
    until = adjust(done, place, hand, rating)
    for item in range(done, until):
        if hand.became[item] == hand.values[item]:
            variance[hand.players[item]] = newcomer
            last[hand.players[item]] = np.inf
    return until
