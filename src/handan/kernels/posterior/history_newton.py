"""Newton's method on whole histories: as `newton.py` has it, over blocks of days.

Strengths and their gradient have 64 bits, so that each step begins from what is really left; the vectors with which a
step is found have 32 where there are very many days, since an error in a step is what the next step finds. A round of
conjugate gradients is two sweeps: from the last days back, then from the first days on; each day meets its player's
next day once in each.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.posterior import newton
from handan.kernels.posterior.histories import Histories, fill_hold, linearise
from handan.kernels.posterior.likelihood import Model
from handan.kernels.posterior.newton import (
    LOOSE,
    MOST_ROUNDS,
    MOST_STEPS,
    SAFE,
    TIGHT,
    Effort,
    multiply_games,
    multiply_learned,
)
from handan.kernels.posterior.seasons import seasons_of
from handan.kernels.prefetching import DAYS_AHEAD, MANY_DAYS, prefetch
from handan.kernels.types import Floats, Reals

STIFF = 1e4
"""Link, 1 / natural units^2, up to which steps are found with 32 bits.
our choice: rounding of a day's strength then weighs at most a five-hundredth of what a game says."""
MANY = 1 << 22
"""Days from which steps are found with 32 bits; our choice: they take half the memory, and more time up to here."""
COARSE = 1e-4
"""Share of its first round to which a step is solved at least; our choice: beyond it is mostly rounding of 32 bits."""
ROUGHLY = 0.1
"""Change of a strength, natural units, below which the solution of seasons is near enough for the days; our choice."""
FEW = 400
"""Games below which `newton.py` solves them, with 64 bits; our choice: plain Python is faster at that."""
LEAST = 1e-30
"""Information below which a day counts as having so much, so that its reciprocal stays a number of 32 bits."""


class Work(NamedTuple):
    """What a step is found with, shape (nodes,)."""

    pivot: Reals
    """1 / the pivot of each node, eliminated from the first day on."""
    carry: Reals
    """How much of a node's solution the same player's next day takes over: link * pivot; nothing of worths."""
    step: Reals
    """The solution so far."""
    rest: Reals
    """What the solution still leaves of the gradient."""
    fresh: Reals
    """The solution of the players' own systems for the rest; between the sweeps, without what later days say."""
    way: Reals
    """Direction of the conjugate gradients."""
    chain: Reals
    """What the players' own systems make of `way`; before a step begins, the information of games and prior."""
    product: Reals
    """Negative Hessian times `way`."""


@kernel
def factorise(model: Histories, work: Work) -> None:
    """Fill the reciprocal pivots of the tridiagonal system of each player, all other players held fixed."""
    following, gap, links = model.days.following, model.days.gap, model.links
    pivot, carry = work.pivot, work.carry
    pivot[:] = work.chain
    far = len(following) >= MANY_DAYS
    for node in range(len(following)):
        if far:
            prefetch(pivot, following[min(node + DAYS_AHEAD, len(following) - 1)])
        own, link = max(np.float64(pivot[node]), LEAST), links[gap[node]]
        reciprocal = 1.0 / (own + link)
        pivot[following[node]] += link * own * reciprocal
        pivot[node], carry[node] = reciprocal, link * reciprocal
    for node in range(len(following), len(pivot)):
        pivot[node] = 1.0 / max(np.float64(pivot[node]), LEAST)


@kernel
def turn(model: Histories, share: float, start: int, end: int, work: Work) -> float:
    """From the last of some days back, finish `fresh`, set way = fresh + share * way, and begin product = H way.

    The players' own systems C make the rest of `fresh`, so that C way = rest + share * C way of before: no day needs
    its neighbours for that. Returns way . C way.
    """
    following = model.days.following
    carry, rest, fresh, way, chain, product = work.carry, work.rest, work.fresh, work.way, work.chain, work.product
    far = len(following) >= MANY_DAYS
    square = 0.0
    for node in range(end - 1, start - 1, -1):
        if far:
            prefetch(fresh, following[max(node - DAYS_AHEAD, 0)])
        own = np.float64(fresh[node])
        own += np.float64(carry[node]) * np.float64(fresh[following[node]])
        fresh[node] = own
        direction, pulled = (
            own + share * np.float64(way[node]),
            np.float64(rest[node]) + share * np.float64(chain[node]),
        )
        way[node], chain[node], product[node] = direction, pulled, pulled
        square += direction * pulled
    return square


@kernel
def multiply(model: Histories, pull: Reals, hold: Floats, share: float, level: float, work: Work) -> float:
    """Set way = fresh + share * way and product = H (way + level), H the negative Hessian; return their dot product.

    Args:
        model: The histories.
        pull: p (1 - p) of each game.
        hold: What each entry adds to H times a shift of all days by 1, shape (players,).
        share: Of the direction of before.
        level: Shift of all days by which the direction goes beyond `way`.
        work: Where the vectors are.
    """
    days, way, chain, product = model.days, work.way, work.chain, work.product
    square, cross = 0.0, 0.0
    for node in range(len(days.following), len(way)):
        way[node] = np.float64(work.fresh[node]) + share * np.float64(way[node])
        chain[node] = np.float64(work.rest[node]) + share * np.float64(chain[node])
        product[node] = chain[node]
        square += np.float64(chain[node]) * np.float64(way[node])
    for block in range(len(days.games) - 2, -1, -1):
        square += turn(model, share, days.nodes[block], days.nodes[block + 1], work)
        start, end = days.games[block], days.games[block + 1]
        black, white = days.black[start:end], days.white[start:end]
        if len(model.helps) > 0:
            cross += multiply_learned(black, white, model.helps[start:end], pull[start:end], way, product)
        else:
            cross += multiply_games(black, white, pull[start:end], way, product)
    shifted = 0.0
    for player in range(len(hold)):
        node = days.first[player]
        if node >= 0:
            shifted += hold[player] * (2.0 * np.float64(way[node]) + level)
            product[node] = np.float64(product[node]) + level * hold[player]
    return square - 2.0 * cross + level * shifted


@kernel
def relax(model: Histories, stride: float, level: float, work: Work) -> tuple[float, float, float]:
    """Step `stride` along `way`, then solve the players' own systems for the rest, from the first day on.

    Returns rest . fresh, of `fresh` as `turn` will finish it, the sum of the rest of all days, and the largest change,
    in which that of the level, `stride * level`, counts.
    """
    pivot, carry, step, rest, fresh, way, _, product = work
    following = model.days.following
    far = len(following) >= MANY_DAYS
    largest, energy, total, moved = 0.0, 0.0, 0.0, stride * level
    for node in model.days.first:
        if node >= 0:
            fresh[node] = 0.0
    for node in range(len(following)):
        if far:
            prefetch(fresh, following[min(node + DAYS_AHEAD, len(following) - 1)])
        change = stride * np.float64(way[node])
        step[node] += change
        largest = max(largest, abs(change + moved))
        rest[node] -= stride * np.float64(product[node])
        total += np.float64(rest[node])
        left = np.float64(rest[node]) + np.float64(fresh[node])  # and what the day before says
        own = np.float64(pivot[node]) * left
        energy += left * own
        fresh[following[node]] = np.float64(carry[node]) * left
        fresh[node] = own
    for node in range(len(following), len(step)):
        change = stride * np.float64(way[node])
        step[node] += change
        largest = max(largest, abs(change))
        rest[node] -= stride * np.float64(product[node])
        fresh[node] = np.float64(pivot[node]) * np.float64(rest[node])
        energy += np.float64(rest[node]) * np.float64(fresh[node])
    return energy, total, largest


@kernel
def find_step(
    model: Histories, gradient: Floats, pull: Reals, hold: Floats, tolerance: float, least: float, work: Work
) -> int:
    """Solve H step = gradient by preconditioned conjugate gradients; return the rounds that it took.

    They end as those of `newton.find_step` do, or when a round changes no strength by `least` times the first round.
    `hold` is as `multiply` has it.
    """
    factorise(model, work)
    work.rest[:] = gradient
    work.step[:] = 0.0  # what the others hold counts with a share and a stride of 0
    firm = 0.0
    for player in range(len(hold)):
        firm += hold[player]
    light = 1.0 / firm if firm > LEAST else 0.0
    energy, total, _ = relax(model, 0.0, 0.0, work)
    energy += light * total * total
    share, level, shift, enough, done = 0.0, 0.0, 0.0, 0.0, 0
    while done < MOST_ROUNDS:
        level = light * total + share * level
        slope = multiply(model, pull, hold, share, level, work)
        if not slope > 0.0:
            break
        stride = energy / slope
        shift += stride * level
        left, total, largest = relax(model, stride, level, work)
        left += light * total * total
        done += 1
        if done == 1:
            enough = max(max(min(LOOSE, largest), least) * largest, TIGHT * tolerance)
        if largest <= enough:
            break
        share, energy = left / energy, left
    for node in range(len(model.days.following)):
        work.step[node] += shift
    return done


@kernel
def widest(model: Histories, step: Reals) -> float:
    """Return the largest change that a step makes to the lead in any game, or in a virtual one."""
    width = 0.0
    for node in model.days.first:
        if node >= 0:
            width = max(width, abs(np.float64(step[node])))
    for node in range(len(model.days.following), len(step)):
        width = max(width, abs(np.float64(step[node])))
    for game in range(len(model.kind)):
        change = np.float64(step[model.days.black[game]]) - np.float64(step[model.days.white[game]])
        if len(model.helps) > 0:
            change += np.float64(step[model.helps[game]])
        width = max(width, abs(change))
    return width


@kernel
def longest(gradient: Floats, step: Reals) -> tuple[float, float]:
    """Return the largest absolute value of a step, and the slope along it."""
    largest, slope = 0.0, 0.0
    for node in range(len(step)):
        largest = max(largest, abs(np.float64(step[node])))
        slope += gradient[node] * np.float64(step[node])
    return largest, slope


@kernel
def maximise(
    model: Histories,
    tolerance: float,
    least: float,
    strength: Floats,
    gradient: Floats,
    pull: Reals,
    work: Work,
) -> Effort:
    """Move `strength` to the maximum, as `newton.maximise` does; return the effort."""
    rounds, moved, width, hold = 0, 0.0, 0.0, np.zeros(len(model.days.first))
    for done in range(1, MOST_STEPS + 1):
        linearise(model, strength, gradient, work.chain, pull)
        if width > SAFE and longest(gradient, work.step)[1] < 0.0:
            share = 1.0 - math.log(1.0 + width) / width
            for node in range(len(strength)):
                strength[node] -= share * np.float64(work.step[node])
            linearise(model, strength, gradient, work.chain, pull)
        fill_hold(model, strength, hold)
        rounds += find_step(model, gradient, pull, hold, tolerance, least, work)
        strength += work.step
        moved, _ = longest(gradient, work.step)
        if moved < tolerance:
            return Effort(done, rounds, moved)
        width = widest(model, work.step) if 2.0 * moved > SAFE else 0.0
    return Effort(MOST_STEPS, rounds, moved)


def most_likely(model: Histories, tolerance: float) -> tuple[Floats, Effort]:
    """Return the most likely strengths, with the entries, then learned worths and the fixed zero, natural units.

    Many games begin at the strengths of seasons, whose effort is not counted: it is a small part of the whole.
    """
    strength = np.zeros(len(model.days.following) + len(model.beyond))
    if len(model.kind) < FEW and len(model.days.games) == 2:
        if model.entry.any():
            spread_entries(model, strength)
        few = as_model(model, strength)
        beyond = np.zeros(len(strength))
        effort, _ = newton.maximise.for_work(50 * len(model.kind))(few, tolerance, beyond, np.empty(len(model.kind)))
        return strength + beyond, effort
    if seasons := seasons_of(model):
        first_guess = np.zeros(len(seasons.model.days.following) + len(model.beyond))
        if model.entry.any():
            spread_entries.for_work(len(first_guess))(seasons.model, first_guess)
        climb(seasons.model, max(tolerance, ROUGHLY), first_guess)
        seasons.spread(first_guess, strength)
        del seasons
    elif model.entry.any():
        spread_entries.for_work(len(strength))(model, strength)
    return strength, climb(model, tolerance, strength)


def as_model(model: Histories, entry: Floats) -> Model:
    """Return the same posterior as `newton.py` has it, of strengths beyond the entry of each node, shape (nodes,)."""
    days = model.days
    before = np.nonzero(days.gap)[0]
    previous, link, prior = np.arange(len(entry), dtype=np.uint32), np.zeros(len(entry)), np.zeros(len(entry))
    previous[days.following[before]], link[days.following[before]] = before, model.links[days.gap[before]]
    prior[days.first[days.first >= 0]] = model.prior
    prior[len(days.following) :] = model.beyond
    bonus = model.bonus[model.kind] + entry[days.black] - entry[days.white]
    score, weight = model.score[model.kind], np.ones(len(bonus))
    return Model(days.black, days.white, score, weight, bonus, model.helps, previous, link, prior)


def climb(model: Histories, tolerance: float, strength: Floats) -> Effort:
    """Move `strength` to the maximum."""
    stiff = bool((model.days.first >= 0).any()) and float(model.links.max()) > STIFF
    precision: Any = np.float64 if stiff or len(strength) < MANY else np.float32
    vectors = [np.zeros(len(strength), dtype=precision) for _ in Work._fields]
    gradient, pull = np.empty(len(strength)), np.empty(len(model.kind), dtype=precision)
    run = maximise.for_work(50 * len(model.kind))  # our choice: a game is looked at in tens of rounds
    least = 0.0 if stiff else COARSE
    return run(model, tolerance, least, strength, gradient, pull, Work(*vectors))


@kernel
def spread_entries(model: Histories, strength: Floats) -> None:
    """Begin the history of each player at the entry."""
    days = model.days
    for player in range(len(days.first)):
        if days.first[player] >= 0:
            strength[days.first[player]] = model.entry[player]
    far = len(days.following) >= MANY_DAYS
    for node in range(len(days.following)):
        if far:
            prefetch(strength, days.following[min(node + DAYS_AHEAD, len(days.following) - 1)])
        strength[days.following[node]] = strength[node]
