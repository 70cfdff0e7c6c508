"""Files read together: tournaments saved again and again, and names with lost letters."""

from __future__ import annotations

import re
from pathlib import Path
from zipfile import ZipFile

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
