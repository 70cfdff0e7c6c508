"""How far to the next rank: as points, and as wins against the players near."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpResponse
from django.shortcuts import render

from handan.club.entries import Draft
from handan.club.next_rank import next_rank
from handan.club.service.operation import Preview
from handan.club.standings import Standings
from handan.club.store.brake import brake
from handan.club.store.clock import today
from handan.club.store.models import Role
from handan.club.store.writing import preview
from handan.club.ways_up import MOST_WINS, ways_up
from handan.web.pages.formatting import rating_digits
from handan.web.pages.here import Here, page


@page(Role.VISITOR)
def way_up(here: Here, key: str) -> HttpResponse:
    """Show which wins would bring a player the next rank; each is worked out as saving those games would."""
    now = here.of_now()
    person = now.person(key)

    def tried(drafts: Sequence[Draft]) -> Standings:
        return Preview(now.state, tuple(drafts), preview(now.state, tuple(drafts))).standings

    near = next_rank(now.standings, person.key)
    with brake.computing():
        ways = list(ways_up(now.standings, person.key, today(), now.rules.kinds[0], tried)) if near else []
    names = now.state.labels
    context = {
        "person": person,
        "label": names[person.key],
        "row": now.standings.by_key.get(person.key),
        "next_rank": near,
        "ways": [{"name": names[way.opponent], **way._asdict()} for way in ways],
        "most": MOST_WINS,
        "decimals": rating_digits(now.standings),
    }
    return render(here.request, "handan/next_rank.html", context)
