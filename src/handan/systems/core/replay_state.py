"""The state of a replay: what is known of the players, so that later games need none of the earlier ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from handan.ranks import Rank

if TYPE_CHECKING:
    from handan.kernels.types import Flags, Floats, Ints
    from handan.ledger import Adjustment, Ledger
    from handan.ratings import Ratings

Texts = NDArray[np.str_]
Scalar = TypeVar("Scalar", bound=np.generic)
RANKED, LATE = "ranked", "late rank"
"""Columns of a state that say what warnings count: `ReplayState.ranked` and `ReplayState.late`."""
RANK = np.dtype("U8")
"""Ranks as they are written, empty for none."""
ENTERED, ENTRY = "entered", "entry stones"
"""Columns of a state that all systems share: who has played a rated game, and the place of the rank at entry, NaN for
none, on the axis of stones."""
OWN = ("numbers", "entered", "declared", "highest", "by_hand")
"""What is known of each player under every system."""


@dataclass(frozen=True)
class ReplayState:
    """What is known of the players of a ledger from the games before it; all arrays have shape (players, …)."""

    numbers: Ints
    """A number for each player that no other has, whatever the ledger."""
    entered: Flags
    """Who has played a rated game."""
    declared: Texts
    """Rank declared last."""
    highest: Texts
    """Highest rank declared."""
    by_hand: Flags
    """Whether a rank or rating has been set by hand."""
    state: Mapping[str, NDArray[Any]]
    """What the system knows, by the names under which it keeps it (`Schedule.carried`)."""
    batches: int
    """Number of batches of games rated together."""
    day: int
    """Last day with a game, days since 1970-01-01."""
    pool: Ints | None = None
    """Pool of every player by the games before; None: it is not needed."""
    ranked: Flags | None = None
    """Who entered by a rank or was set by hand before; None: it is not needed."""
    late: Flags | None = None
    """Who declared a rank first after the first rated game; None: it is not needed."""
    adjustments: tuple[Adjustment, ...] = ()
    """Those that were taken with the games before, each once."""

    def of(self, players: Ints) -> ReplayState:
        """Return what is known of some of the players, shape (some,)."""
        return replace(
            self,
            **{name: getattr(self, name)[players] for name in OWN},
            state={name: values[players] for name, values in self.state.items()},
        )

    @property
    def without_ranks(self) -> bool:
        """Whether nobody has entered by a rank, declared one or been set by hand."""
        ranked = self.by_hand.any() or (self.declared != "").any() or not np.isnan(self.entry_stones()).all()
        return not bool(ranked)

    @cached_property
    def coming(self) -> Ints:
        """Players who have played no rated game, ascending."""
        return np.flatnonzero(~self.entered)

    def pass_on(self, name: str, fresh: NDArray[Scalar]) -> None:
        """Put a column of the state into fresh values (players, …), but for those who have played no rated game."""
        if len(self.coming) < len(fresh):
            coming = fresh[self.coming]  # few: to put the others in by their places takes ten times as long
            fresh[:] = self.state[name]
            fresh[self.coming] = coming

    def with_ranks(self, ranks: list[Rank | None]) -> list[Rank | None]:
        """Return ranks of all players, where who has played no rated game and has none has the last one declared."""
        texts, ranks = self.declared[self.coming], [*ranks]
        for player, text in zip(self.coming[texts != ""].tolist(), texts[texts != ""].tolist(), strict=True):
            ranks[player] = ranks[player] or rank_of_text(text)
        return ranks

    def entry_stones(self) -> Floats:
        """Return the places of the ranks at entry, NaN where there are none."""
        return self.state.get(ENTRY, np.full(len(self.numbers), np.nan))


def initial_state(players: int) -> ReplayState:
    """Return what is known before the first game."""
    none, ranks = np.zeros(players, dtype=np.bool_), np.zeros(players, dtype=RANK)
    return ReplayState(np.arange(players), none, ranks, ranks, none, {}, 0, 0)


def is_initial(past: ReplayState | None) -> bool:
    """Return whether nobody has played before, declared a rank or been set by hand."""
    if past is None:
        return True
    return not (past.entered.any() or past.by_hand.any() or past.adjustments or (past.declared != "").any())


def initial_state_with_counts(players: int) -> ReplayState:
    """Return the same where pools and what warnings count are to be handed on too (`state_after`)."""
    none = np.zeros(players, dtype=np.bool_)
    return replace(initial_state(players), pool=np.full(players, -1, dtype=np.int64), ranked=none, late=none)


def state_after(ratings: Ratings, past: ReplayState) -> ReplayState:
    """Return what is known of the players of a ledger after its last game.

    Args:
        ratings: Of the games of the ledger.
        past: What was known of the same players before them.
    """
    ledger, players = ratings.ledger, len(ratings.ledger.players)
    state = dict(ratings.arrays.state)
    entered = state.pop(ENTERED, None)
    if entered is None:
        entered = past.entered.copy()
        for side in () if entered.all() else ledger.arrays.seats:
            entered[side[ratings.arrays.sequence]] = True
    declared, highest = past.declared, past.highest
    if (ledger.arrays.first_declared < len(ledger)).any():
        different, number = ledger.arrays.numbered_ranks_by(np.full(players, len(ledger), dtype=np.int64))
        texts = np.array([str(rank or "") for rank in different], dtype=RANK)[number]
        declared, highest = np.where(texts == "", declared, texts), _highest(ledger, highest)
    by_hand = past.by_hand.copy()
    by_hand[[ledger.find(item.player) for item in ledger.adjustments]] = True
    ranked, late = state.pop(RANKED, past.ranked), state.pop(LATE, past.late)
    return ReplayState(
        past.numbers, entered, declared, highest, by_hand, state, past.batches + len(ratings.arrays.batch) - 1,
        int(ledger.arrays.day.max()) if ledger.arrays.dated.any() else past.day,
        pool=None if past.pool is None else ratings.arrays.pool, ranked=ranked, late=late,
        adjustments=tuple(dict.fromkeys((*past.adjustments, *ledger.adjustments))),
    )  # fmt: skip


def rank_of_text(text: str) -> Rank | None:
    """Return the rank that a text names, None for an empty one."""
    return Rank.parse(text) if text else None


def _highest(ledger: Ledger, before: Texts) -> Texts:
    """Return the highest rank that each player has declared by the end of a ledger."""
    texts: list[str] = before.tolist()
    ranks = {rank for different, _ in ledger.arrays.declared for rank in different if rank}
    ascending = sorted(ranks.union(Rank.parse(text) for text in set(texts) if text))
    level = {"": 0, **{str(rank): place for place, rank in enumerate(ascending, 1)}}
    highest = np.array([level[text] for text in texts], dtype=np.int64)
    for player, (different, number) in zip(ledger.arrays.seats, ledger.arrays.declared, strict=True):
        np.maximum.at(highest, player, np.array([level[str(rank or "")] for rank in different])[number])
    return np.array(list(level), dtype=RANK)[highest]


def rank_in(item: Adjustment) -> Rank | None:
    """Return the rank of an adjustment, which its constructor has read."""
    return item.rank if isinstance(item.rank, Rank) else None
