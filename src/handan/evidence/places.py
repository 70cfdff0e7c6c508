"""Where both players of each game stood before what the game knows nothing of, by a replay."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from handan.evidence.knowledge import Knowledge
from handan.evidence.task import Task
from handan.kernels.types import Flags, Floats, Ints
from handan.ratings import Ratings
from handan.systems import System

INDEX_OF_A_RANK = 1000.0  # South African Go Clubs: past +999 a player is a rank higher, at index 0


class Sources(NamedTuple):
    """From where the standings of each side are taken, shape (n, 2) each."""

    place: Ints
    """Seat, 2 game for Black and 2 game + 1 for White."""
    as_before: Flags
    """As the side went into that game."""
    as_after: Flags
    """As the side left it."""

    def taken(self, start: Floats, end: Floats) -> Floats:
        """Return values of sides before and after all games, shape (games, 2) each, where they are taken; else NaN."""
        values = start.ravel()[self.place]
        if self.as_before.all():
            return values
        return np.where(self.as_before, values, np.where(self.as_after, end.ravel()[self.place], np.nan))


def before(rules: System, ratings: Ratings, task: Task) -> tuple[Floats, Floats | None]:
    """Return rating and deviation of both sides of the games of a task, shape (n, 2) each; None without deviations.

    That is how they went into the first rated game of those that the game knows nothing of, else as they left the last
    one before. A side without any stands where the system lets it enter by the rank declared with the game, and is NaN
    where none was, since the system refused the game.
    """
    sources = task.kept(ratings.unrated.tobytes(), lambda: _sources(task, ratings.unrated == 0))
    start, deviation = rules.onset(ratings)
    end = start if sources.as_before.all() else ratings.after
    if ratings.rank_numbers is not None:
        start, end = (
            values + INDEX_OF_A_RANK * numbers
            for values, numbers in zip((start, end), ratings.rank_numbers, strict=True)
        )
    rating, spread = sources.taken(start, end), None
    if deviation is not None:
        left = deviation if sources.as_before.all() or ratings.deviations is None else ratings.deviations
        spread = sources.taken(deviation, left)
    _enter(rules, task, ~(sources.as_before | sources.as_after), rating, spread)
    return rating, spread


def _sources(task: Task, rated: Flags) -> Sources:
    """Return from where the standings of the games of a task are taken, if a system rates so many games."""
    knowledge: Knowledge = task.knowledge
    seats, count = knowledge.table, 2 * len(knowledge.ledger)
    row = np.arange(count)
    of_row = rated[seats.order // 2]
    following = np.minimum.accumulate(np.where(of_row, row, count)[::-1])[::-1]  # the next rated row
    previous = np.maximum.accumulate(np.where(of_row, row, -1))
    first = following[seats.first]
    as_before = first <= row
    last = np.where(seats.first > 0, previous[seats.first - 1], -1)
    as_after = ~as_before & (last >= seats.start)
    place = seats.order[np.clip(np.where(as_before, first, last), 0, max(count - 1, 0))]
    at = task.games
    return Sources(seats.placed(place)[at], seats.placed(as_before)[at], seats.placed(as_after)[at])


def _enter(rules: System, task: Task, empty: Flags, rating: Floats, spread: Floats | None) -> None:
    """Fill in the sides without a rated game that declare a rank."""
    for side, (ranks, number) in enumerate(task.ledger.declared):
        at = np.flatnonzero(empty[:, side])
        declared = number[task.games[at]]
        for which in np.unique(declared).tolist():
            rank = ranks[which]
            if rank is not None:
                standing = rules.newcomer("", rank=rank)
                rating[at[declared == which], side] = standing.rating
                if spread is not None:
                    spread[at[declared == which], side] = standing.deviation or 0.0
