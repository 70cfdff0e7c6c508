"""Decayed history: Bradley-Terry in which a game counts the less the older it is.

Source: R. Coulom, "Whole-History Rating" (2008), a method of comparison: weight e^((t - t0) / tau), tau 400 days.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from handan.kernels.arrays import latest
from handan.ratings import Traits
from handan.systems.bradley_terry import BradleyTerry
from handan.systems.core.settings import setting

if TYPE_CHECKING:
    from handan.kernels.types import Floats
    from handan.systems.core.schedule import Schedule


def age_weight(days: Floats, tau: float) -> Floats:
    """Return the weight of a game so many days old: e^(-days / tau)."""
    return np.exp(-days / tau)


@dataclass(frozen=True)
class Decayed(BradleyTerry):
    """The most likely strengths on the last day of the ledger; the prior does not decay."""

    name: ClassVar[str] = "decayed"
    title: ClassVar[str] = "Decayed history"
    revision: ClassVar[int] = 2
    traits: ClassVar[Traits] = Traits(needs_dates=True, whole=True)

    tau: float = setting(400.0, "days after which a game counts 1/e of a new one", unit="days", low=1e-3, high=1e7)

    def weights(self, schedule: Schedule) -> Floats:
        """Return the weight of each game on the last day with a rated game."""
        return self.weights_at(schedule, latest(schedule.ledger.arrays.day[schedule.sequence]))

    def weights_at(self, schedule: Schedule, end: int) -> Floats:
        """Return the weight of each game on a day, days since 1970, shape (rated,)."""
        return age_weight((end - schedule.ledger.arrays.day[schedule.sequence]).astype(np.float64), self.tau)
