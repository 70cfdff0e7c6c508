"""The examples of README and docs run with the installed program alone, and print what they show.

A walk is followed from its first line to its last in one empty folder. On other pages each block runs by itself, beside
the club that `handan example` writes and a `club.csv` of `handan simulate`. A line `…` in an output stands for any
lines.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from handan.cli import main
from tests.conftest import ROOT
from tests.walks import blocks, follow

WALKS = [
    ROOT / name
    for name in (
        "README.md",
        "docs/tutorial.md",
        "docs/tournament.md",
        "docs/python.md",
        "docs/saved.md",
        "docs/formats/spreadsheets.md",
    )
]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
SHOWN = [
    pytest.param(kind, text, id=f"{page.relative_to(ROOT)}:{text.splitlines()[0]}")
    for page in PAGES
    if page not in WALKS
    for kind, text in blocks(page)
    if kind != "sh"
]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the small club of ten people, and an invented one of 2,000 games."""
    folder = tmp_path_factory.mktemp("sample")
    assert main(["example", str(folder), "-q"]) == 0
    assert main(["simulate", str(folder / "club.csv"), "--set", "games=2000", "-q"]) == 0
    return folder


class Here:
    """The command in the test's process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.enter, self._capsys = monkeypatch.chdir, capsys

    def read(self, name: str) -> str:
        """Return the text of a file."""
        return Path(name).read_text(encoding="utf-8")

    def run(self, words: list[str]) -> str:
        """Run a command, and return what it prints."""
        self._capsys.readouterr()
        assert main(words[1:]) == 0, words
        return self._capsys.readouterr().out

    def python(self, text: str) -> None:
        """Run lines of Python."""
        exec(compile(text, "page", "exec"), {})


@pytest.mark.parametrize(("kind", "text"), SHOWN)
def test_every_example_runs_and_prints_what_it_shows(
    kind: str,
    text: str,
    sample: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copytree(sample, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    follow(kind, text, Here(monkeypatch, capsys))


@pytest.mark.parametrize("page", WALKS, ids=lambda page: page.name)
def test_a_walk_is_followed_from_its_first_line_to_its_last(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    program = Here(monkeypatch, capsys)
    for kind, text in blocks(page):
        follow(kind, text, program)
