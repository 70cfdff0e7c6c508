"""Files read together: tournaments saved again and again, and names with lost letters."""

from __future__ import annotations

import re
from pathlib import Path
from zipfile import ZipFile

import pytest

from handan.files import read
from handan.ledger import Ledger
from tests.conftest import ROOT

SAMPLES = ROOT / "tests" / "samples"
WHOLE = (SAMPLES / "cup.xml").read_text(encoding="utf-8")
EARLY = re.sub(r"<Game [^>]*roundNumber=\"[23]\"[^>]*/>", "", WHOLE)


def saved(folder: Path, *texts: str) -> Ledger:
    for number, text in enumerate(texts, 1):
        (folder / f"{number}.xml").write_text(text, encoding="utf-8")
    return read(folder)


def left_out(ledger: Ledger) -> list[str]:
    return [problem.source.rsplit("/", 1)[-1] for problem in ledger.problems if problem.field == "file"]


def test_the_games_of_a_tournament_saved_again_and_again_count_once(tmp_path: Path) -> None:
    paired = re.sub(r"RESULT_\w+", "RESULT_UNKNOWN", EARLY)  # the first round before it was played
    ledger = saved(tmp_path, paired, EARLY, WHOLE, EARLY)
    assert ledger.arrays.facts.equals(read(SAMPLES / "cup.xml").arrays.facts)
    assert left_out(ledger) == ["1.xml", "2.xml", "4.xml"]
    assert not [problem for problem in ledger.problems if problem.field == "file" and problem.rejected]


def test_files_of_an_archive_are_read_together_too(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "rounds.zip", "w") as archive:
        archive.writestr("a/1.xml", EARLY)
        archive.writestr("a/2.xml", WHOLE)
    ledger = read(tmp_path / "rounds.zip")
    assert ledger.arrays.facts.equals(read(SAMPLES / "cup.xml").arrays.facts)
    assert len(left_out(ledger)) == 1


def test_tournaments_of_one_name_and_day_without_a_common_game_are_two(tmp_path: Path) -> None:
    other = (
        WHOLE.replace("Lindqvist", "Quist").replace("LINDQVIST", "QUIST").replace("Tan", "Ran").replace("TAN", "RAN")
    )
    other_early = (
        EARLY.replace("Lindqvist", "Quist").replace("LINDQVIST", "QUIST").replace("Tan", "Ran").replace("TAN", "RAN")
    )
    ledger = saved(tmp_path, WHOLE, other, EARLY, other_early)
    assert len(ledger) == 2 * len(read(SAMPLES / "cup.xml"))
    assert left_out(ledger) == ["3.xml", "4.xml"]


def test_another_name_or_day_is_another_tournament(tmp_path: Path) -> None:
    ledger = saved(tmp_path, WHOLE, WHOLE.replace("2025-05-03", "2025-06-03"))
    assert len(ledger) == 2 * len(read(SAMPLES / "cup.xml"))
    assert left_out(ledger) == []


def test_a_name_with_lost_letters_joins_no_two_files_unless_it_has_an_id(tmp_path: Path) -> None:
    head = "; EV[{}]\n; DT[2025-05-{:02}]\n"
    rows = "1 M?ller Ada 3d GB Ldn 2+\n2 Tan Bo 1k GB Ldn 1- |10000002\n"
    for day in (3, 4):
        (tmp_path / f"{day}.h9").write_text(head.format("Cup", day) + rows, encoding="utf-8")
    ledger = read(tmp_path)
    assert [player.name for player in ledger.players] == ["M?ller Ada#1", "M?ller Ada#2", "Tan Bo"]
    named = rows.replace("2+", "2+ |10000001")
    for day in (3, 4):
        (tmp_path / f"{day}.h9").write_text(head.format("Cup", day) + named, encoding="utf-8")
    assert [player.name for player in read(tmp_path).players] == ["M?ller Ada", "Tan Bo"]
    table = "black,white,result\nWho?,Bo,B+\n"  # the user's own keys
    for number in (1, 2):
        (tmp_path / f"{number}.csv").write_text(table, encoding="utf-8")
    assert len(read([tmp_path / "1.csv", tmp_path / "2.csv"]).players) == 2


HEAD = "date,black,white,result"
TABLES = {
    "in order": (f"{HEAD}\n2024-01-01,Ada,Bo,B+R\n2024-01-02,Bo,Ada,W+2.5\n"),
    "not in order": (f"{HEAD}\n2024-02-01,Ada,Bo,B+R\n2024-01-02,Bo,Cy,W+2.5\n2024-01-02,Bo,Ada,jigo\n"),
    "events and rounds": (
        f"{HEAD},event,round,handicap,komi\n2024-01-02,Ada,Bo,B+R,Cup,2,,6.5\n2024-01-02,Bo,Ada,W+,Cup,,3,0.5\n"
        "2024-01-02,Bo,Ada,W+,,1,,\n"
    ),
    "times of day and days without one": (f"{HEAD}\n2024-01-02 14:30,Ada,Bo,B+\n,Bo,Ada,W+\n2024-01-02,Bo,Ada,W+\n"),
    "no dates": ("black,white,result\nAda,Bo,B+\nBo,Ada,W+\n"),
    "names with blanks and marks": (f"{HEAD}\n2024-01-01, Ada  Øre ,Bo,B+R\n2024-01-02,Ada Øre,Bo,W+\n"),
    "quoted": (f'{HEAD}\n2024-01-01,"Øre, Ada",Bo,B+R\n2024-01-02,Bo,"Øre, Ada",W+R\n'),
    "ids": ("black,black_id,white,white_id,result\nAda,egd:1,Bo,,B+\nAda,egd:2,Bo,egd:3,W+\nCy,,Ada,egd:2,W+\n"),
    "repeated": (f"{HEAD}\n2024-01-01,Ada,Bo,B+R\n2024-01-01,Ada,Bo,B+R\n2024-01-03,Ada,Bo,W+\n"),
    "an unread column": (f"{HEAD},colour of the sky\n2024-01-01,Ada,Bo,B+R,blue\n2024-01-01,Ada,Bo,W+R,grey\n"),
    "two spellings of an id": ("black,black_id,white,result\nAda,egd:1,Bo,B+\nAda L,egd:1,Bo,W+\n"),
    "against oneself": (f"{HEAD}\n2024-01-01,Ada,Ada,B+R\n2024-01-01,Ada,Bo,W+R\n"),
    "a year": (f"{HEAD}\n2024,Ada,Bo,B+R\n2024,Ada,Bo,W+R\n"),
    "day first": (f"{HEAD}\n31.01.2024,Ada,Bo,B+R\n31.01.2024,Ada,Bo,W+R\n"),
    "tomorrow's tomorrow": (f"{HEAD}\n2999-01-01,Ada,Bo,B+R\n2024-01-01,Ada,Bo,W+R\n"),
    "dates that no game has, with time and without": (
        f"{HEAD}\n1599-12-31,Ada,Bo,B+R\n2024-01-01 14:30,Ada,Bo,W+R\n2999-01-01 09:00,Bo,Cy,W+R\n1599-12-31,Cy,Bo,W+\n"
    ),
    "no likely date": (f"{HEAD}\n2999-01-01,Ada,Bo,B+R\n2999-01-01,Bo,Cy,W+R\n"),
    "a bad result": (f"{HEAD}\n2024-01-01,Ada,Bo,soon\n2024-01-01,Ada,Bo,W+R\n"),
    "a short row": (f"{HEAD}\n2024-01-01,Ada,Bo\n2024-01-01,Ada,Bo,W+R\n"),
    "no name": (f"{HEAD}\n2024-01-01,,Bo,B+\n2024-01-01,Ada,Bo,W+R\n"),
    "twelve stones": (f"{HEAD},handicap\n2024-01-01,Ada,Bo,B+,12\n2999-01-01,Ada,Bo,W+R,11\n"),
    "a remark": (f"{HEAD}\n2024-01-01,Ada,Bo,B+Offline\n2024-01-01,Ada,Bo,W+R\n"),
    "entries": (f"{HEAD},entry\n2024-01-01,Ada,Bo,B+,2\n2024-01-01,Ada,Bo,W+R,1\n2024-01-01,Ada,Bo,W+T,\n"),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_the_same_ledger_alone_and_beside_an_empty_one(name: str, tmp_path: Path) -> None:
    table, empty = tmp_path / "games.csv", tmp_path / "empty.csv"
    table.write_text(TABLES[name], encoding="utf-8")
    empty.write_text("black,white,result\n", encoding="utf-8")
    alone, beside = read(table), read([table, empty])
    assert alone.games.equals(beside.games)
    assert (alone, alone.players, alone.problems) == (beside, beside.players, beside.problems)


def test_files_stand_in_the_order_of_the_numbers_in_their_names_which_may_say_the_round(tmp_path: Path) -> None:
    for number in (1, 2, 10):
        (tmp_path / f"round{number}.csv").write_text(f"black,white,result\nAda,Bo,B+{number}\n", encoding="utf-8")
    for source in (tmp_path, tmp_path / "round*.csv"):
        games = [(game.round, str(game.result)) for game in read(source)]
        assert games == [(1, "B+1"), (2, "B+2"), (10, "B+10")]
