"""The ladder: who stands where, under the club's system and under others beside it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping
from datetime import timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext_noop

from handan.club.movement import MONTH, Movement, moved_between
from handan.club.service.looking import ClubStandings, visible_clubs
from handan.club.service.submissions import numbers_waiting
from handan.club.standings import LadderFilter, LadderOrder
from handan.club.store.access import actors, may_look
from handan.club.store.clock import today
from handan.club.store.models import Club, Membership, Role
from handan.club.store.register import off_the_wall
from handan.ledger.name_folding import folded
from handan.systems import SYSTEMS
from handan.web.operations.middleware import embeddable
from handan.web.pages.formatting import ChangeRows
from handan.web.pages.here import Here, appearance_of, page, page_of, public, text_of, whole_number
from handan.web.pages.refusals import caution_words
from handan.web.pages.table_responses import csv_response, json_response
from handan.web.plain_data import ladder_data, list_names, list_rows
from handan.wording.figures import fixed

ROWS = 100  # our choice: players a page of the ladder
ORDERS = {
    "rank": gettext_noop("Strength"),
    "name": gettext_noop("Name"),
    "rating": gettext_noop("Rating"),
    "games": gettext_noop("Games"),
    "last_played": gettext_noop("Last played"),
    "change": gettext_noop("Change"),
}
"""What the ladder can be sorted by, and its name."""


@public
def home(request: HttpRequest) -> HttpResponse:
    """The clubs; where there is one only, its start page, or its ladder if that is all that is shown."""
    every = Club.objects.select_related("federation")
    open_here = visible_clubs(actors(every, request.user))
    clubs = [by.club for by in open_here]
    if len(open_here) == 1:
        return redirect("start" if may_look(open_here[0], ladder=False) else "ladder", slug=clubs[0].slug)
    mine = set()
    if request.user.is_authenticated:
        mine = set(Membership.objects.filter(user=request.user).values_list("club_id", flat=True))
    context = {"clubs": clubs, "mine": mine, "submitted": numbers_waiting(open_here)}
    return render(request, "handan/home.html", context)


@page(Role.VISITOR, ladder=True, lags=True)
def ladder(here: Here) -> HttpResponse:
    """The ladder, with search, filters and other systems beside it."""
    filters = {name: text_of(here.request, name) for name in ("q", "country", "club", "since", "games", "category")}
    text = filters["q"] if filters["q"] and folded(filters["q"]).split() else ""
    fewest, absent = whole_number(filters["games"]) or 0, frozenset() if text else off_the_wall(here.club, here.state)
    age = filters["category"]
    only = frozenset(key for key, name in here.categories.items() if name == age) if age else None
    chosen = LadderFilter(text, filters["country"], filters["club"], filters["since"], fewest, absent, only)
    plates = appearance_of(here.request)["wall"] == "plates" and not here.others
    since = (here.day or today()) - timedelta(days=MONTH)
    here.standings.prefetch(absent)
    own, order = here.rules.system, LadderOrder.of(text_of(here.request, "sort"))
    moves = here.standings.movements(since)
    rows = here.standings.ordered(order, chosen, moves)
    anybody, moves = bool(rows), moves if rows else {}
    countries, clubs = here.state.homes(here.day)
    part = page_of(here.request, rows, ROWS)
    shown = part.object_list
    columns = {
        "standing_still": bool(here.standings.standing_still),
        "deviations": anybody and here.standings.summary.deviations,
        "drawn": here.standings.summary.draws,
        "pools": here.standings.summary.pools > 1,
        "moves": bool(moves),
    }
    context = {
        "rows": rows,
        "part": part,
        "plates": plates,
        "shown": [
            {**shown_row(here, here.others, row, moves.get(row["key"])), "place": place}
            for row, place in zip(shown, places_without(here.standings, absent, shown), strict=True)
        ],
        "decimals": here.standings.decimals,
        "since": since,
        **columns,
        "all": len(here.standings.rows) - sum(key in here.standings.by_key for key in absent),
        "others": here.others,
        "systems": tuple((name, title) for name, title in SYSTEMS.titles().items() if name != own),
        "chosen": tuple(here.others),
        "countries": countries,
        "clubs": clubs,
        "categories": here.club.categories.split(),
        "filters": filters,
        "order": order,
        "orders": [(order if order.name == name else LadderOrder(name), text) for name, text in ORDERS.items()],
        "beside": here.standings.summary.beside,
        "last_added": here.standings.last_added,
        "after_entry": here.after_entry,
        "warnings": [caution_words(text) for text in here.standings.cautions],
    }
    if "embed" in here.request.GET:
        return embeddable(render(here.request, "handan/embedded_ladder.html", context))
    name = "handan/parts/ladder_table.html" if here.asks_part else "handan/ladder.html"
    return render(here.request, name, context)


def places_without(standings: ClubStandings, absent: Collection[str], rows: Iterable[Mapping[str, Any]]) -> list[int]:
    """Return the places of rows of the ladder if some players, given by key, did not stand in it."""
    taken = sorted(row["place"] for row in map(standings.by_key.get, absent) if row is not None)
    return [row["place"] - bisect_left(taken, row["place"]) for row in rows]


def shown_row(
    here: Here, others: Mapping[str, ClubStandings], row: Mapping[str, Any], moved: Movement | None
) -> dict[str, Any]:
    """Return a row of the ladder as it is shown: figures as text, and the ratings under other systems beside it.

    Args:
        here: The page that shows it.
        others: Standings under other systems.
        row: Of `Standings.rows`.
        moved: How far the player has come of late.
    """
    standings, decimals = here.standings, here.standings.decimals
    person = standings.state.person(row["key"])
    country, club = person.home_on(standings.day)
    beside = []
    for system, other in others.items():
        standing = other.by_key.get(row["key"], {})
        rating = fixed(standing.get("rating"), other.decimals)
        beside.append({"rank": standing.get("rank", ""), "rating": rating, "place": standing.get("place", ""),
                       "system": system})  # fmt: skip
    return {
        **row,
        "player": here.shown_name(row["player"]),
        "rating_text": fixed(row["rating"], decimals),
        "today_text": fixed(standings.standing_still.get(row["key"]), decimals),
        "deviation_text": fixed(row["deviation"], decimals),
        "last_played": row["last_played"] or "",
        "last_updated": standings.last_updated.get(row["key"], ""),
        "beside_rating": [(name, f"{row[name]:.3f}") for name in standings.summary.beside],
        "reading": person.reading,
        "country": country,
        "club": club,
        "beside": beside,
        "moved": moved,
    }


@page(Role.VISITOR, ladder=True)
def ladder_csv(here: Here) -> HttpResponseBase:
    """The ladder as CSV."""
    return csv_response(list_rows(here.standings), list_names(here.standings), f"{here.club.slug}-ladder")


@page(Role.VISITOR, ladder=True)
def ladder_json(here: Here) -> HttpResponse:
    """The ladder as JSON."""
    return json_response(ladder_data(here.standings, here.label))


@page(Role.VISITOR)
def compared(here: Here) -> HttpResponse:
    """What changed between a day and now: the list as it stood then beside the live one."""
    moved = None
    if here.is_past:
        moved = ChangeRows(moved_between(here.standings.figures, here.of_now().standings.figures))
    return render(here.request, "handan/compared.html", {"moved": moved})


@page(Role.VISITOR)
def federation(here: Here) -> HttpResponse:
    """The clubs of a federation that the asker may look at."""
    open_here = visible_clubs(actors(here.club.clubs.all(), here.request.user))
    clubs = [(by.club, by) for by in open_here]
    return render(here.request, "handan/federation.html", {"clubs": clubs})


@page(Role.VISITOR, ladder=True)
def summary_json(here: Here) -> HttpResponse:
    """What the club is: its rules and where its ledger stands."""
    return json_response(
        {
            "slug": here.club.slug,
            "name": here.club.name,
            "rules": [item.as_dict() for item in here.state.rules],
            "entry": here.state.number,
            "digest": here.state.digest,
            "players": here.state.number_of_players,
            "today": str(here.day or today()),
            "zone": timezone.get_current_timezone_name(),
        }
    )
