"""What terms are worth, with strengths that nobody knows: a logistic regression with a random effect for each player.

Strengths wander as in Whole-History Rating, and are the more likely the nearer they lie to what the handicaps that a
player gave and took say of them: without that, handicaps that follow strength would seem to be worth nothing.

Source: N. Breslow and D. Clayton, "Approximate inference in generalized linear mixed models" (1993); Y. Mundlak, "On
the pooling of time series and cross section data" (1978), for effects that hang on what explains; R. Coulom,
"Whole-History Rating" (2008), for how strengths wander.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from handan.kernels.posterior.day_chains import covariances
from handan.kernels.types import Floats, Ints
from handan.systems.core.forecasting import probabilities
from handan.systems.families.paired_comparison import UNIT

PERIOD = 91  # days in which a strength stands still; our choice
WANDER = 14.0 / (UNIT * UNIT)  # variance that a day adds; WHR's own
ROUNDS = 60
SETTLED = 1e-5
STEADY = 0.03  # our choice: by how little spread and wandering still change
LEAST_WANDER = 1e-3  # of WHR's
SOLVED = 1e-10
MOST_DENSE = 1200  # nodes; our choice: beyond them a matrix takes longer than steps
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


def fitted(nodes: Nodes, columns: Floats, score: Floats, like: Fit | None = None) -> Fit:
    """Return the most likely worths of the columns beside strengths.

    How far strengths spread and wander is found with them (A. Dempster, N. Laird and D. Rubin, 1977).

    Args:
        nodes: Who played.
        columns: What is added to Black's lead for each unit of a worth, shape (games, columns).
        score: Black's.
        like: A fit of the same games, from whose spread this one begins.
    """
    count, first = len(nodes.previous), nodes.first
    strength, value = np.zeros(count), np.zeros(columns.shape[1])
    spread, wander = (FIRST_SPREAD, 1.0) if like is None else (like.spread, like.wander / WANDER)
    days = nodes.link > 0.0
    for _ in range(ROUNDS):
        hold, own = 1.0 / (spread * spread), nodes._replace(link=nodes.link / wander)
        p = probabilities(columns @ value + strength[nodes.black] - strength[nodes.white])
        weight, rest = p * (1.0 - p), score - p
        pull = _spread_out(nodes, rest[:, None]) - of_prior(own, hold, strength[:, None])
        cross = _spread_out(nodes, weight[:, None] * columns)
        solution = solved(own, weight, hold, np.concatenate((cross, pull), axis=1))
        bend = columns.T @ (weight[:, None] * columns) + FLAT * np.eye(len(value))
        information = bend - cross.T @ solution[:, :-1]
        step = np.linalg.solve(information, columns.T @ rest - FLAT * value - cross.T @ solution[:, -1])
        moved = solution[:, -1] - solution[:, :-1] @ step
        value, strength = value + step, strength + moved
        variance, covariance = np.empty(count), np.empty(count)
        curvature = _diagonal(own, weight, hold)
        covariances.for_work(count)(nodes.previous, own.link, curvature, variance, covariance)
        earlier = spread, wander
        spread = max(math.sqrt(float(((strength**2 + variance) * first).sum() / first.sum())), LEAST_SPREAD)
        if days.any():
            leap = strength - strength[nodes.previous]
            gone = leap**2 + variance + variance[nodes.previous] - 2.0 * covariance
            # our choice: three steps at once, since a small variance is approached slowly
            wander = max(wander * (float((gone * nodes.link)[days].mean()) / wander) ** 3, LEAST_WANDER)
        steady = max(abs(spread / earlier[0] - 1.0), abs(wander / earlier[1] - 1.0)) < STEADY
        if steady and max(np.abs(step).max(initial=0.0), np.abs(moved).max(initial=0.0)) < SETTLED:
            break
    return Fit(value, np.asarray(np.linalg.inv(information), dtype=np.float64), spread, wander * WANDER)


def _diagonal(nodes: Nodes, weight: Floats, hold: float) -> Floats:
    """Return the information of each strength with all others fixed, shape (nodes,)."""
    count = len(nodes.link)
    games = np.bincount(nodes.black, weight, count) + np.bincount(nodes.white, weight, count)
    return games + hold * nodes.first + nodes.link + np.bincount(nodes.previous, nodes.link, count)


def _spread_out(nodes: Nodes, values: Floats) -> Floats:
    """Return the sums over games of values, Black's less White's, at the nodes; shape (nodes, n)."""
    count = len(nodes.previous)
    sums = [np.bincount(nodes.black, each, count) - np.bincount(nodes.white, each, count) for each in values.T]
    return np.stack(sums, axis=1)


def of_prior(nodes: Nodes, hold: float, values: Floats) -> Floats:
    """Return what the prior's information makes of values at the nodes, shape (nodes, n)."""
    step = nodes.link[:, None] * (values - values[nodes.previous])
    back = np.stack([np.bincount(nodes.previous, each, len(values)) for each in step.T], axis=1)
    return hold * nodes.first[:, None] * values + step - back


def solved(nodes: Nodes, weight: Floats, hold: float, right: Floats) -> Floats:
    """Return the solution of the normal equations of strengths, shape (nodes, n).

    Args:
        nodes: Who played.
        weight: Information of each game.
        hold: Information of the prior of each player's first period.
        right: Right sides, shape (nodes, n).
    """
    if len(nodes.link) <= MOST_DENSE:
        return by_elimination(nodes, weight, hold, right)
    return by_conjugate_gradients(nodes, weight, hold, right)


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


def by_conjugate_gradients(nodes: Nodes, weight: Floats, hold: float, right: Floats) -> Floats:
    """Return the solution by steps, for many nodes."""
    diagonal = _diagonal(nodes, weight, hold)[:, None]
    answer = np.zeros_like(right)
    rest = right.copy()
    ready = rest / diagonal
    way, size = ready.copy(), (rest * ready).sum(axis=0)
    goal = SOLVED * np.maximum(size, 1e-300)
    for _ in range(MOST_STEPS):
        games = weight[:, None] * (way[nodes.black] - way[nodes.white])
        image = _spread_out(nodes, games) + of_prior(nodes, hold, way)
        along = (way * image).sum(axis=0)
        step = np.where(along > 0.0, size / np.where(along > 0.0, along, 1.0), 0.0)
        answer += step * way
        rest -= step * image
        ready = rest / diagonal
        new = (rest * ready).sum(axis=0)
        if (new <= goal).all():
            break
        way = ready + np.where(size > 0.0, new / np.where(size > 0.0, size, 1.0), 0.0) * way
        size = new
    return answer
