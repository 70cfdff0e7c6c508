"""Two players: all their games, how the terms moved, who would take what tonight, and what a game would do."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, NamedTuple

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from handan.club import changes
from handan.club.service.operation import Preview
from handan.club.store.clock import today
from handan.club.store.models import Role
from handan.errors import InputError
from handan.handicaps import Terms
from handan.ranks import FIRST_DAN, STRONGEST, WEAKEST, Rank
from handan.web.pages.formatting import line_row, with_room
from handan.web.pages.here import Here, page, text_of
from handan.web.pages.plates import plate
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
    name = "handan/parts/terms.html" if here.asks_part else "handan/terms.html"
    return render(here.request, name, context)


class Outcome(NamedTuple):
    """What a game of tonight would do if it ended so."""

    black_wins: bool
    sides: list[dict[str, Any]]
    """Of Black and White, as `formatting.line_row` returns them."""


@page(Role.VISITOR)
def pair(here: Here) -> HttpResponse:
    """Show two players beside each other."""
    wanted = {name: here.written_name(text_of(here.request, name)) for name in ("one", "other")}
    context: dict[str, Any] = {"pair": wanted}
    if all(wanted.values()):
        try:
            one, other = (here.player_meant(wanted[name], name) for name in ("one", "other"))
            context |= _between(here, one, other) | _tonight(here, one, other)
        except InputError as fault:
            context["error"] = refusal(fault)
    return render(here.request, "handan/pair.html", context)


def _between(here: Here, one: str, other: str) -> dict[str, Any]:
    """Return the games of two players as the first's card has them, latest first, and how they ended."""
    lines = [line for line in here.standings.lines(one, reasons=False) if line.opponent == other and line.game]
    decimals = here.standings.decimals
    results = [line.explanation.result for line in lines]
    people = {"one": here.state.labels[one], "other": here.state.labels[other]}
    keys = {"one_key": one, "other_key": other}
    score = {name: results.count(name) for name in ("win", "loss", "jigo")}
    games = with_room([line_row(line, decimals) for line in reversed(lines)], ("change", "after"))
    return {**people, **keys, "score": score, "games": games}


def _tonight(here: Here, one: str, other: str) -> dict[str, Any]:
    """Return the fair terms of the next game, and what it would do at them; the past has no next game."""
    if one != other and (unranked := unranked_of(here, one, other)):
        return {"unranked": unranked}
    try:
        fair, probability, newcomers = here.next_game(one, other, provisional_ranks(here, one, other))
    except InputError as fault:
        return {"terms_missing": refusal(fault)}
    made = {"fair": fair, "chance": percent(probability)}
    if here.is_past or newcomers:
        return made
    return {**made, "outcomes": outcomes(here, fair)}


def outcomes(here: Here, fair: Terms) -> list[Outcome]:
    """Return what a game of tonight at its fair terms would do, won by Black and by White.

    Each is worked out as saving the game would: by an entry behind the last one, and the ratings that follow from it.
    """
    keys = {side: here.state.keys[name] for side, name in (("black", fair.black), ("white", fair.white))}
    facts = {
        **keys,
        "handicap": fair.handicap,
        "komi": fair.komi,
        "date": str(here.evening_day),
        "kind": here.rules.kinds[0],
    }
    made = []
    for black_wins in (True, False):
        draft = changes.games.record_game(here.state, {**facts, "result": "B+" if black_wins else "W+"}, today())
        shown = Preview.of(here.club, here.state, (draft,))
        lines = shown.standings.game(f"g{shown.after.number}")
        made.append(Outcome(black_wins, [line_row(line, here.standings.decimals) for line in lines]))
    return made


PROVISIONAL = "rank-"
"""Begins the field that says as what rank a newcomer, whose key follows, is taken."""
USUAL = FIRST_DAN - 5
"""Our choice: the place of the rank around which ranks are offered where the opponent has none either."""


def provisional_ranks(here: Here, *keys: str) -> dict[str, Rank]:
    """Return the provisional ranks that were said of newcomers, by key."""
    ranks = {}
    new = {here.state.keys[label] for label in here.standings.newcomers(*keys)}
    for key in new:
        if text := (here.posted or here.request.GET).get(f"{PROVISIONAL}{key}", ""):
            with suppress(InputError):  # then it is asked for again
                ranks[key] = Rank.parse(text)
    return ranks


def unranked_of(here: Here, one: str, other: str) -> dict[str, Any] | None:
    """Return what is asked of the first of two, given by key, who has neither games nor a rank; None where all have."""
    ranks = provisional_ranks(here, one, other)
    new = {here.state.keys[label] for label in here.standings.newcomers(one, other)}.difference(ranks)
    if not new:
        return None
    key, opponent = (one, other) if one in new else (other, one)
    rank = here.standings.by_key.get(opponent, {}).get("rank") or ranks.get(opponent)
    middle = Rank.parse(str(rank)).number_from_30k if rank else USUAL
    return {
        "plate": plate(here, key),
        "field": f"{PROVISIONAL}{key}",
        "near": list(dict.fromkeys(Rank.at(place) for place in range(middle - 6, middle + 4, 2))),
        "middle": Rank.at(middle),
        "all": [Rank.at(place) for place in range(STRONGEST, WEAKEST - 1, -1)],
        "kept": {"one": one, "other": other} | here.request.GET.dict(),
    }


def no_terms(name: str) -> str:
    """Return why no terms are proposed for a newcomer."""
    return _("{name} has no rank yet, so nobody can say which terms are fair.").format(name=name)
