"""The log posterior of whole histories from the side of some players: their days and games, whoever has the others.

A node is a player's day. Own nodes come first, by player and day; behind them are those of opponents who are elsewhere.
Every game stands in a row of each of its own nodes, in an order that follows from the games alone, and sums over the
days of a player are made here. So they are the same to the last bit however the players are dealt out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from handan.kernels.compiling import unlocked_kernel
from handan.kernels.posterior.history_newton import LEAST
from handan.kernels.posterior.likelihood import win_and_information
from handan.kernels.prefetching import GAMES_AHEAD, MANY_DAYS, prefetch
from handan.kernels.types import Floats, Ints, Kinds, Nodes, Numbers, Seats

ENERGY, TOTAL, LARGEST = range(3)
"""Columns of what `relax_own` fills of each player."""
SLOPE, HOLD = range(2)
"""Columns of what `linearise_days` fills of each player: gradient times step, and the information of the entry."""


class OwnDays(NamedTuple):
    """The days of some players and the games on them."""

    begin: Ints
    """First node of each own player, and the number of own nodes, shape (own + 1,)."""
    gap: Nodes
    """Periods since the same player's previous day, 0 on the first, shape (own nodes,)."""
    first: Ints
    """First row of each own node, and the number of rows, shape (own nodes + 1,)."""
    other: Nodes
    """Node of the opponent, shape (rows,)."""
    kind: Kinds
    """Which of the different results and terms, seen from one side, shape (rows,)."""
    score: Floats
    """Of the own player, shape (kinds,)."""
    bonus: Floats
    """What the terms are worth to the own player, natural units, shape (kinds,)."""
    links: Floats
    """1 / variance of a step over so many periods, 0 for none, shape (longest gap + 1,)."""
    prior: float
    """Virtual wins, and as many virtual losses, on each player's first day against the entry."""
    entry: Floats
    """Of each own player, natural units, shape (own,)."""


class Vectors(NamedTuple):
    """What a step is found with."""

    strength: Floats
    """With the entry, natural units, shape (own nodes,)."""
    seen: Floats
    """What is looked at of own and other nodes: strengths, or the direction of a round, shape (nodes,)."""
    information: Floats
    """Of games and prior, shape (own nodes,)."""
    pull: Floats
    """p (1 - p) of each row, shape (rows,)."""
    pivot: Floats
    """1 / the pivot of each node in its player's own system, shape (own nodes,)."""
    step: Floats
    """The solution so far, shape (own nodes,)."""
    rest: Floats
    """What it leaves of the gradient, shape (own nodes,)."""
    fresh: Floats
    """The solution of the players' own systems for the rest, and between two of these the product, (own nodes,)."""


@unlocked_kernel
def count_days(black: Seats, white: Seats, period: Numbers, last: Numbers, days: Ints) -> None:
    """Count the days of each player with games, shape (players,).

    Args:
        black, white: Players of games in the order of time, shape (games,).
        period: Of each game, shape (games,).
        last: The last period of each player, shape (players,); filled with none that there is.
        days: 0 for each player; filled.
    """
    for game in range(len(black)):
        for player in (black[game], white[game]):
            if days[player] == 0 or last[player] != period[game]:
                last[player] = period[game]
                days[player] += 1


@unlocked_kernel
def number_nodes(
    sides: tuple[Seats, Seats], period: Numbers, begin: Ints, last: Numbers, days: Ints, nodes: tuple[Nodes, Nodes],
    gap: Nodes, rows: Ints,
) -> None:  # fmt: skip
    """Number the nodes of both sides of games in the order of time, and count the rows of own nodes.

    Args:
        sides: Black and White of each game, shape (games,) each.
        period: Of each game, shape (games,).
        begin: First node of each player, shape (players,).
        last: As in `count_days`; room, shape (players,).
        days: 0 for each player; filled with the number of days.
        nodes: Filled: node of Black and of White in each game, shape (games,) each.
        gap: Filled: periods since the previous day of each own node, shape (own nodes,).
        rows: 0 for each own node, and one more before; filled with the number of rows, shape (own nodes + 1,).
    """
    own = len(gap)
    for game in range(len(period)):
        for side in range(2):
            player = sides[side][game]
            node = begin[player] + days[player]
            if days[player] == 0 or last[player] != period[game]:
                if node < own:
                    gap[node] = period[game] - last[player] if days[player] > 0 else 0
                last[player] = period[game]
                days[player] += 1
            else:
                node -= 1
            nodes[side][game] = node
            if node < own:
                rows[node + 1] += 1


@unlocked_kernel
def lay_out_rows(nodes: tuple[Nodes, Nodes], kinds: Kinds, place: Ints, other: Nodes, kind: Kinds) -> None:
    """Put the games of each own node behind each other, in the order of time; kinds of White are odd.

    Args:
        nodes: Of Black and White in each game, shape (games,) each.
        kinds: Of each game, shape (games,).
        place: First row of each own node, shape (own nodes,); moved on to the one behind its last.
        other, kind: Filled, shape (rows,).
    """
    for game in range(len(kinds)):
        for side in range(2):
            node = nodes[side][game]
            if node < len(place):
                row = place[node]
                other[row], kind[row] = nodes[1 - side][game], 2 * kinds[game] + side
                place[node] += 1


@unlocked_kernel
def spread_entries(model: OwnDays, strength: Floats) -> None:
    """Fill the strength of each day with the player's entry."""
    for player in range(len(model.entry)):
        for node in range(model.begin[player], model.begin[player + 1]):
            strength[node] = model.entry[player]


@unlocked_kernel
def linearise_days(model: OwnDays, vectors: Vectors, sums: Floats) -> None:
    """Fill information and `pull` where `seen` has the strengths of all nodes, and `rest` with the gradient.

    Args:
        model: The days.
        vectors: `step` may be that of before.
        sums: Filled, shape (own, 2): the gradient times the step, and the information of the entry.
    """
    _, seen, information, pull, _, step, rest, _ = vectors
    gap, first, links = model.gap, model.first, model.links
    far = len(seen) >= MANY_DAYS
    for player in range(len(model.entry)):
        begin, end, slope, hold = model.begin[player], model.begin[player + 1], 0.0, 0.0
        for node in range(begin, end):
            own, gradient, weights = seen[node], 0.0, 0.0
            if node == begin:
                p, weight = win_and_information(own - model.entry[player])
                hold = 2.0 * model.prior * weight
                gradient, weights = model.prior * (1.0 - 2.0 * p), hold
            else:
                gradient -= links[gap[node]] * (own - seen[node - 1])
            if node + 1 < end:
                gradient += links[gap[node + 1]] * (seen[node + 1] - own)
            for row in range(first[node], first[node + 1]):
                if far:
                    prefetch(seen, model.other[min(row + GAMES_AHEAD, len(pull) - 1)])
                kind = model.kind[row]
                p, weight = win_and_information(own - seen[model.other[row]] + model.bonus[kind])
                gradient += model.score[kind] - p
                weights += weight
                pull[row] = weight
            rest[node], information[node] = gradient, weights
            slope += gradient * step[node]
        sums[player, 0], sums[player, 1] = slope, hold


@unlocked_kernel
def factorise_own(model: OwnDays, vectors: Vectors) -> None:
    """Fill the reciprocal pivots of the tridiagonal system of each player, all other players held fixed."""
    pivot, information = vectors.pivot, vectors.information
    for player in range(len(model.entry)):
        begin, end, through = model.begin[player], model.begin[player + 1], 0.0
        for node in range(begin, end):
            own = max(information[node] + through, LEAST)
            link = model.links[model.gap[node + 1]] if node + 1 < end else 0.0
            pivot[node] = 1.0 / (own + link)
            through = link * own * pivot[node]


@unlocked_kernel
def relax_own(model: OwnDays, stride: float, vectors: Vectors, sums: Floats) -> None:
    """Step `stride` along the direction, of which `fresh` has the product, then solve the players' own systems.

    Args:
        model: The days.
        stride: 0 before the first round.
        vectors: `seen` has the direction.
        sums: Filled, shape (own, 3): rest times `fresh`, the sum of the rest, the largest change.
    """
    _, seen, _, _, pivot, step, rest, fresh = vectors
    for player in range(len(model.entry)):
        begin, end = model.begin[player], model.begin[player + 1]
        energy, total, largest, before = 0.0, 0.0, 0.0, 0.0
        for node in range(begin, end):
            change = stride * seen[node]
            step[node] += change
            largest = max(largest, abs(change))
            rest[node] -= stride * fresh[node]
            total += rest[node]
            left = rest[node] + before
            fresh[node] = pivot[node] * left
            energy += left * fresh[node]
            if node + 1 < end:
                before = model.links[model.gap[node + 1]] * fresh[node]
        for node in range(end - 2, begin - 1, -1):
            fresh[node] += model.links[model.gap[node + 1]] * pivot[node] * fresh[node + 1]
        sums[player, 0], sums[player, 1], sums[player, 2] = energy, total, largest


@unlocked_kernel
def multiply_days(model: OwnDays, share: float, level: float, others: Floats, vectors: Vectors, sums: Floats) -> None:
    """Set direction = fresh + level + share * direction, of all nodes, and `fresh` to the negative Hessian times it.

    Args:
        model: The days.
        share: Of the direction of before.
        level: Part of the direction in which all days are shifted alike.
        others: What the workers of the other nodes have as `fresh`, shape (nodes - own nodes,).
        vectors: `seen` has the direction.
        sums: Filled with direction times product of each player, shape (own,).
    """
    _, seen, information, pull, _, _, _, fresh = vectors
    gap, first, links, own_nodes = model.gap, model.first, model.links, len(fresh)
    far = len(seen) >= MANY_DAYS
    for node in range(own_nodes):
        seen[node] = fresh[node] + level + share * seen[node]
    for place in range(len(others)):
        seen[own_nodes + place] = others[place] + level + share * seen[own_nodes + place]
    for player in range(len(model.entry)):
        begin, end, square = model.begin[player], model.begin[player + 1], 0.0
        for node in range(begin, end):
            own = seen[node]
            product = information[node] * own
            if node > begin:
                product += links[gap[node]] * (own - seen[node - 1])
            if node + 1 < end:
                product += links[gap[node + 1]] * (own - seen[node + 1])
            for row in range(first[node], first[node + 1]):
                if far:
                    prefetch(seen, model.other[min(row + GAMES_AHEAD, len(pull) - 1)])
                product -= pull[row] * seen[model.other[row]]
            fresh[node] = product
            square += own * product
        sums[player] = square


@unlocked_kernel
def widest_days(model: OwnDays, vectors: Vectors) -> float:
    """Return the largest change to the lead in any game, or in a virtual one, of a step which `seen` has."""
    seen, width = vectors.seen, 0.0
    for player in range(len(model.entry)):
        begin, end = model.begin[player], model.begin[player + 1]
        if end > begin:
            width = max(width, abs(seen[begin]))
        for node in range(begin, end):
            for row in range(model.first[node], model.first[node + 1]):
                width = max(width, abs(seen[node] - seen[model.other[row]]))
    return width


@unlocked_kernel
def last_days(model: OwnDays, vectors: Vectors, shift: float, last: Floats) -> None:
    """Fill strength and variance of each player on the last day, all others held fixed; NaN without games, (own, 2).

    Args:
        model: The days.
        vectors: `information` is that of the strengths.
        shift: Added to the information of each day.
        last: Filled.
    """
    last[:] = np.nan
    for player in range(len(model.entry)):
        begin, end, tells = model.begin[player], model.begin[player + 1], 0.0
        for node in range(begin, end):
            if node > begin:
                link = model.links[model.gap[node]]
                tells = link * tells / (link + tells)
            tells += vectors.information[node] + shift
        if end > begin:
            last[player, 0], last[player, 1] = vectors.strength[end - 1], 1.0 / tells
