"""What ratings ask of the system that made them, and what it tells of adjustments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from handan.ranks import Rank

if TYPE_CHECKING:
    from handan.handicaps import Terms
    from handan.ledger import Adjustment, Ledger, When
    from handan.ratings.reasons import Reason
    from handan.ratings.standing import Standing

Floats = NDArray[np.float64]
Answer = TypeVar("Answer")


class Traits(NamedTuple):
    """What sets a system apart from others."""

    needs_dates: bool = False
    """Whether the date itself matters, not only the order of games."""
    any_order: bool = False
    """Whether games without a date can stand among dated ones, since order plays no part."""
    whole: bool = False
    """Whether all games are solved together, so that a later game moves what an earlier one meant."""
    any_size: bool = False
    """Whether the system has a law for boards other than 19x19."""
    weight_title: str = "weight"
    """What a card calls the weight of a game by its kind."""
    names_winner: bool = False
    """Whether a card says which colour won in a column of its own, beside the result, as the source's record does."""
    ties_to_fewer_stones: bool = False
    """Which of two handicaps that are equally near to even fair terms propose; more stones unless a source says so."""
    calibrated: bool = False
    """Whether forecasts learn from the games of a ledger how far the published odds hold in it."""
    ranks_on_line: bool = False
    """Whether ranks are a line drawn through ratings, which mean nothing where nobody has one."""
    has_ranks: bool = True
    """Whether players enter by ranks, or have them."""
    reads_deviations: bool = False
    """Whether the deviation of a rating that is set by hand or declared plays a part."""
    game_kinds: tuple[str, ...] = ("club", "tournament", "friendly", "free")
    """Kinds of game that a club under this system can choose between; the first is the usual one."""
    index_of_rank: bool = False
    """Whether the rating is an index that begins anew with every rank, so that it tells nothing without the rank."""
    rates_free: bool = False
    """Whether free and teaching games enter the replay (with weight 0)."""
    parts: tuple[tuple[str, Any, str], ...] = ()
    """What it learns beside ratings: a setting, its value that leaves the part out, and what the part is."""


class Rules(Protocol[Answer]):
    """What ratings ask of the system that made them, which answers with ratings."""

    @property
    def traits(self) -> Traits:
        """What sets the system apart from others."""
        ...

    @property
    def label(self) -> str:
        """The system's name."""
        ...

    def rate(self, ledger: Ledger) -> Answer:
        """Rate all games of a ledger."""
        ...

    def rank(self, rating: float) -> Rank | None:
        """Return the rank that belongs to a rating, None where the system has no ranks."""
        ...

    def game_weights(self, ledger: Ledger) -> Floats | None:
        """Return how much each game counts by its kind, shape (games,); None where kinds make no difference."""
        ...

    def reason(self, ratings: Answer, game: int, side: int) -> Reason:
        """Return why a rated game moved one side (0 black, 1 white)."""
        ...

    def win_probability(
        self,
        black: Standing,
        white: Standing,
        handicap: int = 0,
        komi: float | None = None,
        ratings: Answer | None = None,
    ) -> float | None:
        """Return the probability that Black wins, None where the system has no such law."""
        ...

    def win_interval(
        self,
        black: Standing,
        white: Standing,
        handicap: int = 0,
        komi: float | None = None,
        ratings: Answer | None = None,
        level: float = 0.95,
    ) -> tuple[float, float] | None:
        """Return between which probabilities Black's lies with the chance `level`, None where all is exact."""
        ...

    def fair_terms(self, one: Standing, other: Standing, ratings: Answer | None = None) -> Terms:
        """Return the terms that make the next game of two players fair."""
        ...

    def calibration(self, ratings: Answer) -> Floats:
        """Return the weights of the slopes with which forecasts take the log odds after the last game, shape (11,)."""
        ...

    def forecasts(self, ratings: Answer) -> Floats | None:
        """Return Black's probability before each rated game, shape (rated,), None without such a law."""
        ...

    def expected(self, ratings: Answer) -> Floats | None:
        """Return Black's expected score in each rated game by the law as published; None without one."""

    def newcomer(
        self, name: str, rank: Rank | None = None, rating: float | None = None, ratings: Answer | None = None
    ) -> Standing:
        """Return where a player stands before the first game."""
        ...

    def rating_on(self, ratings: Answer, when: When) -> Floats:
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
