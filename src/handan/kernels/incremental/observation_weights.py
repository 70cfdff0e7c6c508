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
def share_wider(counts: Floats, margin: float, before: float, games: float) -> float:
    """Return the share of margins so far that are wider, and count this one.

    Args:
        counts: Margins so far, those in each bin and all of them, shape (BINS + 1,); changed.
        margin: Of the game.
        before: How many wider ones are taken for granted.
        games: Of so many games.
    """
    place = int(min(BINS_PER_POINT * margin, BINS - 1.0))
    wider = counts[BINS] - counts[:place].sum() - 0.5 * counts[place]
    share: float = (wider + before) / (counts[BINS] + games)
    counts[place] += 1.0
    counts[BINS] += 1.0
    return share


@kernel
def fill_observation_weights(margin: Floats, source: Ints, weight: Floats) -> None:
    """Fill `weight` for games with a margin: -ln of the share of margins so far that are wider, 1 in the mean.

    Points are no goals, so the share is that of the game's source, after some games with the share of all sources.

    Args:
        margin: Points or goals by which each game was won, NaN where nobody counted, in playing order, shape (games,).
        source: Number of the source of each game.
        weight: Filled in these games; others stay as they are.
    """
    counts, everywhere = np.zeros(BINS + 1), np.ones(len(margin))
    for game in range(len(margin)):
        if margin[game] >= 0.0:
            usual = USUAL_GAMES * math.exp(-margin[game] / USUAL_MARGIN) + 0.5
            everywhere[game] = share_wider(counts, margin[game], usual, USUAL_GAMES + 1.0)
            weight[game] = -math.log(everywhere[game])
    if len(source) == 0 or source.min() == source.max():
        return
    newest = -1
    for game in np.argsort(source, kind="mergesort"):
        if source[game] != newest:
            newest = source[game]
            counts[:] = 0.0
        if margin[game] >= 0.0:
            share = share_wider(counts, margin[game], USUAL_GAMES * everywhere[game], USUAL_GAMES)
            weight[game] = -math.log(share)
