"""Record sheets that were entered: which games stood on them, who entered and who checked them, and what counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from handan.club.changes.sheets import latest_entry
from handan.club.entries import Record
from handan.club.service.operation import Change
from handan.club.service.sheets import (
    check_sheet,
    entries_of_sheets,
    may_check,
    own_check,
    prefetch_games,
    sheet_facts,
    sheet_with,
    withdraw_check,
)
from handan.club.state import EnteredSheet, State
from handan.club.store.access import Actor
from handan.club.store.models import Role
from handan.errors import InputError
from handan.web.pages.formatting import game_row
from handan.web.pages.forms import new_token
from handan.web.pages.here import Here, page, page_of, whole_number
from handan.web.pages.refusals import refusal
from handan.web.pages.saved import say_saved

SHEETS, LINES = 30, 100  # our choice: sheets a page, and lines of a sheet a page


@page(Role.PLAYER)
def sheets(here: Here) -> HttpResponse:
    """The record sheets, latest first, each with its state."""
    part = page_of(here.request, list(here.state.sheets.values())[::-1], SHEETS)
    records = entries_of_sheets(here, part.object_list)
    rows = [_row(here.state, item, records) for item in part.object_list]
    return render(here.request, "handan/sheets.html", {"rows": rows, "part": part})


@page(Role.PLAYER)
def entered_sheet(here: Here, key: str) -> HttpResponse:
    """One record sheet: its lines in the order of the paper, its state, and a button for who compares it."""
    sheet = sheet_with(here.state, key)
    part = page_of(here.request, sheet.lines, LINES)
    now = sheet_with(here.of_now().state, key)
    row = _row(here.state, sheet, entries_of_sheets(here, [sheet]))
    prefetch_games(here.state, part.object_list)
    context = {
        **row,
        "lines": [_line(here, number, game, row["changed"]) for number, game in part.object_list],
        "part": part,
        "entries": sorted((*row["entered"], *row["checked"], *row["withdrawn"]), key=lambda record: record.number),
        "may_check": not here.day and not here.day_known and row["waits"] and may_check(here.actor, now),
        "is_own": here.actor.may(Role.KEEPER) and not may_check(here.actor, now),
        "own_check": 0 if here.day or here.day_known else own_check(here.actor, now),
        "seen": latest_entry(here.state, sheet),
        "token": new_token(),
    }
    return render(here.request, "handan/entered_sheet.html", context)


@page(check_sheet.role, form=True)
def checked_sheet(here: Here, key: str) -> HttpResponse:
    """Say that a sheet stands as on the paper."""
    return _written(here, key, check_sheet, "seen", _("The sheet is checked."))


@page(withdraw_check.role, form=True)
def withdrawn_check(here: Here, key: str) -> HttpResponse:
    """Take one's own check of a sheet back."""
    return _written(here, key, withdraw_check, "check", _("The check is taken back."))


def _written(here: Here, key: str, make: Callable[[Actor, str, int], Change], field: str, text: str) -> HttpResponse:
    """Write what a form changes about a sheet, say so, or why not, and go back to the sheet.

    Args:
        here: Who sends it.
        key: Of the sheet.
        make: Returns the change from who makes it, the sheet and an entry.
        field: Of the form, with the number of the entry.
        text: Says that it was written.
    """
    sheet_with(here.state, key)
    if here.posted is not None:
        entry = whole_number(here.posted.get(field, "")) or 0
        try:
            entries = here.write(make(here.actor, key, entry), here.posted.get("token"))
        except InputError as error:
            messages.error(here.request, refusal(error))
        else:
            say_saved(here, text, entries)
    return redirect("entered-sheet", slug=here.club.slug, key=key)


def _row(state: State, sheet: EnteredSheet, records: Mapping[int, Record]) -> dict[str, Any]:
    """Return what a sheet is, and what became of its games."""
    facts = sheet_facts(state, sheet)
    return {
        **asdict(facts),
        "sheet": sheet,
        "waits": facts.waits,
        "entered": [records[number] for number in sheet.parts],
        "checked": [records[number] for number in sheet.checks],
        "withdrawn": [records[number] for number in sheet.withdrawals],
    }


def _line(here: Here, number: int, key: str, changed: Sequence[str]) -> dict[str, Any]:
    """Return a line of a sheet with what became of its game."""
    game = here.state.game(key)
    sides = here.sides(game)
    is_rated = bool(sides) and sides[0].explanation.is_rated
    return {
        "number": number,
        **game_row(here.state, game),
        "outcome": sides[0].explanation.note if sides and not is_rated else "",
        "changed": key in changed,
        "is_rated": is_rated,
    }
