"""How many games a loop takes side by side, in vector registers; in plain Python it takes them in turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from handan.kernels.compiling import kernel
from handan.kernels.types import Array

ABREAST = 24
"""Games that are rated side by side at most.
our choice: of 20,000 players the same one comes up again after some twenty games."""
WIDTH = 8
"""Numbers of 64 bits that the widest registers hold: so many games are computed at a time."""


@kernel
def lanes_for(games: int) -> int:
    """Return how many games fill the registers for so many; what comes of those behind them is not read."""
    return (games + WIDTH - 1) // WIDTH * WIDTH


def in_turn(*columns: Array) -> Iterator[tuple[Any, ...]]:
    """Go through the rows of columns of one length, in numbers of Python: with numpy's, plain Python is slower."""
    return zip(*(memoryview(cast("Any", column)) for column in columns), strict=True)
