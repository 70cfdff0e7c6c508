"""What would not fit into memory is refused before the work begins, with the command that works."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from handan.evidence import doctor
from handan.ledger.disk import save_ledger
from handan.systems import SYSTEMS
from handan.systems.core import memory
from tests.clubs import a_club
from tests.command_line import games as games_file
from tests.command_line import run


def test_the_machine_alone() -> None:
    answer = run("doctor", "--format", "json")
    assert answer.status == 0
    assert answer.json["processors"] >= 1
    assert answer.json["need"] is None


@pytest.mark.skipif(memory.memory() is None, reason="the system does not say how much memory there is")
def test_what_work_took_is_measured() -> None:
    size = 200_000_000
    array, peak = memory.with_peak(lambda: np.ones(size // 8))
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
    monkeypatch.setattr(memory, "memory", lambda: memory.Memory(1000, 50))
    answer = run("rate", file, "-s", "elo")
    assert (answer.status, f"handan ledger build {file} -o games.ledger" in answer.err) == (2, True)
    assert run("rate", tmp_path / "a.ledger", "-s", "elo").status == 0
    answer = run("rate", tmp_path / "a.ledger", "-s", "whr")
    assert (answer.status, "such as --system elo" in answer.err) == (2, True)
