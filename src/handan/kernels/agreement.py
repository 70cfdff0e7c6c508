"""Ratings at which what is expected of every player agrees with his results, found player by player.

A system binds `tell`, what one result says under its law, and `weigh`, how much a game of some age counts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from handan.kernels.compiling import kernel

INNER = 4  # our choice: steps for one player before the next one; the sweeps do the rest
LONGEST = 2.0  # our choice: ranks of one step, which keeps far players from overshooting


@kernel
def tell(score: float, own: float, other: float, worth: float) -> tuple[float, float, float]:  # noqa: ARG001  # bound
    """Return slope and curvature of the log-likelihood in the own rating, and the information of such a game."""
    return 0.0, 1.0, 1.0


@kernel
def weigh(age: float, own: float) -> float:  # noqa: ARG001  # bound by a system
    """Return how much a game so many days old counts for a player."""
    return 1.0


@kernel
def weight_and_pull(
    first: int, end: int, other: NDArray[np.int64], score: NDArray[np.float64], worth: NDArray[np.float64],
    age: NDArray[np.float64], own: float, anchor: float, prior: float, rating: NDArray[np.float64],
) -> tuple[float, float, float]:  # fmt: skip
    """Return slope, curvature and information of all that is known of one player at a rating."""
    slope, curve, known = 0.0, 0.0, 0.0
    for result in (1.0, 0.0):
        s, c, i = tell(result, own, anchor, 0.0)
        slope, curve, known = slope + prior * s, curve + prior * c, known + prior * i
    for entry in range(first, end):
        w = weigh(age[entry], own)
        s, c, i = tell(score[entry], own, rating[other[entry]], worth[entry])
        slope, curve, known = slope + w * s, curve + w * c, known + w * i
    return slope, curve, known


@kernel
def agree(
    first: NDArray[np.int64], other: NDArray[np.int64], score: NDArray[np.float64], worth: NDArray[np.float64],
    age: NDArray[np.float64], anchor: NDArray[np.float64], prior: float, tolerance: float, sweeps: int,
    rating: NDArray[np.float64],
) -> tuple[int, float]:  # fmt: skip
    """Sweep over the players until a sweep moves nobody by `tolerance`; return the sweeps and the largest last move.

    Args:
        first: First entry of each player, and the end, shape (players + 1,).
        other, score, worth, age: Opponent, own score, worth of the terms to the own side and age in days of each
            entry; a game has two, shape (entries,).
        anchor: Rating of the virtual opponent of each player, shape (players,).
        prior: Virtual wins, and as many losses, against it.
        tolerance, sweeps: When to end.
        rating: Moved to the answer.
    """
    moved = 0.0
    for number in range(1, sweeps + 1):
        moved = 0.0
        for player in range(len(anchor)):
            if first[player] == first[player + 1]:
                continue
            old = rating[player]
            low, high, own = -np.inf, np.inf, old
            for _ in range(INNER):
                slope, curve, known = weight_and_pull(
                    first[player], first[player + 1], other, score, worth, age, own, anchor[player], prior, rating
                )
                if slope > 0.0:
                    low = own
                else:
                    high = own
                step = slope / max(curve, 0.25 * known)
                new = own + min(max(step, -LONGEST), LONGEST)
                if not low <= new <= high:
                    new = 0.5 * (low + high)
                last, own = own, new
                if abs(own - last) < 0.1 * tolerance:
                    break
            rating[player] = own
            moved = max(moved, abs(own - old))
        if moved < tolerance:
            return number, moved
    return sweeps, moved


@kernel
def tell_each(
    score: NDArray[np.float64], own: NDArray[np.float64], other: NDArray[np.float64], worth: NDArray[np.float64],
    age: NDArray[np.float64], slope: NDArray[np.float64], known: NDArray[np.float64],
) -> None:  # fmt: skip
    """Fill weighted slope and information of each game for one side, shape (games,), at ratings that were found."""
    for game in range(len(score)):
        w = weigh(age[game], own[game])
        s, _, i = tell(score[game], own[game], other[game], worth[game])
        slope[game], known[game] = w * s, w * i
