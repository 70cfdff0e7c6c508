"""The house's own system: against a slow twin, against its own model, and what its settings learn."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pytest

from handan.evidence import Task, forecasts
from handan.evidence.scores import log_loss
from handan.ledger import Game, Ledger
from handan.systems import system
from handan.systems.core.schedule import Schedule
from handan.systems.handan import DEVIATIONS, GROWTHS, OPPONENTS, RESULTS, openings
from tests.clubs import a_club
from tests.naive import handan as twin

FIRST = date(2020, 1, 1)


def simulated(seed: int, spread: float, players: int, games: int) -> Ledger:
    """Return even games, four a day, of players whose strengths are normal with a deviation in Elo and never change."""
    dice = np.random.default_rng(seed)
    strength = dice.normal(0.0, spread, players)
    made = []
    for number in range(games):
        black, white = dice.choice(players, 2, replace=False)
        chance = 1.0 / (1.0 + 10.0 ** ((strength[white] - strength[black]) / 400.0))
        result = "B+R" if dice.random() < chance else "W+R"
        made.append(Game(f"p{black}", f"p{white}", result, date=FIRST + timedelta(days=number // 4), komi=6.5))
    return Ledger.of(made)


def loss_of(ledger: Ledger, **settings: float) -> float:
    task = Task.of(ledger)
    probability = forecasts(system("handan", **settings), task)
    assert probability is not None
    return log_loss(probability, task.score)


def test_it_does_what_the_slow_twin_does() -> None:
    dice = np.random.default_rng(1)
    games, rows = [], []
    for number in range(160):
        black, white = (f"p{who}" for who in dice.choice(4 + number // 10, 2, replace=False))
        stones = int(dice.choice([0, 0, 3]))
        komi = 0.5 if stones else float(dice.choice([6.5, 0.5]))
        ending = str(dice.choice(["R", "T", "0.5", "4.5", "20.5", ""]))
        first, second = ("P1", "P2") if number % 9 == 0 else ("B", "W")
        result = "jigo" if number % 15 == 0 else f"{first if dice.random() < 0.6 else second}+{ending}"
        day = FIRST + timedelta(days=number // 3)
        moves = int(dice.choice([100, 200, 250])) if number % 2 else None
        games.append(Game(black, white, result, day, stones, komi, moves=moves))
        resigned = {None: 1.15, 100: 1.3, 200: 1.1, 250: 0.9}[moves]
        says = 2.0 if result == "jigo" else {"R": resigned, "T": 0.95}.get(ending, 1.0)
        margin = float(ending) if "." in ending and result != "jigo" else None
        coloured = not result.startswith("P")
        worth = 100.0 * (max(0, stones - 1) + (6.5 - komi) / 13.0) if coloured else 0.0
        score = 0.5 if result == "jigo" else float(result.startswith(("B", "P1")))
        rows.append(twin.Game(number // 3, black, white, score, worth, coloured, margin, says))
    ratings = system("handan").rate(Ledger.of(games))
    means, weights, coefficients, _ = twin.after_each_game(rows)
    np.testing.assert_allclose(ratings.after, means, rtol=1e-7)
    np.testing.assert_allclose(ratings.extra["weights"][-1], weights, rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(ratings.extra["learned now"][0], coefficients, rtol=1e-5, atol=1e-8)
    assert (DEVIATIONS, GROWTHS, OPPONENTS, RESULTS) == twin.AXES


@pytest.mark.parametrize("spread", [70.0, 150.0, 350.0])
def test_settings_that_the_games_choose_forecast_like_the_right_ones(spread: float) -> None:
    # the right settings are those of the model that made the games; 1 % of their loss is the aim
    ledger = simulated(2, spread, 60, 2500)
    right = loss_of(ledger, deviation=spread, w2=0.0, performance=0.0)
    assert loss_of(ledger, performance=0.0) < 1.01 * right


def test_games_tell_the_spread_of_their_players() -> None:
    learned = []
    for spread in (70.0, 350.0):
        rules = system("handan", scale="fixed", opponents=0.0)  # pairs are drawn by lot
        weights = rules.rate(simulated(3, spread, 60, 2500)).extra["weights"]
        learned.append(float(weights[0] @ weights[-1]))
    assert learned[0] < 110.0
    assert learned[1] > 270.0


def test_settings_that_are_given_are_not_weighed() -> None:
    ratings = system("handan", deviation=200.0, w2=10.0, opponents=0.0, results=0.3).rate(a_club())
    np.testing.assert_array_equal(ratings.extra["weights"], [[200.0], [10.0], [0.0], [0.3], [1.0]])
    assert {len(line.reason.factors) for line in ratings.explain(ratings.ledger.players[0].name)} <= {0, 1}


def test_an_entry_knows_no_game_of_its_day_or_of_its_event() -> None:
    games = [
        Game("A", "B", "B+R", FIRST),
        Game("A", "C", "B+R", FIRST + timedelta(days=1), event="cup", round=1),
        Game("B", "D", "B+R", FIRST + timedelta(days=1)),
        Game("A", "E", "B+R", FIRST + timedelta(days=2), event="cup", round=2),
        Game("A", "F", "B+R", FIRST + timedelta(days=2)),
    ]
    ledger = Ledger.of(games)
    schedule = Schedule.of(ledger, system("handan").refusals(ledger))
    place = {game.white: int(opening) for game, opening in zip(ledger, openings(schedule), strict=True)}
    assert place == {"B": 0, "C": 1, "D": 1, "E": 1, "F": 3}


def test_an_upset_beyond_all_bounds_leaves_finite_ratings() -> None:
    games = [Game("A", "B", "B+R", FIRST, black_rank="30k", white_rank="9d"), Game("A", "B", "W+R", FIRST)]
    ratings = system("handan", per_rank=2000.0, performance=0.0, deviation=1.0).rate(Ledger.of(games))
    assert np.isfinite(ratings.rating).all()
    assert np.isfinite(ratings.extra["weights"]).all()
