"""What a system writes down beside ratings and changes, for its own explanations and forecasts: a record a system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypedDict

import numpy as np
from numpy.typing import NDArray

from handan.ledger.room import appended, with_room
from handan.ratings.rules import Adjusted

if TYPE_CHECKING:
    from handan.ratings.ratings import Ratings

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Extra:
    """Nothing beside ratings and changes; the records of systems that need more inherit this."""

    by_player: ClassVar[tuple[str, ...]] = ()
    """Fields with a row a player."""

    @classmethod
    def of(cls, ratings: Ratings) -> Self:
        """Return the record of ratings, as the system that made them knows it.

        Raises:
            TypeError: If ratings of another kind of system are given.
        """
        if not isinstance(ratings.extra, cls):
            raise TypeError(
                f"ratings of {ratings.system.label} hold {type(ratings.extra).__name__}, not {cls.__name__}"
            )
        return ratings.extra

    def followed_by(self, later: Self, players: Ints) -> Self:  # noqa: ARG002  # records that name players read them
        """Return the record of games and of those behind them, for records whose arrays have one row a game.

        Args:
            later: That of the games behind.
            players: Those of whom `later` knows, as this record numbers them, shape (some,).
        """
        both = {part.name: (getattr(self, part.name), getattr(later, part.name)) for part in fields(self)}
        return type(self)(**{name: appended(*arrays) for name, arrays in both.items()})

    def make_room(self, games: int, more: int, *, for_several: bool = False) -> None:
        """Keep equal arrays with room for more games behind those of so many; see `handan.ledger.room.with_room`."""
        for name, values in self._by_game(games):
            object.__setattr__(self, name, with_room(values, more, for_several=for_several))

    def show_part_of(self, whole: Self, games: int) -> None:
        """Keep the first rows of the record of more games, to which those of so many games are equal."""
        for name, _ in self._by_game(games):
            object.__setattr__(self, name, getattr(whole, name)[:games])

    def _by_game(self, games: int) -> list[tuple[str, NDArray[Any]]]:
        """Return the arrays with a row for each of so many games, by name."""
        arrays = [(part.name, getattr(self, part.name)) for part in fields(self) if part.name not in self.by_player]
        return [(name, values) for name, values in arrays if isinstance(values, np.ndarray) and len(values) == games]


@dataclass(frozen=True, eq=False)
class RatedFrom(Extra):
    """Of systems that rate several games from the same ratings."""

    rated_from: Floats
    """Ratings from which each game was rated, those of its event or period, shape (games, 2)."""


class Details(TypedDict, total=False):
    """What a system may say of its answer besides ratings and changes: the fields of `Ratings` of these names."""

    printed: Floats
    deviation: Floats
    rank_number: NDArray[np.int64]
    rank_numbers: tuple[NDArray[np.int64], NDArray[np.int64]]
    variances: Floats
    deviation_unit: float
    adjusted: tuple[Adjusted, ...]
    notes: tuple[str, ...]
    beside: Mapping[str, Floats]
    extra: Extra
