"""Forecasts one step ahead of every system, for the same games, each from what was known before it."""

from __future__ import annotations

import numpy as np

from handan.evidence.curve import fitted_curve
from handan.evidence.places import before
from handan.evidence.refits import refitted
from handan.evidence.task import Task
from handan.kernels.calibration import calibration
from handan.kernels.types import Floats
from handan.systems import System
from handan.systems.core.forecasting import probabilities


def forecasts(rules: System, task: Task) -> Floats | None:
    """Return the probability that Black wins, for each game of a task, shape (games of the task,).

    It is NaN where work is spared for a game that is not scored. None where the system can forecast no game at all,
    since it needs dates.
    """
    ledger = task.ledger
    if rules.needs_dates and not ledger.dated.any():
        return None
    if rules.whole:
        return refitted(rules, task)
    ratings = rules.rate(ledger)
    rating, spread = before(rules, ratings, task)
    if not rules.has_odds:
        return fitted_curve(task, rating[:, 0] - rating[:, 1])
    leads = rules.leads(ledger, task.games, rating, spread, ratings, task.knowledge.common[task.games])
    leads = np.nan_to_num(np.asarray(leads))  # who has no place in the system is as strong as anybody
    if rules.calibrated:
        leads *= calibration(leads, task.score, task.batch)[task.opening]
    return probabilities(leads)
