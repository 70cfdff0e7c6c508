"""The record sheet as a grid: lines in the order of the paper, each answered at once; what waits stays as a draft."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from handan.club.entries import canonical
from handan.club.kinds import Kind
from handan.club.new_games import DoubtError
from handan.club.record_sheet import COLUMNS, Looked, Sheet
from handan.club.service.operation import Preview
from handan.club.service.sheets import enter_lines, look_at
from handan.club.sheet_text import lines_of, ranks_of, text_of, typed_day, typed_result
from handan.club.store.clock import today
from handan.errors import InputError
from handan.files.tables.blocks import as_above
from handan.ledger.name_folding import folded
from handan.systems.core.unrated_reasons import HISTORY
from handan.web.pages.formatting import ChangeRows
from handan.web.pages.forms import RESULTS, new_token
from handan.web.pages.games import other_winner
from handan.web.pages.here import Here, page, whole_number
from handan.web.pages.proposed_terms import PROPOSED, TERMS, turned_terms, with_terms
from handan.web.pages.refusals import refusal
from handan.web.pages.saved import write_and_say
from handan.web.pages.sheet import whole_sheet
from handan.web.pages.wording import page_language, table_rank

PAPER, MORE, MOST = 25, 10, 150  # our choice: lines of an empty sheet, lines that are added, and most of one grid
LONGEST_DRAFT = 200_000  # bytes; our choice: of a sheet that is kept on the server until it is entered
LONGEST_KEY = 20  # characters; our choice: more than any number has
OF_PAPER = COLUMNS[:8]
EXTRA = ("kind", "date", "notes")
"""Columns that are out of the way as long as no line needs them: they stand above for all lines."""
FREE = "free"
MONTH_FIRST = {"ja", "ko", "zh-hans", "zh-hant"}
"""Languages that write the month before the day; English does in the United States."""
AMERICAN = {
    "America/New_York", "America/Detroit", "America/Chicago", "America/Denver", "America/Boise", "America/Phoenix",
    "America/Los_Angeles", "America/Anchorage", "Pacific/Honolulu",
}  # fmt: skip
"""Zones of clubs that do."""


@page(enter_lines.role, form=True, lags=True)
def sheet(here: Here) -> HttpResponse:
    """Look at a sheet line by line, keep it as a draft, and enter what is ready."""
    posted = here.posted
    if posted is None:
        return _shown(here, _draft(here) or _blank(here))
    if "grid" not in posted:
        return whole_sheet(here)
    if "clear" in posted:
        here.request.session.pop(_place(here), None)
        return redirect("sheet", slug=here.club.slug)
    try:
        paper = _after(here, posted)
    except InputError as error:
        text = posted.get("pasted") or posted.get("text", "")
        return _shown(here, _sent(posted), refused=refusal(error), text_sent=text)
    sent = paper
    if len(paper.lines) > MOST:
        return whole_sheet(here, {"text": text_of(paper.lines), "date": paper.date, "kind": paper.kind})
    if "save" in posted and (entries := here.written_before(posted.get("token"))):
        return _after_entering(here, entries[-1].subject)
    paper = with_terms(here, paper)
    _keep(here, paper)
    return _entered(here, paper, posted) if "save" in posted else _shown(here, paper, sent)


def _place(here: Here) -> str:
    return f"sheet {here.club.slug}"


def _draft(here: Here) -> Sheet | None:
    """Return the sheet that somebody has begun and not entered yet; None where there is none."""
    kept = here.request.session.get(_place(here))
    return None if kept is None else Sheet.of(json.loads(kept) if isinstance(kept, str) else kept)


def _keep(here: Here, paper: Sheet) -> bool:
    """Keep a sheet for whoever is signed in, until it is entered or cleared; whether it is kept.

    It is kept as data, so that its names can be looked for when somebody is forgotten.
    """
    kept = paper.as_dict()
    if is_kept := _waits(paper) and len(canonical(kept)) <= LONGEST_DRAFT:
        here.request.session[_place(here)] = kept
    else:
        here.request.session.pop(_place(here), None)
    return is_kept


def _blank(here: Here) -> Sheet:
    return Sheet(lines=({},) * PAPER, date=str(here.evening_day), kind=here.rules.kinds[0])


def _sent(posted: QueryDict) -> Sheet:
    """Return the sheet that a form sends, without the answer of the button."""
    names = (*COLUMNS, PROPOSED)
    columns = {name: as_above([cell.replace("\x00", "") for cell in posted.getlist(name)]) for name in names}
    height = min(max(map(len, columns.values()), default=0), MOST)
    sent = [{name: cells[n] for name, cells in columns.items() if n < len(cells) and cells[n]} for n in range(height)]
    pairs = {name: [text.partition(" ") for text in posted.getlist(name)] for name in ("person", "newcomer", "ranked")}
    return Sheet(
        lines=tuple(sent),
        date=posted.get("of-date", ""),
        kind=posted.get("of-kind", ""),
        people={name: key for key, _blank, name in pairs["person"]},
        newcomers={name: rank for rank, _blank, name in pairs["newcomer"]},
        ranks={name: rank for rank, _blank, name in pairs["ranked"]},
        left_out=frozenset(_numbers(posted, "left-out")),
        others=frozenset(_numbers(posted, "another-game")),
        as_played=frozenset(_numbers(posted, "as-played")),
        counts="counts" in posted,
        key=_key(posted.get("sheet", "")),
        numbers=_numbers_on_paper(posted.get("on-paper", "")),
    )


def _key(text: str) -> str:
    """Return the key of a sheet as a form sends it; empty for what is none."""
    return text if text[:1] == "s" and text[1:].isdecimal() and len(text) <= LONGEST_KEY else ""


def _numbers_on_paper(text: str) -> tuple[int, ...]:
    """Return the numbers of lines as a form sends them; none where they are no rising row."""
    numbers = [whole_number(part) or 0 for part in text.split(" ")[:MOST]] if text else []
    rising = all(one < other for one, other in pairwise((0, *numbers)))
    return tuple(numbers) if rising else ()


def _numbers(posted: QueryDict, name: str) -> list[int]:
    return [number for text in posted.getlist(name) if (number := whole_number(text)) is not None]


def _after(here: Here, posted: QueryDict) -> Sheet:
    """Return the sheet after what its button says: a text that is read, lines that are pasted, one answer."""
    paper = _sent(posted)
    if posted["grid"] == "text":
        read, ranks = _read(posted.get("text", ""))
        ranks = {**paper.ranks, **ranks}
        paper = replace(paper, lines=read, ranks=ranks, left_out=frozenset(), others=frozenset(), as_played=frozenset(),
                        numbers=())  # fmt: skip
        return _typed(here, paper)
    if pasted := posted.get("pasted", ""):
        filled = [line for line in paper.lines if any(value for name, value in line.items() if name != "kind")]
        read, ranks = _read(pasted)
        numbers = paper.numbers[: len(filled)]
        paper = replace(paper, lines=(*filled, *read), ranks={**paper.ranks, **ranks}, numbers=numbers)
        return _typed(here, paper)
    if "more" in posted:
        paper = replace(paper, lines=(*paper.lines, *({},) * MORE)[:MOST])
    return _answered(_typed(here, paper), posted)  # colours are exchanged in results that are read


def _typed(here: Here, paper: Sheet) -> Sheet:
    """Return a sheet whose results and days are read as somebody types them in the language of the page."""
    language = page_language()
    words = {str(name).casefold(): code for code, name in RESULTS}
    first = language in MONTH_FIRST or (language == "en" and here.club.zone in AMERICAN)
    lines = []
    for line in paper.lines:
        cells = dict(line)
        if result := cells.get("result", "").strip():
            cells["result"] = words.get(result.casefold()) or typed_result(result, language)
        if day := cells.get("date", ""):
            cells["date"] = typed_day(day, today(), month_first=first)
        lines.append(cells)
    return replace(paper, lines=tuple(lines))


def _read(text: str) -> tuple[tuple[dict[str, str], ...], dict[str, str]]:
    """Return pasted lines, and the ranks with which names stand there."""
    lines = lines_of(text)
    return tuple({name: cell for name, cell in line.items() if name in COLUMNS} for line in lines), ranks_of(lines)


def _answered(paper: Sheet, posted: QueryDict) -> Sheet:
    """Return the sheet with the answer to a question."""
    people, newcomers = dict(paper.people), dict(paper.newcomers)
    left_out, others, as_played = set(paper.left_out), set(paper.others), set(paper.as_played)
    if chosen := posted.get("is"):
        key, _blank, name = str(chosen).partition(" ")
        people[folded(name)] = key
    for place, name in [text.split(" ", 1) for text in posted.getlist("asked-name") if " " in text]:
        rank = posted.get(f"rank-{place}", "").replace(" ", "")
        offered = posted.get(f"offered-{place}", "").replace(" ", "")
        if posted.get("new") == place or (rank and rank != offered):
            newcomers[folded(name)] = rank
    if again := folded(str(posted.get("anew", ""))):
        people.pop(again, None)
        newcomers.pop(again, None)
    left_out |= set(_numbers(posted, "out"))
    left_out -= set(_numbers(posted, "in"))
    others |= set(_numbers(posted, "other"))
    as_played |= set(_numbers(posted, "so"))
    for number in _numbers(posted, "turn"):
        paper = replace(paper, lines=_with_colours_exchanged(paper.lines, number))
    return replace(paper, people=people, newcomers=newcomers, left_out=frozenset(left_out), others=frozenset(others),
                   as_played=frozenset(as_played))  # fmt: skip


def _with_colours_exchanged(lines: Sequence[Mapping[str, str]], number: int) -> tuple[Mapping[str, str], ...]:
    """Return the lines of a sheet, one of them with the other one as Black; who won stays the same person."""
    made = list(lines)
    if 0 < number <= len(made):
        line = made[number - 1]
        result = line.get("result", "")
        try:
            won = other_winner(result) or result
        except InputError:  # the line says so
            won = result
        made[number - 1] = {**line, "black": line.get("white", ""), "white": line.get("black", ""), "result": won}
    return tuple(made)


def _ready(lines: Sequence[Looked]) -> list[int]:
    return [line.number for line in lines if line.status == "ready"]


def _mark(lines: Sequence[Looked]) -> str:
    """Return what tells apart what the lines that are ready mean, so that nothing else is entered than was shown."""
    ready = [[line.number, dict(line.cells), [[meant.key, meant.rank] for meant in line.people.values()]]
             for line in lines if line.status == "ready"]  # fmt: skip
    return sha256(canonical(ready)).hexdigest()[:16]


def _shown(here: Here, paper: Sheet, sent: Sheet | None = None, **more: Any) -> HttpResponse:
    """Show a sheet; to htmx only what its lines are answered, and terms that are not those that were sent."""
    lines = look_at(here.club, here.state, paper)
    ready, short = _ready(lines), here.asks_part
    shown = _preview(here, paper, ready) if ready and not short else None
    notes = {} if shown is None else _notes(shown, ready)
    waiting = [line for line in lines if line.status not in {"ready", "empty", "left out"}]
    used = [name for name in ("event", "round") if any(line.get(name) for line in paper.lines)]
    turned = turned_terms(here, paper)
    context: dict[str, Any] = {
        "lines": [
            {**_row(here, paper, line, notes.get(line.number, "")), "turned": turned.get(line.number)} for line in lines
        ],
        "sheet": paper,
        "swapped": _other_terms(paper, sent) if sent is not None else [],
        "numbers_on_paper": " ".join(map(str, paper.numbers)),
        "kept": [
            ("sheet", paper.key),
            *(("person", f"{key} {name}") for name, key in paper.people.items()),
            *(("newcomer", f"{rank} {name}") for name, rank in paper.newcomers.items()),
            *(("ranked", f"{rank} {name}") for name, rank in paper.ranks.items()),
        ],
        "answers": [
            *(("left-out", number) for number in paper.left_out),
            *(("another-game", number) for number in paper.others),
            *(("as-played", number) for number in paper.as_played),
        ],
        "first_empty": next((line.number for line in lines if line.status == "empty"), 0),
        "ready": len(ready),
        "mark": _mark(lines),
        "waiting": len(waiting),
        "total": sum(line.status != "empty" for line in lines),
        "unrated": len(notes),
        "held": 0 if shown is None else sum(draft.facts.get("kind") == HISTORY for draft in shown.drafts),
        "text": text_of(paper.lines) if _waits(paper) else "",
        "results": RESULTS,
        "all_columns": "columns" in here.request.POST or any(line.get(name) for line in paper.lines for name in EXTRA),
        "kinds": here.rules.kinds,
        "used": {name: name in used for name in ("event", "round")},
        "columns": 1 + len(OF_PAPER) + len(used),
        "moved": ChangeRows(shown.moved) if shown is not None else None,
        "token": new_token(),
        **more,
    }
    return render(here.request, "handan/parts/sheet_answers.html" if short else "handan/sheet_grid.html", context)


def _other_terms(paper: Sheet, sent: Sheet) -> list[dict[str, Any]]:
    """Return the terms of lines where they are not those that were sent."""
    names, pairs = (*TERMS, PROPOSED), zip(paper.lines, sent.lines, strict=True)
    return [
        {"number": number, "on_paper": paper.on_paper(number), "name": name, "value": line.get(name, "")}
        for number, (line, before) in enumerate(pairs, 1)
        for name in names
        if line.get(name, "") != before.get(name, "")
    ]


def _row(here: Here, paper: Sheet, line: Looked, note: str) -> dict[str, Any]:
    """Return a line as it is shown: its cells, and what is asked or answered."""
    labels, result, shown = here.state.labels, line.cells.get("result", ""), here.shown_name
    people = [
        {"side": side, "place": f"{line.number}-{side}", "meant": meant,
         "name": shown(labels.get(meant.key, meant.name)),
         "is_other": bool(meant.key) and meant.text not in {labels[meant.key], shown(labels[meant.key])},
         "offered": table_rank(paper.ranks.get(folded(meant.name)) or meant.behind),
         "candidates": [{"key": person.key, "name": shown(labels[person.key])} for person in meant.candidates]}
        for side, meant in line.people.items()
    ]  # fmt: skip
    return {
        "number": line.number,
        "on_paper": paper.on_paper(line.number),
        "cells": {name: line.cells.get(name, "") for name in (*COLUMNS, PROPOSED)},
        "status": line.status,
        "people": people,
        "faults": [refusal(fault) for fault in line.faults.values()],
        "alike": [key for key in line.alike if key],
        "twice": "" in line.alike,
        "doubt": refusal(DoubtError(line.doubts)) if line.doubts else "",
        "result_words": _words(result),
        "note": note,
    }


def _words(result: str) -> str:
    """Return a result as its cell shows it, which reads it back: in words where the list has it, else as files do."""
    return str(dict(RESULTS).get(result, result))


def _preview(here: Here, paper: Sheet, ready: Sequence[int]) -> Preview | None:
    try:
        return enter_lines(here.actor, paper, ready).preview(here.state)
    except InputError:  # together they are refused; the save says why
        return None


def _notes(shown: Preview, ready: Sequence[int]) -> Mapping[int, str]:
    """Return why lines that are ready will not be rated, by their numbers."""
    first = shown.before.number + 1
    games = [f"g{first + n}" for n, draft in enumerate(shown.drafts) if draft.kind is Kind.GAME_RECORDED]
    notes = {}
    for number, key in zip(sorted(ready), games, strict=True):
        try:
            line = shown.standings.game(key)[0].explanation
        except InputError:
            continue
        if not line.is_rated:
            notes[number] = line.note
    return notes


def _entered(here: Here, paper: Sheet, posted: QueryDict) -> HttpResponse:
    """Enter the lines that are ready as they were shown; what will not be rated is shown first."""
    lines = look_at(here.club, here.state, paper)
    ready = _ready(lines)
    if not ready:
        return _shown(here, paper, refused=_("No line is ready yet."))
    if posted.get("mark") != _mark(lines):
        return _shown(here, paper)
    shown = _preview(here, paper, ready)
    notes = {} if shown is None else _notes(shown, ready)
    unexpected = [number for number in notes if (paper.lines[number - 1].get("kind") or paper.kind) != FREE]
    if unexpected and "despite" not in posted:
        text = _("Some of these games will not be rated; the lines say why. Enter them all the same?")
        return _shown(here, paper, refused=text, despite=True)
    text = ngettext("{number} game is entered.", "{number} games are entered.", len(ready)).format(number=len(ready))
    try:
        entries = write_and_say(here, enter_lines(here.actor, paper, ready), posted.get("token"), text)
    except InputError as error:
        return _shown(here, paper, refused=refusal(error))
    of_sheet = entries[-1].subject
    after = here.of_now()
    people = after.state.people
    members = {folded(people[entry.subject].name): entry.subject for entry in entries if entry.subject in people}
    rest = replace(paper.without(ready), key=of_sheet).with_members(members)
    is_kept = _keep(here, rest)
    return _after_entering(here, of_sheet) if is_kept or not _waits(rest) else _shown(after, rest)


def _after_entering(here: Here, of_sheet: str) -> HttpResponse:
    """Go on to the lines that wait, else to the sheet that was entered."""
    rest = _draft(here)
    if rest is None or not _waits(rest):
        return redirect("entered-sheet", slug=here.club.slug, key=of_sheet)
    left = sum(any(value for name, value in line.items() if name != "kind") for line in rest.lines)
    messages.info(here.request, ngettext("{number} line waits.", "{number} lines wait.", left).format(number=left))
    return redirect("sheet", slug=here.club.slug)


def _waits(paper: Sheet) -> bool:
    return any(any(line.values()) for line in paper.lines)
