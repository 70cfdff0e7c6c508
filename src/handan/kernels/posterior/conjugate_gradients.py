"""Linear systems H x = b of a posterior's negative Hessian H, solved by preconditioned conjugate gradients.

The preconditioner is M^-1 = C^-1 + 1 1' / (1' H 1). C is H with all other chains held fixed: a tridiagonal system for
each chain, a single number for a chain of one node. The second term shifts all strengths alike, which C cannot see and
only the priors hold: games and links compare strengths, so that H 1 is what the priors have on the diagonal.
An iteration is two sweeps: from the ends of the chains back, then from their beginnings on.

Source: Y. Saad, "Iterative Methods for Sparse Linear Systems" (2003), algorithm 9.1, whose letters are used.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.posterior.graph import Graph
from handan.kernels.posterior.likelihood import Hessian, Posterior
from handan.kernels.types import Floats, Nodes, Reals

MOST_ITERATIONS = 100_000  # our choice: tens are usual
LEAST = 1e-30
"""Information below which a node counts as having so much, so that its reciprocal stays a number of 32 bits."""


class Vectors(NamedTuple):
    """The vectors of the method, shape (nodes,)."""

    pivot: Reals
    """1 / the pivot of each node of C, eliminated from the first node of the chain on."""
    carry: Reals
    """How much of a node's solution the next node takes over: link * pivot."""
    x: Reals
    """The solution so far."""
    r: Reals
    """The residual b - H x."""
    z: Reals
    """The preconditioned residual; between the sweeps, without what later nodes of the chain say."""
    p: Reals
    """The direction, without its shift of all strengths."""
    cp: Reals
    """C p."""
    hp: Reals
    """H p, of the direction with the shift."""


class Limits(NamedTuple):
    """When an iteration is the last: it changes nothing by more than one of these."""

    loose: float
    """Share of the first iteration; less where that is small itself, so that Newton's steps converge quadratically."""
    least: float
    """Share of the first iteration below which nothing is asked."""
    absolute: float


@kernel
def factorise(posterior: Posterior, diagonal: Reals, vectors: Vectors) -> tuple[float, float]:
    """Fill the reciprocal pivots of C, with what is left of a pivot kept positive, and begin z = C^-1 r.

    d_i = h_i + link - link^2 / d_(i-1). Returns r . z and the sum of r over all strengths, as `sweep_on` does.
    """
    following, gap, links = posterior.graph.following, posterior.graph.gap, posterior.links
    pivot, carry, r, z = vectors.pivot, vectors.carry, vectors.r, vectors.z
    energy, total = 0.0, 0.0
    pivot[:] = diagonal
    z[:] = r
    for node in range(len(following)):
        own, link = max(np.float64(pivot[node]), LEAST), links[gap[node]]
        reciprocal = 1.0 / (own + link)
        pivot[following[node]] += link * own * reciprocal
        pivot[node], carry[node] = reciprocal, link * reciprocal
        left = np.float64(z[node])
        if node < posterior.graph.strengths:
            total += np.float64(r[node])
        energy += left * left * reciprocal
        z[following[node]] += np.float64(carry[node]) * left
        z[node] = left * reciprocal
    return energy, total


@kernel
def sweep_back(graph: Graph, beta: float, vectors: Vectors) -> float:
    """Complete z, set p = z + beta p and C p = r + beta C p, and start H p with C p; return p . C p.

    The recurrence of C p needs no neighbours of a node.
    """
    following = graph.following
    carry, r, z, p, cp, hp = vectors.carry, vectors.r, vectors.z, vectors.p, vectors.cp, vectors.hp
    square = 0.0
    for node in range(len(following) - 1, -1, -1):
        own = np.float64(z[node])
        own += np.float64(carry[node]) * np.float64(z[following[node]])
        z[node] = own
        direction, product = own + beta * np.float64(p[node]), np.float64(r[node]) + beta * np.float64(cp[node])
        p[node], cp[node], hp[node] = direction, product, product
        square += direction * product
    return square


@kernel
def multiply_games(black: Nodes, white: Nodes, curvature: Reals, p: Reals, hp: Reals) -> float:
    """Add what games add to H p off the diagonal; return what they add to p . H p by each of their two sides."""
    cross = 0.0
    for game in range(len(curvature)):
        b, w, weight = black[game], white[game], np.float64(curvature[game])
        one, other = np.float64(p[b]), np.float64(p[w])
        hp[b] -= weight * other
        hp[w] -= weight * one
        cross += weight * one * other
    return cross


@kernel
def multiply_games_with_worths(
    black: Nodes, white: Nodes, worth: Nodes, curvature: Reals, p: Reals, hp: Reals
) -> float:
    """Do the same where a worth that adds to Black's strength is learned."""
    cross = 0.0
    for game in range(len(curvature)):
        b, w, up, weight = black[game], white[game], worth[game], np.float64(curvature[game])
        one, other, terms = np.float64(p[b]), np.float64(p[w]), np.float64(p[up])
        hp[b] += weight * (terms - other)
        hp[w] -= weight * (terms + one)
        hp[up] += weight * (one - other)
        cross += weight * (one * other - terms * (one - other))
    return cross


@kernel
def multiply(posterior: Posterior, hessian: Hessian, beta: float, shift: float, vectors: Vectors) -> float:
    """Set p = z + beta p and H p, of the direction p that also shifts all strengths; return p . H p."""
    graph, p, hp = posterior.graph, vectors.p, vectors.hp
    square = sweep_back(graph, beta, vectors)
    if len(graph.worth) > 0:
        cross = multiply_games_with_worths(graph.black, graph.white, graph.worth, hessian.games, p, hp)
    else:
        cross = multiply_games(graph.black, graph.white, hessian.games, p, hp)
    shifted, level = 0.0, hessian.level
    for place in range(len(level)):
        node = posterior.prior.node[place]
        shifted += level[place] * (2.0 * np.float64(p[node]) + shift)
        hp[node] = np.float64(hp[node]) + shift * level[place]
    return square - 2.0 * cross + shift * shifted


@kernel
def sweep_on(graph: Graph, alpha: float, shift: float, vectors: Vectors) -> tuple[float, float, float]:
    """Step x += alpha p and r -= alpha H p, then begin z = C^-1 r, each chain from its first node on.

    Returns r . z, of z as `sweep_back` will complete it, the sum of r over all strengths, and the largest change, in
    which that of the shift counts.
    """
    pivot, carry, x, r, z, p, _, hp = vectors
    following, strengths = graph.following, graph.strengths
    largest, energy, total, moved = 0.0, 0.0, 0.0, alpha * shift
    for node in graph.first:
        z[node] = 0.0
    for node in range(len(following)):
        change = alpha * np.float64(p[node])
        x[node] += change
        r[node] -= alpha * np.float64(hp[node])
        if node < strengths:
            largest = max(largest, abs(change + moved))
            total += np.float64(r[node])
        else:
            largest = max(largest, abs(change))
        left = np.float64(r[node]) + np.float64(z[node])  # and what the node before says
        own = np.float64(pivot[node]) * left
        energy += left * own
        z[following[node]] = np.float64(carry[node]) * left
        z[node] = own
    return energy, total, largest


@kernel
def conjugate_gradients(posterior: Posterior, hessian: Hessian, b: Floats, limits: Limits, vectors: Vectors) -> int:
    """Solve H x = b; return the iterations that it took."""
    graph, strengths = posterior.graph, posterior.graph.strengths
    vectors.r[:] = b
    for vector in (vectors.x, vectors.p, vectors.cp):
        vector[:] = 0.0
    level = hessian.level.sum()
    softness = 1.0 / level if level > LEAST else 0.0
    energy, total = factorise(posterior, hessian.diagonal, vectors)
    energy += softness * total * total
    beta, shift, shifted, enough, done = 0.0, 0.0, 0.0, 0.0, 0
    while done < MOST_ITERATIONS:
        shift = softness * total + beta * shift
        curvature = multiply(posterior, hessian, beta, shift, vectors)
        if not curvature > 0.0:
            break
        alpha = energy / curvature
        shifted += alpha * shift
        left, total, largest = sweep_on(graph, alpha, shift, vectors)
        left += softness * total * total
        done += 1
        if done == 1:
            enough = max(max(min(limits.loose, largest), limits.least) * largest, limits.absolute)
        if largest <= enough:
            break
        beta, energy = left / energy, left
    for node in range(strengths):
        vectors.x[node] += shifted
    return done
