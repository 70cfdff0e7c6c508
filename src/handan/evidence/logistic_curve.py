"""Odds for systems without: a logistic curve through rating difference and stones, fitted to earlier games."""

from __future__ import annotations

import numpy as np

from handan.evidence.evaluation_task import Task
from handan.kernels.arrays import blocks
from handan.kernels.types import Floats, Ints, Numbers
from handan.ledger.ledger import between
from handan.systems.core.forecasting import probabilities

FIRST = 30  # games before the first curve; our choice
MOST = 100_000  # games, the newest, that a curve is fitted to; our choice: more would not move it
GROWTH = 1.25  # our choice: how much games have grown from one curve to the next
PRIOR = 4.0  # our choice: a weight of so many games' information pulls each coefficient to 0
STEPS = 50
SETTLED = 1e-10


def fitted_curve(task: Task, difference: Floats) -> Floats:
    """Return the probability that Black wins by curves each of which was fitted to earlier games alone, shape (n,).

    The log odds are b d + c h, with d the rating difference in units of its deviation in the games fitted to and h the
    handicap stones, 0 where nobody is known to be Black; neither counts beyond the widest that the fit has seen. Games
    before the first curve are coins.

    Args:
        task: The games.
        difference: Black's rating less White's before each, NaN where one is missing; shape (n,).
    """
    ledger = task.ledger
    stones = np.empty(len(ledger), dtype=np.int32)
    for rows in blocks(len(ledger)):
        part = between(ledger, rows.start, min(rows.stop, len(ledger)), ())
        stones[rows] = np.where(part.arrays.colours_known, part.arrays.stones, 0)
    stones = stones[task.games]
    usable = ~np.isnan(difference)
    fits = refit_places(task.batch[:-1], FIRST, GROWTH)
    use = np.searchsorted(fits, task.known_until, side="right").astype(np.int16)
    lead = np.zeros(len(difference))
    for number in np.unique(use[task.wanted]).tolist():
        if number:
            past = np.flatnonzero(usable[: int(fits[number - 1])])[-MOST:]
            if len(past):
                mine = np.flatnonzero(use == number)
                mine = mine[usable[mine]]
                seen: Floats = np.stack((difference[past], stones[past]))
                scale, slope = _fit(seen, task.halves[past] / 2.0)
                widest = np.abs(seen).max(axis=1, keepdims=True)
                columns: Floats = np.stack((difference[mine], stones[mine]))
                lead[mine] = slope / scale @ np.clip(columns, -widest, widest)
    return probabilities(lead, out=lead)


def refit_places(starts: Ints | Numbers, first: int, growth: float) -> Ints:
    """Return those of the starts by which games have grown so much since the last; none depends on a later one.

    Args:
        starts: Places at which what was known may end, ascending.
        first: Fewest games.
        growth: Ratio of games from one place to the next.
    """
    chosen: list[int] = []
    due = float(first)
    while (at := int(np.searchsorted(starts, due))) < len(starts):
        place = int(starts[at])
        chosen.append(place)
        due = max(place * growth, place + 1.0)
    return np.array(chosen, dtype=np.int64)


def _fit(columns: Floats, score: Floats) -> tuple[Floats, Floats]:
    """Return the deviations of columns (1 for a constant) and the most likely coefficients of the scaled columns.

    Args:
        columns: Shape (columns, games).
        score: Black's, shape (games,).
    """
    scale = columns.std(axis=1)
    scale[scale == 0.0] = 1.0
    scaled, slope = columns / scale[:, None], np.zeros(len(columns))
    for _ in range(STEPS):
        p = probabilities(slope @ scaled)
        pull = scaled @ (score - p) - PRIOR * slope
        bend = (scaled * (p * (1.0 - p))) @ scaled.T + PRIOR * np.eye(len(slope))
        step = np.linalg.solve(bend, pull)
        slope += step
        if np.abs(step).max(initial=0.0) < SETTLED:
            break
    return scale, slope
