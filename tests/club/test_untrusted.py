"""Ledgers whose chain holds, and which yet mean nothing; every one is refused in one line."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest

from handan.club.entries import GENESIS, Draft, Record, chained
from handan.club.kinds import Kind
from handan.club.state import State
from handan.club.verifying import fold_foreign, verified
from handan.errors import InputError
from tests.club.helpers import MOMENT, Book, import_records

if TYPE_CHECKING:
    from handan.club.store.models import Club

PLAYER = Draft(Kind.PLAYER_REGISTERED, {"name": "Alice"})
GAME = {"black": "p1", "white": "p2", "result": "B+"}
NONSENSE = {
    "game of strangers": [Draft(Kind.GAME_RECORDED, {"black": "p9", "white": "p8", "result": "B+"})],
    "game without players": [Draft(Kind.GAME_RECORDED, {})],
    "game with a wrong result": [PLAYER, PLAYER, Draft(Kind.GAME_RECORDED, {**GAME, "result": "X+3"})],
    "subject that is no key": [Draft(Kind.GAME_WITHDRAWN, {}, "nonsense")],
    "unknown system": [Draft(Kind.RULES_SET, {"system": "nonsense"})],
    "system that pages do not find": [Draft(Kind.RULES_SET, {"system": "EGF"})],
    "rules without a system": [Draft(Kind.RULES_SET, {})],
    "unknown setting": [Draft(Kind.RULES_SET, {"system": "elo", "settings": {"kk": 1}})],
    "settings that are no dictionary": [Draft(Kind.RULES_SET, {"system": "elo", "settings": [1]})],
    "rules since a day that is none": [Draft(Kind.RULES_SET, {"system": "elo", "since": "2026-02-30"})],
    "numbers that are no list": [Draft(Kind.PLAYER_REGISTERED, {"name": "Alice", "ids": 7})],
    "adjustment of a stranger": [Draft(Kind.RANK_ADJUSTED, {"player": "p9", "rank": "1d"})],
    "adjustment with an unknown field": [PLAYER, Draft(Kind.RANK_ADJUSTED, {"player": "p1", "nonsense": 1})],
    "adjustment without rank and rating": [PLAYER, Draft(Kind.RANK_ADJUSTED, {"player": "p1"})],
    "adjustment that never was": [Draft(Kind.RANK_WITHDRAWN, {}, "a1")],
    "list without a day": [Draft(Kind.LIST_PUBLISHED, {})],
    "player with another's key": [PLAYER, Draft(Kind.PLAYER_REGISTERED, {"name": "Mallory"}, "p1")],
    "game with another's key": [PLAYER, PLAYER, Draft(Kind.GAME_RECORDED, GAME, "g1")],
}  # fmt: skip


def records_of(*drafts: Draft) -> list[Record]:
    return list(verified(chained(drafts, 0, GENESIS, "mallory", MOMENT)))


@pytest.mark.parametrize("name", NONSENSE)
def test_entries_that_mean_nothing_are_refused(name: str) -> None:
    with pytest.raises(InputError) as caught:
        fold_foreign(State("club"), records_of(*NONSENSE[name]))
    assert "\n" not in str(caught.value)


def test_players_merged_in_a_circle_are_one_player() -> None:
    circle = [Draft(Kind.PLAYER_MERGED, {"into": into}, key) for key, into in (("p1", "p2"), ("p2", "p1"))]
    assert len(fold_foreign(State("club"), records_of(PLAYER, PLAYER, *circle)).active) == 1


def test_a_ledger_that_means_something_folds_to_its_state() -> None:
    book = Book()
    book.game(book.player("Alice", "1d"), book.player("Bob", "2k"))
    state = fold_foreign(State("club"), book.records)
    assert (state.digest, state.ledger) == (book.state.digest, book.state.ledger)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("facts", '{"x": NaN}'), ("facts", '{"x": 1e999}'), ("facts", '{"name": "\\ud800"}'), ("facts", "[1]"),
        ("number", "Infinity"), ("number", "null"), ("entered", '"2026-05-01T18:30:00"'), ("entered", "5"),
        ("entered", '"0001-01-01T00:00:00+14:00"'), ("author", '"\\u0000"'), ("reason", '"a\\u0000b"'),
        ("author", f'"{"x" * 201}"'), ("subject", f'"{"p" * 65}"'), ("reason", f'"{"x" * 1_000_001}"'),
    ],
)  # fmt: skip
def test_fields_that_a_database_or_a_digest_cannot_hold_are_refused(field: str, text: str) -> None:
    (record,) = records_of(PLAYER)
    data: dict[str, Any] = record.as_dict()
    with pytest.raises(InputError):
        list(verified([Record.of({**data, field: json.loads(text)})]))


def test_a_moment_without_a_zone_is_named() -> None:
    (record,) = records_of(PLAYER)
    with pytest.raises(InputError, match="no time zone"):
        Record.of({**record.as_dict(), "entered": "2026-05-01T18:30:00"})


@pytest.mark.database
@pytest.mark.parametrize("name", ["\u200bAda", "x\u202egnp", "\x01", "\x1b[31mred", "\u3164"])
@pytest.mark.parametrize("field", ["name", "reading", "author"])
def test_an_import_takes_no_names_that_cannot_be_seen(field: str, name: str, club: Club) -> None:

    facts = {"name": "Ada"} if field == "author" else {"name": "Ada", field: name}
    author = name if field == "author" else "x"
    records = list(chained([Draft(Kind.PLAYER_REGISTERED, facts)], 0, GENESIS, author, MOMENT))
    empty = type(club).objects.create(slug=f"{club.slug}-empty", name="Empty")
    with pytest.raises(InputError, match=r"characters that nobody sees .*; change that where the ledger comes from"):
        import_records(empty, records)


@pytest.mark.database
def test_an_import_takes_a_ledger_in_which_such_a_name_was_put_right(club: Club) -> None:

    drafts = [Draft(Kind.PLAYER_REGISTERED, {"name": "\u200bAda"}), Draft(Kind.PLAYER_CHANGED, {"name": "Ada"}, "p1")]
    empty = type(club).objects.create(slug=f"{club.slug}-empty", name="Empty")
    assert import_records(empty, list(chained(drafts, 0, GENESIS, "x", MOMENT))) == 2


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", "\x00"),
        ("name", "\ud800"),
        ("name", "\u202eevil"),
        ("name", None),
        ("name", 5),
        ("name", " "),
        ("club", None),
    ],
)
def test_a_first_line_that_no_database_holds_is_refused(field: str, value: object) -> None:
    from handan.club.exchange import ledger_head
    from handan.club.store.founding import import_club
    from handan.club.store.models import Club

    before = Club.objects.count()
    head = json.dumps({**ledger_head("from-elsewhere", "Elsewhere", 0, GENESIS), field: value}).encode()
    with pytest.raises(InputError):
        import_club(io.BytesIO(head), [])
    without = json.dumps({"handan": "ledger", "format": 1, "entries": 0, "digest": GENESIS}).encode()
    with pytest.raises(InputError, match="no ledger"):
        import_club(io.BytesIO(without), [])
    assert Club.objects.count() == before
