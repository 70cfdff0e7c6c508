"""Forecasts one step ahead of every system, for the same games, each from what was known before it."""

from __future__ import annotations

import numpy as np

from handan.evidence.evaluation_task import Task
from handan.evidence.logistic_curve import fitted_curve
from handan.evidence.pre_game_states import GAMES, before, replays
from handan.evidence.rolling_fits import refitted
from handan.kernels.calibration import calibration
from handan.kernels.types import Floats
from handan.systems import System
from handan.systems.core.forecasting import probabilities
from handan.systems.core.sequential import Sequential


def forecasts(rules: System, task: Task) -> Floats | None:
    """Return the probability that Black wins, for each game of a task, shape (games of the task,).

    It is NaN where work is spared for a game that is not scored. None where the system can forecast no game at all,
    since it needs dates.
    """
    ledger = task.ledger
    if rules.traits.needs_dates and not ledger.arrays.dated.any():
        return None
    if rules.traits.whole:
        return refitted(rules, task)
    lead = replayed(rules, task)
    if len(ledger) > GAMES:
        ledger.arrays.forget()
    if not rules.has_odds:
        return fitted_curve(task, lead)
    np.nan_to_num(lead, copy=False)  # who has no place in the system is as strong as anybody
    if rules.traits.calibrated:
        lead = calibration(lead, task.score, task.known_until.astype(np.int64))
    return probabilities(lead, out=lead)


def replayed(rules: System, task: Task) -> Floats:
    """Return Black's log odds in each game by a replay, rating differences where the system has no odds, shape (n,)."""
    lead = np.empty(len(task.games))
    for rows, part, ratings, left in replays(rules, task):
        rating, spread = before(rules, ratings, part, left)
        known_until = None if isinstance(rules, Sequential) else part.knowledge.common[part.games].astype(np.int64)
        leads = rules.leads(part.ledger, part.games.astype(np.int64), rating, spread, ratings, known_until)
        lead[rows] = rating[:, 0] - rating[:, 1] if leads is None else leads
    return lead
