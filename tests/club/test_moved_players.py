"""Whom something moved: the same as comparing the rows of both ladders one by one, whoever came or went."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest

from handan.club import changes
from handan.club.movement import MovedPlayers, moved_between
from handan.club.rules import Rules
from handan.club.standings import Standings, standings
from handan.wording.figures import digits
from tests.club.helpers import TODAY, Book
from tests.forms import extended_but

SYSTEMS = ("egf", "points", "glicko2", "whr", "kgs", "sagc", "elo")


def slowly(before: Standings, after: Standings) -> list[dict[str, Any]]:
    """Return who moved by the rows of both ladders: the slow twin."""
    old, new = ({row["key"]: row for row in each.rows} for each in (before, after))
    moved = []
    for key in {**old, **new}:
        one, other = old.get(key, {}), new.get(key, {})
        if one and other and (one["rating"], one["rank"]) == (other["rating"], other["rank"]):
            continue
        ratings: Any = one.get("rating"), other.get("rating")
        moved.append({"key": key, "player": (other or one)["player"], "before": ratings[0], "after": ratings[1],
                      "change": None if None in ratings else ratings[1] - ratings[0],
                      "rank_before": one.get("rank") or "", "rank_after": other.get("rank") or "",
                      "place_before": one.get("place"), "place_after": other.get("place")})  # fmt: skip
    return sorted(moved, key=lambda row: (-abs(row["change"] or 0.0), row["player"]))


def club(system: str, seed: int) -> Book:
    """Return a club of forty players with games of a year, some ranked on entry, some without games."""
    dice, book = np.random.default_rng(seed), Book()
    book.add(changes.office.set_rules(book.state, Rules(system)))
    names = [f"{'AZaz'[number % 4]}{dice.integers(10**6)}é" for number in range(40)]
    keys = [book.player(name, f"{dice.integers(1, 20)}k" if dice.random() < 0.6 else "") for name in names]
    for game in range(120):
        black, white = dice.choice(30, 2, replace=False)
        book.game(keys[black], keys[white], "B+" if dice.random() < 0.5 else "W+",
                  str(date(2025, 6, 1) + timedelta(days=game * 3)))  # fmt: skip
    return book


@pytest.mark.parametrize("system", extended_but({"egf", "whr"}, SYSTEMS))
def test_who_moved_is_what_the_rows_of_both_ladders_say(system: str) -> None:
    book = club(system, 7)
    people = [*book.state.people]
    looks = [standings(book.state, TODAY), standings(book.state, TODAY, date(2025, 9, 1)),
             standings(book.state, TODAY, rules=Rules("glicko")), standings(Book().state, TODAY)]  # fmt: skip
    book.game(people[0], people[1], "B+", "2026-10-01")
    looks.append(standings(book.state, TODAY))
    book.game(people[38], people[2], "W+", "2026-10-02")  # somebody's first one
    looks.append(standings(book.state, TODAY))
    namesake = book.player(book.state.people[people[3]].name)
    book.game(namesake, people[4], "B+", "2025-06-01")
    looks.append(standings(book.state, TODAY))
    book.add(changes.players.merge_players(book.state, people[5], people[6]))
    looks.append(standings(book.state, TODAY))
    compared = 0
    for before in looks:
        for after in looks:
            moved, expected = moved_between(before.figures, after.figures), slowly(before, after)
            assert moved == expected
            assert [moved[place] for place in range(len(moved))] == expected
            assert moved[3:9] == expected[3:9]
            assert moved.decimals == digits(row[name] for row in expected for name in ("before", "after"))
            check_parts(moved, expected, people)
            compared += len(expected)
    assert compared > 200


def check_parts(moved: MovedPlayers, expected: list[dict[str, Any]], people: list[str]) -> None:
    """Compare the same without some players, and of those alone who are still there."""
    left_out = [key for key in people[:2] if key in moved.after.state.people]
    assert moved.without(left_out) == [row for row in expected if row["key"] not in left_out]
    assert moved.still_there() == [row for row in expected if row["after"] is not None]


def test_equal_changes_stand_in_the_order_of_names_and_a_place_beyond_is_refused() -> None:
    book = Book()
    book.add(changes.office.set_rules(book.state, Rules("elo")))
    for name in ("Zoe", "Ada", "Cy", "Bo"):
        book.player(name)
    keys = [*book.state.people]
    before = standings(book.state, TODAY)
    book.game(keys[0], keys[1])
    book.game(keys[2], keys[3])
    moved = moved_between(before.figures, standings(book.state, TODAY).figures)
    assert [row["player"] for row in moved] == ["Ada", "Bo", "Cy", "Zoe"]
    assert moved[-1] == moved[3]
    for beyond in (4, -5):
        with pytest.raises(IndexError):
            moved[beyond]
    assert len(moved_between(before.figures, before.figures)) == 0
