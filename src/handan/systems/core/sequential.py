"""Systems that take games, events or periods one after another."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from handan.systems.core.base import System

if TYPE_CHECKING:
    from handan.ledger import Ledger
    from handan.ratings import Ratings
    from handan.systems.core.replay_state import ReplayState
    from handan.systems.core.stepping import Stepping


class Sequential(System):
    """A system that takes games, events or periods one after another: of the past it needs what it knows of players."""

    def rate(self, ledger: Ledger) -> Ratings:
        """Rate all games of a ledger; a large one on disk in windows, so that little of it is in memory at a time."""
        from handan.systems.core.lazy_ratings import rated
        from handan.systems.core.ledger_windows import is_large

        if not is_large(ledger):
            return rated(self, ledger)
        from handan.systems.core.streaming import rated_in_windows

        return rated_in_windows(self, ledger)

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
