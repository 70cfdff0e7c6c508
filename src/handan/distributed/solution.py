"""Newton's method with conjugate gradients where workers hold the games: they make sums, and all else is done here.

The vectors have one number a player; a round sends one to every worker, and each sends back those of its own players.
Their sums are made in the order of the games of one player, and those over players here, so that the answer is the same
to the last bit whoever holds whom. Steps and limits are those of `kernels/posterior/newton.py`; its loops go over all
games at once, so that digits beyond the tolerance are others.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

import numpy as np

from handan.distributed.block import Point
from handan.distributed.workers import Workers
from handan.kernels.posterior.likelihood import Model, linearise
from handan.kernels.posterior.newton import LOOSE, MOST_ROUNDS, MOST_STEPS, SAFE, TIGHT, Effort
from handan.kernels.posterior.own_players import CROSS, CURVATURE, GRADIENT, INFORMATION, SURPRISE
from handan.kernels.types import Floats
from handan.systems.families.learnable_terms import NEARLY

NUMBERS = count()  # of points; one that a worker has seen never comes again


@dataclass(eq=False)
class Posterior:
    """The log posterior of the strengths of all players, then of the worth of the first move if it is learned."""

    workers: Workers
    prior: Floats
    """Virtual wins and losses of each node, shape (nodes,)."""
    entry: Floats
    """Of each player, natural units, shape (players,)."""
    learns: bool
    gradient: Floats = field(init=False)
    curvature: Floats = field(init=False)
    shared: Floats = field(init=False)
    """Curvature that each strength shares with the worth, shape (players,)."""
    _point: Point = field(init=False)

    @property
    def players(self) -> int:
        """Number of players."""
        return len(self.entry)

    def look(self, strength: Floats, *, bare: bool = False) -> None:
        """Go to a point, shape (nodes,), and find gradient and diagonal of the negative Hessian there."""
        players = self.players
        worth = float(strength[players]) if self.learns else 0.0
        self._point = Point(next(NUMBERS), strength[:players] + self.entry, worth, self.learns, bare)
        sums = np.concatenate(self.workers.ask("linearise", self._point))
        self.gradient, self.curvature = self._of_prior(strength)
        self.gradient[:players] += sums[:, GRADIENT]
        self.curvature[:players] += sums[:, CURVATURE]
        self.shared = sums[:, CROSS].copy()
        if self.learns:
            self.gradient[players] += sums[:, SURPRISE].sum()
            self.curvature[players] += sums[:, INFORMATION].sum()

    def _of_prior(self, strength: Floats) -> tuple[Floats, Floats]:
        """Return gradient and curvature of the virtual games."""
        nodes = len(strength)
        alone, none, nobody = np.arange(nodes, dtype=np.uint32), np.empty(0), np.empty(0, dtype=np.uint32)
        model = Model(nobody, nobody, none, none, none, nobody, alone, np.zeros(nodes), self.prior)
        gradient, curvature = np.empty(nodes), np.empty(nodes)
        linearise.for_work(nodes)(model, strength, gradient, curvature, np.empty(0))
        return gradient, curvature

    def times(self, way: Floats) -> Floats:
        """Return the negative Hessian times a vector, shape (nodes,)."""
        players = self.players
        product = self.curvature * way
        product[:players] += np.concatenate(self.workers.ask("multiply", self._point, way[:players]))
        if self.learns:
            product[:players] += self.shared * way[players]
            product[players] += (self.shared * way[:players]).sum()
        return product

    def widest(self, step: Floats) -> float:
        """Return the largest change that a step makes to the lead in any game, or in a virtual one."""
        worth = float(step[self.players]) if self.learns else 0.0
        width: float = max(self.workers.ask("widest", self._point, step[: self.players], worth))
        return max(width, float(np.abs(step[self.prior > 0.0]).max(initial=0.0)))


def worth_tells(workers: Workers, entry: Floats, strength: Floats | None = None) -> float:
    """Return how much the games tell of the worth with all strengths free; see `learnable_terms.information`.

    Args:
        workers: Who hold the games.
        entry: Of each player, natural units.
        strength: Of each player beyond the entry, then of the worth; None: the games are counted between equals.

    The least of the sum of w p (1 - p) (c - x)^2 is reached where H x = b, b being what the worth shares with each
    strength: what the worth's own games have, less 2 b x, plus x H x.
    """
    players, equals = len(entry), strength is None
    bare = Posterior(workers, np.zeros(players + 1), np.zeros(players) if equals else entry, learns=True)
    bare.look(np.zeros(players + 1) if strength is None else strength, bare=equals)
    bare.curvature[bare.curvature == 0.0] = 1.0  # players without games
    whole, shared = float(bare.curvature[players]), bare.shared

    def times(way: Floats) -> Floats:
        return bare.times(np.append(way, 0.0))[:players]

    step, _ = find_step(shared, bare.curvature[:players], times, NEARLY, 0.0)
    return float(whole - 2.0 * (shared * step).sum() + (step * times(step)).sum())


def find_step(
    gradient: Floats, curvature: Floats, times: Callable[[Floats], Floats], loose: float, tolerance: float
) -> tuple[Floats, int]:
    """Solve H step = gradient by conjugate gradients, preconditioned by the diagonal; return it and the rounds.

    Ends as `newton.find_step` does.
    """
    step, rest = np.zeros(len(gradient)), gradient.copy()
    fresh = rest / curvature
    energy, way, enough = float((rest * fresh).sum()), fresh, 0.0
    for done in range(1, MOST_ROUNDS + 1):
        product = times(way)
        slope = float((way * product).sum())
        if not slope > 0.0:
            return step, done - 1
        stride = energy / slope
        step += stride * way
        rest -= stride * product
        largest = abs(stride) * float(np.abs(way).max())
        fresh = rest / curvature
        left = float((rest * fresh).sum())
        if done == 1:
            enough = max(min(loose, largest) * largest, TIGHT * tolerance)
        if largest <= enough:
            return step, done
        way, energy = fresh + left / energy * way, left
    return step, MOST_ROUNDS


def maximise(posterior: Posterior, tolerance: float) -> tuple[Floats, Effort]:
    """Return the maximum, shape (nodes,), from strengths of 0; steps are cut as `newton.maximise` cuts them."""
    strength = np.zeros(len(posterior.prior))
    step, rounds, moved, width = strength, 0, 0.0, 0.0
    for done in range(1, MOST_STEPS + 1):
        posterior.look(strength)
        if width > SAFE and (posterior.gradient * step).sum() < 0.0:
            strength = strength - (1.0 - math.log(1.0 + width) / width) * step
            posterior.look(strength)
        step, more = find_step(posterior.gradient, posterior.curvature, posterior.times, LOOSE, tolerance)
        strength, rounds = strength + step, rounds + more
        moved = float(np.abs(step).max(initial=0.0))
        if moved < tolerance:
            return strength, Effort(done, rounds, moved)
        width = posterior.widest(step) if 2.0 * moved > SAFE else 0.0
    return strength, Effort(MOST_STEPS, rounds, moved)
