"""States of both players before each game, from a replay that uses only what was known by then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from handan.evidence.evaluation_task import Task
from handan.kernels.types import Flags, Floats, Numbers
from handan.ledger import Ledger
from handan.ranks import INDEX_OF_A_RANK
from handan.ratings import Ratings
from handan.systems import System
from handan.systems.core.batches import batch_boundaries
from handan.systems.core.lazy_ratings import rated_in_full
from handan.systems.core.ledger_windows import Window, part_of, windows, windows_between
from handan.systems.core.replay_state import initial_state, state_after
from handan.systems.core.sequential import Sequential

GAMES = 50_000  # games of a window; our choice: what a system says of them takes some 15 MB

SHARING = ("game", "day", "month", "event")
"""Systems that rate these together can take the same windows, so that places of games are found once."""


class Sources(NamedTuple):
    """From where the standings of each side are taken, shape (n, 2) each."""

    place: Numbers
    """Seat, 2 game for Black and 2 game + 1 for White."""
    as_before: Flags | None
    """As the side went into that game; None: all are."""
    as_after: Flags | None
    """As the side left it; None: none is."""

    @classmethod
    def nowhere(cls, games: int) -> Sources:
        """Return those of a system that rates none of the games."""
        return cls(np.zeros((games, 2), dtype=np.int32), np.zeros((games, 2), dtype=np.bool_), None)

    def taken(self, start: Floats, end: Floats) -> Floats:
        """Return values of sides before and after all games, shape (games, 2) each, where they are taken; else NaN."""
        values = start.ravel()[self.place]
        if self.as_before is None:
            return values
        others = np.nan if self.as_after is None else np.where(self.as_after, end.ravel()[self.place], np.nan)
        return np.where(self.as_before, values, others)

    def empty(self) -> Flags | None:
        """Return which sides have no place, None if all have one; shape (games, 2)."""
        if self.as_before is None:
            return None
        return ~self.as_before if self.as_after is None else ~(self.as_before | self.as_after)


@dataclass(frozen=True)
class Left:
    """Where players stood after their last rated games of earlier windows, shape (players,) each; NaN: nowhere yet."""

    rating: Floats
    spread: Floats

    @classmethod
    def nowhere(cls, players: int) -> Left:
        """Return what is left before the first window."""
        return cls(np.full(players, np.nan), np.full(players, np.nan))

    def follow(self, ratings: Ratings, end: Floats, spread: Floats | None) -> None:
        """Take rating and deviation with which players left the games of a window, shape (games, 2) each."""
        rated: Flags | slice = ratings.arrays.unrated == 0 if ratings.arrays.unrated.any() else slice(None)
        player = np.stack(ratings.ledger.arrays.seats, axis=1)[rated].ravel()
        self.rating[player] = end[rated].ravel()  # of equal players the last one stays
        if spread is not None:
            self.spread[player] = spread[rated].ravel()


class Replay(NamedTuple):
    """Some games of a task, and what a system says of them."""

    rows: slice
    """Where they stand in the task."""
    task: Task
    """Of these games alone."""
    ratings: Ratings
    left: Left | None
    """What earlier windows left of the players; None without any. `before` reads and goes on with it."""


def replays(rules: System, task: Task) -> Iterator[Replay]:
    """Yield what a system says of the games, window by window where they are many and it takes them in order.

    So what it says of single games is in memory for some of them at a time, and nothing wide stays with the ledger.
    """
    ledger, rows = task.ledger, slice(0, 0)
    if not isinstance(rules, Sequential) or task.knowledge.level == "event" or len(ledger) <= GAMES:
        yield Replay(slice(0, len(task.games)), task, rated_in_full(rules, ledger), None)
        return
    past, left = initial_state(len(ledger.players)), Left.nowhere(len(ledger.players))
    cuts = task.kept(("cuts", rules.together), lambda: _cuts(ledger, rules.together))
    parts: Iterable[Task] = (task.between(window) for window in cuts)
    if rules.together in SHARING:
        parts = task.latest("windows", tuple(cuts), lambda: [task.between(window) for window in cuts])
    for window, part in zip(cuts, parts, strict=True):
        games = part_of(ledger, window, past.entered) if ledger.adjustments else part.ledger
        ratings = rules.rate_after(past, games)
        past = state_after(ratings, past)
        rows = slice(rows.stop, rows.stop + len(part.games))
        yield Replay(rows, part, ratings, left)
        part.ledger.arrays.forget()


def _cuts(ledger: Ledger, together: str) -> list[Window]:
    """Return windows of a ledger; those that part neither month nor event, where they are not too long, suit most."""
    if together in SHARING:
        clean = np.intersect1d(batch_boundaries(ledger, "month"), batch_boundaries(ledger, "event"))
        shared = windows_between(clean, len(ledger), GAMES)
        if max(window.end - window.first for window in shared) <= 2 * GAMES:
            return shared
    return windows(ledger, together, GAMES)


def before(rules: System, ratings: Ratings, task: Task, left: Left | None = None) -> tuple[Floats, Floats | None]:
    """Return rating and deviation of both sides of the games of a task, shape (n, 2) each; None without deviations.

    That is how they went into the first rated game of those that the game knows nothing of, else as they left the last
    one before. A side without any stands where the system lets it enter by the rank declared with the game, and is NaN
    where none was, since the system refused the game.

    Args:
        rules: The system.
        ratings: Its ratings of the games.
        task: The games.
        left: What earlier games left of the players, where these are not all; what these games leave is written there.
    """
    rated = ratings.arrays.unrated == 0
    if rated.any():
        sources = task.latest("sources", rated.tobytes(), lambda: _sources(task, rated))
    else:
        sources = Sources.nowhere(len(task.games))
    start, end, deviation, after = _sides(rules, ratings, both=left is not None or sources.as_before is not None)
    rating, spread = sources.taken(start, end), None
    if deviation is not None and after is not None:
        spread = sources.taken(deviation, after)
    empty = sources.empty()
    if left is not None and empty is not None and empty.any():
        player = np.stack(task.ledger.arrays.seats, axis=1)[task.games][empty]
        rating[empty] = left.rating[player]
        if spread is not None:
            spread[empty] = left.spread[player]
        empty &= np.isnan(rating)
    if left is not None:
        left.follow(ratings, end, after)
    if empty is not None:
        _enter(rules, task, empty, rating, spread)
    return rating, spread


def _sides(rules: System, ratings: Ratings, *, both: bool) -> tuple[Floats, Floats, Floats | None, Floats | None]:
    """Return rating before and after each game, and deviation before and after, shape (games, 2) each.

    Args:
        rules: The system.
        ratings: Its ratings.
        both: Whether anybody asks for those after games; else they are those before.
    """
    start, deviation = rules.onset(ratings)
    end = ratings.arrays.after if both else start
    if ratings.arrays.rank_numbers is not None and rules.traits.index_of_rank:
        start, end = (
            values + INDEX_OF_A_RANK * numbers
            for values, numbers in zip((start, end), ratings.arrays.rank_numbers, strict=True)
        )
    after = ratings.arrays.deviations if both and ratings.arrays.deviations is not None else deviation
    return start, end, deviation, after


def _sources(task: Task, rated: Flags) -> Sources:
    """Return from where the standings of the games of a task are taken, if a system rates so many games."""
    seats, count = task.knowledge.table, 2 * len(task.ledger)
    row = np.arange(count, dtype=np.int32)
    of_row = rated[seats.order // 2]
    following = np.minimum.accumulate(np.where(of_row, row, np.int32(count))[::-1])[::-1]  # the next rated row
    previous = np.maximum.accumulate(np.where(of_row, row, np.int32(-1)))
    first = following[seats.first]
    as_before = first <= row
    last = np.where(seats.first > 0, previous[seats.first - 1], np.int32(-1))
    as_after = ~as_before & (last >= seats.start)
    place = seats.order[np.clip(np.where(as_before, first, last), 0, max(count - 1, 0))]
    at = task.games
    flags = (None if as_before.all() else as_before, as_after if as_after.any() else None)
    return Sources(seats.placed(place)[at], *(None if each is None else seats.placed(each)[at] for each in flags))


def _enter(rules: System, task: Task, empty: Flags, rating: Floats, spread: Floats | None) -> None:
    """Fill in the sides without a rated game that declare a rank."""
    for side, (ranks, number) in enumerate(task.ledger.arrays.declared):
        at = np.flatnonzero(empty[:, side])
        declared = number[task.games[at]]
        for which in np.unique(declared).tolist():
            rank = ranks[which]
            if rank is not None:
                standing = rules.newcomer("", rank=rank)
                rating[at[declared == which], side] = standing.rating
                if spread is not None:
                    spread[at[declared == which], side] = standing.deviation or 0.0
