"""The command as it is started: its imports, help, errors and ends."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import handan
from handan.cli import card, root
from tests.command_line import games, run
from tests.conftest import ROOT

HEAVY = (
    "numba",
    "polars",
    "numpy",
    "handan.ledger",
    "handan.ratings",
    "handan.systems",
    "handan.kernels",
    "handan.files",
)
WATCH = f"""
import sys
from handan.cli import main
status = main(sys.argv[1:])
heavy = [name for name in {HEAVY} if name in sys.modules]
sys.exit(f"imported: {{heavy}}" if heavy else status)
"""


def python(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False, **options)  # type: ignore[call-overload, no-any-return]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("--version",),
        ("rate", "--help"),
        ("handicap", "215", "238", "--card", "tokyo15"),
        ("handicap", "-5", "20", "--card", "tokyo15", "--format", "json"),
        ("rank", "5k"),
        ("card",),
        ("card", "gon13"),
    ],
)
def test_a_small_question_loads_nothing_heavy(arguments: tuple[str, ...]) -> None:
    answer = python("-c", WATCH, *arguments)
    assert (answer.returncode, answer.stderr) == (0, "")


def test_a_command_imports_no_file_of_another_one() -> None:
    code = """
import sys
from handan.cli import COMMANDS, main
status = main(["rank", "5k"])
files = {f"handan.cli.{place.partition(':')[0]}" for place in COMMANDS.values()}
sys.exit(str(files & {*sys.modules}))
"""
    assert python("-c", code).stderr == "{'handan.cli.rank'}\n"


def test_the_version_is_the_package_s() -> None:
    assert run("--version").out == f"handan {handan.__version__}\n"


def test_an_error_of_the_process_is_one_line_and_status_2() -> None:
    answer = python("-m", "handan", "rate", "nowhere.csv", "--system", "elo")
    assert (answer.returncode, answer.stdout, answer.stderr.count("\n")) == (2, "", 1)


def test_stdout_is_utf_8_whatever_the_locale_says(tmp_path: Path) -> None:
    played = games(tmp_path / "games.csv", "2026-05-01,太郎,花子,B+R,0,6.5,club")
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    answer = python("-m", "handan", "rate", str(played), "--system", "elo", "--format", "json", env=environment)
    assert answer.returncode == 0
    assert '"player": "太郎"' in answer.stdout


def test_a_closed_pipe_ends_quietly() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "handan", "card", "gon13"]
    answer = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, encoding="utf-8", check=False)
    os.close(writing)
    assert (answer.returncode, answer.stderr) == (141, "")  # 128 + SIGPIPE


def test_an_interrupt_ends_with_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(card, "chosen_card", interrupted)
    answer = run("card", "gon13")
    assert (answer.status, answer.out, answer.err) == (130, "", "handan: stopped\n")  # 128 + SIGINT


def test_cards_and_systems_are_completed() -> None:
    line = {"COMP_WORDS": "handan card to", "COMP_CWORD": "2"}
    environment = os.environ | {"_HANDAN_COMPLETE": "complete_bash", **line}
    answer = python("-m", "handan", env=environment)
    assert answer.stdout.split() == ["tokyo15"]


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")
def test_on_a_terminal_the_header_is_bold_and_names_are_harmless(tmp_path: Path) -> None:
    import pty

    played = games(tmp_path / "games.csv", "2026-05-01,\x1b[31mAda,Bo,B+R,0,6.5,club")
    main_end, terminal = pty.openpty()
    command = [sys.executable, "-m", "handan", "rate", str(played), "--system", "elo"]
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"} | {"TERM": "xterm"}
    answer = subprocess.run(command, stdout=terminal, stderr=subprocess.PIPE, check=False, env=environment)
    assert answer.returncode == 0
    shown = os.read(main_end, 65536).decode()
    os.close(terminal)
    os.close(main_end)
    assert shown.startswith("\x1b[1m#")
    assert r"\x1b[31mAda" in shown
    assert "\x1b[31m" not in shown.replace(r"\x1b", "")


@pytest.mark.parametrize(
    "arguments", [("rate", "", "-s", "elo"), ("convert", "", "games.csv"), ("check", "games.csv", "--aliases", "")]
)
def test_an_empty_path_is_not_this_folder(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games(tmp_path / "games.csv", "2026-05-01,Ada,Bo,B+R,0,6.5,club")
    monkeypatch.chdir(tmp_path)
    answer = run(*arguments)
    assert (answer.status, answer.out) == (2, "")
    assert "a path is empty" in answer.err


def test_too_many_arguments_are_named_in_plain_words() -> None:
    assert run("handicap", "5k", "1d", "3d", "--system", "elo").err == "handan: too many arguments; not expected: 3d\n"


@pytest.mark.parametrize(
    ("package", "on_demand"),
    [("files", "formats"), ("handicaps", "law"), ("ledger", "facts"), ("ratings", "event"), ("systems", "elo")],
)
def test_a_package_lists_its_public_names_and_imports_the_module_of_each_when_it_is_asked_for(
    package: str, on_demand: str
) -> None:
    code = f"""
import sys
import handan.{package}
assert dir(handan.{package}) == sorted(handan.{package}.__all__)
assert "handan.{package}.{on_demand}" not in sys.modules
from handan.{package} import *
assert {{name for name in handan.{package}.__all__ if name not in globals()}} == set()
try:
    handan.{package}.nothing
except AttributeError as error:
    print(error)
"""
    answer = python("-c", code)
    assert (answer.stdout, answer.stderr) == (f"module 'handan.{package}' has no attribute 'nothing'\n", "")


def test_a_rating_loads_the_file_of_no_other_system_and_its_module_is_a_name_of_the_package() -> None:
    code = """
import sys
import handan
print(*[name for name in handan.SYSTEMS if f"handan.systems.{name.replace('-', '_')}" in sys.modules])
handan.rate(handan.read("examples/games.csv"), "egf-classic")
print(*[name for name in handan.SYSTEMS if f"handan.systems.{name.replace('-', '_')}" in sys.modules])
print(handan.systems.elo.expected.__name__, handan.SYSTEMS["elo"] is handan.systems.Elo)
"""
    answer = python("-c", code, cwd=ROOT)
    assert (answer.stdout, answer.stderr) == ("\negf egf-classic\nexpected True\n", "")


@pytest.mark.parametrize("command", ["odds 2d 2k --system igs", "handicap 5k 1d --system egf"])
def test_a_question_about_two_ranks_loads_no_table_of_games(command: str) -> None:
    code = f"""
import sys
from handan.cli import main
assert main({command.split()!r}) == 0
print(sorted({{"polars", "handan.ledger.ledger", "handan.ratings.ratings"}} & set(sys.modules)))
"""
    answer = python("-c", code)
    assert (answer.stdout.splitlines()[-1], answer.stderr) == ("[]", "")


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_help_is_cut_or_names_a_type_of_python(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    for name, command in root().commands.items():
        for line in [(name,), *((name, own) for own in getattr(command, "commands", ()))]:
            text = run(*line, "-h").out
            assert not re.search(r"<(str|int|float|path|list)|\w\.\.\.$", text, re.MULTILINE), line
            usual = [each for each in text.partition("Examples:")[0].splitlines() if "|" not in each]
            assert max(map(len, usual)) <= width, line


def test_every_command_takes_q_and_every_answer_json() -> None:
    answer = run("rank", "5k", "--json", "-q")
    assert (answer.status, answer.err, answer.json["rank"]) == (0, "", "5k")
