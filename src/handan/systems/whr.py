"""Whole-History Rating: a strength for every player and day with games, the most likely history given all results.

Source: R. Coulom, "Whole-History Rating: A Bayesian Rating System for Players of Time-Varying Strength" (2008).
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, ClassVar, NamedTuple

import numpy as np
import polars as pl

from handan.errors import InputError
from handan.kernels.compiling import kernel
from handan.kernels.posterior.day_chains import covariances, last_day_row
from handan.kernels.posterior.player_days import Days, days_of
from handan.kernels.types import Floats, Ints
from handan.ledger import Ledger, When
from handan.ledger.dates import EPOCH, day_number
from handan.ratings import Ratings
from handan.systems.core.entering import Anchors
from handan.systems.core.schedule import Schedule
from handan.systems.core.settings import setting
from handan.systems.families.attribution import ahead_of, contributions_of, evidence_of, pull_of_prior
from handan.systems.families.learnable_terms import Rows, Terms
from handan.systems.families.paired_comparison import UNIT, PairedComparison, PairedExtra, Solution, worths


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


class Chains(NamedTuple):
    """The days of all players, laid out for a solution."""

    days: Days
    last: Ints
    """Node of each player's last day, -1 without games, shape (players,)."""
    link: Floats
    """1 / variance of the step from the previous day, shape (nodes,)."""
    prior: Floats


@dataclass(frozen=True, eq=False)
class WHRExtra(PairedExtra):
    """Also the days of all players, from which histories and further games go on; natural units."""

    player: Ints
    """Of each day, shape (days,)."""
    day: Ints
    """Number of its period, days since 1970 over `period_days`."""
    previous: Ints
    """Index of the player's day before, or its own where it is the first."""
    history: Floats
    """Strength with the entry, shape (days,)."""
    variance: Floats
    """Of the strength, shape (days,)."""
    covariance: Floats
    """With the day before, shape (days,)."""
    nodes: Ints
    """Day of Black and of White of each rated game, shape (rated, 2)."""


@dataclass(frozen=True)
class WHR(PairedComparison):
    """Whole-History Rating; the list shows the strengths on the last date of the ledger."""

    name: ClassVar[str] = "whr"
    title: ClassVar[str] = "Whole-History Rating"
    any_order: ClassVar[bool] = False
    needs_dates: ClassVar[bool] = True

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
        terms = self.terms_of(schedule, ranked=entered.ranked)
        rows = Rows(schedule.black, schedule.white, schedule.score, np.ones(len(schedule)), terms.category)
        terms = self.learnable(terms, rows, players)
        chains = self.chains(schedule.black, schedule.white, schedule.ledger.day[schedule.sequence], players)
        solution = self.history(chains, schedule.score, terms, ahead_of(schedule, entered))
        return self._answer(schedule, terms, chains, solution, entered)

    def history(self, chains: Chains, score: Floats, terms: Terms, ahead: Floats | float = 0.0) -> Solution:
        """Return the most likely history beyond the entries; `ahead` is Black's entry less White's in each game."""
        days = chains.days
        sides, joints = (days.black, days.white), (days.previous, chains.link, chains.prior)
        return self.solve(self.model(sides, score, np.ones(len(score)), terms, ahead, joints))

    def chains(self, black: Ints, white: Ints, day: Ints, players: int) -> Chains:
        """Lay out the days of games that stand in the order of their days."""
        days, last = days_of(black, white, day // self.period_days, players)
        first = days.previous == np.arange(len(days.day))
        gap = np.where(first, 1, days.day - days.day[days.previous])
        return Chains(days, last, np.where(first, 0.0, 1.0 / (gap * self.growth)), np.where(first, self.prior, 0.0))

    def _answer(
        self, schedule: Schedule, terms: Terms, chains: Chains, solution: Solution, entered: Anchors
    ) -> Ratings:
        """Share the last strength of each player out among the games."""
        days, nodes = chains.days, len(chains.days.day)
        strength = solution.strength[:nodes]
        variance, covariance = np.empty(nodes), np.empty(nodes)
        information = solution.curvature[:nodes] + self.hessian_shift
        covariances.for_work(nodes)(days.previous, chains.link, information, variance, covariance)
        worth = terms.bonus + worths(solution, terms)
        lead = worth + ahead_of(schedule, entered)
        games = evidence_of(schedule, (days.black, days.white), lead, np.ones(len(schedule)), strength)
        leverage = self._leverage(chains, games.total, strength)
        lines = contributions_of(schedule, games, strength, leverage, entered.rating)
        learned = self.learned(terms, solution)
        notes, warnings = self.notes_on(schedule, solution.effort, ranked=entered.ranked)
        beyond, deviation = self._now(schedule, chains, strength, variance)
        shared = self.written_down(schedule, lines, worth, learned, entered, solution.effort.rounds)
        extra = WHRExtra(
            **vars(shared), player=days.player, day=days.day, previous=days.previous,
            history=strength + entered.rating[days.player] / UNIT, variance=variance, covariance=covariance,
            nodes=np.stack((days.black, days.white), axis=1),
        )  # fmt: skip
        spread = np.stack((variance[days.black], variance[days.white]), axis=1)
        fixed = ("deviations: from each player's own history, with all opponents held fixed",)
        return schedule.ratings(
            self, beyond + entered.rating, lines.before, lines.change,
            deviation=deviation, variances=schedule.spread(spread), deviation_unit=UNIT, extra=extra,
            notes=(*learned.notes, *notes, *fixed), warnings=(*terms.warnings, *warnings),
        )  # fmt: skip

    def _leverage(self, chains: Chains, total: Floats, strength: Floats) -> Floats:
        """Return how much one unit of information on each node moves the last day of its player, shape (nodes,)."""
        days = chains.days
        diagonal = pull_of_prior(chains.prior, strength) + total
        inner = days.previous != np.arange(len(diagonal))
        diagonal += chains.link
        diagonal += np.bincount(days.previous[inner], chains.link[inner], minlength=len(diagonal))
        leverage = np.empty(len(diagonal))
        last_day_row.for_work(len(diagonal))(days.previous, chains.link, diagonal, chains.last, leverage)
        return leverage

    def _now(self, schedule: Schedule, chains: Chains, strength: Floats, variance: Floats) -> tuple[Floats, Floats]:
        """Return rating beyond the entry, and deviation, on the last day: the mean stays, the variance grows."""
        plays = chains.last >= 0
        last = chains.last[plays]
        end = int(schedule.ledger.day[schedule.sequence].max(initial=0)) // self.period_days
        beyond, deviation = np.zeros(len(plays)), np.full(len(plays), np.nan)
        beyond[plays] = UNIT * strength[last]
        deviation[plays] = UNIT * np.sqrt(variance[last] + (end - chains.days.day[last]) * self.growth)
        return beyond, deviation

    def curve(self, ratings: Ratings, name: str) -> pl.DataFrame:
        """Return a player's history: date, rating and deviation (Elo) on each day with games."""
        nodes = self._nodes(ratings, name)
        extra = WHRExtra.of(ratings)
        days = [EPOCH + timedelta(days=int(day) * self.period_days) for day in extra.day[nodes]]
        rating, deviation = UNIT * extra.history[nodes], UNIT * np.sqrt(extra.variance[nodes])
        schema: Any = {"date": pl.Date, "rating": pl.Float64, "deviation": pl.Float64}
        return pl.DataFrame({"date": days, "rating": rating, "deviation": deviation}, schema=schema)

    def at(self, ratings: Ratings, name: str, day: date | str) -> tuple[float, float]:
        """Return rating and deviation (Elo) of a player at any date from the first day on; InputError before it."""
        when = When.of(day)
        if when is None:
            raise InputError("an empty date; give a day such as 2026-05-01")
        nodes, extra = self._nodes(ratings, name), WHRExtra.of(ratings)
        t = day_number(when.moment.date()) / self.period_days
        days = extra.day[nodes].tolist()
        place = bisect_right(days, t) - 1
        if place < 0:
            first = EPOCH + timedelta(days=days[0] * self.period_days)
            raise InputError(f"{name} has no rated game up to {when}; the first was on {first}")
        points = [(float(extra.day[n]), float(extra.history[n]), float(extra.variance[n])) for n in nodes]
        if place + 1 == len(nodes):
            mean, variance = points[-1][1], points[-1][2] + (t - points[-1][0]) * self.growth
        else:
            covariance = float(extra.covariance[nodes[place + 1]])
            mean, variance = between(t, points[place], points[place + 1], covariance, self.growth)
        return UNIT * mean, UNIT * math.sqrt(variance)

    def covariance(self, ratings: Ratings, name: str) -> Floats:
        """Return the covariances between a player's days in Elo^2, shape (days, days), all opponents held fixed.

        Between days i < j they are products of the neighbours': s_ij = s_i,j-1 s_j-1,j / s_j-1,j-1.
        """
        nodes, extra = self._nodes(ratings, name), WHRExtra.of(ratings)
        matrix = np.diag(extra.variance[nodes])
        for j in range(1, len(nodes)):
            step = extra.covariance[nodes[j]] / extra.variance[nodes[j - 1]]
            matrix[:j, j] = matrix[:j, j - 1] * step
            matrix[j, :j] = matrix[:j, j]
        result: Floats = UNIT * UNIT * matrix
        return result

    def _nodes(self, ratings: Ratings, name: str) -> Ints:
        player = ratings.ledger.find(name)
        nodes = np.flatnonzero(WHRExtra.of(ratings).player == player)
        if not len(nodes):
            raise InputError(f"{name} has no rated game")
        return nodes

    def counts_uncertainty(self, *, ranked: bool) -> bool:  # noqa: ARG002  # counted with ranks and without
        """Return whether forecasts count in how uncertain both strengths are."""
        return self.uncertainty
