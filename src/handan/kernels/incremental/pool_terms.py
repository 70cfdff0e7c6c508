"""What first move and scale are worth in each pool of players whom games or events join, and which settings fit it.

A pool's worths are those common to its population plus what is its own, so that its games count in full, and those of
strangers only as far as pools are alike. What the games of a pool say is kept as precision and precision times mean,
which add up when a game joins two pools. A pool says to the others what its games say, blurred by how far pools differ.
The settings of a pool are those common to its population with a given chance, else its own; they are weighed likewise.
A population is made of files and servers that have players in common; pools of another one say nothing.

Source: A. Gelman and others, "Bayesian Data Analysis" (2013), chapter 5, for groups that are shrunk to the whole;
J. Pearl, "Probabilistic Reasoning in Intelligent Systems" (1988), chapter 4, for what one group says to the others;
R. Tarjan, "Efficiency of a good but not linear set union algorithm" (1975), for pools that games join.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.connectivity import root, unite
from handan.kernels.types import Floats, Ints, Seats

TERMS = 3
"""First move a, scale l and bend c."""
FIRST_MOVE = 0
ENTRY, RANKED, DRAWN, LEARNED = 0, 1, 2, 3
"""Columns of `Pools.summary`: variance of who enters by nothing, by a rank; what an opponent draws; the terms."""
ALIKE = 0.05  # our choice: chance that a pool has the settings common to all
LEAST = 1e-4  # our choice: what the games of a pool leave of a setting at least, beside the mean of all
FORGETTING = 0.99975  # our choice: what a game says of the settings counts so much less with each game of the pool
ONE_SIDED = 0.02  # our choice: share of games that a column of winners may lose
LEAST_DECIDED = 8.0  # our choice: decided games below which one colour wins them all by chance


class Law(NamedTuple):
    """What is believed of the terms before any game, shape (TERMS,)."""

    mean: Floats
    common: Floats
    """Variance of what the pools of a population share."""
    own: Floats
    """Variance of what is a pool's own."""
    drift: Floats
    """Variance that a day adds."""


class Terms(NamedTuple):
    """What is believed of the terms in one pool."""

    mean: Floats
    """Shape (TERMS,)."""
    covariance: Floats
    """Shape (TERMS, TERMS)."""


class Information(NamedTuple):
    """What games say of the terms."""

    precision: Floats
    """Shape (TERMS, TERMS)."""
    force: Floats
    """Precision times mean, shape (TERMS,)."""


class Pools(NamedTuple):
    """Pools of players by the player who heads each, shape (players, ...)."""

    head: Ints
    """Who heads the pool of each player, or leads there."""
    precision: Floats
    """What the games of each pool say, shape (players, TERMS, TERMS)."""
    force: Floats
    """Shape (players, TERMS)."""
    day: Floats
    """Of the last game."""
    first_day: Floats
    wins: Floats
    """Of White and of Black where colours are known, shape (players, 2)."""
    games: Floats
    last_game: Ints
    """-1 before the first."""
    summary: Floats
    """What newcomers are taken for, and the terms; columns from `ENTRY` on, shape (players, LEARNED + TERMS)."""
    day_start_summary: Floats
    """The same as known before the day of the last game, 0 before the first day."""
    day_start_game: Ints
    """Game before which `day_start_summary` knows everything, -1: none."""
    slot: Ints
    """Row of `likelihood`; -1: none."""
    population: Ints
    """To which the pool belongs; -1 before its first game."""


class OtherPools(NamedTuple):
    """What all pools of each population but the active one, which plays, say together, shape (populations, ...)."""

    active: Ints
    """Head of the pool that played last, -1: none; shape (1,)."""
    precision: Floats
    """Shape (populations, TERMS, TERMS)."""
    force: Floats
    wins: Floats
    """Of White and of Black in all games, shape (populations, 2)."""
    likelihood: Floats
    """ln of what the pools say of each setting, shape (populations, settings)."""
    prior: Floats
    """Weight of each setting before the first game, shape (settings,)."""
    mixed: Floats
    """Weight of each setting in the active pool before its own games."""


class Likelihoods(NamedTuple):
    """ln of how well each setting forecast the games of a pool, 0 in the mean; shape (rows, settings)."""

    values: Floats
    free: Ints
    """Rows that no pool has, then others."""
    left: Ints
    """How many are free, shape (1,)."""


class AllPools(NamedTuple):
    """What is known of all pools, and which of them plays."""

    pools: Pools
    likelihoods: Likelihoods
    others: OtherPools


@kernel
def times(one: Floats, other: Floats) -> Floats:
    """Return the product of two matrices of three rows, summed in order."""
    out = np.empty((TERMS, TERMS))
    for row in range(TERMS):
        for column in range(TERMS):
            out[row, column] = (
                one[row, 0] * other[0, column] + one[row, 1] * other[1, column] + one[row, 2] * other[2, column]
            )
    return out


@kernel
def applied(matrix: Floats, vector: Floats) -> Floats:
    """Return a matrix of three rows times a vector, summed in order."""
    out = np.empty(TERMS)
    for row in range(TERMS):
        out[row] = matrix[row, 0] * vector[0] + matrix[row, 1] * vector[1] + matrix[row, 2] * vector[2]
    return out


@kernel
def diagonal(values: Floats) -> Floats:
    """Return the matrix of three rows with these values on its diagonal."""
    out = np.zeros((TERMS, TERMS))
    for row in range(TERMS):
        out[row, row] = values[row]
    return out


@kernel
def inverse_of_one_plus(matrix: Floats) -> Floats:
    """Return (1 + M)^-1 of three rows, by cofactors."""
    out = np.empty((TERMS, TERMS))
    a, b, c = matrix[0, 0] + 1.0, matrix[0, 1], matrix[0, 2]
    d, e, f = matrix[1, 0], matrix[1, 1] + 1.0, matrix[1, 2]
    g, h, i = matrix[2, 0], matrix[2, 1], matrix[2, 2] + 1.0
    out[0, 0], out[0, 1], out[0, 2] = e * i - f * h, c * h - b * i, b * f - c * e
    out[1, 0], out[1, 1], out[1, 2] = f * g - d * i, a * i - c * g, c * d - a * f
    out[2, 0], out[2, 1], out[2, 2] = d * h - e * g, b * g - a * h, a * e - b * d
    determinant = a * out[0, 0] + b * out[1, 0] + c * out[2, 0]
    for row in range(TERMS):
        for column in range(TERMS):
            out[row, column] /= determinant
    return out


@kernel
def blurred(information: Information, variance: Floats) -> Information:
    """Return what games say of something that differs by so much from what they were played with, shape (TERMS,)."""
    rest = inverse_of_one_plus(times(information.precision, diagonal(variance)))
    return Information(times(rest, information.precision), applied(rest, information.force))


@kernel
def taught(mean: Floats, covariance: Floats, information: Information) -> Terms:
    """Return a belief, given as mean m and covariance C, after games that say P and f.

    The covariance is then S = (1 + C P)^-1 C, and the mean m + S (f - P m).
    """
    narrow = times(inverse_of_one_plus(times(covariance, information.precision)), covariance)
    surprise = applied(information.precision, mean)
    for row in range(TERMS):
        surprise[row] = information.force[row] - surprise[row]
    middle = applied(narrow, surprise)
    for row in range(TERMS):
        middle[row] += mean[row]
    return Terms(middle, narrow)


@kernel
def copy_row(values: Floats, row: Floats) -> None:
    """Fill a row with values, one by one: the compiler takes long over `row[:] = values`."""
    for column in range(len(values)):
        row[column] = values[column]


@kernel
def copy_information(place: Information, information: Information) -> None:
    """Put what games say in a place."""
    copy_row(information.force, place.force)
    for row in range(TERMS):
        copy_row(information.precision[row], place.precision[row])


@kernel
def add_information(total: Information, information: Information, sign: float) -> None:
    """Add what games say to a total, or take it away with a sign of -1."""
    for row in range(TERMS):
        total.force[row] += sign * information.force[row]
        for column in range(TERMS):
            total.precision[row, column] += sign * information.precision[row, column]


@kernel
def believed(law: Law, others: Information, own: Information, age: float) -> Terms:
    """Return what is believed of the terms of a pool.

    Args:
        law: What is believed before any game.
        others: What the other pools say.
        own: What the pool's own games say of today.
        age: Days since its first game.
    """
    common = taught(law.mean, diagonal(law.common), others)
    wide = common.covariance
    for term in range(TERMS):
        wide[term, term] += law.own[term] + (law.drift[term] * age if law.common[term] > 0.0 else 0.0)
    return taught(common.mean, wide, own)


@kernel
def counts_colours(own: Floats, population: Floats) -> bool:
    """Return whether the first move plays a part: not where the winners of nearly all games stand in one column.

    A pool of a few games is judged by all of its population.

    Args:
        own: Wins of White and Black in the pool, shape (2,).
        population: The same of all games of the population.
    """
    if min(own[0], own[1]) > ONE_SIDED * (own[0] + own[1]):
        return True
    whole = population[0] + population[1]
    return bool(own[0] + own[1] < LEAST_DECIDED and min(population[0], population[1]) > ONE_SIDED * whole)


@kernel
def without_first_move(terms: Terms) -> None:
    """Leave the first move out of what is believed."""
    terms.mean[FIRST_MOVE] = 0.0
    terms.covariance[FIRST_MOVE, :] = 0.0
    terms.covariance[:, FIRST_MOVE] = 0.0


@kernel
def no_pools(players: int) -> Pools:
    """Return that nobody has played."""
    return Pools(
        np.full(players, -1), np.zeros((players, TERMS, TERMS)), np.zeros((players, TERMS)), np.zeros(players),
        np.zeros(players), np.zeros((players, 2)), np.zeros(players), np.full(players, -1),
        np.zeros((players, LEARNED + TERMS)), np.zeros((players, LEARNED + TERMS)), np.full(players, -1),
        np.full(players, -1), np.full(players, -1),
    )  # fmt: skip


@kernel
def most_pools(black: Seats, white: Seats, players: int) -> int:
    """Return how many pools there are at most at any time."""
    head = np.full(players, -1)
    alive, most = 0, 0
    for game in range(len(black)):
        b, w = int(black[game]), int(white[game])
        alive += int(head[b] < 0 and head[w] < 0) - int(
            head[b] >= 0 and head[w] >= 0 and root(head, b) != root(head, w)
        )
        unite(head, b, w)
        most = max(most, alive)
    return most


@kernel
def tell_others(all_pools: AllPools, law: Law, head: int, sign: float) -> None:
    """Add what a pool says to the others, or take it away with a sign of -1."""
    pools, likelihoods, other_pools = all_pools
    population = pools.population[head]
    add_information(information_of_others(other_pools, population), blurred(information_of(pools, head), law.own), sign)
    add_likelihood(other_pools.likelihood[population], likelihoods.values[pools.slot[head]], sign)


@kernel
def information_of(pools: Pools, head: int) -> Information:
    """Return what the games of a pool say of the terms."""
    return Information(pools.precision[head], pools.force[head])


@kernel
def information_of_others(other_pools: OtherPools, population: int) -> Information:
    """Return what the pools of a population but the active one say of the terms."""
    return Information(other_pools.precision[population], other_pools.force[population])


@kernel
def add_likelihood(likelihood: Floats, own: Floats, sign: float) -> None:
    """Add what a pool says of each setting, whose own settings may be others, or take it away with a sign of -1."""
    for s in range(len(own)):
        likelihood[s] += sign * math.log((1.0 - ALIKE) + ALIKE * math.exp(own[s]))


@kernel
def weights_in_pool(weight: Floats, prior: Floats, likelihood: Floats) -> None:
    """Fill the weights of settings in a pool, which has those common to all or others."""
    weights_of(weight, prior, likelihood)
    weight *= ALIKE
    weight += (1.0 - ALIKE) * prior


@kernel
def weights_of(weight: Floats, prior: Floats, likelihood: Floats) -> None:
    """Fill the weights of settings from those before games and ln of the likelihood."""
    highest = likelihood.max()
    for s in range(len(prior)):
        weight[s] = prior[s] * math.exp(likelihood[s] - highest)
    weight /= weight.cumsum()[-1]


@kernel
def head_of(pools: Pools, player: int) -> int:
    """Return who heads the pool of a player, -1 before the first game, and of nobody (-1)."""
    return int(root(pools.head, player)) if player >= 0 and pools.head[player] >= 0 else -1


@kernel
def heads_of(pools: Pools, members: Ints) -> Ints:
    """Return who heads the pool of each member, -1 for none and for one that stands there already, shape (3,)."""
    heads = np.full(3, -1)
    for place in range(3):
        head = head_of(pools, members[place])
        if head not in (heads[0], heads[1]):
            heads[place] = head
    return heads


@kernel
def activate(all_pools: AllPools, law: Law, members: Ints, population: int, day: float, known_until: int) -> int:
    """Join the pools of people who meet, bring what its games say to the day, and return who heads it.

    Args:
        all_pools: Changed.
        law: What is believed before any game.
        members: Black, White and a member of the event, shape (3,).
        population: Of the game.
        day: Of the game.
        known_until: Game before which everything is known to it.
    """
    pools, likelihoods, other_pools = all_pools
    active, head = other_pools.active[0], -1
    heads = head_of(pools, members[0]), head_of(pools, members[1]), head_of(pools, members[2])
    changed = active < 0 or active not in heads
    if active >= 0 and changed:
        tell_others(all_pools, law, active, 1.0)
    for place in range(3):
        other = head_of(pools, members[place])
        if other in (-1, head):
            continue
        if other != active:
            tell_others(all_pools, law, other, -1.0)
            changed = True
        head = other if head < 0 else merge(all_pools, head, other, law.drift)
    if head < 0:
        head = min(members[0], members[1])
        begin(pools, likelihoods, head, population, day)
    pools.head[members[0]] = pools.head[members[1]] = head
    bring(pools, head, day, law.drift)
    if pools.last_game[head] < known_until:
        copy_row(pools.summary[head], pools.day_start_summary[head])
        pools.day_start_game[head] = known_until
    other_pools.active[0] = head
    if changed:
        weights_in_pool(other_pools.mixed, other_pools.prior, other_pools.likelihood[pools.population[head]])
    return head


@kernel
def begin(pools: Pools, likelihoods: Likelihoods, head: int, population: int, day: float) -> None:
    """Make a pool of a population that has no game yet."""
    pools.population[head] = population
    likelihoods.left[0] -= 1
    pools.slot[head] = likelihoods.free[likelihoods.left[0]]
    likelihoods.values[pools.slot[head]] = 0.0
    pools.day[head] = pools.first_day[head] = day


@kernel
def bring(pools: Pools, head: int, day: float, drift: Floats) -> None:
    """Let time pass for what the games of a pool say of the terms."""
    if day > pools.day[head]:
        information = information_of(pools, head)
        copy_information(information, blurred(information, drift * (day - pools.day[head])))
        pools.day[head] = day


@kernel
def merge(all_pools: AllPools, first: int, second: int, drift: Floats) -> int:
    """Make one pool of two, of which that with more games goes on; return who heads it."""
    pools, likelihoods, other_pools = all_pools
    larger = pools.games[first] > pools.games[second]
    if pools.games[first] == pools.games[second]:
        larger = pools.last_game[first] > pools.last_game[second]
    head, other = (first, second) if larger else (second, first)
    day = max(pools.day[head], pools.day[other])
    bring(pools, head, day, drift)
    bring(pools, other, day, drift)
    add_information(information_of(pools, head), information_of(pools, other), 1.0)
    add_pool(pools, head, other)
    own = likelihoods.values[pools.slot[head]]
    own += likelihoods.values[pools.slot[other]]
    centre(own, other_pools.prior)
    likelihoods.free[likelihoods.left[0]] = pools.slot[other]
    likelihoods.left[0] += 1
    return head


@kernel
def add_pool(pools: Pools, head: int, other: int) -> None:
    """Let the players of another pool belong to a pool, and count their games in it."""
    pools.wins[head, 0] += pools.wins[other, 0]
    pools.wins[head, 1] += pools.wins[other, 1]
    pools.games[head] += pools.games[other]
    pools.first_day[head] = min(pools.first_day[head], pools.first_day[other])
    pools.head[other] = head


@kernel
def centre(own: Floats, prior: Floats) -> None:
    """Divide likelihoods, given as logarithms, by their mean, and lift those that are nearly nothing."""
    highest, total = own.max(), 0.0
    for s in range(len(own)):
        total += prior[s] * math.exp(own[s] - highest)
    own -= highest + math.log(total)
    own[own < math.log(LEAST)] = math.log(LEAST)


@kernel
def discount(pools: Pools, head: int, share: float) -> None:
    """Let the games of a pool say less of the terms by a share: that of who came without ranks, when ranks come."""
    for row in range(TERMS):
        pools.force[head, row] *= 1.0 - share
        for column in range(TERMS):
            pools.precision[head, row, column] *= 1.0 - share


@kernel
def terms_in(all_pools: AllPools, law: Law, head: int) -> Terms:
    """Return what is believed of the terms in the active pool."""
    pools, _, other_pools = all_pools
    population = pools.population[head]
    age = pools.day[head] - pools.first_day[head]
    terms = believed(law, information_of_others(other_pools, population), information_of(pools, head), age)
    if law.common[FIRST_MOVE] > 0.0 and not counts_colours(pools.wins[head], other_pools.wins[population]):
        without_first_move(terms)
    return terms


@kernel
def learn(
    pools: Pools, head: int, terms: Terms, slopes: tuple[float, float, float], slope: float, curvature: float
) -> None:
    """Let a game say what it says of the terms.

    Args:
        pools: Changed.
        head: Of the pool.
        terms: As believed before the game.
        slopes: Of the lead by each term, all ways in which it depends on it, shape (TERMS,).
        slope, curvature: Of the log likelihood by the lead, the curvature taken positive.
    """
    at = slopes[0] * terms.mean[0] + slopes[1] * terms.mean[1] + slopes[2] * terms.mean[2]
    for row in range(TERMS):
        pools.force[head, row] += (slope + curvature * at) * slopes[row]
        for column in range(TERMS):
            pools.precision[head, row, column] += curvature * slopes[row] * slopes[column]


@kernel
def known_before(pools: Pools, strangers: Floats, player: int, event_member: int, known_until: int) -> Floats:
    """Return the row of `Pools.summary` as known before a game in the pool of a player, a newcomer's being the event's.

    Args:
        pools: Of all.
        strangers: The same of players without a pool, shape (LEARNED + TERMS,).
        player: Who plays.
        event_member: Somebody of the event, -1: none.
        known_until: Game before which everything is known.
    """
    summary: Floats = strangers
    head = head_of(pools, player)
    if head < 0:
        head = head_of(pools, event_member)
    if head >= 0 and pools.last_game[head] >= 0:
        if pools.last_game[head] < known_until:
            summary = pools.summary[head]
        elif pools.day_start_game[head] <= known_until and pools.day_start_summary[head, 0] > 0.0:
            summary = pools.day_start_summary[head]
    return summary
