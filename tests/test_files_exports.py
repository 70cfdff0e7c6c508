"""Exports of registers and servers; the samples are made by hand, all names and numbers invented."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import handan
from handan.ledger import Ledger
from tests.command_line import run

SAMPLES = Path(__file__).parent / "samples" / "exports"
EGD = (SAMPLES / "egd_dump.csv").read_text(encoding="utf-8")
AGAGD = (SAMPLES / "agagd_games.csv").read_text(encoding="utf-8")
OGS = (SAMPLES / "ogs_export.csv").read_text(encoding="utf-8")
PAIRS = (SAMPLES / "pairs.csv").read_text(encoding="utf-8")


def read(path: Path, data: bytes) -> Ledger:
    path.write_bytes(data)
    return handan.read(path)


def rows_of(ledger: Ledger) -> list[tuple[str, str, str, str]]:
    return [(str(game.date), game.black, game.white, str(game.result)) for game in ledger]


def test_a_dump_of_the_european_database_is_read(tmp_path: Path) -> None:
    ledger = read(tmp_path / "dump.csv", EGD.encode())
    assert rows_of(ledger) == [
        ("2026-05-01", "22222222", "11111111", "B+"),
        ("2026-05-01", "11111111", "33333333", "B+"),
        ("2026-05-01", "22222222", "33333333", "P2+"),
        ("2026-05-01", "22222222", "11111111", "jigo"),
    ]
    assert [game.komi for game in ledger] == [6.5, 0.5, 6.5, 6.5]
    assert ledger[0].black_id == "egd:22222222"
    assert [(problem.line, problem.field) for problem in ledger.problems] == [(6, "result")]


def test_a_column_that_a_dump_does_not_have_elsewhere_is_named_and_not_read(tmp_path: Path) -> None:
    head, *rows = EGD.splitlines()
    ledger = read(tmp_path / "dump.csv", "\n".join([f"{head},Komi", *(f"{row},7.5" for row in rows)]).encode())
    assert [game.komi for game in ledger] == [6.5, 0.5, 6.5, 6.5]
    warned = [(problem.line, problem.found) for problem in ledger.problems if not problem.rejected]
    assert warned == [(1, "komi")]


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_games_of_the_american_database_are_read(tmp_path: Path, encoding: str) -> None:
    ledger = read(tmp_path / "games.csv", AGAGD.encode(encoding))
    assert rows_of(ledger) == [("2026-05-01", "1002", "1001", "W+"), ("2026-05-01", "1001", "1003", "B+")]
    assert (ledger[0].black_rank, ledger[0].white_rank, ledger[0].white_id) == ("1k", "3d", "aga:1001")
    assert [game.kind for game in ledger] == ["tournament", "free"]
    assert handan.rate(ledger, "aga").rated == 1
    assert [problem.line for problem in ledger.problems] == [4]


def test_games_of_the_american_database_may_lack_what_no_rating_needs(tmp_path: Path) -> None:
    head = (
        "Game_ID,Tournament_Code,Game_Date,Round,Pin_Player_1,Color_1,Rank_1,Pin_Player_2,Rank_2,Handicap,Komi,Result"
    )
    ledger = read(tmp_path / "games.csv", f"{head}\n1,Cup,2026-05-01,1,1001,W,3d,1002,1k,3,0,W\n".encode())
    assert rows_of(ledger) == [("2026-05-01", "1002", "1001", "W+")]
    assert (ledger[0].black_rank, ledger[0].handicap, ledger[0].kind) == ("1k", 3, "tournament")
    bare = "Game_Date,Pin_Player_1,Color_1,Pin_Player_2,Result\n2026-05-01,1001,B,1002,W\n"
    assert rows_of(read(tmp_path / "bare.csv", bare.encode())) == [("2026-05-01", "1001", "1002", "W+")]


def test_an_export_of_the_online_go_server_is_read(tmp_path: Path) -> None:
    ledger = read(tmp_path / "ogs.csv", OGS.encode())
    by_row = sorted(ledger, key=lambda game: game.entry or 0)
    results = sorted(str(game.result) for game in by_row)
    assert results == sorted(["B+R", "W+9.5", "B+T", "W+", "both-lose", "void", "?"])
    assert {game.size for game in ledger} == {9, 13, 19}
    assert {game.event for game in ledger} == {"", "ladder 7", "tournament 55"}
    assert next(game.notes for game in ledger if str(game.result) == "W+") == "Disconnection"
    assert ledger[0].black_id == "ogs:101"
    assert handan.rate(ledger, "ogs").rated == 4
    assert not ledger.problems


@pytest.mark.parametrize("header", ["", "player1,player2,1|0,event,days\n", "player1,player2,result,event,days\n"])
def test_pairs_with_days_are_read_with_and_without_a_header(tmp_path: Path, header: str) -> None:
    # 20574 days after 1970-01-01 is 2026-05-01
    ledger = read(tmp_path / "pairs.csv", (header + PAIRS).encode())
    assert rows_of(ledger) == [("2026-05-01", "Ada", "Bo", "P1+"), ("2026-05-02", "Bo", "Cy", "P2+")]
    assert [game.event for game in ledger] == ["Club evening"] * 2
    remark = "line 1: the table has no headings; its columns are taken by their places: player1, player2, result"
    assert [remark in str(problem) for problem in ledger.problems] == ([] if header else [True])


def test_lines_of_pairs_without_a_header_are_counted_from_the_first(tmp_path: Path) -> None:
    ledger = read(tmp_path / "pairs.csv", (PAIRS + "Ada,Ada,1,Club evening,20576\n").encode())
    assert [(problem.line, problem.field) for problem in ledger.problems] == [(1, ""), (3, "white")]


@pytest.mark.parametrize(
    ("text", "name"), [(EGD, "EGD dump"), (AGAGD, "AGAGD games"), (OGS, "OGS export"), (PAIRS, "pairs with days")]
)
def test_check_names_the_format(tmp_path: Path, text: str, name: str) -> None:
    path = tmp_path / "export"
    path.write_text(text, encoding="utf-8")
    assert name in run("check", str(path)).out


def test_numbers_of_a_go_server_in_the_place_of_ranks_are_no_ranks(tmp_path: Path) -> None:
    # CGOS writes ratings such as 2305? where game records have ranks
    path = tmp_path / "cgos.sgf"
    path.write_text(
        "(;GM[1]SZ[19]PB[engine-a]PW[engine-b]BR[2305?]WR[1987]RE[B+R]DT[2026-05-01]KM[7.5])", encoding="utf-8"
    )
    game = handan.read(path)[0]
    assert (game.black_rank, game.white_rank, str(game.result)) == ("", "", "B+R")


def ogs_game(**changes: Any) -> dict[str, Any]:
    player = {"id": 11, "username": "ada", "ranking": 27.75, "professional": False}
    other = {"id": 12, "username": "bo", "ranking": 30.1, "professional": False}
    game = {"players": {"black": player, "white": other}, "id": 1, "black": 11, "white": 12, "width": 19, "height": 19,
            "ranked": True, "handicap": 0, "komi": "6.50", "outcome": "Resignation", "black_lost": False,
            "white_lost": True, "annulled": False, "ended": "2026-03-01T11:30:00Z"}  # fmt: skip
    return {**game, **changes}


def test_games_of_the_online_go_server_are_read_from_its_interface(tmp_path: Path) -> None:
    ledger = read(tmp_path / "games.json", (SAMPLES / "ogs_games.json").read_bytes())
    assert [(game.black, game.white, str(game.result), game.handicap, game.komi, game.size) for game in ledger] == [
        ("ada", "bo", "B+R", 2, 0.5, 19), ("bo", "ada", "W+9.5", 0, 7.5, 19), ("bo", "ada", "void", 0, 7.5, 9),
    ]  # fmt: skip
    assert (ledger[0].black_id, ledger[0].black_rank, ledger[0].white_rank) == ("ogs:11", "3k", "1d")
    assert [(str(problem), problem.rejected) for problem in ledger.problems] == [
        (f"{tmp_path}/games.json: 1 game was annulled at the server; kept as void, and not rated", False)
    ]


def test_pages_of_games_lines_of_games_and_one_game_are_alike(tmp_path: Path) -> None:
    one, other = ogs_game(), ogs_game(id=2, ended="2026-03-02T08:00:00.12-05:00", outcome="2.5 points")
    texts = [
        json.dumps([{"results": [one]}, {"results": [other]}]), json.dumps([one, other]),
        f"{json.dumps(one)}\n{json.dumps(other)}\n",
    ]  # fmt: skip
    for text in texts:
        rows = rows_of(read(tmp_path / "games.json", text.encode()))
        assert rows == [("2026-03-01 11:30:00", "ada", "bo", "B+R"), ("2026-03-02 13:00:00", "ada", "bo", "B+2.5")]
    assert len(read(tmp_path / "games.json", json.dumps(one).encode())) == 1


@pytest.mark.parametrize(
    ("changes", "result", "kind"),
    [
        ({"outcome": "Timeout", "black_lost": True, "white_lost": False}, "W+T", "server"),
        ({"outcome": "Cancellation", "annulled": True}, "void", "server"), ({"ranked": False}, "B+R", "free"),
        ({"outcome": "0 points", "white_lost": False}, "jigo", "server"), ({"outcome": "0 points"}, "B+0", "server"),
    ],
)  # fmt: skip
def test_outcomes_of_the_online_go_server(tmp_path: Path, changes: dict[str, Any], result: str, kind: str) -> None:
    [game] = read(tmp_path / "game.json", json.dumps(ogs_game(**changes)).encode())
    assert (str(game.result), game.kind) == (result, kind)


def test_a_rank_is_that_of_the_day_of_the_game_where_it_is_known(tmp_path: Path) -> None:
    # 1919 is 30.0 on the server's scale, as its own program reckons: ln(1919 / 525) * 23.15 = 30.01, 1 dan
    that_day = {
        side: {"ratings": {"overall": {"rating": rating}}} for side, rating in (("black", 1919.0), ("white", 1500))
    }
    [game] = read(tmp_path / "game.json", json.dumps(ogs_game(historical_ratings=that_day)).encode())
    assert (game.black_rank, game.white_rank) == ("1d", "6k")


def test_games_of_the_online_go_server_that_are_none_of_two_players_are_said(tmp_path: Path) -> None:
    games = [ogs_game(), ogs_game(rengo=True), ogs_game(height=13), ogs_game(ended=None, outcome="")]
    ledger = read(tmp_path / "games.json", json.dumps({"results": games}).encode())
    assert len(ledger) == 1
    assert [(each.line, each.field) for each in ledger.problems] == [(2, "rengo"), (3, "height")]
