"""Newton's method on whole histories where workers hold the days: they keep the vectors, and all sums are made here.

Each step is found by conjugate gradients. They are preconditioned by the own system of each player, which is exact for
a player whose opponents stand still, and by a shift of all days alike. Per round every worker is sent what the others
say of the days that its players met, and sends back a few sums of each player; these are added here, in the order of
the players. So the answer is the same to the last bit whoever holds whom. Steps and limits are those of
`kernels/posterior/newton.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from handan.distributed.workers import TRIES, Workers
from handan.errors import InputError
from handan.kernels.posterior.history_newton import LEAST
from handan.kernels.posterior.newton import LOOSE, MOST_ROUNDS, MOST_STEPS, SAFE, TIGHT, Effort
from handan.kernels.posterior.own_histories import ENERGY, HOLD, LARGEST, SLOPE, TOTAL
from handan.kernels.types import Floats

Answer = TypeVar("Answer")
Passed = list[tuple[Any, ...]]
"""What each worker is given of what all have for it; it need not be in this process."""


class LostError(Exception):
    """A worker was made again, and does not know of the step."""


@dataclass(eq=False)
class Histories:
    """The solution of whole histories on its way; strengths are kept here at the end of each step."""

    workers: Workers
    entries: Sequence[Floats]
    """Of the players of each worker, natural units."""
    tolerance: float
    _strengths: list[Floats | None] = field(init=False)
    """Of the days of each worker; None: the entries."""
    _question: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self._strengths = [None] * len(self.entries)

    def maximise(self) -> Effort:
        """Go to the maximum."""
        rounds, moved = 0, 0.0
        for done in range(1, MOST_STEPS + 1):
            more, moved = self._whole(self._step)
            rounds += more
            if moved < self.tolerance:
                return Effort(done, rounds, moved)
        return Effort(MOST_STEPS, rounds, moved)

    def last(self) -> Floats:
        """Return strength, variance and period of each player's last day; NaN without games, shape (players, 3)."""
        return self._whole(self._last)

    def _whole(self, work: Callable[[], Answer]) -> Answer:
        """Do a piece of work from the strengths that are kept, again if a worker dies."""
        for _ in range(TRIES):
            try:
                return work()
            except LostError:
                continue
        raise InputError(f"workers died in {TRIES} tries of one step; is their memory enough?")

    def _ask(self, method: str, *given: Any, each: Sequence[Any] | None = None) -> list[Any]:
        return _of_all(self.workers.ask("follow", *self._next(), method, *given, each=each))

    def _send(self, method: str, *given: Any, each: Sequence[Any] | None = None) -> tuple[list[Any], Passed]:
        """Return the answers, and what each worker gets of what all have for it, in the order of the players."""
        answers, *passed = zip(*self.workers.send("follow", *self._next(), method, *given, each=each), strict=True)
        return _of_all(list(answers)), passed

    def _next(self) -> tuple[int, int]:
        """Return the number of the last question and that of the next."""
        self._question += 1
        return self._question - 1, self._question

    def _begin(self) -> Floats:
        """Let all workers go to the strengths that are kept; return the sums of `look`."""
        _, passed = self._send("begin", each=list(zip(self._strengths, self.entries, strict=True)))
        return np.concatenate(self._ask("look", each=passed))

    def _last(self) -> Floats:
        self._begin()
        return np.concatenate(self._ask("last"))

    def _step(self) -> tuple[int, float]:
        """Take one step of Newton's method; return the rounds that it took, and its largest change."""
        firm = float(self._begin()[:, HOLD].sum())
        rounds = self._find_step(1.0 / firm if firm > LEAST else 0.0)
        largest, passed = self._send("take")
        moved: float = max(largest)
        if 2.0 * moved > SAFE:
            width = max(self._ask("widest", each=passed))
            if width > SAFE:
                self._shorten(1.0 - math.log(1.0 + width) / width)
        self._strengths = self._ask("kept")
        return rounds, moved

    def _shorten(self, share: float) -> None:
        """Take a share of a long step back where it went too far."""
        _, passed = self._send("strengths")
        sums = np.concatenate(self._ask("look", each=passed))
        if sums[:, SLOPE].sum() < 0.0:
            self._ask("take_back", share)

    def _find_step(self, light: float) -> int:
        """Solve H step = gradient; return the rounds. They end as those of `newton.find_step` do.

        Args:
            light: How much the sum of what is left of the gradient shifts all days.
        """
        energy, total, _, passed = self._relaxed("start", light)
        share, enough = 0.0, 0.0
        for done in range(1, MOST_ROUNDS + 1):
            slopes = np.concatenate(self._ask("multiply", share, light * total, each=passed))
            slope = float(slopes.sum())
            if not slope > 0.0:
                return done - 1
            left, total, largest, passed = self._relaxed("relax", light, energy / slope)
            if done == 1:
                enough = max(min(LOOSE, largest) * largest, TIGHT * self.tolerance)
            if largest <= enough:
                return done
            share, energy = left / energy, left
        return MOST_ROUNDS

    def _relaxed(self, method: str, light: float, *given: float) -> tuple[float, float, float, Passed]:
        """Return rest times its preconditioned self, the sum of the rest, the largest change, and what is passed on."""
        answers, passed = self._send(method, *given)
        sums = np.concatenate(answers)
        total = float(sums[:, TOTAL].sum())
        energy = float(sums[:, ENERGY].sum()) + light * total * total
        return energy, total, float(sums[:, LARGEST].max(initial=0.0)), passed


def _of_all(answers: list[Any]) -> list[Any]:
    """Return the answers; LostError where a worker has none."""
    if any(answer is None for answer in answers):
        raise LostError
    return answers
