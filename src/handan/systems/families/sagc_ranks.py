"""Ranks and indices of the South African clubs as numbers, what a change makes of them, their clauses."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from handan.kernels.compiling import kernel

if TYPE_CHECKING:
    from handan.ranks import Rank

WEAKEST, STRONGEST = 1, 39  # rank numbers of 30 kyu and 9 dan
LIMIT = 999.0
FLOORS = (-800.0, -850.0, -900.0, -950.0, -999.0)
"""All demotion floors; a tier uses the last ones."""
LEVEL = "x^2 + 1.5 x + 55 + x^5 / 30000 with x = {x} stones below 7 dan."
KINDS = "Tournament {tournament:g}, club {club:g}, friendly {friendly:g}, free 0."
MEETINGS = "1 less 0.1 for each game with this opponent among the previous ten ({met}), at least 0.1."
ZONE = "{zone} zone, {outcome}, differential {by:+d}."
STONES = "1 less 0.05 for each stone of effective handicap ({stones}), at least 0.1."


def number_of(rank: Rank) -> int:
    """Return the rank number (30k = 1, 1d = 31) of a rank; a professional counts as the amateur nearest in strength."""
    return min(max(round(rank.stones), WEAKEST), STRONGEST)


def index_of(rating: float | None) -> float:
    """Return the index that an adjustment sets: 0 for a rank alone, and never beyond -999 to +999."""
    return min(max(rating or 0.0, -LIMIT), LIMIT)


@kernel
def floor_count(number: int) -> int:
    """Return how many demotion floors protect a rank: 5 at 25-29k, 4 at 20-24k, 3 at 10-19k, 2 at 5-9k, else 1."""
    kyu = 31 - number
    if number == WEAKEST:
        return 1  # never demoted: only the clamp at -999
    return 5 if kyu >= 25 else 4 if kyu >= 20 else 3 if kyu >= 10 else 2 if kyu >= 5 else 1


@kernel
def next_floor(number: int, index: float, zones: bool) -> float:  # noqa: FBT001  # a setting of the system
    """Return the lowest index that one loss can lead to; minus infinity where a loss may demote.

    By zones, as in the worked example of an 11k: index >= 0 stops at the first floor, an index above the first floor
    at the second, and so on. Otherwise by the general sentence: "the next floor below the current index".
    """
    step = len(FLOORS) - floor_count(number)
    if zones and index < 0:
        step += 1
    for place in range(len(FLOORS) - floor_count(number), len(FLOORS)):
        if index < FLOORS[place] or (not zones and index == FLOORS[place]):
            step += 1
    return FLOORS[step] if step < len(FLOORS) else -math.inf


@kernel
def moved(number: int, index: float, change: float, zones: bool) -> tuple[int, float]:  # noqa: FBT001  # a setting
    """Return rank number and index after a change: past +999 a rank up, past -999 a rank down, each at index 0."""
    new = index + change
    if change < 0:
        new = max(new, next_floor(number, index, zones))
    if number == WEAKEST:
        new = max(new, -LIMIT)
    if number == STRONGEST:
        new = min(new, LIMIT)  # our choice: nobody is promoted beyond the highest rank that has a name
    if new > LIMIT:
        return number + 1, 0.0
    if new < -LIMIT:
        return number - 1, 0.0
    return number, new
