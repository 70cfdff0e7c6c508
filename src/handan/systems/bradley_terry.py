"""Bradley-Terry: one strength for each player for all time, the most likely one given all results.

Source: R. Bradley and M. Terry, "Rank analysis of incomplete block designs" (1952); the prior as in R. Coulom's
Bayeselo and "Whole-History Rating" (2008): virtual wins and losses; they are against the entry rank, or 0 without.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from handan.kernels.arrays import merged
from handan.kernels.connectivity import without_finite_mle
from handan.kernels.posterior.graph import graph_of_players
from handan.kernels.posterior.likelihood import Posterior, Prior
from handan.kernels.posterior.newton import hessian_at, joint_variances, maximise_from, workspace
from handan.systems.core.schedule import NOTHING
from handan.systems.core.settings import setting
from handan.systems.families.attribution import ahead_of, contributions_of, evidence_of, precision_of_prior
from handan.systems.families.learnable_terms import (
    Rows,
    deviations,
    kept_near_the_rule,
    nodes_of_worths,
    with_worths,
)
from handan.systems.families.paired_comparison import (
    UNIT,
    PairedComparison,
    PairedExtra,
    no_finite_strength,
    worths,
)
from handan.systems.families.solved import with_lazy_lines

if TYPE_CHECKING:
    from handan.kernels.posterior.likelihood import Hessian
    from handan.kernels.posterior.newton import Effort
    from handan.kernels.types import Floats, Ints
    from handan.ledger import Ledger
    from handan.ratings import Ratings
    from handan.systems.core.initial_ratings import Anchors
    from handan.systems.core.schedule import Schedule
    from handan.systems.families.learnable_terms import (
        Terms,
    )
    from handan.systems.families.paired_comparison import (
        Learned,
    )
    from handan.systems.families.solved import Lines

MOST_WORK = 1e7
"""Rows times players up to which deviations are found from the joint inverse.
our choice: a second or two of compiled work."""


class Solution(NamedTuple):
    """The most likely strengths."""

    posterior: Posterior
    strength: Floats
    """Of each player beyond the entry, then of each learned worth and a fixed zero, natural units."""
    hessian: Hessian
    effort: Effort


@dataclass(frozen=True)
class BradleyTerry(PairedComparison):
    """Bradley-Terry with prior, first move and handicap; also what Bayeselo does."""

    name: ClassVar[str] = "bradley-terry"
    title: ClassVar[str] = "Bradley-Terry"
    revision: ClassVar[int] = 2

    uncertainty: bool = setting(
        True,  # noqa: FBT003
        "whether forecasts count in how uncertain both strengths are, where players enter by ranks",
    )

    def rate(self, ledger: Ledger) -> Ratings:
        """Find the most likely strengths; without a prior they are counted from the mean of their pool."""
        schedule = self.schedule_of(ledger)
        entered = self.anchors(schedule)
        terms, weight = self.terms_of(schedule), self.weights(schedule)
        ahead = ahead_of(schedule, entered)
        players = len(ledger.players)
        pool = schedule.pool
        if self.prior == 0.0:
            self._refuse_infinite(schedule, pool)
        row, weights = _different(schedule, weight, terms)
        rows = Rows(schedule.black[row], schedule.white[row], schedule.score[row], weights, terms.category[row])
        terms = kept_near_the_rule(terms, rows, players)
        solution = self._solve(rows, terms.at(row), ahead[row], pool)
        strength = solution.strength[:players]
        if self.prior == 0.0:
            strength -= _means(strength, pool)[pool]
        strength[pool < 0] = 0.0
        learned = self.learned(terms, solution.strength, deviations(terms, rows, players, solution.hessian.games))
        return self._answer(schedule, terms, weight, solution, learned, entered)

    def counts_uncertainty(self, *, ranked: bool) -> bool:
        """Return whether forecasts count it in; without ranks they are the published law at the strengths."""
        return self.uncertainty and ranked

    def weights(self, schedule: Schedule) -> Floats:
        """Return the weight of each game, shape (rated,)."""
        return np.ones(len(schedule))

    def weights_at(self, schedule: Schedule, end: int) -> Floats:  # noqa: ARG002  # for systems in which games age
        """Return the weight of each game on a day, days since 1970, shape (rated,)."""
        return self.weights(schedule)

    def _refuse_infinite(self, schedule: Schedule, pool: Ints) -> None:
        """Raise InputError if a player's strength has no finite most likely value."""
        winner = np.concatenate([schedule.black[schedule.score > 0.0], schedule.white[schedule.score < 1.0]])
        loser = np.concatenate([schedule.white[schedule.score > 0.0], schedule.black[schedule.score < 1.0]])
        infinite = without_finite_mle(winner, loser, pool)
        if len(infinite):
            rest = np.setdiff1d(np.flatnonzero(pool >= 0), infinite)
            raise no_finite_strength(schedule.ledger, min(infinite, rest, key=len), self)

    def _solve(self, rows: Rows, terms: Terms, ahead: Floats, pool: Ints) -> Solution:
        """Return the maximum of the log posterior of strengths beyond the entries.

        Args:
            rows: The different games.
            terms: What the terms of each are worth.
            ahead: Black's entry less White's in each, natural units.
            pool: Pool of each player, -1 without games.
        """
        graph = graph_of_players(rows.black, rows.white, len(pool), *nodes_of_worths(terms))
        plays = np.flatnonzero((pool >= 0) & (self.prior > 0.0))
        prior = with_worths(Prior.of(plays, np.full(len(plays), self.prior)), graph, terms)
        posterior = Posterior.of_games(graph, rows.score, rows.weight, terms.bonus + ahead, prior)
        strength = np.zeros(len(graph.following))
        effort = maximise_from(posterior, strength, self.tolerance)
        return Solution(posterior, strength, hessian_at(posterior, strength), effort)

    def _answer(
        self,
        schedule: Schedule,
        terms: Terms,
        weight: Floats,
        solution: Solution,
        learned: Learned,
        entered: Anchors,
    ) -> Ratings:
        """Return the ratings; they are shared out among the games when somebody asks."""
        strength = solution.strength[: len(schedule.pool)]
        deviation, deviation_notes = self._deviations(solution, schedule.pool)
        notes, warnings = self.notes_on(schedule, solution.effort, ranked=entered.ranked)
        make = partial(self._lines, schedule, terms, weight, solution.strength, entered)
        extra = self.written_down(PairedExtra, make, learned, entered)
        ratings = schedule.ratings(
            self, UNIT * strength + entered.rating, NOTHING, NOTHING, (*terms.warnings, *warnings),
            deviation=deviation,
            extra=extra,
            notes=(*learned.notes, *notes, *deviation_notes),
        )  # fmt: skip
        return with_lazy_lines(ratings, extra)

    def _lines(self, schedule: Schedule, terms: Terms, weight: Floats, strength: Floats, entered: Anchors) -> Lines:
        """Share the ratings out among the games."""
        pool, players = schedule.pool, len(schedule.pool)
        worth, strength = terms.bonus + worths(strength, terms), strength[:players]
        games = evidence_of(schedule, schedule.seats, worth + ahead_of(schedule, entered), weight, strength)
        total = games.total + np.where(pool >= 0, precision_of_prior(np.full(players, self.prior), strength), 1.0)
        return contributions_of(schedule, games, strength, 1.0 / total, entered.rating, worth)

    def _deviations(self, solution: Solution, pool: Ints) -> tuple[Floats, tuple[str, ...]]:
        """Return the deviations in Elo, NaN without games: from the joint information, beyond MOST_WORK the own."""
        posterior, strength, hessian, _ = solution
        players, nodes, games = len(pool), len(strength), len(posterior.kind)
        plays, work = pool >= 0, float(games) * len(pool)
        if work > MOST_WORK:
            alone = np.full(players, np.nan)
            alone[plays] = UNIT / np.sqrt(hessian.diagonal[:players][plays])
            return alone, ("deviations: with all opponents held fixed, which is a little too small",)
        pools_of = np.append(pool, np.full(nodes - players, -1))
        free = np.append(plays & (self.prior == 0.0), np.zeros(nodes - players, dtype=np.bool_))
        vectors = workspace(nodes, games, 0)[2]
        variance = joint_variances.for_work(int(20 * work))(posterior, hessian, pools_of, free, vectors)[:players]
        return UNIT * np.sqrt(variance), ("deviations: exact, from the inverse of the joint information",)


def _means(strength: Floats, pool: Ints) -> Floats:
    """Return the mean strength of each pool; the last entry is for players without one."""
    count = int(pool.max(initial=-1)) + 1
    inside = pool >= 0
    size = np.bincount(pool[inside], minlength=count)
    return np.append(np.bincount(pool[inside], strength[inside], minlength=count) / np.maximum(size, 1), 0.0)


def _different(schedule: Schedule, weight: Floats, terms: Terms) -> tuple[Ints, Floats]:
    """Return one row for all games of the same two players, result and terms, by players, and their weight together.

    A player's rows lie side by side, which is also the order in which a solver goes fastest through them.
    """
    kind = (2.0 * schedule.score).astype(np.int64) + 3 * (terms.category + 1)
    if len(kind) and (terms.bonus != terms.bonus[0]).any():
        kind += 3 * (len(terms.names) + 1) * np.unique(terms.bonus, return_inverse=True)[1].reshape(-1)
    key = (schedule.black * len(schedule.ledger.players) + schedule.white) * (int(kind.max(initial=0)) + 1) + kind
    return merged(key, weight)
