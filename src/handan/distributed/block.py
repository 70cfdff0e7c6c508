"""What one worker holds: the rows of its own players, read from the ledger by its path, and no more of the others."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from handan.distributed.share import Holder, Share, own_copy, pieces
from handan.kernels.arrays import merged
from handan.kernels.posterior.own_players import Rows, linearise_own, multiply_own, widest_own
from handan.kernels.types import Floats, Ints, Seats
from handan.systems.bradley_terry import BradleyTerry

SIDES = 9  # kinds of one bonus: three scores times three signs


class Point(NamedTuple):
    """Where the posterior is looked at; all that a worker needs to know of the solution."""

    number: int
    """Of the step, so that a worker knows whether it stands there already."""
    level: Floats
    """Strength with entry of all players, natural units, shape (players,)."""
    worth: float
    """The worth of the first move that is learned, natural units."""
    learns: bool = True
    """Whether it is learned; else it is 0."""
    bare: bool = False
    """Whether the terms are left out, as where nobody knows yet what they are worth."""


class Block(Holder):
    """The games of some players; whatever it keeps beside them follows from the last point."""

    def __init__(self, share: Share, system: BradleyTerry) -> None:
        """Read the games of a share."""
        super().__init__(share)
        self.rows = self._read(system)
        self._pull = np.empty(len(self.rows.other))
        self._sums = np.empty((share.stop - share.start, 5))
        self._at = -1

    def as_black(self) -> Floats:
        """Return the weight of the games of each own player as known Black: lost, won, drawn, shape (own, 3)."""
        first, kind, weight, score, sign = (getattr(self.rows, n) for n in ("first", "kind", "weight", "score", "sign"))
        own = np.repeat(np.arange(len(first) - 1), np.diff(first))
        black = sign[kind] > 0.0
        games = [
            np.bincount(own[chosen], weight[chosen], minlength=len(first) - 1)
            for chosen in (black & (score[kind] == value) for value in (0.0, 1.0, 0.5))
        ]
        return np.stack(games, axis=1)

    def linearise(self, point: Point) -> Floats:
        """Return the sums of the own players at a point, made once for each point, shape (own, 5)."""
        if self._at != point.number:
            rows = self._rows(point)
            run = linearise_own.for_work(len(rows.other))
            run(rows, self.share.start, own_copy(point.level), point.worth, self._sums, self._pull)
            self._at = point.number
        return self._sums

    def multiply(self, point: Point, way: Floats) -> Floats:
        """Return what opponents add to the negative Hessian at a point times `way`, shape (own,)."""
        self.linearise(point)  # of a worker that took the place of another one
        product = np.empty(len(self._sums))
        multiply_own.for_work(len(self.rows.other))(self.rows, self._pull, own_copy(way), product)
        return product

    def widest(self, point: Point, step: Floats, worth: float) -> float:
        """Return the largest change that a step makes to a lead."""
        rows = self._rows(point)
        return float(widest_own.for_work(len(rows.other))(rows, self.share.start, own_copy(step), worth))

    def _rows(self, point: Point) -> Rows:
        rows = self.rows if point.learns else self.rows._replace(sign=np.zeros_like(self.rows.sign))
        return rows._replace(bonus=np.zeros_like(rows.bonus)) if point.bare else rows

    def _read(self, system: BradleyTerry) -> Rows:
        """Read the games of the own players, count them, and lay them out."""
        share, gathered = self.share, Gathered([], [], [], [], {})
        for games, piece in pieces(self.ledger(), share.start, share.stop):
            schedule = system.schedule_of(piece)
            terms = system.terms_of(schedule)
            weight = system.weights_at(schedule, share.end)
            learned = (terms.category >= 0).astype(np.float64)
            sides = (schedule.black, schedule.white)
            self.counted.add(share, schedule, games[schedule.sequence])
            for side, turn in ((0, 1.0), (1, -1.0)):
                own, score = sides[side], np.where(turn > 0.0, schedule.score, 1.0 - schedule.score)
                inside = np.flatnonzero((own >= share.start) & (own < share.stop))
                mine = own[inside] - share.start
                gathered.add(mine, sides[1 - side][inside], weight[inside], turn * terms.bonus[inside],
                             score[inside], turn * learned[inside])  # fmt: skip
        return gathered.rows(share.stop - share.start, share.bounds[-1])


class Gathered(NamedTuple):
    """Rows as they come, piece by piece."""

    own: list[Seats]
    other: list[Seats]
    kind: list[Seats]
    weight: list[Floats]
    bonuses: dict[float, int]
    """Number of each different bonus."""

    def add(self, own: Ints, other: Ints, weight: Floats, bonus: Floats, score: Floats, sign: Floats) -> None:
        """Add the rows of a piece."""
        values, which = np.unique(bonus + 0.0, return_inverse=True)
        number = np.array([self.bonuses.setdefault(value, len(self.bonuses)) for value in values.tolist()], np.int64)
        sides = 3 * (2.0 * score).astype(np.int64) + sign.astype(np.int64) + 1
        kind = SIDES * number[which.reshape(-1)] + sides if len(own) else own
        for column, values_of in zip(self[:3], (own, other, kind), strict=True):
            column.append(values_of.astype(np.uint32))
        self.weight.append(weight)

    def rows(self, own_players: int, players: int) -> Rows:
        """Return all rows by own player, opponent and kind, those alike in one; kinds stand in the order of the bonus.

        So the order does not depend on who else belongs to this worker.
        """
        bonus = np.array(sorted(self.bonuses), dtype=np.float64)
        place = np.empty(len(bonus), dtype=np.int64)
        place[[self.bonuses[value] for value in bonus.tolist()]] = np.arange(len(bonus))
        own, other, kind = (np.concatenate([*parts, np.empty(0, np.uint32)]) for parts in self[:3])
        weight = np.concatenate([*self.weight, np.empty(0)])
        for parts in self[:4]:
            parts.clear()
        if len(kind):
            kind = (SIDES * place[kind // SIDES] + kind % SIDES).astype(np.uint32)
        key = own.astype(np.int64) * players + other
        row, weight = merged(key * max(SIDES * len(bonus), 1) + kind, weight)
        first = np.append(0, np.cumsum(np.bincount(own[row], minlength=own_players)))
        number = np.arange(SIDES * len(bonus))
        score: Floats = 0.5 * (number % SIDES // 3).astype(np.float64)
        sign: Floats = (number % 3 - 1).astype(np.float64)
        return Rows(first, other[row], kind[row], weight, bonus[number // SIDES], score, sign)
