"""What one worker holds of whole histories: the days of its own players, their games, and vectors over these days.

A step is found by all workers together. What one of them needs of days that another one has, it is sent in each round;
both know from the games alone which days these are, and in which order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from handan.distributed.own_days import lay_out, read_games
from handan.distributed.share import Holder, Share, own_copy
from handan.kernels.posterior.own_histories import (
    Vectors,
    factorise_own,
    last_days,
    linearise_days,
    multiply_days,
    relax_own,
    spread_entries,
    widest_days,
)
from handan.kernels.types import Floats
from handan.systems.whr import WHR

Sent = list[Any]
"""An answer, and behind it what a worker has for each of all workers: of its days on which their players met its own,
shape (those days,)."""
SENDING = ("begin", "strengths", "start", "relax", "take")
"""The methods that return such."""


class DaysBlock(Holder):
    """The days of some players, and a solution on its way.

    A question says after which one it is to be answered. A block that was made again since, or does not stand there,
    answers None, and all begin the step again at strengths that they are given.
    """

    def __init__(self, share: Share, system: WHR) -> None:
        """Read the games of a share."""
        super().__init__(share)
        laid = lay_out(share, *read_games(self, system), system)
        self._shift = system.hessian_shift
        self._days, self._ends, self._needed = laid.days, laid.ends, laid.needed
        self._own, self._work = len(laid.ends), len(laid.days.other)
        vectors = {name: np.zeros(len(laid.days.gap)) for name in Vectors._fields}
        vectors["seen"], vectors["pull"] = np.zeros(laid.nodes), np.zeros(self._work)
        self._vectors = Vectors(**vectors)
        self._at = -1

    def follow(self, before: int, after: int, method: str, *given: Any) -> Any:
        """Return what a method does; None, or nothing but None, where the block was not left at `before`.

        Args:
            before: Number of the question before this one.
            after: Number of this question, at which the block is left; none comes twice.
            method: One of those below; `begin` is answered wherever the block stands.
            given: To it.
        """
        if method != "begin" and self._at != before:
            return [None] * (1 + len(self._needed)) if method in SENDING else None
        self._at = after
        return getattr(self, method)(*given)

    def begin(self, strength: Floats | None, entry: Floats) -> Sent:
        """Go to strengths, shape (own nodes,), or to the entries, natural units, shape (own,); send the strengths."""
        self._days = self._days._replace(entry=own_copy(entry))
        if strength is None:
            spread_entries.for_work(self._work)(self._days, self._vectors.strength)
        else:
            self._vectors.strength[:] = strength
        return self.strengths()

    def strengths(self) -> Sent:
        """Send the strengths that other workers need."""
        return self._sent(True, self._vectors.strength)  # noqa: FBT003

    def look(self, *others: Floats) -> Floats:
        """Find gradient and information at the strengths, of which those of others are given; see `linearise_days`."""
        self._see(self._vectors.strength, others)
        sums = np.empty((self._own, 2))
        linearise_days.for_work(self._work)(self._days, self._vectors, sums)
        return sums

    def start(self) -> Sent:
        """Begin a step of nothing; see `relax`."""
        factorise_own.for_work(self._work)(self._days, self._vectors)
        for vector in (self._vectors.seen, self._vectors.step, self._vectors.fresh):
            vector[:] = 0.0
        return self.relax(0.0)

    def multiply(self, share: float, level: float, *others: Floats) -> Floats:
        """Turn to the next direction; return its dot product with H times it, of each player; see `multiply_days`."""
        sums = np.empty(self._own)
        multiply_days.for_work(self._work)(self._days, share, level, np.concatenate(others), self._vectors, sums)
        return sums

    def relax(self, stride: float) -> Sent:
        """Step along the direction; return the sums of `relax_own`, and send what others need for the next one."""
        sums = np.empty((self._own, 3))
        relax_own.for_work(self._work)(self._days, stride, self._vectors, sums)
        return self._sent(sums, self._vectors.fresh)

    def take(self) -> Sent:
        """Take the step; return its largest change, and send what other workers need of it."""
        self._vectors.strength[:] += self._vectors.step
        return self._sent(float(np.abs(self._vectors.step).max(initial=0.0)), self._vectors.step)

    def widest(self, *others: Floats) -> float:
        """Return the largest change that the step makes to a lead."""
        self._see(self._vectors.step, others)
        return float(widest_days.for_work(self._work)(self._days, self._vectors))

    def take_back(self, share: float) -> bool:
        """Take a share of the step back."""
        self._vectors.strength[:] -= share * self._vectors.step
        return True

    def kept(self) -> Floats:
        """Return the strengths, from which `begin` goes on, shape (own nodes,)."""
        return self._vectors.strength.copy()

    def last(self) -> Floats:
        """Return strength, variance and period of the last day; NaN without games, shape (own, 3)."""
        last = np.empty((self._own, 2))
        last_days.for_work(self._work)(self._days, self._vectors, self._shift, last)
        return np.column_stack((last, np.where(np.isnan(last[:, 0]), np.nan, self._ends)))

    def _see(self, own: Floats, others: Sequence[Floats]) -> None:
        np.concatenate((own, *others), out=self._vectors.seen)

    def _sent(self, answer: Any, values: Floats) -> Sent:
        return [answer, *(values[nodes] for nodes in self._needed)]
