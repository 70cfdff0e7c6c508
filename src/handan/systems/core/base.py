"""The interface of all systems: which games they rate, where newcomers enter, and how a replay goes on."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, ClassVar, Self, TypeVar

import numpy as np

from handan.errors import InputError, ProposesArguments
from handan.kernels.calibration import as_published
from handan.ratings import Standing, rank_or_rating
from handan.systems.core import forecasting, settings
from handan.systems.core.fair_terms import nearest_terms, terms_of_ranks
from handan.systems.core.law import Law
from handan.systems.core.unrated_reasons import (
    DATELESS,
    FREE,
    FREE_KINDS,
    HISTORY,
    IN_POINTS,
    NEEDS_DATE,
    NO_RESULT,
    NOT_PLAYED,
    OTHER_SIZE,
    RATED,
)

if TYPE_CHECKING:
    from handan.handicaps import Terms
    from handan.kernels.types import Codes, Floats
    from handan.ledger import Ledger, When
    from handan.ranks import Rank
    from handan.ratings import Ratings, Reason

S = TypeVar("S", bound="System")


def _checked(rate: Callable[[S, Ledger], Ratings]) -> Callable[[S, Ledger], Ratings]:
    """Return the same `rate`, which refuses to return anything else, as one of another package may."""

    @wraps(rate)
    def checked(rules: S, ledger: Ledger) -> Ratings:
        from handan.ratings import Ratings  # not by those who only ask for odds

        ratings = rate(rules, ledger)
        if not isinstance(ratings, Ratings):
            raise InputError(f"the system {rules.name} failed: its rate returns {type(ratings).__name__}, not Ratings")
        return ratings

    return checked


@dataclass(frozen=True)
class System(Law, ProposesArguments):
    """A rating system: published constants with one verb, `rate`. Ratings are a pure function of system and ledger."""

    revision: ClassVar[int] = 1
    """Raised when a correction of the formula gives other figures, so that official lists say which one made them."""
    _customary_start: ClassVar[float] = 0.0
    """Rating of a newcomer of whom nothing is known, where `start` does not say."""

    def __init_subclass__(cls) -> None:
        """Complete the settings that a system declares."""
        super().__init_subclass__()
        settings.complete(cls)
        if "rate" in vars(cls):
            cls.rate = _checked(cls.rate)  # type: ignore[assignment, method-assign]  # the same face

    def __post_init__(self) -> None:
        """Check the settings, and take whole numbers as floats where the formulas read floats."""
        for name, value in settings.checked(self).items():
            object.__setattr__(self, name, value)

    @classmethod
    def configured(cls, texts: Mapping[str, str]) -> Self:
        """Make the system with settings given as text, as on the command line."""
        return cls(**settings.parse(cls, texts))

    @property
    def label(self) -> str:
        """The system's name."""
        return self.name

    @abstractmethod
    def rate(self, ledger: Ledger) -> Ratings:
        """Rate all games of a ledger."""

    @abstractmethod
    def rank(self, rating: float) -> Rank | None:
        """Return the rank of a rating, never lower for a higher one; None where the system has no ranks."""

    def rank_held(self, rank: Rank | None, rating: float) -> Rank | None:  # noqa: ARG002  # for systems with a rule of demotion
        """Return the rank of a player who held another rank and has this rating now."""
        return self.rank(rating)

    @abstractmethod
    def rating_for(self, rank: Rank) -> float:
        """Return the rating at which a player of this rank enters."""

    @abstractmethod
    def reason(self, ratings: Ratings, game: int, side: int) -> Reason:
        """Return why a rated game moved one side (0 black, 1 white)."""

    def calibration(self, ratings: Ratings) -> Floats:
        """Return the weights of the slopes 0, 0.1, …, 1 with which forecasts take the log odds after the last game."""
        weight = forecasting.forecast(self, self.leads_before(ratings), ratings).weight
        return as_published() if weight is None else weight

    def forecasts(self, ratings: Ratings) -> Floats | None:
        """Return Black's probability before each rated game, shape (rated,); None without a law for all of them."""
        lead = forecasting.forecast(self, self.leads_before(ratings), ratings).lead
        return None if lead is None else forecasting.probabilities(lead)

    def expected(self, ratings: Ratings) -> Floats | None:
        """Return Black's expected score in each rated game by the law as published, shape (rated,); None without one.

        It is what changes of ratings follow from; forecasts say what that is worth in these games (`calibrated`).
        """
        leads = self.leads_before(ratings)
        return None if leads is None else forecasting.probabilities(leads)

    def leads_before(self, ratings: Ratings) -> Floats | None:
        """Return the log odds of Black before each rated game, shape (rated,); None without a law for all of them."""
        return forecasting.leads(self, ratings)

    def fair_terms(self, one: Standing, other: Standing, ratings: Ratings | None = None) -> Terms:
        """Return the terms of the next game: for players those fair by their ratings, for ranks a stone a rank.

        Two ranks get a stone for each rank between them, by the custom of clubs; `Terms.nearer` has what the
        system's own law says, if that differs.
        """
        by_rating = self.terms_by_rating(one, other, ratings)
        by_rank = one.rank_alone and other.rank_alone and self.traits.has_ranks
        return terms_of_ranks(self, one, other, by_rating, ratings) if by_rank else by_rating

    def terms_by_rating(self, one: Standing, other: Standing, ratings: Ratings | None = None) -> Terms:
        """Return the offered terms at which `win_probability` is nearest to even."""
        return nearest_terms(self, one, other, ratings)

    @property
    def _start_rating(self) -> float:
        """Rating at which a player enters of whom nothing is known."""
        start = getattr(self, "start", None)
        return self._customary_start if start is None else float(start)

    @property
    def _start_uncertainty(self) -> float | None:
        """Deviation of an entry by nothing, in the unit of the rating; None where the system knows none."""
        return None

    @property
    def _rank_uncertainty(self) -> float | None:
        """Deviation of an entry by a declared rank, or by a rating set by hand."""
        return self._start_uncertainty

    def newcomer(
        self,
        name: str,
        rank: Rank | None = None,
        rating: float | None = None,
        ratings: Ratings | None = None,  # noqa: ARG002  # systems that place newcomers among the others read it
    ) -> Standing:
        """Return where a player stands before the first game: by rating, by rank, or by nothing.

        Args:
            name: Of the player.
            rank: Declared rank.
            rating: Rating set by hand.
            ratings: Those of the players whom the newcomer joins; None: nothing is known of them.
        """
        deviation = self._start_uncertainty if rank is None and rating is None else self._rank_uncertainty
        if rating is None:
            rating = self._start_rating if rank is None else self.rating_for(rank)
        return Standing(name, rating, deviation, rank or self.rank(rating))

    def standing(self, text: str) -> Standing:
        """Return the standing that a rating (`2100`) or a rank (`3d`) names, as exact; InputError if it is neither."""
        rank, rating = rank_or_rating(text)
        if rank is not None:
            return Standing(text, self.rating_for(rank), None, rank, rank_alone=True)
        return Standing(text, rating, None, self.rank(rating))

    def rating_on(self, ratings: Ratings, when: When) -> Floats:  # noqa: ARG002  # systems that settle days read it
        """Return the rating of every player that the next game of a day is rated from, shape (players,)."""
        return ratings.rating

    def game_weights(self, ledger: Ledger) -> Floats | None:  # noqa: ARG002  # systems in which kinds matter read it
        """Return how much each game counts by its kind, shape (games,); None where kinds make no difference."""
        return None

    def refusals(self, ledger: Ledger) -> Codes:
        """Return 0 for each game that is rated, else the place of its reason in `UNRATED`, shape (games,)."""
        allowed = [] if self.traits.any_size else [(OTHER_SIZE, ledger.arrays.full_size)]
        if self.traits.needs_dates or (not self.traits.any_order and ledger.arrays.dated.any()):
            allowed.append((NEEDS_DATE if self.traits.needs_dates else DATELESS, ledger.arrays.dated))
        if not self.traits.rates_free:
            allowed.append((FREE, ledger.arrays.of_kind(dict.fromkeys(FREE_KINDS, 1.0), 0.0) != 1.0))
        allowed.append((IN_POINTS, ledger.arrays.of_kind({HISTORY: 1.0}, 0.0) != 1.0))
        allowed += [(NOT_PLAYED, ~ledger.arrays.by_default), (NO_RESULT, ledger.arrays.scored)]
        code = np.full(len(ledger), RATED, dtype=np.int8)
        for reason, games in allowed:
            if not games.all():
                code[~games] = reason
        return code
