"""What a replay reads: the rated games in the order in which they are taken, and how players enter and are adjusted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

import numpy as np

from handan.kernels.connectivity import pools
from handan.kernels.incremental.adjustments import ByHand
from handan.ledger import Adjustment
from handan.ranks import Rank
from handan.ratings import Adjusted, RatingArrays
from handan.ratings.notes import FIRST_RANK
from handan.systems.core.replay_state import LATE, RANKED, is_initial, rank_in
from handan.systems.core.unrated_reasons import UNRATED
from handan.systems.core.warnings import (
    idle_deviations_warning,
    newcomers_warning,
    scale_ends_warning,
    warnings_of_all,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from handan.kernels.types import Codes, Floats, Ints, Seats
    from handan.ledger import Ledger
    from handan.ranks import Rank
    from handan.ratings import Details, Ratings, Rules
    from handan.systems.core.replay_state import ReplayState

Entry = tuple[Rank | None, float | None]
"""Rank and rating with which a player enters."""
Placed = tuple[Adjustment, int, int]
"""An adjustment, its player, and the ledger index of the game that it precedes."""
NOTHING = np.empty((0, 2))  # what a system says of games that will only say it when somebody asks
Scalar = TypeVar("Scalar", bound=np.generic)
Worth = TypeVar("Worth", float, tuple[int, float])


@dataclass(frozen=True)
class Schedule:
    """What a replay reads: the rated games of a ledger in the order in which they are taken, and how players enter."""

    ledger: Ledger
    sequence: Ints
    """Index of each rated game in the ledger, in the order of the replay, shape (rated,)."""
    unrated: Codes
    """Why each game is not rated, an index into `reasons`; 0 for rated games; shape (games,)."""
    reasons: tuple[str, ...]
    batch: Ints
    """Index of the first game of each batch of games rated together, and the end, shape (batches + 1,)."""
    late_ranks: str = ""
    """What becomes of a rank first declared after the first rated game: `remark`, `adjust`; empty: it is not read."""
    more: tuple[Placed, ...] = ()
    """Adjustments that a system makes of the ledger itself."""
    past: ReplayState | None = None
    """What is known of the players from games before the ledger; None: there are none."""
    state: dict[str, NDArray[Any]] = field(default_factory=dict)
    """What the replay leaves behind of the players, by name (`carried`)."""
    entered_by: Schedule | None = None
    """The schedule of more games that says how players enter; None: these games say it."""

    @classmethod
    def of(
        cls,
        ledger: Ledger,
        unrated: Codes,
        *,
        by_event: bool = False,
        reasons: tuple[str, ...] = UNRATED,
        late_ranks: str = "",
        more: tuple[Placed, ...] = (),
        past: ReplayState | None = None,
    ) -> Schedule:
        """Lay out the rated games one by one, or by events in the order of their first games."""
        taken = np.flatnonzero(unrated == 0) if unrated.any() else ledger.arrays.places[:-1]
        schedule = cls(ledger, taken, unrated, reasons, ledger.arrays.places[: len(taken) + 1], late_ranks, more, past)
        return schedule.in_batches(ledger.arrays.event) if by_event else schedule

    def in_batches(self, number: Ints) -> Schedule:
        """Return the schedule with the games of one number in one batch, batches in the order of their first games.

        Args:
            number: Of each game of the ledger, such as that of its event, shape (games,).
        """
        own = number if len(self) == len(number) else number[self.sequence]
        if (own[1:] >= own[:-1]).all():  # none stands within another
            starts = np.flatnonzero(np.diff(own, prepend=own[:1] - 1))
            return replace(self, batch=np.append(starts, len(own)))
        _, first, place = np.unique(own, return_index=True, return_inverse=True)
        place = np.argsort(np.argsort(first, kind="stable"), kind="stable")[place]
        order = np.argsort(place, kind="stable")
        starts = np.flatnonzero(np.diff(place[order], prepend=-1))
        return replace(self, sequence=self.sequence[order], batch=np.append(starts, len(own)))

    def __len__(self) -> int:
        """Number of rated games."""
        return len(self.sequence)

    @cached_property
    def seats(self) -> tuple[Seats, Seats]:
        """Index of Black and of White as compiled loops read them, shape (rated,) each."""
        black, white = (self.taken(side) for side in self.ledger.arrays.seats)
        return black, white

    @cached_property
    def black(self) -> Ints:
        """Index of Black, shape (rated,)."""
        return self.taken(self.ledger.arrays.black)

    @cached_property
    def white(self) -> Ints:
        """Index of White, shape (rated,)."""
        return self.taken(self.ledger.arrays.white)

    @cached_property
    def score(self) -> Floats:
        """Black's score, shape (rated,)."""
        return self.taken(self.ledger.arrays.score)

    @cached_property
    def pool(self) -> Ints:
        """Pool of every player, 0 the largest; -1 without a rated game; shape (players,)."""
        before = None if self.past is None else self.past.pool
        if before is not None or not self._in_place:
            return pools(*self.seats, len(self.ledger.players), before)
        return self.ledger.arrays.kept("pool of every player", lambda: pools(*self.seats, len(self.ledger.players)))

    @cached_property
    def coming(self) -> Ints:
        """Players who have played no rated game before, ascending."""
        return np.arange(len(self.ledger.players)) if self.past is None else self.past.coming

    @cached_property
    def first_game(self) -> Ints:
        """Ledger index of each player's first rated game, shape (players,).

        The number of games where there is none, -1 where it is past.
        """
        if not len(self.coming):
            return np.full(len(self.ledger.players), -1, dtype=np.int64)
        if self._in_place and is_initial(self.past):
            return self.ledger.arrays.first_game
        first = np.full(len(self.ledger.players), len(self.ledger), dtype=np.int64)
        for side in self.seats:
            np.minimum.at(first, side, self.sequence)
        return first if self.past is None else np.where(self.past.entered, -1, first)

    @cached_property
    def first_declared(self) -> Ints:
        """Ledger index of the game with which each player first declared a rank, as `first_game`, shape (players,)."""
        first = self.ledger.arrays.first_declared
        return first if self.past is None else np.where(self.past.declared != "", -1, first)

    @cached_property
    def entry_ranks(self) -> list[Rank | None]:
        """Rank that each player declared with the first rated game, else the last one before it, shape (players,)."""
        return self.ranks_by(self.first_game)

    def ranks_by(self, until: Ints) -> list[Rank | None]:
        """Return the rank that each player declared last up to a game, or in the past; None for who has entered."""
        declares = (self.ledger.arrays.first_declared < len(self.ledger)).any()
        ranks: list[Rank | None] = self.ledger.arrays.ranks_by(until) if declares else [None] * len(self.ledger.players)
        if self.past is None:
            return ranks
        return self.past.with_ranks(ranks)

    @property
    def numbers_of_players(self) -> Ints:
        """A number for each player by which a state names others, shape (players,)."""
        return np.arange(len(self.ledger.players)) if self.past is None else self.past.numbers

    def carried(self, name: str, fresh: NDArray[Scalar]) -> NDArray[Scalar]:
        """Return what a replay reads and changes of the players, as the past left it; it is handed on when it is over.

        Args:
            name: Under which the state of this system is kept.
            fresh: Values of players at entry, shape (players, …); overwritten where a player has entered before.
        """
        if self.past is not None:
            self.past.pass_on(name, fresh)
        self.state[name] = fresh
        return fresh

    def entries(self, value: Callable[[Entry], Worth]) -> list[Entry]:
        """Return rank and rating with which each player enters, shape (players,): by adjustment, else by declared rank.

        Args:
            value: What an entry is worth; an adjustment with `at_least` does not lower it.
        """
        ranks = self.entry_ranks
        entries: list[Entry] = [(rank, None) for rank in ranks] if any(ranks) else [(None, None)] * len(ranks)
        for item, player, _ in self.before_entry:
            old = entries[player]
            new = (rank_in(item), None) if item.rating is None else (rank_in(item) or old[0], item.rating)
            if not (item.at_least and value(old) > value(new)):
                entries[player] = new
        return entries

    @cached_property
    def _placed(self) -> list[Placed]:
        """All adjustments with their player and the game that they precede, in order."""
        placed = [
            (item, self.ledger.find(item.player), self.ledger.arrays.position(item)) for item in self.ledger.adjustments
        ]
        return sorted([*placed, *self.more], key=lambda entry: entry[2])

    @cached_property
    def before_entry(self) -> list[Placed]:
        """Adjustments before the player's first rated game, in order."""
        return [entry for entry in self._placed if entry[2] <= self.first_game[entry[1]]]

    @cached_property
    def later(self) -> list[Placed]:
        """Adjustments of players who have already played, in the order in which the replay takes them."""
        later = [entry for entry in self._placed if self.first_game[entry[1]] < entry[2]]
        if self.late_ranks == "adjust":
            later += self.late
        return sorted(later, key=lambda entry: (self.place_of(entry), entry[2]))

    @cached_property
    def _late_players(self) -> Ints:
        """Players who entered by nothing and declared a rank later, before anybody set them by hand."""
        first, games = self.first_declared, len(self.ledger)
        if (first == games).all():
            return np.empty(0, dtype=np.int64)
        until = np.full(len(first), games)
        if self.past is not None:
            until[self.past.by_hand] = -1
        for _, player, index in self._placed:
            until[player] = min(until[player], index)
        return np.flatnonzero((first > self.first_game) & (first < until))

    @cached_property
    def late(self) -> list[Placed]:
        """The first ranks of players who entered by nothing, as adjustments before the games that declared them."""
        ledger, first = self.ledger, self.first_declared
        ranks = ledger.arrays.ranks_by(first) if len(self._late_players) else []
        late: list[Placed] = []
        for player in self._late_players.tolist():
            index, name, rank = int(first[player]), ledger.players[player].name, ranks[player]
            late.append((Adjustment(name, rank, None, ledger[index].date, FIRST_RANK.format(rank=rank)), player, index))
        return late

    def start_of(self, index: int) -> int:
        """Return the place in the replay at which the first batch begins that holds no game before a ledger index."""
        return int(self.batch[np.searchsorted(self._opening, index, side="left")])

    def place_of(self, entry: Placed) -> int:
        """Return the place in the replay before which an adjustment applies.

        That is where the next batch begins, or one that had begun if the player enters it only then.
        """
        _, player, index = entry
        begins = self.start_of(index)
        if len(self.batch) > len(self):
            return begins
        own = self._own[player]
        batch = np.searchsorted(self.batch, own, side="right") - 1
        through = batch[self.sequence[own] < index].max(initial=-1)  # a batch that holds a game from before is past
        return int(min([begins, *self.batch[batch[batch > through][:1]]]))

    @cached_property
    def _opening(self) -> Ints:
        """Ledger index of the first game of each batch, ascending: batches stand in the order of their first games."""
        return self.sequence[self.batch[:-1]]

    @cached_property
    def _own(self) -> list[Ints]:
        """The places of each player's games in the replay."""
        both = np.concatenate([self.black, self.white])
        order = np.argsort(both, kind="stable")
        starts = np.searchsorted(both[order], np.arange(1, len(self.ledger.players)))
        return [np.sort(own % len(self)) for own in np.split(order, starts)]

    @cached_property
    def declared(self) -> NDArray[np.bool_]:
        """Whether each player enters by a declared rank, or was set by hand before, shape (players,)."""
        if self.entered_by is not None:
            return self.entered_by.declared
        if self.by_games_alone:
            return self.ledger.arrays.kept("who declares a rank at entry", self._declaring)
        declared = self._declaring()
        declared[[player for _, player, _ in self.before_entry]] = True
        if self.past is not None and self.past.ranked is not None:
            declared[self.past.entered] = self.past.ranked[self.past.entered]
        return declared

    def _declaring(self) -> NDArray[np.bool_]:
        declaring = np.zeros(len(self.ledger.players), dtype=np.bool_)
        if not self.nobody_ranked and len(self.coming):
            declaring[self.coming] = [self.entry_ranks[player] is not None for player in self.coming.tolist()]
        return declaring

    @property
    def by_games_alone(self) -> bool:
        """Whether how players enter follows from the ledger's games, all of them rated: nobody is set by hand."""
        return is_initial(self.past) and self._in_place and not (self.more or self.ledger.adjustments)

    @cached_property
    def nobody_ranked(self) -> bool:
        """Whether nobody has declared a rank or been set by hand, so that all enter by nothing."""
        if self.ledger.adjustments or self.more or (self.ledger.arrays.first_declared < len(self.ledger)).any():
            return False
        return self.past is None or self.past.without_ranks

    @cached_property
    def _in_place(self) -> bool:
        """Whether every game is rated, in the order of the ledger."""
        if len(self) < len(self.ledger):
            return False
        return self.sequence.base is self.ledger.arrays.places or np.array_equal(
            self.sequence, self.ledger.arrays.places[:-1]
        )

    def taken(self, values: NDArray[Scalar]) -> NDArray[Scalar]:
        """Return the values of the rated games, in the order of the replay, of values of all games of the ledger."""
        if self._in_place:
            return values
        chosen = values[self.sequence]
        chosen.flags.writeable = False  # as those of the ledger, so that a loop is compiled once for both
        return chosen

    def scatter(self, values: NDArray[Scalar], empty: float = np.nan) -> NDArray[Scalar]:
        """Return per-replay values at the places of their games in the ledger, shape (games, 2)."""
        if self._in_place or values is NOTHING:
            return values
        placed = np.full((len(self.ledger), *values.shape[1:]), empty, dtype=values.dtype)
        placed[self.sequence] = values
        return placed

    def per_player(self, values: Floats) -> Floats:
        """Return the sum over each player's games of values of both sides, shape (rated, 2), as shape (players,)."""
        players = len(self.ledger.players)
        sums: Floats = np.bincount(self.black, values[:, 0], minlength=players).astype(np.float64)
        return sums + np.bincount(self.white, values[:, 1], minlength=players)

    def ratings(
        self,
        system: Rules[Any],
        rating: Floats,
        before: Floats,
        change: Floats,
        warnings: tuple[str, ...] = (),
        **more: Unpack[Details],
    ) -> Ratings:
        """Return the ratings that the arrays of a replay make; `before` and `change` have shape (rated, 2)."""
        all_before, all_change = self.scatter(before), self.scatter(change)
        if not system.traits.reads_deviations:
            count = sum(item.deviation is not None for item in self.ledger.adjustments)
            warnings = (*warnings, *idle_deviations_warning(count))
        if self.past is not None and self.past.ranked is not None:
            self.state.update({RANKED: self.declared, LATE: self.too_late})
        arrays = RatingArrays(
            system=system, ledger=self.ledger, rating=rating, before=all_before, change=all_change,
            unrated=self.unrated, reasons=self.reasons, sequence=self.sequence, batch=self.batch, pool=self.pool,
            warnings=self.warnings(warnings), state=self.state, **more,
        )  # fmt: skip
        from handan.ratings import Ratings  # not by those who only ask for odds

        return Ratings(arrays)

    def warnings(self, of_system: tuple[str, ...]) -> tuple[str, ...]:
        """Return the warnings of ratings of these games, with those of the system."""
        return (*self.ledger.warnings, *of_system, *warnings_of_all(self.too_late, self.pool))

    def adjusted(self, system: Rules[Any], hand: ByHand) -> tuple[Adjusted, ...]:
        """Return the lines of the later adjustments after a replay has filled in what they replaced."""
        return tuple(
            Adjusted(item, player, int(place), old, new, system.rank(old), system.rank(new))
            for (item, player, _), place, old, new in zip(
                self.later, hand.places, hand.replaced.tolist(), hand.became.tolist(), strict=True
            )
        )

    def without(self, taken: Ints, unrated: Codes) -> Schedule:
        """Return a schedule of fewer games, which says of players at entry what this one says."""
        return replace(self, sequence=taken, unrated=unrated, entered_by=self)

    def beyond(self, low: float, high: float = np.inf) -> tuple[str, ...]:
        """Return a warning of ratings set by hand beyond the ends of the scale, in the past too; none without them."""
        earlier = () if self.past is None else self.past.adjustments
        items = dict.fromkeys((*earlier, *self.ledger.adjustments))
        return scale_ends_warning(
            sum(item.rating is not None and not low <= item.rating <= high for item in items), low, high
        )

    def newcomers(self, what: str | Rank, *, by_terms: bool = False) -> tuple[str, ...]:
        """Return a warning of who entered by nothing: at `what`, or by the terms of the first game if `by_terms`."""
        return newcomers_warning(self.pool >= 0, self.declared, what, by_terms=by_terms)

    @cached_property
    def too_late(self) -> NDArray[np.bool_]:
        """Whose late rank is only a remark, by the games of the past too, shape (players,)."""
        if self.entered_by is not None:
            return self.entered_by.too_late
        before = None if self.past is None else self.past.late
        late = np.zeros(len(self.ledger.players), dtype=np.bool_) if before is None else before.copy()
        if self.late_ranks == "remark":
            late[self._late_players] = True
        return late
