"""Calls on files of results that members send in: a file is the body of a call, and read like one that a page takes."""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Path, Query
from pydantic import Field

from handan.club.service import submissions as service
from handan.club.service.looking import Look
from handan.club.service.sheets import SheetReport
from handan.club.service.submissions import ResultFile
from handan.club.store.idempotency import Sending
from handan.club.store.models import Decision, Submission
from handan.errors import Clause, FieldError, HandanError, InputError
from handan.files import Options
from handan.files.io.limits import UPLOADS
from handan.ledger import Ledger
from handan.web.api import bodies, schemas
from handan.web.api.calls import REFUSALS, Slug, look, outcome, place_part, router, sent, who
from handan.web.operations.uploads import apart, ledger_of

Number = Path[Annotated[int, Field(ge=1, le=10**15)]]
Preview = Query[bodies.Look]
FILE = {"requestBody": {
    "required": True,
    "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
}}  # fmt: skip


@router.get("/clubs/{slug}/submissions", response={200: list[schemas.Submission], **REFUSALS})
def submissions(request: HttpRequest, response: HttpResponse, slug: Slug, query: Query[bodies.Submitted]) -> Any:
    """Files of results, latest first: one's own; all of them for who accepts them."""
    rows = service.submissions_for(who(request, slug))
    rows = rows.filter(decision=Decision.WAITING) if query.waiting else rows
    return [_data(row) for row in rows[place_part(request, response, query, rows.count())]]


@router.post("/clubs/{slug}/submissions", response={200: schemas.SubmissionRead, **REFUSALS}, openapi_extra=FILE)
def submit(request: HttpRequest, slug: Slug, query: Query[bodies.FileOf]) -> Any:
    """Submit a file of results, which is the body: H9, XML, an AGA report, CSV …; with `preview`, only look at it.

    The club's keepers of results accept or return it; until then it changes nothing.
    """
    view = look(request, slug)
    view.actor.need(service.SEND)
    options = Options(query.encoding, dates=query.dates, letters=query.letters, limits=UPLOADS)
    file = ResultFile.answered(query.name, request.body, options)
    file.refuse_size()
    ledger = _read(file)
    if query.preview:
        return {"submission": None, "report": _report(view, ledger)}
    content = [request.method, request.path, query.dict(), sha256(file.data).hexdigest()]
    row = service.send(
        view.actor, file, ledger, query.note, Sending.of(request.headers.get("Idempotency-Key"), content)
    )
    return {"submission": _data(row), "report": _report(view, ledger)}


@router.get("/clubs/{slug}/submissions/{number}", response={200: schemas.SubmissionRead, **REFUSALS})
def submission(request: HttpRequest, slug: Slug, number: Number) -> Any:
    """A file of results: what became of it and, as long as it waits, what it says and would change."""
    view = look(request, slug)
    row = service.submission_with(view.actor, number)
    waits = row.decision == Decision.WAITING
    return {"submission": _data(row), "report": _report(view, _read(service.file_of(row))) if waits else None}


@router.post("/clubs/{slug}/submissions/{number}/accept", response={200: schemas.Written, **REFUSALS})
def accept(request: HttpRequest, slug: Slug, number: Number, body: bodies.Acceptance, preview: Preview) -> Any:
    """Accept a file of results: its players, events and games are entered."""
    view = look(request, slug)
    view.actor.need(service.DECIDE)
    row = service.submission_with(view.actor, number)
    ledger = _read(service.file_of(row)) if row.decision == Decision.WAITING else None
    new = SheetReport(view, ledger).newcomers if ledger is not None else []
    if new and not body.newcomers:
        names = ", ".join(player.name for player in new[:5])
        expected = Clause.of("true, although players are new here: {names}", names=names)
        raise FieldError("newcomers", "false", expected)
    change = service.accept(view.actor, number, ledger, another=body.another, counts=body.counts)
    return outcome(request, change, preview)


@router.post("/clubs/{slug}/submissions/{number}/return", response={200: schemas.Submission, **REFUSALS})
def give_back(request: HttpRequest, slug: Slug, number: Number, body: bodies.Word) -> Any:
    """Return a file of results to who submitted it, with a word of why."""
    return _data(service.give_back(who(request, slug), number, body.word, sent(request)))


@router.post("/clubs/{slug}/submissions/{number}/take-back", response={200: schemas.Submission, **REFUSALS})
def take_back(request: HttpRequest, slug: Slug, number: Number) -> Any:
    """Take one's own file of results back before somebody has decided."""
    return _data(service.take_back(who(request, slug), number, sent(request)))


def _read(file: ResultFile) -> Ledger:
    return apart(ledger_of, file.data, file.name, file.options(UPLOADS))


def _data(row: Submission) -> dict[str, Any]:
    """Return a file of results as plain data."""
    return {
        "number": row.pk, "file": row.file, "title": row.title, "games": row.games, "note": row.note,
        "sender": row.sender.get_username() if row.sender else "", "sent": row.sent.isoformat(),
        "decision": Decision(row.decision).label, "decided": row.decided and row.decided.isoformat(),
        "decided_by": row.decided_by.get_username() if row.decided_by else "", "word": row.word,
        "entries": list(range(row.first_entry, row.last_entry + 1)) if row.first_entry and row.last_entry else [],
    }  # fmt: skip


def _report(view: Look, ledger: Ledger) -> dict[str, Any]:
    """Return what a file says and would do, as plain data."""
    report = SheetReport(view, ledger)
    refused, moved = "", []
    try:
        moved = [*report.preview.moved]
    except InputError as error:
        refused = str(error)
    except HandanError:  # the rules find no list
        pass
    return {
        "games": len(ledger),
        "entered": len(ledger) - len(report.new),
        "events": [{"event": event.name, "kind": event.kind, "participants": len(event.participants)}
                   for event in ledger.events],
        "newcomers": [
            {"player": player.name, "id": player.id, "rank": report.ranks.get(player.name, ""),
             "country": player.country, "club": player.club}
            for player in report.newcomers
        ],
        "far_ranks": [each._asdict() for each in report.far_ranks],
        "twins": report.twins,
        "doubles": report.doubles,
        "problems": [str(problem) for problem in report.problems],
        "refused": refused,
        "moved": moved,
    }  # fmt: skip
