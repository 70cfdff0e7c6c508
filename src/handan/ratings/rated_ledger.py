"""A ledger with what a system says of it: the figures that tables, cards, forecasts and events are made from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from handan.errors import counted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from handan.ledger import Ledger
    from handan.ratings.arrays import RatingArrays
    from handan.ratings.rules import Rules


@dataclass(frozen=True, eq=False)
class RatedLedger:
    """The answer of one system to one ledger; `Ratings` adds what people ask of it."""

    arrays: RatingArrays
    """What the system found, as arrays, which explanations, forecasts and pages read."""

    @property
    def system(self) -> Rules[Any]:
        """The system, with its settings."""
        return self.arrays.system

    @property
    def ledger(self) -> Ledger:
        """The games."""
        return self.arrays.ledger

    @property
    def rating(self) -> NDArray[np.float64]:
        """Rating of every player now, shape (players,)."""
        return self.arrays.rating

    @property
    def deviation(self) -> NDArray[np.float64] | None:
        """Standard deviation of each rating in its unit, shape (players,); None where the system has none."""
        return self.arrays.deviation

    @property
    def rated(self) -> int:
        """Number of games that were rated."""
        return self.arrays.rated

    @property
    def unrated_counts(self) -> dict[str, int]:
        """Number of games that were not rated, by reason."""
        return self.arrays.unrated_counts

    @property
    def warnings(self) -> tuple[str, ...]:
        """What may surprise whoever reads these ratings."""
        return self.arrays.warnings

    @property
    def notes(self) -> tuple[str, ...]:
        """How the answer was found, and what was learned beside the ratings."""
        return self.arrays.notes

    @cached_property
    def calibration(self) -> NDArray[np.float64]:
        """Weights of the slopes 0, 0.1, …, 1 with which forecasts take the log odds now, shape (11,).

        A forecast is the mean of the probabilities that they give. All weight lies on 1 where the system's law is its
        own forecast; see `Traits.calibrated`.
        """
        weights: NDArray[np.float64] = self.system.calibration(self)
        return weights

    def __len__(self) -> int:
        """Return the number of players."""
        return len(self.ledger.players)

    def __repr__(self) -> str:
        """One short line, whatever the number of games."""
        counts = f"{self.rated:,} of {counted(len(self.ledger), 'game')}, {counted(len(self.ledger.players), 'player')}"
        return f"<Ratings {self.system.label}: {counts}>"
