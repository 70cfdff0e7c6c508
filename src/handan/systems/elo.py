"""Elo: every game moves both players by K times what the result exceeds the expectation.

Source: A. Elo, The Rating of Chessplayers (1978); K = 20 for Go from R. Coulom, Whole-History Rating (2008), table 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.incremental import events
from handan.kernels.incremental.adjustments import adjust, nobody_by_hand
from handan.kernels.winning_law import WinningLaw
from handan.ratings import Factor, RatedFrom, Reason, Traits, surprise
from handan.systems.core.initial_ratings import starting_ratings
from handan.systems.core.law import LARGEST_EXPONENT
from handan.systems.core.schedule import NOTHING, Schedule
from handan.systems.core.sequential import Sequential
from handan.systems.core.settings import late_ranks_setting, setting, start_setting
from handan.systems.families.linear_ranks import LinearRanks

if TYPE_CHECKING:
    from handan.kernels.incremental.adjustments import ByHand
    from handan.kernels.types import Floats, Ints, Seats
    from handan.kernels.winning_law import Pairing
    from handan.ledger import Ledger
    from handan.ratings import Ratings
    from handan.systems.core.replay_state import ReplayState
    from handan.systems.core.settings import LateRanks
    from handan.systems.core.stepping import Seen

NATURAL = math.log(10.0) / 400.0  # natural units in one Elo: 400 points are odds of 10 to 1
LAW = "E = 1 / (1 + 10^((R2 - R1) / 400)), the terms added to Black's rating."


@kernel
def expected(difference: float) -> float:
    """Return the expected score of a player `difference` Elo above the opponent: E = 1 / (1 + 10^(-difference/400))."""
    return 1.0 / (1.0 + math.exp(min(-NATURAL * difference, LARGEST_EXPONENT)))


@kernel
def step(k: float, score: float, expectation: float) -> float:
    """Return the change of rating in Elo: R' - R = K (S - E)."""
    return k * (score - expectation)


class Games(NamedTuple):
    """The rated games in playing order, shape (games,)."""

    black: Seats
    white: Seats
    score: Floats
    """Black's score."""
    bonus: Floats
    """What handicap and first move add to Black's rating, Elo."""


class Steps(NamedTuple):
    """How far a game can move a rating."""

    k: float
    k_new: float
    """K of a player's first games."""
    new_games: int
    """How many games are a player's first; 0 without a K of their own."""


class Lines(NamedTuple):
    """What a replay writes down of each game and side, shape (games, 2); without rows where nobody asks."""

    before: Floats
    change: Floats


@kernel
def replay(games: Games, steps: Steps, played: Ints, hand: ByHand, rating: Floats, lines: Lines) -> None:
    """Replay all games, with the ratings set by hand between them.

    Args:
        games: The games.
        steps: How far a game can move a rating.
        played: Rated games of each player before, then at the end, shape (players,).
        hand: Ratings set by hand.
        rating: Ratings at entry, then at the end, shape (players,).
        lines: Filled.
    """
    black, white, score, bonus = games
    k, k_new, new_games = steps
    before, change = lines
    done = 0
    for game in range(len(black)):
        done = adjust(done, game, hand, rating)
        b, w = black[game], white[game]
        own, other, k_b, k_w = float(rating[b]), float(rating[w]), k, k
        if new_games > 0:
            k_b, k_w = k_new if played[b] < new_games else k, k_new if played[w] < new_games else k
            played[b] += 1
            played[w] += 1
        expectation = expected(own + bonus[game] - other)
        gain, loss = step(k_b, score[game], expectation), step(k_w, expectation, score[game])  # (1 - S) - (1 - E)
        rating[b], rating[w] = own + gain, other + loss
        if len(before) > 0:
            before[game, 0], before[game, 1] = own, other
            change[game, 0], change[game, 1] = gain, loss
    adjust(done, len(black), hand, rating)


@kernel
def change_of(side: events.Side) -> float:
    """Return the change of one side of a game in an event; the constants are K, K of newcomers, their games."""
    k, k_new, new_games = side.constants
    expectation = expected(side.own + side.own_worth - side.other - side.other_worth)
    return step(k_new if side.games < new_games else k, side.score, expectation)


@kernel
def lead_of(pairing: Pairing) -> float:
    """Return ln(E / (1 - E)) of Black's expected score E, the terms added to Black's rating."""
    return NATURAL * (pairing.black + pairing.worth - pairing.white)


class Step:
    """Takes one game by the loop above."""

    def __init__(self, steps: Steps, rows: Mapping[str, list[Any]]) -> None:
        self._replay: Any = replay.linked  # which reads lists as well as arrays
        self._rows = steps, rows["played"], nobody_by_hand(), rows["rating"], Lines(NOTHING, NOTHING)

    def take(self, black: int, white: int, seen: Seen, day: int, number: int) -> None:  # noqa: ARG002  # Elo knows no time
        """Change the ratings of both players."""
        self._replay(((black,), (white,), (seen.score,), (seen.worth,)), *self._rows)

    def deviation(self, player: int, day: int, number: int) -> None:
        """Elo has none."""


replay_of_events = events.replay_events.using("elo_replay_events", change_of=change_of)


@dataclass(frozen=True)
class Elo(LinearRanks, Sequential):
    """Elo's system, with K and the worth of a stone as settings."""

    name: ClassVar[str] = "elo"
    title: ClassVar[str] = "Elo"
    traits: ClassVar[Traits] = Traits(ranks_on_line=True)
    revision: ClassVar[int] = 2
    _customary_start: ClassVar[float] = 1500.0
    winning_law: ClassVar[WinningLaw] = WinningLaw.of("elo", lead_of)

    k: float = setting(20.0, "K, the largest change of one game", unit="Elo", low=0.0, high=1000.0)
    k_new: float = setting(0.0, "K of a player's first games; 0: the same K", unit="Elo", low=0.0, high=1000.0)
    new_games: int = setting(15, "how many games count as a player's first", unit="games", low=0, high=10_000)
    start: float | None = start_setting("Elo", _customary_start, low=-1e5, high=1e5)
    stone: float | None = setting(
        None, "worth of a stone to Black; none: a rank's; 0: nothing", unit="Elo", low=0.0, high=2000.0, kind=float
    )
    advantage: float = setting(0.0, "worth of the first move at fair komi", unit="Elo", low=-1000.0, high=1000.0)
    batch: Literal["game", "event"] = setting("game", "from which ratings games are rated")
    # our choice: 100 Elo flattened as Glicko's g flattens it for two players who are known by a declared rank alone
    per_rank: float = setting(60.0, "Elo from one rank to the next", unit="Elo", low=1.0, high=2000.0)
    at_1d: float = setting(2100.0, "rating of 1 dan", unit="Elo", low=-1e5, high=1e5)
    late_ranks: LateRanks = late_ranks_setting()

    def rate_after(self, past: ReplayState | None, ledger: Ledger) -> Ratings:
        """Replay the games one by one, or by events."""
        return self._rated(past, ledger, only_list=False)

    def list_after(self, past: ReplayState | None, ledger: Ledger) -> Ratings:
        """Replay them without writing down what single games change."""
        return self._rated(past, ledger, only_list=self.batch == "game")

    def _rated(self, past: ReplayState | None, ledger: Ledger, *, only_list: bool) -> Ratings:
        schedule = Schedule.of(
            ledger, self.refusals(ledger), by_event=self.batch == "event", late_ranks=self.late_ranks, past=past
        )
        rating, hand = starting_ratings(schedule, self.rating_for, self.start, self._customary_start)
        rating = schedule.carried("rating", rating)
        played = schedule.carried("played", np.zeros(len(rating), dtype=np.int64))
        lines = self._played(schedule, played, hand, rating, only_list=only_list)
        return schedule.ratings(
            self, rating, lines.before, lines.change,
            adjusted=schedule.adjusted(self, hand), extra=RatedFrom(schedule.scatter(lines.rated_from)),
        )  # fmt: skip

    @property
    def together(self) -> str:
        """Events or single games, by the setting."""
        return self.batch

    @property
    def one_by_one(self) -> bool:
        """Single games, by the setting."""
        return self.batch == "game"

    def stepping(self, rows: Mapping[str, list[Any]]) -> Step:
        """Return the loop for one game."""
        return Step(self._steps, rows)

    @property
    def _steps(self) -> Steps:
        return Steps(self.k, self.k_new or self.k, self.new_games if self.k_new else 0)

    def _played(
        self, schedule: Schedule, played: Ints, hand: ByHand, rating: Floats, *, only_list: bool
    ) -> events.Lines:
        """Take the games of a schedule.

        Args:
            schedule: The games.
            played: Rated games that each player has played before, shape (players,).
            hand: Ratings set by hand.
            rating: Ratings at entry, then at the end, shape (players,).
            only_list: Whether nothing is written down of single games, which are rated one by one.
        """
        games = Games(*schedule.seats, schedule.score, schedule.taken(self.worth_in_games(schedule.ledger)))
        steps = self._steps
        if self.batch == "game":
            before, change = (NOTHING if only_list else np.empty((len(schedule), 2)) for _ in range(2))
            replay.for_work(len(schedule))(games, steps, played, hand, rating, Lines(before, change))
            return events.Lines(before, before, change)
        in_events = events.Games(*games, np.ones(len(schedule)), schedule.batch)
        lines = events.Lines.empty(len(schedule))
        constants = (steps.k, steps.k_new, float(steps.new_games))
        replay_of_events.for_work(len(schedule))(constants, in_events, -np.inf, played, hand, rating, lines)
        return lines

    def onset(self, ratings: Ratings) -> tuple[Floats, Floats | None]:
        """Return the ratings from which each game is rated, shape (games, 2), and no deviations."""
        return RatedFrom.of(ratings).rated_from, None

    def reason(self, ratings: Ratings, game: int, side: int) -> Reason:
        """Return K and what the result exceeds the expectation, whose product is the change."""
        ledger = ratings.ledger
        rated_from = RatedFrom.of(ratings).rated_from[game]
        worth = self._worth_in_game(ledger, game)
        difference = float(rated_from[0] + worth - rated_from[1])
        expectation, score = expected(difference), float(ledger.arrays.score[game])
        if side == 1:
            expectation, score = 1.0 - expectation, 1.0 - score
        new = ratings.arrays.games_before(game, side) < self.new_games
        factors = (
            Factor("K", self.k_new or self.k if new else self.k, "K is the largest change that one game can make."),
            surprise("score - expected score", "The new rating is R + K (S - E).", score, expectation, LAW),
        )
        facts = {
            "own rating": float(rated_from[side]),
            "opponent's rating": float(rated_from[1 - side]),
            "worth of handicap and komi to Black": worth,
        }
        return Reason(factors, "product", facts)
