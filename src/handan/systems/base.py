"""What all systems share: their face, which games they rate, and how newcomers and adjustments enter a replay."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from handan.errors import InputError, shown
from handan.handicaps import Terms
from handan.kernels.pools import Seats
from handan.ledger import Ledger
from handan.ranks import Rank
from handan.ratings import Ratings, Reason, Standing
from handan.systems import settings
from handan.systems.sheet import UNRATED, Codes, Floats, Ints, Sheet

MOST_STONES = 9
EVEN_KOMI = 6.5  # points; the customary komi of an even game
HANDICAP_KOMI = 0.5  # points; with a handicap only the tie is broken

__all__ = [
    "EVEN_KOMI",
    "HANDICAP_KOMI",
    "UNRATED",
    "Codes",
    "Floats",
    "Ints",
    "Seats",
    "Sheet",
    "System",
    "stone_terms",
]


@dataclass(frozen=True)
class System(ABC):
    """A rating system: published constants with one verb, `rate`. Ratings are a pure function of system and ledger."""

    name: ClassVar[str]
    title: ClassVar[str]
    needs_dates: ClassVar[bool] = False
    """Whether the date itself matters, not only the order of games."""
    any_order: ClassVar[bool] = False
    """Whether games without a date can stand among dated ones, since order plays no part."""
    whole: ClassVar[bool] = False
    """Whether all games are solved together, so that a later game moves what an earlier one meant."""
    any_size: ClassVar[bool] = False
    """Whether the system has a law for boards other than 19x19."""
    weight_title: ClassVar[str] = "weight"
    """What a card calls the weight of a game by its kind."""
    rates_free: ClassVar[bool] = False
    """Whether free and teaching games enter the replay (with weight 0)."""

    def __post_init__(self) -> None:
        """Refuse absurd constants by name."""
        settings.check(self)

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
        """Return the rank that belongs to a rating, None where the system has no ranks."""

    @abstractmethod
    def rating_for(self, rank: Rank) -> float:
        """Return the rating at which a player of this rank enters."""

    @abstractmethod
    def reason(self, ratings: Ratings, game: int, side: int) -> Reason:
        """Return why a rated game moved one side (0 black, 1 white)."""

    def chance(
        self,
        black: Standing,  # noqa: ARG002  # systems without a law ignore all of it
        white: Standing,  # noqa: ARG002
        handicap: int = 0,  # noqa: ARG002
        komi: float | None = None,  # noqa: ARG002
    ) -> float | None:
        """Return the probability that Black wins, None where the system has no such law."""
        return None

    def forecast(
        self,
        ratings: Ratings,  # noqa: ARG002  # systems that learn more than ratings read it
        black: Standing,
        white: Standing,
        handicap: int = 0,
        komi: float | None = None,
    ) -> float | None:
        """Return the probability that Black wins, given these ratings and all that was learned with them."""
        return self.chance(black, white, handicap, komi)

    def terms(self, one: Standing, other: Standing) -> Terms:
        """Return the handicap, with its customary komi, at which the chances are nearest to even."""
        black, white = (one, other) if self.weaker(one, other) else (other, one)
        best = min(
            range(MOST_STONES + 1), key=lambda stones: (abs(self._chance_at(black, white, stones) - 0.5), stones)
        )
        komi = EVEN_KOMI if best == 0 else HANDICAP_KOMI
        return stone_terms(black, white, abs(one.rating - other.rating), best, komi)

    def _chance_at(self, black: Standing, white: Standing, stones: int) -> float:
        chance = self.chance(black, white, stones, EVEN_KOMI if stones == 0 else HANDICAP_KOMI)
        return 0.5 if chance is None else chance

    def weaker(self, one: Standing, other: Standing) -> bool:
        """Return whether the first takes black: the lower rank, then the lower rating."""
        ranks = [player.rank.stones if player.rank else 0.0 for player in (one, other)]
        return (ranks[0], one.rating) < (ranks[1], other.rating) or (
            (ranks[0], one.rating) == (ranks[1], other.rating) and one.name <= other.name
        )

    def standing(self, text: str) -> Standing:
        """Return the standing that a rating (`2100`) or a rank (`3d`) names; InputError if it is neither."""
        try:
            rating = float(text)
        except ValueError:
            rank = Rank.parse(text)
            return Standing(text, self.rating_for(rank), None, rank)
        if not math.isfinite(rating):
            raise InputError(f"rating {shown(text)} is not a finite number")
        return Standing(text, rating, None, self.rank(rating))

    def game_weights(self, ledger: Ledger) -> Floats | None:  # noqa: ARG002  # systems in which kinds matter read it
        """Return how much each game counts by its kind, shape (games,); None where kinds make no difference."""
        return None

    def refusals(self, ledger: Ledger) -> Codes:
        """Return for every game 0 if it is rated, else the index of the reason in `UNRATED`, shape (games,)."""
        code = np.zeros(len(ledger), dtype=np.int8)
        if not self.any_size:
            code[~ledger.full_size] = 5
        if self.needs_dates:
            code[~ledger.dated] = 6
        elif not self.any_order and ledger.dated.any():
            code[~ledger.dated] = 4
        if not self.rates_free:
            code[ledger.of_kind({"free": 1.0, "teaching": 1.0}, 0.0) == 1.0] = 3
        code[ledger.by_default] = 2
        code[~ledger.scored] = 1
        return code


def stone_terms(black: Standing, white: Standing, difference: float, stones: int, komi: float) -> Terms:
    """Return the terms of a system that speaks of handicap stones; 0 stones is an even game, 1 Black's first move."""
    return Terms(
        black=black.name,
        white=white.name,
        colours="given" if stones else "nigiri",
        difference=difference,
        card_stones=stones,
        free_stones=max(0, stones - 1),
        stones_on_board=stones if stones > 1 else 0,
        komi=komi,
        tie="jigo" if komi == int(komi) else "impossible",
    )
