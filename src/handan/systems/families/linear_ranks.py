"""Ranks at equal distances on the scale of a rating, and stones that are worth a rank where no setting says more."""

from __future__ import annotations

from typing import Protocol

from handan.ranks import FIRST_DAN, Rank


class _Settings(Protocol):
    """The settings that such a scale reads, in the unit of the rating."""

    @property
    def at_1d(self) -> float: ...  # a setting of each system
    @property
    def per_rank(self) -> float: ...
    @property
    def stone(self) -> float | None: ...


class LinearRanks:
    """A system whose ranks lie on a line through 1 dan: `at_1d`, `per_rank` and `stone` are its settings."""

    @property
    def worth_of_stone(self: _Settings) -> float:
        """Worth of a stone in the unit of the rating, in ratings and in forecasts."""
        return self.per_rank if self.stone is None else self.stone

    def rank(self: _Settings, rating: float) -> Rank | None:
        """Return the rank whose rating is nearest."""
        return Rank.at(FIRST_DAN + (rating - self.at_1d) / self.per_rank)

    def rating_for(self: _Settings, rank: Rank) -> float:
        """Return the rating of a rank on the line through 1 dan."""
        return self.at_1d + (rank.stones - FIRST_DAN) * self.per_rank
