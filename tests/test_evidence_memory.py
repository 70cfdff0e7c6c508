"""Comparisons of many games take memory for some of them at a time, and say the same."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

import handan
from benchmarks.ledgers import ledger_of, own
from handan.cli.compare import visible_lines
from handan.evidence import Task, compare, forecasts, information_set, intervals, pre_game_states, scores
from handan.evidence.information_set import InformationSet
from handan.systems import system
from handan.systems.core.sequential import Sequential
from tests.test_saved_systems import club
from tests.test_streaming import REPLAYING

pytestmark = pytest.mark.extended


@pytest.mark.parametrize(("level", "seed", "few"), [("game", 1, 40), ("day", 3, 80)])
@pytest.mark.parametrize("rules", REPLAYING, ids=lambda rules: rules.name)
def test_games_taken_window_by_window_are_forecast_as_all_together(
    rules: Sequential, level: str, seed: int, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = club(seed)
    together = forecasts(rules, Task.of(ledger, level))
    monkeypatch.setattr(pre_game_states, "GAMES", few)
    task = Task.of(ledger, level)
    in_windows = forecasts(rules, task)
    assert len(list(pre_game_states.replays(rules, task))) > 1
    np.testing.assert_array_equal(together, in_windows)


def test_many_games_are_compared_to_the_same_printed_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = handan.read("examples/club/games.csv", adjustments="examples/club/adjustments.csv")
    systems = "points,elo,egf,aga,glicko"
    monkeypatch.setenv("HANDAN_KERNELS", "plain")
    before = compare(ledger, systems, by="handicap")
    for module, name in ((pre_game_states, "GAMES"), (scores, "MANY")):
        monkeypatch.setattr(module, name, 300)
    after = compare(ledger, systems, by="handicap")
    assert visible_lines(after) == visible_lines(before)
    assert all(score.probability is not None and score.probability.dtype == np.float32 for score in after.systems)


def test_forecasts_of_many_games_take_less_memory_than_the_ledger(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDAN_KERNELS", "plain")
    monkeypatch.setattr(pre_game_states, "GAMES", 1_000)
    ledger = ledger_of(own(10_000))
    task = Task.of(ledger)
    forecasts(system("elo"), task)  # places of games, made once for all systems
    tracemalloc.start()
    forecasts(system("elo"), task)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < ledger.games.estimated_size()


@pytest.mark.parametrize("level", ["game", "day"])
def test_games_played_before_are_counted_some_days_at_a_time(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    knowing = InformationSet.of(club(3), level)
    counted = np.arange(len(knowing.ledger)) % 3 > 0
    monkeypatch.setattr(information_set, "GAMES", 40)
    np.testing.assert_array_equal(knowing.earlier(counted), knowing.earlier_at_once(counted))


def test_clusters_are_summed_alike_whatever_their_numbers_are(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = np.random.default_rng(5)
    losses, day = dice.normal(size=(500, 2)), np.sort(dice.integers(0, 30, 500))
    players = dice.permuted(np.tile(np.arange(20), (500, 1)), axis=1)[:, :2]
    whole = intervals.Clustered.of(losses, day, players)
    far = intervals.Clustered.of(losses, day, players + (1 << 28))  # of pairs too large to stand beside a row
    monkeypatch.setattr(intervals, "ROWS", 7)  # so that days and players fill blocks of their own
    in_blocks = intervals.Clustered.of(losses, day, players)
    for name in ("day_variance", "player_variance", "both_variance"):
        np.testing.assert_array_equal(getattr(far, name), getattr(whole, name))
        np.testing.assert_allclose(getattr(in_blocks, name), getattr(whole, name), rtol=1e-12, atol=1e-18)


def test_comparing_many_games_takes_less_than_twice_the_memory_of_their_columns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HANDAN_KERNELS", "compiled")
    for module, name in ((pre_game_states, "GAMES"), (information_set, "GAMES"), (scores, "MANY"), (intervals, "ROWS")):
        monkeypatch.setattr(module, name, 1_000)
    ledger = ledger_of(own(20_000))
    columns = ledger.games.estimated_size()
    systems = "elo,egf,glicko,trueskill"
    compare(ledger, systems)
    tracemalloc.start()
    compare(ledger, systems)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2.0 * columns
