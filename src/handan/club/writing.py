"""Writing to a club's ledger: one short transaction, checked against the state it will follow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from handan.club.account_keys import account_key, attributed, users_by_key
from handan.club.changes import checked_text
from handan.club.club_keys import make_key, signed_drafts
from handan.club.database_file import refuse_replaced_file
from handan.club.entries import GENESIS, Draft, Kind, Record, chained, verified
from handan.club.folding import State, fold
from handan.club.foreign import fold_foreign
from handan.club.lists import verify_published
from handan.club.models import Club, Entry
from handan.club.reading import state_of
from handan.club.rules import Rules
from handan.errors import HandanError, InputError

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class TooManyError(HandanError):
    """One account has written too often in a short time."""


Make = Callable[[State], Draft | Iterable[Draft]]
TRIES = 3  # our choice: the last time, nobody else can write meanwhile
BATCH = 2000  # rows an INSERT
LONGEST_TOKEN = 64  # characters, as the tables have it; SQLite itself does not look


def create_club(
    slug: str, name: str, rules: Rules | None = None, author: str = "", federation: Club | None = None
) -> Club:
    """Create a club, whose first entry sets its rules; ValidationError for a name that cannot be one."""
    club = Club(slug=slug, name=name, federation=federation)
    club.full_clean()
    with transaction.atomic():
        club.save(force_insert=True)
        make_key(club)
        write(club, lambda _: Draft(Kind.RULES_SET, (rules or Rules()).as_dict()), author=author)
    return club


def write(
    club: Club, make: Make, *, author: str, user: User | None = None, token: str | None = None, ahead: bool = False
) -> list[Entry]:
    """Write what `make` returns for the state of the club, and return the entries.

    Args:
        club: Whose ledger.
        make: Makes drafts from the state; called while no other entry can come between.
        author: Name printed in the log.
        user: The account, if there is one.
        token: A form's mark: sent again, the entries of the first time are returned.
        ahead: Whether `make` takes long: it is called before others are kept from writing, and again if an entry came
            between.
    """
    _not_too_often(user)
    checked_text(token, "token", LONGEST_TOKEN)
    for place in range(TRIES if ahead else 1):
        early = ahead and place < TRIES - 1
        before = state_of(club) if early else None
        entries = [] if before is None else _entries(club, before, make, author, user, token)
        with transaction.atomic():
            refuse_replaced_file()
            locked = Club.objects.select_for_update().get(pk=club.pk)
            if token and (first := Entry.objects.filter(club=club, token=token).first()):
                return list(Entry.objects.filter(club=club, entered=first.entered, number__gte=first.number))
            state = state_of(locked)
            if before is None:
                entries = _entries(locked, state, make, author, user, token)
            elif (state.number, state.digest, state.sources) != (before.number, before.digest, before.sources):
                continue
            _insert(locked, entries)
        club.number, club.digest = locked.number, locked.digest
        break
    return entries


def _entries(club: Club, state: State, make: Make, author: str, user: User | None, token: str | None) -> list[Entry]:
    """Return the rows of what `make` returns for a state, chained to the club's own last entry."""
    made = make(state)
    drafts = signed_drafts(club, state, [made] if isinstance(made, Draft) else list(made))
    now, account = timezone.now(), account_key(user)
    head = (
        Club.objects.values_list("number", "digest").get(pk=club.pk) if state.sources else (state.number, state.digest)
    )
    following = chained(drafts, *head, author, now, account, token or "")
    return _rows(club, following, {} if user is None else {account: user.pk})


def _not_too_often(user: User | None) -> None:
    """Refuse an account that has written too often in the past minute; the ledger itself is what is counted."""
    if user is None:
        return
    now = timezone.now()
    minute = Entry.objects.filter(
        user=user, entered__gt=now - timedelta(minutes=1), entered__lte=now
    )  # clocks were ahead
    times = minute.order_by().values("entered").distinct().count()
    most = settings.WRITES_A_MINUTE
    if times >= most:
        raise TooManyError(f"{times} changes within a minute; wait a little, or send many games as one record sheet")


def import_records(club: Club, records: Iterable[Record]) -> int:
    """Fill an empty club with the entries of another ledger, chain and all; return how many."""
    with transaction.atomic():
        locked = Club.objects.select_for_update().get(pk=club.pk)
        if locked.number:
            raise InputError(f"{club.name} has {locked.number} entries; a ledger is imported into an empty club")
        entries = list(verified(records))
        marks = [record.token for record in entries if record.token]
        if len(set(marks)) < len(marks):
            raise InputError("two entries of the ledger bear the same token")
        fold_foreign(State(club.slug), entries)
        verify_published(club.slug, entries, {})
        _insert(locked, _rows(locked, entries, users_by_key()))
    club.number, club.digest = locked.number, locked.digest
    return len(entries)


def verify(club: Club) -> int:
    """Return the number of entries if the chain holds and ends where the club says; InputError otherwise."""
    number, digest = 0, GENESIS
    stored = Entry.objects.filter(club=club).order_by("number").iterator(5000)
    for record in verified(attributed(stored)):
        number, digest = record.number, record.digest
    held = Club.objects.values_list("number", "digest").get(pk=club.pk)
    if held != (number, digest):
        raise InputError(f"{club.name} should end at entry {held[0]}, its chain ends at {number}")
    return number


def preview(state: State, drafts: Draft | Iterable[Draft]) -> State:
    """Return the state that drafts would make, without writing."""
    made = [drafts] if isinstance(drafts, Draft) else list(drafts)
    return fold(state, chained(made, state.number, state.digest, "", timezone.now()))


def _rows(club: Club, records: Iterable[Record], users: Mapping[str, int]) -> list[Entry]:
    """Return records as rows, linked to those of the accounts that are here."""
    return [
        Entry(
            club=club,
            number=record.number,
            kind=str(record.kind),
            subject=record.subject,
            facts=dict(record.facts),
            author=record.author,
            entered=record.entered,
            reason=record.reason,
            previous=record.previous,
            digest=record.digest,
            account=record.account,
            user_id=users.get(record.account),
            token=record.token or None,
            format=record.format,
        )
        for record in records
    ]


def _insert(club: Club, entries: list[Entry]) -> None:
    Entry.objects.bulk_create(entries, batch_size=BATCH)
    if entries:
        club.number, club.digest = entries[-1].number, entries[-1].digest
        club.save(update_fields=["number", "digest"])
