"""The shape of the code: no value is changed behind its back, and a request goes through few files."""

from __future__ import annotations

import ast
import re
import sys
from datetime import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import handan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    from handan.club.store.models import Club

SOURCE = Path(handan.__file__).parent
CONSTRUCTORS = {"__init__", "__post_init__", "__new__"}
POKES = re.compile(r"vars\(.*\)(\[|\.(clear|pop|popitem|setdefault|update)\b)|.*\.__dict__\b")
MOST = {"ladder": 26, "entry": 70}
"""Files of ours that a page of the ladder and the entry of a game go through: fewer are better."""
MOST_QUERIES = {"ladder": 11, "entry": 37, "game": 13}
"""Queries of the database for these, and for the page of a game: fewer are better."""


@pytest.mark.parametrize("room", ["club", "web", "ledger", "systems", "ratings"])
def test_no_value_is_changed_behind_its_back(room: str) -> None:
    """Frozen values are set in constructors alone, and nobody writes into the dictionary of an object."""
    faults = []
    for path in sorted((SOURCE / room).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        made = {part for node in functions if node.name in CONSTRUCTORS for part in ast.walk(node)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute | ast.Subscript):
                text = ast.unparse(node)
                if POKES.match(text) or (text == "object.__setattr__" and node not in made):
                    faults.append(f"{path.relative_to(SOURCE)}:{node.lineno}")
    assert not faults


def annotations_in(body: list[ast.stmt]) -> Iterator[ast.expr]:
    """Yield what the fields and methods of a class are annotated with."""
    for node in body:
        if isinstance(node, ast.AnnAssign):
            yield node.annotation
        elif isinstance(node, ast.FunctionDef):
            arguments = node.args
            every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg)
            yield from (each.annotation for each in every if each is not None and each.annotation)
            yield from [node.returns] if node.returns else []


@pytest.mark.extended
def test_no_annotation_means_a_member_of_its_own_class() -> None:
    """Python 3.14 reads an annotation when it is asked for, and then finds what the class has by that name."""
    faults = []
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.ClassDef):
                continue
            given = [part.target for part in node.body if isinstance(part, ast.AnnAssign) and part.value]
            members = {part.name for part in node.body if isinstance(part, ast.FunctionDef)} | {
                *map(ast.unparse, given)
            }
            parts = [part for each in annotations_in(node.body) for part in ast.walk(each)]
            meant = {part.id for part in parts if isinstance(part, ast.Name)}
            faults += [f"{path.relative_to(SOURCE)}: {node.name}.{name}" for name in sorted(members & meant)]
    assert not faults


def files_of(ask: Callable[[], Any]) -> set[str]:
    """Return the files of ours whose functions a request runs."""
    ask()  # what is made once in a process is made
    files = set[str]()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            files.add(frame.f_code.co_filename)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        ask()
    finally:
        sys.setprofile(before)
    return {file for file in files if file.startswith(str(SOURCE)) and file.endswith(".py")}


@pytest.mark.extended
def test_a_request_goes_through_few_files_and_queries(
    make_club: Callable[..., Club], monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from handan.club.store import clock
    from handan.club.store.models import Role
    from tests.web.test_pages import registered, signed_in

    monkeypatch.setattr(clock, "LATEST", time())  # after midnight an entry asks who of the evening is still here
    club, visitor = make_club("egf"), Client()
    keeper = signed_in(club, Role.SECRETARY)
    ada, bo = (registered(keeper, club, name, "5k") for name in ("Ada", "Bo"))
    sent = {"black": ada, "white": bo, "result": "B+", "kind": "club", "handicap": "0", "komi": "6.5", "size": "19"}
    days: Iterator[int] = iter(range(1, 9))

    def enter() -> None:
        day = next(days)
        fields = {**sent, "date": f"2026-05-0{day}", "token": f"one-{day}", "save": "1"}
        assert keeper.post(f"/{club.slug}/games/new/", fields).status_code == 302

    enter()
    requests: dict[str, Callable[[], Any]] = {"ladder": lambda: visitor.get(f"/{club.slug}/"), "entry": enter}
    went = {name: files_of(ask) for name, ask in requests.items()}
    assert {name: len(files) for name, files in went.items() if len(files) > MOST[name]} == {}
    requests["game"] = lambda: visitor.get(f"/{club.slug}/games/g4/")
    for name, most in MOST_QUERIES.items():
        with CaptureQueriesContext(connection) as queries:
            requests[name]()
        reads = [query for query in queries if not query["sql"].startswith(("BEGIN", "PRAGMA", "ROLLBACK"))]
        assert (name, len(reads)) <= (name, most)
