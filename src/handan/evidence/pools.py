"""Which players the games join, which few games everything hangs on, and which game would tell most."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from handan.errors import InputError
from handan.evidence.evaluation_task import countable
from handan.kernels.connectivity import pools
from handan.kernels.types import Floats, Ints
from handan.ledger import Ledger

MOST_SHOWN = 20  # our choice
MOST_SOLVED = 1500  # players; our choice: a matrix of more takes too long
ALIKE = 1e-9  # pairs whose worth differs by less are alike: the first is named, however a machine rounds
INFORMATION = 0.25  # of a game between equals, p (1 - p)


@dataclass(frozen=True, slots=True)
class Pool:
    """Players whom games join."""

    players: int
    games: int
    busiest: str
    """Who played most."""


@dataclass(frozen=True, slots=True)
class Bridge:
    """A pair whose games alone join two parts."""

    one: str
    other: str
    games: int
    players: int
    """In the smaller part, which would be cut off."""


@dataclass(frozen=True, slots=True)
class Telling:
    """A game that would make strengths surer than any other."""

    one: str
    other: str
    gain: float
    """Share of the uncertainty of all strengths of the largest pool that one such game would take away; 1 where it
    would join two pools."""


@dataclass(frozen=True, slots=True)
class Connections:
    """How the games join the players."""

    pools: tuple[Pool, ...]
    """The largest first."""
    bridges: tuple[Bridge, ...]
    """Those that would cut off most first."""
    telling: tuple[Telling, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        return asdict(self)


def connections(ledger: Ledger) -> Connections:
    """Return how the games of a ledger join its players; InputError without a game played to a result on 19x19."""
    at = np.flatnonzero(countable(ledger))
    if not len(at):
        raise InputError("no game was played to a result on 19x19, so nobody is joined to anybody")
    black, white = ledger.arrays.seats[0][at], ledger.arrays.seats[1][at]
    names = [player.name for player in ledger.players]
    pool = pools(black, white, len(names))
    played = np.bincount(np.concatenate((black, white)), minlength=len(names))
    of_game = np.bincount(pool[black], minlength=pool.max() + 1)
    members = [np.flatnonzero(pool == number) for number in range(pool.max() + 1)]
    busiest = [int(each[np.argmax(played[each])]) for each in members]
    listed = tuple(Pool(len(each), int(of_game[number]), names[busiest[number]]) for number, each in enumerate(members))
    pair, count = np.unique(
        np.sort(np.stack((black, white), axis=1).astype(np.int64), axis=1), axis=0, return_counts=True
    )
    cut = bridges(pair, len(names))
    cut = [(edge, min(size, len(members[pool[pair[edge, 0]]]) - size)) for edge, size in cut]
    cut = sorted(((edge, size) for edge, size in cut if size > 1), key=lambda each: (-each[1], each[0]))
    spans = tuple(Bridge(names[pair[e, 0]], names[pair[e, 1]], int(count[e]), size) for e, size in cut)
    between = [Telling(names[busiest[0]], names[other], 1.0) for other in busiest[1:]]
    best = _telling(pair, count, members[0])
    within = [Telling(names[best[0]], names[best[1]], best[2])] if best is not None else []
    return Connections(listed, spans, (*between, *within))


def bridges(pair: Ints, players: int) -> list[tuple[int, int]]:
    """Return the pairs whose loss cuts a pool in two, with the number of players beyond each.

    Source: R. Tarjan, "A note on finding the bridges of a graph" (1974).

    Args:
        pair: Two players each, every pair once, shape (pairs, 2).
        players: How many there are.
    """
    ways: list[list[tuple[int, int]]] = [[] for _ in range(players)]
    for edge, (one, other) in enumerate(pair.tolist()):
        ways[one].append((other, edge))
        ways[other].append((one, edge))
    number, low, size = [-1] * players, [0] * players, [1] * players
    answer, seen = [], 0
    for start in range(players):
        if number[start] >= 0 or not ways[start]:
            continue
        number[start] = low[start] = seen
        seen += 1
        stack = [(start, -1, iter(ways[start]))]
        while stack:
            player, came, rest = stack[-1]
            for other, edge in rest:
                if edge == came:
                    continue
                if number[other] >= 0:
                    low[player] = min(low[player], number[other])
                    continue
                number[other] = low[other] = seen
                seen += 1
                stack.append((other, edge, iter(ways[other])))
                break
            else:
                stack.pop()
                if stack:
                    before = stack[-1][0]
                    low[before] = min(low[before], low[player])
                    size[before] += size[player]
                    if low[player] > number[before]:
                        answer.append((came, size[player]))
    return answer


def _telling(pair: Ints, count: Ints, members: Ints) -> tuple[int, int, float] | None:
    """Return the pair whose next game would make strengths surest, and the share of variance it takes away.

    Every game counts as one between equals. With L the information of all games, a game of i and j takes
    |L+ (e_i - e_j)|^2 / (1 / w + (e_i - e_j)' L+ (e_i - e_j)) from the sum of variances (Sherman and Morrison, 1950).
    """
    size = len(members)
    if not 2 < size <= MOST_SOLVED:
        return None
    inside = np.isin(pair[:, 0], members)
    place = np.searchsorted(members, pair[inside])
    weight = INFORMATION * count[inside]
    matrix = np.zeros((size, size))
    np.subtract.at(matrix, (place[:, 0], place[:, 1]), weight)
    matrix += matrix.T
    np.fill_diagonal(matrix, -matrix.sum(axis=1))
    spread: Floats = np.asarray(np.linalg.inv(matrix + 1.0 / size), dtype=np.float64) - 1.0 / size
    twice = spread @ spread
    apart, gain = (np.add.outer(np.diag(each), np.diag(each)) - 2.0 * each for each in (spread, twice))
    worth = np.triu(gain / (1.0 / INFORMATION + apart), 1)
    one, other = divmod(int(np.argmax(worth >= worth.max() * (1.0 - ALIKE))), size)
    return int(members[one]), int(members[other]), float(worth[one, other] / np.trace(spread))
