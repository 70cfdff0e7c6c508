"""The stored ledger on a database: nothing lost, nothing half-written, nothing changed afterwards."""

from __future__ import annotations

import gzip
import io
import json
import multiprocessing
import os
import re
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from handan.errors import FieldError, InputError

if TYPE_CHECKING:
    from handan.club.store.models import Club

pytestmark = pytest.mark.database

USERS = count(1)
MakeClub = Callable[..., "Club"]
WRITERS, GAMES = 3, 15
PRESSES = 5  # SQLite has no queue of writers: on a busy machine one may wait longer than a server lets anybody
FIELDS = ("number", "kind", "subject", "facts", "entered", "previous", "digest", "sealed")


def registered(club: Club, *names: str) -> list[str]:
    from handan.club import changes
    from handan.club.store.writing import write

    return [
        entry.subject
        for entry in write(club, lambda s: [changes.players.register_player(s, {"name": n}) for n in names], author="x")
    ]


def recorded(club: Club, black: str, white: str, result: str = "B+", token: str = "") -> str:
    from handan.club import changes
    from handan.club.store.clock import today
    from handan.club.store.idempotency import Sending
    from handan.club.store.writing import write

    game_facts = {"black": black, "white": white, "result": result, "date": "2026-05-01"}
    made = write(club, lambda s: changes.games.record_game(s, game_facts, today()), author="x", sending=Sending(token))
    return made[0].subject


def test_a_refused_change_leaves_nothing(club: Club) -> None:
    from handan.club.store.models import Entry
    from handan.club.store.writing import verify

    registered(club, "Alice")
    before = Entry.objects.filter(club=club).count()
    with pytest.raises(InputError):
        recorded(club, "p2", "p99")
    assert Entry.objects.filter(club=club).count() == before
    assert verify(club) == before


@pytest.mark.parametrize("field", FIELDS)
def test_the_database_refuses_to_change_an_entry(club: Club, field: str) -> None:
    from django.db import IntegrityError, transaction
    from django.db.models import F

    from handan.club.store.models import Entry

    with pytest.raises(IntegrityError, match="never changed"), transaction.atomic():
        Entry.objects.filter(club=club).update(**{field: F(field)})


def test_the_database_refuses_to_delete_an_entry(club: Club) -> None:
    from django.db import IntegrityError, connection, transaction

    from handan.club.store.models import Entry

    with pytest.raises(IntegrityError, match="never changed or deleted"), transaction.atomic():
        connection.cursor().execute("DELETE FROM club_entry WHERE club_id = %s", [club.pk])
    with pytest.raises(TypeError, match="never deleted"):
        Entry.objects.filter(club=club)[0].delete()


def test_a_changed_row_shows_even_if_the_triggers_were_gone(club: Club) -> None:
    from dataclasses import replace

    from handan.club.store.facts import records
    from handan.club.verifying import verified

    registered(club, "Alice")
    entries = list(records(club))
    entries[1] = replace(entries[1], facts={**entries[1].facts, "name": "Mallory"})
    with pytest.raises(InputError, match="entry 2 was changed"):
        list(verified(entries))


def test_numbers_pass_through_the_database_as_they_were(club: Club) -> None:
    # digests are made of JSON text, and PostgreSQL keeps numbers in its own way
    from handan.club import changes
    from handan.club.store.clock import today
    from handan.club.store.writing import verify, write

    (key,) = registered(club, "Alice")
    for rating in (0.1, 1e-7, -0.0, 12345678.9, 1e8, 3.0, 2**53 / 3**20):
        facts = {"rating": rating}
        write(club, lambda s, t=facts: changes.players.adjust(s, key, t, today(), "try"), author="x")  # type: ignore[misc]
    assert verify(club) == 9


def test_a_ledger_goes_out_and_in_without_loss(make_club: MakeClub) -> None:
    from handan.club.exchange import read_ledger
    from handan.club.store.facts import records
    from handan.club.store.models import Club
    from handan.club.store.states import ledger_file, state_of
    from tests.club.helpers import import_records

    club = make_club()
    one, other = registered(club, "Alice", "山田 春子")
    recorded(club, one, other)
    lines = b"".join(ledger_file(club))
    for number, data in enumerate((lines, gzip.compress(lines))):
        header, entries = read_ledger(io.BytesIO(data))
        assert (header["entries"], header["digest"]) == (club.number, club.digest)
        again = Club.objects.create(slug=f"{club.slug}-again-{number}", name=header["name"])
        assert import_records(again, entries) == club.number
        assert list(records(again)) == list(records(club))
        assert state_of(again).ledger == state_of(club).ledger
    with pytest.raises(InputError, match="into an empty club"):
        import_records(again, records(club))


def stored_texts(club: Club) -> list[tuple[object, ...]]:
    """Return all that the tables hold of a club's entries but the numbers of rows, as the database writes it."""
    from django.db import connection

    columns = "e.number, kind, subject, facts, user_id, entered, previous, digest, token, account, format, sealed"
    rows = "club_entry AS e LEFT JOIN club_personaltext AS p ON p.entry_id = e.id WHERE club_id = %s ORDER BY e.number"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {columns}, texts FROM {rows}", [club.pk])
        return list(cursor.fetchall())


def test_many_entries_at_once_are_stored_as_entries_one_by_one(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    from handan.club import changes
    from handan.club.store import writing
    from handan.club.store.facts import records
    from handan.club.store.idempotency import Sending
    from handan.club.store.members import new_account
    from handan.club.store.models import Club
    from handan.club.store.writing import write
    from tests.club.helpers import import_records

    user = new_account(f"importer-{next(USERS)}", "a long enough phrase")
    write(
        club,
        lambda state: changes.players.register_player(state, {"name": "Zoë 山"}),
        author="é",
        user=user,
        sending=Sending("mark"),
    )
    one, other = registered(club, 'Ada "the first"', "Bo")
    recorded(club, one, other, token="another")
    monkeypatch.setattr(writing, "BATCH", 2)  # more than one batch
    again = Club.objects.create(slug=f"{club.slug}-again", name="Again")
    import_records(again, list(records(club)))
    assert stored_texts(again) == stored_texts(club) != []
    assert {row[4] for row in stored_texts(again)} == {user.pk, None}


def unsigned(line: bytes, **other: object) -> bytes:
    """Return the first line of a ledger without its signature, with other values."""
    head = {name: value for name, value in json.loads(line).items() if name not in {"key", "signature"}}
    return json.dumps(head | other).encode() + b"\n"


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda lines: [b"{}\n", *lines[1:]], "no ledger exported"),
        (lambda lines: [gzip.compress(b"".join(lines))[:-20]], "packed ledger is damaged"),
        (lambda _: [b"\x1f\x8bnonsense"], "packed ledger is damaged"),
        (lambda lines: [lines[0], b"nonsense\n"], "line 2"),
        (lambda lines: [lines[0], *lines[2:]], "entry 1 is missing"),
        (lambda lines: [line.replace(b"Alice", b"Mallory") for line in lines], "was changed after it was written"),
        (lambda lines: lines[:-1], "holds 1 of 2 entries: it was cut off"),
        (lambda lines: lines[:1], "holds 0 of 2 entries: it was cut off"),
        (lambda lines: [gzip.compress(lines[0] + lines[1])], "holds 1 of 2 entries"),  # as a download that was cut
        (lambda lines: [lines[0].replace(b'"entries":2', b'"entries":1'), *lines[1:]], "signature does not fit"),
        (lambda lines: [unsigned(lines[0], entries=1), *lines[1:]], "holds 2 of 1 entries"),
        (lambda lines: [unsigned(lines[0], digest=64 * "a"), *lines[1:]], "ends"),
        (lambda lines: [re.sub(rb'"entries":2,', b"", lines[0]), *lines[1:]], "does not say"),
    ],
)
def test_a_damaged_ledger_is_refused(club: Club, spoil: Callable[[list[bytes]], list[bytes]], message: str) -> None:
    from handan.club.exchange import read_ledger
    from handan.club.store.states import ledger_file

    registered(club, "Alice")
    lines = list(ledger_file(club))
    with pytest.raises(InputError, match=message):
        list(read_ledger(io.BytesIO(b"".join(spoil(lines))))[1])


def test_an_official_list_is_made_again_to_the_same_bytes(club: Club) -> None:
    from handan.club import lists
    from handan.club.lists import signed_list
    from handan.club.store.clock import today
    from handan.club.store.facts import records
    from handan.club.store.models import ClubKey, Entry
    from handan.club.store.writing import write

    one, other = registered(club, "Alice", "Bob")
    recorded(club, one, other)
    write(club, lambda s: lists.publish(s, today()), author="x")
    frozen = lists.listed_bytes(Entry.objects.filter(club=club).last().record.facts["content"])  # type: ignore[union-attr]
    recorded(club, one, other)  # later entries do not matter
    entries = list(records(club))
    assert lists.verify_list(frozen, {club.slug: entries})["number"] == 1
    with pytest.raises(InputError, match="signature does not fit"):
        lists.verify_list(frozen.replace(b'"games":1', b'"games":2'), {club.slug: entries})
    private = ClubKey.objects.get(club=club).private
    for figure, other_figure, message in (
        (b'"games":1', b'"games":2', "replay gives another list"),
        (b'"version":"', b'"version":"9', "does not publish this list"),
    ):
        content = json.loads(frozen.replace(figure, other_figure))
        del content["key"], content["signature"]
        otherwise = lists.listed_bytes(signed_list(private, content))
        with pytest.raises(InputError, match=message):
            lists.verify_list(otherwise, {club.slug: entries})
    with pytest.raises(InputError, match="ends at entry 3"):
        lists.verify_list(frozen, {club.slug: entries[:3]})
    with pytest.raises(InputError, match="is needed"):
        lists.verify_list(frozen, {})
    with pytest.raises(InputError, match="no official list"):
        lists.verify_list(b"[]", {club.slug: entries})


def test_a_list_of_a_day_to_come_is_refused(club: Club) -> None:
    from handan.club import lists
    from handan.club.store.clock import today
    from handan.club.store.states import state_of

    with pytest.raises(FieldError, match="up to today"):
        lists.publish(state_of(club), today(), today() + timedelta(days=1))


def _write_games(url: str, slug: str, keys: list[str], key: str) -> None:
    """Write games from another process."""
    os.environ |= {"DATABASE_URL": url, "HANDAN_SECRET_KEY": "x" * 50, "DJANGO_SETTINGS_MODULE": "handan.web.settings"}
    import django

    django.setup()
    from django.db import OperationalError

    from handan.club.store.database import is_busy
    from handan.club.store.models import Club

    club = Club.objects.get(slug=slug)
    for number in range(GAMES):
        for _ in range(PRESSES):
            try:
                recorded(club, keys[0], keys[1], token=f"{key}-{number}")
                break
            except OperationalError as error:
                if not is_busy(error):
                    raise


@pytest.mark.extended
def test_writers_in_several_processes_lose_nothing(club: Club, database: str) -> None:
    from handan.club.store.models import Entry
    from handan.club.store.states import state_of
    from handan.club.store.writing import verify

    keys = registered(club, "Alice", "Bob")
    context = multiprocessing.get_context("spawn")
    writers = [
        context.Process(target=_write_games, args=(database, club.slug, keys, str(number))) for number in range(WRITERS)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(120)
    assert [writer.exitcode for writer in writers] == [0] * WRITERS
    assert verify(club) == 3 + WRITERS * GAMES
    assert len(state_of(club).ledger) == WRITERS * GAMES
    tokens = set(Entry.objects.filter(club=club, token__isnull=False).values_list("token", flat=True))
    assert len(tokens) == WRITERS * GAMES


def test_a_backup_taken_while_others_write_verifies(alone: None, club: Club, tmp_path: Path) -> None:
    from handan.club.store import backup

    keys = registered(club, "Alice", "Bob")
    for number in range(3):
        recorded(club, *keys)
        target = tmp_path / f"{number}.db"
        assert backup.backup(target) > 0
        restored = tmp_path / f"restored-{number}.db"
        assert backup.restore(target, restored) == backup.integrity(restored)
    with pytest.raises(InputError, match="there already"):
        backup.backup(target)
    with pytest.raises(InputError, match="there already"):
        backup.restore(target, restored)


def test_a_damaged_backup_is_not_restored(alone: None, club: Club, tmp_path: Path) -> None:
    import sqlite3

    from handan.club.store import backup

    registered(club, "Alice")
    target = tmp_path / "backup.db"
    backup.backup(target)
    with closing(sqlite3.connect(target)) as database:
        database.execute("DROP TRIGGER entry_unchanged")
        database.execute("UPDATE club_entry SET subject = 'Mallory' WHERE number = 1")
        database.commit()
    with pytest.raises(InputError, match="entry 1 was changed"):
        backup.restore(target, tmp_path / "restored.db")
    target.write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    with pytest.raises(InputError):
        backup.restore(target, tmp_path / "restored.db")
    with pytest.raises(InputError, match="not a file"):
        backup.restore(tmp_path / "none.db", tmp_path / "restored.db")
    assert not (tmp_path / "restored.db").exists()


def test_a_copy_into_another_database_has_everything(alone: None, club: Club, tmp_path: Path) -> None:
    from handan.club.store import backup
    from handan.club.store.members import new_account, set_member
    from handan.club.store.models import Role

    registered(club, "Alice")
    set_member(club, new_account(f"copied-{next(ACCOUNTS)}", "a long enough phrase"), Role.KEEPER, author="x")
    counts = backup.copy(f"sqlite:///{tmp_path / 'copy.db'}")
    assert counts["club.Club"] >= 1
    assert counts["auth.User"] >= 1
    assert backup.integrity(tmp_path / "copy.db") == counts["club.Entry"]
    with pytest.raises(InputError, match="copy into an empty one"):
        backup.copy(f"sqlite:///{tmp_path / 'copy.db'}")


ACCOUNTS = count(1)


def test_just_as_many_writes_a_minute_as_allowed_and_none_of_a_clock_that_was_ahead(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.test import override_settings
    from django.utils import timezone

    from handan.club import changes
    from handan.club.store.members import new_account
    from handan.club.store.writing import RateLimitError, write

    user, now = new_account(f"often-{next(USERS)}", "a long enough phrase"), timezone.now()

    def enter(moment: datetime) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(timezone, "now", lambda: moment)
            write(club, lambda s: changes.players.register_player(s, {"name": "Ada"}), author="x", user=user)

    with override_settings(WRITES_A_MINUTE=3):
        for seconds in (7200, 7201, 7202):
            enter(now + timedelta(seconds=seconds))
        for seconds in (0, 1, 2):  # the clock is right again
            enter(now + timedelta(seconds=seconds))
        with pytest.raises(RateLimitError):
            enter(now + timedelta(seconds=3))
        enter(now + timedelta(seconds=60))


def test_entries_written_during_an_export_are_not_in_it(club: Club) -> None:
    from handan.club.exchange import read_ledger
    from handan.club.store.states import ledger_file

    registered(club, "Alice")
    lines = ledger_file(club)
    first = next(lines)
    registered(club, "Bob")
    header, entries = read_ledger(io.BytesIO(first + b"".join(lines)))
    assert len(list(entries)) == header["entries"] == 2


def test_what_takes_long_is_made_before_others_are_kept_from_writing(club: Club) -> None:
    from django.db import connection

    from handan.club import changes
    from handan.club.entries import Draft
    from handan.club.state import State
    from handan.club.store.writing import verify, write

    inside: list[bool] = []

    def make(state: State) -> Draft:
        inside.append(connection.in_atomic_block)
        if len(inside) < 3:  # another entry comes between
            write(club, lambda s: changes.players.register_player(s, {"name": f"Between {len(inside)}"}), author="x")
        return changes.players.register_player(state, {"name": f"After {state.number}"})

    written = write(club, make, author="x", ahead=True)
    assert inside == [False, False, True]
    assert (written[0].record.facts["name"], written[0].number) == ("After 3", 4)
    inside[:] = [False] * 3
    assert write(club, make, author="x", ahead=True)[0].number == 5
    assert inside == [False] * 4
    assert verify(club) == 5


def test_who_writes_follows_an_entry_that_came_since_they_looked(club: Club) -> None:
    from handan.club import changes
    from handan.club.entries import Draft
    from handan.club.state import State
    from handan.club.store.states import state_of
    from handan.club.store.writing import verify, write

    given: list[State] = []

    def make(state: State) -> Draft:
        given.append(state)
        return changes.players.register_player(state, {"name": f"After {state.number}"})

    looked_at = state_of(club)
    registered(club, "Between")
    assert write(club, make, author="x", seen=looked_at)[0].record.facts["name"] == "After 2"
    looked_at = state_of(club)
    write(club, make, author="x", seen=looked_at)
    assert given[1] is looked_at
    assert verify(club) == 4


def test_a_ledger_is_verified_before_others_are_kept_from_writing(club: Club) -> None:
    from django.db import connection

    from handan.club.store.founding import EVERY, VERIFIED, WRITTEN, import_club
    from handan.club.store.models import Club
    from handan.club.store.states import ledger_file

    registered(club, *(f"Player {number}" for number in range(EVERY + 1)))
    ledger = b"".join(ledger_file(club))
    head, _, entries = ledger.partition(b"\n")
    renamed = {name: value for name, value in json.loads(head).items() if name not in {"key", "signature"}}
    slug = f"verified-first-{next(USERS)}"
    inside: dict[str, bool] = {}
    there: list[int] = []
    made = import_club(
        io.BytesIO(json.dumps({**renamed, "club": slug}).encode() + b"\n" + entries), [],
        report=lambda words, *_: inside.update({words: connection.in_atomic_block}),
        then=lambda own: there.append(own.number),
    )  # fmt: skip
    assert inside == {VERIFIED: False, WRITTEN: True}
    assert there == [made.entries]
    assert Club.objects.get(slug=slug).number == made.entries


def test_two_who_bring_a_ledger_at_once_make_one_club(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    from handan.club.store import founding
    from handan.club.store.states import ledger_file

    registered(club, "Alice")
    ledger = b"".join(ledger_file(club))
    monkeypatch.setattr(founding, "_check", lambda _: None)  # the other one's club was not there yet
    with pytest.raises(InputError, match="is here already"):
        founding.import_club(io.BytesIO(ledger), [])
