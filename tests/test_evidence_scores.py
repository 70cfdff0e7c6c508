"""Log-loss, Brier score, accuracy, calibration, and how far they could have come out otherwise."""

from __future__ import annotations

import math

import numpy as np
import pytest

from benchmarks import coverage
from handan.evidence import scores
from handan.evidence.groups import wilson
from handan.evidence.intervals import NORMAL, Clustered, student
from tests.naive import evidence as naive


def test_scores_of_four_games_by_hand() -> None:
    # 0.8 and Black won, 0.6 and White won, 0.5 and a draw, 1 and White won, which is kept at 1 - 1e-6
    p, s = np.array([0.8, 0.6, 0.5, 1.0]), np.array([1.0, 0.0, 0.5, 0.0])
    each = [-math.log(0.8), -math.log(0.4), math.log(2.0), -math.log(1e-6)]
    assert scores.losses(p, s) == pytest.approx(each, rel=1e-9)
    assert scores.log_loss(p, s) == pytest.approx(sum(each) / 4, rel=1e-9)
    assert scores.brier(p, s) == pytest.approx((0.04 + 0.36 + 0.0 + 1.0) / 4)
    assert scores.accuracy(p, s) == pytest.approx(1 / 3)  # of the three decided games the first
    assert scores.accuracy(np.array([0.5, 0.5]), np.array([1.0, 0.0])) == 0.5
    assert scores.accuracy(np.array([0.5 + 1e-16, np.nextafter(0.5, 1.0)]), np.ones(2)) == 0.5  # but for rounding
    assert scores.accuracy(p[2:3], s[2:3]) is None


def test_log_loss_is_that_of_a_loop() -> None:
    dice = np.random.default_rng(1)
    p, s = dice.random(500), dice.choice([0.0, 0.5, 1.0], 500)
    assert scores.log_loss(p, s) == pytest.approx(naive.log_loss(p.tolist(), s.tolist()), rel=1e-12)
    coin = np.full(500, 0.5)
    assert scores.log_loss(coin, s) == pytest.approx(scores.COIN, rel=1e-12)


@pytest.mark.parametrize("slope", [0.5, 1.0, 2.0])
def test_calibration_finds_how_far_forecasts_mean_what_they_say(slope: float) -> None:
    # results by 1 / (1 + e^-(0.3 + slope x)), forecasts by 1 / (1 + e^-x): Cox's a is 0.3 and b the slope
    dice = np.random.default_rng(2)
    lead = dice.normal(0.0, 1.0, 60_000)
    won = (dice.random(len(lead)) < 1.0 / (1.0 + np.exp(-0.3 - slope * lead))).astype(float)
    fit = scores.calibration(1.0 / (1.0 + np.exp(-lead)), won)
    assert fit.slope == pytest.approx(slope, abs=0.05)
    assert fit.intercept == pytest.approx(0.3, abs=0.03)


def test_a_calibration_table_counts_every_game_once() -> None:
    p, s = np.array([0.0, 0.05, 0.1, 0.95, 1.0, 0.5]), np.array([0.0, 1.0, 0.0, 1.0, 1.0, 0.5])
    fit = scores.calibration(p, s)
    assert [(row.low, row.games) for row in fit.table] == [(0.0, 2), (0.1, 1), (0.5, 1), (0.9, 2)]
    assert fit.table[0].forecast == pytest.approx(0.025)
    assert fit.table[0].score == 0.5
    # |0.025 - 0.5| 2 + 0.1 + 0 + |0.975 - 1| 2, over six games
    assert fit.error == pytest.approx((0.95 + 0.1 + 0.0 + 0.05) / 6)


def test_forecasts_that_are_all_alike_have_no_slope() -> None:
    fit = scores.calibration(np.full(10, 0.5), np.array([1.0, 0.0] * 5))
    assert fit.slope is None
    assert fit.error == 0.0
    assert scores.calibration(np.array([0.2, 0.8]), np.array([0.0, 1.0])).slope is None  # any slope would do


@pytest.mark.parametrize(("seed", "rows"), [(1, 16_384), (2, 7), (3, 1)])
def test_the_error_is_that_of_days_and_players_left_out_one_by_one(
    seed: int, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("handan.evidence.intervals.ROWS", rows)  # however few rows are summed at once
    losses, day, players = coverage.ledger(coverage.DESIGNS["some play far more"], seed)
    difference = (losses[:, 0] - losses[:, 1]).tolist()
    clusters = Clustered.of(losses, day, players)
    expected = naive.error_of_days_and_players(difference, day.tolist(), [tuple(pair) for pair in players.tolist()])
    assert clusters.error(coverage.DIFFERENCE) == pytest.approx(expected, rel=1e-9)
    low, high = clusters.interval(coverage.DIFFERENCE)
    assert (low + high) / 2.0 == pytest.approx(np.mean(difference))


def test_losses_made_for_some_games_at_a_time_are_those_of_all() -> None:
    dice = np.random.default_rng(4)
    probability, score = dice.uniform(0.1, 0.9, (2, 50)), dice.integers(0, 2, 50).astype(float)
    table = scores.Losses(list(probability), score)
    expected = np.stack([scores.losses(p, score) for p in probability], axis=1)
    np.testing.assert_array_equal(table[slice(0, 50)], expected)
    np.testing.assert_array_equal(table[np.array([7, 3])], expected[[7, 3]])


def test_games_that_share_nothing_have_the_interval_of_single_games() -> None:
    dice = np.random.default_rng(3)
    losses = np.stack((dice.normal(0.6, 0.2, 400), np.full(400, 0.6)), axis=1)
    clusters = Clustered.of(losses, np.arange(400), np.arange(800).reshape(400, 2))
    interval = clusters.interval(np.array([1.0, -1.0]))
    error = losses[:, 0].std() / math.sqrt(400)
    assert interval[1] - interval[0] == pytest.approx(2.0 * NORMAL * error, rel=0.01)
    # (1.96 s / d)^2, with s the deviation of a game
    needed = (NORMAL * losses[:, 0].std() / (losses[:, 0].mean() - 0.6)) ** 2
    assert clusters.games_needed(np.array([1.0, -1.0]), interval) == pytest.approx(needed, rel=0.02)
    assert clusters.games_needed(np.array([0.0, 0.0]), (0.0, 0.0)) is None


@pytest.mark.parametrize("name", ["few days, few players", "some play far more", "games share nothing"])
def test_95_of_100_intervals_hold_the_truth(name: str) -> None:
    # of 400 ledgers whose true difference is 0; three binomial deviations below 95 %: 91.7 %
    assert coverage.coverage(coverage.DESIGNS[name], 400) >= 0.917


def test_one_day_and_two_players_are_no_sample_of_days_and_players() -> None:
    losses = np.array([[0.5], [0.7], [0.6], [0.9]])
    day, players = np.zeros(4, dtype=np.int64), np.array([[0, 1], [1, 0], [0, 1], [0, 1]])
    error = losses.std() / math.sqrt(4)
    assert Clustered.of(losses, day, players).error(np.ones(1)) == pytest.approx(error)


def test_students_t_is_that_of_the_tables() -> None:
    # M. Abramowitz and I. Stegun, Handbook of Mathematical Functions (1964), table 26.10, A = 0.95
    for degrees, t in ((1, 12.706), (2, 4.303), (5, 2.571), (10, 2.228), (30, 2.042), (120, 1.980)):
        assert student(degrees) == pytest.approx(t, abs=6e-4)
    assert student(1e9) == NORMAL


def test_an_interval_of_a_share_is_wilsons() -> None:
    # Wilson (1927): 8 of 10: 0.4902 to 0.9433
    assert wilson(0.8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson(0.0, 10)[0] == pytest.approx(0.0, abs=1e-12)
