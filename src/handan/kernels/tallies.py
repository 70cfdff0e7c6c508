"""Games, wins, losses and draws of players, counted in one pass over the games."""

from __future__ import annotations

from handan.kernels.compiling import kernel
from handan.kernels.types import Floats, Ints, Seats

GAMES, WINS, LOSSES, DRAWS, LAST, WIDTH = 0, 1, 2, 3, 4, 5
"""Where each count of a player stands, and how many there are."""


@kernel
def count_game(tally: Ints, own: int, game: int, score: float) -> None:
    """Count a game of the player whose counts begin at `own`."""
    tally[own + GAMES] += 1
    if score == 1.0:
        tally[own + WINS] += 1
    elif score == 0.0:
        tally[own + LOSSES] += 1
    else:
        tally[own + DRAWS] += 1
    tally[own + LAST] = max(tally[own + LAST], game)


@kernel
def count_games(black: Seats, white: Seats, score: Floats, sequence: Ints, tally: Ints) -> None:
    """Count games, given by index in `sequence`, in `tally`, shape (players * 5,), whose last column starts at -1.

    Black's score is 0, 1/2 or 1, shape (games,) as the seats.
    """
    for place in range(len(sequence)):
        game = sequence[place]
        count_game(tally, int(black[game]) * WIDTH, game, score[game])
        count_game(tally, int(white[game]) * WIDTH, game, 1.0 - score[game])
