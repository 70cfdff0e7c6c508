"""The register of members for secretary and treasurer: guests, who left, and until when the subscription is paid."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from handan.club.changes.club_facts import checked_year
from handan.club.store.clock import today
from handan.club.store.models import Role
from handan.club.store.register import MEMBER, Registered, enter_in_register, register_of
from handan.errors import InputError
from handan.ledger.dates import read_day
from handan.web.pages.forms import new_token
from handan.web.pages.here import Here, page, page_of, text_of
from handan.web.pages.refusals import refusal
from handan.web.pages.table_responses import csv_response

ROWS = 200  # our choice: members a page
COLUMNS = ("player", "reading", "guest", "left", "paid_until")


@page(Role.SECRETARY, form=True)
def register(here: Here) -> HttpResponse:
    """Show how everybody belongs to the club, and enter what was changed."""
    if here.posted is not None:
        try:
            entries = _sent(here.posted, register_of(here.club, here.state))
            enter_in_register(here.actor, entries, here.sending(here.posted.get("token", "")))
        except InputError as error:
            messages.error(here.request, refusal(error))
        else:
            messages.success(here.request, _("The register is saved."))
            return redirect(here.request.get_full_path())
    typed = {} if here.posted is None else _typed(here.posted)
    entries, due = register_of(here.club, here.state), "due" in here.request.GET
    wanted = text_of(here.request, "q")
    keys = here.standings.members_by("name", here.state.matching(wanted) if wanted else None)
    rows = [(key, entries.get(key, MEMBER)) for key in keys]
    if due:
        rows = [(key, entry) for key, entry in rows if is_due(entry)]
    part = page_of(here.request, rows, ROWS)
    shown = [_row(here, key, entry) | typed.get(key, {}) for key, entry in part.object_list]
    members = sum(not (entry.is_guest or entry.left) for _key, entry in rows)
    context = {"part": part, "rows": shown, "members": members, "due": due, "q": wanted, "token": new_token()}
    context["together"] = here.request.POST.get("paid-together", "")
    return render(here.request, "handan/register.html", context)


@page(Role.SECRETARY)
def register_csv(here: Here) -> HttpResponseBase:
    """The register as CSV, for the treasurer."""
    entries = register_of(here.club, here.state)
    rows = [_row(here, key, entries.get(key, MEMBER)) for key in here.standings.members_by("name")]
    table = [{**row, "player": row["name"], "guest": "yes" if row["is_guest"] else ""} for row in rows]
    columns = (*COLUMNS, "born") if here.club.categories else COLUMNS
    return csv_response(table, columns, f"{here.club.slug}-register")


def is_due(entry: Registered) -> bool:
    """Return whether a member has not paid for today."""
    return not entry.is_guest and not entry.left and (entry.paid_until is None or entry.paid_until < today())


def _row(here: Here, key: str, entry: Registered) -> dict[str, Any]:
    return {
        "key": key,
        "name": here.state.labels[key],
        "reading": here.state.people[key].reading,
        "is_guest": entry.is_guest,
        "left": str(entry.left or ""),
        "paid_until": str(entry.paid_until or ""),
        "is_due": is_due(entry),
        "born": entry.born or "",
    }


def _typed(posted: QueryDict) -> dict[str, dict[str, Any]]:
    """Return what was typed in each line, by key, for a form that comes back."""
    guests, ticked = set(posted.getlist("guest")), set(posted.getlist("ticked"))
    lines = zip(*(posted.getlist(name) for name in ("key", "left", "paid-until")), strict=False)
    born = dict(zip(posted.getlist("key"), posted.getlist("born"), strict=False))
    return {
        key: {"left": left, "paid_until": paid, "is_guest": key in guests, "is_ticked": key in ticked,
              "born": born.get(key, "")}
        for key, left, paid in lines
    }  # fmt: skip


def _sent(posted: QueryDict, there: Mapping[str, Registered]) -> dict[str, Registered]:
    """Return the lines of the form; FieldError for a day that is none. Who is ticked has paid until one day.

    A year of birth that the form does not ask for stays.
    """
    born = dict(zip(posted.getlist("key"), posted.getlist("born"), strict=False))
    guests, ticked = set(posted.getlist("guest")), set(posted.getlist("ticked"))
    together = _day("paid-together", posted.get("paid-together", ""))
    columns = (posted.getlist(name) for name in ("key", "left", "paid-until"))
    entries = {}
    for key, left, paid in zip(*columns, strict=False):
        own = together if together and key in ticked else _day("paid-until", paid)
        year = checked_year(born[key]) if key in born else there.get(key, MEMBER).born
        entries[key] = Registered(key in guests, _day("left", left), own, year)
    return entries


def _day(name: str, text: str) -> date | None:
    return read_day(name, text) if text else None
