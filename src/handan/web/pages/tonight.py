"""The evening of a club: who is here, who should play whom, who plays, what was played, and its end."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from handan.club.names import NotInClubError
from handan.club.service.evening import Evening, Table
from handan.club.service.players import register_guest
from handan.club.store import attendance
from handan.club.store.models import Role
from handan.club.store.register import enter_guest
from handan.errors import InputError
from handan.handicaps import NIGIRI
from handan.web.pages.entering import Way
from handan.web.pages.formatting import game_row
from handan.web.pages.forms import new_token
from handan.web.pages.here import Here, page, text_of
from handan.web.pages.plates import plates
from handan.web.pages.proposed_terms import as_recorded
from handan.web.pages.refusals import refusal
from handan.web.pages.saved import say_saved
from handan.web.pages.wording import giving_words, page_language, start_words

MOST = 300  # our choice: plates at once; in a larger club others come by typing a part of their name


@page(Role.PLAYER, form=True)
def tonight(here: Here) -> HttpResponse:
    """Show the evening; result keepers say who is here and who sits down to play."""
    guest: dict[str, Any] = {}
    if here.posted is not None:
        here.actor.need(Role.KEEPER)
        guest = _asked_of_guest(here) if "guest" in here.posted else {}
        try:
            if not guest.get("alike"):
                _changed(here)
                return redirect("tonight", slug=here.club.slug)
        except NotInClubError:
            raise
        except InputError as error:
            messages.error(here.request, refusal(error))
            if not guest:
                return redirect("tonight", slug=here.club.slug)
    evening, text = Evening(here), text_of(here.request, "q")
    keeps = here.actor.may(Role.KEEPER)
    suggested, left_out = evening.suggested if keeps else ([], ())
    labels = here.state.labels
    context = {
        "day": evening.day,
        "keeps": keeps,
        "here_now": len(evening.here),
        "wall": plates(here, text, most=MOST) if keeps else [],
        "present": [labels[key] for key in here.state.keys_by_name if key in evening.here],
        "q": text,
        "suggested": [_board(here, table) for table in suggested],
        "everybody": ",".join(f"{table.one} {table.other}" for table in suggested),
        "left_out": [labels[key] for key in left_out],
        "playing": [{**_board(here, table), "token": new_token()} for table in evening.playing],
        "games": [game_row(here.state, row) for row in evening.games],
        "scores": [{**score._asdict(), "name": labels[score.key]} for score in evening.scores],
        "decimals": here.standings.decimals,
        "guest": guest,
        "token": new_token(),
        "back": here.request.path,
    }
    return render(here.request, "handan/tonight.html", context)


def _board(here: Here, table: Table) -> dict[str, Any]:
    """Return two players as they sit at a board, Black first where the terms say who that is."""
    keys, terms = here.state.keys, table.terms
    drawn = terms is not None and terms.colours == NIGIRI
    way = Way(table.one, table.other)
    if terms is not None and not drawn:
        way = Way(keys[terms.black], keys[terms.white])
    labels = here.state.labels
    return {
        "black": {"key": way.black, "name": labels[way.black]},
        "white": {"key": way.white, "name": labels[way.white]},
        "terms": terms,
        "drawn": drawn or terms is None,
        "start": start_words(terms) if terms else "",
        "komi": giving_words(terms, page_language()) if terms else "",
        "played": as_recorded(terms),
        "ways": [Way(way.black, way.white), *([Way(way.white, way.black)] if drawn else [])],
    }


def _asked_of_guest(here: Here) -> dict[str, Any]:
    """Return what was typed of a guest, and who of that name is in the club unless the form says that it is another."""
    sent = here.request.POST
    name = sent.get("name", "").strip()
    if "namesake" in sent or here.written_before(sent.get("token")):
        alike = []
    else:
        alike = [{"key": key, "name": here.state.labels[key]} for key in here.state.spelt(name)]
    return {"name": name, "rank": sent.get("rank", ""), "alike": alike}


def _refuse_busy(here: Here, pairs: list[tuple[str, str]]) -> None:
    """Refuse pairs of whom one sits at a board with somebody else, which another device may have said meanwhile."""
    opponents = {key: {table.one, table.other} for table in Evening(here).playing for key in (table.one, table.other)}
    for pair in pairs:
        for key in pair:
            other = next(iter(opponents.get(key, set()) - {key}), "")
            if other and other not in pair:
                text = _("{name} is playing {other} already. Cancel that pair first.")
                raise InputError(text.format(name=here.state.labels[key], other=here.state.labels[other]))


def _changed(here: Here) -> None:
    """Carry out what a form of the page says."""
    sent = here.request.POST
    if key := sent.get("arrive"):
        attendance.arrive(here.actor, key)
    if key := sent.get("leave"):
        attendance.leave(here.actor, [key])
    if key := sent.get("off"):
        attendance.call_off(here.actor, key)
    if pairs := sent.get("play"):
        both = [tuple(text.split()) for text in pairs.split(",")]
        twos = [(pair[0], pair[1]) for pair in both if len(pair) == 2]
        _refuse_busy(here, twos)
        attendance.begin_games(here.actor, twos)
    if "guest" in sent:
        entries = here.write(register_guest(here.actor, sent.get("name", ""), sent.get("rank", "")), sent.get("token"))
        attendance.arrive(here.actor, entries[0].subject)
        enter_guest(here.actor, entries[0].subject)
        text = _("{name} is registered.").format(name=sent.get("name", "").strip())
        say_saved(here, text, entries)
    if "close" in sent:
        attendance.leave(here.actor, Evening(here).here)
        messages.success(here.request, _("The evening is closed. Its sheet can be printed."))
