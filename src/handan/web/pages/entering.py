"""Entering a game by touch: one name, the other, the terms that the club's rules give, and who won."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from handan.club.names import players_meant
from handan.club.new_games import TwinError
from handan.club.service import games as service
from handan.club.store.access import Actor
from handan.club.store.models import Role
from handan.club.store.tablet import device_mark, evening_mark, has_pin, tablet
from handan.club.store.writing import RateLimitError
from handan.errors import InputError
from handan.handicaps import NIGIRI
from handan.ranks import Rank
from handan.web.operations.client_address import client_address
from handan.web.pages.forms import new_token
from handan.web.pages.here import Here, page, text_of, way_back
from handan.web.pages.pair import PROVISIONAL, provisional_ranks, unranked_of
from handan.web.pages.plates import plate, plates
from handan.web.pages.proposed_terms import as_recorded
from handan.web.pages.refusals import refusal
from handan.web.pages.saved import EVENING, tablet_is_open, undo_sent, write_and_say
from handan.web.pages.wording import giving_words, page_language, start_words

TEMPLATES = {"enter-game": "handan/enter.html", "kiosk": "handan/kiosk.html"}
DEVICE = "tablet"
"""Cookie of a device on which the PIN was right."""
DEVICE_LASTS = 365 * 24 * 3600  # seconds; our choice


class Way(NamedTuple):
    """One way to take the colours: keys of Black and White."""

    black: str
    white: str


@page(service.enter_game.role, form=True, lags=True)
def enter_game(here: Here) -> HttpResponse:
    """Choose two players, see the terms, say who won: it is saved."""
    own = here.my_card if not here.actor.may(Role.KEEPER) else ""
    if here.posted is not None:
        return _saved(here, "enter-game")
    one, other = _two(here, own)
    if one and other:
        return render(here.request, "handan/enter.html", _last_step(here, one, other, may_save=True))
    text = text_of(here.request, "q")
    wall = plates(here, text, (one,) if one else ())
    if text and "only" in here.request.GET and len(best := _best(here, text, one)) == 1:
        return redirect(f"{here.request.path}?{urlencode({'one': one, 'other': best[0]} if one else {'one': best[0]})}")
    context = {"wall": wall, "q": text, "one": plate(here, one) if one else None, "own": bool(own),
               "stranger": not own and not here.actor.may(Role.KEEPER)}  # fmt: skip
    name = "handan/parts/wall.html" if here.asks_part else "handan/enter.html"
    return render(here.request, name, context)


@page(Role.VISITOR, form=True)
def kiosk(here: Here) -> HttpResponse:
    """Say who takes what on the club's own tablet; with its PIN, or where a keeper is signed in, say who won too."""
    by_pin = not here.actor.may(Role.KEEPER) and has_pin(here.club)
    if here.posted is not None:
        if not by_pin:
            here.actor.need(Role.KEEPER)
        if "lock" in here.posted:
            return _locked(here)
        return _undone(here) if "entries" in here.posted else _saved(here, "kiosk", by_pin=by_pin)
    is_open = by_pin and tablet_is_open(here)
    one, other = _two(here)
    if one and other:
        may_save, asks_pin = by_pin or here.actor.may(Role.KEEPER), by_pin and not is_open
        step = _last_step(here, one, other, may_save=may_save, asks_pin=asks_pin, is_open=is_open)
        return render(here.request, "handan/kiosk.html", step)
    text = text_of(here.request, "q")
    wall, chosen = plates(here, text, (one,) if one else ()), plate(here, one) if one else None
    context = {"wall": wall, "q": text, "one": chosen, "is_open": is_open}
    name = "handan/parts/wall.html" if here.asks_part else "handan/kiosk.html"
    return render(here.request, name, context)


def _two(here: Here, own: str = "") -> tuple[str, str]:
    """Return the keys of the two who are chosen, the first of them `own` if that is somebody; empty for nobody."""
    one = own or _chosen(here, text_of(here.request, "one"))
    other = _chosen(here, text_of(here.request, "other"))
    return one, other if other != one else ""


def _best(here: Here, text: str, without: str) -> list[str]:
    """Return the keys of those whom a text means best."""
    return [person.key for person in players_meant(here.state, text) if person.key != without]


def _chosen(here: Here, key: str) -> str:
    """Return the key of the player who was chosen; empty for nobody, or for a key that is nobody's."""
    own = here.state.person(key).key if key in here.state.people else ""
    return own if own in here.state.active else ""


def _last_step(here: Here, one: str, other: str, **more: Any) -> dict[str, Any]:
    """Return the two with their terms; where colours are drawn, both ways to take them."""
    keys, terms, refused = here.standings.state.keys, None, ""
    if unranked := unranked_of(here, one, other):
        return {"one": plate(here, one), "other": plate(here, other), "unranked": unranked}
    ranks = provisional_ranks(here, one, other)
    try:
        terms = here.played_from.fair_terms(one, other, ranks)
    except InputError as error:
        refused = refusal(error)
    ways = [Way(one, other), Way(other, one)]
    if terms is not None and terms.colours != NIGIRI:
        ways = [Way(keys[terms.black], keys[terms.white])]
    return {
        "one": _with_rank(plate(here, ways[0].black), ranks),
        "other": _with_rank(plate(here, ways[0].white), ranks),
        "ways": [{"black": plate(here, way.black), "white": plate(here, way.white)} for way in ways],
        "provisional": {f"{PROVISIONAL}{key}": str(rank) for key, rank in ranks.items()},
        "terms": terms,
        "start": start_words(terms) if terms else "",
        "komi": giving_words(terms, page_language()) if terms else "",
        "played": as_recorded(terms),
        "refused": refused,
        "token": new_token(),
        "back": way_back(here.request),
        **more,
    }


def _with_rank(plate: dict[str, Any], ranks: Mapping[str, Rank]) -> dict[str, Any]:
    """Return the plate of a newcomer with the provisional rank."""
    return {**plate, "rank": str(ranks[plate["key"]])} if plate["key"] in ranks else plate


def _undone(here: Here) -> HttpResponse:
    """Take back what was just saved on the tablet, if the PIN is right."""
    answer = redirect("kiosk", slug=here.club.slug)
    try:
        undo_sent(here, _tablet(here))
    except (InputError, RateLimitError) as error:
        messages.error(here.request, refusal(error))
        return answer
    return _marked(here, answer)


def _tablet(here: Here) -> Actor:
    """Return who saves on the club's tablet, if the PIN that the form sends is right."""
    mark, evening = (here.request.COOKIES.get(name, "") for name in (DEVICE, EVENING))
    return tablet(here.club, here.request.POST.get("pin", ""), client_address(here.request), mark, evening)


def _marked(here: Here, answer: HttpResponse) -> HttpResponse:
    """Return an answer that lets the device keep that the PIN was right on it: ever until another is set, and today."""
    path, secure = here.address("kiosk"), bool(settings.SESSION_COOKIE_SECURE)
    marks = (DEVICE, device_mark(here.club), DEVICE_LASTS), (EVENING, evening_mark(here.club), None)
    for name, mark, lasts in marks:
        answer.set_cookie(name, mark, lasts, path=path, secure=secure, httponly=True, samesite="Strict")
    return answer


def _locked(here: Here) -> HttpResponse:
    """Let the tablet ask for its PIN again."""
    answer = redirect("kiosk", slug=here.club.slug)
    answer.delete_cookie(EVENING, path=here.address("kiosk"), samesite="Strict")
    return answer


def _saved(here: Here, route: str, *, by_pin: bool = False) -> HttpResponse:
    """Save a game at the terms that were shown; where others hold by now, show those first."""
    posted, template = here.request.POST, TEMPLATES[route]
    black, white, result = _won(here, posted.get("won", ""))
    if not black or black == white:
        return redirect(route, slug=here.club.slug)
    if here.written_before(posted.get("token")):  # the terms are others since, because of this very game
        return redirect(route, slug=here.club.slug)
    step = _last_step(here, black, white, may_save=True, asks_pin=by_pin and not tablet_is_open(here))
    if "unranked" in step:
        return render(here.request, template, step)
    played = {name: posted.get(name, "") for name in ("handicap", "komi")}
    if step["played"] != played or black not in {way["black"]["key"] for way in step["ways"]}:
        step["notice"] = _("The terms changed meanwhile; these hold now.")
        return render(here.request, template, step)
    day = str(here.evening_day)
    fields = {"black": black, "white": white, "result": result, "date": day, "kind": here.rules.kinds[0],
              **{name: value or None for name, value in played.items()},
              **{f"{side}_rank": str(rank) for key, rank in provisional_ranks(here, black, white).items()
                 for side, own in (("black", black), ("white", white)) if own == key}}  # fmt: skip
    try:
        by = _tablet(here) if by_pin else here.actor
        # nothing is asked: the terms are those that the page showed
        change = service.enter_game(by, fields, another="another" in posted, as_played=True)
        write_and_say(here, change, posted.get("token"), _("The game is entered."), tablet=by_pin)
    except TwinError as error:
        return render(here.request, template, {**step, "twins": error.keys})
    except (InputError, RateLimitError) as error:
        return render(here.request, template, {**step, "refused": refusal(error)})
    back = way_back(here.request)
    answer = HttpResponseRedirect(back) if back else redirect(route, slug=here.club.slug)
    return _marked(here, answer) if by_pin else answer


def _won(here: Here, text: str) -> tuple[str, str, str]:
    """Return Black, White and the result that a button says; empty texts for what no button says."""
    parts = text.split(" ")
    if len(parts) != len(("black", "white", "result")) or parts[2] not in {"B+", "W+"}:
        return "", "", ""
    return _chosen(here, parts[0]), _chosen(here, parts[1]), parts[2]
