"""The log of a club: every entry, the chain of their digests, and the whole ledger as a file."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import ngettext

from handan.club.differences import GAME
from handan.club.entries import Record
from handan.club.kinds import Kind
from handan.club.service.office import EXPORT, export_ledger
from handan.club.service.undoing import entered_together
from handan.club.store.models import Role
from handan.club.store.writing import verify
from handan.web.pages.answers import AT_ONCE, csv_of_columns, json_list
from handan.web.pages.asking import page_of, text_of
from handan.web.pages.here import Here, page
from handan.web.pages.log_words import about, log_rows, name_of
from handan.web.plain_data import plain_json

PEOPLE_OF_FACTS = {"black", "white", "player", "into"}
"""Facts that are keys of players."""
ROWS = 100  # our choice: entries a page of the log
LOG = ("number", "kind", "subject", "author", "entered", "reason", "digest")
OF_A_GAME = ("date", "black", "white", "handicap", "komi", "result", "kind", "event")
COLUMNS = (*LOG, "about", *(f"game_{name}" for name in OF_A_GAME))
"""Of the table: the entry, whom it is about, and what it says of a game, with names in place of keys."""
BROUGHT = {Kind.GAME_RECORDED, Kind.PLAYER_REGISTERED, Kind.EVENT_ENTERED}
"""Kinds of entry that bring something which can be taken back."""


@page(Role.VISITOR)
def log(here: Here) -> HttpResponse:
    """Every entry, latest first; visitors of an open club see those about games, and all where the club says so."""
    entries = here.entries_shown().reverse()
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
    row_of = here.entries_shown().filter(number=number).first() or get_object_or_404(here.entries(), number=number)
    row = log_rows(here, [row_of.record])[0]
    record = row["entry"]
    written = {name: plain_json(value) for name, value in record.facts.items() if name != "content"}
    named = {name: name_of(here, value) for name, value in record.facts.items() if name in PEOPLE_OF_FACTS}
    facts = {name: (text, named.get(name, "")) for name, text in written.items()}
    return render(here.request, "handan/entry.html", {**row, "facts": facts, "together": _together(here, number)})


def _together(here: Here, number: int) -> int:
    """Return how many things were entered together with an entry, 0 for who may not take them back."""
    if not here.actor.may(Role.KEEPER) or here.is_past:
        return 0
    kinds = [record.kind for record in entered_together(here.club, number)]
    needed = Role.KEEPER if Kind.GAME_RECORDED in kinds else Role.SECRETARY
    return sum(kind in BROUGHT for kind in kinds) if here.actor.may(needed) else 0


@page(Role.VISITOR)
def log_csv(here: Here) -> HttpResponseBase:
    """The log as CSV."""
    parts = here.log(AT_ONCE, here.entries_shown())
    tables = (_table([_cells(here, record) for record in part]) for part in parts)
    return csv_of_columns(tables, COLUMNS, f"{here.club.slug}-log")


def _table(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in COLUMNS}


def _cells(here: Here, record: Record) -> dict[str, Any]:
    """Return an entry as a row of the table."""
    facts = record.facts if record.kind in GAME else {}
    game = {name: facts.get(name, "") for name in OF_A_GAME}
    game |= {name: here.state.label_of(str(game[name])) for name in ("kind", "event")}
    game |= {side: name_of(here, game[side]) for side in ("black", "white")}
    own = {name: getattr(record, name) for name in LOG} | {"entered": record.entered.isoformat()}
    return {**own, "about": about(here, record), **{f"game_{name}": value for name, value in game.items()}}


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
