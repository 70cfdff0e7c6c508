"""Developers' tools are installed by uv from where pip would take them, and by pip where uv fails."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.install import locked, main, options, parsed

pytestmark = pytest.mark.extended

LOCK = Path(__file__).parent.parent / "requirements.lock"


def test_the_lines_of_one_package_are_a_lock_of_it_alone() -> None:
    lines = locked(LOCK.read_text(encoding="utf-8"), "uv").splitlines()
    assert lines[0].startswith("uv==")
    assert len(lines) > 1
    assert all(line.strip().startswith("--hash=") for line in lines[1:])


def test_uv_reads_the_places_that_pip_is_set_to_and_the_environment_wins() -> None:
    listed = {"global.index-url": "https://one.example", "install.find-links": "/a", ":env:.find-links": "/b /c"}
    listed |= {"download.index-url": "https://other.example", "global.timeout": "5"}
    wanted = ["--default-index", "https://one.example", "--find-links", "/b", "--find-links", "/c"]
    assert options(parsed(listed)) == wanted


@pytest.mark.parametrize(("fails", "commands"), [("", ["pip", "uv"]), ("uv", ["pip", "uv", "pip"])])
def test_pip_installs_what_uv_could_not(monkeypatch: pytest.MonkeyPatch, fails: str, commands: list[str]) -> None:
    calls: list[str] = []

    def run(command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
        if command[-1] != "list":  # the settings of pip
            calls.append(command[2])
        return subprocess.CompletedProcess(command, int(command[2] == fails), "", "")

    monkeypatch.setattr(subprocess, "run", run)
    assert main(str(LOCK)) == 0
    assert calls == commands
