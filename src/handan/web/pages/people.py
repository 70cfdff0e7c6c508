"""All members of a club, with games or without."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from handan.club.state import Person
from handan.club.store.models import Role
from handan.ledger.names import folded
from handan.web.pages.asking import page_of, text_of
from handan.web.pages.formatting import rating_digits
from handan.web.pages.here import Here, page
from handan.wording.figures import fixed

ROWS = 200  # our choice: members a page


@page(Role.VISITOR)
def people(here: Here) -> HttpResponse:
    """Show every player of the club in the order of names, also who has not played."""
    wanted = text_of(here.request, "q")
    everybody = here.state.search(wanted, len(here.state.people)) if wanted else list(here.state.active.values())
    part = page_of(here.request, sorted(everybody, key=lambda person: (folded(person.name), person.key)), ROWS)
    context = {"part": part, "rows": [_row(here, person) for person in part.object_list], "q": wanted}
    return render(here.request, "handan/people.html", {**context, "total": len(everybody)})


def _row(here: Here, person: Person) -> dict[str, Any]:
    """Return what the list of members shows of a player, rated or not."""
    row = here.standings.by_key.get(person.key, {})
    return {
        "key": person.key,
        "name": here.state.labels[person.key],
        "reading": person.reading,
        "rank": row.get("rank", ""),
        "rating": fixed(row.get("rating"), rating_digits(here.standings)),
        "games": row.get("games", 0),
        "last_played": row.get("last_played") or "",
    }
