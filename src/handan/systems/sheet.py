"""What a replay reads: the rated games in the order in which they are taken, and how players enter and are adjusted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from handan.kernels.adjusting import ByHand
from handan.kernels.pools import Seats, pools
from handan.ledger import Adjustment, Ledger
from handan.ranks import Rank
from handan.ratings import Adjusted, Ratings, Rules

Entry = tuple[Rank | None, float | None]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Codes = NDArray[np.int8]
UNRATED = (
    "",
    "void or without a result",
    "decided without play",
    "a free game",
    "no date, and the games around it have one",
    "not on a 19x19 board",
    "no date, which this system needs",
)
"""Why no system, or most, would rate a game; systems add their own reasons behind these."""


@dataclass(frozen=True)
class Sheet:
    """What a replay reads: the rated games of a ledger in the order in which they are taken, and how players enter."""

    ledger: Ledger
    sequence: Ints
    """Index of each rated game in the ledger, in the order of the replay, shape (rated,)."""
    unrated: Codes
    """Why each game is not rated, an index into `reasons`; 0 for rated games; shape (games,)."""
    reasons: tuple[str, ...]
    batch: Ints
    """Index of the first game of each batch of games rated together, and the end, shape (batches + 1,)."""

    @classmethod
    def of(cls, ledger: Ledger, unrated: Codes, *, by_event: bool = False, reasons: tuple[str, ...] = UNRATED) -> Sheet:
        """Lay out the rated games one by one, or by events in the order of their first games."""
        taken = np.flatnonzero(unrated == 0) if unrated.any() else ledger.places[:-1]
        if not by_event:
            return cls(ledger, taken, unrated, reasons, ledger.places[: len(taken) + 1])
        event = ledger.event if len(taken) == len(ledger) else ledger.event[taken]
        if (event[1:] >= event[:-1]).all():  # no event stands within another
            starts = np.flatnonzero(np.diff(event, prepend=-1))
            return cls(ledger, taken, unrated, reasons, np.append(starts, len(taken)))
        _, first, number = np.unique(event, return_index=True, return_inverse=True)
        place = np.argsort(np.argsort(first, kind="stable"), kind="stable")[number]
        order = np.argsort(place, kind="stable")
        starts = np.flatnonzero(np.diff(place[order], prepend=-1))
        return cls(ledger, taken[order], unrated, reasons, np.append(starts, len(taken)))

    def __len__(self) -> int:
        """Number of rated games."""
        return len(self.sequence)

    @cached_property
    def seats(self) -> tuple[Seats, Seats]:
        """Index of Black and of White as compiled loops read them, shape (rated,) each."""
        black, white = (self.taken(side) for side in self.ledger.seats)
        return black, white

    @cached_property
    def black(self) -> Ints:
        """Index of Black, shape (rated,)."""
        return self.taken(self.ledger.black)

    @cached_property
    def white(self) -> Ints:
        """Index of White, shape (rated,)."""
        return self.taken(self.ledger.white)

    @cached_property
    def score(self) -> Floats:
        """Black's score, shape (rated,)."""
        return self.taken(self.ledger.score)

    @cached_property
    def pool(self) -> Ints:
        """Pool of every player, 0 the largest; -1 without a rated game; shape (players,)."""
        if not self._in_place:
            return pools(*self.seats, len(self.ledger.players))
        return self.ledger.kept("pool of every player", lambda: pools(*self.seats, len(self.ledger.players)))

    @cached_property
    def first_game(self) -> Ints:
        """Ledger index of each player's first rated game, the number of games where there is none, shape (players,)."""
        first = np.full(len(self.ledger.players), len(self.ledger), dtype=np.int64)
        np.minimum.at(first, self.black, self.sequence)
        np.minimum.at(first, self.white, self.sequence)
        return first

    @cached_property
    def entries(self) -> list[Entry]:
        """Rank and rating with which each player enters: by adjustment, else the rank first declared."""
        declared: dict[Rank | None, Entry] = {rank: (rank, None) for rank in set(self.ledger.first_ranks)}
        entries = [declared[rank] for rank in self.ledger.first_ranks]
        for item, player, _ in self._placed:
            if (item, player) not in self._later:
                rank, rating = entries[player]
                entries[player] = (_rank(item) or rank, item.rating if item.rating is not None else rating)
                if item.rating is None:
                    entries[player] = (_rank(item), None)
        return entries

    @cached_property
    def _placed(self) -> list[tuple[Adjustment, int, int]]:
        """All adjustments with their player and the game that they precede, in order."""
        placed = [(item, self.ledger.find(item.player), self.ledger.position(item)) for item in self.ledger.adjustments]
        return sorted(placed, key=lambda entry: entry[2])

    @cached_property
    def later(self) -> list[tuple[Adjustment, int, int]]:
        """Adjustments of players who have already played: (adjustment, player, ledger index of the next game)."""
        return [entry for entry in self._placed if entry[2] and self.first_game[entry[1]] < entry[2]]

    @cached_property
    def _later(self) -> set[tuple[Adjustment, int]]:
        return {(item, player) for item, player, _ in self.later}

    def start_of(self, index: int) -> int:
        """Return the place in the replay before which an adjustment at a ledger index applies."""
        starts = self.batch[:-1]
        first = self.sequence[starts]  # ascending: batches stand in the order of their first games
        return int(self.batch[np.searchsorted(first, index, side="left")])

    def numbers(self, rating_for: Callable[[Rank], float], otherwise: float) -> tuple[Floats, ByHand]:
        """Return starting ratings, shape (players,), and later adjustments, for systems with one number a player."""

        def value(rank: Rank | None, rating: float | None) -> float:
            if rating is not None:
                return rating
            return otherwise if rank is None else rating_for(rank)

        different = {entry: value(*entry) for entry in set(self.entries)}
        start = np.array([different[entry] for entry in self.entries], dtype=np.float64)
        count = len(self.later)
        hand = ByHand(
            places=np.array([self.start_of(index) for *_, index in self.later], dtype=np.int64),
            players=np.array([player for _, player, _ in self.later], dtype=np.int64),
            values=np.array([value(_rank(item), item.rating) for item, *_ in self.later], dtype=np.float64),
            at_least=np.array([item.at_least for item, *_ in self.later], dtype=np.bool_),
            replaced=np.empty(count),
            became=np.empty(count),
        )
        return start, hand

    @cached_property
    def _in_place(self) -> bool:
        """Whether every game is rated, in the order of the ledger."""
        if len(self) < len(self.ledger):
            return False
        return self.sequence.base is self.ledger.places or np.array_equal(self.sequence, self.ledger.places[:-1])

    def taken(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return the values of the rated games, in the order of the replay, of values of all games of the ledger."""
        if self._in_place:
            return values
        chosen = values[self.sequence]
        chosen.flags.writeable = False  # as those of the ledger, so that a loop is compiled once for both
        return chosen

    def spread(self, values: NDArray[Any], empty: Any = np.nan) -> NDArray[Any]:
        """Return per-replay values at the places of their games in the ledger, shape (games, 2)."""
        if self._in_place:
            return values
        placed = np.full((len(self.ledger), *values.shape[1:]), empty, dtype=values.dtype)
        placed[self.sequence] = values
        return placed

    def per_player(self, values: Floats) -> Floats:
        """Return the sum over each player's games of values of both sides, shape (rated, 2), as shape (players,)."""
        players = len(self.ledger.players)
        sums: Floats = np.bincount(self.black, values[:, 0], minlength=players).astype(np.float64)
        return sums + np.bincount(self.white, values[:, 1], minlength=players)

    def ratings(self, system: Rules, rating: Floats, before: Floats, change: Floats, **more: Any) -> Ratings:
        """Put the arrays of a replay together; `before` and `change` have shape (rated, 2)."""
        spread_before, spread_change = self.spread(before), self.spread(change)
        warnings = (*self.ledger.warnings, *more.pop("warnings", ()), *_pool_warning(self.pool))
        return Ratings(
            system=system,
            ledger=self.ledger,
            rating=rating,
            before=spread_before,
            change=spread_change,
            unrated=self.unrated,
            reasons=self.reasons,
            sequence=self.sequence,
            pool=self.pool,
            warnings=warnings,
            **more,
        )

    def adjusted(self, system: Rules, hand: ByHand) -> tuple[Adjusted, ...]:
        """Return the lines of the later adjustments after a replay has filled in what they replaced."""
        return tuple(
            Adjusted(item, player, int(place), old, new, system.rank(old), system.rank(new))
            for (item, player, _), place, old, new in zip(
                self.later, hand.places, hand.replaced.tolist(), hand.became.tolist(), strict=True
            )
        )

    def newcomers(self, what: str) -> tuple[str, ...]:
        """Return a warning that says how many players entered without any rank or rating."""
        plays = self.pool >= 0
        unknown = int(plays[[entry[0] is None and entry[1] is None for entry in self.entries]].sum())
        if not unknown:
            return ()
        return (f"{unknown} of {int(plays.sum())} players have no entry rank; they start at {what}",)


def _rank(item: Adjustment) -> Rank | None:
    """Return the rank of an adjustment, which its constructor has read."""
    return item.rank if isinstance(item.rank, Rank) else None


def _pool_warning(pool: Ints) -> tuple[str, ...]:
    """Return a warning if there are players who never met, not even through others."""
    count = int(pool.max(initial=-1)) + 1
    if count < 2:
        return ()
    outside = int((pool > 0).sum())
    return (f"{count} separate pools: {outside} players never met the largest pool; numbers cannot be compared across",)
