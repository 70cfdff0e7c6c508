"""Which worths of the terms can be learned: those that results tell apart from the strengths of the players.

Where the winner always stands in the same column, or Black is always the stronger, the worth of the first move and the
strengths explain the same results. What remains for the worth once all strengths are free is its Fisher information.
Source: the efficient information of a parameter beside nuisance parameters, the Schur complement in the information
matrix (A. van der Vaart, "Asymptotic Statistics" (1998), section 25.4).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from handan.errors import Clause
from handan.kernels.posterior.likelihood import Model, linearise
from handan.kernels.posterior.newton import find_step, room
from handan.kernels.types import Floats, Ints

VIRTUAL = 1.0  # our choice: virtual wins and losses that keep a learned worth near the rule
FIRM = 1e12  # virtual games that pin a node to 0
LEAST_FIRST_MOVE = 4.0
"""Information from which the first move is learned. our choice: that of sixteen games of two equals, eight with each
colour; the virtual games then have a ninth of the say."""
LEAST_HANDICAP = 0.5 * VIRTUAL
"""Information from which a worth is learned where `handicap=learned` asks. our choice: that of its virtual games."""
NEARLY = 1e-3
"""Share of the first round to which the strengths that explain a worth are found; what is left of it is then off by
about the square of this."""
MANY = 10_000  # our choice: rows from which a part is looked at first
PART = 3
"""That part is the games among one player in so many.
our choice: a ninth of the games where pairings are at random, and players keep enough opponents for few rounds."""
ONE_SIDED = 0.02  # our choice: share of games that a column of winners may lose
MOST_SHOWN = 3  # our choice
FEW = 8  # our choice: decided games below which one colour wins them all by chance


class Terms(NamedTuple):
    """What the terms of the rated games are worth to Black, and what of it is learned."""

    bonus: Floats
    """Natural units, shape (rated,)."""
    category: Ints
    """Index of the learned worth of each game, -1 where nothing is learned, shape (rated,)."""
    names: tuple[str, ...]
    """What each learned worth belongs to."""
    pairs: tuple[tuple[float, float], ...] = ()
    """Handicap and komi of each learned worth; empty for the first move."""
    warnings: tuple[str, ...] = ()
    """What is not learned, and why."""

    def at(self, rows: Ints) -> Terms:
        """Return the terms of some games."""
        return self._replace(bonus=self.bonus[rows], category=self.category[rows])

    def only(self, kept: list[int]) -> Terms:
        """Return the same with these worths learned, and the others as the settings say."""
        number = np.full(len(self.names) + 1, -1, dtype=np.int64)  # the last is for games without one
        number[kept] = np.arange(len(kept))
        return self._replace(
            category=number[self.category],
            names=tuple(self.names[kind] for kind in kept),
            pairs=tuple(self.pairs[kind] for kind in kept if self.pairs),
        )


class Rows(NamedTuple):
    """Games that are counted together, shape (rows,) each."""

    black: Ints
    white: Ints
    score: Floats
    weight: Floats
    category: Ints
    """Index of the worth that might be learned, -1 without one."""

    def among(self, players: int) -> Rows:
        """Return the games between the first so many players."""
        chosen = np.flatnonzero((self.black < players) & (self.white < players))
        black, white, category = (column[chosen] for column in (self.black, self.white, self.category))
        return Rows(black, white, self.score[chosen], self.weight[chosen], category)


def learnable(terms: Terms, rows: Rows, players: int, *, each_handicap: bool) -> Terms:
    """Return the terms with only those worths left to learn that results tell apart from strength.

    Args:
        terms: With all that might be learned.
        rows: The games.
        players: How many there are.
        each_handicap: Whether each handicap is to be learned, or only the first move.
    """
    if not terms.names:
        return terms
    if column := winners_column(rows):
        return terms.only([])._replace(warnings=(column,))
    least = LEAST_HANDICAP if each_handicap else LEAST_FIRST_MOVE
    weight = np.bincount(rows.category + 1, rows.weight, minlength=len(terms.names) + 1)[1:]
    kept = [
        kind
        for kind in range(len(terms.names))
        if weight[kind] / 4.0 >= least and tells(rows, kind, len(terms.names), players, least)
    ]
    left_out = [name for kind, name in enumerate(terms.names) if kind not in kept]
    return terms.only(kept)._replace(warnings=too_little(left_out) if left_out else ())


def winners_column(rows: Rows) -> str:
    """Return a warning if the winner of nearly every game stands in the same column; empty otherwise."""
    decided = (rows.category >= 0) & (rows.score != 0.5)
    whole, black = (float(rows.weight.sum(where=chosen)) for chosen in (decided, decided & (rows.score == 1.0)))
    if whole < FEW or min(black, whole - black) > ONE_SIDED * whole:
        return ""
    pattern = (
        "nearly every winner stands in {side}'s column, as in a table of winners and losers; "
        "what colours are worth is not learned from it"
    )
    return Clause.of(pattern, side=Clause.of("Black" if 2.0 * black > whole else "White"))


def tells(rows: Rows, kind: int, kinds: int, players: int, least: float) -> bool:
    """Return whether the games tell at least so much of one worth; arguments as in `information`.

    A part of many games is looked at first: all of them tell no less, since every game adds a square to the sum whose
    least value it is.
    """
    few = players // PART
    if len(rows.black) >= MANY and information(rows.among(few), kind, kinds, few) >= least:
        return True
    return information(rows, kind, kinds, players) >= least


def information(rows: Rows, kind: int, kinds: int, players: int) -> float:
    """Return how much the games tell of one worth with all strengths and the other worths free.

    It is the least sum of w p (1 - p) (c - x)^2, c being 1 in the games of this worth and 0 in others, and x any
    difference of strengths plus other worths, counted between equals, p = 1/2. Without a way to explain c by strengths
    a quarter of the games; for one pair that met m and n times with either colour, m n / (m + n); for a chain of
    players, or whoever always has the same colour, 0.
    """
    zero, own = players + kinds, rows.category == kind
    others = np.where((rows.category < 0) | own, zero, players + rows.category)
    helps = others if kinds > 1 else others[:0]
    black, white, helps = (nodes.astype(np.uint32) for nodes in (rows.black, rows.white, helps))
    alone, nothing = np.arange(zero + 1, dtype=np.uint32), np.zeros(zero + 1)
    firm = np.append(nothing[:-1], FIRM)
    bonus, score = np.zeros(len(own)), 0.5 + 0.25 * own  # between equals, a surprise of w c / 4
    model = Model(black, white, score, rows.weight, bonus, helps, alone, nothing, firm)
    strength, gradient, curvature = nothing.copy(), nothing.copy(), nothing.copy()
    pull = np.empty(len(own))
    work = 20 * len(own)  # our choice: tens of rounds are usual; both loops in one form, as the solver has them
    linearise.for_work(work)(model, strength, gradient, curvature, pull)
    gradient[zero] = 0.0
    curvature[curvature == 0.0] = 1.0  # players without games
    find_step.for_work(work)(model, gradient, curvature, pull, NEARLY, 0.0, room(zero + 1, strength))
    explained = strength[rows.black] - strength[rows.white] + strength[others]
    return float((pull * (own - explained) ** 2).sum())


def too_little(names: list[str]) -> tuple[str, ...]:
    """Return the warning that some worths are not learned, by name."""
    if names == ["the first move"]:
        return ("colours were exchanged too rarely to tell the first move from strength; it counts as worth nothing",)
    shown, more = names[0], len(names) - MOST_SHOWN
    for name in names[1:MOST_SHOWN]:
        shown = Clause.of("{shown}; {name}", shown=shown, name=name)
    if more > 0:
        shown = Clause.of("{shown} and {more} more", shown=shown, more=more)
    pattern = "worth what `stone` and `advantage` say, too few games tell it from strength: {shown}"
    return (Clause.of(pattern, shown=shown),)
