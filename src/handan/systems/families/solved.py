"""Ratings of systems that solve all games together: the list at once, what is said of each game when somebody asks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

from handan.ratings import Extra
from handan.systems.core.lazy_ratings import LazyArrays

if TYPE_CHECKING:
    from handan.kernels.types import Floats
    from handan.ratings import Ratings


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


def with_lazy_lines(ratings: Ratings, extra: SolvedExtra) -> Ratings:
    """Return ratings whose columns of single games are made from the solution."""
    later = ("before", "change", "variances")
    return replace(ratings, arrays=LazyArrays(ratings.arrays, later, partial(getattr, extra, "lines")))
