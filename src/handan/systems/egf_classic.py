"""EGF rating until 2021 (GoR): Elo with a tabled step and a logistic scale that narrows with strength.

Source: European Go Database, "EGF rating system (old)", by A. Cieply; con and a as tabled there.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from handan.kernels.compiling import kernel
from handan.kernels.incremental.events import replay_events
from handan.kernels.winning_law import WinningLaw
from handan.ratings import Factor, product, surprise
from handan.systems.core.law import LARGEST_EXPONENT
from handan.systems.core.settings import setting
from handan.systems.egf import EGF

if TYPE_CHECKING:
    from handan.kernels.incremental.events import Side
    from handan.kernels.winning_law import Pairing

CON = (
    116.0, 110.0, 105.0, 100.0, 95.0, 90.0, 85.0, 80.0, 75.0, 70.0, 65.0, 60.0, 55.0, 51.0,
    47.0, 43.0, 39.0, 35.0, 31.0, 27.0, 24.0, 21.0, 18.0, 15.0, 13.0, 11.0, 10.0,
)  # fmt: skip
"""Step size at ratings 100, 200, …, 2700, as printed."""
LOWEST, HIGHEST = 100.0, 2700.0


@kernel
def con(rating: float) -> float:
    """Return the step size: linear between the entries of the table, 116 below 100, 10 above 2700."""
    place = (min(max(rating, LOWEST), HIGHEST) - LOWEST) / 100.0
    row = min(int(place), 25)
    return CON[row] + (CON[row + 1] - CON[row]) * (place - row)


@kernel
def scale(rating: float) -> float:
    """Return a, the width of the logistic in points: a = 200 - (r - 100) / 20 between 100 and 2700."""
    return 200.0 - (min(max(rating, LOWEST), HIGHEST) - LOWEST) / 20.0


@kernel
def expected(own: float, other: float, epsilon: float, split: float, clamp: float) -> float:
    """Return the expected score SE from ratings after handicap; a is taken at the lower of the two.

    SE of the lower is 1 / (exp(D/a) + 1), of the higher 1 less that; both give up epsilon/2 (`split` 1), or the higher
    alone gives up epsilon (`split` 0). With `clamp` 1 no expected score is below 0.
    """
    lower = 1.0 / (math.exp(min(abs(own - other) / scale(min(own, other)), LARGEST_EXPONENT)) + 1.0)
    if own <= other:
        raw = lower - split * epsilon / 2.0
        if own == other and split == 0.0:
            raw = 0.5  # our choice: among equals the early form names no stronger player, so nobody gives up epsilon
    else:
        raw = 1.0 - lower - (epsilon / 2.0 if split == 1.0 else epsilon)
    return max(raw, 0.0) if clamp == 1.0 else raw


@kernel
def change_of(side: Side) -> float:
    """Return the change of one side: w con (S - SE); con uses the rating without handicap."""
    epsilon, split, clamp = side.constants
    expectation = expected(side.own + side.own_worth, side.other + side.other_worth, epsilon, split, clamp)
    return side.weight * con(side.own) * (side.score - expectation)


replay = replay_events.using("egf_classic_replay_events", change_of=change_of)


@kernel
def lead_of(pairing: Pairing) -> float:
    """Return D / a of Black's expected score after the handicap, with no epsilon given up."""
    own = pairing.black + pairing.worth
    return (own - pairing.white) / scale(min(own, pairing.white))


@dataclass(frozen=True)
class EGFClassic(EGF):
    """The European rating in force until 2021."""

    name: ClassVar[str] = "egf-classic"
    title: ClassVar[str] = "European Go Federation, until 2021 (GoR)"
    floor: ClassVar[float] = LOWEST
    winning_law: ClassVar[WinningLaw] = WinningLaw.of("egf_classic", lead_of)

    epsilon: float = setting(0.016, "expected score given up, which feeds points into the pool", low=0.0, high=0.5)
    epsilon_from: Literal["both", "stronger"] = setting("both", "who gives up epsilon")
    clamp_expected: bool = setting(False, "whether expected scores below 0 count as 0")  # noqa: FBT003  # a default

    def _replay(self, steps: int) -> Callable[..., None]:
        return replay.for_work(steps)

    @property
    def _constants(self) -> tuple[float, ...]:
        return (self.epsilon, 1.0 if self.epsilon_from == "both" else 0.0, float(self.clamp_expected))

    def expectation(self, own: float, other: float) -> float:
        """Return the expected score from ratings after handicap, epsilon included."""
        return expected(own, other, *self._constants)

    def _looked_at(self, own: float, other: float) -> dict[str, float]:
        """Return D and a of the expected score."""
        return {"D": abs(own - other), "a": scale(min(own, other))}

    def _summands(self, rating: float, weight: float, score: float, expectation: float) -> tuple[Factor, ...]:
        law = "SE of the lower is 1 / (exp(D / a) + 1), of the higher 1 less that, less their shares of epsilon."
        result = surprise("S - SE", "Score less expected score.", score, expectation, law)
        tournament = Factor("class weight", weight, "Classes A, B, C, D weigh 1, 0.75, 0.5, 0.25.")
        step = Factor("con", con(rating), "con of the rating without handicap, from the table.")
        return (product("result", "The result moves the rating by w con (S - SE).", tournament, step, result),)
