"""What ratings ask of the system that made them, and what it tells of adjustments."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from handan.handicaps import Terms
from handan.ledger import Adjustment, Ledger, When
from handan.ranks import Rank
from handan.ratings.explanation import Reason
from handan.ratings.standing import Standing

if TYPE_CHECKING:
    from handan.ratings.ratings import Ratings

Floats = NDArray[np.float64]


class Rules(Protocol):
    """What ratings ask of the system that made them."""

    @property
    def whole(self) -> bool:
        """Whether all games are solved together."""
        ...

    @property
    def reads_deviations(self) -> bool:
        """Whether the deviation of a rating that is set by hand plays a part."""
        ...

    @property
    def ranks_on_line(self) -> bool:
        """Whether ranks are a line drawn through ratings, which mean nothing where nobody has one."""
        ...

    @property
    def label(self) -> str:
        """The system's name."""
        ...

    def rate(self, ledger: Ledger) -> Ratings:
        """Rate all games of a ledger."""
        ...

    def rank(self, rating: float) -> Rank | None:
        """Return the rank that belongs to a rating, None where the system has no ranks."""
        ...

    def game_weights(self, ledger: Ledger) -> Floats | None:
        """Return how much each game counts by its kind, shape (games,); None where kinds make no difference."""
        ...

    def reason(self, ratings: Ratings, game: int, side: int) -> Reason:
        """Return why a rated game moved one side (0 black, 1 white)."""
        ...

    def win_probability(
        self,
        black: Standing,
        white: Standing,
        handicap: int = 0,
        komi: float | None = None,
        ratings: Ratings | None = None,
    ) -> float | None:
        """Return the probability that Black wins, None where the system has no such law."""
        ...

    def fair_terms(self, one: Standing, other: Standing, ratings: Ratings | None = None) -> Terms:
        """Return the terms that make the next game of two players fair."""
        ...

    def calibration(self, ratings: Ratings) -> Floats:
        """Return the slope of the log odds before each game and after the last, shape (rated + 1,)."""
        ...

    def forecasts(self, ratings: Ratings) -> Floats | None:
        """Return Black's probability before each rated game, shape (rated,), None without such a law."""
        ...

    def expected(self, ratings: Ratings) -> Floats | None:
        """Return Black's expected score in each rated game by the law as published; None without one."""

    def newcomer(
        self, name: str, rank: Rank | None = None, rating: float | None = None, ratings: Ratings | None = None
    ) -> Standing:
        """Return where a player stands before the first game."""
        ...

    def rating_on(self, ratings: Ratings, when: When) -> Floats:
        """Return the rating of every player that the next game of a day is rated from, shape (players,)."""
        ...


class Adjusted(NamedTuple):
    """An adjustment that moved a player after the first game."""

    item: Adjustment
    player: int
    place: int
    """Place in `Ratings.sequence` of the first game that it precedes."""
    before: float
    after: float
    rank_before: Rank | None
    rank_after: Rank | None


def rank_from(number: int) -> Rank:
    """Return the amateur rank of a rank number (30k = 1, 1d = 31)."""
    return Rank.at(float(number))
