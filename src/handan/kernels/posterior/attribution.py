"""The decomposition of each rating into contributions of its games.

At the most likely strengths a player's strength r times the total information is the sum over the player's games of
information * r + surprise: r is the mean of r + surprise / information, each game weighted by its information.
"""

from __future__ import annotations

from typing import NamedTuple

from handan.kernels.compiling import kernel
from handan.kernels.types import Floats, Nodes, Seats


class Evidence(NamedTuple):
    """What the rated games say at the most likely strengths."""

    black: Nodes
    """Node of each side, shape (games,)."""
    white: Nodes
    information: Floats
    """Of each game, w p (1 - p), shape (games,)."""
    surprise: Floats
    """w (S - p) of Black, shape (games,)."""
    total: Floats
    """Information of all games on each node, shape (nodes,)."""


class Contributions(NamedTuple):
    """The contributions of each game to the ratings of its two players, shape (games, 2)."""

    compared: Floats
    """The strengths that were compared."""
    share: Floats
    """The game's share of the information in the rating."""
    change: Floats
    """What the game contributes to the rating."""
    before: Floats
    """The entry rating and what earlier games contribute."""


@kernel
def attribute(
    evidence: Evidence,
    first: Seats,
    second: Seats,
    strength: Floats,
    leverage: Floats,
    unit: float,
    running: Floats,
    contributions: Contributions,
) -> None:
    """Decompose the ratings into contributions of the games.

    Args:
        evidence: What the games say.
        first, second: Player of each side, shape (games,).
        strength: Of each node, natural units.
        leverage: How much a unit of information on a node moves the rating of its player, shape (nodes,).
        unit: Of the rating, in natural units.
        running: Entry rating, then with the sum of each player's contributions, shape (players,).
        contributions: Filled.
    """
    black, white, information, surprise, _ = evidence
    compared, share, change, before = contributions
    for game in range(len(black)):
        b, w, one, other = black[game], white[game], first[game], second[game]
        r_b, r_w, info = strength[b], strength[w], information[game]
        gain = unit * (info * r_b + surprise[game]) * leverage[b]
        loss = unit * (info * r_w - surprise[game]) * leverage[w]
        compared[game, 0], compared[game, 1] = unit * r_b, unit * r_w
        share[game, 0], share[game, 1] = info * leverage[b], info * leverage[w]
        change[game, 0], change[game, 1] = gain, loss
        before[game, 0], before[game, 1] = running[one], running[other]
        running[one] += gain
        running[other] += loss
