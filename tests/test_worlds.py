"""Invented clubs: the same settings give the same games, results follow the truth, and systems find it again."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import handan
from benchmarks import own_models
from handan.errors import SettingError
from handan.evidence import Task, World, forecasts, simulate, simulate_by
from handan.evidence.worlds import WORLDS
from handan.evidence.worlds.people import name_of
from handan.handicaps import CARDS
from handan.kernels.connectivity import pools
from handan.ranks import Rank
from handan.systems import SYSTEMS
from tests.command_line import run
from tests.forms import extended_but

SMALL: dict[str, Any] = {"players": 24, "games": 300, "days": 200}


@pytest.mark.parametrize("kind", extended_but([*WORLDS][:3], WORLDS))
def test_the_same_settings_give_the_same_games_and_results_follow_the_truth(kind: str) -> None:
    world = World(**(WORLDS[kind] | {"players": 60, "games": 1500, "days": 365, "every": 7}))
    made, again = simulate(world), simulate(world)
    assert made.ledger == again.ledger
    assert made.games.equals(again.games)
    assert made.ledger != simulate(World(**(WORLDS[kind] | SMALL | {"seed": 2}))).ledger
    for side in ("black", "white"):
        assert made.ledger.games[side].cast(pl.String).to_list() == made.games[side].to_list()
    truth = made.games
    free = ~(truth["arranged"] | truth["thrown"] | truth["mistaken"]).to_numpy()
    p, score = truth["probability"].to_numpy()[free], made.ledger.arrays.score[free]
    # the sum of independent results lies within four deviations of its mean
    assert abs((score - p).sum()) < 4.0 * math.sqrt((p * (1.0 - p)).sum())


def test_chances_are_those_of_strengths_and_terms() -> None:
    # Elo's law, a stone of 12 points, of which each is worth 120 / 12 Elo; 3 stones at komi 0.5 and a fair komi of 7
    made = simulate(World(**SMALL, stone=12.0, per_rank=120.0, fair_komi=7.0))
    row = made.games.row(made.ledger.games["handicap"].to_list().index(3), named=True)
    assert row["help"] == 2 * 12.0 + 7.0 - 0.5
    lead = row["black_strength"] - row["white_strength"] + row["help"] * 10.0
    assert row["probability"] == pytest.approx(1.0 / (1.0 + 10.0 ** (-lead / 400.0)))


def test_each_free_stone_may_be_worth_something_else() -> None:
    world = World(worths="15,12", fair_komi=6.0)
    assert [world.help(handicap, 0.0) for handicap in (0, 1, 2, 3, 4)] == [6.0, 6.0, 21.0, 33.0, 45.0]


def test_a_rank_is_worth_more_among_the_strong_where_it_grows() -> None:
    # the law of declared ranks: per_rank (e^(g R) - 1) / g, R ranks above 1 kyu
    world = World(growth=0.08, per_rank=100.0)
    level = np.array([Rank.parse(text).stones for text in ("1k", "1d", "20k")])
    assert world.elo(level).tolist() == pytest.approx([0.0, 104.1, -976.6], abs=0.1)


@pytest.mark.parametrize(("bridges", "parts"), [(0, 3), (12, 1)])
def test_pools_are_joined_by_bridges_alone(bridges: int, parts: int) -> None:
    made = simulate(World(**(WORLDS["pools"] | {"bridges": bridges, "rare": 0.0, "newcomers": 0.0})))
    ledger = made.ledger
    assert pools(*ledger.arrays.seats, len(ledger.players)).max() + 1 == parts
    room = dict(made.players.select("player", "pool").iter_rows())
    between = [room[black] != room[white] for black, white in made.games.select("black", "white").iter_rows()]
    assert sum(between) == bridges


def test_who_deceives_does_what_the_truth_says() -> None:
    settings: dict[str, Any] = {
        "sandbaggers": 0.2,
        "mistakes": 0.05,
        "colluders": 1,
        "arranged": 30,
        "rank_error": 0.0,
        "drift": 0.0,
    }
    made = simulate(World(players=40, games=1000, days=300, tournaments=5, **settings))
    score = made.ledger.arrays.score
    truth = {row["player"]: row for row in made.players.iter_rows(named=True)}
    partner = made.players["player"][0]
    for row, black in zip(made.games.iter_rows(named=True), score.tolist(), strict=True):
        black_won = (black == 1.0) != row["mistaken"]
        if row["arranged"]:
            assert (row["black"] if black_won else row["white"]) == partner
        elif row["thrown"]:
            assert truth[row["white"] if black_won else row["black"]]["sandbagger"]
    assert made.games["arranged"].sum() == 30
    assert 20 <= made.games["mistaken"].sum() <= 90  # 51.5 expected, deviation 7
    sides = [(row["black"], row["black_rank"]) for row in made.ledger.games.iter_rows(named=True)]
    lower = {name: Rank.parse(truth[name]["first_rank"]).stones - Rank.parse(rank).stones for name, rank in sides}
    assert all(lower[name] == pytest.approx(3.0, abs=1.0) for name in lower if truth[name]["sandbagger"]
               and not truth[name]["newcomer"])  # fmt: skip


def test_a_club_that_plays_by_points_has_the_terms_of_its_card() -> None:
    made = simulate(World(**SMALL, terms="card", card="tokyo15", spread=1.5))
    card = CARDS["tokyo15"]
    terms = {(row.stones_on_board or min(row.card_stones, 1), row.komi) for row in card.rows()}
    beyond = {(h, k) for h, k in made.ledger.games.select("handicap", "komi").iter_rows() if h <= 2}
    assert beyond <= terms
    # the points that `handan rate` keeps are those that the terms came from
    ratings = handan.rate(made.ledger, "points", card="tokyo15", conditions="card")
    assert ratings.rated == len(made.ledger)


def test_names_are_all_different_and_in_letters_that_every_format_has() -> None:
    names = [name_of(number) for number in range(20_000)]
    assert len(set(names)) == len(names)
    assert all(name.isascii() and name.replace(" ", "").isalpha() for name in names)


def test_absurd_worlds_are_refused_by_name() -> None:
    refused: tuple[tuple[dict[str, Any], str], ...] = (
        ({"players": 1}, "players=1"),
        ({"terms": "evn"}, "did you mean even"),
        ({"middle": "44k"}, "a rank such as 5k"),
        ({"first": "soon"}, "a day such as 2024-01-05"),
        ({"first": "9999-12-31"}, "end after the year 9999"),
        ({"worths": "13,x"}, "by commas"),
        ({"card": "tokio15"}, "did you mean tokyo15"),
        ({"pools": 40}, "at least 80 players"),
        ({"colluders": 31}, "at least 62 players"),
        ({"games": -1}, "from 0 to 2000000$"),
        ({"players": 100_000, "days": 36_500, "every": 1}, "give fewer players"),
    )
    for settings, word in refused:
        with pytest.raises(SettingError, match=word):
            World(**settings)


@pytest.mark.parametrize("system", extended_but(["elo"], ["elo", "glicko"]))
def test_results_that_a_system_draws_are_forecast_by_it_as_they_were_drawn(system: str) -> None:
    rules = SYSTEMS[system]()
    made = simulate_by(rules, World(**(SMALL | {"games": 150})))
    drawn = forecasts(rules, Task.of(made.ledger))
    assert drawn is not None
    assert drawn.tolist() == made.games["probability"].to_list()


@pytest.mark.extended
def test_the_system_that_drew_the_results_scores_best() -> None:
    # the full trial is `make own-models`
    answer = own_models.recovered("elo", ("elo", "trueskill"), ledgers=6)
    assert answer.best
    mean, error = answer.behind["trueskill"]
    assert mean < -2.0 * error
    assert answer.slope == pytest.approx(1.0, abs=0.2)  # three deviations of a slope from 2,400 games


def test_the_command_writes_games_and_truth(tmp_path: Path) -> None:
    out, truth, rows = tmp_path / "club.csv", tmp_path / "truth.json", tmp_path / "truth.csv"
    given = ("--set", "games=80", "--set", "players=12", "--seed", "4")
    first = run("simulate", out, "--truth", truth, *given)
    assert (first.status, first.out) == (0, "")
    assert f"{out}: 80 games of " in first.err
    made = simulate(World(seed=4, games=80, players=12))
    assert handan.read(out) == made.ledger
    document = json.loads(truth.read_text(encoding="utf-8"))
    assert document["world"]["seed"] == 4
    assert [row["probability"] for row in document["games"]] == made.games["probability"].to_list()
    assert {row["player"] for row in document["players"]} == set(made.players["player"])
    again = run("simulate", out, "--truth", rows, *given)
    assert (again.status, again.err) == (2, f"handan: {out} is there already; --force writes over it\n")
    assert run("simulate", out, "--truth", rows, *given, "--force").status == 0
    with rows.open(encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == 80


@pytest.mark.parametrize("kind", extended_but([*WORLDS][:3], WORLDS))
def test_the_games_of_every_world_are_read_as_they_are_written(tmp_path: Path, kind: str) -> None:
    out = tmp_path / "games.csv"
    own = ("--set", "players=12", "--set", "games=900", "--set", "rounds=1")
    assert run("simulate", out, "--world", kind, *own).status == 0
    ledger = handan.read(out)
    made = simulate(World(**(WORLDS[kind] | {"players": 12, "games": 900, "rounds": 1})))
    assert (ledger, ledger.problems) == (made.ledger, ())


def test_games_that_are_arranged_at_one_meeting_are_told_apart(tmp_path: Path) -> None:
    given = ("--set", "players=4", "--set", "games=0", "--set", "days=1", "--set", "colluders=2", "--set", "arranged=9")
    assert run("simulate", tmp_path / "games.csv", *given).status == 0
    assert run("check", tmp_path / "games.csv", "--format", "json").json["files"][0]["problems"] == []


def test_no_game_is_invented_that_readers_refuse_for_its_day(tmp_path: Path) -> None:
    answer = run("simulate", tmp_path / "games.csv", "--set", "first=2300-01-05", "--set", "days=8")
    assert (answer.status, answer.err) == (
        2,
        "handan: the last meeting is on 2300-01-12, and no game after tomorrow is read; give an earlier first day"
        " (--set first=2020-01-05) or fewer days\n",
    )
    assert not (tmp_path / "games.csv").exists()


def test_the_command_lists_worlds_and_says_what_is_wrong(tmp_path: Path) -> None:
    listed = run("simulate", "--world", "pools", "--format", "json").json
    assert {each["world"] for each in listed["worlds"]} == set(WORLDS)
    assert next(each for each in listed["settings"] if each["name"] == "pools")["default"] == 3
    assert run("simulate", "--world", "pool").err.endswith("did you mean pools?\n")
    assert run("simulate", tmp_path / "a.csv", "--by", "points").err == (
        "handan: points has no odds, so no results can be drawn from it\n"
    )
    assert run("simulate", tmp_path / "a.csv", "--truth", tmp_path / "t.txt").status == 2
    assert not (tmp_path / "a.csv").exists()
    assert run("simulate", "-", "--set", "games=3", "--by", "elo").out.startswith("date,black,white,result")


def test_the_command_writes_neither_over_the_games_nor_half_of_what_was_asked_for(tmp_path: Path) -> None:
    out = tmp_path / "a.csv"
    both = run("simulate", out, "--truth", out, "--set", "games=3")
    assert (both.status, both.err) == (
        2,
        f"handan: {out} is the file of the games too; give the truth another name\n",
    )
    nowhere = run("simulate", out, "--truth", tmp_path / "no" / "t.json", "--set", "games=3")
    assert nowhere.err == (
        f"handan: {tmp_path / 'no' / 't.json'} cannot be written: there is no folder {tmp_path / 'no'}\n"
    )
    assert run("simulate", tmp_path).err == f"handan: {tmp_path} is a folder; give a file to write\n"
    assert not out.exists()
