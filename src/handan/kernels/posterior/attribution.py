"""What each game says about the two who played it, and how the ratings are shared out among the games.

At the most likely strengths, r times all that is known of a player is the sum over his games of known * r + surprise:
the rating is the mean of what the games say, r + surprise / known, each weighted by how much it tells.
"""

from __future__ import annotations

import math

from handan.kernels.compiling import kernel
from handan.kernels.types import Floats, Nodes


@kernel
def say(
    black: Nodes, white: Nodes, score: Floats, worth: Floats, weight: Floats, strength: Floats,
    known: Floats, surprise: Floats, total: Floats,
) -> None:  # fmt: skip
    """Fill `known`, w p (1 - p), and `surprise`, w (S - p) of Black; add what is known of each node to `total`.

    Args:
        black, white: Node of each side, shape (games,).
        score: Black's score.
        worth: What the terms add to Black's strength, natural units.
        weight: Weight of each game.
        strength: Of each node, natural units.
        known, surprise: Filled, shape (games,).
        total: Shape (nodes,).
    """
    for game in range(len(black)):
        b, w = black[game], white[game]
        lead = strength[b] - strength[w] + worth[game]
        odds = math.exp(-abs(lead))
        share = 1.0 / (1.0 + odds)
        told = weight[game] * odds * share * share
        known[game] = told
        surprise[game] = weight[game] * (score[game] - (share if lead >= 0.0 else odds * share))
        total[b] += told
        total[w] += told


@kernel
def share_out(
    black: Nodes, white: Nodes, first: Nodes, second: Nodes, known: Floats, surprise: Floats, strength: Floats,
    told: Floats, unit: float, running: Floats, held: Floats, share: Floats, change: Floats, before: Floats,
) -> None:  # fmt: skip
    """Share the ratings out among the games; fill the last four arrays, shape (games, 2).

    Args:
        black, white: Node of each side, shape (games,).
        first, second: Player of each side, shape (games,).
        known, surprise: As `say` leaves them.
        strength: Of each node, natural units.
        told: How much a unit of information on a node moves the rating of its player, shape (nodes,).
        unit: Of the rating, in natural units.
        running: Entry rating, then with the sum of each player's contributions, shape (players,).
        held: Filled with the strengths that were compared.
        share: Filled with how much of the rating each game tells.
        change: Filled with what each game contributes.
        before: Filled with the entry rating and what earlier games contribute.
    """
    for game in range(len(black)):
        b, w, one, other = black[game], white[game], first[game], second[game]
        r_b, r_w, info = strength[b], strength[w], known[game]
        gain = unit * (info * r_b + surprise[game]) * told[b]
        loss = unit * (info * r_w - surprise[game]) * told[w]
        held[game, 0], held[game, 1] = unit * r_b, unit * r_w
        share[game, 0], share[game, 1] = info * told[b], info * told[w]
        change[game, 0], change[game, 1] = gain, loss
        before[game, 0], before[game, 1] = running[one], running[other]
        running[one] += gain
        running[other] += loss
