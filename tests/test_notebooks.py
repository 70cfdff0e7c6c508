"""The notebooks of `examples/notebooks` run, and what they show loads nothing and is what they say."""

from __future__ import annotations

import ast
import json
import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT

NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))


def shown(value: Any) -> str:
    """Return what a notebook shows of the last value of a cell."""
    if hasattr(value, "_repr_mimebundle_"):
        return str(value._repr_mimebundle_()["image/svg+xml"])
    return str(value._repr_html_()) if hasattr(value, "_repr_html_") else repr(value)


def outputs(path: Path) -> list[str]:
    """Run the cells in order; return what each prints and shows."""
    names: dict[str, Any] = {}
    texts = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        tree = ast.parse("".join(cell["source"]))
        last = tree.body[-1]
        if isinstance(last, ast.Expr):
            tree.body.pop()
        printed, value = StringIO(), None
        with redirect_stdout(printed):
            exec(compile(tree, path.name, "exec"), names)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), path.name, "eval"), names)
        texts.append(printed.getvalue() + (shown(value) if value is not None else ""))
    return texts


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("default")
def test_a_notebook_runs_and_loads_nothing(path: Path) -> None:
    texts = outputs(path)
    loading = re.compile(r"<script|<link|<img|(?:src|href)=\"http")
    assert [text for text in texts if loading.search(text)] == []
    assert sum("<svg" in text for text in texts) == 1
    assert not re.search(r"\b\d+[kd]\b", "".join(texts))  # nobody has declared a rank
    assert "rank at 1 dan" not in "".join(texts)
    assert ">jigo<" not in "".join(texts)  # a draw, where nobody plays Go
    assert "newcomers without a rank enter at" in "".join(texts)
    learned = re.search(r"first move is worth (-?\d+) ± (\d+) Elo", "".join(texts))
    assert learned is not None
    worth, doubt = map(int, learned.groups())
    # equals who expect e^(0.2 + 0.175) and e^(0.2 - 0.175) goals (Poisson) score 0.602: 72 Elo; White of chess has 35
    truth = {"football": 72, "chess": -35}[path.stem]
    assert abs(worth - truth) < 2 * doubt
