"""The solved histories of all players, and what follows from them when somebody asks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from handan.kernels.posterior.graph import table_of
from handan.kernels.posterior.newton import hessian_at
from handan.kernels.posterior.tridiagonal_covariance import covariances, eliminate_days, last_day_row
from handan.ledger.results import Result
from handan.systems.core.conditions import Conditions, worth_of_terms
from handan.systems.families.attribution import precision_of_prior

if TYPE_CHECKING:
    from handan.kernels.posterior.graph import Days, Table
    from handan.kernels.posterior.likelihood import Hessian, Posterior
    from handan.kernels.posterior.newton import Effort
    from handan.kernels.types import Floats, Nodes, Numbers
    from handan.ledger import Ledger
    from handan.systems.core.schedule import Schedule

MOST_KINDS = 1 << 16  # our choice: results and terms together that are numbered without a look at who takes them


class GameKinds(NamedTuple):
    """Results and terms of games, by kind."""

    kind: Nodes
    """Of each rated game, shape (rated,)."""
    score: Floats
    """Of Black, shape (kinds,)."""
    bonus: Floats
    """What the terms are worth to Black, natural units, shape (kinds,)."""


def narrow_days(ledger: Ledger) -> Numbers:
    """Return the days of games since 1970-01-01, any number without a date."""
    columns = ledger.arrays.columns
    if columns.date.dtype == np.int32:
        return columns.date
    days = ledger.arrays.day.astype(np.int32)
    days.flags.writeable = False  # as those of a ledger, so that a loop is compiled once for both
    return days


def kinds_of(schedule: Schedule, stone: float, first_move: float, unit: float) -> GameKinds:
    """Return results and terms of the rated games; no array with eight bytes a game is made.

    Args:
        schedule: The games.
        stone, first_move: As in `worth_of_stones`.
        unit: Of both, in natural units.
    """
    texts, result = schedule.ledger.arrays.different("result")
    results = [Result.parse(text) for text in texts]
    terms, number = schedule.ledger.arrays.different_terms()
    score = np.array([np.nan if one.score is None else one.score for one in results])
    worth = np.array([worth_of_terms(Conditions(*each), stone, first_move) for each in terms]) / unit
    coloured = np.array([one.colours_known for one in results])
    count = len(results) * len(terms)
    narrow = np.min_scalar_type(count)
    kind = schedule.taken(result).astype(narrow)
    if len(terms) > 1:
        kind = kind * narrow.type(len(terms)) + schedule.taken(number).astype(narrow)
    taken = np.arange(count)
    if count > MOST_KINDS:
        taken, place = np.unique(kind, return_inverse=True)
        kind = place
    one, each = np.divmod(taken, max(len(terms), 1))
    return GameKinds(kind.astype(np.uint32), score[one], np.where(coloured[one], worth[each], 0.0))


@dataclass(frozen=True, eq=False)
class Solved:
    """The most likely histories."""

    days: Days
    posterior: Posterior
    strength: Floats
    """Of each day with the entry, then of learned worths and a fixed zero, natural units."""
    effort: Effort

    @property
    def history(self) -> Floats:
        """Strength on each day with the entry, natural units, shape (days,)."""
        return self.strength[: self.posterior.graph.strengths]

    @cached_property
    def table(self) -> Table:
        """The player, the period and the previous day of each day."""
        return table_of(self.days)

    def worth(self) -> Floats:
        """Return what the terms of each game are worth to Black, as set and as learned, natural units, (rated,)."""
        model, graph = self.posterior, self.posterior.graph
        worth = model.bonus[model.kind]
        return worth + self.strength[graph.worth] if len(graph.worth) else worth

    def hessian(self) -> Hessian:
        """Return the negative Hessian at the strengths, without the links of the days."""
        return hessian_at(self.posterior, self.strength)

    def information(self) -> Floats:
        """Return the information of games and prior on each day, shape (days,)."""
        return np.array(self.hessian().diagonal[: self.posterior.graph.strengths])

    def last_variances(self, shift: float) -> Floats:
        """Return the variance of each player on the last day, all others held fixed; NaN without games, (players,)."""
        days, information = self.days, self.information()
        information += shift
        eliminate_days.for_work(len(information))(days, self.posterior.links, information)
        variance, plays = np.full(len(days.last), np.nan), days.last >= 0
        variance[plays] = 1.0 / information[days.last[plays]]
        return variance

    def link(self) -> Floats:
        """Return 1 / variance of the step from the previous day, 0 on a first day, shape (days,)."""
        days = self.days
        link, inner = np.zeros(len(days.gap)), days.gap > 0
        link[days.following[inner]] = self.posterior.links[days.gap[inner]]
        return link

    def _with_links(self, information: Floats) -> Floats:
        """Return the diagonal of the chains of days, to whose information it adds the links on both sides."""
        link: Floats = self.link() + self.posterior.links[self.days.gap]
        return information + link

    def covariances(self, shift: float) -> tuple[Floats, Floats]:
        """Return each day's variance and covariance with the day before, all others held fixed, shape (days,) each."""
        diagonal = self._with_links(self.information() + shift)
        variance, covariance = np.empty(len(diagonal)), np.empty(len(diagonal))
        run = covariances.for_work(len(diagonal))
        run(self.table.previous, self.link(), diagonal, variance, covariance)
        return variance, covariance

    def leverage(self, information: Floats, beyond: Floats) -> Floats:
        """Return how much one unit of information on each day moves the last day of its player, shape (days,).

        Args:
            information: Of the games on each day.
            beyond: Strength beyond the entry of each day, natural units.
        """
        players, prior = self.posterior.prior, np.zeros(len(beyond))
        days = players.node < len(beyond)
        prior[players.node[days]] = players.weight[days]
        diagonal = self._with_links(precision_of_prior(prior, beyond) + information)
        result = np.empty(len(diagonal))
        run = last_day_row.for_work(len(diagonal))
        run(self.table.previous, self.link(), diagonal, self.days.last, result)
        return result
