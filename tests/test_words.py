"""Names say what they name: words that fit everything are the names of nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.extended

PLACEHOLDERS = {"told", "held", "found", "known", "asked", "said", "tell"}
"""Each stood for records, texts, sets and cursors alike; a reader could guess the type of none."""
PUBLIC = {
    ("errors.py", "found"),  # a field of `Problem` and `FieldError` beside `expected`
    ("cli/compare.py", "known"),  # what a comparison knows
    ("evidence/comparing.py", "known"),
    ("evidence/comparison.py", "known"),
    ("cli/tune.py", "known"),
    ("evidence/tuning.py", "known"),
    ("evidence/own_settings.py", "known"),
    ("web/api/bodies.py", "known"),  # the query parameter, and a schema of the OpenAPI document
    ("web/api/bodies.py", "Asked"),
}
"""Names that programs outside use."""


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


@pytest.mark.parametrize("folder", ["src/handan", "tests", "benchmarks", "docs", "examples"])
def test_no_name_is_a_word_that_fits_everything(folder: str) -> None:
    faults: dict[str, list[str]] = {}
    for path in sorted((ROOT / folder).rglob("*.py")):
        place = path.relative_to(ROOT / folder)
        for name, line in names(ast.parse(path.read_text(encoding="utf-8"))):
            if name.strip("_").lower() in PLACEHOLDERS and (place.as_posix(), name) not in PUBLIC:
                faults.setdefault(place.parts[0], []).append(f"{place}:{line} {name}")
    assert faults == {}
