"""Whatever the package defines is used in it, or stands here with the reason why it need not be."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.conftest import ROOT

SOURCES = ROOT / "src" / "handan"
CALLED_BY_OTHERS = {
    "_repr_mimebundle_": "notebooks",
    "collect_usage_pieces": "click",
    "format_epilog": "click",
    "format_options": "click",
    "from_db_value": "Django",
    "set_params": "scikit-learn",
    "OF_FACTS": "Django, which finds models where they are imported",
    "OF_LISTS": "the same",
    "growth_constant": "tests, which compare it with the published examples",
    "p_white": "tests, which compare it with the published examples",
}
FRAMEWORKS = {"web", "migrations"}
"""Folders whose functions Django and ninja find by themselves."""


def definitions(tree: ast.Module) -> Iterator[str]:
    """Yield the names of functions, methods, classes and constants."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
    for node in tree.body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        yield from (target.id for target in targets if isinstance(target, ast.Name))


@pytest.mark.extended
def test_nothing_is_defined_that_nobody_uses() -> None:
    files = {path: path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py")}
    others = [
        path.read_text(encoding="utf-8") for ending in ("html", "toml", "pyi") for path in SOURCES.rglob(f"*.{ending}")
    ]
    words = Counter(word for text in (*files.values(), *others) for word in re.findall(r"\w+", text))
    defined = {name for path, text in files.items() if not FRAMEWORKS & set(path.relative_to(SOURCES).parts)
               for name in definitions(ast.parse(text)) if not name.startswith("__")}  # fmt: skip
    assert {name for name in defined if words[name] == 1} == set(CALLED_BY_OTHERS)
