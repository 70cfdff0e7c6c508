"""The log posterior of strengths from results: its gradient and its curvature, under any concave law of winning.

Unknown are the strengths of the nodes of a graph (`graph.py`). Each game adds the log-likelihood of its result; each
prior adds virtual wins and as many virtual losses of a node; each link of a chain pulls two successive nodes together.
A system may bind its own law as `derivatives`. Sweeps go block by block, first along the chains, then over the games.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.posterior.graph import Graph
from handan.kernels.types import Floats, Ints, Nodes, Reals

FIRM = 1e12
"""Virtual games that pin a node."""
FLAT = 1e-10  # our choice: added to the curvature of every prior, so that a step has an end where that is flat
SCARCE = 1e-200  # our choice: least information of a game, so that nobody's share is 0


class Prior(NamedTuple):
    """Virtual wins, and as many virtual losses, of some nodes."""

    node: Ints
    """Shape (priors,), as all else."""
    weight: Floats
    """How many of each."""
    mean: Floats
    """Strength of the opponent."""
    steepness: Floats
    """Of the law."""

    @classmethod
    def of(cls, node: Ints, weight: Floats, mean: Floats | float = 0.0) -> Prior:
        """Return the prior of a law whose steepness is 1."""
        return cls(node, weight, np.broadcast_to(mean, len(node)).astype(np.float64), np.ones(len(node)))


class Posterior(NamedTuple):
    """Everything that the log posterior depends on besides the strengths."""

    graph: Graph
    kind: Nodes
    """Row of the next four columns that belongs to each game, shape (games,)."""
    score: Floats
    """Black's score: 1, 0.5 or 0, shape (kinds,)."""
    weight: Floats
    bonus: Floats
    """What Black's terms add to Black's strength, in the unit of strengths."""
    steepness: Floats
    """By which the law takes the difference of strengths; 1 where strengths have natural units."""
    links: Floats
    """1 / variance of a step over so many periods, 0 for none, shape (longest gap + 1,)."""
    prior: Prior

    @classmethod
    def of_games(cls, graph: Graph, score: Floats, weight: Floats, bonus: Floats, prior: Prior) -> Posterior:
        """Return the posterior of games of which each is a kind of its own, over players who do not change.

        Scores of a ledger, to which nobody may write, are copied: the solver would be compiled once more for them.
        """
        kind = np.arange(len(score), dtype=np.uint32)
        return cls(graph, kind, score.copy(), weight, bonus, np.ones(len(score)), np.zeros(1), prior)


class Hessian(NamedTuple):
    """The negative Hessian of the log posterior, without the links of the chains."""

    diagonal: Reals
    """Information of games and priors on each node, shape (nodes,)."""
    games: Reals
    """Curvature of the log-likelihood of each game in the difference of strengths, shape (games,)."""
    level: Floats
    """What each prior says of a shift of all strengths alike, shape (priors,); nothing of learned worths."""


@kernel
def win_and_information(difference: float) -> tuple[float, float]:
    """Return p = win_probability(difference) and p (1 - p), which stays exact far out in the tails."""
    odds = math.exp(-abs(difference))
    share = 1.0 / (1.0 + odds)
    return (share if difference >= 0.0 else odds * share), odds * share * share


@kernel
def derivatives(score: float, log_odds: float) -> tuple[float, float, float]:
    """Return slope and negative curvature of the log-likelihood of a score in the log odds, and its information.

    The information (Fisher's) is the mean of the squared slope over the results that the law expects. By the logistic
    law these are S - p, p (1 - p) and p (1 - p).
    """
    p, information = win_and_information(log_odds)
    return score - p, information, information


@kernel
def fill_log_odds(posterior: Posterior, strength: Floats, log_odds: Floats) -> None:
    """Fill the log odds of Black in each game, shape (games,)."""
    graph, kind, bonus, steepness = posterior.graph, posterior.kind, posterior.bonus, posterior.steepness
    for game in range(len(log_odds)):
        log_odds[game] = strength[graph.black[game]] - strength[graph.white[game]] + bonus[kind[game]]
    if len(graph.worth) > 0:
        for game in range(len(log_odds)):
            log_odds[game] += strength[graph.worth[game]]
    for game in range(len(log_odds)):
        log_odds[game] *= steepness[kind[game]]


@kernel
def linearise_priors(posterior: Posterior, strength: Floats, flat: float, gradient: Floats, hessian: Hessian) -> None:
    """Add what the priors say, and `flat` to the curvature of each."""
    node, weight, mean, steepness = posterior.prior
    diagonal, _, level = hessian
    for place in range(len(node)):
        own, k = node[place], steepness[place]
        log_odds = k * (strength[own] - mean[place])
        won, convex, _ = derivatives(1.0, log_odds)
        lost, concave, _ = derivatives(0.0, log_odds)
        curvature = flat + weight[place] * k * k * (convex + concave)
        gradient[own] += weight[place] * k * (won + lost)
        diagonal[own] = np.float64(diagonal[own]) + curvature
        level[place] = curvature if own < posterior.graph.strengths else 0.0


@kernel
def linearise_links(posterior: Posterior, strength: Floats, gradient: Floats) -> None:
    """Add to the gradient what successive nodes ask of each other: -(r1 - r2) / v and +(r1 - r2) / v."""
    graph, links = posterior.graph, posterior.links
    following, gap = graph.following, graph.gap
    for node in range(len(following)):
        after = following[node]
        tension = links[gap[node]] * (strength[after] - strength[node])
        gradient[node] += tension
        gradient[after] -= tension


@kernel
def linearise_games(posterior: Posterior, log_odds: Floats, gradient: Floats, hessian: Hessian) -> None:
    """Add what games say, whose log odds are given, shape (games,)."""
    graph, kinds, score = posterior.graph, posterior.kind, posterior.score
    weight, steepness, diagonal, curvatures = posterior.weight, posterior.steepness, hessian.diagonal, hessian.games
    for game in range(len(log_odds)):
        black, white, kind = graph.black[game], graph.white[game], kinds[game]
        slope, curvature, _ = derivatives(score[kind], log_odds[game])
        k = weight[kind] * steepness[kind]
        slope *= k
        curvature *= k * steepness[kind]
        curvatures[game] = curvature
        gradient[black] += slope
        gradient[white] -= slope
        diagonal[black] = np.float64(diagonal[black]) + curvature  # a sum of 64 bits in both forms of the loop
        diagonal[white] = np.float64(diagonal[white]) + curvature
        if len(graph.worth) > 0:
            worth = graph.worth[game]
            gradient[worth] += slope
            diagonal[worth] = np.float64(diagonal[worth]) + curvature


@kernel
def linearise(posterior: Posterior, strength: Floats, flat: float, gradient: Floats, hessian: Hessian) -> None:
    """Fill the gradient, shape (nodes,), and the negative Hessian; `flat` is added to the curvature of each prior."""
    gradient[:] = 0.0
    hessian.diagonal[:] = 0.0
    linearise_priors(posterior, strength, flat, gradient, hessian)
    linearise_links(posterior, strength, gradient)
    log_odds = np.empty(len(posterior.kind))
    fill_log_odds(posterior, strength, log_odds)
    linearise_games(posterior, log_odds, gradient, hessian)


@kernel
def slope_along(posterior: Posterior, strength: Floats, step: Reals, share: float) -> float:
    """Return the slope of the log posterior along a step, at a share of it."""
    graph, prior, total = posterior.graph, posterior.prior, 0.0
    for place in range(len(prior.node)):
        node, k = prior.node[place], prior.steepness[place]
        change = np.float64(step[node])
        log_odds = k * (strength[node] + share * change - prior.mean[place])
        won, _, _ = derivatives(1.0, log_odds)
        lost, _, _ = derivatives(0.0, log_odds)
        total += prior.weight[place] * k * (won + lost) * change
    for node in range(len(graph.following)):
        after = graph.following[node]
        change = np.float64(step[after]) - np.float64(step[node])
        total -= posterior.links[graph.gap[node]] * (strength[after] - strength[node] + share * change) * change
    for game in range(len(graph.black)):
        black, white, kind = graph.black[game], graph.white[game], posterior.kind[game]
        change = np.float64(step[black]) - np.float64(step[white])
        difference = strength[black] - strength[white] + posterior.bonus[kind]
        if len(graph.worth) > 0:
            change += np.float64(step[graph.worth[game]])
            difference += strength[graph.worth[game]]
        k = posterior.steepness[kind]
        slope, _, _ = derivatives(posterior.score[kind], k * (difference + share * change))
        total += posterior.weight[kind] * k * slope * change
    return total


@kernel
def evidence(posterior: Posterior, strength: Floats, slope: Floats, information: Floats) -> None:
    """Fill slope in Black's strength, which is minus that in White's, and information of each game, shape (games,)."""
    fill_log_odds(posterior, strength, slope)
    for game in range(len(slope)):
        kind = posterior.kind[game]
        k, weight = posterior.steepness[kind], posterior.weight[kind]
        each, _, information_of_one = derivatives(posterior.score[kind], slope[game])
        slope[game], information[game] = weight * k * each, weight * k * k * max(information_of_one, SCARCE)
