"""What workers are given, a ledger on disk by its path and which players are their own, and what they count."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from handan.errors import InputError
from handan.kernels.arrays import latest
from handan.kernels.connectivity import join
from handan.kernels.types import Flags, Floats, Ints
from handan.ledger import Ledger
from handan.ledger.coded import Coded
from handan.ledger.disk import open_ledger
from handan.systems.bradley_terry import BradleyTerry
from handan.systems.core.refusals import UNRATED
from handan.systems.core.schedule import Schedule
from handan.systems.whr import WHR

PIECE = 1 << 20  # games that are read at a time; our choice. Sums of weights depend on it, so it is one for all


Solved = BradleyTerry | WHR
"""What workers solve."""


class Share(NamedTuple):
    """What is given to one worker: it can be sent, and made again by another one."""

    path: str
    """Folder of the ledger, as all workers see it."""
    token: str
    """What is in that folder; a ledger that is written there meanwhile has another one."""
    system: Solved
    bounds: tuple[int, ...]
    """The first of the players of each worker, and the number of players."""
    place: int
    """Which of the workers it is."""
    end: int
    """The last day with a rated game, days since 1970."""

    @property
    def start(self) -> int:
        """The first of its players."""
        return self.bounds[self.place]

    @property
    def stop(self) -> int:
        """The one behind its last."""
        return self.bounds[self.place + 1]


class Tally(NamedTuple):
    """What a worker counts of its players."""

    counts: Ints
    """Games, wins, losses, draws and index of the last game (-1: none), shape (own, 5)."""
    head: Ints
    """A player of the same group for every player whom these games join, -1 for others, shape (players,)."""

    @classmethod
    def of_nothing(cls, share: Share) -> Tally:
        """Return that of no games."""
        counts = np.zeros((share.stop - share.start, 5), dtype=np.int64)
        counts[:, 4] = -1
        return cls(counts, np.full(share.bounds[-1], -1, dtype=np.int64))

    def add(self, share: Share, schedule: Schedule, games: Ints) -> None:
        """Count rated games; every game is joined by one worker, that of Black.

        Args:
            share: Whose players are counted.
            schedule: The games.
            games: Index of each of them in the ledger, shape (rated,).
        """
        black, white = schedule.seats
        chosen: Flags = (black >= share.start) & (black < share.stop)
        mine = (black[chosen], white[chosen])
        join.for_work(len(mine[0]))(*mine, self.head)
        for own, score in ((schedule.black, schedule.score), (schedule.white, 1.0 - schedule.score)):
            inside = np.flatnonzero((own >= share.start) & (own < share.stop))
            self._count(own[inside] - share.start, score[inside], games[inside])

    def _count(self, own: Ints, score: Floats, games: Ints) -> None:
        halves = (2.0 * score).astype(np.int64)
        counts = np.bincount(3 * own + halves, minlength=3 * len(self.counts)).reshape(-1, 3)
        self.counts[:, 0] += counts.sum(axis=1)
        self.counts[:, 1:4] += counts[:, [2, 0, 1]]
        np.maximum.at(self.counts[:, 4], own, games)


def token_of(ledger: Ledger) -> str:
    """Return what tells a ledger on disk from others in its place."""
    columns = ledger.columns
    assert isinstance(columns, Coded)  # noqa: S101  # every ledger on disk is
    assert columns.origin is not None  # noqa: S101
    return columns.origin.token


class Holder:
    """What all workers have, whatever they solve."""

    def __init__(self, share: Share) -> None:
        """Begin without games."""
        self.share = share
        self.counted = Tally.of_nothing(share)

    def ledger(self) -> Ledger:
        """Open the ledger; InputError where it is not the one that the share is of."""
        ledger = open_ledger(self.share.path)
        if token_of(ledger) != self.share.token:
            raise InputError(f"{self.share.path} was written anew while workers solved it; begin again")
        return ledger

    def process(self) -> int:
        """Return the number of the process."""
        return os.getpid()

    def tally(self) -> Tally:
        """Return what there is to count."""
        return self.counted


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


class Glance(NamedTuple):
    """What is seen of a ledger before its games are dealt out."""

    end: int
    """The last day with a rated game, days since 1970; 0 without one."""
    games: Ints
    """Number of games of each player, shape (players,)."""
    refused: Ints
    """Number of games by why they are not rated, shape (reasons,)."""


def glance(ledger: Ledger, system: Solved) -> Glance:
    """Go through a ledger once."""
    ends, games, refused = [], np.zeros(len(ledger.players), dtype=np.int64), np.zeros(len(UNRATED), dtype=np.int64)
    for _, piece in pieces(ledger):
        schedule = system.schedule_of(piece)
        if len(schedule):
            ends.append(latest(piece.day[schedule.sequence]))
        refused += np.bincount(schedule.unrated, minlength=len(UNRATED))
        for side in piece.seats:
            games += np.bincount(side, minlength=len(games))
    return Glance(max(ends, default=0), games, refused)


def own_copy(values: Floats) -> Floats:
    """Return an array as loops are compiled for: one that may be written to, unlike those in a shared memory."""
    return np.require(values, requirements="W")
