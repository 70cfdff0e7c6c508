"""Settings that a ledger's own games choose: never by a later game, and better than fixed ones in small clubs."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

import handan
from benchmarks import circles, forecasts
from handan.errors import InputError
from handan.evidence import Task, one_step_ahead, own_settings
from handan.evidence.own_settings import Weighed, forecasts_tuned, values_of
from handan.evidence.scores import COIN, log_loss, losses
from handan.ledger import Ledger
from handan.systems import system
from tests.command_line import run
from tests.test_tuning import games_with

CLUB = "examples/club/games.csv"


def test_the_mean_of_all_settings_is_that_of_a_plain_loop() -> None:
    # Dawid (1984): a weight is the one before times the probabilities given to what happened
    task = Task.of(Ledger.of(games_with(60.0, 60)))
    rules = system("glicko")
    weighed = Weighed.of(rules, task, {"start_deviation": (90.0, 350.0), "w2": (0.0, 20.0)})
    expected = []
    for game in range(len(task.games)):
        total = mean = 0.0
        for chances, before in zip(weighed.chances, weighed.before, strict=True):
            weight = math.exp(before)
            for earlier in range(int(task.known_until[game])):
                weight *= math.exp(-losses(chances[[earlier]], task.score[[earlier]])[0])
            total += weight
            mean += weight * chances[game]
        expected.append(mean / total)
    assert np.allclose(weighed.mean(), expected, rtol=1e-12)


@pytest.mark.parametrize("few", [30, 5000])
def test_no_forecast_under_learned_settings_knows_a_later_game(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_settings, "MOST_WEIGHED", few)
    games = games_with(60.0, 160)
    cut = 80
    flip = {"B+R": "W+R", "W+R": "B+R"}
    changed = games[:cut] + [replace(game, result=flip[str(game.result)]) for game in games[cut:]]
    one, other = (forecasts_tuned(system("elo"), Task.of(Ledger.of(each))).probability for each in (games, changed))
    assert np.array_equal(one[: cut + 4], other[: cut + 4])  # four games a day, which do not know each other
    assert not np.array_equal(one[cut + 4 :], other[cut + 4 :])


def test_coins_are_forecast_no_worse_than_by_a_coin_but_for_what_the_weighing_costs() -> None:
    task = Task.of(Ledger.of(games_with(0.0, 400, coin=True)))
    default = log_loss(forecasts_of(system("glicko"), task), task.score)
    learned = log_loss(forecasts_tuned(system("glicko"), task).probability, task.score)
    assert learned < default
    assert learned < COIN + 0.01


def forecasts_of(rules: handan.systems.System, task: Task) -> np.ndarray:
    chance = one_step_ahead.forecasts(rules, task)
    assert chance is not None
    return chance


def test_learned_settings_are_between_their_values_and_the_given_ones_stay() -> None:
    ledger = Ledger.of(games_with(0.0, 200))
    answer = handan.tuned(ledger, handan.systems.Glicko(w2=3.0), fixed=["w2"])
    assert answer.system.w2 == 3.0  # type: ignore[attr-defined]
    (learned,) = answer.learned  # nobody declares a rank, so that ranks say nothing
    assert learned.name == "start_deviation"
    assert 60.0 <= learned.low <= learned.value <= learned.high <= 350.0
    assert answer.games == 200


def test_what_cannot_be_learned_is_said() -> None:
    games = games_with(0.0, 40)
    for name, words in (("whr", "solves all games together"), ("egf", "no setting")):
        with pytest.raises(InputError, match=words):
            handan.tuned(Ledger.of(games), handan.systems.system(name))
    with pytest.raises(InputError, match="too few games"):
        handan.tuned(Ledger.of(games[:20]), "elo")


def test_the_ladder_is_that_of_the_learned_settings_and_says_them() -> None:
    done = run("rate", CLUB, "--system", "elo", "--tuned", "--format", "json", "--quiet")
    document = json.loads(done.out)
    values = {each["name"]: each["value"] for each in document["tuned"]["learned"]}
    assert set(values) == {"k", "per_rank"}
    assert {name: document["settings"][name] for name in values} == values
    given = [part for name, value in values.items() for part in ("--set", f"{name}={value}")]
    same = json.loads(run("rate", CLUB, "--system", "elo", *given, "--format", "json", "--quiet").out)
    assert same["players"] == document["players"]
    assert "settings learned from 2,143 games: k " in run("rate", CLUB, "--system", "elo", "--tuned").out


def test_a_comparison_sets_learned_settings_beside_the_defaults() -> None:
    answer = handan.compare(handan.read(CLUB), "elo,egf", tuned=True)
    names = {each.system for each in answer.systems}
    assert names == {"elo", "elo:tuned", "egf"}
    way = next(each.settings["forecast"] for each in answer.systems if each.system == "elo:tuned")
    assert "weighed" in way


def test_ranks_are_learned_only_where_there_are_any() -> None:
    task = Task.of(Ledger.of(games_with(0.0, 40)))
    assert set(values_of(system("elo"), task)) == {"k"}
    assert set(values_of(system("elo"), Task.of(handan.read(CLUB)))) == {"k", "per_rank"}


@pytest.mark.extended
@pytest.mark.skipif(not forecasts.DATA.exists(), reason="the sets of real games are absent")
def test_in_circles_of_real_games_learned_settings_are_better_than_fixed_ones_and_than_a_coin() -> None:
    path = forecasts.DATA / forecasts.SETS["football"]
    parts = circles.circles(handan.read(str(path)), 12)
    each = np.mean([circles.losses(ledger, ["elo"]) for ledger in parts], axis=0)
    assert (each[:, 1] < each[0, 0]).all()  # beside K = 20
    assert (each[:, 1] < COIN).all()
