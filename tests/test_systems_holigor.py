"""Holigor's rating: its scale, ageing, pools and the signs."""

from __future__ import annotations

import math

import numpy as np
import pytest

from handan.ledger import Game, Ledger
from handan.systems.holigor import Holigor, HoligorExtra, Results, ages
from tests.clubs import a_club
from tests.command_line import run
from tests.naive.holigor import loss


def match(wins: int, losses: int, *, event: str = "", date: str | None = None) -> list[Game]:
    fixed = {"event": event, "date": date, "komi": 6.5}
    return [Game("Ada", "Bo", "B+", **fixed) for _ in range(wins)] + [  # type: ignore[arg-type]
        Game("Ada", "Bo", "W+", **fixed)  # type: ignore[arg-type]
        for _ in range(losses)
    ]


def test_two_hundred_points_are_55_per_cent() -> None:
    # systems reference: 200 points correspond to m/n = 1.2281, 55.12 % of wins
    ratings = Holigor().rate(Ledger.of(match(614, 500)))  # 55.12 % of 1,114
    assert ratings.rating.max() == pytest.approx(200.0, abs=0.1)


def test_the_system_gives_no_winning_chances_and_says_so() -> None:
    system = Holigor()
    assert system.win_probability(system.standing("200"), system.standing("0")) is None
    answer = run("odds", "200", "0", "--system", "holigor")
    assert (answer.status, answer.out) == (2, "")
    assert "holigor has no law of winning chances" in answer.err


def test_the_printed_sign_would_drive_the_players_apart() -> None:
    one, other, result = np.zeros(5, np.int64), np.ones(5, np.int64), np.array([1.0, 1, 1, -1, -1])
    results = Results(one, other, result, np.ones(5))
    values = [loss(np.array([x, 0.0]), results, 0.25) for x in (0.0, 0.368951, 50.0)]
    # reference: the printed F is the loss less 5: -1.1060 at 0, -1.0324 at 0.369 and -5 at 50 in the other sign
    np.testing.assert_allclose(values, [1.1060, 1.0324, 5.0], atol=5e-5)


def test_the_rating_found_is_a_minimum() -> None:
    ledger = a_club(handicaps=False)
    ratings = Holigor(age="none").rate(ledger)
    games = ratings.arrays.sequence
    results = Results(
        ledger.arrays.black[games], ledger.arrays.white[games], 2 * ledger.arrays.score[games] - 1, np.ones(len(games))
    )
    raw = HoligorExtra.of(ratings).raw.copy()
    here = loss(raw, results, 0.25)
    for player in range(len(raw)):
        for move in (-1e-4, 1e-4):
            moved = raw.copy()
            moved[player] += move
            assert loss(moved, results, 0.25) >= here


def test_a_result_ages_when_its_round_is_played_again() -> None:
    games = [
        *match(1, 0, event="Lake Cup 2001", date="2001-06-01"),
        *match(1, 0, event="Lake Cup 2002", date="2002-06-01"),
        *match(1, 0, event="3rd Lake Cup", date="2003-06-01"),
        *match(1, 0, event="Once Only", date="2001-06-01"),
        *match(1, 0, date="2002-12-31"),
    ]
    ledger = Ledger.of(games)
    expected = {"Lake Cup 2001": 2, "Lake Cup 2002": 1, "3rd Lake Cup": 0, "Once Only": 2, "": 1}
    assert {game.event: age for game, age in zip(ledger, ages(ledger).tolist(), strict=True)} == expected


def test_last_years_semifinals_stay_fresh_until_this_years_are_played() -> None:
    games = [
        Game("Ada", "Bo", "B+", date="2001-05-01", event="Lake Cup", round=1),
        Game("Ada", "Bo", "B+", date="2001-06-01", event="Lake Cup", round=2),
        Game("Ada", "Bo", "B+", date="2002-05-01", event="Lake Cup", round=1),
    ]
    assert ages(Ledger.of(games)).tolist() == [1.0, 0.0, 0.0]


def test_handicap_games_are_not_rated() -> None:
    ratings = Holigor().rate(Ledger.of([*match(2, 1), Game("Ada", "Bo", "B+", handicap=3)]))
    assert ratings.unrated_counts == {"a handicap game, for which the system has no law": 1}


def test_a_player_with_wins_only_comes_one_above_the_loser() -> None:
    ratings = Holigor().rate(Ledger.of(match(3, 0)))
    np.testing.assert_allclose(HoligorExtra.of(ratings).raw, [1.0, 0.0], atol=1e-12)


def test_the_table_shows_the_raw_rating_and_the_lowest_is_exactly_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDAN_KERNELS", "compiled")  # plain Python takes longer than the compiler
    # source: "the raw rating is useful to look at"; devalued by 1 - exp(-m/5) and times 1000 it is the rating
    ratings = Holigor().rate(a_club())
    table = ratings.table()
    assert table.columns[2:5] == ["rating", "raw", "deviation"]
    devalued = 1000.0 * table["raw"].to_numpy() * (1.0 - np.exp(-table["games"].to_numpy() / 5.0))
    np.testing.assert_allclose(table["rating"].to_numpy(), devalued, rtol=1e-12)
    chain = [Game(f"P{number:03}", f"P{number + 1:03}", "B+", komi=6.5) for number in range(60)]
    for lowest in (table.row(-1, named=True), Holigor().rate(Ledger.of(chain)).table().row(-1, named=True)):
        assert (lowest["rating"], lowest["raw"]) == (0.0, 0.0)


def test_contributions_add_up_to_the_rating() -> None:
    ratings = Holigor().rate(a_club())
    for player in ratings.ledger.players:
        lines = ratings.explain(player.name)
        total = math.fsum(line.change for line in lines)
        assert total == pytest.approx(ratings.rating[ratings.ledger.find(player.name)], abs=1e-6)


def test_games_that_weigh_nothing_give_nobody_a_rating() -> None:
    # by the printed ageing, 1 - exp(-y), this year's games weigh 0: of Cy nothing is known
    games = [*match(3, 1, date="2020-05-01"), Game("Ada", "Cy", "B+", date="2026-05-01", komi=6.5)]
    ratings = Holigor(age="printed").rate(Ledger.of(games))
    for name in ("Ada", "Bo", "Cy"):
        assert ratings[name].rating == pytest.approx(ratings.explain(name)[-1].after, abs=1e-6)
    assert ratings["Cy"].rating == 0.0


def test_an_explanation_shows_no_digits_that_the_iteration_left_open() -> None:
    ratings = Holigor().rate(a_club(1, handicaps=False))
    for player in ratings.ledger.players:
        for line in ratings.explain(player.name):
            for says in (factor.parts[0].value for factor in line.reason.factors if factor.parts):
                assert says == round(says, 10)
