"""Files of results that members send in who may not enter them: what waits, and who accepts or returns it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from handan.club.changes.texts import LONGEST, checked_text
from handan.club.entries import Draft
from handan.club.names import NotInClubError
from handan.club.service.operation import Change
from handan.club.service.sheets import enter_sheet
from handan.club.state import State
from handan.club.store.access import Actor, NotAllowedError
from handan.club.store.idempotency import NOTHING, Sending, once
from handan.club.store.models import Decision, Role, Submission
from handan.club.store.submissions import (
    accepted,
    add_submission,
    data_of,
    decide,
    recent_in,
    refuse_decided,
    submissions_of,
    waiting_in,
)
from handan.club.store.writing import Written
from handan.errors import Clause, FieldError
from handan.files import Limits, Options
from handan.files.io.limits import MOST_SUBMISSION
from handan.ledger import Ledger

if TYPE_CHECKING:
    from handan.club.store.models import Submissions

SEND = Role.PLAYER
"""Who may send a file in."""
DECIDE = enter_sheet.role
"""Who accepts or returns it: whoever could enter its games as well."""
LONGEST_NOTE = 10 * LONGEST
ANSWERS = ("encoding", "dates", "letters", "columns")


@dataclass(frozen=True)
class ResultFile:
    """A file of results as it was sent."""

    name: str
    data: bytes
    answers: Mapping[str, Any] = field(default_factory=dict)
    """What was answered where it can be read in several ways."""

    @classmethod
    def answered(cls, name: str, data: bytes, options: Options) -> ResultFile:
        """Return a file with the answers by which it was read."""
        answers = {each: getattr(options, each) for each in ANSWERS}
        return cls(name, data, {each: value for each, value in answers.items() if value})

    def options(self, limits: Limits) -> Options:
        """Return how it is read."""
        return Options(**self.answers, limits=limits)

    def refuse_size(self) -> None:
        """Raise FieldError for a file of more bytes than one that is sent in can have."""
        if len(self.data) > MOST_SUBMISSION:
            expected = Clause.of("at most {most} bytes", most=f"{MOST_SUBMISSION:,}")
            raise FieldError("file", f"{len(self.data):,}", expected)


def send(by: Actor, file: ResultFile, ledger: Ledger, note: str = "", sending: Sending = NOTHING) -> Submission:
    """Send a file of results in, which was read as a ledger; RateLimitError where too many wait or came in a day."""
    by.need(SEND)
    file.refuse_size()
    note = checked_text(note.strip(), "note", LONGEST_NOTE)
    if not len(ledger) and not ledger.events:
        raise FieldError("file", file.name, "a file with a game or an event")

    def put() -> dict[str, Any]:
        return {"number": add_submission(by.club, by.user, file.name, file.data, file.answers, ledger, note)}

    return submission_with(by, once(by.club, by.user, sending, put)["number"])


def submissions_for(by: Actor) -> Submissions:
    """Return the files that somebody may see, latest first: those that they sent, or all for who accepts them."""
    by.need(SEND)
    return submissions_of(by.club, None if by.may(DECIDE) else by.user)


def numbers_waiting(everywhere: Iterable[Actor]) -> dict[int, int]:
    """Return how many files wait in each club in which somebody accepts them, by the primary key; none where none."""
    clubs = [by.club.pk for by in everywhere if by.may(DECIDE)]
    waiting = waiting_in(Submission.objects.filter(club__in=clubs))
    return Counter(waiting.values_list("club", flat=True)) if clubs else {}


def number_waiting(by: Actor) -> int:
    """Return how many files wait for who accepts them; 0 for others."""
    return numbers_waiting([by]).get(by.club.pk, 0)


def returned_to(by: Actor) -> list[Submission]:
    """Return the files of the last month that came back to who sent them, and of whose event none was sent since."""
    if by.user is None or not by.may(SEND):
        return []
    latest: dict[str, Submission] = {}
    for row in recent_in(submissions_of(by.club, by.user)):
        latest.setdefault(row.title or row.file, row)
    return [row for row in latest.values() if row.decision == Decision.RETURNED]


def submission_with(by: Actor, number: int) -> Submission:
    """Return a file by number; NotInClubError for one that is not here, NotAllowedError for one that others sent."""
    by.need(SEND)
    row = submissions_of(by.club).filter(pk=number).first()
    if row is None:
        raise NotInClubError(Clause.of("there is no submission {number}", number=number))
    if row.sender != by.user and not by.may(DECIDE):
        raise NotAllowedError("this is for who submitted it, and for who accepts results")
    return row


def file_of(row: Submission) -> ResultFile:
    """Return the file of a submission that waits; InputError for one that was decided, whose file is gone."""
    return ResultFile(row.file, data_of(row), row.answers)


@dataclass(frozen=True, kw_only=True)
class Acceptance(Change):
    """The entries by which a file is accepted."""

    row: Submission

    def write(self, sending: Sending = NOTHING, seen: State | None = None) -> Written:
        """Write them, and keep that the file was accepted."""
        return accepted(self.row, self.by.user, lambda: super(Acceptance, self).write(sending, seen))


def accept(
    by: Actor, number: int, ledger: Ledger | None, *, another: bool = False, counts: bool = False
) -> Acceptance:  # fmt: skip
    """Return the change that enters the games and events of a file, as it is or as it was edited; see `enter_sheet`.

    It refuses a file that was accepted, returned or taken back. None stands for what was in such a file: an acceptance
    that is sent again is answered as the first time.
    """
    by.need(DECIDE)
    row = submission_with(by, number)
    reason = f"submitted by {row.sender.get_username()}" if row.sender else ""

    def make(state: State) -> Draft | Iterable[Draft]:
        refuse_decided(row)
        return enter_sheet(
            by, ledger if ledger is not None else Ledger.of([]), another=another, counts=counts, reason=reason
        ).make(state)

    return Acceptance(by=by, make=make, row=row)


def give_back(by: Actor, number: int, word: str, sending: Sending = NOTHING) -> Submission:
    """Return a file to who sent it, with a word of why."""
    by.need(DECIDE)
    row = submission_with(by, number)
    word = checked_text(word.strip(), "word", LONGEST_NOTE)
    if not word:
        raise FieldError("word", "", "a word of why")
    return _once_decided(by, row, Decision.RETURNED, word, sending)


def take_back(by: Actor, number: int, sending: Sending = NOTHING) -> Submission:
    """Take one's own file back before somebody has decided."""
    row = submission_with(by, number)
    if row.sender != by.user:
        raise NotAllowedError("a file is taken back by who submitted it")
    return _once_decided(by, row, Decision.TAKEN_BACK, "", sending)


def _once_decided(by: Actor, row: Submission, decision: Decision, word: str, sending: Sending) -> Submission:
    def put() -> dict[str, Any]:
        refuse_decided(row)
        decide(row, by.user, decision, word=word)
        return {}

    once(by.club, by.user, sending, put)
    return submission_with(by, row.pk)
