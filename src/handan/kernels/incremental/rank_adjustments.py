"""Ranks set by hand in the middle of a replay, where the rank is a state of its own beside an index."""

from __future__ import annotations

from typing import NamedTuple

from handan.kernels.compiling import kernel
from handan.kernels.types import Flags, Floats, Ints


class ByHand(NamedTuple):
    """Adjustments in the order in which they apply."""

    places: Ints
    players: Ints
    numbers: Ints
    """The new rank; 0 leaves the rank as it is."""
    indices: Floats
    at_least: Flags
    """Whether a higher rank, or a higher index at the same rank, stays."""
    old_number: Ints
    """Filled by the replay, as are the following: what stood before the adjustment, and what stands after it."""
    old_index: Floats
    became_number: Ints
    became_index: Floats


@kernel
def adjust(done: int, game: int, hand: ByHand, number: Ints, index: Floats) -> int:
    """Apply the adjustments due before a game; return how many are done."""
    while done < len(hand.places) and hand.places[done] <= game:
        player = hand.players[done]
        own, value = number[player], index[player]
        rank = hand.numbers[done] if hand.numbers[done] > 0 else own
        stands = own > rank or (own == rank and value > hand.indices[done])
        if not (hand.at_least[done] and stands):
            number[player], index[player] = rank, hand.indices[done]
        hand.old_number[done], hand.old_index[done] = own, value
        hand.became_number[done], hand.became_index[done] = number[player], index[player]
        done += 1
    return done
