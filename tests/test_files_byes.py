"""Rows of tables in which a player has no opponent: byes of the event, in every format that holds them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import handan
from handan.ledger import Bye, Ledger
from handan.ledger.events import joined
from tests.command_line import run
from tests.spreadsheets import Sheet, excel

CUP = """date,event,round,black,black_rank,white,white_rank,result
2026-05-16,Cup,1,Ada Lind,2k,Bo Quist,1k,B+
2026-05-16,Cup,1,Cy Falk,3k,bye,,
2026-05-16,Cup,2,Ada Lind,2k,Cy Falk,3k,W+
2026-05-16,Cup,2,-,,Bo Quist,1k,=
2026-05-16,Cup,3,Cy Falk,3k,Bo Quist,1k,B+
2026-05-16,Cup,3,Ada Lind,2k,BYE,,-
"""
WITHOUT_EVENT = CUP.replace(",Cup,", ",,")
BYES = {"Ada Lind": ((3, Bye.ZERO_POINT),), "Bo Quist": ((2, Bye.HALF_POINT),), "Cy Falk": ((1, Bye.ALLOCATED),)}


def byes_of(ledger: Ledger) -> dict[str, tuple[tuple[int, Bye], ...]]:
    return {each.player.name: each.byes for event in joined(ledger.events) for each in event.participants if each.byes}


def omissions_in(err: str) -> list[str]:
    return [line.partition(": ")[2] for line in err.splitlines() if line.startswith("not written")]


@pytest.mark.parametrize("text", [CUP, WITHOUT_EVENT])
def test_byes_of_a_table_are_checked_converted_and_read_back(text: str, tmp_path: Path) -> None:
    games = tmp_path / "games.csv"
    games.write_text(text, encoding="utf-8")
    [report] = json.loads(run("check", games, "--format", "json").out)["files"]
    assert [report[name] for name in ("games", "byes", "half_byes", "absences")] == [3, 1, 1, 1]
    assert [problem["rejected"] for problem in report["problems"]] == [False] * 3
    for name in ("cup.h9", "cup.tou"):
        answer = run("convert", games, "-o", tmp_path / name)
        assert not {"byes", "absences"} & set(" ".join(omissions_in(answer.err)).split())
        assert byes_of(handan.read(tmp_path / name)) == BYES
    answer = run("convert", games, "-o", tmp_path / "cup.xml")
    assert "which are rounds without a game there since others brought half a point (1 round)" in answer.err
    back = byes_of(handan.read(tmp_path / "cup.xml"))
    assert back == {"Bo Quist": ((2, Bye.HALF_POINT),), "Cy Falk": ((1, Bye.ALLOCATED),)}
    [event] = handan.read(tmp_path / "cup.xml").events
    figures = [(each.player.name, each.figures[0]) for each in event.participants]
    assert figures == [("Cy Falk", "3"), ("Ada Lind", "1"), ("Bo Quist", "0.5")]


def test_an_opengotha_file_of_a_table_with_one_bye_reads_back_as_the_table(tmp_path: Path) -> None:
    games = tmp_path / "games.csv"
    games.write_text("\n".join(CUP.splitlines()[:4]), encoding="utf-8")
    run("convert", games, "-o", tmp_path / "cup.xml")
    absent = {"Bo Quist": ((2, Bye.ZERO_POINT),)}
    assert byes_of(handan.read(tmp_path / "cup.xml")) == {"Cy Falk": ((1, Bye.ALLOCATED),)} | absent


@pytest.mark.parametrize("text", [CUP, WITHOUT_EVENT])
def test_points_of_an_event_are_those_of_games_and_byes(text: str, tmp_path: Path) -> None:
    games = tmp_path / "games.csv"
    games.write_text(text, encoding="utf-8")
    event = json.loads(run("event", games, "--system", "egf", "--json").out)
    assert [(line["player"], line["score"], line["points"]) for line in event["players"]] == [
        ("Cy Falk", 2, 3), ("Ada Lind", 1, 1), ("Bo Quist", 0, 0.5),
    ]  # fmt: skip
    heads = [line.split() for line in run("event", games, "--system", "egf").out.splitlines() if "score" in line]
    assert "points" in heads[0]


def test_without_byes_no_column_of_points_is_shown(tmp_path: Path) -> None:
    games = tmp_path / "games.csv"
    games.write_text("\n".join(line for line in CUP.splitlines() if "bye" not in line.lower() and ",-," not in line))
    assert "points" not in run("event", games, "--system", "egf").out


FIRST = "date,event,round,black,white,result\n2026-05-16,Cup,1,Ada,Bo,B+\n"


@pytest.mark.parametrize(
    ("row", "bye"),
    [
        ("Cy,bye,", Bye.ALLOCATED), ("Cy,bye,+", Bye.ALLOCATED), ("Cy,bye,B+", Bye.ALLOCATED),
        ("bye,Cy,W+", Bye.ALLOCATED), ("bye,Cy,+", Bye.ALLOCATED), ("Cy,free,1-0", Bye.ALLOCATED),
        ("Cy,Freilos,?", Bye.ALLOCATED), ("Cy,bye,B+R", Bye.ALLOCATED), ("Cy,-,+", Bye.ALLOCATED),
        ("Cy,absent,B+F", Bye.ALLOCATED), ("Cy,half-point bye,", Bye.HALF_POINT), ("Cy,bye,=", Bye.HALF_POINT),
        ("Cy,bye,\u00bd", Bye.HALF_POINT), ("Cy,bye,jigo", Bye.HALF_POINT), ("Cy,bye,-", Bye.ZERO_POINT),
        ("Cy,bye,0-1", Bye.ZERO_POINT), ("Cy,-,W+", Bye.ZERO_POINT), ("bye,Cy,B+", Bye.ZERO_POINT),
        ("Cy,-,", None), ("Cy,TBD,?", None), ("Cy,?,B+R", None), ("Cy,bye,never", None), ("bye,Cy,0", None),
        ("Cy,x,+", None),
    ],
)  # fmt: skip
def test_the_result_of_a_row_says_which_bye_it_is(row: str, bye: Bye | None) -> None:
    ledger = handan.read(f"{FIRST}2026-05-16,Cup,2,{row}\n".encode())
    assert byes_of(ledger) == ({"Cy": ((2, bye),)} if bye else {})
    [problem] = ledger.problems
    assert problem.line == 3
    assert ("left out" in str(problem)) == (bye is None)
    assert len(ledger) == 1


@pytest.mark.parametrize("row", [",bye,", "bye,bye,"])
def test_a_bye_of_nobody_is_left_out(row: str) -> None:
    ledger = handan.read(f"{FIRST}2026-05-16,Cup,2,{row}\n".encode())
    assert byes_of(ledger) == {}
    assert "left out" in str(ledger.problems[0])


def test_a_bye_without_a_readable_round_is_a_problem_of_that_round() -> None:
    ledger = handan.read(f"{FIRST}2026-05-16,Cup,soon,Cy,bye,\n".encode())
    assert byes_of(ledger) == {}
    assert [(problem.field, problem.line, problem.rejected) for problem in ledger.problems] == [("round", 3, True)]


def test_a_second_bye_of_one_round_is_left_out() -> None:
    ledger = handan.read(f"{FIRST}2026-05-16,Cup,2,Cy,bye,+\n2026-05-16,Cup,2,Cy,bye,-\n".encode())
    assert byes_of(ledger) == {"Cy": ((2, Bye.ALLOCATED),)}
    assert [(problem.line, "left out" in str(problem)) for problem in ledger.problems] == [(3, False), (4, True)]


def test_byes_of_other_tables_have_the_players_of_their_games() -> None:
    german = "Datum;Runde;Schwarz;Wei\u00df;Ergebnis\n" + "".join(
        f"16.5.2026;{row}\n"
        for row in ("1;Ada 2k;Bo 1k;S+", "1;Cy 3k;Freilos;S+", "2;Cy 3k;Ada 2k;W+", "2;Bo 1k;spielfrei;")
    )
    ledger = handan.read(german.encode())
    assert byes_of(ledger) == {"Cy": ((1, Bye.ALLOCATED),), "Bo": ((2, Bye.ALLOCATED),)}
    assert {each.rank for event in ledger.events for each in event.participants} == {"3k", "1k"}
    winners = handan.read(b"round,winner,loser\n1,Ada,Bo\n1,Cy,bye\n")
    assert byes_of(winners) == {"Cy": ((1, Bye.ALLOCATED),)}
    pairs = handan.read(b"round,game,winner\n1,Ada vs Bo,Ada\n1,Cy vs bye,Cy\n2,Ada vs bye,\n")
    assert byes_of(pairs) == {"Cy": ((1, Bye.ALLOCATED),), "Ada": ((2, Bye.ALLOCATED),)}


def test_events_of_one_name_and_other_years_have_their_own_byes() -> None:
    ledger = handan.read((CUP + CUP.replace("2026-05-16", "2025-05-17").split("\n", 1)[1]).encode())
    assert [(event.name, str(event.first)) for event in ledger.events] == [("Cup", "2026-05-16"), ("Cup", "2025-05-17")]
    assert all({each.player.name: each.byes for each in event.participants} == BYES for event in ledger.events)


def test_rounds_in_worksheets_of_their_own_keep_their_byes(tmp_path: Path) -> None:
    heads = ["date", "black", "white", "result"]
    first = Sheet("Round 1", [heads, ["2026-05-16", "Ada", "Bo", "B+"], ["2026-05-16", "Cy", "bye", "+"]])
    second = Sheet("Round 2", [heads, ["2026-05-17", "Ada", "Cy", "B+"], ["2026-05-17", "Bo", "bye", "="]])
    path = tmp_path / "cup.xlsx"
    path.write_bytes(excel(first, second))
    run("convert", path, "-o", tmp_path / "cup.h9")
    assert byes_of(handan.read(tmp_path / "cup.h9")) == {"Cy": ((1, Bye.ALLOCATED),), "Bo": ((2, Bye.HALF_POINT),)}


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_a_tournament_file_becomes_a_table_and_a_tournament_file_again_with_its_byes(
    ending: str, tmp_path: Path
) -> None:
    (tmp_path / "games.csv").write_text(f"{CUP}2026-05-16,Cup,4,Dee Ros,5k,free point,,+\n", encoding="utf-8")
    byes = BYES | {"Dee Ros": ((4, Bye.FULL_POINT),)}
    run("convert", tmp_path / "games.csv", "-o", tmp_path / "cup.h9")
    in_h9 = byes_of(handan.read(tmp_path / "cup.h9"))
    for source, there in (("games.csv", byes), ("cup.h9", in_h9)):
        answer = run("convert", tmp_path / source, "-o", tmp_path / f"again.{ending}")
        assert not [
            text for text in omissions_in(answer.err) if "bye" in text or "absence" in text or "point (" in text
        ]
        again = handan.read(tmp_path / f"again.{ending}")
        assert byes_of(again) == there
        assert {each.rank for event in again.events for each in event.participants} == {"1k", "2k", "3k", "5k"}
        assert [*again] == [*handan.read(tmp_path / source)]


def test_formats_of_games_alone_say_that_byes_are_not_written(tmp_path: Path) -> None:
    (tmp_path / "games.csv").write_text(CUP, encoding="utf-8")
    for name in ("cup.aga", "cup.jsonl", "cup.parquet"):
        answer = run("convert", tmp_path / "games.csv", "-o", tmp_path / name)
        assert {"half byes (1 round)", "absences (1 round)"} <= {*omissions_in(answer.err)}
    assert len((tmp_path / "cup.jsonl").read_text(encoding="utf-8").splitlines()) == 3, "each object is a game"


def test_a_ledger_that_is_built_in_pieces_keeps_the_byes_of_all(tmp_path: Path) -> None:
    from handan.files.ledger_building import build

    (tmp_path / "games.csv").write_text(CUP, encoding="utf-8")
    assert byes_of(build([tmp_path / "games.csv"], tmp_path / "whole.ledger", size=120)) == BYES


def test_a_bye_without_a_round_is_of_the_only_round_in_which_the_player_has_no_game(tmp_path: Path) -> None:
    rounds = CUP.replace("Cup,1,Cy Falk,3k,bye", "Cup,,Cy Falk,3k,bye").replace(
        "Cup,3,Ada Lind,2k,BYE", "Cup,,Ada Lind,2k,BYE"
    )
    games = tmp_path / "games.csv"
    games.write_text(rounds, encoding="utf-8")
    assert byes_of(handan.read(games)) == BYES
    run("convert", games, "-o", tmp_path / "cup.h9")
    assert byes_of(handan.read(tmp_path / "cup.h9")) == BYES
    several = handan.read(f"{FIRST}2026-05-16,Cup,2,Ada,Bo,B+\n2026-05-16,Cup,,Cy,bye,\n".encode())
    assert byes_of(several) == {}
    assert "left out" in str(several.problems[0])


def test_a_bye_in_a_table_without_rounds_is_left_out_with_the_reason() -> None:
    [problem] = handan.read(b"black,white,result\nAda,Bo,B+\nCy,bye,\n").problems
    assert str(problem) == "bytes line 3: white 'bye' is no player but a bye; left out, since no column tells its round"
