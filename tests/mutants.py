"""Change one place of a file at a time and see whether a test notices: `python -m tests.mutants FILE --tests TESTS…`.

Our own, since every formula here is a decorated function, which mutmut leaves alone, and since tools that edit the
working tree may not run beside an editor. The changes are made in a copy of the package; a sample with a fixed seed
bounds the time.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SEED = 20260501
LONGEST = 300  # seconds; a mutant that loops for ever is noticed
OPERATORS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult, ast.FloorDiv: ast.Div,
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.And: ast.Or, ast.Or: ast.And, ast.USub: ast.UAdd,
}  # fmt: skip
"""What each operator becomes."""


def changed(node: ast.AST) -> ast.AST | None:
    """Return a node with another meaning in place of this one, None where there is no change to try."""
    new = copy.deepcopy(node)
    match new:
        case ast.BinOp(op=op) | ast.UnaryOp(op=op) | ast.BoolOp(op=op) if type(op) in OPERATORS:
            new.op = OPERATORS[type(op)]()  # type: ignore[assignment]
        case ast.Compare(ops=[op, *rest]) if type(op) in OPERATORS:
            new.ops = [OPERATORS[type(op)](), *rest]  # type: ignore[list-item]
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            new.value = value + 1
        case _:
            return None
    return new


def places(tree: ast.AST) -> Iterator[ast.expr]:
    """Return the expressions inside functions, and the constants of a module; types and bounds of settings are none."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.expr):
            yield node
        if isinstance(node, ast.keyword) and node.arg in {"low", "high", "unit"}:
            continue
        if isinstance(node, ast.AnnAssign):
            if node.value is not None:
                yield from places(ast.Expr(node.value))
        elif not isinstance(node, ast.arguments):
            yield from places(node)


def mutants(source: str) -> Iterator[tuple[int, str, str]]:
    """Return line, what changes there, and the changed source, for every change that can be made."""
    tree = ast.parse(source)
    for node in places(tree):
        new = changed(node)
        if new is None:
            continue
        old, state = ast.unparse(node), dict(vars(node))
        vars(node).update(vars(new))
        yield node.lineno, f"{old}  ->  {ast.unparse(node)}", ast.unparse(tree)
        vars(node).update(state)


def noticed(package: Path, tests: list[str]) -> bool:
    """Return whether a test fails with the package in that folder."""
    variables = os.environ | {"PYTHONPATH": str(package), "HANDAN_KERNELS": "plain"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", *tests]
    try:
        done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, timeout=LONGEST, check=False)
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Try a sample of the changes of one file, and print those that no test notices."""
    parser = argparse.ArgumentParser(description="Change one place of a file at a time and see whether a test notices.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--tests", nargs="+", default=["tests/test_vectors.py", "tests/test_contract.py"])
    given = parser.parse_args()
    possible = list(mutants(given.file.read_text(encoding="utf-8")))
    sample = random.Random(SEED).sample(possible, min(given.count, len(possible)))
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "src"
        shutil.copytree(ROOT / "src", package, ignore=shutil.ignore_patterns("__pycache__"))
        if noticed(package, given.tests):
            sys.exit("the tests fail without any change")
        target = Path(folder) / given.file.resolve().relative_to(ROOT)
        original, alive = target.read_text(encoding="utf-8"), 0
        for line, what, source in sorted(sample):
            target.write_text(source, encoding="utf-8")
            if not noticed(package, given.tests):
                alive += 1
                say(f"{given.file}:{line}: {what}")
        target.write_text(original, encoding="utf-8")
    say(f"{len(sample) - alive} of {len(sample)} changes noticed, of {len(possible)} possible ones")


if __name__ == "__main__":
    main()
