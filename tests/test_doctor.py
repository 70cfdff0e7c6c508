"""What would not fit into memory is refused before the work begins, with the command that works."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from handan.evidence import doctor
from handan.ledger.dataset import open_ledger, save_ledger
from handan.systems import SYSTEMS
from handan.systems.core import memory_limit
from tests.clubs import a_club
from tests.command_line import games as games_file
from tests.command_line import run


def test_the_machine_alone() -> None:
    answer = run("doctor", "--format", "json")
    assert answer.status == 0
    assert answer.json["processors"] >= 1
    assert answer.json["need"] is None


@pytest.mark.skipif(memory_limit.memory() is None, reason="the system does not say how much memory there is")
def test_what_work_took_is_measured() -> None:
    size = 200_000_000
    array, peak = memory_limit.with_peak(lambda: np.ones(size // 8))
    assert peak is None or 0.9 * size < peak < 1.5 * size
    assert len(array) == size // 8


def test_what_a_ledger_needs(tmp_path: Path) -> None:
    save_ledger(a_club(), tmp_path / "a.ledger")
    answer = run("doctor", tmp_path / "a.ledger", "--system", "glicko2", "--format", "json")
    need = answer.json["need"]
    assert (answer.status, answer.json["enough"]) == (0, True)
    assert (need["system"], need["games"], need["in_windows"]) == ("glicko2", len(a_club()), False)
    assert "handan rate" in run("doctor", tmp_path / "a.ledger").out


def test_time_and_memory_grow_with_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "TRIED", 20)
    monkeypatch.setattr(doctor, "LEAST", 0)
    monkeypatch.setattr(doctor, "with_peak", lambda work: (work(), 2000))
    club = a_club()
    need = doctor.need_of(SYSTEMS["elo"](), club)
    assert need.tried == 20
    assert need.memory == pytest.approx(100.0 * len(club))


def test_too_little_memory_is_foreseen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = games_file(tmp_path / "games.csv", "2024-05-01,Ada,Bo,B+R,0,6.5,")
    save_ledger(a_club(), tmp_path / "a.ledger")
    monkeypatch.setattr(memory_limit, "memory", lambda: memory_limit.Memory(1000, 50))
    answer = run("rate", file, "-s", "elo")
    assert (answer.status, f"handan ledger build {file} -o games.ledger" in answer.err) == (2, True)
    assert "another machine" in run("rate", tmp_path / "a.ledger", "-s", "elo").err
    monkeypatch.setattr(memory_limit, "memory", lambda: memory_limit.Memory(10_000, 10_000))
    assert run("rate", tmp_path / "a.ledger", "-s", "elo").status == 0
    answer = run("rate", tmp_path / "a.ledger", "-s", "whr")
    assert (answer.status, "such as --system elo" in answer.err) == (2, True)


def test_a_ledger_is_built_in_pieces_where_files_do_not_fit_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = games_file(tmp_path / "my games.csv", *(f"2024-05-{day:02},Ada,Bo,B+R,0,6.5," for day in range(1, 29)))
    assert run("ledger", "build", file, "-o", tmp_path / "at once.ledger").status == 0
    monkeypatch.setattr(memory_limit, "memory", lambda: memory_limit.Memory(1000, 50))
    assert run("ledger", "build", file, "-o", tmp_path / "pieces.ledger").status == 0
    assert open_ledger(tmp_path / "pieces.ledger") == open_ledger(tmp_path / "at once.ledger")
    answer = run("ledger", "build", file, "-o", tmp_path / "x.ledger", "--dedupe")
    assert (answer.status, "without --aliases, --dedupe," in answer.err) == (2, True)
    assert "handan ledger build" not in answer.err
    answer = run("ledger", "append", tmp_path / "pieces.ledger", file)
    assert (answer.status, "give fewer games at a time" in answer.err) == (2, True)
    other = tmp_path / "games.json"
    other.write_text("[]" + " " * 100, encoding="utf-8")
    for command in (("ledger", "build", other, "-o", tmp_path / "x.ledger"), ("rate", other, "-s", "elo")):
        assert "only CSV, JSON Lines and Parquet are read in pieces" in run(*command).err


def test_folders_that_do_not_fit_and_comparisons_are_foreseen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "season").mkdir()
    games_file(tmp_path / "season" / "games.csv", "2024-05-01,Ada,Bo,B+R,0,6.5,")
    save_ledger(a_club(), tmp_path / "a.ledger")
    monkeypatch.setattr(memory_limit, "memory", lambda: memory_limit.Memory(1000, 50))
    answer = run("rate", tmp_path / "season", "-s", "elo")
    assert (answer.status, "would need about" in answer.err) == (2, True)
    monkeypatch.setattr(memory_limit, "memory", lambda: memory_limit.Memory(10_000, 10_000))
    for command in (("compare", "-s", "elo,whr"), ("tune", "-s", "whr"), ("drift", "-s", "whr")):
        answer = run(command[0], tmp_path / "a.ledger", *command[1:])
        assert (answer.status, "whr solves" in answer.err) == (2, True), command


def test_what_the_doctor_advises_is_what_rate_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger, club = tmp_path / "a.ledger", a_club()
    save_ledger(club, ledger)
    free = int(memory_limit.TOGETHER * len(club)) - 1
    monkeypatch.setattr(memory_limit, "memory", lambda: memory_limit.Memory(10**9, free))
    monkeypatch.setattr(doctor, "memory", memory_limit.memory)
    monkeypatch.setattr(doctor, "with_peak", lambda work: (work(), 2000))
    answer = run("doctor", ledger, "-s", "whr")
    assert (answer.status, run("rate", ledger, "-s", "whr").status) == (2, 2)
    assert f"handan rate {ledger} with a system that takes games one after another" in answer.out
    assert "ledger build" not in answer.out
    monkeypatch.setattr(doctor, "LEAST", 0)
    monkeypatch.setattr(doctor, "with_peak", lambda work: (work(), 10**9))
    assert "elo takes the games of a ledger on disk already" in run("doctor", ledger, "-s", "elo").out


def test_the_doctor_names_the_whole_command(tmp_path: Path) -> None:
    files = [games_file(tmp_path / name, "2024-05-01,Ada,Bo,B+R,0,6.5,") for name in ("my games.csv", "more.csv")]
    answer = run("doctor", *files, "-s", "elo", "--set", "k=20")
    assert f"handan rate '{files[0]}' {files[1]} --system elo --set k=20 would do" in answer.out
    empty = games_file(tmp_path / "head.csv")
    answer = run("doctor", empty)
    assert (answer.status, answer.err) == (2, f"handan: no game was read of {empty}\n")
