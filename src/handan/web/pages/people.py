"""All members of a club, with games or without, in the order that is wished."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_noop

from handan.club.people import Person
from handan.club.store.models import Role
from handan.club.store.register import who_left
from handan.web.pages.asking import page_of, text_of
from handan.web.pages.here import Here, page
from handan.wording.figures import fixed

ROWS = 200  # our choice: members a page
ORDERS = {
    "name": gettext_noop("Name"),
    "rating": gettext_noop("Rating"),
    "games": gettext_noop("Games"),
    "last_played": gettext_noop("Last played"),
}
"""What the list can be sorted by, and its name; most and latest first, names from the first letter on."""


@page(Role.VISITOR)
def people(here: Here) -> HttpResponse:
    """Show every player of the club, also who has not played: those to whom a text fits, in an order."""
    wanted, order = text_of(here.request, "q"), text_of(here.request, "sort")
    order = order if order in ORDERS else "name"
    everybody = here.members_by(order, here.state.matching(wanted) if wanted else None)
    if not wanted and (gone := who_left(here.club, here.state)):
        everybody = [key for key in everybody if key not in gone]
    part = page_of(here.request, everybody, ROWS)
    here.standings.prefetch(part.object_list)
    rows = [_row(here, here.state.people[key]) for key in part.object_list]
    context: dict[str, Any] = {"part": part, "rows": rows, "total": len(everybody), "q": wanted}
    context |= {"order": order, "orders": ORDERS.items()}
    return render(here.request, "handan/people.html", context)


def _row(here: Here, person: Person) -> dict[str, Any]:
    """Return what the list of members shows of a player, rated or not."""
    row = here.standings.by_key.get(person.key, {})
    return {
        "key": person.key,
        "name": here.state.labels[person.key],
        "reading": person.reading,
        "rank": row.get("rank", ""),
        "rating": fixed(row.get("rating"), here.standings.decimals),
        "games": row.get("games", 0),
        "last_played": row.get("last_played") or "",
    }
