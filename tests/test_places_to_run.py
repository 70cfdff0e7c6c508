"""Where a command runs: without a home, with one that cannot be written, as nobody, on a narrow or plain terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.conftest import ROOT

GAMES = ROOT / "examples" / "games.csv"
NOBODY = 65534


def rated(variables: Mapping[str, str | None], folder: Path, **how: int) -> subprocess.CompletedProcess[str]:
    """Rate the example in a folder, with some variables set and others (None) not there."""
    environment = {**os.environ, **{name: value for name, value in variables.items() if value is not None}}
    for name in (name for name, value in variables.items() if value is None):
        environment.pop(name, None)
    command = [sys.executable, "-m", "handan", "rate", str(GAMES), "--system", "elo", "--limit", "3"]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False, **how)  # type: ignore[call-overload,no-any-return]


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The ladder as it is printed here."""
    answer = rated({}, tmp_path_factory.mktemp("plain"))
    assert (answer.returncode, answer.stderr) == (0, "")
    return answer.stdout


@pytest.mark.parametrize(
    "variables",
    [
        {"HOME": None, "XDG_CACHE_HOME": None, "USER": None, "COLUMNS": "20", "TZ": "Pacific/Kiritimati"},
        {
            "HOME": "/proc",
            "XDG_CACHE_HOME": "/proc/cache",  # where not even root writes
            "NO_COLOR": "1",
            "TERM": "dumb",
            "LANG": "C",
            "LC_ALL": "C",
            "PYTHONUTF8": None,
        },
    ],
    ids=["no home, narrow, far east", "a home that cannot be written, no colour, no locale"],
)
def test_a_ladder_is_the_same_wherever_it_is_made(variables: dict[str, str | None], plain: str, tmp_path: Path) -> None:
    answer = rated(variables, tmp_path)
    assert (answer.returncode, answer.stderr, answer.stdout) == (0, "", plain)
    assert "\x1b" not in answer.stdout


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can become nobody")
def test_nobody_gets_the_same_ladder(plain: str) -> None:
    """A user without rights and without a home, as in a bare container."""
    try:
        answer = rated({"HOME": "/nonexistent"}, Path("/"), user=NOBODY, group=NOBODY)
    except PermissionError:
        pytest.skip("other users cannot read this checkout or its Python")
    assert answer.stdout == plain
