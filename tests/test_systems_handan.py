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
from handan.systems.handan import DEVIATIONS, GROWTHS, openings
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
    ledger = simulated(1, 200.0, 12, 300)
    ratings = system("handan", performance=150.0).rate(ledger)
    games = [
        (float((game.date.moment.date() - FIRST).days), game.black, game.white, float(ledger.score[place]))  # type: ignore[union-attr]
        for place, game in enumerate(ledger)
    ]
    means, weights = twin.after_each_game(games, 150.0)
    np.testing.assert_allclose(ratings.after, means, rtol=1e-9)
    np.testing.assert_allclose(ratings.extra["weights"][2], weights, rtol=1e-8, atol=1e-12)
    assert (twin.DEVIATIONS, twin.GROWTHS) == (DEVIATIONS, GROWTHS)


@pytest.mark.parametrize("spread", [70.0, 150.0, 350.0])
def test_settings_that_the_games_choose_forecast_like_the_right_ones(spread: float) -> None:
    # the right settings are those of the model that made the games; 1 % of their loss is the aim
    ledger = simulated(2, spread, 60, 2500)
    right = loss_of(ledger, deviation=spread, w2=0.0, performance=0.0)
    assert loss_of(ledger, performance=0.0) < 1.01 * right


def test_games_tell_the_spread_of_their_players() -> None:
    learned = []
    for spread in (70.0, 350.0):
        deviation, _, weight = system("handan").rate(simulated(3, spread, 60, 2500)).extra["weights"]
        learned.append(float(weight @ deviation))
    assert learned[0] < 110.0
    assert learned[1] > 270.0


def test_settings_that_are_given_are_not_weighed() -> None:
    ratings = system("handan", deviation=200.0, w2=10.0).rate(a_club())
    np.testing.assert_array_equal(ratings.extra["weights"], [[200.0], [10.0], [1.0]])
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
