"""Ratings set by hand in the middle of a replay, with and without the variance of the player."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.types import Flags, Floats, Ints


class ByHand(NamedTuple):
    """Adjustments in the order in which they apply, one entry each."""

    places: Ints
    """Place in the replay of the game that the adjustment precedes."""
    players: Ints
    values: Floats
    """The new rating."""
    at_least: Flags
    """Whether the new rating only lifts, and a higher one stays."""
    variances: Floats
    """Square of the deviation of the new rating in its unit; NaN: that of a newcomer."""
    replaced: Floats
    """Filled by the replay: the rating that stood before."""
    became: Floats
    """Filled by the replay: the rating that stands after."""


def nobody_by_hand() -> ByHand:
    """Return that nobody is set by hand."""
    none = np.empty(0, dtype=np.int64)
    return ByHand(none, none, np.empty(0), np.empty(0, dtype=np.bool_), np.empty(0), np.empty(0), np.empty(0))


@kernel
def due(done: int, games: int, hand: ByHand) -> int:
    """Return the place before which the next adjustment applies, the number of games where there is none."""
    return hand.places[done] if done < len(hand.places) else games


@kernel
def adjust(done: int, place: int, hand: ByHand, rating: Floats) -> int:
    """Apply the adjustments due before the game at `place`, keep what they replaced, return how many are done."""
    while done < len(hand.places) and hand.places[done] <= place:
        player = hand.players[done]
        hand.replaced[done] = rating[player]
        if not (hand.at_least[done] and rating[player] > hand.values[done]):
            rating[player] = hand.values[done]
        hand.became[done] = rating[player]
        done += 1
    return done


@kernel
def reset(
    done: int,
    place: int,
    hand: ByHand,
    rating: Floats,
    variance: Floats,
    newcomer: float,
    last: Floats,
) -> int:
    """Apply the adjustments due before a place; who is set by hand is as uncertain as the adjustment says.

    Where it says nothing, that is as uncertain as a newcomer: `newcomer` is the variance at entry. `last`, the time of
    each player's last period, becomes infinite: until the next one no time passes. Returns how many are done.
    """
    until = adjust(done, place, hand, rating)
    for item in range(done, until):
        if hand.became[item] == hand.values[item]:
            own = hand.variances[item]
            variance[hand.players[item]] = newcomer if math.isnan(own) else own
            last[hand.players[item]] = np.inf
    return until


def bounded(rating: Floats, hand: ByHand, low: float, high: float = np.inf) -> tuple[Floats, ByHand]:
    """Return ratings at entry, shape (players,), and later adjustments, none of them beyond the ends of the scale."""
    return np.clip(rating, low, high), hand._replace(values=np.clip(hand.values, low, high))
