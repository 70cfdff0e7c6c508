"""Which players games connect, and which results allow finite strengths.

Two players without any chain of games between them share no scale. Strengths are finite where everybody in a pool can
be reached from everybody by won games (L. Ford, 1957): where the graph of wins is strongly connected.
"""

from __future__ import annotations

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.types import Flags, Ints, Seats


@kernel
def root(parent: Ints, player: int) -> int:
    """Return the head of the player's group, shortening the way for the next question."""
    while parent[player] != player:
        parent[player] = parent[parent[player]]
        player = parent[player]
    return player


@kernel
def unite(parent: Ints, one: int, other: int) -> None:
    """Join the groups of two players; the smaller index heads a group."""
    for player in (one, other):
        if parent[player] < 0:
            parent[player] = player
    first, second = root(parent, one), root(parent, other)
    parent[first] = parent[second] = min(first, second)


@kernel
def join(black: Seats, white: Seats, parent: Ints) -> None:
    """Join the groups of the two players of every game; the smaller index heads a group; -1 stays without a game."""
    for game in range(len(black)):
        unite(parent, int(black[game]), int(white[game]))


def pools(black: Seats, white: Seats, players: int, before: Ints | None = None) -> Ints:
    """Return the pool of every player, shape (players,): 0 for the largest pool, then by size; -1 without a game.

    Args:
        black, white: Index of the player on each side of each game, shape (games,).
        players: Number of players.
        before: What this function has said of earlier games, which count too; None: there are none.
    """
    if before is not None and players:
        few = len(black) < players  # else joining them takes not much longer
        if not before.any() or (few and _within_pools(black, white, before)):
            return before
    head = np.full(players, -1, dtype=np.int64)
    if before is not None and (before >= 0).any():
        first = np.zeros(int(before.max()) + 1, dtype=np.int64)
        plays = np.flatnonzero(before >= 0)[::-1]
        first[before[plays]] = plays  # of those of a pool the last one stays, which is the first player
        head = np.where(before >= 0, first[before], -1)
    join.for_work(len(black))(black, white, head)
    plays = np.flatnonzero(head >= 0)
    while not np.array_equal(head[plays], head[head[plays]]):
        head[plays] = head[head[plays]]
    members = np.bincount(head[plays], minlength=players)
    heads = np.flatnonzero(members)
    number = np.full(players, -1, dtype=np.int64)
    number[heads[np.argsort(-members[heads], kind="stable")]] = np.arange(len(heads))
    number[plays] = number[head[plays]]
    return number


def _within_pools(black: Seats, white: Seats, pool: Ints) -> bool:
    """Return whether every game is one of two players of the same pool."""
    own = pool[black]
    return bool(((own >= 0) & (own == pool[white])).all())


@kernel
def reach(start: int, first: Ints, target: Ints, seen: Flags) -> None:
    """Mark all players whom a chain of edges joins to `start`; the edges of player i are first[i] to first[i + 1]."""
    stack = np.empty(len(target) + 1, dtype=np.int64)
    stack[0], size = start, 1
    seen[start] = True
    while size > 0:
        size -= 1
        player = stack[size]
        for edge in range(first[player], first[player + 1]):
            if not seen[target[edge]]:
                seen[target[edge]] = True
                stack[size] = target[edge]
                size += 1


def without_finite_mle(winner: Ints, loser: Ints, pool: Ints) -> Ints:
    """Return the players whose strength relative to their pool has no finite most likely value.

    Args:
        winner, loser: One row a result; a draw is two rows, shape (results,).
        pool: Pool of each player, -1 without games, shape (players,).
    """
    players = len(pool)
    seen = [np.zeros(players, dtype=np.bool_) for _ in range(2)]
    members, heads = np.unique(pool, return_index=True)
    for marks, one, other in zip(seen, (winner, loser), (loser, winner), strict=True):
        order = np.argsort(one, kind="stable")
        first = np.searchsorted(one[order], np.arange(players + 1))
        for number, head in zip(members, heads, strict=True):
            if number >= 0:
                reach.for_work(len(one))(int(head), first, other[order], marks)
    return np.flatnonzero((pool >= 0) & ~(seen[0] & seen[1]))
