"""The log of a club: every entry, the chain of their digests, and the whole ledger as a file."""

from __future__ import annotations

import gzip
from collections.abc import Iterator

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import ngettext

from handan.club.kinds import Kind
from handan.club.service.office import EXPORT, export_ledger
from handan.club.store.models import Role
from handan.club.store.writing import verify
from handan.web.pages.answers import AT_ONCE, csv_of_columns, json_list
from handan.web.pages.asking import page_of, text_of
from handan.web.pages.here import Here, page
from handan.web.pages.log_words import log_rows
from handan.web.plain_data import plain_json

ROWS = 100  # our choice: entries a page of the log
LOG = ("number", "kind", "subject", "author", "entered", "reason", "digest")


@page(Role.VISITOR)
def log(here: Here) -> HttpResponse:
    """Every entry, latest first; open to members, and to visitors where the club says so."""
    entries = here.entries().reverse()
    if kind := text_of(here.request, "kind"):
        entries = entries.filter(kind=kind)
    if subject := text_of(here.request, "subject"):
        entries = entries.filter(subject=subject)
    part = page_of(here.request, entries, ROWS)
    context = {
        "rows": log_rows(here, [item.record for item in part.object_list]),
        "total": part.paginator.count,
        "page": part.number,
        "pages": part.paginator.num_pages,
        "kinds": [str(kind) for kind in Kind],
        "filters": {"kind": kind, "subject": subject},
    }
    return render(here.request, "handan/log.html", context)


@page(Role.VISITOR)
def entry(here: Here, number: int) -> HttpResponse:
    """One entry with its facts and its place in the chain."""
    row = log_rows(here, [get_object_or_404(here.entries(), number=number).record])[0]
    record = row["entry"]
    facts = {name: plain_json(value) for name, value in record.facts.items() if name != "content"}
    return render(here.request, "handan/entry.html", {**row, "facts": facts})


@page(Role.VISITOR)
def log_csv(here: Here) -> HttpResponseBase:
    """The log as CSV."""
    columns = ({name: [getattr(record, name) for record in part] for name in LOG} for part in here.log(AT_ONCE))
    tables = ({**table, "entered": [moment.isoformat() for moment in table["entered"]]} for table in columns)
    return csv_of_columns(tables, LOG, f"{here.club.slug}-log")


@page(Role.VISITOR)
def log_json(here: Here) -> HttpResponseBase:
    """The log as JSON, with the facts of each entry."""
    return json_list((plain_json(record.as_dict()) for record in part) for part in here.log(AT_ONCE))


@page(Role.PLAYER)
def check_chain(here: Here) -> HttpResponse:
    """Compute the chain of digests again."""
    number = verify(here.club)
    messages.success(
        here.request,
        ngettext(
            "The chain of {number} entry holds; the last digest is {digest}.",
            "The chain of {number} entries holds; the last digest is {digest}.",
            number,
        ).format(number=number, digest=here.state.digest),
    )
    return redirect("log", slug=here.club.slug)


@page(EXPORT)
def export(here: Here) -> HttpResponseBase:
    """The whole ledger as one file, packed."""

    def packed() -> Iterator[bytes]:
        lines = export_ledger(here.actor)
        buffer: list[bytes] = []
        for line in lines:
            buffer.append(line)
            if len(buffer) >= 2000:
                yield gzip.compress(b"".join(buffer), mtime=0)  # members of a gzip file may follow each other
                buffer = []
        yield gzip.compress(b"".join(buffer), mtime=0)

    answer = StreamingHttpResponse(packed(), content_type="application/gzip")
    answer["Content-Disposition"] = f'attachment; filename="{here.club.slug}-ledger.jsonl.gz"'
    return answer
