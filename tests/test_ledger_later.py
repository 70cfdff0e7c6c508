"""Games put behind those of a ledger on disk, and put right in it, say all that files of them would say."""

from __future__ import annotations

from pathlib import Path

import pytest

from handan.ledger.dataset import damage, open_ledger
from handan.ledger.manifest import BUILDING
from tests.command_line import run

HEAD = "date,black,white,result,event,round,black_id\n"
FIRST = "2024-05-01,Ada,Bo,B+R,,,\n2024-05-02,Bo,Cy,W+2.5,Spring,1,\n2024-05-02,Ada,Cy,B+R,Spring,1,\n"


def file(path: Path, rows: str) -> Path:
    path.write_text(HEAD + rows, encoding="utf-8")
    return path


def a_ledger(folder: Path) -> Path:
    assert run("ledger", "build", file(folder / "first.csv", FIRST), "-o", folder / "a.ledger").status == 0
    return folder / "a.ledger"


TODAY = "2024-05-02,Ada,Cy,B+R,Spring,1,\n2024-05-02,Cy,Ada,B+R,Spring,2,\n2024-05-03,Ada,Di,B+R,,,\n"


def test_games_that_are_put_behind_twice_are_counted_and_warned_of(tmp_path: Path) -> None:
    ledger, today = a_ledger(tmp_path), file(tmp_path / "today.csv", TODAY)
    warning = f"{today}: 1 row repeats another (--dedupe leaves it out)"
    answer = run("ledger", "append", ledger, today)
    assert f"warning: {warning}\n" in answer.err
    assert answer.err.endswith("3 games more, 1 new player\n")
    assert warning in [str(problem) for problem in open_ledger(ledger).problems]
    assert f"warning: {warning}" in run("rate", ledger, "-s", "elo").err
    last = file(tmp_path / "last.csv", "2024-05-03,Ada,Di,B+R,,,\n2024-05-03,Ada,Di,W+R,,,\n")
    assert "1 row repeats another" in run("ledger", "append", ledger, last).err
    again = run("ledger", "append", ledger, file(tmp_path / "last.csv", "2024-05-04,Ada,Di,B+R,,,\n"))
    assert "repeat" not in again.err


def test_games_that_stand_there_already_are_left_out_with_dedupe(tmp_path: Path) -> None:
    ledger, today = a_ledger(tmp_path), file(tmp_path / "today.csv", TODAY)
    answer = run("ledger", "append", ledger, today, "--dedupe")
    assert f"warning: {today}: 1 repeated row left out; every game stands once\n" in answer.err
    assert answer.err.endswith("2 games more, 1 new player\n")
    only_there = file(tmp_path / "only.csv", "2024-05-03,Ada,Di,B+R,,,\n")
    assert run("ledger", "append", ledger, only_there, "--dedupe").err.endswith("0 games more, 0 new players\n")
    assert open_ledger(ledger).arrays.facts.equals(open_ledger(ledger).arrays.facts.unique(maintain_order=True))
    assert len(open_ledger(ledger)) == 5
    assert damage(ledger) == []


def test_adjustments_beside_corrections_are_kept(tmp_path: Path) -> None:
    ledger = a_ledger(tmp_path)
    right = file(tmp_path / "right.csv", "2024-05-01,Ada,Bo,W+R,,,\n2024-13-01,Ada,Bo,W+R,,,\n")
    by_hand = tmp_path / "adjustments.csv"
    by_hand.write_text("player,rank,date\nAda,3k,2024-05-01\n", encoding="utf-8")
    assert run("ledger", "correct", ledger, right, "--adjustments", by_hand).status == 1  # a row was left out
    stored = open_ledger(ledger)
    assert [(item.player, str(item.rank)) for item in stored.adjustments] == [("Ada", "3k")]
    assert [problem.line for problem in stored.problems] == [3]
    whole = file(tmp_path / "whole.csv", FIRST.replace("Ada,Bo,B+R", "Ada,Bo,W+R"))
    expected = run("rate", whole, "-s", "egf", "--adjustments", by_hand).out
    assert run("rate", ledger, "-s", "egf").out == expected


@pytest.mark.parametrize(("row", "why"), [
    ("2024-05,Ada,Bo,W+R,,,\n", "Ada against Bo, 2024-05: no such games are there"),
    ("2024-05-02,Ada,Cy,W+R,,,\n", "are of event 'Spring', round 1, and the correction is of no event, no round"),
    ("2024-05-01,Ada,Bo,W+R,,,x:1\n", "Ada (x:1) tells who Ada is; build the ledger anew"),
])  # fmt: skip
def test_a_correction_of_another_month_event_or_id_is_refused(row: str, why: str, tmp_path: Path) -> None:
    ledger = a_ledger(tmp_path)
    before = open_ledger(ledger)
    answer = run("ledger", "correct", ledger, file(tmp_path / "right.csv", row))
    assert (answer.status, why in answer.err) == (2, True), answer.err
    assert open_ledger(ledger) == before


@pytest.mark.parametrize("command", ["append", "correct", "build"])
def test_what_a_killed_build_left_is_removed_by_the_next_writer(command: str, tmp_path: Path) -> None:
    ledger = a_ledger(tmp_path)
    (ledger / BUILDING).mkdir()
    (ledger / BUILDING / "black").write_bytes(b"0" * 100)
    rows = {"append": "2024-05-03,Ada,Bo,B+R,,,\n", "correct": "2024-05-01,Ada,Bo,W+R,,,\n", "build": FIRST}[command]
    given = file(tmp_path / "given.csv", rows)
    assert run("ledger", command, *((given, "-o", ledger) if command == "build" else (ledger, given))).status == 0
    assert not (ledger / BUILDING).exists()


@pytest.mark.parametrize("command", ["verify", "append", "correct"])
def test_a_place_without_a_ledger_is_named_as_such(command: str, tmp_path: Path) -> None:
    given = [] if command == "verify" else [file(tmp_path / "games.csv", FIRST)]
    for path, what in ((tmp_path / "nothere.ledger", "is not there"), (tmp_path, "is no ledger on disk")):
        answer = run("ledger", command, path, *given)
        assert (answer.status, answer.err) == (2, f"handan: {path} {what}; handan ledger build makes one of files\n")


def test_what_is_missing_of_a_ledger_command_is_said_by_its_own_help() -> None:
    assert "more: handan ledger build -h" in run("ledger", "build").err
