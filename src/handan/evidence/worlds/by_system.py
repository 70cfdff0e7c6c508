"""Games of a world whose results follow a rating system's own forecasts: then that system is the truth."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import polars as pl

from handan.errors import InputError
from handan.evidence.evaluation_task import Task
from handan.evidence.one_step_ahead import forecasts
from handan.evidence.worlds.simulation import Progress, Simulation, simulate
from handan.evidence.worlds.world import World
from handan.kernels.types import Flags
from handan.ledger import Ledger
from handan.systems import System

UNTRUE = ("black_strength", "white_strength")
UNTRUE_OF_PEOPLE = ("first_rank", "last_rank", "first_strength", "last_strength")
COIN = 0.5


def simulate_by(rules: System, world: World | None = None, *, progress: Progress | None = None) -> Simulation:
    """Return games that a world's people play, with results drawn from what a system forecasts of them one step ahead.

    Who meets whom at what terms is the world's; its strengths play no part, and are null in the truth.

    Args:
        rules: The system; it forecasts each game from the results that were drawn before.
        world: Who meets whom.
        progress: Called with a text, games done and games in all.

    Raises:
        InputError: For a system without odds of its own.
    """
    if not rules.has_odds:
        raise InputError(f"{rules.name} has no odds, so no results can be drawn from it")
    made = simulate(world)
    dice = np.random.default_rng((made.world.seed, 1))
    ledger, black_won = made.ledger, np.zeros(len(made.ledger), dtype=np.bool_)
    probability = np.full(len(ledger), COIN)
    batch = Task.of(ledger).batch.tolist()
    for first, end in pairwise(batch):
        if progress is not None:
            progress(f"playing by {rules.name}", first, len(ledger))
        chances = forecasts(rules, Task.of(_with(ledger, black_won, end)))
        if chances is not None:
            probability[first:end] = chances[first:end]
        black_won[first:end] = dice.random(end - first) < probability[first:end]
    nothing = {name: pl.lit(None) for name in UNTRUE}
    games = made.games.with_columns(probability=pl.Series(probability), **nothing)
    players = made.players.with_columns(**{name: pl.lit(None) for name in UNTRUE_OF_PEOPLE})
    return replace(made, ledger=_with(ledger, black_won, len(ledger)), players=players, games=games)


def _with(ledger: Ledger, black_won: Flags, end: int) -> Ledger:
    """Return the first games of a ledger with other results."""
    results = pl.Series(np.where(black_won[:end], "B+", "W+"))
    return Ledger(ledger.arrays.of(ledger.games[:end].with_columns(result=results)))
