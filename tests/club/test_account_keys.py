"""Author and token of an entry are inside its digest; entries of before verify as before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from handan.club import changes, entries
from handan.club.entries import GENESIS, Draft, Record, chained
from handan.club.kinds import Kind
from handan.club.verifying import verified
from handan.errors import InputError
from tests.club.helpers import MOMENT, import_records

if TYPE_CHECKING:
    from handan.club.store.models import Club

NUMBERS = count(1)


def registered(name: str) -> Draft:
    return Draft(Kind.PLAYER_REGISTERED, {"name": name})


def books(monkeypatch: pytest.MonkeyPatch, formats: tuple[int, ...]) -> list[Record]:
    """Return a chain whose entries have these digest formats."""
    made: list[Record] = []
    for number, form in enumerate(formats):
        monkeypatch.setattr(entries, "DIGEST_FORMAT", form)
        digest = made[-1].digest if made else GENESIS
        made += chained([registered("A")], number, digest, "x", MOMENT, "account-1", f"mark-{number}")
    monkeypatch.undo()
    return made


def test_a_chain_goes_from_the_first_format_to_the_second_and_never_back(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(list(verified(books(monkeypatch, (1, 1, 2, 2))))) == 4
    with pytest.raises(InputError, match="entry 3 has digest format 1, the one before it 2"):
        list(verified(books(monkeypatch, (1, 2, 1))))


@pytest.mark.parametrize("change", [{"account": "account-2"}, {"token": "other"}, {"author": "y"}, {"format": 1}])
def test_account_and_token_are_inside_the_digest(monkeypatch: pytest.MonkeyPatch, change: dict[str, Any]) -> None:
    (record,) = books(monkeypatch, (2,))
    with pytest.raises(InputError, match="entry 1 was changed"):
        list(verified([replace(record, **change)]))
    assert Record.of(record.as_dict()) == record


def test_the_digest_of_an_old_entry_is_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """A regression guard: the digest that the version before made of this entry."""
    (record,) = books(monkeypatch, (1,))
    assert set(record.content()) == {
        "number", "kind", "subject", "facts", "author", "entered", "reason", "previous"
    }  # fmt: skip
    assert record.digest == "dc1771ba9411b506380bccb451c5b3abb64eedffb5b02a6077fc7d3cc70c4d78"
    assert Record.of(record.as_dict()).format == 1


@pytest.mark.parametrize("form", [0, 1, 4, "x"])
def test_a_format_that_cannot_be_is_refused(monkeypatch: pytest.MonkeyPatch, form: object) -> None:
    (record,) = books(monkeypatch, (2,))
    with pytest.raises(InputError, match="cannot be read"):
        Record.of({**record.as_dict(), "format": form})


@pytest.mark.database
def test_what_an_account_writes_names_it_in_export_and_import(club: Club) -> None:
    from handan.club.store import copying
    from handan.club.store.access import account_key
    from handan.club.store.facts import records
    from handan.club.store.idempotency import Sending
    from handan.club.store.members import new_account
    from handan.club.store.models import Club, Entry
    from handan.club.store.states import state_of
    from handan.club.store.writing import verify, write

    user = new_account(f"author-{next(NUMBERS)}", "a long enough phrase")
    write(
        club,
        lambda s: changes.players.register_player(s, {"name": "A"}),
        author=user.username,
        user=user,
        sending=Sending("mark"),
    )
    *_, last = entries = list(records(club))
    assert (last.account, last.token, last.format) == (account_key(user), "mark", 3)
    user.username = f"renamed-{next(NUMBERS)}"
    user.save()
    assert verify(club) == club.number
    again = Club.objects.create(slug=f"again-{next(NUMBERS)}", name="Again")
    import_records(again, map(Record.of, [record.as_dict() for record in entries]))
    last_entry = Entry.objects.filter(club=again).last()
    assert last_entry
    assert (last_entry.user, last_entry.token, last_entry.record) == (user, "mark", last)
    user.delete()  # an account may go; what it wrote stays
    assert verify(club) == club.number
    assert copying.check_club(club, "default", lists=True)[0] == state_of(club).number


@pytest.mark.database
def test_a_ledger_with_one_token_twice_is_refused(make_club: Callable[..., Club]) -> None:
    from handan.club.store.models import Club

    first, second = (
        list(chained([registered(name)], number, GENESIS, "x", MOMENT, "", "mark")) for number, name in enumerate("AB")
    )
    second = list(chained([registered("B")], 1, first[0].digest, "x", MOMENT, "", "mark"))
    club = Club.objects.create(slug=f"twice-{make_club().slug}", name="Twice")
    with pytest.raises(InputError, match="same token"):
        import_records(club, [*first, *second])


@pytest.mark.database
def test_the_database_links_no_entry_to_another_account(club: Club) -> None:
    from django.db import Error, transaction

    from handan.club.store.members import new_account
    from handan.club.store.models import Entry

    user = new_account(f"thief-{next(NUMBERS)}", "a long enough phrase")
    for change in ({"user": user}, {"token": "other"}, {"account": "other"}, {"format": 1}):
        with pytest.raises(Error, match="never changed"), transaction.atomic():
            Entry.objects.filter(club=club).update(**change)
