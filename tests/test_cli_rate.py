"""`handan rate`: a secretary turns a file of games into the ladder on the wall."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest
from rich.cells import cell_len

import handan
from handan.cli import tables
from tests.command_line import adjustments, games, run

WIDE = "日本棋院多賀城支部囲碁愛好会名誉会員太郎"  # 20 letters, 40 cells
SOME = (
    "2026-05-01,Ada,Bo,B+R,0,6.5,club",
    "2026-05-02,Bo,Chidi,W+3.5,0,6.5,club",
    "2026-05-03,Chidi,Ada,B+0.5,2,0.5,tournament",
    "2026-05-04,Ada,Chidi,jigo,0,6,club",
    "2026-05-05,Bo,Ada,W+F,0,6.5,club",
)


@pytest.fixture
def club(tmp_path: Path) -> Path:
    return games(tmp_path / "games.csv", *SOME)


def test_alice_rises_to_699_and_bob_falls_to_minus_222(tmp_path: Path) -> None:
    # South African Go Clubs, "How they work", A Complete Example
    played = games(tmp_path / "games.csv", "2026-05-01,Alice,Bob,B+R,2,0.5,club")
    entered = adjustments(tmp_path / "entered.csv", "Alice,10k,200,,", "Bob,7k,-50,,")
    answer = run("rate", played, "--system", "sagc", "--adjustments", entered, "--format", "json")
    places = [(row["player"], row["rank"], row["rating"]) for row in answer.json["players"]]
    assert places == [("Bob", "7k", -222), ("Alice", "10k", 699)]


def test_dave_is_promoted_and_carol_stops_at_the_floor(tmp_path: Path) -> None:
    # South African Go Clubs, "How they work", A Short 22k-30k Example
    played = games(tmp_path / "games.csv", "2026-05-01,Dave,Carol,B+R,0,6.5,tournament")
    entered = adjustments(tmp_path / "entered.csv", "Carol,25k,0,,", "Dave,28k,0,,")
    answer = run("rate", played, "--system", "sagc", "--adjustments", entered, "--format", "json")
    places = [(row["player"], row["rank"], row["rating"]) for row in answer.json["players"]]
    assert places == [("Carol", "25k", -800), ("Dave", "27k", 0)]


def ranked_on_two_servers(path: Path, heading: str) -> Path:
    """Return a table in which the 5k of one server beat the 1d of the other, and a row that names no server."""
    rows = [f"2026-01-{day:02},A{day},B{day},W+R,1d,5k," + ("KGS" if day % 2 else "Fox") for day in range(1, 21)]
    rows += [f"2026-02-{day:02},A{day},B{day + 1},W+R,1d,5k," + ("KGS" if day % 2 else "Fox") for day in range(1, 20)]
    rows.append("2026-03-01,A1,A2,B+R,1d,2d,")
    path.write_text("\n".join([f"date,black,white,result,black_rank,white_rank,{heading}", *rows]), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("heading", "options"), [("server", ()), ("サーバー", ()), ("Where", ("--source-column", "where"))]
)
def test_a_column_says_whose_ranks_players_have(tmp_path: Path, heading: str, options: tuple[str, ...]) -> None:
    table = ranked_on_two_servers(tmp_path / "games.csv", heading)
    answer = run("rate", table, "--system", "handan", *options)
    named = re.findall(r"newcomers of (\S+) enter at", answer.out + answer.err)
    assert sorted(named) == sorted(["Fox", "KGS", str(table)])


def test_a_column_that_is_not_there_names_no_source(tmp_path: Path) -> None:
    table = ranked_on_two_servers(tmp_path / "games.csv", "Where")
    answer = run("rate", table, "--system", "handan", "--source-column", "Server")
    assert (answer.status, answer.out) == (2, "")
    assert "column server: no heading is 'Server'; the headings are" in answer.err


def test_json_holds_the_whole_answer(club: Path) -> None:
    answer = run("rate", club, "--system", "elo", "--format", "json")
    assert answer.status == 0
    document = answer.json
    assert set(document) == {
        "system", "settings", "games", "rated", "newest_game", "unrated", "rejected", "warnings", "notes", "pools",
        "players",
    }  # fmt: skip
    assert document["newest_game"] == "2026-05-05"
    assert (document["system"], document["games"], document["rated"], document["pools"]) == ("elo", 5, 4, 1)
    assert document["unrated"] == {"decided without play": 1}
    assert document["settings"]["k"] == 20  # R. Coulom, Whole-History Rating (2008), table 1
    assert set(document["players"][0]) == {
        "place", "player", "rating", "deviation", "rank", "games", "wins", "losses", "draws", "last_played", "pool",
    }  # fmt: skip
    tallies = {row["player"]: (row["games"], row["wins"], row["losses"], row["draws"]) for row in document["players"]}
    assert tallies == {"Ada": (3, 1, 1, 1), "Bo": (2, 0, 2, 0), "Chidi": (3, 2, 0, 1)}


def test_unknown_deviations_are_null(club: Path) -> None:
    players = run("rate", club, "--system", "elo", "--format", "json").json["players"]
    assert [row["deviation"] for row in players] == [None, None, None]


def test_csv_has_a_header_and_a_row_for_each_player(club: Path) -> None:
    rows = run("rate", club, "--system", "elo", "--format", "csv").csv
    assert [row["player"] for row in rows] == ["Chidi", "Ada", "Bo"]
    assert rows[2]["last_played"] == "2026-05-02"
    assert rows[2]["deviation"] == ""


def test_a_name_with_a_comma_survives_csv(tmp_path: Path) -> None:
    played = games(tmp_path / "games.csv", '2026-05-01,"Ada, the ""elder""",Bo,B+,0,6.5,club')
    rows = run("rate", played, "--system", "elo", "--format", "csv").csv
    assert rows[0]["player"] == 'Ada, the "elder"'


@pytest.mark.parametrize(
    "name", ["=1+1", "+SUM(1)", "-cmd", "@Ada", "\uff1d1+1", "\uff0b1", "\uff0d1", "\uff20Ada", "a;=1+1"]
)
def test_no_name_is_a_formula_in_a_spreadsheet(tmp_path: Path, name: str) -> None:
    played = games(tmp_path / "games.csv", f'2026-05-01,"{name}",Bo,B+,0,6.5,club')
    rows = run("rate", played, "--system", "elo", "--format", "csv").csv
    assert rows[0]["player"] == ("a;'=1+1" if ";" in name else f"'{name}")
    assert float(rows[1]["rating"]) < float(rows[0]["rating"])


def test_the_ladder_is_plain_text_off_a_terminal(club: Path) -> None:
    answer = run("rate", club, "--system", "elo")
    lines = answer.out.splitlines()
    assert lines[0].split() == ["#", "player", "rating", "games", "won", "lost", "drawn", "last", "played"]
    assert lines[1].split()[:2] == ["1", "Chidi"]
    assert lines[-1] == "Elo: 4 of 5 games rated; newest game 2026-05-05; not rated: 1 decided without play"
    assert "\x1b" not in answer.out


def test_points_are_shown_as_whole_numbers(club: Path) -> None:
    lines = run("rate", club, "--system", "points", "--set", "start=100").out.splitlines()
    assert all("." not in line for line in lines[:4])


@pytest.mark.parametrize("form", ["table", "json", "csv"])
def test_the_order_of_rows_and_files_does_not_matter(tmp_path: Path, form: str) -> None:
    orders = [SOME, SOME[::-1], (*SOME[2:], *SOME[:2])]
    files = [games(tmp_path / f"{number}.csv", *order) for number, order in enumerate(orders)]
    halves = [games(tmp_path / "later.csv", *SOME[3:]), games(tmp_path / "earlier.csv", *SOME[:3])]
    answers = [run("rate", file, "--system", "egf", "--format", form).out for file in files]
    answers.append(run("rate", *halves, "--system", "egf", "--format", form).out)
    assert len(set(answers)) == 1


def test_the_limit_keeps_the_strongest(club: Path) -> None:
    document = run("rate", club, "--system", "elo", "--limit", 2, "--format", "json").json
    assert [row["player"] for row in document["players"]] == ["Chidi", "Ada"]
    assert document["games"] == 5


def test_the_list_as_it_stood_on_a_day_knows_no_later_game(club: Path) -> None:
    answer = run("rate", club, "--system", "elo", "--as-of", "2026-05-01", "--format", "json").json
    assert answer["games"] == 1
    assert {row["player"]: row["rating"] for row in answer["players"]} == {
        "Ada": 1510,
        "Bo": 1490,
    }  # K (S - E) = 20 / 2


def test_a_setting_changes_the_system(tmp_path: Path) -> None:
    played = games(tmp_path / "games.csv", "2026-05-01,Ada,Bo,B+R,0,6.5,club")
    answer = run("rate", played, "--system", "elo", "--set", "k=32", "--set", "batch=event", "--format", "json").json
    assert {row["player"]: row["rating"] for row in answer["players"]} == {
        "Ada": 1516,
        "Bo": 1484,
    }  # K (S - E) = 32 / 2
    assert (answer["settings"]["k"], answer["settings"]["batch"]) == (32, "event")


def test_a_bad_row_is_reported_and_the_others_are_rated(tmp_path: Path) -> None:
    played = games(tmp_path / "games.csv", SOME[0], "2026-05-02,Bo,Chidi,X+3,0,6.5,club", SOME[2])
    answer = run("rate", played, "--system", "elo", "--format", "json")
    assert answer.status == 1
    assert answer.json["games"] == 2
    (problem,) = answer.json["rejected"]
    assert (problem["source"], problem["line"], problem["field"], problem["found"]) == (str(played), 3, "result", "X+3")
    assert problem["message"].startswith(f"{played} line 3: result 'X+3' is not a result such as B+3.5")
    assert f"rejected: {problem['message']}" in answer.err.splitlines()


def test_many_bad_rows_are_counted(tmp_path: Path) -> None:
    played = games(tmp_path / "games.csv", SOME[0], *["2026-05-02,Bo,Chidi,X+3,0,6.5,club"] * 25)
    lines = [line for line in run("rate", played, "--system", "elo").err.splitlines() if line.startswith("rejected:")]
    assert len(lines) == 11
    assert lines[-1] == "rejected: 15 more like these"


def test_strict_reading_refuses_a_bad_row_in_one_line(tmp_path: Path) -> None:
    played = games(tmp_path / "games.csv", SOME[0], "2026-05-02,Bo,Chidi,X+3,0,6.5,club")
    answer = run("rate", played, "--system", "elo", "--strict")
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert "line 3: result 'X+3'" in answer.err


def test_repeated_rows_are_left_out_only_when_asked(club: Path) -> None:
    shared = ["rate", club, club, "--system", "elo", "--format", "json", "--keep-repeats"]
    assert run(*shared).json["games"] == 2 * len(SOME)
    answer = run(*shared, "--dedupe").json
    assert answer["games"] == len(SOME)
    assert any("5 repeated rows" in text for text in answer["warnings"])


def test_players_who_never_met_are_warned_about(tmp_path: Path) -> None:
    played = games(tmp_path / "games.csv", SOME[0], "2026-05-02,Dara,Eun,B+,0,6.5,club")
    answer = run("rate", played, "--system", "elo", "--format", "json")
    assert answer.json["pools"] == 2
    assert [f"warning: {text}" for text in answer.json["warnings"]] == answer.err.splitlines()
    assert "2 separate pools" in answer.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--system", "ello"], "system 'ello' is not one of"),
        (["--system", "elo", "--set", "kk=3"], "elo has no setting 'kk'"),
        (["--system", "elo", "--set", "k"], "setting 'k' is not KEY=VALUE"),
        (["--system", "elo", "--set", "k=many"], "elo: k='many' is not a number"),
        (["--system", "elo", "--set", "k=-1"], "elo: k=-1.0 is not a number from 0"),
        (["--system", "elo", "--as-of", "soon"], "date 'soon' is not a date"),
        (["--system", "elo", "--limit", "0"], "--limit"),
        (["--system", "elo", "--format", "xml"], "--format"),
        (["--system", "elo", "--adjustments", "nowhere.csv"], "nowhere.csv"),
        ([], "--system"),
    ],
)
def test_a_mistake_is_one_line_and_status_2(club: Path, options: list[str], message: str) -> None:
    answer = run("rate", club, *options)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.startswith("handan: ")
    assert answer.err.count("\n") == 1
    assert message in answer.err


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    answer = run("rate", tmp_path / "nowhere.csv", "--system", "elo")
    assert (answer.status, answer.err.count("\n")) == (2, 1)
    assert "nowhere.csv" in answer.err


def test_wide_names_are_neither_cut_nor_crooked(tmp_path: Path) -> None:
    played = games(tmp_path / "games.csv", f"2026-05-01,{WIDE},Bo,B+R,0,6.5,club")
    lines = run("rate", played, "--system", "elo").out.splitlines()[:3]
    assert WIDE in lines[1]
    assert len({cell_len(line[: line.index("20")]) for line in lines[1:]}) == 1  # the dates stand one above the other


def test_the_ladder_fits_80_columns_with_wide_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "terminal_width", lambda: 80)
    played = games(tmp_path / "games.csv", f"2026-05-01,{WIDE},Bo,B+R,0,6.5,club")
    lines = run("rate", played, "--system", "elo").out.splitlines()[:3]
    assert max(cell_len(line) for line in lines) <= 80
    assert WIDE in lines[1]
    assert {"rating", "won", "lost"} <= set(lines[0].split())


def test_a_name_cannot_steer_the_terminal(tmp_path: Path) -> None:
    played = games(tmp_path / "games.csv", "2026-05-01,\x1b[31mAda,B\x9bo\u202e,B+R,0,6.5,club")
    answer = run("rate", played, "--system", "elo")
    assert r"\x1b[31mAda" in answer.out
    assert r"B\x9bo" in answer.out
    assert not {"\x1b", "\x9b", "\u202e"} & {*answer.out, *answer.err}
    names = {row["player"] for row in run("rate", played, "--system", "elo", "--format", "json").json["players"]}
    assert names == {"\x1b[31mAda", "B\x9bo"}  # data stays what it is, but for marks of direction, which are no name


def test_nobody_sees_kyu_who_has_declared_none(tmp_path: Path) -> None:
    """Players of chess or football have no rank; a line through ratings draws one only where somebody asks for it."""
    nobody = games(tmp_path / "nobody.csv", "2026-05-01,Ada,Bo,B+R,0,6.5,club")
    rank = re.compile(r"\b\d{1,2}[kd]\b")
    for command in (("rate",), ("history", "--player", "Ada"), ("explain", "--player", "Ada")):
        name, *more = command
        for system, shown, seen in (
            ("elo", "auto", False),
            ("elo", "all", True),
            ("egf", "auto", True),
            ("egf", "none", False),
        ):
            answer = run(name, nobody, "--system", system, "--ranks", shown, *more)
            assert bool(rank.search(answer.out)) == seen, (command, system, shown)
    declared = games(tmp_path / "declared.csv", "2026-05-01,Ada,Bo,B+R,0,6.5,club")
    declared.write_text("black,white,result,black_rank\nAda,Bo,B+R,3k\n", encoding="utf-8")
    assert rank.search(run("rate", declared, "--system", "elo").out)


def test_whose_ranks_players_have_outlives_conversion_and_messages_name_the_file(tmp_path: Path) -> None:
    table = ranked_on_two_servers(tmp_path / "games.csv", "Where")
    for name in ("again.csv", "again.jsonl", "again.parquet", "again.ledger"):
        assert run("convert", table, "--source-column", "where", "-o", tmp_path / name).status == 0
        ledger = handan.read(tmp_path / name)
        assert sorted(set(ledger.games["server"].cast(pl.String))) == ["", "Fox", "KGS"]
    assert set(handan.read(table, columns={"server": "Where"}).games["source"].cast(pl.String)) == {str(table)}
    for name in ("again.sgf", "again.h9"):
        answer = run("convert", table, "--source-column", "where", "-o", tmp_path / name)
        assert "not written: servers (39 games)" in answer.err
