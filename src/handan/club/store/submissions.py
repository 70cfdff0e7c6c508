"""Files of results that were sent in, as rows: what waits, within limits, and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from handan.club.changes.texts import LONGEST, checked_text
from handan.club.mentions import Mentions
from handan.club.store.apps import submission_changed
from handan.club.store.models import Club, Decision, Membership, Role, Submission
from handan.club.store.writing import RateLimitError, Written
from handan.errors import Clause, InputError
from handan.ledger import Ledger

if TYPE_CHECKING:
    from handan.club.store.models import Submissions, User

MOST_WAITING, MOST_OF_CLUB = 10, 100  # our choice: files of one account, and of all, that wait in a club
A_DAY = timedelta(days=1)
A_MONTH, MOST_RECENT = timedelta(days=30), 50  # our choice: of what files, and how many, the start page tells
MOST_A_DAY = 50  # our choice: files that an account sends to a club
MOST_RECIPIENTS = 20  # our choice: who accepts files and learns by mail of a new one


def add_submission(
    club: Club, user: User | None, name: str, data: bytes, answers: Mapping[str, Any], ledger: Ledger, note: str
) -> int:  # fmt: skip
    """Keep a file of results, which was read as a ledger, and return its number; RateLimitError beyond the limits."""
    waiting = Submission.objects.filter(club=club, decision=Decision.WAITING)
    own = Submission.objects.filter(club=club, sender=user)
    if own.filter(decision=Decision.WAITING).count() >= MOST_WAITING or waiting.count() >= MOST_OF_CLUB:
        raise RateLimitError("too many files wait to be accepted; take one back, or wait until some are")
    now = timezone.now()
    if own.filter(sent__range=(now - A_DAY, now)).count() >= MOST_A_DAY:  # not later, as when clocks were ahead
        raise RateLimitError(Clause.of("at most {most} files are submitted within a day", most=MOST_A_DAY))
    words = [event.name for event in ledger.events] or ledger.games["event"].drop_nulls().to_list()
    title = ", ".join(filter(None, dict.fromkeys(words)))[:LONGEST]
    row = Submission.objects.create(
        club=club, sender=user, file=checked_text(name[-LONGEST:], "file"), data=data, answers=dict(answers),
        title=title, games=len(ledger), note=note,
    )  # fmt: skip
    _announce(row.pk)
    return int(row.pk)


def submissions_of(club: Club, sender: User | None = None) -> Submissions:
    """Return the files of a club, latest first, without what is in them; those of one sender, None: of all."""
    rows = Submission.objects.filter(club=club).select_related("club", "sender", "decided_by").defer("data")
    return rows if sender is None else rows.filter(sender=sender)


def waiting_in(rows: Submissions) -> Submissions:
    """Return those of some files that wait."""
    return rows.filter(decision=Decision.WAITING)


def recent_in(rows: Submissions) -> Submissions:
    """Return those of some files that were sent of late."""
    return rows.filter(sent__gte=timezone.now() - A_MONTH)[:MOST_RECENT]


def data_of(row: Submission) -> bytes:
    """Return what is in a file that waits; InputError for one that was decided, which is kept no longer."""
    refuse_decided(row)
    return bytes(Submission.objects.values_list("data", flat=True).get(pk=row.pk) or b"")


def decide(row: Submission, user: User | None, decision: Decision, **facts: Any) -> None:
    """Keep a decision on a file that waits, and its content no longer: the ledger has it, or who sent it.

    A file that was decided stays as it is.
    """
    rows = Submission.objects.filter(pk=row.pk, decision=Decision.WAITING)
    if rows.update(decision=decision, decided=timezone.now(), decided_by=user, data=None, answers={}, **facts):
        _announce(row.pk)


def _announce(number: int) -> None:
    transaction.on_commit(partial(submission_changed.send_robust, Submission, number=number))


def accepted(row: Submission, user: User | None, write: Callable[[], Written]) -> Written:
    """Write the entries of a file, and keep in the same transaction that it was accepted."""
    with transaction.atomic():
        entries = write()
        decide(row, user, Decision.ACCEPTED, first_entry=entries[0].number, last_entry=entries[-1].number)
    return entries


def refuse_decided(row: Submission) -> None:
    """Raise InputError for a file that was accepted, returned or taken back."""
    row.refresh_from_db(fields=["decision"])
    if row.decision != Decision.WAITING:
        words = Clause.of(Decision(row.decision).label)
        raise InputError(Clause.of("this file was dealt with already: {decision}", decision=words))


def who_decides(club: Club, role: Role) -> list[User]:
    """Return the accounts of members with a role or one above it that have an address, the lowest role first."""
    members = Membership.objects.filter(club=club, role__gte=role, user__is_active=True).exclude(user__email="")
    return [item.user for item in members.select_related("user").order_by("role", "pk")[:MOST_RECIPIENTS]]


def waiting_that_name(club: Club, mentions: Mentions) -> list[str]:
    """Return which files that wait name somebody, as far as their bytes are text: they stay until they are decided."""
    waiting = waiting_in(Submission.objects.filter(club=club))
    return [
        f"submission {row.pk}, which waits" for row in waiting
        if any(mentions.named_in(bytes(row.data or b"").decode(code, "replace")) for code in ("utf-8", "latin-1"))
    ]  # fmt: skip


def forget_in_submissions(club: Club, users: Collection[User], mentions: Mentions) -> None:
    """Delete the files that some accounts sent, and blank the texts beside others that name somebody."""
    Submission.objects.filter(club=club, sender__in=users).delete()
    for row in submissions_of(club).iterator():
        gone = {name: "–" for name in ("file", "title", "note", "word") if mentions.named_in(getattr(row, name))}
        if gone:
            Submission.objects.filter(pk=row.pk).update(**gone)
