"""What was saved, in the message of the next page: who moved from what to what, and one button that undoes it."""

from __future__ import annotations

import re
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from handan.club.kinds import Kind
from handan.club.service.undoing import can_undo, undo
from handan.club.standings import Line
from handan.club.store.members import Actor
from handan.club.store.models import Entry, Role
from handan.club.store.single_entries import BY_NUMBER
from handan.errors import InputError
from handan.web.pages.asking import whole_number
from handan.web.pages.formatting import rating_digits
from handan.web.pages.forms import new_token
from handan.web.pages.here import Here, page
from handan.web.pages.refusals import refusal
from handan.wording.figures import step

MARK = re.compile(r"undo-(\d{1,9})-(\d{1,9})")
SHOWN, GAMES = 12, 40  # our choice: players whose moves a message names, and games from which it finds them


def say_saved(here: Here, text: str, first: int, last: int, *, tablet: bool = False) -> None:
    """Say on the next page what was saved by the entries from one number to another; `tablet`: without an account."""
    messages.success(here.request, text, extra_tags=f"undo-{first}-{last}{' tablet' if tablet else ''}")


def saved_facts(here: Here | None, tags: str) -> dict[str, Any] | None:
    """Return what a message that bears such tags shows besides its text; None for one about nothing saved."""
    match = MARK.search(tags or "")
    if match is None or here is None or here.day or here.day_known:
        return None
    first, last = int(match[1]), int(match[2])
    by = on_tablet(here) if "tablet" in tags.split() else here.actor
    try:
        moves = _moves(here, _games(here, first, last)) if last - first < GAMES else []
    except InputError:  # the rules find no answer for these games; other pages say so
        moves = []
    return {
        "entries": f"{first}-{last}",
        "moves": moves[:SHOWN],
        "more": max(0, len(moves) - SHOWN),
        "undo": can_undo(by, here.state, first, last),
        "asks_pin": by.tablet,
        "last": here.state.number == last,
        "token": new_token(),
    }


def on_tablet(here: Here) -> Actor:
    """Return who saves on the club's tablet, as far as pages show what that may be; the PIN is asked when it saves."""
    return Actor(here.club, Role.KEEPER, tablet=True)


def _games(here: Here, first: int, last: int) -> list[str]:
    """Return the keys of the games that began to count by the entries from one number to another."""
    kinds = [Kind.GAME_RECORDED, Kind.GAME_CONFIRMED]
    if first == last:
        entry = BY_NUMBER.first(here.club.pk, first)
        return [entry.subject] if entry is not None and entry.kind in kinds else []
    entries = Entry.objects.filter(club=here.club, number__range=(first, last), kind__in=kinds).order_by("number")
    return list(entries.values_list("subject", flat=True))


def _moves(here: Here, games: list[str]) -> list[dict[str, Any]]:
    """Return the players of games with rating and rank before and after all of them."""
    moves: dict[str, dict[str, Any]] = {}
    decimals = rating_digits(here.standings)
    for key in games:
        sides = _sides(here, key)
        if not sides:
            continue
        names = (sides[1].explanation.opponent, sides[0].explanation.opponent)
        for name, line in zip(names, sides, strict=True):
            item = line.explanation
            shown = step(item.before, item.change, item.after, decimals)
            move = moves.setdefault(name, {"name": name, "before": shown.before, "rank_before": item.rank_before})
            move |= {"after": shown.after, "rank_after": item.rank_after}
    return list(moves.values())


def _sides(here: Here, key: str) -> list[Line]:
    """Return what a game did to both sides; empty for one that does not count, and for an entry of another kind."""
    try:
        row = here.state.game(key)
    except InputError:
        return []
    return here.sides(row)


def undo_sent(here: Here, by: Actor) -> None:
    """Take back, in somebody's name, the entries that a form names; InputError where that cannot be."""
    first, _dash, last = here.request.POST.get("entries", "").partition("-")
    numbers = whole_number(first), whole_number(last)
    if None in numbers:
        raise InputError(_("There is nothing to undo."))
    here.write(undo(by, *numbers), here.request.POST.get("token"))  # type: ignore[arg-type]


@page(undo.role)
def undo_page(here: Here) -> HttpResponse:
    """Take back what a form has written, and go on where one was."""
    home = redirect("ladder", slug=here.club.slug)
    if here.posted is None:
        return home
    back = here.posted.get("next", "")
    if url_has_allowed_host_and_scheme(back, {here.request.get_host()}, require_https=here.request.is_secure()):
        home = redirect(back)
    try:
        undo_sent(here, here.actor)
    except InputError as error:
        messages.error(here.request, refusal(error))
    else:
        messages.success(here.request, _("Undone. It stays in the log and can be brought back."))
    return home
