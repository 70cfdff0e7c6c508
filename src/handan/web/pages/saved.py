"""What was saved, in the message of the next page: who moved from what to what, and one button that undoes it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from handan.club.kinds import Kind
from handan.club.service.operation import Change, Preview, bring_list_up_to_date, moved_by
from handan.club.service.undoing import (
    SHEETS,
    Together,
    can_undo,
    entered_together,
    still_there,
    take_back_together,
    undo,
)
from handan.club.state import WAITING
from handan.club.store.access import Actor
from handan.club.store.models import Entry, Role
from handan.club.store.tablet import is_open
from handan.errors import InputError
from handan.web.pages.formatting import ChangeRows
from handan.web.pages.forms import ReasonForm, new_token
from handan.web.pages.here import Here, page, way_back, whole_number
from handan.web.pages.refusals import refusal

MARK = re.compile(r"undo-(\d{1,9})-(\d{1,9})")
MOVED = re.compile(r"moved:(\S+)")
FIGURES = ("before", "after", "rank_before", "rank_after")
SHOWN, MOVED_BY_GAME = 12, 4
"""Players whose moves a message names at most, and behind one new game, which may move all a little; our choice."""
EVENING = "evening"
"""Cookie of a tablet that is open this evening."""
NEW_GAMES = {Kind.GAME_RECORDED, Kind.GAME_CONFIRMED}
OF_GAMES = NEW_GAMES | {Kind.GAME_CORRECTED, Kind.GAME_WITHDRAWN, Kind.GAME_RESTORED}


def say_saved(here: Here, text: str, entries: Sequence[Entry], *, tablet: bool = False, moved: str = "") -> None:
    """Say on the next page what was saved by some entries.

    Args:
        here: The request.
        text: What was saved.
        entries: The entries, one after the other.
        tablet: Whether it was saved without an account.
        moved: Whom it moved, as `_noted` writes it; empty: nothing is said of that.
    """
    tags = (f"undo-{entries[0].number}-{entries[-1].number}", "tablet" if tablet else "", moved)
    messages.success(here.request, text, extra_tags=" ".join(filter(None, tags)))


def write_and_say(here: Here, change: Change, token: str | None, text: str, *, tablet: bool = False) -> Sequence[Entry]:
    """Write a change, and say on the next page what was saved and whom it moved on the list."""
    entries, moved = written(here, change, token)
    say_saved(here, text, entries, tablet=tablet, moved=moved)
    return entries


class Saved(NamedTuple):
    """A change that was written."""

    entries: Sequence[Entry]
    moved: str
    """Whom it moved, as `say_saved` takes it, as far as nobody else wrote meanwhile."""


def written(here: Here, change: Change, token: str | None, between: Callable[[], None] = lambda: None) -> Saved:
    """Write a change, and rate the games anew; `between` is called once it is written."""
    bring_list_up_to_date(here.club, waits=False)
    entries = here.write(change, token)
    between()
    everybody = moved_by(here.club, entries, waits=False)
    if everybody is None:
        return Saved(entries, "")
    state = everybody.after.state
    keys = dict.fromkeys(entry.subject for entry in entries if entry.kind in OF_GAMES)
    rows = [state.game(key) for key in islice(keys, SHOWN)]
    new = rows and {entry.kind for entry in entries} & OF_GAMES <= NEW_GAMES
    if new and all(row["status"] == WAITING for row in rows):
        return Saved(entries, "")
    players = list(dict.fromkeys(state.person(row[side]).key for row in rows for side in ("black", "white")))
    moved = ChangeRows(everybody.still_there().first_of(players))  # who is gone moved nowhere
    return Saved(entries, _noted(moved, min(SHOWN, max(MOVED_BY_GAME, len(players))) if new else SHOWN))


def _noted(rows: ChangeRows, most: int) -> str:
    """Return whom something moved as the tag of a message: keys and figures of so many, and no name."""
    shown = [[row["key"], *(row[name] for name in FIGURES)] for row in rows[:most]]
    return f"moved:{json.dumps([len(rows), *shown], separators=(',', ':'))}"


def saved_facts(here: Here | None, tags: str) -> dict[str, Any] | None:
    """Return what a message that bears such tags shows besides its text; None for one about nothing saved."""
    match, noted = MARK.search(tags or ""), MOVED.search(tags or "")
    if here is None or here.day or here.day_known or not (match or noted):
        return None
    moves, more = _read_back(here, noted[1]) if noted else ([], 0)
    if match is None:
        return {"moves": moves, "more": more, "nobody": not moves and not more}
    first, last = int(match[1]), int(match[2])
    by = on_tablet(here) if "tablet" in tags.split() else here.actor
    return {
        "entries": f"{first}-{last}",
        "moves": moves,
        "more": more,
        "nobody": noted is not None and not moves and not more,
        "undo": can_undo(by, here.state, first, last),
        "tablet": by.tablet,
        "asks_pin": by.tablet and not tablet_is_open(here),
        "last": here.state.number == last,
        "token": new_token(),
    }


def _read_back(here: Here, noted: str) -> tuple[list[dict[str, Any]], int]:
    """Return whom a tag says that something moved, and how many more it did."""
    number, *rows = json.loads(noted)
    moves = [
        {"name": here.state.labels[key], **dict(zip(FIGURES, figures, strict=True))}
        for key, *figures in rows
        if key in here.state.labels
    ]
    return moves, number - len(rows)


def tablet_is_open(here: Here) -> bool:
    """Whether the PIN was right on this tablet this evening, so that it is not asked again."""
    return is_open(here.club, here.request.COOKIES.get(EVENING, ""))


def on_tablet(here: Here) -> Actor:
    """Return who saves on the club's tablet, as far as pages show what that may be; the PIN is asked when it saves."""
    return Actor(here.club, Role.KEEPER, tablet=True)


def undo_sent(here: Here, by: Actor) -> None:
    """Take back, in somebody's name, the entries that a form names, and say so; InputError where that cannot be."""
    first, _dash, last = here.request.POST.get("entries", "").partition("-")
    numbers = whole_number(first), whole_number(last)
    if None in numbers:
        raise InputError(_("There is nothing to undo."))
    moved = written(here, undo(by, *numbers), here.request.POST.get("token")).moved  # type: ignore[arg-type]
    messages.success(here.request, _("Undone. It stays in the log and can be brought back."), extra_tags=moved)


@page(undo.role, form=True)
def undo_page(here: Here) -> HttpResponse:
    """Take back what a form has written, and go on where one was."""
    home: HttpResponse = redirect("ladder", slug=here.club.slug)
    if here.posted is None:
        return home
    if back := way_back(here.request):
        home = HttpResponseRedirect(back)
    try:
        undo_sent(here, here.actor)
    except InputError as error:
        messages.error(here.request, refusal(error))
    return home


@page(take_back_together.role, form=True)
def take_back_page(here: Here, number: int) -> HttpResponse:
    """Take back all that was entered together with an entry, once it was shown what that is and whom it moves."""
    form = ReasonForm(here.posted)
    subjects = entered_together(here.club, number)
    reason = form.cleaned_data["reason"] if form.is_valid() else ""
    change = take_back_together(here.actor, number, subjects, reason)
    together = still_there(here.state, subjects)
    title = _taken_back(together)
    sheet = next((subjects[kind][0] for kind in SHEETS if kind in subjects), "")
    there = here.address("entered-sheet", sheet) if sheet else here.address("log")
    if here.posted is not None and form.is_valid():
        try:
            write_and_say(here, change, form.cleaned_data["token"], _("{title}: done.").format(title=title))
        except InputError as error:
            messages.error(here.request, refusal(error))
        return HttpResponseRedirect(there)
    labels, drafts = here.state.labels, together.drafts
    context = {"form": form, "title": title, "sure": True, "cancel": there, "nothing": not drafts,
               "moved": ChangeRows(Preview.of(here.club, here.state, drafts).moved) if drafts else None,
               "staying": [labels[key] for key in together.staying]}  # fmt: skip
    return render(here.request, "handan/change_form.html", context)


def _taken_back(together: Together) -> str:
    """Return what is taken back, in words."""
    parts = []
    if together.games or not together.players:
        games = ngettext("{number} game", "{number} games", together.games)
        parts.append(games.format(number=together.games))
    if together.players:
        players = ngettext("{number} player", "{number} players", together.players)
        parts.append(players.format(number=together.players))
    return _("Take back {what}").format(what=_(", ").join(parts))
