"""A part of a ledger says the same whether or not the whole has worked anything out before."""

from __future__ import annotations

import random
from datetime import date, timedelta

import numpy as np
import pytest

from handan import SYSTEMS, Game, Ledger
from handan.ledger.ledger import between

pytestmark = pytest.mark.extended

BY_GAME = ("black", "white", "score", "scored", "by_default", "colours_known", "handicap", "komi", "size", "full_size",
           "dated", "day")  # fmt: skip
"""Arrays of a ledger that say one thing of each game by itself."""
FIRST_GAMES = ("first_game", "first_declared")
RANKS = ("", "", "3k", "1d", "12k")


def made() -> Ledger:
    """Most players come in the first half, one in the last third."""
    dice = random.Random(4)
    people = [f"Player {number}" for number in range(12)]
    games = []
    for number in range(120):
        black, white = dice.sample(people if number < 80 else [*people, "Newcomer"], 2)
        rank = dice.choice(RANKS) if number < 30 else ""
        result = dice.choice(["B+R", "W+2.5", "jigo", "void"])
        day = str(date(2025, 1, 1) + timedelta(days=number // 4))
        handicap, komi = dice.choice([0, 0, 3]), dice.choice([None, 0.5, 6.5])
        games.append(Game(black, white, result, day, handicap, komi, black_rank=rank))
    return Ledger.of(games)


def worked_out() -> Ledger:
    """The same, of which everything was asked."""
    ledger = made()
    for name in (*BY_GAME, *FIRST_GAMES):
        getattr(ledger.arrays, name)
    for name in ("elo", "glicko2", "points", "trueskill"):
        SYSTEMS[name]().rate(ledger)
    return ledger


@pytest.mark.parametrize("span", [(0, 60), (0, 110), (0, 120), (30, 90), (119, 120)])
def test_a_part_takes_what_the_whole_has_worked_out(span: tuple[int, int]) -> None:
    own, clean = between(worked_out(), *span, ()), between(made(), *span, ())
    assert own.games.equals(clean.games)
    for name in (*BY_GAME, *FIRST_GAMES, "event", "margin"):
        np.testing.assert_array_equal(getattr(own.arrays, name), getattr(clean.arrays, name), err_msg=name, strict=True)
    for one, other in zip(said_of_games(own), said_of_games(clean), strict=True):
        np.testing.assert_array_equal(one, other, strict=True)


def said_of_games(ledger: Ledger) -> list[np.ndarray]:
    """What columns say that are kept as their different values, a row a game."""
    return [ledger.arrays.by_terms(lambda *terms: terms), ledger.arrays.by_rank(lambda rank: rank.elo if rank else 0.0),
            ledger.arrays.of_kind({"club": 2.0}, 1.0)]  # fmt: skip


@pytest.mark.parametrize("name", ["elo", "glicko2", "points", "trueskill", "egf"])
@pytest.mark.parametrize("end", [60, 112, 120])
def test_how_players_enter_is_the_same_from_a_part_and_from_the_whole(name: str, end: int) -> None:
    """What a part finds of them is kept for the whole only where all of them enter in it."""
    rules = SYSTEMS[name]()
    for first in (True, False):
        whole = made() if first else worked_out()
        assert len(whole.arrays.first_game)
        part = rules.rate(between(whole, 0, end, ()))
        np.testing.assert_array_equal(part.rating, rules.rate(between(made(), 0, end, ())).rating)
        np.testing.assert_array_equal(rules.rate(whole).rating, rules.rate(made()).rating)


def test_the_terms_of_one_game_are_those_of_the_columns() -> None:
    ledger = made()
    komi = ledger.arrays.komi_or(7.5, 1.5)
    expected = list(zip(ledger.arrays.handicap.tolist(), komi.tolist(), ledger.arrays.size.tolist(), strict=True))
    assert [ledger.arrays.terms_of(game, 7.5, 1.5) for game in range(len(ledger))] == expected
    assert len(set(expected)) > 3
