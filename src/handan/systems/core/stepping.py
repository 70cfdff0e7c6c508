"""How a system takes a single play, as `handan.live` asks it to."""

from __future__ import annotations

from typing import NamedTuple, Protocol


class Seen(NamedTuple):
    """What a replay reads of a game's result and terms, found when such a game is first played."""

    score: float
    worth: float


class Stepping(Protocol):
    """What takes one play of two players who have entered, by the loop with which a system replays a ledger."""

    def take(self, black: int, white: int, seen: Seen, day: int, number: int) -> None:
        """Change the rows of both players, given by number; `number` plays were rated before."""

    def deviation(self, player: int, day: int, number: int) -> float | None:
        """Return the deviation of a player on a day."""
