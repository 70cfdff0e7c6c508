"""Record sheets that were entered: which games stood on them, who entered and who checked them, and what counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from handan.club.changes.sheets import changed_since, is_taken_back, latest_entry
from handan.club.entries import Record
from handan.club.game_rows import rows_of
from handan.club.service.sheets import check_sheet, may_check, sheet_with
from handan.club.standings import UNRATED
from handan.club.state import COUNTS, EnteredSheet, State, game_number
from handan.club.store.models import Role
from handan.errors import InputError
from handan.web.pages.asking import page_of, whole_number
from handan.web.pages.formatting import game_row
from handan.web.pages.forms import new_token
from handan.web.pages.here import Here, page
from handan.web.pages.refusals import refusal

SHEETS, LINES = 30, 100  # our choice: sheets a page, and lines of a sheet a page


@page(Role.PLAYER)
def sheets(here: Here) -> HttpResponse:
    """The record sheets, latest first, each with its state."""
    part = page_of(here.request, list(here.state.sheets.values())[::-1], SHEETS)
    records = _records(here, part.object_list)
    rows = [_row(here.state, item, records) for item in part.object_list]
    return render(here.request, "handan/sheets.html", {"rows": rows, "part": part, "total": part.paginator.count})


@page(Role.PLAYER)
def entered_sheet(here: Here, key: str) -> HttpResponse:
    """One record sheet: its lines in the order of the paper, its state, and a button for who compares it."""
    sheet = sheet_with(here.state, key)
    part = page_of(here.request, sheet.lines, LINES)
    now = sheet_with(here.of_now().state, key)
    row = _row(here.state, sheet, _records(here, [sheet]))
    context = {
        **row,
        "lines": [_line(here, number, game, row["changed"]) for number, game in part.object_list],
        "part": part,
        "entries": sorted((*row["entered"], *row["checked"]), key=lambda record: record.number),
        "may_check": not here.day and not here.day_known and row["may_check"] and may_check(here.actor, now),
        "is_own": here.actor.may(Role.KEEPER) and not may_check(here.actor, now),
        "seen": latest_entry(here.state, sheet),
        "token": new_token(),
    }
    return render(here.request, "handan/entered_sheet.html", context)


@page(check_sheet.role)
def checked_sheet(here: Here, key: str) -> HttpResponse:
    """Say that a sheet stands as on the paper."""
    sheet_with(here.state, key)
    if here.posted is not None:
        seen = whole_number(here.posted.get("seen", "")) or 0
        try:
            here.write(check_sheet(here.actor, key, seen), here.posted.get("token"))
        except InputError as error:
            messages.error(here.request, refusal(error))
        else:
            messages.success(here.request, _("The sheet is checked."))
    return redirect("entered-sheet", slug=here.club.slug, key=key)


def _records(here: Here, listed: Iterable[EnteredSheet]) -> dict[int, Record]:
    """Return the entries about sheets by their numbers, as who looks may see them."""
    numbers = [number for item in listed for number in (*item.parts, *item.checks)]
    return {entry.number: here.seen(entry.record) for entry in here.entries().filter(number__in=numbers)}


def _row(state: State, sheet: EnteredSheet, records: dict[int, Record]) -> dict[str, Any]:
    """Return what a sheet is, and what became of its games."""
    games = rows_of(state.games, [game_number(key) for _number, key in sheet.lines])
    days = games["date"].drop_nulls()
    changed = changed_since(state, sheet)
    counted = int((games["status"] == COUNTS).sum())
    gone = is_taken_back(state, sheet)
    return {
        "sheet": sheet,
        "first": _day(days.min()),
        "last": _day(days.max()),
        "games": len(sheet.lines),
        "counted": counted,
        "changed": changed,
        "state": _state(sheet, changed, gone=gone),
        "may_check": not gone and (not sheet.checks or bool(changed)),
        "entered": [records[number] for number in sheet.parts],
        "checked": [records[number] for number in sheet.checks],
    }


def _state(sheet: EnteredSheet, changed: Sequence[str], *, gone: bool) -> str:
    if gone:
        return _("taken back")
    if not sheet.checks:
        return _("entered")
    return _("changed since it was checked") if changed else _("checked")


def _day(moment: Any) -> str:
    return "" if moment is None else str(moment.date())


def _line(here: Here, number: int, key: str, changed: Sequence[str]) -> dict[str, Any]:
    """Return a line of a sheet with what became of its game."""
    game = here.state.game(key)
    sides = here.sides(game)
    note = sides[0].explanation.note if sides else ""
    is_rated = bool(sides) and not note.startswith(UNRATED)
    return {
        "number": number, **game_row(here.state, game), "outcome": note if sides and not is_rated else "",
        "changed": key in changed, "is_rated": is_rated,
    }  # fmt: skip
