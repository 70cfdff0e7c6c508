"""What later results of earlier opponents say of a player who has not played since.

Who lost to a newcomer lost less than it seemed, if the newcomer then beats everybody. In the joint posterior of both
strengths a result that moves one by d moves the other by V c d, V being the variance of the other and c the curvature
of the log likelihood of their games by both ratings; growth since makes both less alike. Ties of more than one step are
left out: they come when the opponent plays.

Source: the off-diagonal of the Hessian of Whole-History Rating (R. Coulom, 2008), one step of it at a time; K. Murphy,
"Machine Learning: A Probabilistic Perspective" (2012), section 4.3, for what one normal variable says of another.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.types import Floats, Ints

OPPONENTS = 32  # our choice: the last so many opponents of a player are remembered
FORGOTTEN = 50.0  # ln of how little a game says of somebody who has been set by hand since


class Opponents(NamedTuple):
    """The last opponents of each player, shape (players, OPPONENTS)."""

    player: Ints
    """-1: none."""
    last_game: Ints
    """Last game of the two, -1: none."""
    curvature: Floats
    """Of the log likelihood of their games by both ratings."""
    moved: Floats
    """Points that results had moved the opponent when this player last looked back."""
    log_retained: Floats
    """`Movements.log_retained` of both at their last game, added."""


class Movements(NamedTuple):
    """What results moved each player, shape (players,)."""

    total: Floats
    """Points that all results so far moved the player."""
    day_start_total: Floats
    """The same as known before the day or event of the player's last game."""
    log_retained: Floats
    """ln of the share of the variance that all growth since the first game has left of what results said."""
    last_game: Ints
    """Last game of the player."""
    day_start_game: Ints
    """Game before which `day_start_total` knows everything."""


@kernel
def no_opponents(players: int) -> Opponents:
    """Return that nobody has an opponent yet."""
    shape = (players, OPPONENTS)
    return Opponents(np.full(shape, -1), np.full(shape, -1), np.zeros(shape), np.zeros(shape), np.zeros(shape))


@kernel
def forget(opponents: Opponents, movements: Movements, player: int) -> None:
    """Forget the opponents of a player who is set by hand, and nearly all that the games say to these."""
    opponents.player[player], opponents.last_game[player] = -1, -1
    movements.log_retained[player] -= FORGOTTEN


@kernel
def retrospective_move(opponents: Opponents, movements: Movements, player: int, known_until: int) -> float:
    """Return by how many points a unit of the player's variance is moved by what opponents have shown since.

    Args:
        opponents: What is new is marked as seen.
        movements: Of all players.
        player: Who is about to play.
        known_until: Game before which everything is known.
    """
    points = 0.0
    for place in range(OPPONENTS):
        other = opponents.player[player, place]
        if other < 0:
            break
        today = movements.last_game[other] >= known_until
        if opponents.last_game[player, place] >= known_until or (
            today and movements.day_start_game[other] > known_until
        ):
            continue
        total = movements.day_start_total[other] if today else movements.total[other]
        log_retained = movements.log_retained[player] + movements.log_retained[other]
        retained = math.exp(log_retained - opponents.log_retained[player, place])
        points += opponents.curvature[player, place] * retained * (total - opponents.moved[player, place])
        opponents.moved[player, place] = total
    return points


@kernel
def remember(
    opponents: Opponents, movements: Movements, player: int, other: int, curvature: float, change: float
) -> None:
    """Remember a game with an opponent, in the place of the one longest ago where there is no room.

    Args:
        opponents: Changed.
        movements: After the game.
        player, other: The player, and the opponent.
        curvature: Of the log likelihood of the game by both ratings.
        change: Points that the result moved the opponent.
    """
    log_retained = movements.log_retained[player] + movements.log_retained[other]
    chosen, moved = -1, movements.total[other]
    for place in range(OPPONENTS):
        if opponents.player[player, place] == other:
            chosen = place
    if chosen >= 0:  # what else the opponent has shown stays to be asked
        retained = math.exp(log_retained - opponents.log_retained[player, chosen])
        curvature += opponents.curvature[player, chosen] * retained
        moved = opponents.moved[player, chosen] + change
    else:
        chosen = int(np.argmin(opponents.last_game[player]))
    opponents.player[player, chosen], opponents.last_game[player, chosen] = other, movements.last_game[player]
    opponents.curvature[player, chosen], opponents.moved[player, chosen] = curvature, moved
    opponents.log_retained[player, chosen] = log_retained
