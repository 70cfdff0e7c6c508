"""The walks of docs/first-hour.md run as they stand, each in an empty folder."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.command_line import run
from tests.conftest import ROOT

TEXT = (ROOT / "docs" / "first-hour.md").read_text(encoding="utf-8")
WALKS = [
    pytest.param(shell, id=title)
    for title, body in re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", TEXT, re.DOTALL | re.MULTILINE)
    if (shell := "".join(re.findall(r"^```sh\n(.*?)^```$", body, re.DOTALL | re.MULTILINE)))
]


@pytest.mark.parametrize("shell", WALKS)
def test_a_walk_runs_line_by_line(shell: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for line in shell.splitlines():
        words = shlex.split(line)
        assert words[0] == "handan", line
        answer = run(*words[1:])
        assert answer.status == 0, f"{line}\n{answer.err}"


def test_there_is_a_walk_for_each_of_the_four() -> None:
    for person in ("secretary", "tournament director", "data scientist", "server operator"):
        assert f"## The {person}\n" in TEXT
    assert len(WALKS) == 3  # the server's is in tests/web/test_shown.py
