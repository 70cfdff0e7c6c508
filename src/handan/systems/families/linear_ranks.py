"""Ranks at equal distances on the scale of a rating; a stone is worth a rank where no setting says more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from handan.ranks import FIRST_DAN, Rank
from handan.systems.core.conditions import worth_of_terms

if TYPE_CHECKING:
    from handan.systems.core.conditions import Conditions


class _Settings(Protocol):
    """The settings that such a scale reads, in the unit of the rating."""

    @property
    def at_1d(self) -> float | None: ...  # a setting of each system
    @property
    def per_rank(self) -> float: ...
    @property
    def stone(self) -> float | None: ...
    @property
    def advantage(self) -> float | None: ...
    @property
    def worth_of_stone(self) -> float: ...


class LinearRanks:
    """A system whose ranks lie on a line through 1 dan.

    Its settings `at_1d` (none: 0) and `per_rank` say where, `stone` and `advantage` what a stone and the first move are
    worth.
    """

    @property
    def worth_of_stone(self: _Settings) -> float:
        """Worth of a stone in the unit of the rating, in ratings and in forecasts."""
        return self.per_rank if self.stone is None else self.stone

    def terms_worth(self: _Settings, conditions: Conditions) -> float:
        """Return what handicap, komi and the first move are worth to Black, in the unit of the rating."""
        return worth_of_terms(conditions, self.worth_of_stone, self.advantage or 0.0)

    def rank(self: _Settings, rating: float) -> Rank | None:
        """Return the rank whose rating is nearest."""
        return Rank.at(FIRST_DAN + (rating - (self.at_1d or 0.0)) / self.per_rank)

    def rating_for(self: _Settings, rank: Rank) -> float:
        """Return the rating of a rank on the line through 1 dan."""
        return (self.at_1d or 0.0) + (rank.stones - FIRST_DAN) * self.per_rank
