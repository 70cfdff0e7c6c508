"""Whether results allow finite strengths: everybody in a pool must be reachable from everybody by won games."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from handan.kernels.compiling import kernel


@kernel
def reach(start: int, first: NDArray[np.int64], target: NDArray[np.int64], seen: NDArray[np.bool_]) -> None:
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


def apart(winner: NDArray[np.int64], loser: NDArray[np.int64], pool: NDArray[np.int64]) -> NDArray[np.int64]:
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
