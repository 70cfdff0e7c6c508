"""One list of kinds of entry: each has its check and its effect, and chain and seals ask it what they must know."""

from __future__ import annotations

import inspect

from handan.club import changes
from handan.club.changes import HANDLERS
from handan.club.entries import bare, personal
from handan.club.kinds import Kind
from tests.conftest import ROOT


def test_every_kind_has_one_handler() -> None:
    assert HANDLERS.keys() == set(Kind)


def test_every_check_of_a_change_belongs_to_a_kind() -> None:
    checks = {handler.check for handler in HANDLERS.values() if handler.check is not None}
    makers = {
        function
        for room in (changes.games, changes.players, changes.sheets, changes.events, changes.office)
        for _, function in inspect.getmembers(room, inspect.isfunction)
        if inspect.signature(function).return_annotation == "Draft"
    }
    assert checks == makers


def test_every_kind_is_named_where_the_ledger_is_described() -> None:
    lines = (ROOT / "docs" / "club-ledger.md").read_text(encoding="utf-8").split("| entry |")[1].splitlines()[2:]
    cells = [line.split("|")[1].strip() for line in lines[: lines.index("")]]
    named = set()
    for cell in cells:  # "player registered, changed": what is left out stands in the first
        named |= {part if " " in part else f"{cell.split()[0]} {part}" for part in cell.split(", ")}
    assert named == set(Kind)


def test_what_tells_of_people_never_stands_in_bare_facts() -> None:
    facts = {"name": "Ada", "notes": "a word", "note": "a word", "account": "ada", "player": "p1", "zone": "Asia/Tokyo"}
    for kind in Kind:
        texts = personal(kind, facts, "author", "reason")
        private = set(facts) if kind.traits.is_person else {*kind.traits.free_facts} & set(facts)
        assert bare(kind, facts) == {name: value for name, value in facts.items() if name not in private}
        assert set(texts) == {"author", "reason"} | ({"person"} if kind.traits.is_person else private)
