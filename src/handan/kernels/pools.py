"""Which players are connected by games: two players without any chain of games between them share no scale."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from handan.kernels.compiling import kernel

Seats = NDArray[np.uint32]


@kernel
def root(parent: NDArray[np.int64], player: int) -> int:
    """Return the head of the player's group, shortening the way for the next question."""
    while parent[player] != player:
        parent[player] = parent[parent[player]]
        player = parent[player]
    return player


@kernel
def join(black: Seats, white: Seats, parent: NDArray[np.int64]) -> None:
    """Join the groups of the two players of every game; the smaller index heads a group; -1 stays without a game."""
    for game in range(len(black)):
        b, w = int(black[game]), int(white[game])
        if parent[b] < 0:
            parent[b] = b
        if parent[w] < 0:
            parent[w] = w
        one, other = root(parent, b), root(parent, w)
        if one < other:
            parent[other] = one
        else:
            parent[one] = other


def pools(black: Seats, white: Seats, players: int) -> NDArray[np.int64]:
    """Return the pool of every player, shape (players,): 0 for the largest pool, then by size; -1 without a game."""
    head = np.full(players, -1, dtype=np.int64)
    join.for_work(len(black))(black, white, head)
    plays = np.flatnonzero(head >= 0)
    while not np.array_equal(head[plays], head[head[plays]]):
        head[plays] = head[head[plays]]
    heads, members = np.unique(head[plays], return_counts=True)
    number = np.full(players, -1, dtype=np.int64)
    number[heads[np.lexsort((heads, -members))]] = np.arange(len(heads))
    number[plays] = number[head[plays]]
    return number
