"""The examples of README and docs run with the installed program alone, and print what they show.

A walk is followed from its first line to its last in one empty folder. On other pages each block runs by itself, beside
the club that `handan example` writes and a `club.csv` of `handan simulate`. A line `…` in an output stands for any
lines.
"""

from __future__ import annotations

import re
import shlex
import shutil
from itertools import pairwise
from pathlib import Path

import pytest

from handan.cli import main
from tests.conftest import ROOT

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
BLOCK = re.compile(r"^```(python|console|sh)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
ELSEWHERE = re.compile(r"pip |pipx |uvx |python |handan serve|handan club")
"""Lines of a walk that install the program or begin a server."""
SKIPPED = "…"
"""In the output of a command, a line that stands for any lines."""
SHOWN = [
    pytest.param(kind, text, id=f"{page.relative_to(ROOT)}:{text.splitlines()[0]}")
    for page in PAGES
    if page not in WALKS
    for kind, text in BLOCK.findall(page.read_text(encoding="utf-8"))
    if kind != "sh"
]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the small club of ten people, and an invented one of 2,000 games."""
    folder = tmp_path_factory.mktemp("sample")
    assert main(["example", str(folder), "-q"]) == 0
    assert main(["simulate", str(folder / "club.csv"), "--set", "games=2000", "-q"]) == 0
    return folder


def split(lines: list[str]) -> list[list[str]]:
    """Return the runs of lines between those that stand for any."""
    ends = [-1, *(at for at, line in enumerate(lines) if line == SKIPPED), len(lines)]
    return [lines[start + 1 : end] for start, end in pairwise(ends)]


def follow(kind: str, text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Run a block in the current folder; of commands with output, compare it."""
    if kind == "python":
        exec(compile(text, "page", "exec"), {})
    elif kind == "sh":
        for line in text.splitlines():
            words = shlex.split(line, comments=True)
            if words[:1] == ["cd"]:
                monkeypatch.chdir(words[1])
            elif words and not ELSEWHERE.match(line):
                assert (words[0], main(words[1:])) == ("handan", 0), line
    else:
        for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE):
            words = shlex.split(command)
            capsys.readouterr()
            if words[0] == "cat":
                printed = Path(words[1]).read_text(encoding="utf-8")
            else:
                assert (words[0], main(words[1:])) == ("handan", 0), command
                printed = capsys.readouterr().out
            lines, expected = ([line.rstrip() for line in text.splitlines()] for text in (printed, shown))
            if SKIPPED in expected:
                parts = [re.escape("".join(f"{line}\n" for line in part)) for part in split(expected)]
                assert re.fullmatch(r"(?:.*\n)*?".join(parts), "".join(f"{line}\n" for line in lines)), command
            else:
                assert lines == expected


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
    follow(kind, text, monkeypatch, capsys)


@pytest.mark.parametrize("page", WALKS, ids=lambda page: page.name)
def test_a_walk_is_followed_from_its_first_line_to_its_last(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for kind, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        follow(kind, text, monkeypatch, capsys)
