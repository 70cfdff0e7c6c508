"""How many games a loop takes side by side, in vector registers."""

from __future__ import annotations

from typing import Any

from handan.kernels.compiling import Kernel, kernel

ABREAST = 64
"""Games that are rated side by side at most; our choice."""
WIDTH = 8
"""Numbers of 64 bits that the widest registers hold: so many games are computed at a time."""


@kernel
def filled_lanes(games: int) -> int:
    """Return how many games fill the registers."""
    return (games + WIDTH - 1) // WIDTH * WIDTH


class Lanes(Kernel[[int], int]):
    """A kernel that says more games in machine code, which computes as many in the same time, than in plain Python."""

    @property
    def digest(self) -> str:
        """That of the compiled form."""
        return filled_lanes.digest

    @property
    def inner(self) -> Any:
        """The compiled form."""
        return filled_lanes.inner


@Lanes
def lanes_for(games: int) -> int:
    """Return how many games are computed for so many; what comes of those behind them is not read."""
    return games
