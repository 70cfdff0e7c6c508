"""What stones and komi are worth is found in invented clubs, and said to be unknown where games say nothing of it."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import handan
from benchmarks.card_recovery import PLANTED, inside
from handan.errors import InputError
from handan.evidence import World, fit_card, simulate
from handan.evidence.card_fit import ratio, verdicts
from handan.evidence.terms_fit import (
    Fit,
    by_conjugate_gradients,
    by_elimination,
    entry_levels,
    fitted,
    nodes_of,
)
from handan.handicaps import card, read_card
from tests.command_line import run


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_card_is_found_within_its_intervals(name: str) -> None:
    # `make card-recovery` counts how often; here one club of each kind
    world = World(seed=3, games=2500, players=30, days=365, terms="card", **PLANTED[name])
    answer = fit_card(simulate(world).ledger)
    assert answer.card is not None
    if not world.worths:
        assert answer.per_stone.interval is not None
        assert inside(answer.per_stone, world.stone)
    truths = [
        (row.points, world.help(row.handicap, world.fair_komi)) for row in answer.stones if row.points is not None
    ]
    missed = [worth for worth, truth in [*truths, (answer.fair_komi, world.fair_komi)] if not inside(worth, truth)]
    assert len(missed) <= 1  # of nine intervals of 95 %


def test_worths_are_those_of_a_plain_logistic_regression_where_everybody_is_equal() -> None:
    # without differences of strength the mixed model is one without players: x solves X'(y - p) = 0 (Cox, 1958)
    alike = {"spread": 0.0, "drift": 0.0, "learning": 0.0, "ageing": 0.0}
    made = simulate(World(games=1500, players=20, days=200, terms="difference", misjudged=2.0, **alike))  # type: ignore[arg-type]
    ledger = made.ledger
    free = np.maximum(ledger.arrays.stones - 1.0, 0.0)
    columns = np.stack((free, np.ones(len(ledger))), axis=1)
    nodes = nodes_of(ledger.arrays.black, ledger.arrays.white, ledger.arrays.day)
    value = np.zeros(2)
    for _ in range(30):
        p = 1.0 / (1.0 + np.exp(-columns @ value))
        bend = (columns * (p * (1.0 - p))[:, None]).T @ columns
        value += np.linalg.solve(bend, columns.T @ (ledger.arrays.score - p))
    fit = fitted(nodes, columns, ledger.arrays.score)
    assert fit.value == pytest.approx(value, rel=0.1)
    assert np.sqrt(np.diag(fit.covariance)) == pytest.approx(np.sqrt(np.diag(np.linalg.inv(bend))), rel=0.1)


def test_worths_do_not_depend_on_where_the_spread_of_strengths_is_sought_from() -> None:
    # penalised likelihood has one maximum here, and the search ends there from all sides; so much that a round settles
    ledger = simulate(World(games=1200, players=30, days=400, terms="difference", misjudged=2.0)).ledger
    nodes = nodes_of(ledger.arrays.black, ledger.arrays.white, ledger.arrays.day)
    columns = np.stack((np.maximum(ledger.arrays.stones - 1.0, 0.0), np.ones(len(ledger))), axis=1)
    usual = fitted(nodes, columns, ledger.arrays.score)
    for spread, wander in ((0.1, 1e-5), (4.0, 3e-3)):
        like = Fit(usual.value, usual.covariance, spread, wander)
        other = fitted(nodes, columns, ledger.arrays.score, like)
        assert other.value == pytest.approx(usual.value, abs=0.1 * float(np.sqrt(usual.covariance.diagonal().min())))
        assert other.spread == pytest.approx(usual.spread, rel=0.03)


@pytest.mark.parametrize("spread", [0.5, 1.0, 2.0])
def test_the_spread_of_strengths_is_found(spread: float) -> None:
    # strengths, chances and results made here by the model itself: 60 players, 3,000 games on one day
    dice = np.random.default_rng(5)
    strength = dice.normal(0.0, spread, 60)
    black, white = (dice.integers(0, 60, 3000) for _ in range(2))
    black, white = black[black != white], white[black != white]
    free = dice.integers(0, 4, len(black)).astype(np.float64)
    chance = 1.0 / (1.0 + np.exp(-(strength[black] - strength[white] + 0.3 * free)))
    score = (dice.random(len(black)) < chance).astype(np.float64)
    fit = fitted(nodes_of(black, white, np.zeros(len(black), dtype=np.int64)), free[:, None], score)
    # a deviation of 60 normal values lies within 3 standard errors: 3 / sqrt(120)
    assert fit.spread == pytest.approx(strength.std(), rel=0.15)
    assert abs(fit.value[0] - 0.3) < 3.0 * math.sqrt(fit.covariance[0, 0])


def test_levels_are_those_that_the_first_terms_say() -> None:
    # a stands 10 above b and b 5 above c, as every game says
    black, white = np.array([1, 2, 2, 1]), np.array([0, 1, 0, 0])
    level = entry_levels(black, white, np.array([10.0, 5.0, 15.0, 10.0]))
    assert level[0] - level[1] == pytest.approx(10.0, rel=0.01)
    assert level[1] - level[2] == pytest.approx(5.0, rel=0.02)


def test_strengths_are_solved_alike_by_a_matrix_and_by_steps() -> None:
    ledger = simulate(World(games=300, players=20)).ledger
    nodes = nodes_of(ledger.arrays.black, ledger.arrays.white, ledger.arrays.day)
    dice = np.random.default_rng(1)
    weight, right = dice.random(len(ledger)), dice.normal(size=(len(nodes.link), 2))
    exact = by_elimination(nodes, weight, 0.3, right)
    assert by_conjugate_gradients(nodes, weight, 0.3, right) == pytest.approx(exact, abs=1e-4 * np.abs(exact).max())


def test_a_ratio_has_fiellers_interval() -> None:
    # independent a = 6 ± 1 and b = 2 ± 0.25: r solves (a - r b)^2 = z^2 (1 + r^2 / 16); no end with b = 0.3
    fit = Fit(np.array([6.0, 2.0]), np.diag([1.0, 0.0625]), 0.0, 0.0)
    worth = ratio(fit, np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    assert worth.value == 3.0
    assert worth.interval is not None
    for end in worth.interval:
        assert abs(6.0 - end * 2.0) == pytest.approx(1.959964 * math.sqrt(1.0 + end * end / 16.0), rel=1e-6)
    vague = Fit(np.array([6.0, 0.3]), np.diag([1.0, 0.0625]), 0.0, 0.0)
    assert ratio(vague, np.array([1.0, 0.0]), np.array([0.0, 1.0])).interval is None


def test_games_that_know_too_little_say_so() -> None:
    with pytest.raises(InputError, match="give 100 or more"):
        fit_card(handan.read("examples/games.csv"))
    with pytest.raises(InputError, match="no number of stones"):
        fit_card(simulate(World(games=200, terms="even")).ledger)
    answer = fit_card(simulate(World(games=300, players=20, days=200, terms="rank")).ledger)
    assert answer.card is None
    assert "know too little" in answer.notes[-1]


def test_the_command_writes_a_card_that_other_commands_take(tmp_path: Path) -> None:
    games, own = tmp_path / "games.csv", tmp_path / "own.csv"
    settings = (
        "--set",
        "games=2500",
        "--set",
        "players=30",
        "--set",
        "days=365",
        "--set",
        "stone=12",
        "--set",
        "fair_komi=6",
    )
    assert run("simulate", games, "--world", "card", *settings, "--seed", "3").status == 0
    first = run("fit-card", games, "--card", "tokyo15", "--write", own)
    assert first.status == 0, first.err
    assert "tokyo15 has 15 points a stone; these games say" in first.out
    made, problems = read_card(own)
    assert problems == []
    assert made.row(0).free_stones == 0
    assert [row.free_stones for row in made.rows()] == sorted(row.free_stones for row in made.rows())
    assert run("handicap", 100, 130, "--card", own).out.startswith("Black: 100, ")
    document = run("fit-card", games, "--format", "json").json
    low, high = document["per_stone"]["interval"]
    assert low < 12.0 < high
    assert document["card"][0]["difference"] == 0
    assert run("fit-card", games, "--write", own).err.endswith("is there already; --force writes over it\n")


def test_a_verdict_says_who_got_too_much() -> None:
    answer = fit_card(simulate(World(games=1000, players=30, days=200, terms="rank", fair_komi=20.0)).ledger)
    lines = verdicts(answer, card("tokyo15"))
    assert any(line.startswith("Black gets too much at") for line in lines)
    assert not any("too little at" in line for line in lines)
