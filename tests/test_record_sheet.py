"""The record sheet of the South African Go Clubs: twelve columns, from the command line, CSV, JSON and Python.

Source: South African Go Clubs, "How they work", "What are the columns in my record sheet?"
"""

from __future__ import annotations

from pathlib import Path

import pytest

from handan.ledger import Adjustment, Game, Ledger
from handan.systems import EGF, Elo
from handan.systems.bradley_terry import BradleyTerry
from tests.command_line import adjustments, run, table

SHEET = {
    "opponent": "Opponent's username (same name indicates an adjustment)",
    "opponent_rank": "Opponent's rank",
    "colour": "What colour the player took",
    "handicap": "Number of handicap stones",
    "komi": "Komi (negative means komi awarded to Black)",
    "winner": "Color of game winner",
    "weight": "Game status factor",
    "change": "Change in index",
    "after": "New index",
    "rank_after": "New rank",
    "date": "Date of game",
    "comment": "Further comments",
}
# the complete example of the source; the factors of the adjustment and of the free game are the source's too
ALICE = [
    ("Bob", "7k", "black", 2, 0.5, "black", 1.0, 499.0, 699.0, "10k", "2026-05-01", "signed by both"),
    ("Alice", "", "", 0, None, "", None, -699.0, 0.0, "9k", "2026-05-02", ""),
    ("Bob", "7k", "white", 0, -3.5, "white", 0.0, 0.0, 0.0, "9k", "2026-05-03", "taught him the small avalanche"),
]


@pytest.fixture
def club(tmp_path: Path) -> list[object]:
    played = table(
        tmp_path / "games.csv", ("date", "black", "white", "result", "handicap", "komi", "kind", "notes"),
        "2026-05-01,Alice,Bob,B+R,2,0.5,club,signed by both",
        "2026-05-03,Bob,Alice,W+2.5,0,-3.5,free,taught him the small avalanche",
    )  # fmt: skip
    entered = adjustments(
        tmp_path / "entered.csv", "Alice,10k,200,,", "Bob,7k,-50,,", "Alice,9k,,2026-05-02,national list"
    )
    return ["history", played, "--adjustments", entered, "--system", "sagc", "--player", "Alice"]


def test_json_has_the_twelve_columns(club: list[object]) -> None:
    rows = run(*club, "--format", "json").json
    assert [tuple(row[name] for name in SHEET) for row in rows] == ALICE
    assert rows[1]["note"] == "national list"


def test_csv_has_the_twelve_columns(club: list[object]) -> None:
    rows = run(*club, "--format", "csv").csv
    assert [row["winner"] for row in rows] == ["black", "", "white"]
    assert [float(row["weight"]) for row in rows if row["weight"]] == [1.0, 0.0]
    assert [row["comment"] for row in rows] == [row[-1] for row in ALICE]
    assert set(SHEET) <= set(rows[0])


def test_the_table_has_the_twelve_columns_and_an_adjustment_bears_the_own_name(club: list[object]) -> None:
    head, first, adjustment, free = run(*club).out.splitlines()
    titles = ["game", "date", "opponent", "their rank", "colour", "stones", "komi", "result", "winner", "status factor",
              "before", "change", "after", "rank", "note"]  # fmt: skip
    assert [title for title in titles if title in head] == titles
    assert first.split()[:4] == ["1", "2026-05-01", "Bob", "7k"]
    assert first.endswith("10k   signed by both")
    assert adjustment.split() == ["2026-05-02", "Alice", "699", "-699", "0", "9k", "national", "list"]
    assert free.endswith("taught him the small avalanche")


def test_other_systems_have_the_columns_that_mean_something_there() -> None:
    games = [
        Game("Ada", "Bo", "W+R", date="2026-05-01", komi=6.5, kind="tournament-b", notes="late"),
        Game("Ada", "Bo", "P1+", date="2026-05-02"),
        Game("Ada", "Bo", "jigo", date="2026-05-03"),
        Game("Ada", "Bo", "both-lose", date="2026-05-04", notes="neither came"),
    ]
    ledger = Ledger.of(games, [Adjustment("Ada", "1d"), Adjustment("Bo", "3d")])
    europe = EGF().rate(ledger).history("Ada")
    assert europe["weight"].to_list() == [
        0.75,
        1.0,
        1.0,
        None,
    ]  # class B, then the default class A; the last is not rated
    assert europe["opponent_rank"].to_list()[0] == "3d"
    assert europe["winner"].to_list() == ["white", "", "jigo", ""]
    assert europe["comment"].to_list() == ["late", "", "", "neither came"]
    assert Elo().rate(ledger).history("Ada")["weight"].to_list() == [None] * 4


def test_where_all_games_are_solved_together_the_opponent_has_the_rank_of_the_table() -> None:
    games = [Game("Ada", "Bo", result, date=f"2026-05-0{day}") for day, result in enumerate(("B+", "B+", "W+"), 1)]
    ratings = BradleyTerry().rate(Ledger.of(games))
    ranks = dict(ratings.table().select("player", "rank").iter_rows())
    assert set(ratings.history("Ada")["opponent_rank"]) == {ranks["Bo"]}
