"""Which rating system is right? Evidence on one's own games: forecasts in time order, and how they compare."""

from handan.evidence.card_fit import CardFit, fit_card
from handan.evidence.comparing import compare
from handan.evidence.comparison import Comparison, Pair, Score
from handan.evidence.estimator import Forecaster
from handan.evidence.evaluation_task import Task
from handan.evidence.groups import KINDS, Group
from handan.evidence.information_set import LEVELS
from handan.evidence.intervals import APART
from handan.evidence.learned_entries import with_learned_entries
from handan.evidence.one_step_ahead import forecasts
from handan.evidence.own_settings import Tuned, tuned
from handan.evidence.parallel import Cluster
from handan.evidence.worlds import Simulation, World, simulate, simulate_by

__all__ = [
    "APART", "KINDS", "LEVELS", "CardFit", "Cluster", "Comparison", "Forecaster", "Group", "Pair", "Score",
    "Simulation", "Task", "Tuned", "World", "compare", "fit_card", "forecasts", "simulate", "simulate_by", "tuned",
    "with_learned_entries",
]  # fmt: skip
