"""The log posterior of strengths from the side of some players: what their own games say, whoever has the others.

Every game stands in two rows, one for each of its players. So a player's sums are made in one place, over rows in an
order that follows from the games alone, and are the same to the last bit however the players are dealt out.
"""

from __future__ import annotations

from typing import NamedTuple

from handan.kernels.compiling import unlocked_kernel
from handan.kernels.posterior.likelihood import win_and_information
from handan.kernels.types import Floats, Ints, Seats

GRADIENT, CURVATURE, CROSS, SURPRISE, INFORMATION = range(5)
"""Columns of what `linearise_own` fills; the last two are of the games as Black in which a worth is learned."""


class Rows(NamedTuple):
    """Games of some players, each from the side of its own player; those of one player lie side by side."""

    first: Ints
    """First row of each own player, and the number of rows, shape (own + 1,)."""
    other: Seats
    """The opponent, shape (rows,)."""
    kind: Seats
    """Which of the different results and terms, shape (rows,)."""
    weight: Floats
    """Of all games that are alike, shape (rows,)."""
    bonus: Floats
    """What the terms are worth to the own player, natural units, shape (kinds,)."""
    score: Floats
    """Of the own player, shape (kinds,)."""
    sign: Floats
    """1 where a worth is learned that helps the own player, -1 where it helps the opponent, else 0, shape (kinds,)."""


@unlocked_kernel
def linearise_own(rows: Rows, start: int, level: Floats, worth: float, sums: Floats, pull: Floats) -> None:
    """Fill the sums of each own player, shape (own, 5), and w p (1 - p) of each row, shape (rows,).

    Args:
        rows: The games.
        start: Index of the first own player among all.
        level: Strength with entry of all players, natural units, shape (players,).
        worth: The worth that is learned, natural units.
        sums: Filled: gradient, curvature, curvature shared with the worth; and gradient and curvature of the worth.
        pull: Filled.
    """
    for own in range(len(rows.first) - 1):
        gradient, curvature, cross, surprise, information = 0.0, 0.0, 0.0, 0.0, 0.0
        for row in range(rows.first[own], rows.first[own + 1]):
            kind, weight = rows.kind[row], rows.weight[row]
            sign = rows.sign[kind]
            lead = level[start + own] - level[rows.other[row]] + rows.bonus[kind] + sign * worth
            p, information_of_one = win_and_information(lead)
            more = weight * (rows.score[kind] - p)
            pull[row] = weight * information_of_one
            gradient += more
            curvature += pull[row]
            cross += sign * pull[row]
            if sign > 0.0:
                surprise += more
                information += pull[row]
        sums[own, 0], sums[own, 1], sums[own, 2] = gradient, curvature, cross
        sums[own, 3], sums[own, 4] = surprise, information


@unlocked_kernel
def multiply_own(rows: Rows, pull: Floats, way: Floats, product: Floats) -> None:
    """Fill what opponents add to the negative Hessian times `way`, shape (own,)."""
    for own in range(len(rows.first) - 1):
        total = 0.0
        for row in range(rows.first[own], rows.first[own + 1]):
            total -= pull[row] * way[rows.other[row]]
        product[own] = total


@unlocked_kernel
def widest_own(rows: Rows, start: int, step: Floats, worth: float) -> float:
    """Return the largest change that a step makes to the lead in any game."""
    width = 0.0
    for own in range(len(rows.first) - 1):
        for row in range(rows.first[own], rows.first[own + 1]):
            change = step[start + own] - step[rows.other[row]] + rows.sign[rows.kind[row]] * worth
            width = max(width, abs(change))
    return width
