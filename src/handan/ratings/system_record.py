"""What a system records beside ratings and changes, for its own explanations and forecasts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, TypedDict

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from handan.ratings.rules import Adjusted

Floats = NDArray[np.float64]


class HasExtra(Protocol):
    """Ratings, as far as `Extra.of` reads them."""

    @property
    def arrays(self) -> Any:
        """The arrays of the ratings."""
        ...


@dataclass(frozen=True, eq=False)
class Extra:
    """Nothing beside ratings and changes; the records of systems that need more inherit this."""

    by_game: ClassVar[tuple[str, ...] | None] = ()
    """Fields that reasons read, arrays with a row a game; None: a reason reads more than what is said of its game."""
    by_rated_game: ClassVar[tuple[str, ...]] = ()
    """The same with a row a rated game, in the order of the replay."""

    def __init_subclass__(cls) -> None:
        """Let a reason read anything where a record does not say which of its fields it reads."""
        super().__init_subclass__()
        if vars(cls).keys().isdisjoint({"by_game", "by_rated_game"}):
            cls.by_game = None

    @classmethod
    def of(cls, ratings: HasExtra) -> Self:
        """Return the record of ratings, as the system that made them knows it.

        Raises:
            TypeError: If ratings of another kind of system are given.
        """
        if not isinstance(ratings.arrays.extra, cls):
            kind = type(ratings.arrays.extra).__name__
            raise TypeError(f"ratings of {ratings.arrays.system.label} hold {kind}, not {cls.__name__}")
        return ratings.arrays.extra


@dataclass(frozen=True, eq=False)
class RatedFrom(Extra):
    """Of systems that rate several games from the same ratings."""

    by_game: ClassVar[tuple[str, ...] | None] = ("rated_from",)

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
