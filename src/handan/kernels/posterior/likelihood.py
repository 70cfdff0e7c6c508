"""The log posterior of strengths from results: its gradient and curvature, and what one game adds to them.

Unknown are the strengths of nodes, in natural units. A node is a player, or a player on one day, or a factor that is
learned with the ratings (what a handicap is worth). A player's days form a chain; the links pull neighbours together.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from handan.kernels.compiling import kernel
from handan.kernels.types import Floats, Nodes


class Model(NamedTuple):
    """Everything that the posterior depends on besides the strengths."""

    black: Nodes
    """Node of Black in each game, shape (games,)."""
    white: Nodes
    score: Floats
    """Black's score: 1, 0.5 or 0."""
    weight: Floats
    bonus: Floats
    """What Black's terms add to Black's strength, natural units."""
    helps: Nodes
    """Node of a learned factor that adds to Black's strength, shape (games,), or (0,) where nothing is learned."""
    previous: Nodes
    """Node of the same player's previous day, the node itself on the first day, shape (nodes,)."""
    link: Floats
    """1 / variance of the step from the previous day, 0 on the first day, shape (nodes,)."""
    prior: Floats
    """Virtual wins, and as many virtual losses, against strength 0, shape (nodes,); a huge number pins a node to 0."""


@kernel
def win_probability(lead: float) -> float:
    """Return 1 / (1 + e^-lead), the probability that the side which leads by so much wins."""
    odds = math.exp(-abs(lead))
    return 1.0 / (1.0 + odds) if lead >= 0.0 else odds / (1.0 + odds)


@kernel
def win_and_information(lead: float) -> tuple[float, float]:
    """Return p = win_probability(lead) and p (1 - p), which stays exact far out in the tails."""
    odds = math.exp(-abs(lead))
    share = 1.0 / (1.0 + odds)
    return (share if lead >= 0.0 else odds * share), odds * share * share


@kernel
def terms_of(model: Model, strength: Floats) -> Floats:
    """Return what the terms of each game add to Black's lead, learned factors included, shape (games,)."""
    return model.bonus if len(model.helps) == 0 else model.bonus + strength[model.helps]


@kernel
def linearise(
    model: Model,
    strength: Floats,
    gradient: Floats,
    curvature: Floats,
    pull: Floats,
) -> None:
    """Fill gradient and diagonal of the negative Hessian, shape (nodes,), and w p (1 - p) of each game, shape (games,).

    Game: w (S - p), and w p (1 - p). Prior: n (1 - 2 p), and 2 n p (1 - p), with p against strength 0.
    Link of two days with variance v: -(r1 - r2) / v and +(r1 - r2) / v, and 1 / v for both.
    """
    score, weight, terms = model.score, model.weight, terms_of(model, strength)
    for node in range(len(strength)):
        prior = model.prior[node]
        gradient[node], curvature[node] = 0.0, 0.0
        if prior > 0.0:
            p, information = win_and_information(strength[node])
            gradient[node], curvature[node] = prior * (1.0 - 2.0 * p), 2.0 * prior * information
    for node in range(len(strength)):
        last, link = model.previous[node], model.link[node]
        tension = link * (strength[node] - strength[last])
        gradient[node] -= tension
        gradient[last] += tension
        curvature[node] += link
        curvature[last] += link
    for game in range(len(score)):
        black, white = model.black[game], model.white[game]
        lead = strength[black] - strength[white] + terms[game]
        p, information = win_and_information(lead)
        surprise = weight[game] * (score[game] - p)
        pull[game] = weight[game] * information
        gradient[black] += surprise
        gradient[white] -= surprise
        curvature[black] += pull[game]
        curvature[white] += pull[game]
        if len(model.helps) > 0:
            gradient[model.helps[game]] += surprise
            curvature[model.helps[game]] += pull[game]


@kernel
def log_likelihood(model: Model, strength: Floats) -> float:
    """Return the sum of w (S ln p + (1 - S) ln(1 - p)) over the games; ln p = -ln(1 + e^-lead)."""
    total, terms = 0.0, terms_of(model, strength)
    for game in range(len(terms)):
        lead = strength[model.black[game]] - strength[model.white[game]] + terms[game]
        lost = 1.0 - model.score[game] if lead >= 0.0 else model.score[game]  # what the side that leads lost
        total -= model.weight[game] * (math.log1p(math.exp(-abs(lead))) + lost * abs(lead))
    return total
