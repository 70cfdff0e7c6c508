"""Calls that look."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Path, Query
from pydantic import Field

from handan.club.changes.sheets import latest_entry
from handan.club.entries import Record
from handan.club.lists import listed_bytes
from handan.club.people import Person
from handan.club.service.events import calendar, event_look
from handan.club.service.looking import Look, visible_clubs
from handan.club.service.people import invitations as open_to
from handan.club.service.people import memberships
from handan.club.service.sheets import entries_of_sheets, prefetch_games, sheet_facts, sheet_with
from handan.club.state import EnteredSheet
from handan.club.store.calendar import CalendarFilter
from handan.club.store.models import Club, Invitation, Role
from handan.club.store.states import rules_of
from handan.web.api import bodies, schemas
from handan.web.api.calls import REFUSALS, GameKey, PlayerKey, Slug, asking, look, place_part, router, who
from handan.web.plain_data import calendar_data, event_data, finite, game_data, ladder_data, player_data

StandingsQuery = Query[bodies.Asked]


def change_data(line: Any) -> dict[str, Any]:
    """Return a line of a card as plain data."""
    data: dict[str, Any] = finite(line.explanation.as_dict())
    return data


def clubs_data(clubs: Iterable[Club]) -> list[dict[str, Any]]:
    """Return clubs as plain data."""
    return [
        {
            "slug": club.slug,
            "name": club.name,
            "federation": club.federation.slug if club.federation else None,
            "system": rules.system,
            "entry": club.number,
            "digest": club.digest,
        }
        for club, rules in rules_of(clubs).items()
    ]


@router.get("/clubs", response={200: list[schemas.Club], **REFUSALS}, auth=None)
def clubs(request: HttpRequest, response: HttpResponse, query: Query[bodies.Part]) -> Any:
    """The clubs that are open to who asks, if only with their ladder."""
    everywhere = Club.objects.select_related("federation").order_by("name", "pk")  # names may be alike
    seen = visible_clubs(asking(request, everywhere))
    return clubs_data(by.club for by in seen[place_part(request, response, query, len(seen))])


@router.get("/clubs/{slug}", response={200: schemas.Club, **REFUSALS}, auth=None)
def club(request: HttpRequest, slug: Slug) -> Any:
    """A club."""
    return clubs_data([look(request, slug, ladder=True).club])[0]


@router.get("/clubs/{slug}/ladder", response={200: schemas.Ladder, **REFUSALS}, auth=None)
def ladder(request: HttpRequest, response: HttpResponse, slug: Slug, query: Query[bodies.Ladder]) -> Any:
    """The ladder: live, as of a day, as known on a day, under the club's or another system."""
    view = look(request, slug, query, ladder=True)
    part = place_part(request, response, query, len(view.standings.rows))
    return ladder_data(view.standings, view.label, part)


@router.get("/clubs/{slug}/players", response={200: list[schemas.Player], **REFUSALS}, auth=None)
def players(request: HttpRequest, response: HttpResponse, slug: Slug, query: Query[bodies.Search]) -> Any:
    """Players whose name, reading or number holds every fragment of `q`; those of a category by age alone."""
    view = look(request, slug)
    matches = [person for _, person in view.state.matches(query.q)]
    if query.category:
        matches = [person for person in matches if view.categories.get(person.key) == query.category]
    part = matches[place_part(request, response, query, len(matches))]
    view.state.labels.prefetch(person.key for person in part)
    return [_player(view, person) for person in part]


@router.get("/clubs/{slug}/players/{key}", response={200: schemas.Player, **REFUSALS}, auth=None)
def player(request: HttpRequest, slug: Slug, key: PlayerKey) -> Any:
    """A player; one who was merged into another answers as the other."""
    view = look(request, slug)
    return _player(view, view.person(key))


def _player(view: Look, person: Person) -> dict[str, Any]:
    return {**player_data(view.state, person), "category": view.categories.get(person.key, "")}


@router.get("/clubs/{slug}/players/{key}/card", response={200: schemas.Card, **REFUSALS}, auth=None)
def card(request: HttpRequest, slug: Slug, key: PlayerKey, query: StandingsQuery) -> Any:
    """A player's card: every game with before, change, after and the factors of the change."""
    view = look(request, slug, query)
    person, standings = view.person(key), view.standings
    lines = [
        {**change_data(line), "key": line.game, "opponent_key": line.opponent, "system": line.rules.system}
        for line in standings.lines(person.key)
    ]
    return {
        "key": person.key,
        "player": view.state.labels[person.key],
        "label": standings.rules.system,
        "lines": lines,
    }


@router.get("/clubs/{slug}/games", response={200: list[schemas.Game], **REFUSALS}, auth=None)
def games(request: HttpRequest, response: HttpResponse, slug: Slug, query: Query[bodies.Games]) -> Any:
    """Games, latest first; those that were withdrawn or wait say so in `status`."""
    view = look(request, slug)
    player = "" if query.player is None else view.person(query.player).key
    part = place_part(request, response, query, view.number_of_games(player, event=query.event))
    rows = view.games(player, event=query.event, start=part.start, stop=part.stop)
    return [game_data(view.state, row) for row in rows.iter_rows(named=True)]


@router.get("/clubs/{slug}/games/{key}", response={200: schemas.GameFull, **REFUSALS}, auth=None)
def game(request: HttpRequest, slug: Slug, key: GameKey) -> Any:
    """A game with what it did to Black and White, and why."""
    view = look(request, slug)
    row = view.game(key)
    return {**game_data(view.state, row), "changes": [change_data(line) for line in view.sides(row)]}


@router.get("/clubs/{slug}/events", response={200: list[schemas.EventLine], **REFUSALS}, auth=None)
def events(request: HttpRequest, response: HttpResponse, slug: Slug, query: Query[bodies.Events]) -> Any:
    """Events and evenings, latest first, by year, country and class."""
    view = look(request, slug)
    rows = calendar(view, CalendarFilter(query.year, query.country, query.kind))
    return calendar_data(view.state, rows[place_part(request, response, query, len(rows))])


@router.get("/clubs/{slug}/events/{key}", response={200: schemas.Event, **REFUSALS}, auth=None)
def event(request: HttpRequest, slug: Slug, key: Path[bodies.EventKey], query: StandingsQuery) -> Any:
    """An event: who took part, its games, what it did to each player, and what the results to come would do."""
    return finite(event_data(event_look(look(request, slug, query), key)))


def sheet_data(view: Look, sheet: EnteredSheet, records: Mapping[int, Record]) -> dict[str, Any]:
    """Return an entered sheet as plain data."""
    by = {number: {"entry": number, "by": item.author, "entered": item.entered.isoformat()}
          for number, item in records.items()}  # fmt: skip
    data = {**asdict(sheet_facts(view.state, sheet)), "key": sheet.key, "entry": latest_entry(view.state, sheet)}
    return {**data, "entered": [by[part] for part in sheet.parts], "checked": [by[check] for check in sheet.checks]}


@router.get("/clubs/{slug}/sheets", response={200: list[schemas.Sheet], **REFUSALS})
def sheets(request: HttpRequest, response: HttpResponse, slug: Slug, query: Query[bodies.Part]) -> Any:
    """Record sheets that were entered, latest first, with their state; for members."""
    view = look(request, slug)
    view.actor.need(Role.PLAYER)
    every = list(view.state.sheets.values())[::-1]
    part = every[place_part(request, response, query, len(every))]
    records = entries_of_sheets(view, part)
    return [sheet_data(view, item, records) for item in part]


@router.get("/clubs/{slug}/sheets/{key}", response={200: schemas.SheetFull, **REFUSALS})
def sheet(request: HttpRequest, slug: Slug, key: Path[bodies.SheetKey]) -> Any:
    """A record sheet with its lines in the order of the paper; for members."""
    view = look(request, slug)
    view.actor.need(Role.PLAYER)
    item = sheet_with(view.state, key)
    data = sheet_data(view, item, entries_of_sheets(view, [item]))
    prefetch_games(view.state, item.lines)
    lines = [
        {"number": number, "changed": game in data["changed"], "game": game_data(view.state, view.state.game(game))}
        for number, game in item.lines
    ]
    return {**data, "lines": lines}


@router.get("/clubs/{slug}/terms", response={200: schemas.Terms, **REFUSALS}, auth=None)
def terms(request: HttpRequest, slug: Slug, query: Query[bodies.Pair]) -> Any:
    """Who takes what in the next game of two players."""
    terms, probability, newcomers = look(request, slug).next_game(query.one, query.other)
    return {"nearer": terms.nearer, **terms.as_dict(), "win_probability": probability, "newcomers": newcomers}


@router.get("/clubs/{slug}/adjustments", response={200: list[schemas.Adjustment], **REFUSALS}, auth=None)
def adjustments(request: HttpRequest, response: HttpResponse, slug: Slug, query: Query[bodies.Whole]) -> Any:
    """Ranks and ratings set by hand, in the order of entry."""
    blank = {"rank": None, "rating": None, "date": None, "at_least": False, "deviation": None, "note": ""}
    state = look(request, slug).state
    every = list(state.adjustments.values())
    return [
        {
            **blank, **item.facts, "key": item.key, "player": item.player, "withdrawn": item.withdrawn,
            "set_aside": "" if state.is_in_force(item) else item.set_aside,
        }
        for item in every[place_part(request, response, query, len(every))]
    ]  # fmt: skip


@router.get("/clubs/{slug}/rules", response={200: list[schemas.Rules], **REFUSALS}, auth=None)
def rules(request: HttpRequest, slug: Slug) -> Any:
    """The rules of the club in order of their dates."""
    return [item.as_dict() for item in look(request, slug).state.rules]


@router.get("/clubs/{slug}/log", response={200: list[schemas.Entry], **REFUSALS}, auth=None)
def log(request: HttpRequest, response: HttpResponse, slug: Slug, query: Query[bodies.Behind]) -> Any:
    """Entries behind a number, in order; for members, unless the club opens its log."""
    view = look(request, slug)
    behind = view.entries().filter(number__gt=query.after)
    entries = list(behind[: query.limit])
    response["X-Total-Count"] = str(view.entries().count())
    if len(entries) == query.limit and entries[-1].number < view.state.number:
        response["Link"] = f'<{request.path}?limit={query.limit}&after={entries[-1].number}>; rel="next"'
    return [view.seen(entry.record).as_dict() for entry in entries]


@router.get("/clubs/{slug}/lists", response={200: list[schemas.PublishedList], **REFUSALS}, auth=None)
def lists(request: HttpRequest, slug: Slug) -> Any:
    """Official lists."""
    return [asdict(item) for item in look(request, slug).state.lists]


@router.get("/clubs/{slug}/lists/{number}", response={200: dict[str, Any], **REFUSALS}, auth=None)
def official_list(request: HttpRequest, slug: Slug, number: Path[Annotated[int, Field(ge=0, le=10**9)]]) -> Any:
    """The very bytes of an official list."""
    content = look(request, slug).official_list(number)
    return HttpResponse(listed_bytes(content), content_type="application/json")


@router.get("/clubs/{slug}/members", response={200: list[schemas.Member], **REFUSALS})
def members(request: HttpRequest, slug: Slug) -> Any:
    """The members; for secretaries."""
    return [
        {"account": item.user.get_username(), "role": Role(item.role).name.lower(), "player": item.player}
        for item in memberships(who(request, slug))
    ]


def invitation_data(item: Invitation) -> dict[str, Any]:
    """Return an open invitation as plain data."""
    by = item.by.get_username() if item.by else ""
    facts = {"role": Role(item.role).name.lower(), "player": item.player, "by": by}
    return {"number": item.pk, **facts, "expires": item.expires.isoformat()}


@router.get("/clubs/{slug}/invitations", response={200: list[schemas.OpenInvitation], **REFUSALS})
def invitations(request: HttpRequest, slug: Slug) -> Any:
    """Invitations that can still be used; for secretaries."""
    return [invitation_data(item) for item in open_to(who(request, slug))]
