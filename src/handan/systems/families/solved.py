"""Ratings of systems that solve all games together: the list at once, what is said of each game when somebody asks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self

from handan.kernels.types import Floats
from handan.ratings import Extra, Ratings

LATER = ("before", "change", "variances")
"""Fields of ratings that are made with the lines of all games."""


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
    return cached_property(lambda ratings: getattr(SolvedExtra.of(ratings).lines, name))


class SolvedRatings(Ratings):
    """Ratings that hold what is known of the players now; the rest is made from the solution when somebody asks."""

    before = _of_lines("before")
    change = _of_lines("change")
    variances = _of_lines("variances")

    @classmethod
    def of(cls, ratings: Ratings) -> Self:
        """Return the same ratings; their columns of single games are made from `extra`, a `SolvedExtra`, when read."""
        made = object.__new__(cls)
        vars(made).update({name: value for name, value in vars(ratings).items() if name not in LATER})
        return made
