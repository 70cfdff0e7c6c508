"""Memory that a loop reads soon is asked for early, so that the loop does not wait for it; no number changes by that.

A replay jumps from player to player. Where what is known of the players is larger than the caches of a processor, most
of its time would be spent waiting for the two players of the next game, though the games to come are known.
"""

from __future__ import annotations

import numpy as np

from handan.kernels.compiling import Prefetch, kernel
from handan.kernels.types import Array, Seats

GAMES_AHEAD = 24
"""How many games before a game its players are fetched; our choice."""
MANY_PLAYERS = 1 << 15
"""Players from which they are fetched.
our choice: fewer stay in the caches, and an instruction that fetches nothing new still takes time."""
DAYS_AHEAD = 64
"""How many days before a day the player's next one is fetched; our choice, a day takes less time than a game."""
MANY_DAYS = 1 << 17
"""Days from which they are; our choice."""


@Prefetch
def prefetch(values: Array, place: int | np.int64) -> None:
    """Fetch the memory in which `values[place]` lies; `values` is contiguous, of one dimension."""


@kernel
def fetch_players(values: Array, black: Seats, white: Seats, game: int) -> None:
    """Fetch what an array says of the two players of a game that comes `GAMES_AHEAD` games later, shape (players,)."""
    later = min(game + GAMES_AHEAD, len(black) - 1)
    prefetch(values, black[later])
    prefetch(values, white[later])
