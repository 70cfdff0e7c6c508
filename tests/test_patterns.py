"""No regular expression of the package takes more than its share of a long text: twice the text, twice the work.

Python does not count the steps of an expression, so a slow twin does, which is held against it. Each is tried on a text
and on one eight times as long, of the characters that it names, repeated: linear work grows eightfold, quadratic work
64-fold.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import handan.files
from tests.conftest import ROOT
from tests.naive.expressions import TooManySteps, Twin

PACKAGE = ROOT / "src" / "handan"
WHOLE = {"match", "fullmatch"}
ANYWHERE = {"search", "sub", "subn", "split", "findall", "finditer"}
LENGTHS, TIMES, GROWTH = (64, 512), 8, 24  # a repeat of at most so many characters is quadratic up to them
MOST = 1_000_000  # steps in a short text
END = " \x00x"  # our choice: what ends neither a word nor blanks as an expression may hope for
CLASSES = {"s": " ", "d": "1", "w": "a", "S": "a", "D": "a", "W": " ", "b": "", "B": "", "Z": "", "A": "", "n": "\n",
           "t": "\t", "r": "\r"}  # fmt: skip


class Use(NamedTuple):
    """An expression and how it is used."""

    pattern: Any
    whole: bool
    """Whether it begins at the begin of the text only."""
    place: str


@cache
def uses() -> list[Use]:
    """Return the expressions that stand in the sources, each as it is used in its file or under its name elsewhere."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}
    own = {path: _methods(tree) for path, tree in trees.items()}
    everywhere: dict[str, set[str]] = {}
    for methods in own.values():
        for name, used in methods.items():
            everywhere.setdefault(name, set()).update(used)
    written = [use for path, tree in trees.items() for use in _of_file(path, tree, everywhere | own[path])]
    return written + list(_of_readers(everywhere, {use.pattern.pattern for use in written}))


def _of_readers(methods: dict[str, set[str]], tried: set[Any]) -> Iterator[Use]:
    """Yield the expressions of the readers of files that are put together when their modules are loaded."""
    for module in pkgutil.walk_packages(handan.files.__path__, "handan.files."):
        for name, value in vars(importlib.import_module(module.name)).items():
            for each in value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else [value]:
                if isinstance(each, re.Pattern) and each.pattern not in tried:
                    tried.add(each.pattern)
                    yield Use(each, not methods.get(name, ANYWHERE) & ANYWHERE, f"{module.name}.{name}")


def _methods(tree: ast.Module) -> dict[str, set[str]]:
    """Return by which methods each name of a file is used."""
    methods: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in WHOLE | ANYWHERE:
            for each in ast.walk(node.value):
                name = each.id if isinstance(each, ast.Name) else each.attr if isinstance(each, ast.Attribute) else ""
                methods.setdefault(name, set()).add(node.attr)
    return methods


def _of_file(path: Path, tree: ast.Module, methods: dict[str, set[str]]) -> Iterator[Use]:
    named = {id(node.value): node.targets[0].id for node in ast.walk(tree)
             if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)}  # fmt: skip
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        function, first = node.func, node.args[0]
        if not (isinstance(function.value, ast.Name) and function.value.id == "re" and isinstance(first, ast.Constant)):
            continue
        if function.attr == "compile":
            used = methods.get(named.get(id(node), ""), ANYWHERE)
        elif function.attr in WHOLE | ANYWHERE:
            used = {function.attr}
        else:
            continue
        flags = "".join(ast.unparse(each) for each in [*node.args[1:], *(word.value for word in node.keywords)])
        kind = re.IGNORECASE if "IGNORECASE" in flags else 0
        kind |= re.VERBOSE if "VERBOSE" in flags else 0
        kind |= re.MULTILINE if "MULTILINE" in flags else 0
        kind |= re.DOTALL if "DOTALL" in flags else 0
        place = f"{path.relative_to(PACKAGE).as_posix()}:{node.lineno}"
        yield Use(re.compile(first.value, kind), not used & ANYWHERE, place)


def letters_of(pattern: str) -> list[str]:
    """Return a character for each that an expression names, at most a dozen."""
    text = re.sub(r"\\(.)", lambda match: CLASSES.get(match[1], match[1]), re.sub(r"\(\?[a-zA-Z:=!<>]*", "", pattern))
    letters = [letter for letter in text if letter not in "()[]{}*+?|^$"]
    letters += re.findall(r"\\([^a-zA-Z0-9])", pattern)
    return list(dict.fromkeys([*letters, "a", " "]))[:12]


def texts_of(pattern: str) -> Iterator[tuple[str, str]]:
    """Yield what stands once before, and what is repeated."""
    letters = letters_of(pattern)
    for unit in letters:
        yield "", unit
    for before, unit in zip(letters, letters[1:] + letters[:1], strict=True):
        yield "", before + unit
        yield before, unit


@cache
def twin_of(pattern: re.Pattern[Any]) -> Twin:
    """Return the twin of an expression."""
    return Twin(pattern)


def steps(use: Use, text: str, most: float) -> int:
    """Return how many characters and places are looked at in a text, which answers as Python's own search does."""
    given = text.encode("utf-8", "ignore") if isinstance(use.pattern.pattern, bytes) else text
    twin = twin_of(use.pattern)
    own = [use.pattern.fullmatch(given)] if use.whole else use.pattern.finditer(given)
    assert list(twin.spans(given, most, whole=use.whole)) == [match.span() for match in own if match], (use, text)
    return twin.steps


def works_more(use: Use, before: str, unit: str, length: int) -> bool:
    """Return whether an expression works more than its share on the longer of two texts."""
    short, long = (before + unit * (times * length // len(unit)) + END for times in (1, TIMES))
    try:
        steps(use, long, GROWTH * steps(use, short, MOST))
    except TooManySteps:
        return True
    return False


def grows(use: Use) -> str:
    """Return the text on which an expression works more than its share; empty where there is none."""
    raw = use.pattern.pattern
    for before, unit in texts_of(raw.decode("latin-1") if isinstance(raw, bytes) else raw):
        if all(works_more(use, before, unit, length) for length in LENGTHS):
            return f"{use.place} {raw!r} on {before!r} and many {unit!r}"
    return ""


@pytest.fixture(autouse=True)
def deep() -> Iterator[None]:
    """Let the twin call itself for each repeat of a group."""
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(100_000)
    yield
    sys.setrecursionlimit(usual)


@pytest.mark.extended
def test_no_expression_works_more_than_its_share_of_a_long_text() -> None:
    assert len(uses()) > 100
    different = {(use.pattern, use.whole): use for use in uses()}
    assert not [fault for use in different.values() if (fault := grows(use))]


@pytest.mark.extended
@pytest.mark.parametrize("pattern", [r"\|\s*(\S+)\s*$", r"\s*,\s*\s*x", r"\s+$"])
def test_an_expression_that_does_is_seen(pattern: str) -> None:
    assert grows(Use(re.compile(pattern), whole=False, place="here"))


@pytest.mark.parametrize("pattern", [r"(?<!\s)\s*+,\s*+x", r"(?<![ab])[ab]*+c", r"\d{1,40}\.\d"])
def test_an_expression_that_does_not_is_left_alone(pattern: str) -> None:
    assert not grows(Use(re.compile(pattern), whole=False, place="here"))
