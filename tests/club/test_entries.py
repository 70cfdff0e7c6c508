from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from handan.club.entries import GENESIS, Draft, Record, canonical, chained, with_seals
from handan.club.kinds import Kind
from handan.club.verifying import verified
from handan.errors import InputError
from tests.club.helpers import MOMENT, Book

FIELDS: dict[str, Any] = {
    "kind": Kind.GAME_WITHDRAWN,
    "subject": "g99",
    "facts": {"name": "Mallory"},
    "author": "somebody else",
    "entered": datetime(2020, 1, 1, tzinfo=UTC),
    "reason": "another",
    "previous": "f" * 64,
    "digest": "0" * 64,
}


def ledger() -> list[Record]:
    book = Book()
    one, other = book.player("Alice", "10k"), book.player("Bob", "7k")
    for result in ("B+R", "W+3.5", "jigo"):
        book.game(one, other, result)
    return book.records


def test_a_ledger_verifies() -> None:
    records = ledger()
    assert list(verified(records)) == records
    assert records[0].previous == GENESIS


@pytest.mark.parametrize("field", FIELDS)
def test_a_change_of_any_field_shows(field: str) -> None:
    records = ledger()
    records[3] = replace(records[3], **{field: FIELDS[field]})
    with pytest.raises(InputError, match="entry 4"):
        list(verified(records))


def test_a_change_with_its_digest_made_new_shows_at_the_next_entry() -> None:
    records = ledger()
    changed = with_seals(replace(records[3], author="Mallory"))
    records[3] = replace(changed, digest=changed.computed())
    with pytest.raises(InputError, match="entry 5 does not follow entry 4"):
        list(verified(records))


def test_a_missing_entry_shows() -> None:
    records = ledger()
    with pytest.raises(InputError, match="entry 3 is missing"):
        list(verified(records[:2] + records[3:]))


def test_swapped_entries_show() -> None:
    records = ledger()
    records[2], records[3] = records[3], records[2]
    with pytest.raises(InputError, match="entry 3 is missing"):
        list(verified(records))


def test_plain_data_and_back_is_the_same_entry() -> None:
    records = ledger()
    assert [Record.of(record.as_dict()) for record in records] == records


@pytest.mark.parametrize("data", [{}, {"number": "x"}, {**ledger()[0].as_dict(), "kind": "nonsense"}])
def test_what_is_no_entry_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        Record.of(data)


def test_the_digest_does_not_depend_on_the_zone_in_which_the_moment_is_written() -> None:
    from datetime import timezone

    (record,) = chained([Draft(Kind.PLAYER_REGISTERED, {"name": "A"})], 0, GENESIS, "x", MOMENT)
    moved = replace(record, entered=record.entered.astimezone(timezone(timedelta(hours=9))))
    assert moved.computed() == record.digest


def test_canonical_json_has_one_spelling() -> None:
    # RFC 8785 has the same order of names and no blanks
    assert canonical({"b": 1, "a": ["é", 6.5, None, True]}) == '{"a":["é",6.5,null,true],"b":1}'.encode()
