"""How far to the next rank: as points, and as wins against the players near."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpResponse
from django.shortcuts import render

from handan.club.entries import Draft
from handan.club.moved_players import Listed
from handan.club.next_rank import next_rank
from handan.club.service.operation import Preview
from handan.club.store.brake import brake
from handan.club.store.clock import today
from handan.club.store.models import Role
from handan.club.ways_up import MOST_WINS, ways_up
from handan.web.pages.formatting import rating_digits
from handan.web.pages.here import Here, page


@page(Role.VISITOR)
def way_up(here: Here, key: str) -> HttpResponse:
    """Show which wins would bring a player the next rank, each worked out as saving those games would.

    The past had a next rank, but no tonight.
    """
    person = here.person(key)

    def tried(drafts: Sequence[Draft]) -> Listed:
        return Preview.of(here.club, here.state, drafts).standings

    near, ways = next_rank(here.standings, person.key), []
    if near and not here.is_past:
        with brake.computing():
            ways = list(ways_up(here.standings, person.key, today(), here.rules.kinds[0], tried))
    names = here.state.labels
    context = {
        "person": person,
        "label": names[person.key],
        "row": here.standings.by_key.get(person.key),
        "next_rank": near,
        "ways": [{"name": names[way.opponent], **way._asdict()} for way in ways],
        "most": MOST_WINS,
        "decimals": rating_digits(here.standings),
    }
    return render(here.request, "handan/next_rank.html", context)
