"""Where a command writes: a full disk, closed streams, devices, and files that were there before."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.command_line import run
from tests.conftest import ROOT
from tests.processes import program

GAMES = str(ROOT / "examples" / "games.csv")
FULL = Path("/dev/full")
REDIRECTED = """
import os, sys
from handan.__main__ import main
number, target = int(sys.argv.pop(1)), sys.argv.pop(1)
said = os.dup(2)
if target == "closed":
    setattr(sys, {1: "stdout", 2: "stderr"}[number], None)  # as Python begins without it
else:
    os.dup2(os.open(target, os.O_WRONLY), number)
os.write(said, f"status {main()}".encode())
"""
"""Runs a command with one of its streams elsewhere, and prints its status."""

full_disk = pytest.mark.skipif(not FULL.exists(), reason="the system has no device that is always full")


@full_disk
@pytest.mark.parametrize("command", ["rate {} --system elo", "convert {} -o -", "rate {} --system elo --format json"])
def test_an_answer_that_cannot_be_written_is_one_line_and_status_2(command: str) -> None:
    printed = program(REDIRECTED, 1, FULL, *command.format(GAMES).split())
    assert printed == "handan: standard output cannot be written: No space left on device\nstatus 2"


@full_disk
def test_what_cannot_be_said_changes_no_status() -> None:
    assert program(REDIRECTED, 2, FULL, "rate", "nowhere.csv", "--system", "elo") == "status 2"


@pytest.mark.parametrize("stream", [1, 2])
def test_a_closed_stream_is_no_traceback(stream: int) -> None:
    printed = program(REDIRECTED, stream, "closed", "systems")
    assert printed.endswith("status 0")
    assert "Traceback" not in printed


@full_disk
def test_a_device_is_written_to_and_never_replaced() -> None:
    answer = run("report", GAMES, "--system", "elo", "-o", FULL)
    assert (answer.status, answer.err.splitlines()[-1]) == (
        2,
        "handan: /dev/full cannot be written: No space left on device",
    )
    assert FULL.is_char_device()
    assert run("report", GAMES, "--system", "elo", "-o", "/dev/null").status == 0
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize("command", ["report {} --system elo -o {}", "compare {} --systems elo,egf --report {}"])
def test_a_page_that_is_written_again_is_whole_and_as_private_as_it_was(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "club.html"
    page.write_text("earlier", encoding="utf-8")
    page.chmod(0o600)
    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", _full)
        answer = run(*command.format(GAMES, page).split())
    assert answer.status == 2
    assert page.read_text(encoding="utf-8") == "earlier"
    run(*command.format(GAMES, page).split())
    assert "<html" in page.read_text(encoding="utf-8")
    assert page.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["club.html"]


def _full(_: int) -> None:
    raise OSError(28, os.strerror(28))


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_rows_that_cannot_be_written_are_refused_with_the_reason(tmp_path: Path, ending: str) -> None:
    target = tmp_path / "nowhere" / f"rows.{ending}"
    answer = run("rate", GAMES, "--system", "elo", "-o", target)
    assert answer.status == 2
    assert answer.err.splitlines()[-1].startswith(f"handan: {target} cannot be written: No such file or directory")
