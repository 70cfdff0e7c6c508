"""The first lines that somebody types in Python: games from anywhere, a player's rating, and what is mistyped."""

from __future__ import annotations

import builtins
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import handan
from handan import shortcuts
from handan.systems import Elo
from tests.conftest import ROOT

GAMES = ROOT / "examples" / "games.csv"
ROWS = [("Ada", "Bo", "B+"), ("Bo", "Cy", "W+R")]
COLUMNS = {"black": ["Ada", "Bo"], "white": ["Bo", "Cy"], "result": ["B+", "W+R"]}


@pytest.mark.parametrize(
    "games",
    [
        ROWS,
        [("winner", "loser"), ("Ada", "Bo"), ("Cy", "Bo")],
        [("Ada", "Bo", 1), ("Bo", "Cy", "Cy")],
        COLUMNS,
        pl.DataFrame(COLUMNS),
        pd.DataFrame(COLUMNS),
        pl.DataFrame(COLUMNS).to_dicts(),
        pd.DataFrame(COLUMNS).set_index(["black", "white"]),
        [handan.Game(*row) for row in ROWS],
        handan.Ledger.of([handan.Game(*row) for row in ROWS]),
        b"black,white,result\nAda,Bo,B+\nBo,Cy,W+R\n",
    ],
    ids=[
        "tuples",
        "tuples with headings",
        "scores and winners",
        "columns",
        "polars",
        "pandas",
        "index of pandas",
        "dicts",
        "games",
        "ledger",
        "bytes",
    ],
)
def test_games_from_anywhere_are_rated_alike(games: Any) -> None:
    ratings = handan.rate(games, "elo")
    # K (S - E) = 20 (1 - 0.5); then 20 (0 - E) with E = 1 / (1 + 10^(10 / 400)) for Bo, who has fallen to 1490
    loss = 20.0 / (1.0 + 10.0 ** (10.0 / 400.0))
    assert [ratings[name].rating for name in ("Ada", "Bo", "Cy")] == pytest.approx(
        [1510.0, 1490.0 - loss, 1500.0 + loss]
    )


def test_games_that_come_one_after_another_are_rated_as_a_list() -> None:
    made = handan.rate((handan.Game(*row) for row in ROWS), "elo")
    rows = handan.rate(({"black": row[0], "white": row[1], "result": row[2]} for row in ROWS), "elo")
    assert made.table().equals(handan.rate(COLUMNS, "elo").table())
    assert rows.table().equals(made.table())


def test_the_index_of_a_frame_is_a_column_where_it_has_a_name() -> None:
    frame = pd.DataFrame({**COLUMNS, "date": ["2026-01-02", "2026-01-01"]}).set_index("date")
    assert [str(game.date) for game in handan.rate(frame, "elo").ledger] == ["2026-01-01", "2026-01-02"]


def test_marks_that_nobody_sees_make_no_other_player_and_pictures_are_names() -> None:
    games = {
        "black": ["A\u200bda", "Ada", "A\xadda"],
        "white": ["\U0001f409", "Bo", "\u202eBo\u202c"],
        "result": ["B+"] * 3,
    }
    assert list(handan.rate(games, "elo")) == ["Ada", "\U0001f409", "Bo"]
    assert handan.Game("A\u200eda", "Bo", "B+").black == "Ada"


def test_a_frame_without_columns_is_told_what_it_needs() -> None:
    with pytest.raises(handan.InputError, match="no columns black, white, result in an empty header; needed"):
        handan.rate(pd.DataFrame(), "elo")


def test_what_is_rated_from_anywhere_is_compared_and_tuned_from_anywhere(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    rows = [f"2026-01-{day:02},{'Ada,Bo' if day % 3 else 'Bo,Cy'},B+" for day in range(1, 32)]
    path.write_text("\n".join(["date,black,white,result", *rows]), encoding="utf-8")
    ledger = handan.read(path)
    compared = [handan.compare(games, "elo,glicko").forecasts() for games in (path, ledger)]
    assert compared[0].equals(compared[1])
    assert handan.tuned(path, "elo").system == handan.tuned(ledger, "elo").system
    assert len(handan.compare(ledger, "elo", train=path).forecasts()) == len(ledger)


def test_players_with_names_of_one_letter_win_what_they_won() -> None:
    ratings = handan.rate([("A", "B", 1), ("B", "W", "W"), ("W", "A", 0), ("B", "A", 0.5)], "elo")
    assert {name: (ratings[name].wins, ratings[name].losses) for name in ratings} == {
        "A": (2, 0), "B": (0, 2), "W": (1, 1),
    }  # fmt: skip


def test_several_files_are_rated_together(tmp_path: Path) -> None:
    more = tmp_path / "more.csv"
    more.write_text("black,white,result,date\nZoe,Alice,B+,2026-10-01\n", encoding="utf-8")
    assert handan.rate([GAMES, more], Elo(k=32)).rated == handan.rate(GAMES, "elo").rated + 1


def test_a_row_that_cannot_be_read_is_not_left_out_in_silence() -> None:
    with pytest.warns(UserWarning, match=r"not rated: rows line 2: result 'maybe'"):
        ratings = handan.rate([*ROWS[:1], ("Bo", "Cy", "maybe")], "elo")
    assert ratings.rated == 1
    later = pl.DataFrame({"black": ["Ada", "Bo"], "white": "Cy", "result": "B+", "date": "2126-01-01"})
    with pytest.warns(UserWarning, match=r"to be looked at: frame line 1: date '2126-01-01' .* unknown; 1 more"):
        handan.rate(later, "elo")


def test_games_of_which_no_result_can_be_read_are_left_out_and_named() -> None:
    with pytest.warns(UserWarning, match=r"not rated: rows line 1: result 'maybe'"):
        ratings = handan.rate([("Ada", "Bo", "maybe"), ("Bo", "Ada", "maybe")], "elo")
    assert (ratings.rated, ratings.table().height) == (0, 0)


def test_what_rows_of_pandas_have_where_nothing_is_known_is_empty() -> None:
    rows = pd.DataFrame({"black": ["Ada"], "white": ["Bo"], "komi": [None], "date": pd.to_datetime([None])})
    row = next(rows.astype({"komi": float}).itertuples())
    game = handan.Game(row.black, row.white, "B+R", date=row.date, komi=row.komi, round=pd.NA)
    assert (game.date, game.komi, game.round) == (None, None, None)
    with pytest.raises(handan.InputError, match="name '' is not the name of a player"):
        handan.Game("Ada", float("nan"), "B+R")  # type: ignore[arg-type]
    with pytest.raises(handan.InputError, match="neither rank nor rating"):
        handan.Adjustment("Ada", rating=float("nan"))


@pytest.mark.parametrize(("date", "text"), [(2025, "2025"), (np.datetime64("2025-01-02"), "2025-01-02")])
def test_a_year_as_a_number_and_a_day_of_numpy_are_dates(date: Any, text: str) -> None:
    assert str(handan.Game("Ada", "Bo", "B+R", date=date).date) == text
    with pytest.raises(handan.InputError, match="date '20250102' is not a date"):
        handan.rate(GAMES, "elo").at(20250102)  # type: ignore[arg-type]


@pytest.mark.parametrize(("given", "rating"), [("145", 145.0), ("1,5", 1.5), (145, 145)])
def test_a_rating_set_by_hand_is_a_number(given: Any, rating: float) -> None:
    assert handan.Adjustment("Ada", rating=given).rating == rating
    for other in ("abc", float("inf"), True):
        with pytest.raises(handan.InputError, match=f"rating '{other}' is not a number"):
            handan.Adjustment("Ada", rating=other)  # type: ignore[arg-type]


def test_text_in_place_of_a_path_is_told_from_a_file_that_is_not_there() -> None:
    text = "black,white,result\n" + "Ada,Bo,B+R\n" * 20
    with pytest.raises(handan.InputError, match="a text of several lines is no path"):
        handan.rate(text, "elo")
    assert handan.rate(text.encode(), "elo").rated == 20


def test_who_gives_games_of_which_none_is_rated_is_warned() -> None:
    with pytest.warns(UserWarning, match="no game was rated: 2 no date"):
        handan.rate(ROWS, "glicko2")


def test_ratings_are_a_mapping_from_the_names_of_the_players_the_strongest_first() -> None:
    ratings = handan.rate(GAMES, "egf")
    table = ratings.table()
    assert list(ratings) == table["player"].to_list()
    assert len(ratings) == table.height
    for row in table.iter_rows(named=True):
        player = ratings[row["player"]]
        assert row["player"] in ratings
        assert (player.place, player.rating, str(player.rank), player.games, player.wins, player.last_played) == tuple(
            row[name] for name in ("place", "rating", "rank", "games", "wins", "last_played")
        )
        assert player.history().equals(ratings.history(row["player"]))
        assert player.explain() == ratings.explain(row["player"])
    assert ratings["alice"].name == "Alice"
    assert repr(ratings["Alice"]).startswith("<PlayerRating Alice: 1")


def test_who_is_not_there_is_a_missing_key_and_the_right_name_is_proposed() -> None:
    ratings = handan.rate(GAMES, "elo")
    assert "Alise" not in ratings
    with pytest.raises(KeyError) as caught:
        ratings["Alise"]
    assert str(caught.value) == "player 'Alise' is not in the ledger; did you mean Alice?"
    assert isinstance(caught.value, handan.InputError)


def test_forecasts_say_of_which_game_they_are() -> None:
    ratings = handan.rate(GAMES, "elo")
    forecasts, games = ratings.forecasts(), ratings.ledger
    assert forecasts.columns == ["game", "date", "black", "white", "result", "probability"]
    for number, day, black, white, result, _ in forecasts.iter_rows():
        game = games[number - 1]
        assert (day, black, white, result) == (str(game.date), game.black, game.white, str(game.result))


@pytest.mark.parametrize(
    ("system", "settings", "words"),
    [
        ("egff", {}, "did you mean egf?"),
        ("elo", {"kk": 3}, "elo has no setting 'kk'; did you mean k?"),
        ("elo", {"k": "32"}, "elo: k='32' is not a number from 0 to 1000"),
        ("glicko2", {"period": "fortnight"}, "period='fortnight' is not one of event, month, week, day, game"),
        (Elo(k=3.0), {"k": 4}, "elo has its settings already; give k where it is made"),
        (5, {}, "'int' is not a system; give a name such as elo, or a System"),
    ],
)
def test_a_mistyped_system_or_setting_is_answered_with_the_right_one(
    system: Any, settings: dict[str, Any], words: str
) -> None:
    with pytest.raises(handan.HandanError) as caught:
        shortcuts.rate(GAMES, system, **settings)
    assert words in str(caught.value)


def test_rows_without_headings_have_players_result_and_date() -> None:
    with pytest.raises(handan.InputError, match="row 1 has 2 cells; give black, white, result"):
        handan.rate([("Ada", "Bo")], "elo")


def test_importing_everything_hides_no_builtin() -> None:
    assert set(handan.__all__).isdisjoint(dir(builtins))
    assert set(handan.__all__) <= set(dir(handan))


def test_players_whose_names_are_numbers_are_found_by_them() -> None:
    ratings = handan.rate({"black": [7, 8], "white": [8, 9], "result": [True, False]}, "elo")
    assert ratings[7].rating == ratings["7"].rating == 1510.0
    assert 9 in ratings
    with pytest.raises(KeyError, match="player '6' is not in the ledger"):
        ratings[6]


def test_a_card_is_known_by_its_name_too() -> None:
    sides = ("Ada", 215.0), ("Bo", 238.0)
    assert handan.card_terms("tokyo15", *sides) == handan.card_terms(handan.CARDS["tokyo15"], *sides)
