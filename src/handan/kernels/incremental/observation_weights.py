"""How much the way in which a game ended says of the strengths: a narrow win less than a wide one.

Source: measured on servers of Go and on football: a game won by half a point or by one goal forecasts the next ones
less than half as well as one that was won clearly.
"""

from __future__ import annotations

import math

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.types import Floats, Ints

BINS_PER_POINT = 2.0
BINS = 1025  # up to 512 points; whoever wins by more has won as clearly
USUAL_MARGIN = 10.0  # points; our choice: what margins are before the ledger shows its own, exponential around it
USUAL_GAMES = 20.0  # our choice: games that this counts for


@kernel
def fill_observation_weights(population: Ints, margin: Floats, weight: Floats) -> None:
    """Fill `weight` for games with a margin: -ln of the share of margins so far that are wider, 1 in the mean.

    Args:
        population: Of each game, whose margins are compared: points, goals or runs; shape (games,).
        margin: By which each game was won, NaN where nobody counted, in playing order.
        weight: Filled in these games; others stay as they are.
    """
    populations = population.max() + 1 if len(population) > 0 else 1
    counts, total = np.zeros((populations, BINS)), np.zeros(populations)
    for game in range(len(margin)):
        if not margin[game] >= 0.0:
            continue
        alike, place = population[game], int(min(BINS_PER_POINT * margin[game], BINS - 1.0))
        wider = total[alike] - counts[alike, :place].sum() - 0.5 * counts[alike, place]
        wider += USUAL_GAMES * math.exp(-margin[game] / USUAL_MARGIN) + 0.5
        weight[game] = -math.log(wider / (total[alike] + USUAL_GAMES + 1.0))
        counts[alike, place] += 1.0
        total[alike] += 1.0
