"""The places of a rating system outside its own file; each can be forgotten, and each is looked at by a test."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

NOTHING_PRINTED = {
    "elo": "the formula is Elo's own; no table of games is printed with digits enough",
    "dgs": "the server prints no example; its program was run by hand",
    "glicko": "the paper prints four digits; the case has more",
    "trueskill": "checked against other programs",
    "bradley-terry": "a theorem (the maximum is where the gradient is 0) and a slow twin",
    "decayed": "as bradley-terry",
    "handan": "our own; a slow twin, and games made by its own model",
}
"""Systems without a case of status `published`, and what stands in its place."""


def published(root: Path) -> dict[str, list[str]]:
    """Return for each system the statuses of its cases in the reference files of a tree."""
    statuses: dict[str, list[str]] = {}
    for path in sorted((root / "tests" / "references").glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        for name, functions in data["systems"].items():
            cases = [case for case in data["cases"] if case["function"] in functions]
            assert {case["function"] for case in cases} == set(functions), (path.name, name)
            statuses.setdefault(name, []).extend(case["status"] for case in cases)
    return statuses


def text_of(path: Path) -> str:
    """Return a file's text, "" where there is no such file."""
    return path.read_text(encoding="utf-8") if path.is_file() else ""


PLACES: Mapping[str, Callable[[Path, str], bool]] = {
    "tests/references": lambda root, name: ("published" in published(root).get(name, [])) != (name in NOTHING_PRINTED),
    "docs/systems": lambda root, name: f"--system {name}" in text_of(root / "docs" / "systems" / f"{name}.md"),
    "README.md": lambda root, name: f"| [`{name}`](docs/systems/{name}.md) |" in text_of(root / "README.md"),
    "mkdocs.yml": lambda root, name: f"- {name}: systems/{name}.md\n" in text_of(root / "mkdocs.yml"),
    "tests/samples/same_answers.json": lambda root, name: (
        name in json.loads(text_of(root / "tests" / "samples" / "same_answers.json"))
    ),
    "CHANGELOG.md": lambda root, name: f"`{name}`" in text_of(root / "CHANGELOG.md"),
}
"""Whether a tree has in a place what a system needs there."""
