"""Ratings of a ledger too large for memory, window by window; only the state of the players is kept.

What a replay says of every game is made again, for the games that somebody asks for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from handan.ledger import When
from handan.ratings import Ratings
from handan.ratings.lines import AFTER, FRONT, PlacedLine, carried, lines_in, lines_of_games
from handan.systems.core.checkpoint import Checkpoint
from handan.systems.core.lazy_ratings import ArraysOnDemand, of_whole
from handan.systems.core.ledger_windows import GAMES, part_of, windows
from handan.systems.core.memory_limit import refuse_beyond

if TYPE_CHECKING:
    from handan.kernels.types import Ints
    from handan.ledger import Ledger
    from handan.ratings import Explanation, RatingArrays
    from handan.systems.core.base import Incremental
    from handan.systems.core.ledger_windows import Window

OF_GAME = 180.0  # bytes that ratings hold of a game: from 65 with Elo to 177 with DGS
BY_GAME = ("before", "change", "unrated", "sequence", "batch", "printed", "rank_numbers", "variances", "extra")
"""What ratings hold of every game."""


class Taken(NamedTuple):
    """A window that has been rated."""

    window: Window
    ratings: Ratings
    """Of its games alone, from what was known before."""
    checkpoint: Checkpoint
    """After it."""


class Retaken(NamedTuple):
    """A window that is rated again, for what is said of its games."""

    window: Window
    ratings: Ratings
    """Of its games alone, from what was known before."""
    start: int
    """Rated games before it."""


def taken(rules: Incremental, ledger: Ledger, parts: list[Window], *, only_list: bool = False) -> Iterator[Taken]:
    """Rate windows one after the other.

    Args:
        rules: The system.
        ledger: The games.
        parts: The windows, from the first game on.
        only_list: Whether nobody asks what is said of each game.
    """
    rate = rules.list_after if only_list else rules.rate_after
    checkpoint = Checkpoint.beginning(len(ledger.players))
    for window in parts:
        part = part_of(ledger, window, checkpoint.past.entered)
        ratings = Ratings(replace(rate(checkpoint.past, part).arrays, earlier=checkpoint.tallies[:, 0]))
        checkpoint = checkpoint.after(ratings, window)
        yield Taken(window, ratings, checkpoint)
        del ratings  # else two windows would be in memory


def rated_in_windows(
    rules: Incremental,
    ledger: Ledger,
    games: int = GAMES,
    progress: Callable[[int], None] | None = None,
) -> StreamedRatings:
    """Return the ratings of a ledger, to the bit, without what is said of each game.

    Args:
        rules: The system.
        ledger: The games.
        games: Taken together.
        progress: Is called with the number of games behind.
    """
    parts = windows(ledger, rules.together, games)
    for window, ratings, checkpoint in taken(rules, ledger, parts, only_list=True):
        if progress is not None:
            progress(window.end)
        if window == parts[-1]:
            return StreamedRatings(StreamedArrays(ratings.arrays, ledger, checkpoint), games)
        del ratings  # else two windows would be in memory
    raise AssertionError("there is always a window")


class _Behind:
    """Numbers of games of a whole ledger, asked by those of a window."""

    def __init__(self, numbers: Container[int], first: int) -> None:
        self.numbers, self.first = numbers, first

    def __contains__(self, number: object) -> bool:
        """Return whether a game of the window, by its number there, is one of them."""
        return isinstance(number, int) and number + self.first in self.numbers


def _renumbered(line: Explanation, first: int) -> Explanation:
    """Return the line of a window with the number that its game has in the whole ledger."""
    return line if line.game is None else replace(line, game=line.game + first)


class StreamedArrays(ArraysOnDemand):
    """What is known of the players now; the arrays of one row a game are made again when somebody asks.

    Those need the memory that ratings of so many games always did.
    """

    later: ClassVar[tuple[str, ...]] = BY_GAME
    for _name in BY_GAME:
        locals()[_name] = of_whole(_name)

    checkpoint: Checkpoint
    """After the last game."""

    def __init__(self, last: RatingArrays, ledger: Ledger, checkpoint: Checkpoint) -> None:
        """Make the arrays of a ledger from those of its last window, and the checkpoint after it."""
        super().__init__(
            replace(last, ledger=ledger, adjusted=checkpoint.adjusted, totals=checkpoint.tallies, earlier=None)
        )
        object.__setattr__(self, "checkpoint", checkpoint)

    @property
    def rated(self) -> int:
        """Number of games that were rated."""
        return self.checkpoint.rated

    @cached_property
    def unrated_counts(self) -> dict[str, int]:
        """Number of games that were not rated, by reason."""
        return {self.reasons[i]: int(count) for i, count in enumerate(self.checkpoint.unrated) if i and count}

    @cached_property
    def whole(self) -> RatingArrays:
        """The same with what is said of every game."""
        rules: Any = self.system
        refuse_beyond(
            OF_GAME * len(self.ledger),
            f"what {rules.name} says of each of {len(self.ledger):,} games",
            "explain and history take them window by window",
        )
        answer: Ratings = rules.rate_after(None, self.ledger)
        return answer.arrays


@dataclass(frozen=True, eq=False, repr=False)
class StreamedRatings(Ratings):
    """Ratings of more games than are in memory: `explain` and `history` take the games again, window by window."""

    games_at_once: int = GAMES
    """How many are taken together."""

    @cached_property
    def _whole(self) -> Ratings:
        """The same with what is said of every game."""
        return Ratings(self.arrays.whole)  # type: ignore[attr-defined]  # they are `StreamedArrays`

    def on(self, day: date | When | str) -> Ratings:
        """Return these ratings as the next game of a day is rated from them, as `Ratings.on` does."""
        when = When.of(day)
        if when is None or self.system.rating_on(self, when) is self.rating:
            return self
        return self._whole.on(day)

    def _again(self, games: Ints, *, adjusted: bool = False) -> Iterator[Retaken]:  # noqa: ARG002  # all are taken
        """Take windows again.

        Args:
            games: Those that are wanted, by index, ascending.
            adjusted: Whether windows without any of them are wanted too, for who was set by hand there.
        """
        rules: Any = self.system
        parts = windows(self.ledger, rules.together, self.games_at_once)
        for window, ratings, behind in taken(rules, self.ledger, parts):
            yield Retaken(window, ratings, behind.rated - ratings.rated)
            del ratings  # else two windows would be in memory

    def _games_of(self, player: int) -> Ints:
        """Return the indices of a player's games."""
        black, white = self.ledger.arrays.seats
        return np.flatnonzero((black == player) | (white == player))

    def _is_adjusted(self, player: int) -> bool:
        """Return whether a rank or rating was set by hand."""
        return any(item.player == player for item in self.arrays.adjusted)

    def _line(self, player: int, game: int, *, reasons: bool | Container[int]) -> list[Explanation]:
        for window, ratings, _ in self._again(np.array([game - 1])):
            if window.end >= game:
                place = game - 1 - window.first
                if ratings.arrays.unrated[place]:
                    break
                if (own := self._index_in(ratings, player)) is None:
                    break
                lines = lines_of_games(ratings, own, [place], reasons=_inside(reasons, window))
                return [_renumbered(line, window.first) for line in lines]
            del ratings  # else two windows would be in memory
        return []

    def _index_in(self, ratings: Ratings, player: int) -> int | None:  # noqa: ARG002  # here all are in every window
        """Return the index of a player, given by index, in the ratings of a window; None if the player is not in it."""
        return player

    def _lines(self, player: int, *, reasons: bool | Container[int]) -> list[Explanation]:
        games, adjusted = self._games_of(player), self._is_adjusted(player)
        lines: list[PlacedLine] = []
        front = FRONT
        for window, ratings, start in self._again(games, adjusted=adjusted):
            own = self._index_in(ratings, player)
            for place, within, line in () if own is None else lines_in(ratings, own, reasons=_inside(reasons, window)):
                unrated = line.game is not None and math.isnan(line.before)
                if line.game is not None and not unrated:
                    front = place + start + AFTER
                order = (front, within + window.first) if unrated else (place + start, within)
                lines.append(PlacedLine(*order, _renumbered(line, window.first)))
            del ratings  # else two windows would be in memory
            if not adjusted and not (games >= window.end).any():
                break
        lines.sort(key=lambda item: item[:2])
        return carried(self, player, [item.line for item in lines])


def _inside(reasons: bool | Container[int], window: Window) -> bool | Container[int]:  # noqa: FBT001  # as it is asked
    return reasons if isinstance(reasons, bool) else _Behind(reasons, window.first)
