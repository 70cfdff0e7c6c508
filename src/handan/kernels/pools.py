"""Which players are connected by games: two players without any chain of games between them share no scale."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from handan.kernels.compiling import kernel


@kernel
def root(parent: NDArray[np.int64], player: int) -> int:
    """Return the head of the player's group, shortening the way for the next question."""
    while parent[player] != player:
        parent[player] = parent[parent[player]]
        player = parent[player]
    return player


@kernel
def join(black: NDArray[np.int64], white: NDArray[np.int64], parent: NDArray[np.int64]) -> None:
    """Join the groups of the two players of every game; the smaller index heads a group."""
    for game in range(len(black)):
        one = root(parent, black[game])
        other = root(parent, white[game])
        if one < other:
            parent[other] = one
        else:
            parent[one] = other


def pools(black: NDArray[np.int64], white: NDArray[np.int64], players: int) -> NDArray[np.int64]:
    """Return the pool of every player, shape (players,): 0 for the largest pool, then by size; -1 without a game."""
    parent = np.arange(players, dtype=np.int64)
    join.for_work(len(black))(black, white, parent)
    while not np.array_equal(parent, parent[parent]):
        parent = parent[parent]
    plays = np.zeros(players, dtype=bool)
    plays[black] = True
    plays[white] = True
    heads, members = np.unique(parent[plays], return_counts=True)
    number = np.full(players, -1, dtype=np.int64)
    number[heads[np.lexsort((heads, -members))]] = np.arange(len(heads))
    return np.where(plays, number[parent], -1)
