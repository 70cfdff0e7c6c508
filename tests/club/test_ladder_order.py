"""Whom a ladder shows, and in what order, against the rows of all players gone through one by one."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest

from handan.club import changes
from handan.club.rules import checked
from handan.club.standings import LadderFilter, LadderOrder, Standings, standings
from handan.club.state import State
from handan.ratings.ladder import TALLIES
from tests.club.helpers import TODAY, Book

FIRST = date(2026, 1, 1)
NAMES = ["Ada", "Bo Berg", "佐藤", "김영수", "Çetin", "Adam Bo", "Eva", "Zoë"]
LATER = FIRST + timedelta(days=30)


def club(seed: int, systems: list[str]) -> Book:
    """A club of several countries, with draws, games of a month or a year, and rules that change if there are two."""
    dice, book = random.Random(seed), Book()
    keys = [
        book.player(f"{name} {number}", f"{3 * number + 1}k", reading="さとう" if name == "佐藤" else "",
                    country=dice.choice(["", "NL", "JP"]), club=dice.choice(["", "Lake", "Hill"]))
        for number, name in enumerate(NAMES)
    ]  # fmt: skip
    for number, system in enumerate(systems):
        if system != "points":  # as clubs begin
            book.add(changes.office.set_rules(book.state, checked(system, {}, LATER if number else None)))
    for number in range(40):
        black, white = dice.sample(keys[:-1], 2)
        day = FIRST + timedelta(days=2 * number)
        book.game(black, white, dice.choice(["B+", "W+", "draw"]), dice.choice([str(day), str(day)[:7]]))
    return book


@pytest.fixture(scope="module", params=[["egf"], ["points"], ["elo", "egf"]], ids="-".join)
def listed(request: pytest.FixtureRequest) -> Standings:
    return standings(club(7, request.param).state, TODAY)


def naive(listed: Standings, keep: Callable[[dict[str, Any]], bool]) -> list[str]:
    return [row["key"] for row in listed.rows if keep(row)]


def shown(listed: Standings, chosen: LadderFilter, order: str = "rank") -> list[str]:
    rows = LadderOrder.of(order).sort(chosen.rows(listed), listed.state, {})
    return [row["key"] for row in rows]


def test_a_filter_leaves_out_whom_their_row_leaves_out(listed: Standings) -> None:
    people, day = listed.state.people, str(FIRST + timedelta(days=60))
    assert shown(listed, LadderFilter()) == naive(listed, lambda _: True)
    for country in ("NL", "JP"):
        own = naive(listed, lambda row, country=country: people[row["key"]].country == country)  # type: ignore[misc]
        assert own
        assert shown(listed, LadderFilter(country=country)) == own
        assert shown(listed, LadderFilter(country=country), "-rank") == own[::-1]
    at_home = naive(listed, lambda row: people[row["key"]].club == "Lake" and row["games"] >= 8)
    assert shown(listed, LadderFilter(club="Lake", games=8)) == at_home
    assert shown(listed, LadderFilter(since=day)) == naive(listed, lambda row: (row["last_played"] or "") >= day)
    assert shown(listed, LadderFilter(games=1)) == naive(listed, lambda row: row["games"] > 0)
    assert len(shown(listed, LadderFilter(games=1))) < len(NAMES)


@pytest.mark.parametrize("text", ["ad", "Ada 0", "bo", "sato", "さとう", "ㄱㅇㅅ", "cetin", "zoe", "nobody", "a o"])
def test_a_filter_finds_whom_a_search_finds(listed: Standings, text: str) -> None:
    best_first = [person.key for person in listed.state.search(text)]
    assert sorted(best_first) == sorted(person.key for person in listed.state.matching(text))
    assert shown(listed, LadderFilter(text)) == naive(listed, lambda row: row["key"] in best_first)
    assert bool(best_first) == (text != "nobody")


def test_games_of_all_rules_are_counted(listed: Standings) -> None:
    games = listed.state.games.to_dicts()
    for row in listed.rows:
        own = [game for game in games if row["key"] in {game["black"], game["white"]}]
        drawn = sum(game["result"] == "jigo" for game in own)
        won = sum(game["result"] == ("B+" if game["black"] == row["key"] else "W+") for game in own)
        assert [row[name] for name in TALLIES] == [len(own), won, len(own) - won - drawn, drawn]
    assert sum(row["games"] for row in listed.rows) == 80
    assert sum(row["draws"] for row in listed.rows) > 0


def test_members_stand_by_their_figures_and_else_by_name(listed: Standings) -> None:
    state: State = listed.state
    by_name = listed.members_by("name")
    names = [state.people[key].name.rpartition(" ")[0] for key in by_name]
    assert names == ["Ada", "Adam Bo", "Bo Berg", "Çetin", "Eva", "Zoë", "김영수", "佐藤"]  # the last by さとう
    for figure in ("rating", "games"):
        sorted_rows = sorted(by_name, key=lambda key: -listed.by_key[key][figure])
        assert listed.members_by(figure) == sorted_rows
    assert listed.members_by("last_played")[-1] == "p15"  # who has not played
    some = state.matching("bo")
    assert listed.members_by("games", some) == [
        key for key in listed.members_by("games") if key in {person.key for person in some}
    ]
