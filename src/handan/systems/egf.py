"""EGF rating since 2021: the European Go Federation's Elo, with a step and a scale that follow the strength.

Source: European Go Database, "EGF rating system" (2021). The page is silent on handicap; two independent calculators
agree on the rule used here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from handan.errors import Clause
from handan.handicaps import stones_worth
from handan.kernels.compiling import kernel
from handan.kernels.incremental.adjustments import bounded
from handan.kernels.incremental.events import Games, Lines, replay_events
from handan.kernels.winning_law import WinningLaw
from handan.ledger import Adjustment
from handan.ranks import Grade, Rank, rank_of_elo
from handan.ratings import Factor, RatedFrom, Reason, Traits, product, surprise
from handan.ratings.notes import RESET
from handan.systems.core.initial_ratings import by_declared, starting_ratings
from handan.systems.core.replay_state import rank_of_text
from handan.systems.core.schedule import Schedule
from handan.systems.core.sequential import Sequential
from handan.systems.core.settings import entry_setting, late_ranks_setting, setting, start_setting
from handan.systems.core.unrated_reasons import UNRATED

if TYPE_CHECKING:
    from handan.kernels.incremental.adjustments import ByHand
    from handan.kernels.incremental.events import Side
    from handan.kernels.types import Codes, Floats
    from handan.kernels.winning_law import Pairing
    from handan.ledger import Ledger
    from handan.ratings import Ratings
    from handan.systems.core.conditions import Conditions
    from handan.systems.core.replay_state import ReplayState
    from handan.systems.core.schedule import Placed
    from handan.systems.core.settings import Entries, LateRanks

PERFECT = 3300.0  # rating of a perfect player, about 2.5 to 3 stones above the strongest humans
CEILING = 3299.999  # adjusted ratings stay below the pole of beta
FLOOR = -900.0  # "The absolute minimum rating is set to be -900": 30 kyu
LAST_GRADE = 2700.0  # 7 dan, the last amateur grade of the scale; our choice: 8 and 9 dan enter there too
POINTS_PER_STONE = 100.0
CLASSES = {"A": 1.0, "B": 0.75, "C": 0.5, "D": 0.25}
"""Weights of tournament classes, by thinking time; D is for games online."""
OF_NO_CLASS = "tournament-x"
"""Kind of the games of a tournament whose thinking time is too short for any class: X, as programs write it."""
NO_CLASS = len(UNRATED)
REASONS = (*UNRATED, "a tournament of no class (X)")
RESET_GRADES = 2
"""Who declares a grade that is so many above the highest before is reset to it, but not above `RESET_CEILING`.

Source: a page of the British Go Association, second-hand; an option for that reason.
"""
RESET_CEILING = Rank.dan(1)


@kernel
def con(rating: float) -> float:
    """Return the step size: con = ((3300 - r) / 200)^1.6."""
    return float(((PERFECT - min(rating, CEILING)) / 200.0) ** 1.6)


@kernel
def bonus(rating: float) -> float:
    """Return the points paid for every game against deflation: bonus = ln(1 + exp((2300 - r) / 80)) / 5."""
    return math.log(1.0 + math.exp((2300.0 - max(rating, -50000.0)) / 80.0)) / 5.0


@kernel
def expected(own: float, other: float) -> float:
    """Return the expected score from ratings after handicap: Se = 1 / (1 + exp(beta(r2) - beta(r1))).

    With beta = -7 ln(3300 - r) written out, the power of e is ((3300 - r1) / (3300 - r2))^7, which needs no logarithm.
    """
    far = (PERFECT - min(own, CEILING)) / (PERFECT - min(other, CEILING))
    cube = far * far * far
    return 1.0 / (1.0 + cube * cube * far)


@kernel
def change_of(side: Side) -> float:
    """Return the change of one side: w (con (S - Se) + bonus); con and bonus use the rating without handicap."""
    expectation = expected(side.own + side.own_worth, side.other + side.other_worth)
    return side.weight * con(side.own) * (side.score - expectation) + side.weight * bonus(side.own)


replay = replay_events.using("egf_replay_events", change_of=change_of)


@kernel
def lead_of(pairing: Pairing) -> float:
    """Return ln(Se / (1 - Se)) of Black's expected score after the handicap."""
    own = min(pairing.black + pairing.worth, CEILING)
    return 7.0 * math.log((PERFECT - min(pairing.white, CEILING)) / (PERFECT - own))


@dataclass(frozen=True)
class EGF(Sequential):
    """The European rating of 2021 and later."""

    name: ClassVar[str] = "egf"
    title: ClassVar[str] = "European Go Federation, since 2021"
    revision: ClassVar[int] = 2
    traits: ClassVar[Traits] = Traits(
        calibrated=True, game_kinds=("club", "tournament-a", "tournament-b", "tournament-c", "tournament-d", "free")
    )
    floor: ClassVar[float] = FLOOR
    _customary_start: ClassVar[float] = 100.0  # 20 kyu
    winning_law: ClassVar[WinningLaw] = WinningLaw.of("egf", lead_of)

    start: float | None = start_setting("points", _customary_start, low=-900.0, high=3000.0)
    default_class: Literal["A", "B", "C", "D"] = setting("A", "class of games whose kind names none")
    batch: Literal["event", "game"] = setting("event", "from which ratings games are rated")
    reset_two_grades: bool = setting(
        False,  # noqa: FBT003  # the default of a setting
        "entering two or more grades above the highest grade so far sets the rating to the new grade, up to 1 dan",
    )
    late_ranks: LateRanks = late_ranks_setting()
    entry: Entries = entry_setting("EGF")

    def rate_after(self, past: ReplayState | None, ledger: Ledger) -> Ratings:
        """Replay the events in order, each from the ratings held at its start."""
        ledger, remarks = by_declared(ledger, "EGF", self.entry, past)
        schedule = Schedule.of(
            ledger, self.refusals(ledger),
            reasons=REASONS,
            by_event=self.batch == "event",
            late_ranks=self.late_ranks,
            more=resets(ledger, past) if self.reset_two_grades else (),
            past=past,
        )  # fmt: skip
        rating, hand = bounded(
            *starting_ratings(schedule, self.rating_for, self.start, self._customary_start), self.floor
        )
        rating = schedule.carried("rating", rating)
        lines = self._played(schedule, hand, rating)
        return schedule.ratings(
            self, rating, lines.before, lines.change,
            adjusted=schedule.adjusted(self, hand),
            extra=RatedFrom(schedule.scatter(lines.rated_from)),
            warnings=(
                *schedule.newcomers(f"{self._start_rating:g}", by_terms=self.start is None),
                *schedule.beyond(self.floor), *remarks,
            ),
        )  # fmt: skip

    @property
    def together(self) -> str:
        """Events or single games, by the setting."""
        return self.batch

    def _played(self, schedule: Schedule, hand: ByHand, rating: Floats) -> Lines:
        """Take the games of a schedule; `rating` holds the ratings at entry, then at the end, shape (players,)."""
        ledger, lines = schedule.ledger, Lines.empty(len(schedule))
        worth, weight = schedule.taken(self.worth_in_games(ledger)), schedule.taken(self.game_weights(ledger))
        games = Games(*schedule.seats, schedule.score, worth, weight, schedule.batch)
        played = np.zeros(len(rating), dtype=np.int64)
        self._replay(len(schedule))(self._constants, games, self.floor, played, hand, rating, lines)
        return lines

    def _replay(self, steps: int) -> Callable[..., None]:
        return replay.for_work(steps)

    @property
    def _constants(self) -> tuple[float, ...]:
        return (0.0,)  # the law has none, but the loop takes some

    def terms_worth(self, conditions: Conditions) -> float:
        """Return what handicap adds to Black's rating: 100 points for each of H - 0.5 stones, nothing for odd komi."""
        return POINTS_PER_STONE * stones_worth(conditions.handicap, conditions.komi)

    def refusals(self, ledger: Ledger) -> Codes:
        """Return why games are not rated, shape (games,): also those of tournaments of no class."""
        code = super().refusals(ledger)
        code[(code == 0) & (ledger.arrays.of_kind({OF_NO_CLASS: 1.0}, 0.0) == 1.0)] = NO_CLASS
        return code

    def game_weights(self, ledger: Ledger) -> Floats:
        """Return the weight of each game's class, shape (games,)."""
        classes = {f"tournament-{name.lower()}": weight for name, weight in CLASSES.items()}
        return ledger.arrays.of_kind(classes, CLASSES[self.default_class])

    def rank(self, rating: float) -> Rank | None:
        """Return the rank whose band of 100 points holds the rating: 1 dan is [2050, 2150)."""
        return rank_of_elo(rating)

    def rating_for(self, rank: Rank) -> float:
        """Return the nominal rating of a rank: 1 dan 2100, 100 a rank up to 7 dan, 2700 and 30 a professional dan."""
        return rank.elo if rank.grade is Grade.PRO else min(rank.elo, LAST_GRADE)

    def expectation(self, own: float, other: float) -> float:
        """Return the expected score from ratings after handicap."""
        return expected(own, other)

    def onset(self, ratings: Ratings) -> tuple[Floats, Floats | None]:
        """Return the ratings at the start of the event, shape (games, 2), and no deviations."""
        return RatedFrom.of(ratings).rated_from, None

    def reason(self, ratings: Ratings, game: int, side: int) -> Reason:
        """Return the result term and the bonus, whose sum is the change."""
        ledger = ratings.ledger
        rated_from = [float(value) for value in RatedFrom.of(ratings).rated_from[game]]
        worths = [self._worth_in_game(ledger, game), 0.0]
        own, other = rated_from[side] + worths[side], rated_from[1 - side] + worths[1 - side]
        score = float(ledger.arrays.score[game]) if side == 0 else 1.0 - float(ledger.arrays.score[game])
        weight = float(ratings.arrays.weights[game])  # type: ignore[index]  # this system has weights
        factors = [*self._summands(rated_from[side], weight, score, self.expectation(own, other))]
        exact = sum(factor.value for factor in factors)
        if ratings.arrays.change[game, side] > exact + 1e-9:
            missing = float(ratings.arrays.change[game, side]) - exact
            factors.append(Factor("floor", missing, Clause.of("No rating falls below {floor:g}.", floor=self.floor)))
        facts = {
            "rating at the start of the event": rated_from[side],
            "opponent's rating": rated_from[1 - side],
            "handicap adds to Black's rating": worths[0],
        }
        return Reason(tuple(factors), "sum", facts | self._looked_at(own, other))

    def _looked_at(self, own: float, other: float) -> dict[str, float]:  # noqa: ARG002  # all stands in the formula
        """Return what else the expected score is found from, given ratings after handicap."""
        return {}

    def _summands(self, rating: float, weight: float, score: float, expectation: float) -> tuple[Factor, ...]:
        law = "Se = 1 / (1 + exp(beta(r2) - beta(r1))), beta = -7 ln(3300 - r), ratings with the handicap."
        result = surprise("S - Se", "Score less expected score.", score, expectation, law)
        tournament = Factor("class weight", weight, "Classes A, B, C, D weigh 1, 0.75, 0.5, 0.25.")
        step = Factor("con", con(rating), "con = ((3300 - r) / 200)^1.6 of the rating without handicap.")
        paid = Factor("bonus of the rating", bonus(rating), "bonus = ln(1 + exp((2300 - r) / 80)) / 5.")
        return (
            product("result", "The result moves the rating by w con (S - Se).", tournament, step, result),
            product("bonus", "Every game pays w bonus, won or lost, against deflation.", tournament, paid),
        )


def resets(ledger: Ledger, past: ReplayState | None = None) -> tuple[Placed, ...]:
    """Return the resets that the declared ranks of a ledger call for: upwards only, and not beyond 1 dan.

    Args:
        ledger: The games.
        past: What is known of the players from games before; None: there are none.
    """
    highest: dict[str, Rank | None] = {}
    if past is not None:
        highest = {
            player.name: rank_of_text(text) for player, text in zip(ledger.players, past.highest.tolist(), strict=True)
        }
    made: list[Placed] = []
    for index, game in enumerate(ledger):
        for name, declared in ((game.black, game.black_rank), (game.white, game.white_rank)):
            if not declared:
                continue
            rank = Rank.parse(declared)
            before = highest.get(name)
            if before and rank.number_from_30k - before.number_from_30k >= RESET_GRADES and before < RESET_CEILING:
                note = RESET.format(rank=rank, before=before)
                reset = Adjustment(name, min(rank, RESET_CEILING), None, game.date, note, at_least=True)
                made.append((reset, ledger.find(name), index))
            highest[name] = max(rank, before or rank)
    return tuple(made)
