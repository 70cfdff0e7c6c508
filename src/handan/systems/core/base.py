"""What all systems share: their face, which games they rate, and how newcomers and adjustments enter a replay."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import numpy as np

from handan.errors import InputError
from handan.handicaps import MOST_STONES
from handan.kernels.leads import Pairing
from handan.kernels.leads import win_probability as logistic
from handan.ratings import Standing, Traits, rank_or_rating
from handan.systems.core import forecasting, settings
from handan.systems.core.conditions import EVEN_KOMI, HANDICAP_KOMI, Conditions
from handan.systems.core.fair_terms import check_terms, nearest_terms, terms_of_ranks
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
    from handan.kernels.leads import WinningLaw
    from handan.kernels.types import Codes, Floats, Ints
    from handan.ledger import Ledger, When
    from handan.ranks import Rank
    from handan.ratings import Ratings, Reason
    from handan.systems.core.live import Stepping
    from handan.systems.core.replay_state import ReplayState

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
class System(ABC):
    """A rating system: published constants with one verb, `rate`. Ratings are a pure function of system and ledger."""

    name: ClassVar[str]
    title: ClassVar[str]
    revision: ClassVar[int] = 1
    """Raised when a correction of the formula gives other figures, so that official lists say which one made them."""
    traits: ClassVar[Traits] = Traits()
    """What sets the system apart from others."""
    _customary_start: ClassVar[float] = 0.0
    """Rating of a newcomer of whom nothing is known, where `start` does not say."""
    winning_law: ClassVar[WinningLaw | None] = None
    """The law of winning (`kernels/leads.py`); without one there are no forecasts and no fair terms."""

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

    @abstractmethod
    def rating_for(self, rank: Rank) -> float:
        """Return the rating at which a player of this rank enters."""

    @abstractmethod
    def reason(self, ratings: Ratings, game: int, side: int) -> Reason:
        """Return why a rated game moved one side (0 black, 1 white)."""

    def customary_komi(self, handicap: int) -> float:
        """Return the komi, in points to White, of a game whose komi was not recorded, by its handicap."""
        return EVEN_KOMI if handicap == 0 else HANDICAP_KOMI

    def _komi_or_customary(self, handicap: int, komi: float | None) -> float:
        """Return the komi of a game, the customary one where none was recorded."""
        return self.customary_komi(handicap) if komi is None else komi

    def _conditions_of(
        self, handicap: int = 0, komi: float | None = None, ratings: Ratings | None = None
    ) -> Conditions:
        """Return the terms of a game on 19x19 as `terms_worth` reads them; arguments as in `log_odds`."""
        return Conditions(handicap, self._komi_or_customary(handicap, komi), 19, ratings)

    def terms_worth(self, conditions: Conditions) -> float:  # noqa: ARG002  # systems in which terms count read them
        """Return what the terms of a game are worth to Black, in the unit of the law of winning."""
        return 0.0

    def terms_width(self, conditions: Conditions) -> float:  # noqa: ARG002  # systems whose law has a width read them
        """Return how much the terms of a game leave open, in the unit of the law of winning."""
        return 0.0

    @property
    def law_constants(self) -> tuple[float, ...]:
        """The constants that the law of winning reads; some laws read none."""
        return (0.0,)

    def _law_constants_with(self, ratings: Ratings | None) -> tuple[float, ...]:  # noqa: ARG002  # where games decide
        """Return the constants that the law of winning reads beside these ratings."""
        return self.law_constants

    def log_odds(
        self,
        black: Standing,
        white: Standing,
        handicap: int = 0,
        komi: float | None = None,
        ratings: Ratings | None = None,
    ) -> float | None:
        """Return ln(p / (1 - p)) of Black's win probability p, which does not underflow; None without such a law.

        Args:
            black, white: Where the players stand; a rating without a deviation is taken as exact.
            handicap: As recorded: 0 even, 1 Black moves first without full komi, 2 and more stones on the board.
            komi: Points to White; None: the customary komi.
            ratings: What was learned beside the ratings, such as the worth of the first move; None: nothing.
        """
        if self.winning_law is None:
            return None
        terms = self._conditions_of(handicap, komi, ratings)
        pairing = Pairing(
            constants=self._law_constants_with(ratings),
            black=black.rating,
            white=white.rating,
            black_spread=black.deviation or 0.0,
            white_spread=white.deviation or 0.0,
            worth=self.terms_worth(terms),
            width=self.terms_width(terms),
        )
        return self.winning_law.lead_of(pairing)

    def win_probability(
        self,
        black: Standing,
        white: Standing,
        handicap: int = 0,
        komi: float | None = None,
        ratings: Ratings | None = None,
    ) -> float | None:
        """Return the probability that Black wins, None where the system has no such law; arguments as in `log_odds`.

        Raises:
            InputError: If no game can have that handicap or komi.
        """
        check_terms(handicap, komi)
        lead = self.log_odds(black, white, handicap, komi, ratings)
        if lead is None:
            return None
        return logistic(
            lead * float(ratings.calibration[-1]) if ratings is not None and self.traits.calibrated else lead
        )

    def onset(self, ratings: Ratings) -> tuple[Floats, Floats | None]:
        """Return rating and deviation with which both sides went into each rated game, shape (games, 2) each."""
        return ratings.arrays.before, None

    def calibration(self, ratings: Ratings) -> Floats:
        """Return the slope with which forecasts take the log odds before each game and after the last, (rated + 1,)."""
        return forecasting.slopes(self, ratings).slope

    def forecasts(self, ratings: Ratings) -> Floats | None:
        """Return Black's probability before each rated game, shape (rated,); None without a law for all of them."""
        leads = self.leads_before(ratings)
        return None if leads is None else forecasting.probabilities(leads * ratings.calibration[:-1])

    def expected(self, ratings: Ratings) -> Floats | None:
        """Return Black's expected score in each rated game by the law as published, shape (rated,); None without one.

        It is what changes of ratings follow from; forecasts say what that is worth in these games (`calibrated`).
        """
        leads = self.leads_before(ratings)
        return None if leads is None else forecasting.probabilities(leads)

    @property
    def has_odds(self) -> bool:
        """Whether the system has a law of winning chances."""
        return self.winning_law is not None

    def leads_before(self, ratings: Ratings) -> Floats | None:
        """Return the log odds of Black before each rated game, shape (rated,); None without a law for all of them."""
        return forecasting.leads(self, ratings)

    def leads(
        self,
        ledger: Ledger,
        games: Ints,
        rating: Floats,
        spread: Floats | None,
        ratings: Ratings | None = None,
        opening: Ints | None = None,  # noqa: ARG002  # systems that learn more than ratings read it
    ) -> Floats | None:
        """Return the log odds of Black in games of a ledger, with their terms, shape (n,); None without a law for them.

        Args:
            ledger: Holds the games.
            games: Their indices, shape (n,).
            rating: Ratings of both sides before each, shape (n, 2).
            spread: Their deviations, the same shape; None: ratings are exact.
            ratings: What was learned beside the ratings, as in `log_odds`.
            opening: Index of a game before which that was learned, for each game, shape (n,); None: from all games.
        """
        if self.winning_law is None:
            return None
        terms = self._worth_and_width(ledger, ratings).take(games, axis=0)
        return forecasting.leads_by_law(self.winning_law, self._law_constants_with(ratings), terms, rating, spread)

    def worth_in_games(self, ledger: Ledger, ratings: Ratings | None = None) -> Floats:
        """Return what each game's terms are worth to Black, by `terms_worth`, shape (games,); 0 without known colours.

        Args:
            ledger: The games.
            ratings: What was learned beside the ratings, as in `log_odds`.
        """
        different, number = ledger.arrays.different_terms(self.customary_komi(0), self.customary_komi(1))
        values = [self.terms_worth(Conditions(*terms, ratings)) for terms in different]

        def worth() -> Floats:
            worths: Floats = np.array(values, dtype=np.float64)[number]
            if not ledger.arrays.colours_known.all():
                worths[~ledger.arrays.colours_known] = 0.0
            return worths

        # what was learned differs from ratings to ratings, so that keeping it would fill the memory
        return ledger.arrays.kept(("worth in games", *values), worth) if ratings is None else worth()

    def _worth_in_game(self, ledger: Ledger, game: int) -> float:
        """Return what the terms of one game, given by index, are worth to Black; 0 where colours are unknown."""
        if not ledger.arrays.colours_known[game]:
            return 0.0
        return self.terms_worth(
            Conditions(*ledger.arrays.terms_of(game, self.customary_komi(0), self.customary_komi(1)))
        )

    def _worth_and_width(self, ledger: Ledger, ratings: Ratings | None = None) -> Floats:
        """Return worth and width of each game's terms, as the law of winning reads them, shape (games, 2)."""
        terms = np.zeros((len(ledger), 2))
        terms[:, 0] = self.worth_in_games(ledger, ratings)
        return terms

    def offered(self) -> tuple[tuple[int, float], ...]:
        """Return the terms that may be proposed: handicap as recorded, and komi in points to White."""
        return tuple((stones, self.customary_komi(stones)) for stones in range(MOST_STONES + 1))

    def fair_terms(self, one: Standing, other: Standing, ratings: Ratings | None = None) -> Terms:
        """Return the terms of the next game: for players those fair by their ratings, for ranks a stone a rank.

        Two ranks that are asked for as such get as many stones as there are ranks between them, by the custom of all
        clubs; beside them stands what the system's own law says, where that differs (`Terms.nearer`).
        """
        by_rating = self.terms_by_rating(one, other, ratings)
        by_rank = one.rank_alone and other.rank_alone and self.traits.has_ranks
        return terms_of_ranks(self, one, other, by_rating, ratings) if by_rank else by_rating

    def terms_by_rating(self, one: Standing, other: Standing, ratings: Ratings | None = None) -> Terms:
        """Return those of the offered terms at which `win_probability` is nearest to even."""
        return nearest_terms(self, one, other, ratings)

    def difference(self, black: Standing, white: Standing) -> float:
        """Return how far White stands above Black, in the unit of the rating."""
        return white.rating - black.rating

    def weaker(self, one: Standing, other: Standing) -> bool:
        """Return whether the first takes black: the lower rating, and of equal ones the lower rank, then by name."""
        keys = [(player.rating, player.rank.stones if player.rank else 0.0) for player in (one, other)]
        return keys[0] < keys[1] or (keys[0] == keys[1] and one.name <= other.name)

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


class Sequential(System):
    """A system that takes games, events or periods one after another: of the past it needs what it knows of players."""

    def rate(self, ledger: Ledger) -> Ratings:
        """Rate all games of a ledger; a large one on disk in windows, so that little of it is in memory at a time."""
        from handan.systems.core.lazy_ratings import rated
        from handan.systems.core.windows import is_large

        if not is_large(ledger):
            return rated(self, ledger)
        from handan.systems.core.streaming import rated_in_windows

        return rated_in_windows(self, ledger)

    def list_after(self, past: ReplayState | None, ledger: Ledger) -> Ratings:
        """Rate as `rate_after` does; what is said of each game may be left out (`core/lazy_ratings.py`)."""
        return self.rate_after(past, ledger)

    @property
    def together(self) -> str:
        """Which games are rated from the same ratings: a `game` alone, those of a `day`, `week`, `month` or `event`.

        What a system says of a day, such as how many games count on it, does not belong here.
        """
        return "game"

    @property
    def one_by_one(self) -> bool:
        """Whether each game can be rated when it is played: what follows on its day changes nothing that it meant."""
        return False

    def stepping(self, rows: Mapping[str, list[Any]]) -> Stepping | None:  # noqa: ARG002  # systems that have such a loop read them
        """Return what takes one game of two players who have entered, by the loop of `rate_after` (`core/live.py`).

        Args:
            rows: What is known of the players under the names of `Schedule.carried`, a list each; to be changed.
        """
        return None

    @abstractmethod
    def rate_after(self, past: ReplayState | None, ledger: Ledger) -> Ratings:
        """Rate the games of a ledger after those of a past, to the bit as `rate` rates all of them together.

        Args:
            past: What is known of the players of the ledger; None: there are no games before.
            ledger: Games that are rated together with none before; with its adjustments from then on, and those of
                players who have not entered yet.
        """
