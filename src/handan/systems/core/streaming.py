"""Ratings of a ledger too large for memory, window by window; only the state of the players is kept.

What a replay says of every game is made when somebody asks for it, if there is memory for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

from handan.ratings import Ratings
from handan.systems.core.checkpoint import Checkpoint
from handan.systems.core.lazy_ratings import OF_LIST, InOrder, LazyArrays
from handan.systems.core.ledger_windows import GAMES, part_of, windows
from handan.systems.core.memory_limit import refuse_beyond
from handan.systems.core.replay_state import initial_state_with_counts

if TYPE_CHECKING:
    from handan.ledger import Ledger
    from handan.ratings import RatingArrays
    from handan.systems.core.ledger_windows import Window
    from handan.systems.core.replay_state import ReplayState

OF_GAME = 180.0  # bytes that ratings hold of a game: from 65 with Elo to 177 with DGS
BY_GAME = (*OF_LIST, "unrated", "sequence", "batch", "printed", "rank_numbers")
"""What ratings hold of every game."""


class Taken(NamedTuple):
    """A window that has been rated."""

    window: Window
    ratings: Ratings
    """Of its games alone, from what was known before."""
    checkpoint: Checkpoint
    """After it."""


def taken(rules: InOrder, ledger: Ledger, parts: list[Window], past: ReplayState) -> Iterator[Taken]:
    """Rate windows one after the other.

    Args:
        rules: The system.
        ledger: The games.
        parts: Its windows, from the first game on.
        past: What is known of its players before.
    """
    checkpoint = Checkpoint.beginning(past)
    for window in parts:
        part = part_of(ledger, window, checkpoint.past.entered)
        ratings = Ratings(replace(rules.list_after(checkpoint.past, part).arrays, earlier=checkpoint.tallies[:, 0]))
        checkpoint = checkpoint.after(ratings, window)
        yield Taken(window, ratings, checkpoint)
        del ratings  # else two windows would be in memory


def rated_in_windows(
    rules: InOrder,
    ledger: Ledger,
    games: int = GAMES,
    progress: Callable[[int], None] | None = None,
) -> Ratings:
    """Return the ratings of a ledger, to the bit, without what is said of each game."""
    parts = windows(ledger, rules.together, games)
    for window, ratings, checkpoint in taken(rules, ledger, parts, initial_state_with_counts(len(ledger.players))):
        if progress is not None:
            progress(window.end)
        if window == parts[-1]:
            return Ratings(StreamedArrays(rules, ratings.arrays, ledger, checkpoint))
        del ratings  # else two windows would be in memory
    raise AssertionError("there is always a window")


class StreamedArrays(LazyArrays):
    """What is known of the players now; the arrays of one row a game are made again when somebody asks.

    Those need the memory that ratings of so many games always did.
    """

    checkpoint: Checkpoint
    """After the last game."""

    def __init__(self, rules: InOrder, last: RatingArrays, ledger: Ledger, checkpoint: Checkpoint) -> None:
        """Make the arrays of a ledger from those of its last window, and the checkpoint after it."""
        merged = replace(last, ledger=ledger, adjusted=checkpoint.adjusted, totals=checkpoint.tallies, earlier=None)
        super().__init__(merged, BY_GAME, partial(_in_full, rules, ledger))
        object.__setattr__(self, "checkpoint", checkpoint)

    @property
    def rated(self) -> int:
        """Number of games that were rated."""
        return self.checkpoint.rated

    @cached_property
    def unrated_counts(self) -> dict[str, int]:
        """Number of games that were not rated, by reason."""
        return {self.reasons[i]: int(count) for i, count in enumerate(self.checkpoint.unrated) if i and count}


def _in_full(rules: InOrder, ledger: Ledger) -> RatingArrays:
    """Return the arrays of all games, if there is memory for them."""
    refuse_beyond(
        OF_GAME * len(ledger),
        f"what {rules.name} says of each of {len(ledger):,} games",
        "rate fewer games, such as those of the last years",
    )
    return rules.rate_after(None, ledger).arrays
