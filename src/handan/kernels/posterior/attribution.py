"""The Fisher information of each game, and the decomposition of each rating into contributions of its games.

At the most likely strengths a player's strength r times the total information is the sum over the player's games of
information * r + surprise: r is the mean of r + surprise / information, each game weighted by its information.
"""

from __future__ import annotations

import math

from handan.kernels.compiling import kernel
from handan.kernels.types import Floats, Nodes


@kernel
def fill_information(
    black: Nodes, white: Nodes, score: Floats, worth: Floats, weight: Floats, strength: Floats,
    information: Floats, surprise: Floats, total: Floats,
) -> None:  # fmt: skip
    """Fill `information`, w p (1 - p), and `surprise`, w (S - p) of Black; add the information on each node to `total`.

    Args:
        black, white: Node of each side, shape (games,).
        score: Black's score.
        worth: What the terms add to Black's strength, natural units.
        weight: Weight of each game.
        strength: Of each node, natural units.
        information, surprise: Filled, shape (games,).
        total: Shape (nodes,).
    """
    for game in range(len(black)):
        b, w = black[game], white[game]
        lead = strength[b] - strength[w] + worth[game]
        odds = math.exp(-abs(lead))
        share = 1.0 / (1.0 + odds)
        info = weight[game] * odds * share * share
        information[game] = info
        surprise[game] = weight[game] * (score[game] - (share if lead >= 0.0 else odds * share))
        total[b] += info
        total[w] += info


@kernel
def attribute(
    black: Nodes, white: Nodes, first: Nodes, second: Nodes, information: Floats, surprise: Floats, strength: Floats,
    leverage: Floats, unit: float, running: Floats, compared: Floats, share: Floats, change: Floats, before: Floats,
) -> None:  # fmt: skip
    """Decompose the ratings into contributions of the games; fill the last four arrays, shape (games, 2).

    Args:
        black, white: Node of each side, shape (games,).
        first, second: Player of each side, shape (games,).
        information, surprise: As `fill_information` leaves them.
        strength: Of each node, natural units.
        leverage: How much a unit of information on a node moves the rating of its player, shape (nodes,).
        unit: Of the rating, in natural units.
        running: Entry rating, then with the sum of each player's contributions, shape (players,).
        compared: Filled with the strengths that were compared.
        share: Filled with each game's share of the information in the rating.
        change: Filled with what each game contributes.
        before: Filled with the entry rating and what earlier games contribute.
    """
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
