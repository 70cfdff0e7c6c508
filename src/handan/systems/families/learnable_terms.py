"""What the terms of games are worth, learned beside strengths: how firmly each worth is kept near what the rules say.

Where Black is always the stronger, the worth of the first move and the strengths explain the same results. What remains
for the worth once all strengths are free is its Fisher information, and the prior of the worth is the firmer the less
remains. There is no threshold from which a worth is learned: a few games more move it by little.
Source: the efficient information of a parameter beside nuisance parameters, the Schur complement in the information
matrix (A. van der Vaart, "Asymptotic Statistics" (1998), section 25.4).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from handan.errors import Clause
from handan.kernels.incremental.pool_terms import LEAST_DECIDED, ONE_SIDED
from handan.kernels.posterior.conjugate_gradients import Limits, conjugate_gradients
from handan.kernels.posterior.graph import graph_of_players
from handan.kernels.posterior.likelihood import FIRM, Posterior, Prior, linearise
from handan.kernels.posterior.newton import workspace

if TYPE_CHECKING:
    from handan.kernels.posterior.graph import Graph
    from handan.kernels.types import Floats, Ints, Nodes, Reals

NEARLY = 1e-6
"""Share of the first round to which the strengths that explain a worth are found; what is left of it is then off by
about the square of this."""


class Terms(NamedTuple):
    """What the terms of the rated games are worth to Black, and what of it is learned."""

    bonus: Floats
    """Natural units, shape (rated,)."""
    category: Ints
    """Index of the learned worth of each game, -1 where nothing is learned, shape (rated,)."""
    names: tuple[str, ...]
    """What each learned worth belongs to."""
    doubt: tuple[float, ...] = ()
    """Deviation of each learned worth before any game, natural units."""
    pairs: tuple[tuple[float, float], ...] = ()
    """Handicap and komi of each learned worth; empty for the first move."""
    prior: tuple[float, ...] = ()
    """Virtual wins, and as many losses, that keep each learned worth near the rule."""
    warnings: tuple[str, ...] = ()
    """What is not learned, and why."""

    def at(self, rows: Ints) -> Terms:
        """Return the terms of some games."""
        return self._replace(bonus=self.bonus[rows], category=self.category[rows])

    def pinned(self, reason: str) -> Terms:
        """Return the same with nothing learned, for a reason."""
        return Terms(self.bonus, np.full_like(self.category, -1), (), warnings=(reason,))


class Rows(NamedTuple):
    """Games that are counted together, shape (rows,) each."""

    black: Ints
    white: Ints
    score: Floats
    weight: Floats
    category: Ints
    """Index of the worth that might be learned, -1 without one."""


def kept_near_the_rule(terms: Terms, rows: Rows, players: int) -> Terms:
    """Return the terms with the priors of all worths that are learned."""
    if not terms.names:
        return terms
    if column := winners_column(rows):
        return terms.pinned(column)
    kinds = len(terms.names)
    most = 0.25 * np.bincount(rows.category + 1, rows.weight, minlength=kinds + 1)[1:]
    remains = [information(rows, kind, kinds, players) for kind in range(kinds)]
    return terms._replace(prior=tuple(map(virtual_games, terms.doubt, most.tolist(), remains)))


def virtual_games(doubt: float, most: float, remains: float) -> float:
    """Return the virtual wins, and as many losses, that keep a learned worth near what the settings say.

    n of them have the information n / 2 at even chances. They are the more the less of what the games tell of the worth
    remains with all strengths free: so a worth that only strengths could explain as well stays where it is.

    Args:
        doubt: Deviation of the worth before any game, natural units.
        most: Information of the games with all strengths given.
        remains: With all strengths free.
    """
    return min(2.0 / doubt**2 * most / max(remains, most / FIRM), FIRM)


def deviations(terms: Terms, rows: Rows, players: int, curvature: Reals) -> list[float]:
    """Return the deviations of the learned worths with all strengths free, natural units.

    Args:
        terms, rows, players: As in `kept_near_the_rule`.
        curvature: Information w p (1 - p) of each row at the strengths found.
    """
    at_solution, kinds = rows._replace(weight=4.0 * curvature.astype(np.float64)), len(terms.names)
    remains = [information(at_solution, kind, kinds, players) for kind in range(kinds)]
    return [left_open(doubt, each) for doubt, each in zip(terms.doubt[:kinds], remains, strict=True)]


def left_open(doubt: float, information: float) -> float:
    """Return the deviation of a worth after games with some information, from that before them, natural units."""
    return 1.0 / math.sqrt(1.0 / doubt**2 + information)


def winners_column(rows: Rows) -> str:
    """Return a warning if the winner of nearly every game stands in the same column; empty otherwise."""
    decided = (rows.category >= 0) & (rows.score != 0.5)
    whole, black = (float(rows.weight.sum(where=chosen)) for chosen in (decided, decided & (rows.score == 1.0)))
    if whole < LEAST_DECIDED or min(black, whole - black) > ONE_SIDED * whole:
        return ""
    pattern = (
        "nearly every winner stands in {side}'s column, as in a table of winners and losers; "
        "what colours are worth is not learned from it"
    )
    return Clause.of(pattern, side=Clause.of("Black" if 2.0 * black > whole else "White"))


def information(rows: Rows, kind: int, kinds: int, players: int) -> float:
    """Return how much the games tell of one worth with all strengths and the other worths free.

    It is the least sum of w p (1 - p) (c - x)^2, c being 1 in the games of this worth and 0 in others, and x any
    difference of strengths plus other worths, counted between equals, p = 1/2. Without a way to explain c by strengths
    a quarter of the games; for one pair that met m and n times with either colour, m n / (m + n); for a chain of
    players, or whoever always has the same colour, 0.
    """
    games, own = len(rows.category), rows.category == kind
    others = np.where((rows.category < 0) | own, kinds, rows.category)
    worth = (others.astype(np.uint32), kinds + 1) if kinds > 1 else (None, 0)
    graph = graph_of_players(rows.black, rows.white, players, *worth)
    pinned = np.arange(players + kinds, len(graph.following))
    score = 0.5 + 0.25 * own  # between equals, a surprise of w c / 4
    prior = Prior.of(pinned, np.full(len(pinned), FIRM))
    posterior = Posterior.of_games(graph, score, rows.weight, np.zeros(games), prior)
    gradient, hessian, vectors = workspace(len(graph.following), games, len(pinned))
    work = 20 * games  # our choice: tens of iterations are usual; both loops in one form, as the solver has them
    linearise.for_work(work)(posterior, np.zeros(len(gradient)), 0.0, gradient, hessian)
    gradient[pinned] = 0.0
    conjugate_gradients.for_work(work)(posterior, hessian, gradient, Limits(NEARLY, 0.0, 0.0), vectors)
    explained = vectors.x[rows.black] - vectors.x[rows.white]
    if kinds > 1:
        explained += vectors.x[players + others]
    return float((hessian.games * (own - explained) ** 2).sum())


def nodes_of_worths(terms: Terms | None) -> tuple[Nodes | None, int]:
    """Return the node of each game's learned worth, counted from the first one on, and the number of these nodes.

    The last of them is pinned to 0, for games in which nothing is learned.
    """
    if terms is None or not terms.names:
        return None, 0
    count = len(terms.names)
    return np.where(terms.category >= 0, terms.category, count).astype(np.uint32), count + 1


def with_worths(prior: Prior, graph: Graph, terms: Terms | None) -> Prior:
    """Return the prior of strengths together with that of the learned worths."""
    if terms is None or not terms.names:
        return prior
    worths = Prior.of(np.arange(graph.strengths, len(graph.following)), np.array([*terms.prior, FIRM]))
    return Prior(*(np.concatenate(columns) for columns in zip(prior, worths, strict=True)))
