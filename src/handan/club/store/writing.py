"""Writing to a club's ledger: one short transaction, checked against the state it will follow, once a sending."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any, overload

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from handan.club.changes import fold, folding
from handan.club.changes.club_facts import FACTS, checked_facts, checked_name, checked_slug
from handan.club.changes.texts import refuse_unseen
from handan.club.entries import GENESIS, Draft, Record, bare, chained, with_seals
from handan.club.keys import new_private_key, public_key_of, set_key
from handan.club.kinds import Kind
from handan.club.lists import verify_published
from handan.club.movement import Figures
from handan.club.rules import Rules
from handan.club.state import State
from handan.club.store.access import account_key, records_of_accounts, users_by_key
from handan.club.store.clock import at_place
from handan.club.store.club_keys import make_key, with_signed_list
from handan.club.store.database import refuse_replaced_file
from handan.club.store.facts import save, save_differing
from handan.club.store.idempotency import NOTHING, RepeatedError, Sending, keep, used_key
from handan.club.store.models import Club, ClubKey, Entry, PersonalText
from handan.club.store.rating_lists import follow_entries
from handan.club.store.states import state_of
from handan.club.verifying import entry_that_carries, fold_foreign, verified
from handan.club.zones import checked_zone
from handan.errors import Clause, HandanError, InputError, counted

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class RateLimitError(HandanError):
    """One account has written too often in a short time."""


def too_often(times: int) -> RateLimitError:
    """Return the error of an account that has written so many times within a minute."""
    pattern = "{times} changes within a minute; wait a little, or send many games as one record sheet"
    return RateLimitError(Clause.of(pattern, times=times))


@dataclass(frozen=True)
class Written(Sequence[Entry]):
    """Entries that were written, with the figures of the rating list before and after, None where it was not made."""

    entries: Sequence[Entry] = ()
    before: Figures | None = None
    after: Figures | None = None

    @overload
    def __getitem__(self, at: int) -> Entry: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Entry]: ...
    def __getitem__(self, at: Any) -> Any:
        """Return an entry, or some of them."""
        return self.entries[at]

    def __len__(self) -> int:
        """Number of entries."""
        return len(self.entries)


LOG = logging.getLogger("handan.club")
Make = Callable[[State], Draft | Iterable[Draft]]
TRIES = 3  # our choice: the last time, nobody else can write meanwhile
MOMENTS = "SELECT COUNT(DISTINCT entered) FROM club_entry WHERE user_id = %s AND entered > %s AND entered <= %s"
"""At how many moments an account has written."""
BATCH = 2_000  # our choice: entries that stand in memory as rows


def create_club(
    slug: str, name: str, rules: Rules | None = None, author: str = "", federation: Club | None = None
) -> Club:
    """Create a club, whose first entry sets its rules.

    FieldError for a name or an address that cannot be one, ValidationError for the address of another club.
    """
    club = Club(slug=checked_slug(slug), name=checked_name(name), federation=federation)
    club.full_clean()
    with transaction.atomic():
        club.save(force_insert=True)
        make_key(club)
        write(club, lambda _: Draft(Kind.RULES_SET, (rules or Rules()).as_dict()), author=author)
    return club


def renew_key(club: Club, reason: str = "") -> ClubKey:
    """Give a club another key pair, by an entry that the one before signs if this server has it."""
    with transaction.atomic():
        own = ClubKey.objects.select_for_update().filter(club=club).first() or ClubKey(club=club)
        private = new_private_key()

        def follow(state: State) -> Draft:
            return set_key(state, private, own.private if own.public == state.key else "", reason)

        write(club, follow, author="")
        own.public, own.private = public_key_of(private), private
        own.save()
    return own


def write(
    club: Club, make: Make, *, author: str, user: User | None = None, sending: Sending = NOTHING, ahead: bool = False,
    rated: bool = True, seen: State | None = None,
) -> Written:  # fmt: skip
    """Write what `make` returns for the state of the club, and return the entries.

    Args:
        club: Whose ledger.
        make: Makes drafts from the state; called while no other entry can come between.
        author: Name printed in the log.
        user: The account, if there is one.
        sending: A form's mark, and a digest of all that it said: sent again, the entries of the first time are
            returned; with other content, RepeatedError.
        ahead: Whether `make` takes long: it is called before others are kept from writing, and again if an entry came
            between.
        rated: Whether the rating list follows at once; else it does when somebody looks, or after the next entry.
        seen: The state that who writes has looked at; it is read again only if an entry came since.
    """
    _not_too_often(user)
    for place in range(TRIES if ahead else 1):
        if ahead and used_key(club, user, sending):
            return _written_by(club, sending.token)
        before = state_of(club) if ahead and place < TRIES - 1 else None
        entries = [] if before is None else _entries(club, before, make, author, user, sending)
        with transaction.atomic():
            refuse_replaced_file()
            locked = _locked(club)
            if used_key(locked, user, sending):
                return _written_by(locked, sending.token)
            state = seen if seen is not None and _is_newest(seen, locked) else state_of(locked)
            if before is None:
                entries = _entries(locked, state, make, author, user, sending)
            elif _head_of(state) != _head_of(before):
                continue
            if not entries:
                return Written()
            _warn_of_clock(locked, timezone.now())
            _insert(locked, entries)
            figures = _save_facts(locked, state, entries, rated=rated)
            if sending.content:
                keep(locked, user, sending)
        _follow(club, locked)
        break
    return Written(entries, *figures)


def _save_facts(
    club: Club, state: State, entries: Sequence[Entry], *, rated: bool
) -> tuple[Figures | None, Figures | None]:  # fmt: skip
    """Let the rows of a club, which are those of a state, say what entries after it do.

    Those of a federation follow when they are read. Returns the figures of the rating list before and after.
    """
    after = None
    if not state.sources:
        making = folding(state, [entry.record for entry in entries])
        after = making.made()
        save(club, making, after)
    if not rated:
        return None, None
    with at_place(club):
        return follow_entries(club, state, after, entries)


def _locked(club: Club) -> Club:
    """Return the row of a club, which nobody else can write to until the transaction ends; DoesNotExist if gone."""
    return Club.objects.select_for_update().get(pk=club.pk)


def _follow(club: Club, written: Club) -> None:
    """Let a club say what its row says."""
    for name in ("number", "digest", "zone", *FACTS):
        setattr(club, name, getattr(written, name))


def _is_newest(state: State, club: Club) -> bool:
    """Whether a state is that after the last entry of a club; a federation's also depends on its clubs' entries."""
    return (state.number, state.digest) == (club.number, club.digest) and not state.sources and not state.view


def _head_of(state: State) -> tuple[Any, ...]:
    return state.number, state.digest, state.sources, state.view


def _entries(club: Club, state: State, make: Make, author: str, user: User | None, sending: Sending) -> list[Entry]:
    """Return the rows of what `make` returns for a state, chained to the club's own last entry."""
    with at_place(club):
        made = make(state)
        drafts = [with_signed_list(club, state, draft) if draft.kind is Kind.LIST_PUBLISHED else draft
                  for draft in ([made] if isinstance(made, Draft) else made)]  # fmt: skip
    now, account = timezone.now(), account_key(user)
    following = chained(drafts, state.number, state.digest, author, now, account, sending.token)
    return _rows(club, following, {} if user is None else {account: user.pk})


def written_before(club: Club, user: User | None, sending: Sending) -> Written:
    """Return the entries that the same sending has written already; none for a new one, or one that says otherwise."""
    try:
        return _written_by(club, sending.token) if used_key(club, user, sending) else Written()
    except RepeatedError:  # what writes it says so
        return Written()


def _written_by(club: Club, token: str) -> Written:
    """Return the entries that were written together under a token: the first bears it."""
    first = Entry.objects.get(club=club, token=token)
    same = Entry.objects.filter(club=club, entered=first.entered, number__gte=first.number)
    following = same.filter(number__gt=first.number).exclude(token=None).values_list("number", flat=True).first()
    return Written([*(same if following is None else same.filter(number__lt=following))])


def _warn_of_clock(club: Club, now: datetime) -> None:
    """Log that the last entry is later than now: the clock was ahead then, or is behind; nobody is stopped by it."""
    if Entry.objects.filter(club=club, number=club.number, entered__gt=now).exists():
        LOG.warning("the last entry is later than now: look at this machine's clock", extra={"club": club.slug})


def _not_too_often(user: User | None) -> None:
    """Refuse an account that has written too often in the past minute; the ledger itself is what is counted."""
    if user is None:
        return
    now = timezone.now()
    minute = (now - timedelta(minutes=1), now)  # not later, as when clocks were ahead
    with connection.cursor() as cursor:
        cursor.execute(MOMENTS, [user.pk, *map(connection.ops.adapt_datetimefield_value, minute)])
        times = cursor.fetchone()[0]
    most = settings.WRITES_A_MINUTE
    if times >= most:
        raise too_often(times)


def checked_records(slug: str, ledger: Iterable[Record]) -> list[Record]:
    """Return the entries of another ledger, verified, as those of a club; InputError for a ledger that cannot be one.

    It asks the database for nothing, so that nobody waits for a large ledger.
    """
    entries = [record if record.sealed else with_seals(record) for record in verified(ledger)]
    marks = [record.token for record in entries if record.token]
    if len(set(marks)) < len(marks):
        raise InputError("two entries of the ledger bear the same token")
    state = fold_foreign(State(slug), entries)
    checked_zone(state.zone)
    refuse_unseen(state.people.values(), dict.fromkeys(record.author for record in entries))
    verify_published(slug, entries, {})
    return entries


def write_records(club: Club, entries: Sequence[Record], report: Callable[[int], None] = lambda _: None) -> int:
    """Fill an empty club with entries of `checked_records`; return how many.

    `report` is told from time to time how many are written.
    """
    with transaction.atomic():
        locked = Club.objects.select_for_update().get(pk=club.pk)
        if locked.number:
            raise InputError(
                f"{club.name} has {counted(locked.number, 'entry', 'entries')}; a ledger is imported into an empty club"
            )
        users, following, written = users_by_key(), iter(entries), 0
        while part := list(islice(following, BATCH)):
            _insert(locked, _rows(locked, part, users))
            written += len(part)
            report(written)
        forgot = [record.number for record in entries if record.kind is Kind.PERSON_FORGOTTEN]
        Club.objects.filter(pk=club.pk).update(forgotten=max(forgot, default=0))
        save_differing(locked, fold(State(locked.slug), entries))
        carry_chain_over(locked, entries)
        locked.refresh_from_db()
    _follow(club, locked)
    return len(entries)


def verify(club: Club) -> int:
    """Return the number of entries if the chain holds and ends where the club says; InputError otherwise."""
    number, digest = 0, GENESIS
    stored = Entry.objects.filter(club=club).order_by("number").iterator(5000)
    for record in verified(records_of_accounts(stored)):
        number, digest = record.number, record.digest
    end = Club.objects.values_list("number", "digest").get(pk=club.pk)
    if end != (number, digest):
        raise InputError(f"{club.name} should end at entry {end[0]}, its chain ends at {number}")
    return number


def _rows(club: Club, records: Iterable[Record], users: Mapping[str, int]) -> list[Entry]:
    """Return records as rows, linked to those of the accounts that are here, with what is kept apart from them."""
    return [_row(club, record if record.sealed else with_seals(record), users) for record in records]


def _row(club: Club, record: Record, users: Mapping[str, int]) -> Entry:
    entry = Entry(
        club=club,
        number=record.number,
        kind=str(record.kind),
        subject=record.subject,
        facts=bare(record.kind, record.facts),
        entered=record.entered,
        previous=record.previous,
        digest=record.digest,
        account=record.account,
        user_id=users.get(record.account),
        token=record.token or None,
        format=record.format,
        sealed=dict(record.sealed),
    )
    texts = {place: [record.salts[place], text] for place, text in record.texts.items()}
    if texts:
        entry.personal = PersonalText(entry=entry, texts=texts)
    return entry


def _insert(club: Club, entries: list[Entry]) -> None:
    Entry.objects.bulk_create(entries, batch_size=BATCH)
    apart = [entry.personal for entry in entries if entry.kept]
    for row in apart:
        row.entry_id = row.entry.pk
    PersonalText.objects.bulk_create(apart, batch_size=BATCH)
    _advance(club, entries)


def _advance(club: Club, entries: Sequence[Entry | Record]) -> None:
    """Let the row of a club say what the entries behind its last one do."""
    if entries:
        club.number, club.digest = entries[-1].number, entries[-1].digest
        club.zone = next((entry.facts["zone"] for entry in reversed(entries) if entry.kind == Kind.ZONE_SET), club.zone)
        own = {name: pair[1] for entry in entries if entry.kind == Kind.CLUB_SET for name, pair in entry.facts.items()}
        for name, value in checked_facts(own).items() if own else ():
            setattr(club, name, value)
        club.save(update_fields=["number", "digest", "zone", *own])


def carry_chain_over(club: Club, whole: Sequence[Record]) -> None:
    """Write the entry that carries a chain of older formats over, if there is one and it was not carried over yet.

    Args:
        club: Whose chain.
        whole: All of its entries.
    """
    draft = entry_that_carries(whole)
    if draft is not None and not any(record.kind is Kind.CHAIN_CARRIED for record in whole):
        write(club, lambda _: draft, author="")
