"""Who has read only CONTRIBUTING adds FIDE's rating: the walk on a copy of the tree, and every place forgotten once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.places import PLACES

pytestmark = pytest.mark.extended

WALK = ROOT / "tests" / "walk"
TREE = ("src", "tests", "docs", "examples", "benchmarks")
FILES = ("pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "mkdocs.yml")
STEPS = {
    "src/handan/systems/fide.py": "system.py",
    "tests/references/fide.json": "references.json",
    "tests/vectors/adapters/fide.py": "adapter.py",
    "docs/systems/fide.md": "page.md",
}
"""The files that the walk adds, and where they stand until then."""
LINES = {
    "src/handan/systems/__init__.py": (
        ("    from handan.systems.glicko import", "    from handan.systems.fide import FIDE\n"),
        ('    OwnSystem("glicko", ', '    OwnSystem("fide", "FIDE", "FIDE (chess)"),\n'),
        ('"Glicko", "Glicko2"', '"FIDE", '),
    ),
    "README.md": (("| [`handan`]", "| [`fide`](docs/systems/fide.md) | FIDE's rating of chess players |\n"),),
    "mkdocs.yml": (("          - handan: systems/", "          - fide: systems/fide.md\n"),),
}
"""The lines that it adds, each before the first place of a text."""


def walked(root: Path) -> None:
    """Take all steps in a copy of the tree but that of the kept answers."""
    for place, file in STEPS.items():
        shutil.copyfile(WALK / file, root / place)
    for place, lines in LINES.items():
        text = (root / place).read_text(encoding="utf-8")
        for before, line in lines:
            assert before in text, (place, before)
            text = text.replace(before, line + before, 1)
        (root / place).write_text(text, encoding="utf-8")
    with (root / "CHANGELOG.md").open("a", encoding="utf-8") as changes:
        changes.write("- System `fide`.\n")


def python(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a module of the copy, where it finds nothing of this tree; loops run in their plain form."""
    environment = os.environ | {"PYTHONPATH": str(root / "src"), "HANDAN_KERNELS": "plain", "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, encoding="utf-8", check=False)


def run_tests(root: Path, *chosen: str) -> subprocess.CompletedProcess[str]:
    """Run tests of the copy."""
    return python(root, "pytest", "-p", "no:cacheprovider", "-q", *chosen)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the tree in which the walk was taken."""
    root = tmp_path_factory.mktemp("walk") / "handan"
    for folder in TREE:
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__", "databases", "*.db"))
    for file in FILES:
        shutil.copyfile(ROOT / file, root / file)
    walked(root)
    answers = python(root, "tests.test_same_answers", "fide")
    assert answers.returncode == 0, answers.stderr
    return root


def test_the_walk_arrives(copy: Path) -> None:
    assert [place for place, has in PLACES.items() if not has(copy, "fide")] == []
    chosen = (
        "tests/test_new_system.py",
        "tests/test_vectors.py",
        "tests/test_same_answers.py",
        "tests/test_contract.py",
    )
    answer = run_tests(copy, *chosen, "-k", "fide and not compiled or forgotten or list or every_place")
    assert answer.returncode == 0, answer.stdout
    rated = python(copy, "handan", "rate", "examples/games.csv", "--system", "fide")
    assert rated.stdout.splitlines()[-1] == "FIDE (chess): 5 of 5 games rated; newest game 2026-09-16"


def lines_without(root: Path, place: str) -> str:
    """Return a file of the copy without what names the new system."""
    text = (root / place).read_text(encoding="utf-8").splitlines(keepends=True)
    return "".join(line for line in text if "fide" not in line.lower())


def forget(root: Path, place: str) -> Path:
    """Take the new system out of a place of the copy; return the file that was changed or removed."""
    own = {"tests/references": "tests/references/fide.json", "docs/systems": "docs/systems/fide.md"}
    file = root / own.get(place, place)
    if file.name.startswith("fide"):
        file.unlink()
    elif place.endswith("same_answers.json"):
        file.write_text(lines_without(root, place).replace("},\n}", "}\n}"), encoding="utf-8")
    else:
        file.write_text(lines_without(root, place), encoding="utf-8")
    return file


def test_every_forgotten_place_is_named(copy: Path, tmp_path: Path) -> None:
    for place in PLACES:
        tree = tmp_path / place.replace("/", "-")
        for folder in ("docs/systems", "tests/references", "tests/samples"):
            shutil.copytree(copy / folder, tree / folder)
        for file in FILES:
            shutil.copyfile(copy / file, tree / file)
        forget(tree, place)
        assert [name for name, has in PLACES.items() if not has(tree, "fide")] == [place]


def test_a_forgotten_list_and_forgotten_adapters_fail_by_name(copy: Path) -> None:
    places = ("src/handan/systems/__init__.py", "tests/vectors/adapters/fide.py")
    whole = [(copy / place).read_bytes() for place in places]
    forgotten = [forget(copy, place) for place in places]
    try:
        answer = run_tests(copy, "tests/test_new_system.py", "tests/test_vectors.py", "-k", "fide or list")
    finally:
        for file, data in zip(forgotten, whole, strict=True):
            file.write_bytes(data)
    assert "FAILED tests/test_new_system.py::test_every_system_of_the_package_is_in_the_list" in answer.stdout
    assert "FAILED tests/test_vectors.py::test_every_known_answer_comes_out[fide]" in answer.stdout
    assert "no adapter for fide_tournament" in answer.stdout
