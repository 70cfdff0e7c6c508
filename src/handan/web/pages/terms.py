"""Who takes what in the next game of two players."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from handan.club.store.models import Role
from handan.errors import InputError
from handan.web.pages.asking import text_of
from handan.web.pages.here import Here, page
from handan.web.pages.pair import provisional_ranks, unranked_of
from handan.web.pages.refusals import refusal
from handan.wording.figures import brief, percent


@page(Role.VISITOR)
def terms(here: Here) -> HttpResponse:
    """Two names: who takes what."""
    pair = {name: here.written_name(text_of(here.request, name)) for name in ("one", "other")}
    fair, error = None, ""
    context: dict[str, Any] = {"pair": pair}
    if all(pair.values()):
        try:
            one, other = (here.player_meant(pair[name], name) for name in ("one", "other"))
            context["unranked"] = None if one == other else unranked_of(here, one, other)
            if not context["unranked"]:
                fair, probability, _ = here.next_game(one, other, provisional_ranks(here, one, other))
                context["chance"] = percent(probability)
        except InputError as fault:
            error = refusal(fault)
    context |= {"fair": fair, "error": error}
    if fair:
        enter = {"black": fair.black, "white": fair.white, "handicap": fair.handicap, "komi": brief(fair.komi)}
        context["enter"] = enter
    name = "handan/parts/terms.html" if getattr(here.request, "htmx", False) else "handan/terms.html"
    return render(here.request, name, context)
