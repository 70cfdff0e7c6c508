"""Comparisons of many games take memory for some of them at a time, and say the same."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

import handan
from benchmarks.ledgers import ledger_of, own
from handan.cli.compare import visible_lines
from handan.evidence import Task, compare, forecasts, places, scores
from handan.systems import system
from handan.systems.core.base import Sequential
from tests.test_saved_systems import club
from tests.test_streaming import REPLAYING


@pytest.mark.parametrize(("level", "seed", "few"), [("game", 1, 40), ("day", 3, 80)])
@pytest.mark.parametrize("rules", REPLAYING, ids=lambda rules: rules.name)
def test_games_taken_window_by_window_are_forecast_as_all_together(
    rules: Sequential, level: str, seed: int, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = club(seed)
    together = forecasts(rules, Task.of(ledger, level))
    monkeypatch.setattr(places, "GAMES", few)
    task = Task.of(ledger, level)
    in_windows = forecasts(rules, task)
    assert len(list(places.replays(rules, task))) > 1
    np.testing.assert_array_equal(together, in_windows)


def test_many_games_are_compared_to_the_same_printed_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = handan.read("examples/club/games.csv", adjustments="examples/club/adjustments.csv")
    systems = "points,elo,egf,aga,glicko"
    monkeypatch.setenv("HANDAN_KERNELS", "plain")
    before = compare(ledger, systems, by="handicap")
    for module, name in ((places, "GAMES"), (scores, "MANY"), (scores, "ROWS")):
        monkeypatch.setattr(module, name, 300)
    after = compare(ledger, systems, by="handicap")
    assert visible_lines(after) == visible_lines(before)
    assert all(score.probability is not None and score.probability.dtype == np.float32 for score in after.systems)


def test_forecasts_of_many_games_take_less_memory_than_the_ledger(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDAN_KERNELS", "plain")
    monkeypatch.setattr(places, "GAMES", 1_000)
    ledger = ledger_of(own(10_000))
    task = Task.of(ledger)
    forecasts(system("elo"), task)  # places of games, made once for all systems
    tracemalloc.start()
    forecasts(system("elo"), task)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < ledger.games.estimated_size()
