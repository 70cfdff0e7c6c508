"""Ctrl-C at any moment of any long command: status 130, one line, and no file that was not whole."""

from __future__ import annotations

import random
import shlex
import shutil
import signal
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

import handan
from tests.conftest import ROOT
from tests.forms import extended_but
from tests.processes import inherited, program

GAMES = ROOT / "examples" / "club" / "games.csv"
COMMANDS = {
    "rate": "rate {games} --system whr",
    "save": "rate {games} --system elo --save out",
    "add": "add saved {later}",
    "compare": "compare {games} --systems elo,egf",
    "tune": "tune {games} --system elo --over k=10..40",
    "report": "report {games} --system elo -o out.html",
    "ledger build": "ledger build {games} -o out.ledger",
    "convert": "convert {games} out.parquet",
    "check": "check {games}",
    "drift": "drift {games} --system elo",
    "fit-card": "fit-card {games}",
    "stress": "stress --systems elo",
    "simulate": "simulate out.csv --set players=50 --set games=20000",
    "players": "players {games} --merge-candidates",
    "print": "print cards {games} --card tokyo15 -o out.html",
}
LONGEST = 0.6  # seconds until the last of the moments
LATE = 100.0  # seconds; no command here takes so long
STOPPED = """
import os, signal, sys
from handan.__main__ import main
os.chdir(sys.argv.pop(1))
os.environ["HANDAN_KERNELS"] = "plain"
signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
signal.setitimer(signal.ITIMER_REAL, float(sys.argv.pop(1)))
status = main()
signal.setitimer(signal.ITIMER_REAL, 0)
sys.stdout.flush()
print(f"\\nstatus {status}")
"""
"""Runs a command in a folder, with a Ctrl-C so many seconds after its start."""

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no alarm clock")


def content(folder: Path) -> dict[str, bytes]:
    """Return what counts in a folder: the head of the ratings that are saved there, and every file of an output."""
    files = [folder / "saved" / "head.json", *folder.glob("out*"), *folder.glob("out*/**/*")]
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b"" for path in files}


@pytest.mark.parametrize("name", extended_but({"rate", "add", "compare"}, COMMANDS))
def test_ctrl_c_at_any_moment_ends_a_command_with_one_line(name: str, tmp_path: Path) -> None:
    stopped, whole = tmp_path / "stopped", tmp_path / "whole"
    handan.save(handan.rate(handan.read(ROOT / "examples" / "games.csv"), "elo"), stopped / "saved")
    shutil.copytree(stopped, whole)
    moment = random.Random(zlib.crc32(name.encode())).uniform(0.01, LONGEST)
    line = shlex.split(COMMANDS[name].format(games=GAMES, later=GAMES))
    printed = program(STOPPED, stopped, moment, *line).splitlines()
    # no traceback of ours; Rust's libraries may quote one on the line on which they say that they panic
    assert not any(text.startswith("Traceback") for text in printed)
    if printed[-1] == "status 130":
        assert "handan: stopped" in printed
        assert {path.name for path in stopped.iterdir()} <= {"saved", *line}
        if content(stopped) != content(whole):  # the stop came when all was written
            program(STOPPED, whole, LATE, *line)
            assert content(stopped) == content(whole)
    else:
        assert printed[-1] in ("status 0", "status 1")
        assert "handan: stopped" not in printed
    handan.open(stopped / "saved").standings.table()


@pytest.mark.parametrize("moment", [0.02, 0.2])
def test_ctrl_c_while_the_program_is_read_is_no_traceback(moment: float, tmp_path: Path) -> None:
    command = [sys.executable, "-c", STOPPED, str(tmp_path), str(moment), "rate", str(GAMES), "--system", "whr"]
    answer = subprocess.run(command, env=inherited(), capture_output=True, text=True, check=False)
    assert "Traceback" not in answer.stderr
    assert answer.stdout.endswith(("status 130\n", "status 0\n"))


def test_a_stop_inside_the_making_of_a_class_is_a_stop() -> None:
    lines = """
import sys
import handan.cli
from handan.__main__ import main
class Stopped:
    def __set_name__(self, *_):
        raise KeyboardInterrupt
def command():
    class Made:
        name = Stopped()
handan.cli.main = command
print("status", main())
"""
    assert program(lines).splitlines() == ["handan: stopped", "status 130"]


LOST = """
import signal, sys, time
import handan.cli
from handan.__main__ import main
class Panic(BaseException):
    pass
class Unused:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)
def swallow():
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        pass
def command(*_, **__):
    {then}
class Root:
    main = command
handan.cli.root = lambda command: Root
sys.argv.append("systems")
print("status", main())
"""
"""A command in which Ctrl-C is lost, as in a call of polars that asks Python for the name of a type."""


@pytest.mark.parametrize(
    "then",
    [
        "Unused(); raise TypeError('not a type')",
        "Unused(); [time.sleep(0.01) for _ in range(500)]",
        "swallow(); raise Panic",
        "swallow(); raise handan.HandanError('no such file')",
    ],
)
def test_a_stop_that_a_library_loses_is_a_stop(then: str) -> None:
    assert program(LOST.format(then=then)).splitlines() == ["handan: stopped", "status 130"]


def test_a_stop_that_is_lost_while_the_command_line_is_read_is_a_stop() -> None:
    lines = """
import signal, sys
from handan.__main__ import main
class Unused:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)
class Reading:
    def find_spec(self, name, *_):
        if name == "handan.cli":
            Unused()
sys.meta_path.insert(0, Reading())
sys.argv.append("systems")
print("status", main())
"""
    command = [sys.executable, "-c", lines]  # a new process, which has read nothing yet
    answer = subprocess.run(command, env=inherited(), capture_output=True, text=True, check=False)
    assert (answer.stdout, answer.stderr) == ("status 130\n", "handan: stopped\n")


def test_a_stop_while_polars_begins_shows_no_panic() -> None:
    lines = """
import os, signal, sys
from handan.__main__ import main
begun = False
def profile(frame, event, called):
    global begun
    if event == "c_call" and called.__name__ == "__register_startup_deps":
        begun = True
    elif begun and event == "call":
        sys.setprofile(None)
        signal.raise_signal(signal.SIGINT)
sys.setprofile(profile)
sys.argv[1:] = ["check", sys.argv[1]]
print("status", main())
print("begun", begun)
"""
    command = [sys.executable, "-c", lines, str(GAMES)]
    answer = subprocess.run(command, env=inherited(), capture_output=True, text=True, check=False)
    assert (answer.stdout, answer.stderr) == ("status 130\nbegun True\n", "handan: stopped\n")
