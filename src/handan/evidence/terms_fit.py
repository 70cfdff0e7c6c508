"""What terms are worth, with strengths that nobody knows: a logistic regression with a random effect for each player.

Strengths wander as in Whole-History Rating, and are the more likely the nearer they lie to what the handicaps that a
player gave and took say of them: without that, handicaps that follow strength would seem to be worth nothing.

Source: N. Breslow and D. Clayton, "Approximate inference in generalized linear mixed models" (1993); Y. Mundlak, "On
the pooling of time series and cross section data" (1978), for effects that hang on what explains; R. Coulom,
"Whole-History Rating" (2008), for how strengths wander; Y. Chung and others, "A nondegenerate penalized likelihood
estimator for variance parameters in multilevel models" (2013), for spreads that few games would let fall to nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from handan.kernels.types import Floats, Ints
from handan.systems.core.forecasting import probabilities
from handan.systems.families.paired_comparison import UNIT

PERIOD = 91  # days in which a strength stands still; our choice
WANDER = 14.0 / (UNIT * UNIT)  # variance that a day adds; WHR's own
ROUNDS = 150  # our choice; some 15 to 60 are taken
SETTLED = 1e-3  # natural units, a sixth of an Elo; our choice
STEADY = 1e-3  # our choice: by how little of themselves spread and wandering still change
NEAR = 0.03  # natural units; our choice: strengths that still move farther say nothing yet of their spread
PROBES = 8  # our choice: of each kind; more would find the spread hardly better
LONGER = 1.5  # our choice: by how much a step in the same direction as the last is longer
FARTHEST = 0.7  # our choice: neither becomes more than twice as large or small at once
LEAST_WANDER = 1e-3  # of WHR's
SOLVED = 1e-10
MOST_DENSE = 200  # nodes; our choice: beyond them a matrix takes longer than steps
MOST_STEPS = 2000  # of the solver
FIRST_SPREAD = 1.0  # natural units, from which the spread of strengths is sought
LEAST_SPREAD = 0.01
BLOCK = 8  # games of a player that say at what level somebody entered; our choice
HOLD = 0.01  # our choice: games' worth of information that keeps levels of separate pools finite
FLAT = 1e-6  # information that keeps a term finite of which no game tells anything


class Nodes(NamedTuple):
    """The periods of all players: a strength for each."""

    black: Ints
    """Node of Black in each game, shape (games,)."""
    white: Ints
    previous: Ints
    """The same player's period before, or the node itself, shape (nodes,)."""
    link: Floats
    """1 / variance of the step from it; 0 for the first, shape (nodes,)."""

    @property
    def first(self) -> Floats:
        """1 for the first period of each player, else 0."""
        begins: Floats = np.where(self.previous == np.arange(len(self.previous)), 1.0, 0.0)
        return begins


@dataclass(frozen=True, eq=False)
class Fit:
    """The most likely worths, in natural units, and how sure they are."""

    value: Floats
    """Shape (columns,)."""
    covariance: Floats
    spread: float
    """Deviation of strengths from what the handicaps say of them."""
    wander: float
    """Variance that a day adds to them."""


def nodes_of(black: Ints, white: Ints, day: Ints) -> Nodes:
    """Lay out the periods of players.

    Args:
        black, white: Players of each game, shape (games,).
        day: Of each game, ascending.
    """
    period = day // PERIOD
    return _laid_out(np.concatenate((black, white)), np.concatenate((period, period)), 1.0 / (WANDER * PERIOD))


def _laid_out(player: Ints, when: Ints, link: float) -> Nodes:
    """Return the nodes of seats, all Black's first; `link` is the information of a step between neighbours."""
    width = int(when.max(initial=0)) + 1
    each, number = np.unique(player * width + when, return_inverse=True)
    number = number.reshape(-1)
    own, time = np.divmod(each, width)
    again = np.append([False], own[1:] == own[:-1])
    gap = np.append([1], np.diff(time))
    half = len(player) // 2
    steps = np.where(again, link / np.where(again, gap, 1), 0.0)
    return Nodes(number[:half], number[half:], np.arange(len(each)) - again, steps)


def entry_levels(black: Ints, white: Ints, apart: Floats) -> Floats:
    """Return at what level each player entered by the terms of the first games, by least squares, shape (players,).

    Later terms may follow results, as on a points card, and would say of winners that they were strong.

    Args:
        black, white: Players of each game, in playing order, shape (games,).
        apart: By how much the terms say that White is above Black.
    """
    seats = np.stack((black, white), axis=1).ravel()
    order = np.argsort(seats, kind="stable")
    place = np.arange(len(seats))
    begins = np.diff(seats[order], prepend=-1) != 0
    played = np.empty_like(place)
    played[order] = place - np.maximum.accumulate(np.where(begins, place, 0))
    block = (played // BLOCK).reshape(-1, 2)
    nodes = _laid_out(np.concatenate((black, white)), np.concatenate((block[:, 0], block[:, 1])), 1.0)
    level = solved(nodes, np.ones(len(apart)), HOLD, -_spread_out(nodes, apart[:, None]))[:, 0]
    entered = np.zeros(int(seats.max(initial=-1)) + 1)
    for side, node in ((black, nodes.black), (white, nodes.white)):
        first = nodes.first[node] == 1.0
        entered[side[first]] = level[node[first]]
    return entered


def fitted(
    nodes: Nodes,
    columns: Floats,
    score: Floats,
    like: Fit | None = None,
    progress: Callable[[int], None] | None = None,
) -> Fit:
    """Return the most likely worths of the columns beside strengths.

    How far strengths spread and wander is found with them (A. Dempster, N. Laird and D. Rubin, 1977), from strengths
    and from what is not known of them while worths are not known either.

    Args:
        nodes: Who played.
        columns: What is added to Black's lead for each unit of a worth, shape (games, columns).
        score: Black's.
        like: A fit of the same games, from whose spread this one begins.
        progress: Called with the number of each round, from 1 on.
    """
    width, probes = columns.shape[1], _probes(nodes)
    strength, value = np.zeros(len(nodes.previous)), np.zeros(width)
    solution = np.zeros((len(strength), width + 1 + probes.shape[1]))
    spread, wander = (FIRST_SPREAD, 1.0) if like is None else (like.spread, like.wander / WANDER)
    hidden = np.log((spread, wander))
    stride, last = np.full(2, 1.0 / LONGER), np.zeros(2)
    for number in range(ROUNDS):
        if progress is not None:
            progress(number + 1)
        spread, wander = np.exp(hidden)
        hold, own = 1.0 / (spread * spread), nodes._replace(link=nodes.link / wander)
        p = probabilities(columns @ value + strength[nodes.black] - strength[nodes.white])
        weight, rest = p * (1.0 - p), score - p
        pull = _spread_out(nodes, rest[:, None]) - of_prior(own, hold, strength[:, None])
        cross = _spread_out(nodes, weight[:, None] * columns)
        # strengths have nearly come to rest after some rounds: what is still to go is sought from 0
        solution[:, width] = 0.0
        solution = solved(own, weight, hold, np.concatenate((cross, pull, probes), axis=1), solution)
        slopes, way = solution[:, :width], solution[:, width]
        bend = columns.T @ (weight[:, None] * columns) + FLAT * np.eye(width)
        information = bend - cross.T @ slopes
        step = np.linalg.solve(information, columns.T @ rest - FLAT * value - cross.T @ way)
        moved = way - slopes @ step
        value, strength = value + step, strength + moved
        covariance = np.asarray(np.linalg.inv(information), dtype=np.float64)
        unknown = (probes * solution[:, width + 1 :]).sum(axis=0)
        farthest = max(np.abs(step).max(initial=0.0), np.abs(moved).max(initial=0.0))
        if farthest > NEAR:
            continue
        next_hidden = _hidden(nodes, strength, slopes, covariance, unknown, hidden)
        if farthest < SETTLED and np.abs(next_hidden - hidden).max() < STEADY:
            break
        # each of both steps farther as long as it leads the same way (R. Salakhutdinov and S. Roweis, 2003)
        stride = np.where((next_hidden - hidden) * last >= 0.0, LONGER * stride, 1.0)
        last = next_hidden - hidden
        hidden = np.maximum(hidden + np.clip(stride * last, -FARTHEST, FARTHEST), np.log((LEAST_SPREAD, LEAST_WANDER)))
    return Fit(value, covariance, float(spread), float(wander * WANDER))


def _probes(nodes: Nodes) -> Floats:
    """Return random right sides whose answers tell how much is not known of all strengths, shape (nodes, 2 `PROBES`).

    The first half asks for the sum of the variances of first strengths, the second for that of the steps, in units of
    what a step is expected to bring: z'Vz has the expectation tr V for random signs z (M. Hutchinson, 1990).
    """
    sign = np.random.default_rng(0).choice((-1.0, 1.0), size=(len(nodes.previous), PROBES, 2))
    steps = np.sqrt(nodes.link)[:, None] * sign[:, :, 1]
    ends = steps.copy()
    np.subtract.at(ends, nodes.previous, steps)
    return np.concatenate((nodes.first[:, None] * sign[:, :, 0], ends), axis=1)


def _hidden(
    nodes: Nodes, strength: Floats, slopes: Floats, covariance: Floats, unknown: Floats, before: Floats
) -> Floats:
    """Return the logarithms of spread and of wandering (in WHR's) that strengths tell, and what is not known of them.

    The sums are divided by one less than what is summed: the logarithm of each deviation is added to the likelihood
    (Chung and others, 2013), without which few games let it fall to 0 and all intervals become too narrow.

    Args:
        nodes: Who played.
        strength: Of the nodes.
        slopes: How much less a strength is for each unit of a worth, shape (nodes, columns).
        covariance: Of the worths.
        unknown: Answers of the probes, shape (2 `PROBES`,).
        before: The logarithms so far.
    """
    first, days = nodes.first, nodes.link > 0.0
    by_worths = np.einsum("ni,ij,nj->n", slopes, covariance, slopes)
    squares = float(((strength**2 + by_worths) * first).sum())
    spread = math.sqrt((squares + float(unknown[:PROBES].mean())) / max(first.sum() - 1.0, 1.0))
    wander = math.exp(before[1])
    if days.any():
        apart = slopes - slopes[nodes.previous]
        by_worths = np.einsum("ni,ij,nj->n", apart, covariance, apart)
        gone = (strength - strength[nodes.previous]) ** 2 + by_worths
        wander = (float((gone * nodes.link).sum()) + float(unknown[PROBES:].mean())) / max(int(days.sum()) - 1, 1)
    return np.log((max(spread, LEAST_SPREAD), max(wander, LEAST_WANDER)))


def _diagonal(nodes: Nodes, weight: Floats, hold: float) -> Floats:
    """Return the information of each strength with all others fixed, shape (nodes,)."""
    count = len(nodes.link)
    games = np.bincount(nodes.black, weight, count) + np.bincount(nodes.white, weight, count)
    return games + hold * nodes.first + nodes.link + np.bincount(nodes.previous, nodes.link, count)


def _spread_out(nodes: Nodes, values: Floats) -> Floats:
    """Return the sums over games of values, Black's less White's, at the nodes; shape (nodes, n)."""
    count = len(nodes.previous)
    rows = np.ascontiguousarray(values.T)
    sums = [np.bincount(nodes.black, each, count) - np.bincount(nodes.white, each, count) for each in rows]
    return np.stack(sums, axis=1)


def of_prior(nodes: Nodes, hold: float, values: Floats) -> Floats:
    """Return what the prior's information makes of values at the nodes, shape (nodes, n)."""
    step = nodes.link[:, None] * (values - values[nodes.previous])
    back = np.stack([np.bincount(nodes.previous, each, len(values)) for each in step.T], axis=1)
    return hold * nodes.first[:, None] * values + step - back


def solved(nodes: Nodes, weight: Floats, hold: float, right: Floats, near: Floats | None = None) -> Floats:
    """Return the solution of the normal equations of strengths, shape (nodes, n).

    Args:
        nodes: Who played.
        weight: Information of each game.
        hold: Information of the prior of each player's first period.
        right: Right sides, shape (nodes, n).
        near: From where steps begin (default: from 0).
    """
    if len(nodes.link) <= MOST_DENSE:
        return by_elimination(nodes, weight, hold, right)
    return by_conjugate_gradients(nodes, weight, hold, right, near)


def by_elimination(nodes: Nodes, weight: Floats, hold: float, right: Floats) -> Floats:
    """Return the solution by a matrix of all nodes."""
    matrix = np.diag(_diagonal(nodes, weight, hold))
    for one, other, values in (
        (nodes.black, nodes.white, weight),
        (np.arange(len(matrix)), nodes.previous, nodes.link),
    ):
        apart = one != other
        np.subtract.at(matrix, (one[apart], other[apart]), values[apart])
        np.subtract.at(matrix, (other[apart], one[apart]), values[apart])
    return np.asarray(np.linalg.solve(matrix, right), dtype=np.float64)


def by_conjugate_gradients(
    nodes: Nodes, weight: Floats, hold: float, right: Floats, near: Floats | None = None
) -> Floats:
    """Return the solution by steps, for many nodes; a right side that is solved drops out."""
    diagonal = _diagonal(nodes, weight, hold)
    rest = np.array(right.T, order="C")  # a right side in one piece is the faster one
    answer = np.zeros_like(rest) if near is None else np.array(near.T, order="C")
    goal = SOLVED * np.maximum((rest * (rest / diagonal)).sum(axis=1), 1e-300)
    if near is not None:
        rest -= _image(nodes, weight, hold, answer)
    way = rest / diagonal
    size = (rest * way).sum(axis=1)
    going = np.arange(len(rest))
    for _ in range(MOST_STEPS):
        far = size > goal[going]
        if not far.all():
            going, way, rest, size = going[far], way[far], rest[far], size[far]
        if not len(going):
            break
        image = _image(nodes, weight, hold, way)
        step = (size / (way * image).sum(axis=1))[:, None]
        answer[going] += step * way
        rest -= step * image
        ready = rest / diagonal
        new = (rest * ready).sum(axis=1)
        way = ready + (new / size)[:, None] * way
        size = new
    return answer.T


def _image(nodes: Nodes, weight: Floats, hold: float, values: Floats) -> Floats:
    """Return what the information of games and prior makes of values at the nodes, shape (n, nodes)."""
    count, entry = len(nodes.link), hold * nodes.first
    rows = []
    for each in values:
        games, step = weight * (each[nodes.black] - each[nodes.white]), nodes.link * (each - each[nodes.previous])
        sums = np.bincount(nodes.black, games, count) - np.bincount(nodes.white, games, count)
        rows.append(sums + entry * each + step - np.bincount(nodes.previous, step, count))
    return np.stack(rows)
