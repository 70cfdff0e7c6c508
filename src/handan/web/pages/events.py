"""Events: the calendar, one event with its cross table and who gained and lost by it, and evenings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from handan.club.events import ClubEvent
from handan.club.recorded import club_of_game
from handan.club.service import events as service
from handan.club.service.events import EventLook, Outcome
from handan.club.service.looking import Look
from handan.club.standings import Line
from handan.club.store.calendar import CalendarFilter
from handan.club.store.models import Role
from handan.files.games.result_table import Cell, Open
from handan.files.writing import encoded
from handan.ledger import Bye
from handan.ratings.event_lines import PrintedLine, printed_lines
from handan.web.pages.change_form import change_form, confirmed
from handan.web.pages.formatting import result_text, terms_text
from handan.web.pages.forms import EventForm, MoveForm
from handan.web.pages.here import Here, page, page_of, text_of, whole_number
from handan.web.pages.table_responses import attached, json_response
from handan.web.pages.wording import rank
from handan.web.plain_data import event_data
from handan.wording.figures import brief, signed

ROWS = 50  # our choice: events a page
MINUS = str.maketrans("-", "−")
"""The sign of a loss as pages print it."""


@page(Role.VISITOR)
def events(here: Here) -> HttpResponse:
    """The calendar of events and evenings, latest first, by year, country and class; it opens at the latest year."""
    chosen = CalendarFilter(None, text_of(here.request, "country"), text_of(here.request, "kind"))
    all_years = service.calendar(here, chosen)
    year = whole_number(text_of(here.request, "year"))
    if "year" not in here.request.GET:
        year = next(iter(all_years.years), None)
    rows = service.calendar(here, chosen._replace(year=year if year is not None and 1 <= year < 9999 else None))
    part = page_of(here.request, rows, ROWS)
    context = {
        "rows": [
            {**row._asdict(), "title": here.state.label_of(row.name), "evening": evening_of(row.first, row.club)}
            for row in part.object_list
        ],
        "part": part,
        "years": all_years.years,
        "countries": all_years.countries,
        "kinds": all_years.kinds,
        "clubs": here.shown_names.clubs,
        "filters": {"year": str(rows.chosen.year or ""), "country": chosen.country, "kind": chosen.kind},
    }
    return render(here.request, "handan/events.html", context)


@page(Role.VISITOR)
def event(here: Here, key: str) -> HttpResponse:
    """An event: what is known of it, its cross table, who gained and lost, and what is paired and not played."""
    return _shown(here, service.event_look(here, key))


@page(Role.VISITOR)
def evening(here: Here, day: str, name: str) -> HttpResponse:
    """The games of a day with a word of an event, as a cross table."""
    club, _dot, own = day.rpartition(".")
    return _shown(here, _evening(here, own, name, club))


def _evening(here: Here, day: str, name: str, club: str = "") -> EventLook:
    """Return the evening of an address."""
    try:
        when = date.fromisoformat(day)
    except ValueError:
        raise Http404 from None
    return service.evening_look(here, when, name, club)


@page(Role.VISITOR)
def event_json(here: Here, key: str) -> HttpResponse:
    """An event as JSON."""
    return json_response(event_data(service.event_look(here, key)))


@page(Role.PLAYER)
def event_h9(here: Here, key: str) -> HttpResponse:
    """An event as an H9 table, as federations take it."""
    look = service.event_look(here, key)
    data, _omissions = encoded(look.ledger, "event.h9", excel_safe=False)
    return attached(data, f"{here.club.slug}-{key}.h9", "text/plain; charset=us-ascii")


@page(service.change_event.role, form=True)
def edit_event(here: Here, key: str) -> HttpResponse:
    """Correct what is known of an event; first everybody whose rating would move is shown."""
    entered = service.event_with(here.state, key)
    form = EventForm(here.rules, here.state.shown_event(entered), here.posted)
    return change_form(
        here, form,
        lambda sent: service.change_event(here.actor, key, form.event_fields(), sent["reason"], here.seen_entry),
        _titled(here, _("Correct event {name}"), entered), here.address("event", key),
        text=_("The event is corrected, and everything later follows."), seen=entered.entry,
    )  # fmt: skip


@page(service.move_event.role, form=True)
def move_event(here: Here, key: str) -> HttpResponse:
    """Put an event with its games on other days; first everybody whose rating would move is shown."""
    entered = service.event_with(here.state, key)
    return change_form(
        here, MoveForm(here.posted, initial={"date": str(entered.first)}), lambda sent: service.move_event(
            here.actor, key, sent["date"], sent["reason"], here.seen_entry, another=sent["another"]
        ),
        _titled(here, _("Move {name} to another day"), entered), here.address("event", key),
        text=_("It is on another day, and everything later follows."), seen=entered.entry,
    )  # fmt: skip


@page(service.move_evening.role, form=True)
def move_evening(here: Here, day: str, name: str) -> HttpResponse:
    """Put the games of an evening on another day; first everybody whose rating would move is shown.

    The evening may be gone from its page afterwards, so the calendar follows.
    """
    look = _evening(here, day, name)
    return change_form(
        here, MoveForm(here.posted, initial={"date": day}), lambda sent: service.move_evening(
            here.actor, name, look.first.moment.date(), sent["date"], sent["reason"], another=sent["another"]
        ),
        _titled(here, _("Move {name} to another day"), look), here.address("events"),
        text=_("It is on another day, and everything later follows."), cancel=here.address("evening", day, name),
    )  # fmt: skip


@page(service.withdraw_event.role, form=True)
def withdraw_event(here: Here, key: str) -> HttpResponse:
    """Take an event out; its games stay."""
    title = _titled(here, _("Withdraw event {name}"), service.event_with(here.state, key))
    return confirmed(
        here, lambda reason: service.withdraw_event(here.actor, key, reason), title, here.address("events"),
        cancel=here.address("event", key),
    )  # fmt: skip


def _titled(here: Here, title: str, about: ClubEvent | EventLook) -> str:
    return title.format(name=here.state.label_of(about.name))


def link_of(look: Look, row: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the page of the event of a game, as `url` takes it; empty where it has none."""
    if not row["event"] or not look.state.label_of(row["event"]):
        return ()
    entered = service.event_of_game(look.state, row)
    if entered is not None:
        return "event", look.club.slug, entered.key
    if row["date"] is None:
        return ()
    return "evening", look.club.slug, evening_of(row["date"].date(), club_of_game(row)), row["event"]


def evening_of(day: date, club: str) -> str:
    """Return how addresses write the day of an evening, with the federation's club whose it is, if any."""
    return f"{club}.{day}" if club else str(day)


def _shown(here: Here, look: EventLook) -> HttpResponse:
    event, layout = look.event, look.layout
    rounds = max((len(row.cells) for row in layout.rows), default=0)
    lines = printed_lines(look.effect) if look.effect else []
    context = {
        "key": look.entered.key if look.entered else "",
        "event": event,
        "title": look.title,
        "days": _days(look),
        "minutes": brief(event.minutes),
        "komi": brief(event.komi),
        "games_of": look.entered.key if look.entered else look.name,
        "kind": here.state.label_of(event.kind or layout.kind),
        "rounds": _rounds(look, rounds),
        "criteria": [
            name or _("Criterion {number}").format(number=number) for number, name in enumerate(layout.criteria, 1)
        ],
        "tells_places": layout.tells_places,
        "rows": list(_rows(here, look, rounds, lines)),
        "lines": list(_gains(here, lines)),
        "looking_back": bool(look.effect and look.effect.looking_back),
        "outcomes": [_outcome(here, outcome) for outcome in look.outcomes],
        "registered": [each.player.name for each in event.participants if each.preliminary],
        "may_change": here.actor.may(service.change_event.role) and not here.is_past
        and not look.club,
        "evening": "" if look.entered else look.name,
        "day": str(look.first),
    }  # fmt: skip
    return render(here.request, "handan/event.html", context)


def _days(look: EventLook) -> list[str]:
    return list(dict.fromkeys(str(when) for when in (look.first, look.last)))


def _rounds(look: EventLook, number: int) -> list[dict[str, Any]]:
    """Return the number of each round, with its first day where it is not that of the round before it."""
    days: dict[int, set[str]] = {place: set() for place in range(1, number + 1)}
    for game in look.layout.games:
        if game.round in days and game.date:
            days[game.round].add(str(game.date)[:10])
    several = len(set().union(*days.values())) > 1
    firsts = [min(own, default="") if several else "" for own in days.values()]
    return [
        {"number": place, "day": first if first != before else ""}
        for place, first, before in zip(days, firsts, ["", *firsts], strict=False)
    ]


def _rows(here: Here, look: EventLook, rounds: int, lines: Iterable[PrintedLine]) -> Iterator[dict[str, Any]]:
    """Return the rows of the cross table; cells name opponents by the numbers of the rows."""
    keys, line_of = here.state.keys, {each.line.player: each for each in lines}
    participants = {each.player.name: each for each in look.event.participants}
    for number, row in enumerate(look.layout.rows, 1):
        name = row.player.name
        there, line = participants.get(name), line_of.get(name)
        changes = {} if line is None else dict(
            zip((f"g{each.game}" for each in line.line.results), line.changes, strict=True)
        )  # fmt: skip
        yield {
            "number": number,
            "place": row.place or "",
            "key": keys.get(name, ""),
            "name": name,
            "rank": row.rank or (line.line.rank_before if line else ""),
            "home": " ".join(filter(None, (there.player.country, there.player.club))) if there else "",
            "cells": [_cell(look, cell, changes) for cell in (*row.cells, *[None] * (rounds - len(row.cells)))],
            "figures": row.figures,
            "change": line.change if line else "",
        }


def _cell(look: EventLook, cell: Cell | Bye | Open | None, changes: Mapping[str, str]) -> dict[str, str]:
    """Return a cell of the cross table."""
    if cell is None:
        return {"text": ""}
    if isinstance(cell, Bye):
        return {"text": f"0{cell.symbol}".translate(MINUS)}
    side = "bw"[cell.side]
    if isinstance(cell, Open):
        return {"text": f"{cell.opponent}?", "side": f"{side}{cell.pairing.handicap or ''}"}
    key, words = look.keys[cell.place], (result_text(str(cell.result)), terms_text(cell.game.handicap, cell.game.komi))
    return {
        "text": f"{cell.opponent}{cell.symbol.translate(MINUS)}{'!' if cell.by_default else ''}",
        "side": f"{side}{cell.game.handicap or ''}" if cell.result.colours_known else "",
        "game": key,
        "words": _(", ").join(filter(None, words)),
        "change": changes.get(key, ""),
    }


def _gains(here: Here, lines: Iterable[PrintedLine]) -> Iterator[dict[str, Any]]:
    """Return what the event did to each player, who gained most first."""
    for each in sorted(lines, key=lambda each: -each.line.change):
        line = each.line
        yield {
            "key": here.state.keys[line.player],
            "name": line.player,
            "games": len(line.results),
            "score": brief(line.score),
            "expected": each.expected,
            "before": each.before,
            "change": each.change,
            "apart": each.apart,
            "after": each.after,
            "rank_before": line.rank_before,
            "rank_after": line.rank_after,
        }


def _outcome(here: Here, outcome: Outcome) -> dict[str, Any]:
    state, pairing, decimals = here.state, outcome.pairing, here.standings.decimals
    black, white = (state.person(key).key for key in (pairing.black, pairing.white))
    return {
        "round": pairing.round,
        "black": black,
        "white": white,
        "black_name": state.labels[black],
        "white_name": state.labels[white],
        "terms": terms_text(pairing.handicap, None),
        "chance": "" if outcome.chance is None else f"{outcome.chance:.0%}",
        "black_wins": [_change(line, decimals) for line in outcome.black_wins],
        "white_wins": [_change(line, decimals) for line in outcome.white_wins],
    }


def _change(line: Line, decimals: int) -> str:
    item = line.explanation
    promoted = f" ({rank(item.rank_after)})" if item.rank_after != item.rank_before else ""
    return "" if item.note else signed(item.change, decimals) + promoted
