"""Frames for people who compute: every card, every change and many forecasts equal those that are asked one by one."""

from __future__ import annotations

import math
import sqlite3
from collections import namedtuple
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import handan
from handan import shortcuts
from handan.ratings import Ratings
from handan.ratings.arrays import made_in_steps
from handan.systems import SYSTEMS
from tests.conftest import ROOT
from tests.forms import EACH_KIND, extended_but

ADJUSTED = [
    handan.Adjustment("Alice", rank="9k", date="2026-09-10", note="set by the club"),
    handan.Adjustment("Bob", rank="7k"),
]


def rated(system: str) -> Ratings:
    """Games of which some are not rated, with adjustments before and between them, and a player without a game."""
    ledger = handan.read(ROOT / "examples" / "games.csv").with_adjustments(
        [*ADJUSTED, handan.Adjustment("Zoe", rank="3d")]
    )
    more = (
        handan.Game("Alice", "Carol", "B+F", date="2026-09-13", event="cup", round=1, black_rank="9k"),
        handan.Game("Eve", "Alice", "jigo", date="2026-09-13", event="cup", round=2, komi=6),
        handan.Game("Eve", "Bob", "void", date="2026-09"),
        handan.Game("Bob", "Carol", "P1+", date="2026-09-14", event="cup", round=3),
    )
    for game in more:
        ledger = ledger.with_game(game)
    return shortcuts.rate(ledger, system)


@pytest.mark.parametrize("system", extended_but(["egf", "elo", "points"], SYSTEMS))
def test_every_rank_in_a_frame_is_that_of_its_rating(system: str) -> None:
    """Ranks of many ratings are found in steps; each is what the law says of it alone."""
    ratings = shortcuts.rate(handan.read(ROOT / "examples" / "club" / "games.csv"), system)
    if ratings.arrays.rank_numbers is not None:
        return  # the rank is a state of its own, which the rating does not tell
    columns = ("black_before", "black_rank_before", "white_after", "white_rank_after")
    for before, rank_before, after, rank_after in ratings.changes().select(columns).drop_nulls().iter_rows():
        if rank_before:  # a game that is rated
            assert (rank_before, rank_after) == (str(ratings.system.rank(before)), str(ratings.system.rank(after)))
    numbers = np.linspace(-4000.0, 4000.0, 20_001)
    alone = [str(ratings.system.rank(number) or "") for number in numbers.tolist()]
    assert made_in_steps(len(numbers), alone.__getitem__).tolist() == alone


@pytest.mark.parametrize("system", extended_but(EACH_KIND, SYSTEMS))
def test_the_cards_of_all_players_are_their_histories_one_below_the_other(system: str) -> None:
    ratings = rated(system)
    cards = ratings.histories()
    for player in ratings.ledger.players:
        own = cards.filter(pl.col("player") == player.name).drop("player", "event", "round")
        assert own.equals(ratings.history(player.name)), player.name
    assert cards.height == sum(ratings.history(player.name).height for player in ratings.ledger.players)


def test_cards_name_games_in_playing_order_and_those_not_rated_among_them() -> None:
    names = ["ada", "bo", "cy"]
    games = [
        handan.Game(names[at % 3], names[(at + 1 + at % 2) % 3], "void" if at % 5 < 3 else "B+R", date="2026-05-01")
        for at in range(30)
    ]
    ledger = handan.Ledger.of(games)
    cards = shortcuts.rate(ledger, "elo").histories()
    for name in names:
        own = [at for at, game in enumerate(ledger, 1) if name in (game.black, game.white)]
        assert cards.filter(pl.col("player") == name)["game"].to_list() == own


@pytest.mark.parametrize("system", extended_but(EACH_KIND, SYSTEMS))
def test_the_changes_of_all_games_are_those_of_the_cards(system: str) -> None:
    ratings = rated(system)
    moved = ratings.changes()
    assert moved.height == ratings.rated
    for row in moved.iter_rows(named=True):
        for side in ("black", "white"):
            line = ratings.explain(row[side], row["game"], reasons=False)[0]
            own = tuple(row[f"{side}_{part}"] for part in ("before", "change", "after", "rank_before", "rank_after"))
            assert own == (line.before, line.change, line.after, line.rank_before, line.rank_after)


@pytest.mark.parametrize("system", extended_but(EACH_KIND, SYSTEMS))
def test_many_forecasts_are_those_asked_one_by_one(system: str) -> None:
    ratings = rated(system)
    games = {
        "black": ["Alice", "Bob", "Nobody yet", "3k", "Alice", "Alice"],
        "white": ["Bob", "Stranger", "Somebody new", "Bob", "Bob", "Bob"],
        "handicap": [0, 3, None, 0, 0, 2],
        "komi": [None, 0.5, None, 6.5, 6.5, math.nan],
    }
    frame = pl.DataFrame(games, strict=False)
    predicted = ratings.predict(frame, strangers="allow")
    assert predicted.columns == [*games, "probability", "unknown"]
    one_by_one = [
        ratings.win_probability(
            black, white, handicap or 0, None if komi is None or math.isnan(komi) else komi, strangers="allow"
        )
        for black, white, handicap, komi in frame.iter_rows()
    ]
    assert predicted["probability"].to_list() == one_by_one
    assert ratings.predict(games, strangers="allow")["probability"].to_list() == one_by_one
    assert ratings.predict(frame.to_pandas(), strangers="allow")["probability"].to_list() == one_by_one


def test_a_forecast_that_cannot_be_names_its_row() -> None:
    ratings = rated("elo")
    with pytest.raises(handan.InputError, match="row 2: Alice was given twice"):
        ratings.predict({"black": ["Bob", "Alice"], "white": ["Alice", "alice"]})
    with pytest.raises(handan.InputError, match="no column white"):
        ratings.predict({"black": ["Bob"]})


@pytest.mark.parametrize("system", ["elo", "whr", "points"])
def test_ratings_at_a_day_are_those_of_what_was_known_then(system: str) -> None:
    ratings = rated(system)
    then = ratings.at("2026-09-10")
    assert then.table().equals(shortcuts.rate(ratings.ledger.as_of("2026-09-10"), system).table())
    assert len(then.ledger) == 3
    with pytest.raises(handan.InputError):
        ratings.at("")


def test_no_games_make_empty_frames_with_all_columns(tmp_path: Path) -> None:
    path = tmp_path / "none.csv"
    path.write_text("black,white,result\n", encoding="utf-8")
    ratings = handan.rate(handan.read(path), "elo")
    assert ratings.histories().height == ratings.changes().height == 0
    assert "player" in ratings.histories().columns


def test_a_console_shows_a_line_for_each_game_with_the_factors_of_its_change() -> None:
    ratings = handan.rate(handan.read(ROOT / "examples" / "games.csv"), "elo")
    lines = ratings.explain("Bob")
    shown = repr(lines).splitlines()
    assert shown == [str(line) for line in lines]
    assert shown[0].startswith("2026-09-02 loss against Alice: ")
    assert "K 20 × score - expected score -0.6298" in shown[0]


@pytest.mark.parametrize(
    ("games", "message"),
    [
        ({"black": ["Alice"], "whte": ["Bob"]}, "no column white; did you mean whte?"),
        ({"black": ["Alice"], "white": ["Bob"], "handicap": ["two"]}, "row 1: handicap 'two' is not a whole number"),
        ({"black": ["Alice"], "white": ["Bob"], "komi": ["x"]}, "row 1: komi 'x' is not a number of points"),
        ({"black": ["Alice", "Bob"], "white": ["Bob"] * 3}, "games to forecast are no table of columns"),
        (3, "games to forecast are no table of columns"),
    ],
)
def test_games_that_cannot_be_forecast_are_refused_in_words(games: Any, message: str) -> None:
    ratings = handan.rate(handan.read(ROOT / "examples" / "games.csv"), "elo")
    with pytest.raises(handan.errors.InputError, match=message.replace("?", r"\?")):
        ratings.predict(games)


def test_players_are_a_frame_too() -> None:
    ledger = handan.read(ROOT / "examples" / "games.csv")
    assert pl.DataFrame(ledger.players)["name"].to_list() == [player.name for player in ledger.players]


def test_warnings_are_told_to_who_listens(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", logger="handan"):
        handan.rate(handan.Ledger.of([handan.Game("A", "B", "B+")]), "egf")
    assert {record.name for record in caplog.records} == {"handan"}
    assert "1 of 1 game rated" in caplog.text


@pytest.mark.parametrize("limit", [0, 1, 3, 99])
def test_a_limit_leaves_the_first_rows_as_they_are(limit: int) -> None:
    ratings = rated("egf")
    assert ratings.table(limit=limit).equals(ratings.table().head(limit))
    day = "2026-09-10"
    assert ratings.table(since=day, limit=limit).equals(ratings.table(since=day).head(limit))


def test_players_who_are_numbers_are_forecast_by_name_and_not_as_ratings() -> None:
    games = {"black": [1, 2, 1], "white": [2, 3, 3], "result": ["B+", "W+", "B+"]}
    ratings = handan.rate(games, "elo")
    # Elo's law of the ratings that `rate` gave
    chance = 1.0 / (1.0 + 10.0 ** ((ratings["3"].rating - ratings["1"].rating) / 400.0))
    for frame in ({"black": [1], "white": [3]}, {"black": ["1"], "white": ["3"]}, {"black": [1.0], "white": [3.0]}):
        assert ratings.predict(frame)["probability"].to_list() == [pytest.approx(chance)]
    assert ratings.win_probability(1, 3) == pytest.approx(chance)
    assert handan.Forecaster("elo").fit(games).predict_proba({"black": [1], "white": [3]})[0, 1] == pytest.approx(
        chance
    )
    with pytest.raises(handan.InputError, match="row 1: player '77' is not in the ledger"):
        ratings.predict({"black": [77], "white": [3]})
    new = ratings.predict({"black": [77], "white": [3]}, strangers="allow")
    assert new["unknown"].to_list() == ["black"]
    named = handan.rate([("Ada", "Bo", "B+")], "elo")
    assert named.win_probability(1510.0, "Ada") == pytest.approx(0.5)  # a rating where players have names


def test_whole_numbers_and_fractions_stand_in_one_column() -> None:
    ratings = handan.rate([("Ada", "Bo", "B+")], "elo", stone=100.0)
    terms = {"black": ["Ada"] * 2, "white": ["Bo"] * 2, "handicap": [0, 2.0], "komi": [7, 0.5]}
    assert ratings.predict(terms)["probability"].to_list() == [
        ratings.win_probability("Ada", "Bo", 0, 7.0), ratings.win_probability("Ada", "Bo", 2, 0.5)
    ]  # fmt: skip


def test_names_with_marks_that_nobody_sees_are_found_and_no_player_is_cut_off() -> None:
    ratings = handan.rate([("Ada", "Bo", "B+")], "elo")
    assert ratings["A\u200bda\xad"].name == "Ada"
    with pytest.raises(handan.InputError, match="limit=-1 is not"):
        ratings.table(limit=-1)


class Stream:
    """What gives its columns as Arrow alone, such as a reader of batches."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.frame = frame

    def __arrow_c_stream__(self, schema: object = None) -> object:
        return self.frame.__arrow_c_stream__(schema)


def test_a_frame_that_is_read_stays_as_it_was() -> None:
    rows = {"black": ["Ada"], "white": ["Bo"], "result": ["B+R"], "komi": [6.5]}
    frame = pl.DataFrame(rows)
    for native in (frame, frame.lazy(), frame.to_pandas(), frame.to_arrow(), rows):
        assert len(handan.read(native)) == 1
        assert pl.DataFrame(native.collect() if isinstance(native, pl.LazyFrame) else native).equals(pl.DataFrame(rows))


def test_what_a_database_or_an_arrow_library_gives_is_read_by_its_headings() -> None:
    columns = ("date", "white", "black", "komi", "result")
    rows = [("2026-01-01", "Ada", "Bo", 6.5, "B+R"), ("2026-01-08", "Bo", "Cy", None, "W+2.5")]
    frame = pl.DataFrame(rows, schema=columns, orient="row")
    expected = handan.rate(frame, "elo").table()
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute(f"create table games ({','.join(columns)})")
        database.executemany("insert into games values (?,?,?,?,?)", rows)
        cursor = database.execute("select * from games")
        assert handan.rate(cursor, "elo").table().equals(expected)
        database.row_factory = sqlite3.Row
        assert handan.rate(database.execute("select * from games").fetchall(), "elo").table().equals(expected)
        assert handan.rate(database.execute("select * from games"), "elo").table().equals(expected)
    row = namedtuple("row", "date white black komi result")  # noqa: PYI024  # as libraries give rows
    assert handan.rate([row(*cells) for cells in rows], "elo").table().equals(expected)
    assert handan.rate(Stream(frame), "elo").table().equals(expected)
    with pytest.raises(handan.InputError, match="row 2 has 6 cells under 5 headings"):
        handan.read([columns, rows[0], (*rows[1], "lost")])
