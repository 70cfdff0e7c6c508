"""Strengths moved one by one, each to its own maximum: where a law with a kink in its curvature makes whole steps lose.

A player whom only the prior holds, far from its mean, would jump over the kink of a single game. Sweeps bring such
players to their kinks, and the next step of Newton's method moves them with their opponents.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.posterior.likelihood import FLAT, Posterior, derivatives
from handan.kernels.types import Floats, Ints

SWEEPS = 3  # our choice: over all players
CLOSE, LONGEST = 1e-3, 4.0  # our choice: what is left of a player's slope, and ranks of one step
NARROW = 1e-11  # our choice: ranks; a sweep looks no closer
MOST_STEPS = 200  # our choice: tens are usual


class Incidence(NamedTuple):
    """The games of each node, where nodes are players without chains, and the prior of each has the same index."""

    first: Ints
    """Where the games of each player begin in `games`, and the end, shape (players + 1,)."""
    games: Ints
    """The games player by player, shape (2 games,)."""
    order: Ints
    """The players in the order in which they are moved; those with few games last, where their opponents already are.

    Empty where nobody is moved alone.
    """

    @classmethod
    def of(cls, black: Ints, white: Ints, players: int) -> Incidence:
        """Return the games of each player."""
        player = np.concatenate([black, white])
        by_player = np.argsort(player, kind="stable")
        first = np.searchsorted(player[by_player], np.arange(players + 1))
        order = np.argsort(-np.diff(first), kind="stable")[: np.count_nonzero(np.diff(first))]
        return cls(first, by_player % max(len(black), 1), order)

    @classmethod
    def none(cls) -> Incidence:
        """Return that of a law without a kink."""
        return cls(*(np.empty(0, dtype=np.int64) for _ in cls._fields))


@kernel
def slope_of_node(
    posterior: Posterior, incidence: Incidence, strength: Floats, node: int, place: float
) -> tuple[float, float]:
    """Return slope and negative curvature of the log posterior in one strength at a place, the others fixed."""
    graph, prior = posterior.graph, posterior.prior
    k = prior.steepness[node]
    log_odds = k * (place - prior.mean[node])
    won, convex, _ = derivatives(1.0, log_odds)
    lost, concave, _ = derivatives(0.0, log_odds)
    slope = prior.weight[node] * k * (won + lost)
    curvature = FLAT + prior.weight[node] * k * k * (convex + concave)
    for each in range(incidence.first[node], incidence.first[node + 1]):
        game = incidence.games[each]
        kind = posterior.kind[game]
        k, weight, bonus, score = (
            posterior.steepness[kind],
            posterior.weight[kind],
            posterior.bonus[kind],
            posterior.score[kind],
        )
        if graph.black[game] == node:
            s, c, _ = derivatives(score, k * (place - strength[graph.white[game]] + bonus))
        else:
            s, c, _ = derivatives(1.0 - score, k * (place - strength[graph.black[game]] - bonus))
        slope += weight * k * s
        curvature += weight * k * k * c
    return slope, curvature


@kernel
def ascend_node(posterior: Posterior, incidence: Incidence, strength: Floats, node: int) -> float:
    """Return a node's own maximum, the others fixed: Newton's method, bisection where its steps do not shrink."""
    place = float(strength[node])
    low, high, last = -np.inf, np.inf, 2.0 * LONGEST
    slope, curvature = slope_of_node(posterior, incidence, strength, node, place)
    enough = CLOSE * abs(slope)
    for _ in range(MOST_STEPS):
        if slope > 0.0:
            low = place
        else:
            high = place
        step = min(max(slope / curvature, -LONGEST), LONGEST)
        if high - low < np.inf and (abs(step) > 0.5 * last or not low < place + step < high):
            step = 0.5 * (low + high) - place
        if abs(step) < NARROW:
            break
        last = abs(step)
        place += step
        slope, curvature = slope_of_node(posterior, incidence, strength, node, place)
        if abs(slope) <= enough:
            break
    return place


@kernel
def ascend(posterior: Posterior, incidence: Incidence, strength: Floats) -> None:
    """Move one node after another to its own maximum; each move gains."""
    for _ in range(SWEEPS):
        for node in incidence.order:
            strength[node] = ascend_node(posterior, incidence, strength, node)
