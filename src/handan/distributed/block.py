"""What one worker holds: the rows of its own players, read from the ledger by its path, and no more of the others."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from handan.kernels.arrays import merged
from handan.kernels.connectivity import join
from handan.kernels.posterior.own_players import Rows, linearise_own, multiply_own, widest_own
from handan.kernels.types import Flags, Floats, Ints, Seats
from handan.ledger import Ledger
from handan.ledger.coded import Coded
from handan.ledger.disk import open_ledger
from handan.systems.bradley_terry import BradleyTerry
from handan.systems.core.refusals import UNRATED
from handan.systems.core.schedule import Schedule

PIECE = 1 << 20  # games that are read at a time; our choice. Sums of weights depend on it, so it is one for all
SIDES = 9  # kinds of one bonus: three scores times three signs


class Share(NamedTuple):
    """What is given to one worker: it can be sent, and made again by another one."""

    path: str
    """Folder of the ledger, as all workers see it."""
    system: BradleyTerry
    start: int
    """The first of its players."""
    stop: int
    """The one behind its last."""
    ranked: bool
    """Whether anybody enters by a rank."""
    end: int
    """The last day with a rated game, days since 1970."""


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


class Tally(NamedTuple):
    """What a worker counts of its players, shape (own,) each, but for `head`."""

    counts: Ints
    """Games, wins, losses, draws and index of the last game (-1: none), shape (own, 5)."""
    as_black: Floats
    """Weight of the games as known Black: lost, won, drawn, shape (own, 3)."""
    head: Ints
    """A player of the same group for every player whom these games join, -1 for others, shape (players,)."""


def pieces(ledger: Ledger, start: int = 0, stop: int | None = None) -> Iterator[tuple[Ints, Ledger]]:
    """Go through the games of some players, or of all, piece by piece: their indices, and they as a ledger."""
    columns = ledger.columns
    assert isinstance(columns, Coded)  # noqa: S101  # every ledger on disk is
    for first in range(0, len(ledger), PIECE):
        games = np.arange(first, min(first + PIECE, len(ledger)))
        if stop is not None:
            own = [(side[games] >= start) & (side[games] < stop) for side in (columns.black, columns.white)]
            games = games[own[0] | own[1]]
        yield games, Ledger(columns.taken(games), ledger.players)


class Block:
    """The games of some players; whatever it keeps beside them follows from the last point."""

    def __init__(self, share: Share) -> None:
        """Read the games of a share."""
        self.share = share
        ledger = open_ledger(share.path)
        self._players = len(ledger.players)
        self._counts = np.zeros((share.stop - share.start, 5), dtype=np.int64)
        self._counts[:, 4] = -1
        self._head = np.full(self._players, -1, dtype=np.int64)
        self.rows = self._read(ledger)
        self._pull = np.empty(len(self.rows.other))
        self._sums = np.empty((share.stop - share.start, 5))
        self._at = -1

    def process(self) -> int:
        """Return the number of the process that holds it."""
        return os.getpid()

    def tally(self) -> Tally:
        """Return what there is to count."""
        first, kind, weight, score, sign = (getattr(self.rows, n) for n in ("first", "kind", "weight", "score", "sign"))
        own = np.repeat(np.arange(len(first) - 1), np.diff(first))
        black = sign[kind] > 0.0
        games = [
            np.bincount(own[chosen], weight[chosen], minlength=len(first) - 1)
            for chosen in (black & (score[kind] == value) for value in (0.0, 1.0, 0.5))
        ]
        return Tally(self._counts, np.stack(games, axis=1), self._head)

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

    def _read(self, ledger: Ledger) -> Rows:
        """Read the games of the own players, count them, and lay them out."""
        share, gathered = self.share, Gathered([], [], [], [], {})
        for games, piece in pieces(ledger, share.start, share.stop):
            schedule = share.system.schedule_of(piece)
            terms = share.system.terms_of(schedule, ranked=share.ranked)
            weight = share.system.weights_at(schedule, share.end)
            learned = (terms.category >= 0).astype(np.float64)
            sides = (schedule.black, schedule.white)
            black, white = self._mine(schedule)
            join.for_work(len(black))(black, white, self._head)
            for side, turn in ((0, 1.0), (1, -1.0)):
                own, score = sides[side], np.where(turn > 0.0, schedule.score, 1.0 - schedule.score)
                inside = np.flatnonzero((own >= share.start) & (own < share.stop))
                mine = own[inside] - share.start
                self._count(mine, score[inside], games[schedule.sequence[inside]])
                gathered.add(mine, sides[1 - side][inside], weight[inside], turn * terms.bonus[inside],
                             score[inside], turn * learned[inside])  # fmt: skip
        return gathered.rows(share.stop - share.start, self._players)

    def _mine(self, schedule: Schedule) -> tuple[Seats, Seats]:
        """Return Black and White of the games of own players as Black, so that every game is joined by one worker."""
        black, white = schedule.seats
        chosen: Flags = (black >= self.share.start) & (black < self.share.stop)
        return black[chosen], white[chosen]

    def _count(self, own: Ints, score: Floats, games: Ints) -> None:
        halves = (2.0 * score).astype(np.int64)
        counts = np.bincount(3 * own + halves, minlength=3 * len(self._counts)).reshape(-1, 3)
        self._counts[:, 0] += counts.sum(axis=1)
        self._counts[:, 1:4] += counts[:, [2, 0, 1]]
        np.maximum.at(self._counts[:, 4], own, games)


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


def own_copy(values: Floats) -> Floats:
    """Return an array as loops are compiled for: one that may be written to, unlike those in a shared memory."""
    return np.require(values, requirements="W")


class Glance(NamedTuple):
    """What is seen of a ledger before its games are dealt out."""

    end: int
    """The last day with a rated game, days since 1970; 0 without one."""
    games: Ints
    """Number of games of each player, shape (players,)."""
    refused: Ints
    """Number of games by why they are not rated, shape (reasons,)."""


def glance(ledger: Ledger, system: BradleyTerry) -> Glance:
    """Go through a ledger once."""
    end, games, refused = 0, np.zeros(len(ledger.players), dtype=np.int64), np.zeros(len(UNRATED), dtype=np.int64)
    for _, piece in pieces(ledger):
        schedule = system.schedule_of(piece)
        end = max(end, int(piece.day[schedule.sequence].max(initial=0)))
        refused += np.bincount(schedule.unrated, minlength=len(UNRATED))
        for side in piece.seats:
            games += np.bincount(side, minlength=len(games))
    return Glance(end, games, refused)
