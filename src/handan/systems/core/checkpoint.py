"""A checkpoint of a replay: the state of the players at one place of a ledger, and the games counted so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from handan.ratings.arrays import tallied_on
from handan.systems.core.replay_state import state_after

if TYPE_CHECKING:
    from handan.kernels.types import Ints
    from handan.ratings import Adjusted, Ratings
    from handan.systems.core.ledger_windows import Window
    from handan.systems.core.replay_state import ReplayState


@dataclass(frozen=True)
class Checkpoint:
    """All that a replay knows at one place of a ledger; the games after it are rated from there."""

    game: int
    """Index of the first game after it."""
    past: ReplayState
    tallies: Ints
    """As `Ratings.tallies`, of the games before."""
    rated: int
    """Rated games before."""
    unrated: Ints
    """How many games before are not rated, by the index of the reason, shape (reasons,)."""
    adjusted: tuple[Adjusted, ...]

    @classmethod
    def beginning(cls, past: ReplayState) -> Checkpoint:
        """Return the checkpoint before the first game of a ledger, of whose players so much is known."""
        tallies = np.zeros((len(past.numbers), 5), dtype=np.int64)
        tallies[:, 4] = -1
        return cls(0, past, tallies, 0, np.zeros(0, dtype=np.int64), ())

    def after(self, ratings: Ratings, window: Window) -> Checkpoint:
        """Return the checkpoint after a window, of which these are the ratings."""
        tallies = tallied_on(self.tallies, ratings.arrays.tallies, window.first)
        unrated = np.bincount(ratings.arrays.unrated, minlength=len(ratings.arrays.reasons))
        unrated[: len(self.unrated)] += self.unrated
        adjusted = tuple(item._replace(place=item.place + self.rated) for item in ratings.arrays.adjusted)
        return Checkpoint(
            window.end, state_after(ratings, self.past), tallies, self.rated + ratings.rated, unrated,
            (*self.adjusted, *adjusted),
        )  # fmt: skip
