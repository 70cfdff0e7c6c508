"""Papers of the club: what there is to print, each paper as a page that a browser prints, and as PDF."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render

from handan.club.movement import moved_between
from handan.club.service import printing
from handan.club.store.access import card_codes
from handan.club.store.clock import today
from handan.club.store.models import Role
from handan.club.store.register import off_the_wall
from handan.club.store.standings import standings_of
from handan.errors import FieldError, InputError
from handan.handicaps import CARDS, card
from handan.ledger import When
from handan.ledger.dates import read_day
from handan.paper import PAPERS, Heading, Material, Member, Paper, make, missing
from handan.paper.catalog import MOST_LISTED, MOST_MEMBERS
from handan.web.pages.here import Here, page, text_of, whole_number
from handan.web.pages.start import mark
from handan.web.pages.wording import page_language
from handan.wording.languages import LANGUAGES

HOME = ("country", "club")
"""By which the members are chosen of whom a paper is."""
FORMS = {"page": "print", "pdf": "pdf"}
"""Names of the routes of a paper, before its own."""


@page(Role.VISITOR)
def papers(here: Here) -> HttpResponse:
    """The list of papers, with the members to choose from."""
    if here.actor.may(Role.SECRETARY):
        mark(here, "print")
    since = text_of(here.request, "since")
    ticked = _moved_since(here, read_day("since", since)) if since else set(here.request.GET.getlist("player"))
    people = _of_home(here, printing.members(here.standings, lambda _: "", (), _official(here), here.shown_names))
    countries, clubs = here.state.homes(here.day)
    context = {
        "countries": countries,
        "clubs": clubs,
        "home": {name: text_of(here.request, name) for name in HOME},
        "papers": [
            {"kind": kind, **{form: here.address(f"{route}-{name}") for form, route in FORMS.items()}}
            for name, kind in PAPERS.items()
        ],
        "members": [{"member": member, "ticked": member.key in ticked} for member in people],
        "most": MOST_MEMBERS,
        "most_listed": MOST_LISTED,
        "since": since,
        "ticked": len(ticked),
        "languages": list(LANGUAGES.items()),
        "language": page_language(),
        "official": text_of(here.request, "list"),
        "cards": [] if printing.card_of(here.standings) else list(CARDS.values()),
        "month": f"{here.last_played or here.day or today():%Y-%m}",
        "no_pdf": missing(),
        "may_pdf": here.actor.may(Role.PLAYER) and not missing(),
    }
    return render(here.request, "handan/print.html", context)


@page(Role.VISITOR)
def paper(here: Here, name: str) -> HttpResponse:
    """One paper as a page that a browser prints."""
    made = _paper(here, name)
    answer = HttpResponse(made.html)
    answer["Content-Security-Policy"] = made.policy
    answer["Cache-Control"] = "no-store"  # what confirms a stored page brings the policy of all others with it
    return answer


@page(Role.PLAYER)
def paper_pdf(here: Here, name: str) -> HttpResponse:
    """One paper as PDF; for members, since it takes the server a moment."""
    answer = HttpResponse(_paper(here, name).pdf(), content_type="application/pdf")
    answer["Content-Disposition"] = f'inline; filename="{here.club.slug}-{name}.pdf"'
    return answer


def _paper(here: Here, name: str) -> Paper:
    """Return a paper as it is wished."""
    kind, heading = PAPERS[name], _heading(here)
    chosen = {here.person(key).key for key in here.request.GET.getlist("player")}
    names = here.names_in(heading.language)
    if not (kind.of_list or kind.of_month or kind.of_evening) or kind.of_promotions:
        names = replace(names, on_wood=True)
    members: tuple[Member, ...] = ()
    if kind.of_members or kind.of_month or kind.of_evening:
        members = printing.members(here.standings, _address(here), chosen, _official(here), names)
    if not chosen and not _official(here):
        absent = off_the_wall(here.club, here.state)
        members = tuple(member for member in members if member.key not in absent)
    members = _of_home(here, members)
    month = None
    if kind.of_month:
        wanted = text_of(here.request, "month")
        month = printing.month(here.standings, members, _month(wanted) if wanted else heading.day)
        if kind.of_promotions and not chosen:
            members = month.promoted(members)
    evening = printing.evening(here.standings, members, heading.day) if kind.of_evening else None
    listed = None
    if kind.of_list and len(members) <= kind.most:
        listed = printing.rating_list(here.standings, members, heading.day, _official(here))
        listed = replace(listed, of=", ".join(filter(None, (text_of(here.request, name) for name in HOME))))
    own_card = printing.card_of(here.standings)
    other = text_of(here.request, "card")
    table, since = (card(other), None) if other else own_card or (None, None)
    copies = whole_number(text_of(here.request, "copies") or "1") or 0
    return make(name, Material(heading, members, table, since, month, evening, listed, copies, _site(here, "sheet")))


def _of_home(here: Here, members: tuple[Member, ...]) -> tuple[Member, ...]:
    """Return the members of the country and the club that are wished, as these were on the day of the list."""
    content = _official(here)
    day = date.fromisoformat(content["as_of"]) if content else here.day or here.day_known
    return printing.of_home(members, here.state, day, *(text_of(here.request, name) for name in HOME))


def _address(here: Here) -> printing.Address:
    """Return what tells the address on each card: by its code, where the club allows it and a secretary prints."""
    codes = card_codes(here.club) if here.actor.may(Role.SECRETARY) else None
    if codes is None:
        return lambda key: _site(here, "player", key)
    return lambda key: _site(here, "card-by-code", key, codes(key))


def _heading(here: Here) -> Heading:
    language, era = text_of(here.request, "language") or page_language(), bool(text_of(here.request, "era"))
    if content := _official(here):
        return replace(printing.official_heading(here.club.name, content, language), era=era)
    day = here.day or here.day_known
    heading = printing.heading(here.club.name, here.standings, day or today(), language, is_live=day is None)
    return replace(heading, era=era)


def _official(here: Here) -> dict[str, Any] | None:
    """Return the official list that is wished, None for the ladder; 404 for one that there is not."""
    wanted = text_of(here.request, "list")
    if not wanted:
        return None
    number = whole_number(wanted)
    if number is None:
        raise Http404(f"there is no list {wanted}")
    return here.official_list(number)


def _moved_since(here: Here, day: date) -> set[str]:
    """Return the keys of who stands otherwise than at the end of a day."""
    return {str(row["key"]) for row in moved_between(standings_of(here.state, day).figures, here.standings.figures)}


def _site(here: Here, route: str, *given: str) -> str:
    return here.request.build_absolute_uri(here.address(route, *given))


def _month(text: str) -> date:
    """Return a day of the month that is wished."""
    try:
        when = When.parse(text)
    except InputError:
        when = None
    if when is None or when.precision < 7:
        raise FieldError("month", text, "a month such as 2026-11")
    return when.moment.date()
