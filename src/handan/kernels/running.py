"""Running sums of contributions, player by player."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from handan.kernels.compiling import kernel


@kernel
def running_sums(
    black: NDArray[np.int64],
    white: NDArray[np.int64],
    change: NDArray[np.float64],
    total: NDArray[np.float64],
    before: NDArray[np.float64],
) -> None:
    """Fill `before`, shape (games, 2), with each player's sum of earlier changes; `total` ends as the sums of all."""
    for game in range(len(black)):
        before[game, 0], before[game, 1] = total[black[game]], total[white[game]]
        total[black[game]] += change[game, 0]
        total[white[game]] += change[game, 1]
