"""Play after play: whatever was played, and whenever somebody asks, the figures are those of `rate`, to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import handan
from handan.systems import system
from tests.forms import extended_but

NAMES = [f"Player {number}" for number in range(10)]
RANKS = {name: f"{number + 1}k" for number, name in enumerate(NAMES)}


def plays(*, dated: bool, ranks: bool, count: int = 80) -> list[tuple[tuple[str, str, str], dict[str, Any]]]:
    """Plays of all kinds in order of date."""
    dice, day, made = np.random.default_rng(5), np.datetime64("2026-01-01"), []
    for _ in range(count):
        black, white = dice.choice(NAMES, 2, replace=False).tolist()
        day += np.timedelta64(int(dice.choice([0, 0, 0, 1, 5])), "D")
        stones = int(dice.choice([0, 0, 2]))
        terms: dict[str, Any] = {"handicap": stones, "komi": 0.5 if stones else None}
        if dated:
            terms["date"] = str(day)
        if ranks and dice.random() < 0.3:
            terms["black_rank"] = RANKS[black]
        made.append(((black, white, str(dice.choice(["B+R", "W+R", "jigo", "B+2.5", "W+F"]))), terms))
    return made


@pytest.mark.parametrize(
    ("dated", "ranks"), extended_but([(True, True), (False, True)], [(True, True), (True, False), (False, True)])
)
@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("elo", {}),
        ("elo", {"k_new": 40.0, "new_games": 5, "late_ranks": "adjust"}),
        ("glicko", {"period": "game"}),
        ("glicko", {"period": "game", "c": 30.0}),
        ("glicko2", {"period": "game"}),
        ("glicko2", {}),
        ("egf", {}),
        ("trueskill", {}),
        ("handan", {"deviation": 150.0, "w2": 5.0, "opponents": 0.0, "results": 0.0}),
    ],
)
def test_a_player_stands_where_rate_says(name: str, settings: dict[str, Any], dated: bool, ranks: bool) -> None:
    dated = dated or (name == "glicko2" and not settings)  # which rates no game without a date
    live = handan.live(system(name, **settings))
    for number, (row, terms) in enumerate(plays(dated=dated, ranks=ranks), 1):
        live.play(*row, **terms)
        if number % 40 == 0:
            ratings = live.system.rate(handan.Ledger.of(live.games))
            assert sorted(live) == [player.name for player in ratings.ledger.players]
            for player in live:
                assert live[player] == ratings.standing(player)
    one, other = NAMES[:2]
    assert live.win_probability(one, other, 2, 0.5) == ratings.win_probability(one, other, 2, 0.5)
    assert live.win_probability(one, None) == ratings.win_probability(one, None)
    assert live.ratings.table().equals(ratings.table())


def test_the_winner_is_named_in_any_way() -> None:
    figures = set()
    for result in ("B+", "Ada", 1, 1.0):
        live = handan.live("elo")
        live.play("Ada", "Bo", result)
        figures.add(live["Ada"].rating)
    assert figures == {1510.0}


def test_what_no_play_can_be_is_refused_and_changes_nothing() -> None:
    live = handan.live("elo")
    live.play("Ada", "Bo", "B+", date="2026-05-02")
    for row, date, words in (
        (("Ada", "Bo", "B+"), "2026-05-01", "a play of 2026-05-01 after one of 2026-05-02"),
        (("Ada", "Bo", "B+"), None, "give a date to all or to none"),
        (("Ada", "Ada", "B+"), "2026-05-02", "a game has two players"),
        (("Ada", "Bo", "maybe"), "2026-05-02", "is not a result"),
        (("Ada", "Bo", 3), "2026-05-02", "3 is no score of the first player"),
    ):
        with pytest.raises(handan.InputError, match=words):
            live.play(*row, date=date)
    assert (len(live), live["Ada"].rating, "Cy" in live) == (1, 1510.0, False)
    with pytest.raises(KeyError, match="did you mean Ada"):
        live["Adda"]


@pytest.mark.parametrize("rank", ["", "3k"])
@pytest.mark.parametrize(
    ("name", "settings"),
    [("elo", {"k_new": 40.0, "new_games": 3}), ("glicko", {"period": "game"}), ("glicko2", {"period": "game"})],
)
def test_who_comes_later_enters_as_rate_lets_them_enter(name: str, settings: dict[str, Any], rank: str) -> None:
    """Somebody comes with every play but the first ten, one of them with a rank, one under a name with two blanks."""
    live = handan.live(system(name, **settings))
    for number in range(60):
        black, white = f"Old {number % 4}", f"New {number}" if number > 10 else f"Old {(number + 1) % 4}"
        rank_now = rank if number == 30 else ""
        live.play(black, white.replace(" ", "  " if number == 40 else " "), "B+", black_rank=rank_now)
    ratings = live.system.rate(handan.Ledger.of(live.games))
    assert len(ratings) == 53
    assert {player: live[player] for player in ratings} == {player: ratings.standing(player) for player in ratings}


@pytest.mark.parametrize("result", [1, "void", "B+F"])
@pytest.mark.parametrize("name", ["glicko2", "whr"])
def test_a_system_that_needs_dates_refuses_a_play_without_one(name: str, result: float | str) -> None:
    live = handan.live(system(name))
    with pytest.raises(handan.InputError, match=f"{name} rates no play without a date"):
        live.play("Ada", "Bo", result)
    live.play("Ada", "Bo", 1, date="2026-05-01")
    assert (len(live), live["Ada"].rating) == (1, live.ratings["Ada"].rating)
