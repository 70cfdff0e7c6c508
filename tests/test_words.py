"""Names say what they name: words that fit everything are the names of nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.conftest import ROOT

PLACEHOLDERS = {"told", "held", "found", "known", "asked", "said", "tell"}
"""Each stood for records, texts, sets and cursors alike; a reader could guess the type of none."""
PUBLIC = {("errors.py", "found"), ("cli/compare.py", "known"), ("cli/tune.py", "known"),
          ("evidence/comparing.py", "known"), ("evidence/tuning.py", "known")}  # fmt: skip
"""A field of `Problem` and `FieldError` beside `expected`, and what a comparison knows; programs name them."""
STILL = {"club": 48, "web": 74}
"""How many are left in the rooms whose turn has not come; only ever lowered."""


def names(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield every name that a module gives to something, with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name, node.lineno
        elif isinstance(node, ast.alias) and node.asname:
            yield node.asname, 0


def test_no_name_is_a_word_that_fits_everything() -> None:
    package = ROOT / "src" / "handan"
    faults: dict[str, list[str]] = {}
    for path in sorted(package.rglob("*.py")):
        place = path.relative_to(package)
        for name, line in names(ast.parse(path.read_text(encoding="utf-8"))):
            if name.strip("_").lower() in PLACEHOLDERS and (str(place), name) not in PUBLIC:
                faults.setdefault(place.parts[0], []).append(f"{place}:{line} {name}")
    for room, most in STILL.items():
        assert len(faults.pop(room, [])) <= most, f"{room} has more placeholder names than before"
    assert faults == {}


def test_no_module_is_longer_than_400_lines() -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_bytes().splitlines()) for path in (ROOT / "src").rglob("*.py")
    }
    assert [name for name, length in lengths.items() if length > 400] == []
