"""Official lists: those that there are, one of them, and publishing another."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from handan.club.keys import fingerprint
from handan.club.lists import listed_bytes
from handan.club.service.office import publish_list
from handan.club.store.clock import today
from handan.club.store.models import Role
from handan.ledger import When
from handan.web.pages.forms import PublishForm
from handan.web.pages.here import Here, page
from handan.web.pages.table_responses import attached, csv_response
from handan.wording.figures import digits, fixed

SEALS = {"salt", "sealed"}
"""What stands beside a name in the file of a list, so that its signature holds without the name."""


@page(Role.VISITOR, form=True)
def official(here: Here) -> HttpResponse:
    """The official lists, and publishing one."""
    form = PublishForm(here.posted, initial={"as_of": str(today())})
    if here.request.method == "POST":
        here.actor.need(publish_list.role)
        if form.is_valid():
            with form.put_errors():
                when = When.of(form.cleaned_data["as_of"] or None)
                day = when.last.date() if when else None
                here.write(publish_list(here.actor, day, form.cleaned_data["label"]), form.cleaned_data["token"])
                messages.success(here.request, _("The list is published."))
                return redirect("lists", slug=here.club.slug)
    return render(
        here.request,
        "handan/lists.html",
        {
            "form": form,
            "lists": list(reversed(here.state.lists)),
            "key": here.state.key and fingerprint(here.state.key),
        },
    )


@page(Role.VISITOR)
def official_list(here: Here, number: int) -> HttpResponse:
    """An official list as it was published."""
    content = here.official_list(number)
    here.state.people.prefetch_all()
    key = fingerprint(content["key"]) if "key" in content else ""
    decimals = digits(row["rating"] for row in content["players"])
    rows = [{**row, "rating": fixed(row["rating"], decimals)} for row in content["players"]]
    return render(here.request, "handan/list.html", {"list": content, "rows": rows, "key": key})


@page(Role.VISITOR)
def official_json(here: Here, number: int) -> HttpResponse:
    """The very bytes of an official list, for `handan verify`."""
    content = listed_bytes(here.official_list(number))
    return attached(content, f"{here.club.slug}-list-{number}.json", "application/json")


@page(Role.VISITOR)
def official_csv(here: Here, number: int) -> HttpResponseBase:
    """An official list as CSV."""
    rows = [{name: row[name] for name in row if name not in SEALS} for row in here.official_list(number)["players"]]
    return csv_response(rows, tuple(rows[0]) if rows else ("place",), f"{here.club.slug}-list-{number}")
