"""Systems that take games, events or periods one after another, and their ratings of a ledger too large for memory.

Such a ledger is rated window by window, and only the state of the players is kept. What a replay says of every game is
made when somebody asks for it, if there is memory for it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from handan.ratings import Ratings
from handan.systems.core.base import System
from handan.systems.core.checkpoint import Checkpoint
from handan.systems.core.lazy_ratings import OF_LIST, LazyArrays
from handan.systems.core.ledger_windows import GAMES, is_large, part_of, windows
from handan.systems.core.memory_limit import refuse_beyond
from handan.systems.core.replay_state import initial_state_with_counts
from handan.systems.core.schedule import NOTHING

if TYPE_CHECKING:
    from handan.ledger import Ledger
    from handan.ratings import RatingArrays
    from handan.systems.core.ledger_windows import Window
    from handan.systems.core.replay_state import ReplayState
    from handan.systems.core.stepping import Stepping

FROM = 1 << 17  # games; our choice: what fewer of them change is written down in less time than a page takes
OF_GAME = 180.0  # bytes that ratings hold of a game: from 65 with Elo to 177 with DGS
BY_GAME = (*OF_LIST, "unrated", "sequence", "batch", "printed", "rank_numbers")
"""What ratings hold of every game."""


class Sequential(System):
    """A system that takes games, events or periods one after another: of the past it needs what it knows of players."""

    def rate(self, ledger: Ledger) -> Ratings:
        """Rate all games of a ledger; those of a large one in windows, so that few of them are in memory at a time.

        Ratings of many games say what each of them changed when somebody asks.
        """
        if is_large(ledger):
            return rated_in_windows(self, ledger)
        answer = self.list_after(None, ledger) if len(ledger) >= FROM else self.rate_after(None, ledger)
        if answer.arrays.before is not NOTHING:
            return answer
        later = LazyArrays(answer.arrays, OF_LIST, lambda: self.rate_after(None, ledger).arrays)
        return replace(answer, arrays=later)

    def list_after(self, past: ReplayState | None, ledger: Ledger) -> Ratings:
        """Rate as `rate_after` does; what is said of each game may be left out (`core/lazy_ratings.py`)."""
        return self.rate_after(past, ledger)

    @property
    def together(self) -> str:
        """Which games are rated from the same ratings: a `game` alone, those of a `day`, `week`, `month` or `event`.

        What a system says of a day, such as how many games count on it, does not belong here.
        """
        return "game"

    @property
    def one_by_one(self) -> bool:
        """Whether each game can be rated when it is played: what follows on its day changes nothing that it meant."""
        return False

    def stepping(self, rows: Mapping[str, list[Any]]) -> Stepping | None:  # noqa: ARG002  # systems that have such a loop read them
        """Return what takes one game of two players who have entered, by the loop of `rate_after` (`core/live.py`).

        Args:
            rows: What is known of the players under the names of `Schedule.carried`, a list each; to be changed.
        """
        return None

    @abstractmethod
    def rate_after(self, past: ReplayState | None, ledger: Ledger) -> Ratings:
        """Rate the games of a ledger after those of a past, to the bit as `rate` rates all of them together.

        Args:
            past: What is known of the players of the ledger; None: there are no games before.
            ledger: Games that are rated together with none before; with its adjustments from then on, and those of
                players who have not entered yet.
        """


class Taken(NamedTuple):
    """A window that has been rated."""

    window: Window
    ratings: Ratings
    """Of its games alone, from what was known before."""
    checkpoint: Checkpoint
    """After it."""


def taken(rules: Sequential, ledger: Ledger, parts: list[Window], past: ReplayState) -> Iterator[Taken]:
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
    rules: Sequential,
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

    def __init__(self, rules: Sequential, last: RatingArrays, ledger: Ledger, checkpoint: Checkpoint) -> None:
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


def _in_full(rules: Sequential, ledger: Ledger) -> RatingArrays:
    """Return the arrays of all games, if there is memory for them."""
    refuse_beyond(
        OF_GAME * len(ledger),
        f"what {rules.name} says of each of {len(ledger):,} games",
        "rate fewer games, such as those of the last years",
    )
    return rules.rate_after(None, ledger).arrays
