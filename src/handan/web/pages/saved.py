"""What was saved, in the message of the next page: who moved from what to what, and one button that undoes it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from handan.club.kinds import Kind
from handan.club.moved_players import changes_of
from handan.club.service.operation import Change
from handan.club.service.undoing import can_undo, undo
from handan.club.standings import Line, Standings
from handan.club.store.members import Actor
from handan.club.store.models import Entry, Role
from handan.club.store.single_entries import BY_NUMBER
from handan.errors import HandanError, InputError
from handan.ratings import Explanation
from handan.web.pages.asking import way_back, whole_number
from handan.web.pages.formatting import ChangeRows, rating_digits
from handan.web.pages.forms import new_token
from handan.web.pages.here import Here, page
from handan.web.pages.refusals import refusal
from handan.wording.figures import step

MARK = re.compile(r"undo-(\d{1,9})-(\d{1,9})")
MOVED = re.compile(r"moved:(\S+)")
FIGURES = ("before", "after", "rank_before", "rank_after")
SHOWN, GAMES = 12, 40  # our choice: players whose moves a message names, and games from which it finds them


def say_saved(here: Here, text: str, first: int, last: int, *, tablet: bool = False, moved: str = "") -> None:
    """Say on the next page what was saved by the entries from one number to another.

    Args:
        here: The request.
        text: What was saved.
        first: Number of the first entry.
        last: Number of the last entry.
        tablet: Whether it was saved without an account.
        moved: Whom it moved, as `_noted` writes it; empty: the players of the games that it entered.
    """
    tags = (f"undo-{first}-{last}", "tablet" if tablet else "", moved)
    messages.success(here.request, text, extra_tags=" ".join(filter(None, tags)))


def write_and_say(here: Here, change: Change, token: str | None, text: str) -> list[Entry]:
    """Write a change of what stands in the ledger, and say on the next page what was saved and whom it moved."""
    entries, moved = written(here, change, token)
    say_saved(here, text, entries[0].number, entries[-1].number, moved=moved)
    return entries


class Written(NamedTuple):
    """A change that was written."""

    entries: list[Entry]
    moved: str
    """Whom it moved, as `say_saved` takes it, as far as nobody else wrote meanwhile."""


def written(here: Here, change: Change, token: str | None, between: Callable[[], None] = lambda: None) -> Written:
    """Write a change, and rate the games anew; `between` is called once it is written."""
    before = _standings(here)
    entries = here.write(change, token)
    between()
    after = _standings(here)
    if before is None or after is None:
        return Written(entries, "")
    numbers = before.state.number + 1, after.state.number
    alone = numbers == (entries[0].number, entries[-1].number)
    moved = changes_of(before, after if alone else before)
    return Written(entries, _noted(ChangeRows(moved.still_there())))  # who is gone moved nowhere


def _standings(here: Here) -> Standings | None:
    """Return the list as it is now, None where the rules find none or it takes too long; other pages say so."""
    try:
        return here.standings
    except HandanError:
        return None


def _noted(rows: ChangeRows) -> str:
    """Return whom something moved as the tag of a message: keys and figures, and no name."""
    shown = [[row["key"], *(row[name] for name in FIGURES)] for row in rows[:SHOWN]]
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
    counted = noted is not None
    if not counted and last - first < GAMES:
        try:
            moves, counted = _moves(here, _games(here, first, last))
        except InputError:  # the rules find no answer for these games; other pages say so
            moves = []
    more = max(more, len(moves) - SHOWN)
    return {
        "entries": f"{first}-{last}",
        "moves": moves[:SHOWN],
        "more": more,
        "nobody": counted and not moves and not more,
        "undo": can_undo(by, here.state, first, last),
        "asks_pin": by.tablet,
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


def _moves(here: Here, games: list[str]) -> tuple[list[dict[str, Any]], bool]:
    """Return whom games moved, with rating and rank before and after all of them, and whether any of them counts."""
    moves: dict[str, dict[str, Any]] = {}
    played: dict[str, list[Explanation]] = {}
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
            played.setdefault(name, []).append(item)
    moved = [move for name, move in moves.items() if _differs(played[name][0], played[name][-1])]
    return moved, bool(moves)


def _differs(first: Explanation, last: Explanation) -> bool:
    """Return whether rating or rank is another one after the last game than before the first."""
    return (first.before, first.rank_before) != (last.after, last.rank_after)


def _sides(here: Here, key: str) -> list[Line]:
    """Return what a game did to both sides; empty for one that does not count, and for an entry of another kind."""
    try:
        row = here.state.game(key)
    except InputError:
        return []
    return here.sides(row)


def undo_sent(here: Here, by: Actor) -> None:
    """Take back, in somebody's name, the entries that a form names, and say so; InputError where that cannot be."""
    first, _dash, last = here.request.POST.get("entries", "").partition("-")
    numbers = whole_number(first), whole_number(last)
    if None in numbers:
        raise InputError(_("There is nothing to undo."))
    moved = written(here, undo(by, *numbers), here.request.POST.get("token")).moved  # type: ignore[arg-type]
    messages.success(here.request, _("Undone. It stays in the log and can be brought back."), extra_tags=moved)


@page(undo.role)
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
