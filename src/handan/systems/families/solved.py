"""Ratings of systems that solve all games together: the list at once, what is said of each game when somebody asks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from handan.ratings import Extra
from handan.systems.core.lazy_ratings import ArraysOnDemand, made_from

if TYPE_CHECKING:
    from handan.kernels.types import Floats


class Lines(NamedTuple):
    """What is said of each game."""

    before: Floats
    """The entry and what earlier games contribute, shape (games, 2)."""
    change: Floats
    """What the game contributes, shape (games, 2)."""
    share: Floats
    """Share of each game in the rating of both sides, shape (games, 2)."""
    strength: Floats
    """Strength of both sides with which the game was compared, Elo, shape (games, 2)."""
    worth: Floats
    """What the terms are worth to Black, Elo, shape (games,)."""
    variances: Floats | None = None
    """Squared deviation of both sides on the day, natural units, shape (games, 2)."""


@dataclass(frozen=True, eq=False)
class SolvedExtra(Extra):
    """What explanations read of each game."""

    make: Callable[[], Lines]

    @cached_property
    def lines(self) -> Lines:
        """What is said of each game, made once."""
        return self.make()


def _of_lines(name: str) -> Any:
    """Return a field that is made with the lines of all games."""
    return made_from(lambda arrays: arrays.extra.lines, name)


class SolvedArrays(ArraysOnDemand):
    """Arrays whose columns of single games are made from the solution, of which `extra` is a `SolvedExtra`."""

    later = ("before", "change", "variances")
    before = _of_lines("before")
    change = _of_lines("change")
    variances = _of_lines("variances")
