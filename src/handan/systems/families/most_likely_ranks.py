"""What IGS and KGS share: the most likely ratings of a whole pool, on a scale of ranks, given its recent results."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from handan.errors import Clause
from handan.kernels.arrays import running_sums
from handan.kernels.posterior.coordinate_ascent import Incidence
from handan.kernels.posterior.graph import graph_of_players
from handan.kernels.posterior.likelihood import Posterior, Prior
from handan.kernels.posterior.newton import maximise_from, workspace
from handan.kernels.winning_law import Pairing, win_probability
from handan.ratings import Extra, Factor, Reason, Traits, total
from handan.systems.core.base import System
from handan.systems.core.initial_ratings import starting_ratings
from handan.systems.core.schedule import Schedule
from handan.systems.core.settings import late_ranks_setting, setting
from handan.systems.core.unrated_reasons import UNRATED

if TYPE_CHECKING:
    from handan.kernels.posterior.newton import Solver
    from handan.kernels.types import Codes, Flags, Floats
    from handan.kernels.winning_law import WinningLaw
    from handan.ledger import Ledger
    from handan.ratings import Ratings
    from handan.systems.core.settings import LateRanks

TOO_OLD = len(UNRATED)
LOOSE, TIGHT = 1e-3, 5e-5  # our choice: share of a step, and of the tolerance, to which a step is solved
VISIBLE = 1e-6  # our choice: ranks; rounding that may hide more of an answer is warned of
NEAR = 1e-6  # our choice: ranks from the entry within which the slope of the prior is taken as proportional


class Games(NamedTuple):
    """The rated games, as the laws of IGS and KGS read them."""

    posterior: Posterior
    """The log posterior; a system fills the weights of its games and the steepness of its law."""
    incidence: Incidence
    """The games of each player."""
    anchor: Floats
    """Entry rating, shape (players,)."""
    worth: Floats
    """What the terms are worth to Black, ranks, shape (rated,)."""
    age: Floats
    """Days before the last day with a game, shape (rated,)."""


class Answer(NamedTuple):
    """Where a solution ended."""

    beyond: Floats
    """Rating less the entry rating, shape (players,)."""
    notes: tuple[str, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class MostLikelyExtra(Extra):
    """What explanations read beside ratings."""

    by_game: ClassVar[tuple[str, ...] | None] = ("share", "own", "worth", "anchor")

    share: Floats
    """Share of each game in the rating of both sides, shape (games, 2)."""
    own: Floats
    """Rating of both sides at the answer, shape (games, 2)."""
    worth: Floats
    """What the terms are worth to Black, shape (games,)."""
    anchor: Floats
    """Entry of both sides, shape (games, 2)."""
    declared: Flags
    """Whether each side entered by a rank, shape (games, 2)."""


@dataclass(frozen=True)
class MostLikelyRanks(System):
    """Ratings fitted to the games of the last days; the entry rank is a weak prior."""

    traits: ClassVar[Traits] = Traits(needs_dates=True, calibrated=True, whole=True)
    reasons: ClassVar[tuple[str, ...]] = (*UNRATED, "older than the window")
    winning_law: ClassVar[WinningLaw]
    solver: ClassVar[Solver]
    unit: ClassVar[str] = "ranks"
    surprise: ClassVar[str]
    """What a result adds to the own rating: score less expected score, by the slope of the law."""

    prior: float = setting(
        1.0, "virtual wins, and as many losses, against the entry rank", unit="games", low=1e-3, high=1e4
    )
    window: int = setting(180, "days before the last game whose games count", unit="days", low=1, high=100_000)
    start: float = setting(0.0, "rating of a newcomer without a rank", low=-1e3, high=1e3)
    tolerance: float = setting(
        1e-9, "largest move of a rating in the last step of Newton's method", low=1e-13, high=0.1
    )
    late_ranks: LateRanks = late_ranks_setting()

    @abstractmethod
    def freeze(self, games: Games, beyond: Floats) -> None:
        """Fill weights and steepness with those that belong to ratings `beyond` the entry ratings."""

    def rate(self, ledger: Ledger) -> Ratings:
        """Fit the ratings as of the last day with a game."""
        schedule = Schedule.of(ledger, self.refusals(ledger), reasons=self.reasons, late_ranks=self.late_ranks)
        games = self.games_of(schedule)
        answer = self.solve(games)
        rating = games.anchor + np.where(schedule.pool >= 0, answer.beyond, 0.0)  # who has no game keeps the entry
        slope, information = self._evidence(games, answer.beyond)
        of_player = self._information(schedule, games, answer.beyond, slope, information)
        players = np.stack((schedule.black, schedule.white), axis=1)
        share = information / of_player[players]
        change = share * answer.beyond[players] + slope / of_player[players]
        before, total = np.empty_like(change), games.anchor.copy()
        running_sums.for_work(len(schedule))(schedule.black, schedule.white, change, total, before)
        extra = MostLikelyExtra(
            schedule.scatter(share), schedule.scatter(rating[players]), schedule.scatter(games.worth),
            schedule.scatter(games.anchor[players]), schedule.scatter(schedule.declared[players], empty=False),
        )  # fmt: skip
        return schedule.ratings(
            self, rating, before, change,
            deviation=np.where(schedule.pool >= 0, 1.0 / np.sqrt(of_player), np.nan), extra=extra,
            notes=answer.notes, warnings=self._warned(schedule, answer),
        )  # fmt: skip

    def _anchors(self, schedule: Schedule) -> Floats:
        """Return the entry ranks as ratings, shape (players,).

        The answer is one for the last day, by which a rank that came late is there: as an adjustment it is the entry.
        """
        anchor, hand = starting_ratings(schedule, self.rating_for, self.start)
        late = set(schedule.late)
        for entry, value in zip(schedule.later, hand.values.tolist(), strict=True):
            if entry in late:
                anchor[entry[1]] = value
        return anchor

    def games_of(self, schedule: Schedule) -> Games:
        """Return the posterior of the rated games, weights and steepness 1."""
        anchor = self._anchors(schedule)
        worth = self.worth_in_games(schedule.ledger)[schedule.sequence]
        day = schedule.ledger.arrays.day[schedule.sequence]
        age = (day.max() - day).astype(np.float64) if len(day) else np.empty(0)
        players = len(anchor)
        graph = graph_of_players(schedule.black, schedule.white, players)
        bonus = worth + anchor[schedule.black] - anchor[schedule.white]
        prior = Prior.of(np.arange(players), np.full(players, self.prior))
        posterior = Posterior.of_games(graph, schedule.score, np.ones(len(schedule)), bonus, prior)
        incidence = Incidence.of(schedule.black, schedule.white, players)
        return Games(posterior, incidence, anchor, worth, age)

    def solve(self, games: Games) -> Answer:
        """Return the maximum of the posterior, from the entry ratings; weights and steepness do not follow ratings."""
        beyond = np.zeros(len(games.anchor))
        self.freeze(games, beyond)
        steps = self.maximise(games, beyond)
        within = self.error_bound(games, beyond)
        if not self._settles(within):
            return Answer(beyond, (), (self._not_settled(within),))
        pattern = "solved for the whole pool in {steps} Newton steps; nobody stands more than {within:.1g} {unit} off"
        note = Clause.of(pattern, steps=steps, within=within, unit=Clause.of(self.unit))
        return Answer(beyond, (note,), ())

    def maximise(self, games: Games, beyond: Floats) -> int:
        """Move `beyond` to the maximum, weights and steepness as they stand; return the Newton steps."""
        return maximise_from(games.posterior, beyond, self.tolerance, self.solver, games.incidence, LOOSE, TIGHT).steps

    def error_bound(self, games: Games, beyond: Floats) -> float:
        """Return how far from the maximum anybody may stand, rounding included."""
        work = 10 * (len(games.worth) + len(beyond))
        return self.solver.error_bound.for_work(work)(
            games.posterior, beyond, *workspace(len(beyond), len(games.worth), len(beyond))
        )

    def _settles(self, within: float) -> bool:
        return within < max(self.tolerance, VISIBLE)

    def _not_settled(self, within: float) -> str:
        pattern = (
            "not settled: somebody may stand {within:.2g} {unit} or more from the most likely rating; "
            "numbers are provisional"
        )
        return Clause.of(pattern, within=within, unit=Clause.of(self.unit))

    def refusals(self, ledger: Ledger) -> Codes:
        """Return why games are not rated, shape (games,)."""
        code = super().refusals(ledger)
        rated = code == 0
        if rated.any():
            code[rated & (ledger.arrays.day < int(ledger.arrays.day[rated].max()) - self.window)] = TOO_OLD
        return code

    def _warned(self, schedule: Schedule, answer: Answer) -> tuple[str, ...]:
        late = ("adjustments after a player's first game have no effect: ratings follow from results",)
        by_hand = len(schedule.later) > (len(schedule.late) if self.late_ranks == "adjust" else 0)
        return (*schedule.newcomers(f"{self.start:g}"), *late * by_hand, *answer.warnings)

    def _evidence(self, games: Games, beyond: Floats) -> tuple[Floats, Floats]:
        """Return slope in the own rating and information of each game for both sides, shape (rated, 2) each."""
        slope, information = np.empty(len(games.worth)), np.empty(len(games.worth))
        self.solver.evidence.for_work(len(slope))(games.posterior, beyond, slope, information)
        return np.stack((slope, -slope), axis=1), np.stack((information, information), axis=1)

    def _information(
        self, schedule: Schedule, games: Games, beyond: Floats, slope: Floats, information: Floats
    ) -> Floats:
        """Return each player's information: of the games, and the weight with which the prior asks for the entry rank.

        The slope of the prior is that weight times the distance; at the answer it balances the slopes of the games.
        """
        steep = games.posterior.prior.steepness
        at_home = 2.0 * self.prior * steep * steep * self.solver.law(0.5, 0.0)[2]
        near = np.abs(beyond) < NEAR
        asks = np.where(near, at_home, schedule.per_player(slope) / np.where(near, 1.0, beyond))
        return schedule.per_player(information) + np.maximum(asks, 1e-12)

    def onset(self, ratings: Ratings) -> tuple[Floats, Floats | None]:
        """Return the entry ratings of both sides of each game, shape (games, 2), and no deviations."""
        return MostLikelyExtra.of(ratings).anchor, None

    def leads_before(self, ratings: Ratings) -> Floats | None:
        """Return the log odds of Black from entry ranks and terms, 0 where somebody entered without a rank.

        What the ranks of a ledger are worth is seen before any fit; games without them tell nothing of it.
        """
        leads = super().leads_before(ratings)
        declared = MostLikelyExtra.of(ratings).declared[ratings.arrays.sequence].all(axis=1)
        return None if leads is None else np.where(declared, leads, 0.0)

    def reason(self, ratings: Ratings, game: int, side: int) -> Reason:
        """Return the game's share and what it says beyond the entry rank, whose product it contributed."""
        ledger, extra = ratings.ledger, MostLikelyExtra.of(ratings)
        share, change = float(extra.share[game, side]), float(ratings.arrays.change[game, side])
        score = float(ledger.arrays.score[game])
        worth = float(extra.worth[game])
        own, entry = float(extra.own[game, side]), float(extra.anchor[game, side])
        says = change / share if share else own - entry
        black, white = extra.own[game].tolist()
        lead = self.winning_law.lead_of(Pairing((), black, white, 0.0, 0.0, worth, 0.0))
        factors = (
            Factor("share", share, "The rating is a mean of the entry rank and of what the games say, by information."),
            total(
                "what the game says beyond the entry",
                "Own strength beyond the entry plus what the result adds to it.",
                Factor("own strength beyond the entry", own - entry, "As most likely given all results."),
                Factor("surprise of the result", says - (own - entry), self.surprise),
            ),
        )
        facts = {
            "score": score if side == 0 else 1.0 - score,
            "expected score": win_probability(lead if side == 0 else -lead),
            "own rating": own,
            "opponent's rating": float(extra.own[game, 1 - side]),
            "entry": entry,
            "worth of handicap and komi to Black": worth,
        }
        return Reason(factors, "product", facts)
