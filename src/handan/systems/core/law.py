"""A system's law of winning: how likely each side wins, at which terms, and what the terms are worth."""

from __future__ import annotations

import math
from abc import ABC
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from handan.errors import InputError
from handan.handicaps import EVEN_KOMI, HANDICAP_KOMI, MOST_STONES
from handan.kernels.calibration import SLOPES, calibrated
from handan.kernels.winning_law import Pairing
from handan.kernels.winning_law import win_probability as logistic
from handan.ratings import Traits
from handan.systems.core.conditions import Conditions, check_terms

if TYPE_CHECKING:
    from handan.kernels.types import Floats, Ints
    from handan.kernels.winning_law import WinningLaw
    from handan.ledger import Ledger
    from handan.ratings import Ratings, Standing

LARGEST_EXPONENT = 700.0  # e to the power of more is no number of a computer


class Law(ABC):
    """The law of winning of a system, which says what stones and komi are worth."""

    name: ClassVar[str]
    title: ClassVar[str]
    traits: ClassVar[Traits] = Traits()
    """What sets the system apart from others."""
    winning_law: ClassVar[WinningLaw | None] = None
    """The law of winning (`kernels/winning_law.py`); without one there are no forecasts and no fair terms."""

    def customary_komi(self, handicap: int) -> float:
        """Return the komi, in points to White, of a game whose komi was not recorded, by its handicap."""
        return EVEN_KOMI if handicap == 0 else HANDICAP_KOMI

    def _conditions_of(
        self, handicap: int = 0, komi: float | None = None, ratings: Ratings | None = None
    ) -> Conditions:
        """Return the terms of a game on 19x19 as `terms_worth` reads them; arguments as in `log_odds`."""
        return Conditions(handicap, self.customary_komi(handicap) if komi is None else komi, 19, ratings)

    def terms_worth(self, conditions: Conditions) -> float:  # noqa: ARG002  # systems in which terms count read them
        """Return what the terms of a game are worth to Black, in the unit of the law of winning."""
        return 0.0

    def _terms_width(self, conditions: Conditions) -> float:  # noqa: ARG002  # systems whose law has a width read them
        """Return how much the terms of a game leave open, in the unit of the law of winning."""
        return 0.0

    @property
    def _law_constants(self) -> tuple[float, ...]:
        """The constants that the law of winning reads; some laws read none."""
        return (0.0,)

    def _law_constants_with(self, ratings: Ratings | None) -> tuple[float, ...]:  # noqa: ARG002  # where games decide
        """Return the constants that the law of winning reads beside these ratings."""
        return self._law_constants

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
        return self.winning_law.lead_of(self._pairing(black, white, self._conditions_of(handicap, komi, ratings)))

    def _pairing(self, black: Standing, white: Standing, terms: Conditions) -> Pairing:
        """Return a game as the law of winning reads it."""
        return Pairing(
            constants=self._law_constants_with(terms.ratings),
            black=black.rating,
            white=white.rating,
            black_spread=black.deviation or 0.0,
            white_spread=white.deviation or 0.0,
            worth=self.terms_worth(terms),
            width=self._terms_width(terms),
        )

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
        if ratings is not None and self.traits.calibrated:
            lead = calibrated(lead, np.array(SLOPES), ratings.calibration)
        return logistic(lead)

    def win_interval(
        self,
        black: Standing,
        white: Standing,
        handicap: int = 0,
        komi: float | None = None,
        ratings: Ratings | None = None,
        level: float = 0.95,
    ) -> tuple[float, float] | None:
        """Return between which probabilities Black's lies with the chance `level`, None where all is taken as exact.

        It follows from the deviations of both ratings, as if they were independent, and from those of what was learned
        of terms and scale; the log odds are taken as normal (the delta method). Arguments as in `log_odds`.

        Raises:
            InputError: If no game can have that handicap or komi, or the level is not between 0 and 1.
        """
        check_terms(handicap, komi)
        if not 0.0 < level < 1.0:
            raise InputError(f"level {level:g} is not between 0 and 1, such as 0.95")
        if self.winning_law is None:
            return None
        conditions = self._conditions_of(handicap, komi, ratings)
        exact = self._pairing(black, white, conditions)._replace(black_spread=0.0, white_spread=0.0)
        law, variance = self.winning_law.lead_of, self._learned_variance(exact, conditions)
        for side, deviation in (("black", black.deviation or 0.0), ("white", white.deviation or 0.0)):
            rating = getattr(exact, side)
            high, low = (law(exact._replace(**{side: rating + sign * deviation})) for sign in (1.0, -1.0))
            variance += 0.25 * (high - low) ** 2
        if variance == 0.0:
            return None
        from statistics import NormalDist  # takes as long to import as a small ledger to rate

        lead, wide = law(exact), NormalDist().inv_cdf(0.5 + 0.5 * level) * math.sqrt(variance)
        low, high = lead - wide, lead + wide
        if ratings is not None and self.traits.calibrated:
            low, high = (calibrated(end, np.array(SLOPES), ratings.calibration) for end in (low, high))
        return logistic(low), logistic(high)

    def _learned_variance(self, exact: Pairing, conditions: Conditions) -> float:  # noqa: ARG002  # where games teach
        """Return the variance of the log odds of a game that what was learned beside the ratings leaves open."""
        return 0.0

    def onset(self, ratings: Ratings) -> tuple[Floats, Floats | None]:
        """Return rating and deviation with which both sides went into each rated game, shape (games, 2) each."""
        return ratings.arrays.before, None

    @property
    def has_odds(self) -> bool:
        """Whether the system has a law of winning chances."""
        return self.winning_law is not None

    def leads(
        self,
        ledger: Ledger,
        games: Ints,
        rating: Floats,
        spread: Floats | None,
        ratings: Ratings | None = None,
        known_until: Ints | None = None,  # noqa: ARG002  # systems that learn more than ratings read it
    ) -> Floats | None:
        """Return the log odds of Black in games of a ledger, with their terms, shape (n,); None without a law for them.

        Args:
            ledger: Holds the games.
            games: Their indices, shape (n,).
            rating: Ratings of both sides before each, shape (n, 2).
            spread: Their deviations, the same shape; None: ratings are exact.
            ratings: What was learned beside the ratings, as in `log_odds`.
            known_until: Index of a game before which that was learned, for each game, shape (n,); None: from all games.
        """
        if self.winning_law is None:
            return None
        terms = self._worth_and_width(ledger, ratings).take(games, axis=0)
        return leads_by_law(self.winning_law, self._law_constants_with(ratings), terms, rating, spread)

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

    def difference(self, black: Standing, white: Standing) -> float:
        """Return how far White stands above Black, in the unit of the rating."""
        return white.rating - black.rating

    def weaker(self, one: Standing, other: Standing) -> bool:
        """Return whether the first takes black: the lower rating, and of equal ones the lower rank, then by name."""
        keys = [(player.rating, player.rank.stones if player.rank else 0.0) for player in (one, other)]
        return keys[0] < keys[1] or (keys[0] == keys[1] and one.name <= other.name)


def leads_by_law(
    law: WinningLaw, constants: tuple[float, ...], terms: Floats, rating: Floats, spread: Floats | None
) -> Floats:
    """Return the log odds of Black in n games by a law of winning, shape (n,).

    Args:
        law: The law.
        constants: Which it reads.
        terms: Worth and width of the terms of each game, shape (n, 2).
        rating, spread: As in `System.leads`.
    """
    lead = np.empty(len(rating))
    spread = np.zeros_like(rating) if spread is None else spread
    ratings, spreads, worths = (np.ascontiguousarray(values, dtype=np.float64) for values in (rating, spread, terms))
    fill = law.fill_leads.for_work(2 * len(lead))  # our choice: a law is worth two steps of a loop
    fill(constants, ratings, spreads, worths, lead)
    return lead
