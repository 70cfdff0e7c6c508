"""The README's examples run, and print what they show."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from handan.cli import main
from tests.conftest import ROOT

PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
RUNNABLE = [
    pytest.param(page, kind, text, id=f"{page.relative_to(ROOT)}:{text.splitlines()[0]}")
    for page in PAGES
    for kind, text in BLOCK.findall(page.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize(("page", "kind", "text"), RUNNABLE)
def test_every_example_runs_and_prints_what_it_shows(
    page: Path,
    kind: str,
    text: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(ROOT)
    if page.name == "README.md":  # it begins with `handan example`
        assert main(["example", str(tmp_path)]) == 0
        monkeypatch.chdir(tmp_path)
        capsys.readouterr()
    if kind == "python":
        exec(compile(text, str(page), "exec"), {})
        return
    for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE):
        words = shlex.split(command)
        if words[0] == "cat":
            printed = "".join((ROOT / name).read_text(encoding="utf-8") for name in words[1:])
        else:
            assert words[0] == "handan", command
            assert main(words[1:]) == 0, command
            printed = capsys.readouterr().out
        lines, expected = ([line.rstrip() for line in each.splitlines()] for each in (printed, shown))
        assert lines == expected, command
