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

LINKS = 32  # our choice: the last so many opponents of a player are remembered
FORGOTTEN = 50.0  # ln of how little a game says of somebody who has been set by hand since


class Links(NamedTuple):
    """The last opponents of each player, shape (players, LINKS)."""

    opponent: Ints
    """-1: none."""
    game: Ints
    """Last game of the two, -1: none."""
    tie: Floats
    """Curvature of the log likelihood of their games by both ratings."""
    seen: Floats
    """Points that results had moved the opponent when this was last asked."""
    fading: Floats
    """`Moved.fading` of both at their last game, added."""


class Moved(NamedTuple):
    """What results moved each player, shape (players,)."""

    total: Floats
    """Points that all results so far moved the player."""
    eve: Floats
    """The same as known before the day or event of the player's last game."""
    fading: Floats
    """ln of the share of the variance that all growth since the first game has left of what results said."""
    game: Ints
    """Last game of the player."""
    since: Ints
    """Game before which `eve` knows everything."""


@kernel
def shown_since(links: Links, moved: Moved, player: int, opening: int) -> float:
    """Return by how many points a unit of the player's variance is moved by what opponents have shown since.

    Args:
        links: What is new is marked as seen.
        moved: Of all players.
        player: Who is about to play.
        opening: Game before which everything is known.
    """
    points = 0.0
    for place in range(LINKS):
        other = links.opponent[player, place]
        if other < 0:
            break
        today = moved.game[other] >= opening
        if links.game[player, place] >= opening or (today and moved.since[other] > opening):
            continue
        now = moved.eve[other] if today else moved.total[other]
        fading = moved.fading[player] + moved.fading[other] - links.fading[player, place]
        points += links.tie[player, place] * math.exp(fading) * (now - links.seen[player, place])
        links.seen[player, place] = now
    return points


@kernel
def link(links: Links, moved: Moved, pair: tuple[int, int], tie: float, change: float) -> None:
    """Note a game with an opponent, in the place of the one longest ago where there is no room.

    Args:
        links: Changed.
        moved: After the game.
        pair: The player, and the opponent.
        tie: Curvature of the log likelihood of the game by both ratings.
        change: Points that the result moved the opponent.
    """
    player, other = pair
    chosen, seen, fading = -1, moved.total[other], moved.fading[player] + moved.fading[other]
    for place in range(LINKS):
        if links.opponent[player, place] == other:
            chosen = place
    if chosen >= 0:  # what else the opponent has shown stays to be asked
        tie += links.tie[player, chosen] * math.exp(fading - links.fading[player, chosen])
        seen = links.seen[player, chosen] + change
    else:
        chosen = int(np.argmin(links.game[player]))
    links.opponent[player, chosen], links.game[player, chosen] = other, moved.game[player]
    links.tie[player, chosen], links.seen[player, chosen], links.fading[player, chosen] = tie, seen, fading
