"""The chain of one player's days, all other players held fixed: its covariances, and the last day's row of the inverse.

All arrays have shape (nodes,); a node comes after the previous node of its player. The system of a chain is
tridiagonal: `diagonal` on its diagonal, minus `link` between a node and its previous one.
"""

from __future__ import annotations

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.posterior.graph import Days
from handan.kernels.types import Floats, Ints


@kernel
def covariances(
    previous: Ints,
    link: Floats,
    diagonal: Floats,
    variance: Floats,
    covariance: Floats,
) -> None:
    """Fill the diagonal of the inverse, and its entry between each node and its previous one (0 on a first day).

    With pivots from both ends, d from the first day and e from the last, an entry of the diagonal is
    1 / (d_i + e_i - h_i), and its neighbour link / d_(i-1) times it.
    """
    count = len(diagonal)
    pivot, other = np.empty(count), diagonal.copy()
    for node in range(count):
        last = previous[node]
        pivot[node] = diagonal[node] - (link[node] * link[node] / pivot[last] if last != node else 0.0)
    for node in range(count - 1, -1, -1):
        last = previous[node]
        variance[node] = 1.0 / (pivot[node] + other[node] - diagonal[node])
        covariance[node] = 0.0
        if last != node:
            other[last] -= link[node] * link[node] / other[node]
            covariance[node] = link[node] / pivot[last] * variance[node]


@kernel
def last_day_row(
    previous: Ints,
    link: Floats,
    diagonal: Floats,
    last: Ints,
    share: Floats,
) -> None:
    """Fill the row of the inverse that belongs to the last day of each node's player.

    Args:
        previous, link, diagonal: The chains.
        last: Node of each player's last day, -1 for none, shape (players,).
        share: Filled.
    """
    pivot = np.empty(len(diagonal))
    for node in range(len(diagonal)):
        before = previous[node]
        pivot[node] = diagonal[node] - (link[node] * link[node] / pivot[before] if before != node else 0.0)
        share[node] = 0.0
    for node in last:
        if node >= 0:
            share[node] = 1.0 / pivot[node]
    for node in range(len(diagonal) - 1, -1, -1):
        before = previous[node]
        if before != node:
            share[before] = link[node] / pivot[before] * share[node]


@kernel
def eliminate_days(days: Days, links: Floats, information: Floats) -> None:
    """Add to the information on each day what the player's earlier days tell of it, all other players held fixed.

    Of h on a day with all before it, link h / (link + h) comes through to the next. On the last day it is 1 / variance.
    """
    for node in range(len(days.following)):
        after = days.following[node]
        if after != node:
            link, own = links[days.gap[node]], information[node]
            information[after] += link * own / (link + own)
