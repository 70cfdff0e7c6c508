"""Whole-History Rating: a strength for every player and day with games, the most likely history given all results.

Source: R. Coulom, "Whole-History Rating: A Bayesian Rating System for Players of Time-Varying Strength" (2008).
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
import polars as pl

from handan.errors import InputError
from handan.kernels.arrays import latest
from handan.kernels.compiling import kernel
from handan.kernels.posterior.graph import days_of, graph_of_days, graph_of_players, nodes_of, table_of
from handan.kernels.posterior.likelihood import Posterior, Prior
from handan.kernels.posterior.newton import maximise_from
from handan.ledger import When
from handan.ledger.dates import EPOCH, day_number
from handan.ratings import Traits
from handan.systems.core.schedule import NOTHING
from handan.systems.core.settings import setting
from handan.systems.families.attribution import ahead_of, contributions_of, evidence_of
from handan.systems.families.learnable_terms import (
    Rows,
    deviations,
    kept_near_the_rule,
    nodes_of_worths,
    with_worths,
)
from handan.systems.families.paired_comparison import UNIT, Learned, PairedComparison, PairedExtra
from handan.systems.families.solved import with_lazy_lines
from handan.systems.families.whole_history import Solved, kinds_of, narrow_days

if TYPE_CHECKING:
    from handan.kernels.posterior.graph import Days, Graph
    from handan.kernels.types import Floats, Ints, Numbers
    from handan.ledger import Ledger
    from handan.ratings import Ratings
    from handan.systems.core.initial_ratings import Anchors
    from handan.systems.core.schedule import Schedule
    from handan.systems.families.learnable_terms import (
        Terms,
    )
    from handan.systems.families.solved import Lines
    from handan.systems.families.whole_history import GameKinds

ROUGHLY = 0.3
"""Natural units to which strengths that never change are found, from which the search for histories begins.
our choice: it takes two or three steps over the days less."""
ONE_BY_ONE = "deviations: from each player's own history, with all opponents held fixed"
"""What is noted of the list."""


@kernel
def between(
    t: float, one: tuple[float, float, float], other: tuple[float, float, float], covariance: float, w2: float
) -> tuple[float, float]:
    """Return mean and variance at a time between two days of a player: the mean is linear.

    The variance is (t2 - t)(t - t1) / (t2 - t1) w^2 plus what the two days leave uncertain.

    Args:
        t: The time, t1 <= t <= t2.
        one, other: Time, strength and variance of the day before and the day after.
        covariance: Of the two.
        w2: Growth of the variance in the unit of time.
    """
    t1, r1, s11 = one
    t2, r2, s22 = other
    a, b, whole = t2 - t, t - t1, t2 - t1
    mean = (a * r1 + b * r2) / whole
    return mean, a * b / whole * w2 + (a * a * s11 + 2.0 * a * b * covariance + b * b * s22) / (whole * whole)


class Course(NamedTuple):
    """The days of one player, natural units, shape (days,) each."""

    day: list[int]
    """Number of its period, days since 1970 over `period_days`."""
    strength: Floats
    """With the entry."""
    variance: Floats
    covariance: Floats
    """With the day before."""


@dataclass(frozen=True, eq=False)
class WHRExtra(PairedExtra):
    """Also the solved histories, from which curves are made."""

    solved: Solved
    shift: float
    """Added to the information of each day before deviations are found."""

    @cached_property
    def last_variances(self) -> Floats:
        """Variance of each player on the last day, all others held fixed, natural units, shape (players,)."""
        return self.solved.last_variances(self.shift)

    @cached_property
    def covariances(self) -> tuple[Floats, Floats]:
        """Variance of each day, and covariance with the day before, natural units, shape (days,) each."""
        return self.solved.covariances(self.shift)


@dataclass(frozen=True)
class WHR(PairedComparison):
    """Whole-History Rating; the list shows the strengths on the last date of the ledger."""

    name: ClassVar[str] = "whr"
    title: ClassVar[str] = "Whole-History Rating"
    revision: ClassVar[int] = 2
    traits: ClassVar[Traits] = Traits(needs_dates=True, whole=True)

    prior: float = setting(
        1.2,
        "virtual wins, and as many losses, on a player's first day against the entry",
        unit="games",
        low=1e-6,
        high=1e4,
    )
    advantage: float = setting(0.0, "worth of the first move at fair komi", unit="Elo", low=-1000.0, high=1000.0)
    w2: float = setting(14.0, "w^2, growth of the variance with time", unit="Elo^2 a day", low=1e-6, high=1e6)
    period_days: int = setting(1, "days that share one strength", unit="days", low=1, high=10_000)
    uncertainty: bool = setting(True, "whether forecasts count in how uncertain both strengths are")  # noqa: FBT003
    hessian_shift: float = setting(
        0.0, "added to the information of each day before deviations are found; goshrine: 0.001", low=0.0, high=1.0
    )

    @property
    def growth(self) -> float:
        """Variance that one unit of time adds, natural units."""
        return self.w2 * self.period_days / (UNIT * UNIT)

    def rate(self, ledger: Ledger) -> Ratings:
        """Find the most likely history of all players at once."""
        schedule = self.schedule_of(ledger)
        entered, players = self.anchors(schedule), len(schedule.ledger.players)
        terms = self._learnable(schedule, players)
        kinds = kinds_of(schedule, self.worth_of_stone, self.advantage, UNIT)
        days = days_of(*schedule.seats, self.periods(schedule), players)
        solved = self.history(days, kinds, terms, entered.rating / UNIT)
        return self._answer(schedule, terms, solved, entered)

    def periods(self, schedule: Schedule) -> Numbers:
        """Return the number of the period of each rated game, days since 1970 over `period_days`, shape (rated,)."""
        days = schedule.taken(narrow_days(schedule.ledger))
        return days if self.period_days == 1 else days // self.period_days

    def _learnable(self, schedule: Schedule, players: int) -> Terms | None:
        """Return the terms with all worths that are learned; None where none are."""
        if self.handicap == "pinned":
            return None
        terms = self.terms_of(schedule)
        return kept_near_the_rule(terms, _rows(schedule, terms, np.ones(len(schedule))), players)

    def history(self, days: Days, kinds: GameKinds, terms: Terms | None, entry: Floats) -> Solved:
        """Return the most likely history.

        Args:
            days: Those of the games.
            kinds: Results and terms of the games.
            terms: What is learned of them; None: nothing.
            entry: Of each player, natural units.
        """
        links = np.arange(int(days.gap.max(initial=0)) + 1, dtype=np.float64)
        links *= self.growth
        links[1:] = 1.0 / links[1:]
        kind, score, bonus = kinds
        plays, ones, worths = days.first >= 0, np.ones(len(score)), nodes_of_worths(terms)

        def posterior_over(graph: Graph, first: Ints, links: Floats) -> Posterior:
            prior = Prior.of(first, np.full(len(first), self.prior), entry[plays])
            return Posterior(graph, kind, score, ones, bonus, ones, links, with_worths(prior, graph, terms))

        player = table_of(days).player
        people = graph_of_players(player[days.black], player[days.white], len(plays), *worths)
        steady = posterior_over(people, np.flatnonzero(plays), np.zeros(1))
        start = np.zeros(len(people.following))
        start[steady.prior.node] = steady.prior.mean
        maximise_from(steady, start, ROUGHLY)
        posterior = posterior_over(graph_of_days(days, *worths), days.first[plays], links)
        strength = np.append(start[player], start[len(plays) :])
        return Solved(days, posterior, strength, maximise_from(posterior, strength, self.tolerance))

    def _answer(self, schedule: Schedule, terms: Terms | None, solved: Solved, entered: Anchors) -> Ratings:
        """Return the list on the last day: the mean stays, the variance grows."""
        days = solved.days
        plays = days.last >= 0
        rating, deviation = entered.rating.copy(), np.full(len(plays), np.nan)
        rating[plays] = UNIT * solved.history[days.last[plays]]
        learned = Learned(self.advantage, np.empty((0, 4)), ())
        if terms is not None:
            rows = _rows(schedule, terms, np.ones(len(schedule)))
            learned = self.learned(terms, solved.strength, deviations(terms, rows, len(plays), solved.hessian().games))
        notes, warnings = self.notes_on(schedule, solved.effort, ranked=entered.ranked)
        make = partial(self._lines, schedule, solved, entered)
        extra = self.written_down(WHRExtra, make, learned, entered, solved=solved, shift=self.hessian_shift)
        after = latest(days.ends[plays]) - days.ends[plays]
        deviation[plays] = UNIT * np.sqrt(extra.last_variances[plays] + after * self.growth)
        ratings = schedule.ratings(
            self, rating, NOTHING, NOTHING, (*(terms.warnings if terms else ()), *warnings),
            deviation=deviation,
            deviation_unit=UNIT,
            extra=extra,
            notes=(*learned.notes, *notes, ONE_BY_ONE),
        )  # fmt: skip
        return with_lazy_lines(ratings, extra)

    def _lines(self, schedule: Schedule, solved: Solved, entered: Anchors) -> Lines:
        """Share the last strength of each player out among the games."""
        days = solved.days
        beyond = solved.history - entered.rating[solved.table.player] / UNIT
        worth = solved.worth()
        lead = worth + ahead_of(schedule, entered)
        games = evidence_of(schedule, (days.black, days.white), lead, np.ones(len(schedule)), beyond)
        leverage = solved.leverage(games.total, beyond)
        lines = contributions_of(schedule, games, beyond, leverage, entered.rating, worth)
        variance, _ = solved.covariances(self.hessian_shift)
        of_games = np.stack((variance[days.black], variance[days.white]), axis=1)
        return lines._replace(variances=schedule.scatter(of_games))

    def curve(self, ratings: Ratings, name: str) -> pl.DataFrame:
        """Return a player's history: date, rating and deviation (Elo) on each day with games."""
        own = self._own(ratings, name)
        days = [EPOCH + timedelta(days=day * self.period_days) for day in own.day]
        rating, deviation = UNIT * own.strength, UNIT * np.sqrt(own.variance)
        schema: Any = {"date": pl.Date, "rating": pl.Float64, "deviation": pl.Float64}
        return pl.DataFrame({"date": days, "rating": rating, "deviation": deviation}, schema=schema)

    def at(self, ratings: Ratings, name: str, day: date | str) -> tuple[float, float]:
        """Return rating and deviation (Elo) of a player at any date from the first day on; InputError before it."""
        when = When.of(day)
        if when is None:
            raise InputError("an empty date; give a day such as 2026-05-01")
        own = self._own(ratings, name)
        t = day_number(when.moment.date()) / self.period_days
        place = bisect_right(own.day, t) - 1
        if place < 0:
            first = EPOCH + timedelta(days=own.day[0] * self.period_days)
            raise InputError(f"{name} has no rated game up to {when}; the first was on {first}")
        points = list(zip(map(float, own.day), own.strength.tolist(), own.variance.tolist(), strict=True))
        if place + 1 == len(points):
            mean, variance = points[-1][1], points[-1][2] + (t - points[-1][0]) * self.growth
        else:
            covariance = float(own.covariance[place + 1])
            mean, variance = between(t, points[place], points[place + 1], covariance, self.growth)
        return UNIT * mean, UNIT * math.sqrt(variance)

    def covariance(self, ratings: Ratings, name: str) -> Floats:
        """Return the covariances between a player's days in Elo^2, shape (days, days), all opponents held fixed.

        Between days i < j they are products of the neighbours': s_ij = s_i,j-1 s_j-1,j / s_j-1,j-1.
        """
        own = self._own(ratings, name)
        matrix = np.diag(own.variance)
        for j in range(1, len(matrix)):
            step = own.covariance[j] / own.variance[j - 1]
            matrix[:j, j] = matrix[:j, j - 1] * step
            matrix[j, :j] = matrix[:j, j]
        result: Floats = UNIT * UNIT * matrix
        return result

    def _own(self, ratings: Ratings, name: str) -> Course:
        """Return the days of one player; InputError without a rated game."""
        extra = WHRExtra.of(ratings)
        days, player = extra.solved.days, ratings.ledger.find(name)
        nodes = nodes_of(days, player)
        if not len(nodes):
            raise InputError(f"{name} has no rated game")
        number = int(days.begins[player]) + np.append(0, np.cumsum(days.gap[nodes[:-1]].astype(np.int64)))
        variance, covariance = extra.covariances
        return Course(number.tolist(), extra.solved.history[nodes], variance[nodes], covariance[nodes])

    def counts_uncertainty(self, *, ranked: bool) -> bool:  # noqa: ARG002  # counted with ranks and without
        """Return whether forecasts count in how uncertain both strengths are."""
        return self.uncertainty


def _rows(schedule: Schedule, terms: Terms, weight: Floats) -> Rows:
    """Return the rated games with their learned worths, a row each."""
    return Rows(schedule.black, schedule.white, schedule.score, weight, terms.category)
