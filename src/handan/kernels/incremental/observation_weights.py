"""How much the way in which a game ended says of the strengths: a narrow win less than a wide one.

Source: measured on servers of Go and on football: a game won by half a point or by one goal forecasts the next ones
less than half as well as one that was won clearly.
"""

from __future__ import annotations

import math

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.types import Floats

BINS_PER_POINT = 2.0
BINS = 1025  # up to 512 points; whoever wins by more has won as clearly
USUAL_MARGIN = 10.0  # points; our choice: what margins are before the ledger shows its own, exponential around it
USUAL_GAMES = 20.0  # our choice: games that this counts for


@kernel
def fill_observation_weights(margin: Floats, weight: Floats) -> None:
    """Fill `weight` for games with a margin: -ln of the share of margins so far that are wider, 1 in the mean.

    Args:
        margin: Points or goals by which each game was won, NaN where nobody counted, in playing order, shape (games,).
        weight: Filled in these games; others stay as they are.
    """
    counts, total = np.zeros(BINS), 0.0
    for game in range(len(margin)):
        if not margin[game] >= 0.0:
            continue
        place = int(min(BINS_PER_POINT * margin[game], BINS - 1.0))
        wider = total - counts[:place].sum() - 0.5 * counts[place]
        wider += USUAL_GAMES * math.exp(-margin[game] / USUAL_MARGIN) + 0.5
        weight[game] = -math.log(wider / (total + USUAL_GAMES + 1.0))
        counts[place] += 1.0
        total += 1.0
