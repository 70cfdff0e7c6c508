"""Calls that look."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import polars as pl
from django.http import Http404, HttpRequest, HttpResponse
from ninja import Path, Query, Router
from pydantic import Field

from handan.club.folding import COUNTS, Person, State
from handan.club.list_names import without_gone
from handan.club.lists import listed_bytes
from handan.club.members import NotAllowedError, open_invitations
from handan.club.models import Club, Entry, Invitation, Membership, Role
from handan.club.reading import state_of
from handan.club.sealing import HIDDEN
from handan.club.visiting import hidden, may_look
from handan.errors import InputError
from handan.web.api import bodies, schemas
from handan.web.api.calls import REFUSALS, asking, seen, seen_now, who
from handan.web.pages.answers import finite, game_data, ladder_data

router = Router()
Slug = Path[bodies.Slug]
PlayerKey = Path[bodies.PlayerKey]
GameKey = Path[bodies.GameKey]
StandingsQuery = Query[bodies.Asked]


def change_data(line: Any) -> dict[str, Any]:
    """Return a line of a card as plain data."""
    data: dict[str, Any] = finite(line.explanation.as_dict())
    return data


def player_data(state: State, person: Person) -> dict[str, Any]:
    """Return a player as plain data."""
    return {"key": person.key, "label": state.labels[person.key], **person.as_dict()}


def found_player(state: State, key: str) -> Person:
    """Return a player, the one they were merged into if so; 404 for a stranger."""
    try:
        return state.person(key)
    except InputError as error:
        raise Http404(str(error)) from None


def found_game(state: State, key: str) -> dict[str, Any]:
    """Return a game's row; 404 if there is none."""
    try:
        return state.game(key)
    except InputError as error:
        raise Http404(str(error)) from None


def club_data(club: Club) -> dict[str, Any]:
    """Return a club as plain data."""
    state = state_of(club)
    above = club.federation.slug if club.federation else None
    data = {"slug": club.slug, "name": club.name, "federation": above, "system": state.rules[-1].system}
    return {**data, "entry": state.number, "digest": state.digest}


@router.get("/clubs", response={200: list[schemas.Club], **REFUSALS}, auth=None)
def clubs(request: HttpRequest) -> Any:
    """All clubs that are open to who asks, if only with their ladder."""
    here = Club.objects.select_related("federation")
    return [club_data(club) for club in here if may_look(asking(request, club), ladder=True)]


@router.get("/clubs/{slug}", response={200: schemas.Club, **REFUSALS}, auth=None)
def club(request: HttpRequest, slug: Slug) -> Any:
    """A club."""
    return club_data(who(request, slug, ladder=True).club)


@router.get("/clubs/{slug}/ladder", response={200: schemas.Ladder, **REFUSALS}, auth=None)
def ladder(request: HttpRequest, slug: Slug, query: StandingsQuery) -> Any:
    """The ladder: live, as of a day, as known on a day, under the club's or another system."""
    standings = seen(request, slug, query, ladder=True)
    parts = [f"games up to {query.as_of}"] * bool(query.as_of) + [f"as known on {query.known}"] * bool(query.known)
    return ladder_data(standings, ", ".join(parts) or "live")


@router.get("/clubs/{slug}/players", response={200: list[schemas.Player], **REFUSALS}, auth=None)
def players(request: HttpRequest, slug: Slug, query: Query[bodies.Search]) -> Any:
    """Players whose name, reading or number holds every fragment of `q`."""
    state = seen_now(who(request, slug))
    return [player_data(state, person) for person in state.search(query.q, query.limit)]


@router.get("/clubs/{slug}/players/{key}", response={200: schemas.Player, **REFUSALS}, auth=None)
def player(request: HttpRequest, slug: Slug, key: PlayerKey) -> Any:
    """A player; one who was merged into another answers as the other."""
    state = seen_now(who(request, slug))
    return player_data(state, found_player(state, key))


@router.get("/clubs/{slug}/players/{key}/card", response={200: schemas.Card, **REFUSALS}, auth=None)
def card(request: HttpRequest, slug: Slug, key: PlayerKey, query: StandingsQuery) -> Any:
    """A player's card: every game with before, change, after and the factors of the change."""
    standings = seen(request, slug, query)
    person = found_player(standings.state, key)
    lines = [
        {**change_data(line), "key": line.game, "opponent_key": line.opponent, "system": line.rules.system}
        for line in standings.lines(person.key)
    ]
    return {
        "key": person.key,
        "player": standings.state.labels[person.key],
        "label": standings.rules.system,
        "lines": lines,
    }


@router.get("/clubs/{slug}/games", response={200: list[schemas.Game], **REFUSALS}, auth=None)
def games(request: HttpRequest, slug: Slug, query: Query[bodies.Games]) -> Any:
    """Games, latest first; those that were withdrawn or wait say so in `status`."""
    state = seen_now(who(request, slug))
    table = state.games
    if query.player is not None:
        names = [key for key in state.people if state.person(key).key == found_player(state, query.player).key]
        table = table.filter(pl.col("black").is_in(names) | pl.col("white").is_in(names))
    rows = table.sort("date", "entry", descending=True, nulls_last=True).slice(query.offset, query.limit)
    return [game_data(state, row) for row in rows.iter_rows(named=True)]


@router.get("/clubs/{slug}/games/{key}", response={200: schemas.GameFull, **REFUSALS}, auth=None)
def game(request: HttpRequest, slug: Slug, key: GameKey) -> Any:
    """A game with what it did to Black and White, and why."""
    standings = seen(request, slug)
    row = found_game(standings.state, key)
    lines = standings.game(key) if row["status"] == COUNTS else []
    return {**game_data(standings.state, row), "changes": [change_data(line) for line in lines]}


@router.get("/clubs/{slug}/terms", response={200: schemas.Terms, **REFUSALS}, auth=None)
def terms(request: HttpRequest, slug: Slug, query: Query[bodies.Pair]) -> Any:
    """Who takes what in the next game of two players."""
    standings = seen(request, slug)
    keys = [found_player(standings.state, key).key for key in (query.one, query.other)]
    if keys[0] == keys[1]:
        raise InputError("terms are for two players")
    terms = standings.fair_terms(*keys)
    black, white = (standings.state.keys[name] for name in (terms.black, terms.white))
    probability = standings.win_probability(black, white, terms.handicap, terms.komi)
    return {**terms.as_dict(), "win_probability": probability, "newcomers": standings.newcomers(*keys)}


@router.get("/clubs/{slug}/adjustments", response={200: list[schemas.Adjustment], **REFUSALS}, auth=None)
def adjustments(request: HttpRequest, slug: Slug) -> Any:
    """Ranks and ratings set by hand."""
    blank = {"rank": None, "rating": None, "date": None, "at_least": False, "note": ""}
    rows = seen_now(who(request, slug)).adjustments.values()
    return [
        {**blank, **item.facts, "key": item.key, "player": item.player, "withdrawn": item.withdrawn} for item in rows
    ]


@router.get("/clubs/{slug}/rules", response={200: list[schemas.Rules], **REFUSALS}, auth=None)
def rules(request: HttpRequest, slug: Slug) -> Any:
    """The rules of the club in order of their dates."""
    return [item.as_dict() for item in seen_now(who(request, slug)).rules]


@router.get("/clubs/{slug}/log", response={200: list[schemas.Entry], **REFUSALS}, auth=None)
def log(request: HttpRequest, slug: Slug, query: Query[bodies.Behind]) -> Any:
    """Entries behind a number, in order; for members, unless the club opens its log."""
    by = who(request, slug)
    if not by.club.open_log and not by.may(Role.PLAYER):
        raise NotAllowedError("the log of this club is open to its members")
    entries = Entry.objects.filter(club=by.club, number__gt=query.after).order_by("number")[: query.limit]
    records = [entry.record for entry in entries]
    if not by.may(Role.PLAYER):
        telling = hidden(by.club, state_of(by.club)).telling
        records = [telling.without(record, HIDDEN) for record in records]
    return [record.as_dict() for record in records]


@router.get("/clubs/{slug}/lists", response={200: list[schemas.Listed], **REFUSALS}, auth=None)
def lists(request: HttpRequest, slug: Slug) -> Any:
    """Official lists."""
    return [asdict(item) for item in seen_now(who(request, slug)).lists]


@router.get("/clubs/{slug}/lists/{number}", response={200: dict[str, Any], **REFUSALS}, auth=None)
def official_list(request: HttpRequest, slug: Slug, number: Path[Annotated[int, Field(ge=0, le=10**9)]]) -> Any:
    """The very bytes of an official list."""
    by = who(request, slug)
    for item in state_of(by.club).lists:
        if item.number == number:
            content = Entry.objects.get(club=by.club, number=item.entry).record.facts["content"]
            if not by.may(Role.PLAYER):
                content = without_gone(content, hidden(by.club, state_of(by.club)).name)
            return HttpResponse(listed_bytes(content), content_type="application/json")
    raise Http404(f"there is no list {number}")


@router.get("/clubs/{slug}/members", response={200: list[schemas.Member], **REFUSALS})
def members(request: HttpRequest, slug: Slug) -> Any:
    """The members; for secretaries."""
    by = who(request, slug, Role.SECRETARY)
    memberships = Membership.objects.filter(club=by.club).select_related("user").order_by("-role", "user__username")
    return [
        {"account": m.user.get_username(), "role": Role(m.role).name.lower(), "player": m.player} for m in memberships
    ]


def invitation_data(item: Invitation) -> dict[str, Any]:
    """Return an open invitation as plain data."""
    by = item.by.get_username() if item.by else ""
    facts = {"role": Role(item.role).name.lower(), "player": item.player, "by": by}
    return {"number": item.pk, **facts, "expires": item.expires.isoformat()}


@router.get("/clubs/{slug}/invitations", response={200: list[schemas.OpenInvitation], **REFUSALS})
def invitations(request: HttpRequest, slug: Slug) -> Any:
    """Invitations that can still be used; for secretaries."""
    by = who(request, slug, Role.SECRETARY)
    return [invitation_data(item) for item in open_invitations(by.club)]
