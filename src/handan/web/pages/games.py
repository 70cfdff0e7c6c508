"""Games: the list, one game, entering, correcting, withdrawing, restoring, confirming."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from typing import Any, NamedTuple

import numpy as np
from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext as _

from handan.club import changes
from handan.club.changes import with_drafts
from handan.club.entries import Draft
from handan.club.new_games import DoubtError, PointsOnEntry, TwinError, other_twins, proposal, twins
from handan.club.service import games as service
from handan.club.service.games import may_confirm, may_correct, may_dispute, objection_to, wrote
from handan.club.service.operation import Preview
from handan.club.state import COUNTS, DISPUTED, WAITING, WITHDRAWN, ClubAdjustment
from handan.club.store.access import NotAllowedError
from handan.club.store.clock import now, today
from handan.club.store.database import snapshot
from handan.club.store.models import Entry, Role
from handan.errors import Clause, InputError
from handan.handicaps import Terms
from handan.ledger import Result, When
from handan.ratings import Explanation
from handan.web.pages.change_form import confirmed
from handan.web.pages.events import link_of
from handan.web.pages.formatting import ChangeRows, game_row, line_row
from handan.web.pages.forms import ConfirmForm, DisputeForm, GameForm, game_initial, new_token
from handan.web.pages.here import Here, objections, page, page_of, text_of, whole_number
from handan.web.pages.pair import no_terms
from handan.web.pages.proposed_terms import PROPOSED, TERMS, filled, standings_on
from handan.web.pages.refusals import refusal
from handan.web.pages.saved import FIGURES, write_and_say
from handan.web.pages.table_responses import AT_ONCE, csv_of_columns, json_list, json_response, json_rows
from handan.web.plain_data import TABLE, adjustment_rows, adjustments_table, game_data, games_table

OTHER_SIDE = {"B": "W", "W": "B"}


class Version(NamedTuple):
    """A version of a game, and what it would do to both."""

    title: str
    reason: str
    """With which somebody objects who says that it was so; empty for the game as it was entered."""
    sides: list[dict[str, Any]]
    """As `formatting.line_row` returns them, each with `name`; empty for a game that was never played."""


def versions(here: Here, row: Mapping[str, Any]) -> list[Version]:
    """Return the versions of a game that waits, each worked out as correcting and confirming it would."""
    facts = changes.games.facts_of(dict(row))
    other, turned = gettext("The other one won"), gettext("The colours were the other way round")
    made = [Version(gettext("As it was entered"), "", _sides(here, row, {}))]
    if (result := other_winner(facts["result"])) is not None:
        made.append(Version(other, other, _sides(here, row, {"result": result})))
        colours = {"black": facts["white"], "white": facts["black"], "result": result}
        made.append(Version(turned, turned, _sides(here, row, colours)))
    never = gettext("It was never played")
    return [*made, Version(never, never, [])]


def other_winner(result: str) -> str | None:
    """Return a result with the other winner; None where nobody won, or the colours are not known."""
    read = Result.parse(result)
    if read.score not in {0.0, 1.0} or result[:1] not in OTHER_SIDE:
        return None
    return OTHER_SIDE[result[:1]] + result[1:]


def _sides(here: Here, row: Mapping[str, Any], fields: Mapping[str, Any]) -> list[dict[str, Any]]:
    key, state, drafts = f"g{row['line']}", here.state, list[Draft]()
    try:
        if fields:
            drafts = [changes.games.correct_game(state, key, fields, today())]
            state = with_drafts(state, drafts, now())
        drafts.append(changes.games.confirm_game(state, key))
        lines = Preview.of(here.club, here.state, drafts).standings.game(key)
    except InputError:  # the rules find no answer for it
        return []
    names = (lines[1].explanation.opponent, lines[0].explanation.opponent)
    decimals = here.standings.decimals
    return [{**line_row(line, decimals), "name": name} for name, line in zip(names, lines, strict=True)]


ROWS = 100  # our choice: games a page


@page(Role.VISITOR)
def games(here: Here) -> HttpResponse:
    """The games, latest first."""
    chosen = _chosen(here)
    part = page_of(here.request, range(here.number_of_games(*chosen)), ROWS)
    rows = here.games(*chosen, (part.number - 1) * ROWS, part.number * ROWS).to_dicts()
    here.state.events.prefetch(row["event"] for row in rows if row["event"])
    context = {
        "rows": [{**game_row(here.state, row), "event_link": link_of(here, row)} for row in rows],
        "of_event": _event_chosen(here),
        "part": part,
        "filters": {name: text_of(here.request, name) for name in ("player", "status", "event")} | here.days,
    }
    return render(here.request, "handan/games.html", context)


@page(Role.VISITOR)
def games_csv(here: Here) -> HttpResponseBase:
    """The games, and the ranks and ratings set by hand between them, as CSV that is read as a file of games."""
    return csv_of_columns(_tables(here), tuple(TABLE), f"{here.club.slug}-games")


@page(Role.VISITOR)
def adjustments_csv(here: Here) -> HttpResponseBase:
    """The ranks and ratings set by hand alone as CSV, as `--adjustments` takes them."""
    table = adjustments_table(here.state, _chosen_adjustments(here))
    return csv_of_columns(iter([table]), tuple(table), f"{here.club.slug}-adjustments")


@page(Role.VISITOR)
def games_json(here: Here) -> HttpResponseBase:
    """The same table as that of `games_csv` as JSON."""
    return json_list(map(json_rows, _tables(here)))


def _tables(here: Here) -> Iterator[dict[str, list[Any]]]:
    """Go through the columns of the table that is asked for, latest first, so many rows at once as are sent.

    An adjustment stands behind the games of its day, before which it applies; one from entry on stands last.
    """
    state = here.state
    with snapshot():
        games, items = here.games(*_chosen(here)), _chosen_adjustments(here)
    days = games["date"].drop_nulls().reverse().to_numpy()
    moments = [when and when.moment for when in (When.of(item.facts.get("date")) for item in items)]
    order = sorted(range(len(items)), key=lambda n: (moments[n] is not None, moments[n], n), reverse=True)
    dated = np.array([moments[n] for n in order if moments[n]], dtype=days.dtype)
    places = (len(days) - np.searchsorted(days, dated)).tolist()
    places += [games.height] * (len(items) - len(places))
    ordered = np.insert(np.arange(games.height), places, -1)
    begun = 0
    for first in range(0, len(ordered), AT_ONCE):
        part = ordered[first : first + AT_ONCE]
        rows = np.flatnonzero(part < 0).tolist()
        table = games_table(state, games.slice(first - begun, len(part) - len(rows)))
        by_hand = adjustment_rows(state, (items[place] for place in order[begun : begun + len(rows)]))
        for row, adjustment in zip(rows, by_hand, strict=True):
            for name, column in table.items():
                column.insert(row, adjustment[name])
        begun += len(rows)
        yield table


def _chosen_adjustments(here: Here) -> list[ClubAdjustment]:
    """Return the adjustments asked for: of a player, up to a day, with the status of games."""
    state, day = here.state, here.day
    player, status = text_of(here.request, "player"), whole_number(text_of(here.request, "status"))
    own = {*state.names_of(player)} if player else None
    chosen = [item for item in state.shown_adjustments if own is None or item.player in own]
    if status is not None:
        chosen = [item for item in chosen if status == (COUNTS if state.is_in_force(item) else WITHDRAWN)]
    whens = ((item, When.of(item.facts.get("date"))) for item in chosen)
    return [item for item, when in whens if day is None or when is None or when.moment.date() <= day]


def _chosen(here: Here) -> tuple[str, int | None, str]:
    """Return of which player, in which status and of which event games are asked for."""
    return (
        text_of(here.request, "player"),
        whole_number(text_of(here.request, "status")),
        text_of(here.request, "event"),
    )


def _event_chosen(here: Here) -> str:
    """Return the name of the event of which games are asked for."""
    text = text_of(here.request, "event")
    return here.state.label_of(here.state.events[text].name if text in here.state.events else text)


@page(Role.VISITOR)
def game(here: Here, key: str) -> HttpResponse:
    """A game: what was played, what it did to both and why, and every entry about it."""
    return _page_of_game(here, key)


def _page_of_game(here: Here, key: str, refused: str = "") -> HttpResponse:
    """Return the page of a game, with why an objection to it was refused."""
    row = here.game(key)
    here.state.labels.prefetch([row["black"], row["white"]])
    contested = objection_to(here.club, row)
    context = {
        "game": {**game_row(here.state, row), "event_link": link_of(here, row)},
        "sides": [line_row(line, here.standings.decimals) for line in here.sides(row)],
        "entries": here.entries_about(key),
        "may_confirm": may_confirm(here.actor, here.state, row),
        "may_correct": may_correct(here.actor, row),
        "contested": contested is not None,
        "is_own_objection": contested is not None and wrote(here.actor, contested),
        "may_dispute": not here.is_past
        and row["status"] == COUNTS
        and contested is None
        and may_dispute(here.actor, here.state, row),
        "objection": objections(here.club, [row["latest"]], here.seen)[row["latest"]]
        if row["status"] == DISPUTED or contested is not None
        else None,
        "seen": row["latest"],
        "token": new_token(),
        "refused": refused,
        "reason": here.request.POST.get("reason", ""),
    }
    return render(here.request, "handan/game.html", context)


@page(Role.VISITOR)
def game_json(here: Here, key: str) -> HttpResponse:
    """A game as JSON, with what it did to both."""
    row = here.game(key)
    changed = [line.explanation.as_dict() for line in here.sides(row)]
    return json_response({**game_data(here.state, row), "changes": changed})


@page(service.enter_game.role, form=True, lags=True)
def new_game(here: Here) -> HttpResponse:
    """Enter a game: a preview says what it would do, then it is written."""
    asks = "preview" in here.request.POST
    posted, sent = here.posted, None
    if posted is not None:
        unfilled = not any(posted.get(name, "").strip() for name in (*TERMS, PROPOSED))
        sent = {**posted.dict(), **_filled(here, posted)} if asks or unfilled else posted  # as on a record sheet
    form = GameForm(here.rules, sent, initial=_start(here) if sent is None else {})
    fields = _valid_fields(here, form) if here.request.method == "POST" else None
    alike: tuple[str, ...] = ()
    since = None if fields is None else _points_day(here, fields)
    if fields is not None and not asks and (since is None or "held" in here.request.POST):
        try:
            answers = {name: form.cleaned_data[name] for name in ("another", "counts", "as_played")}
            change = service.enter_game(here.actor, fields, **answers)
            entry = write_and_say(here, change, form.cleaned_data["token"], _("The game is entered."))[0]
        except (InputError, NotAllowedError) as error:
            form.put_error(error, here.shown_name)
            alike = error.keys if isinstance(error, TwinError) else ()
        else:
            return redirect("game", slug=here.club.slug, key=entry.subject)
    shown = _preview(here, form, fields) if asks or since else None
    context = {"form": form, "title": _("Enter a game"), "shown": shown, "points_day": since}
    if here.asks_part and sent is not None:
        context["swapped"] = form.swapped(here.request.POST)
    context |= {"twins": alike or (shown or {}).get("twins", ()), "doubt": (shown or {}).get("doubt", "")}
    name = "handan/parts/preview.html" if here.asks_part else "handan/game_form.html"
    return render(here.request, name, context, status=form.status)


def _start(here: Here) -> dict[str, str]:
    """Return what the form of a game starts with: who asks, and what the address names."""
    people, own = here.state.people, here.actor.player
    me = here.state.labels[here.state.person(own).key] if own in people else ""
    start = {
        "date": str(here.evening_day),
        "kind": here.rules.kinds[0],
        "black": text_of(here.request, "black") or me,
    }
    start |= {name: text_of(here.request, name) for name in ("white", "handicap", "komi") if name in here.request.GET}
    start |= {side: here.written_name(start[side]) for side in ("black", "white") if side in start}
    return start | _filled(here, start)


def _points_day(here: Here, fields: Mapping[str, Any]) -> date | None:
    """Return the day of the points that hold a game already; None where it counts, and for a date that is none."""
    with suppress(InputError):
        return PointsOnEntry(here.state, here.evening_day).holding(fields)
    return None


def _filled(here: Here, sent: Mapping[str, str]) -> dict[str, str]:
    """Return the terms of the two who are named, where nobody typed others."""

    def terms() -> Terms | None:
        here.state.people.prefetch_meant(sent.get(side, "") for side in ("black", "white"))
        try:
            black, white = (here.player_meant(sent.get(side, ""), side) for side in ("black", "white"))
            return proposal(standings_on(here, sent.get("date")), black, white).terms
        except InputError:  # somebody is not named yet, or the day is none
            return None

    return filled({name: sent.get(name, "") for name in (*TERMS, PROPOSED)}, terms)


def _valid_fields(here: Here, form: GameForm) -> dict[str, Any] | None:
    """Return the fields of a form that is complete, None otherwise."""
    if not form.is_valid():
        return None
    try:
        return form.game_fields(here.shown_names)
    except InputError as error:
        form.put_error(error, here.shown_name)
        return None


def _preview(here: Here, form: GameForm, fields: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return what a game would do to both, the fair terms, and what to beware of."""
    if fields is None:
        return None
    try:
        counts = form.cleaned_data["counts"]
        change = service.enter_game(here.actor, fields, another=True, counts=counts, as_played=True)
        made = change.preview(here.state)
    except (InputError, NotAllowedError) as error:
        form.put_error(error, here.shown_name)
        return None
    facts = made.drafts[0].facts
    shown: dict[str, Any] = {"waiting": bool(facts.get("waiting")), "twins": twins(here.state, facts)}
    shown["doubt"] = _question(service.unusual(here.club, here.state, facts))
    if not shown["waiting"]:
        lines = made.standings.game(f"g{made.after.number}")
        shown["sides"] = [line_row(line, made.standings.decimals) for line in lines]
        own = [fields["black"], fields["white"]]
        shown["names"] = [here.state.labels[key] for key in own]
        moved = made.moved.first_of(own)
        on_list = {row["key"]: row for row in moved[:2]}
        same = [key for key, line in zip(own, lines, strict=True) if _as_on_list(line.explanation, on_list.get(key))]
        shown |= {"moved": ChangeRows(moved.without(same)), "others": len(same) == len(own)}
    try:
        day = standings_on(here, fields.get("date"))
        if newcomers := day.newcomers(fields["black"], fields["white"]):
            return shown | {"terms_missing": no_terms(here.shown_name(newcomers[0]))}
        shown["terms"] = day.fair_terms(fields["black"], fields["white"])
    except InputError as error:
        shown["terms_missing"] = refusal(error)
    return shown


def _question(doubts: Sequence[Clause]) -> str:
    """Return what is asked of a game about which something is unusual; empty where nothing is."""
    return refusal(DoubtError(doubts)) if doubts else ""


def _as_on_list(line: Explanation, row: Mapping[str, Any] | None) -> bool:
    """Return whether a game moves a player by as much as on the list, where later games may change what it does."""
    return row is not None and all(getattr(line, name) == row[name] for name in FIGURES)


@page(service.correct_game.role, form=True)
def correct_game(here: Here, key: str) -> HttpResponse:
    """Say how a game really was; first everybody whose rating would move is shown."""
    row = here.game(key)
    service.need_to_correct(here.actor, row)
    form = GameForm(here.rules, here.posted, initial=game_initial(here.shown_names, changes.games.facts_of(row)))
    fields = _valid_fields(here, form) if here.request.method == "POST" else None
    moved, alike, doubt = None, list[str](), ""
    if fields is not None:
        asks = "preview" in here.request.POST
        answers = {name: form.cleaned_data[name] or asks for name in ("another", "as_played")}
        try:
            reason = here.request.POST.get("reason", "")
            change = service.correct_game(here.actor, key, fields, reason, seen=here.seen_entry, **answers)
            if asks:
                made = change.preview(here.state)
                alike, moved = other_twins(here.state, key, made.drafts[0].facts), ChangeRows(made.moved)
                doubt = _question(service.new_doubts(here.club, here.state, row, made.drafts[0].facts))
            else:
                text = _("The game is corrected, and everything later follows.")
                write_and_say(here, change, form.cleaned_data["token"], text)
                return redirect("game", slug=here.club.slug, key=key)
        except (InputError, NotAllowedError) as error:  # the players are those of others
            form.put_error(error, here.shown_name)
            alike = list(error.keys) if isinstance(error, TwinError) else []
    reason = here.request.POST.get("reason", "")
    context = {"form": form, "moved": moved, "key": key, "twins": alike, "doubt": doubt, "reason": reason,
               "seen": row["latest"]}  # fmt: skip
    return render(here.request, "handan/game_form.html", context, status=form.status)


@page(service.withdraw_game.role, form=True)
def withdraw_game(here: Here, key: str) -> HttpResponse:
    """Take a game out; it stays in the log. Players take out what they entered, as long as it does not count."""
    row, title = here.game(key), _("Withdraw game {key}").format(key=key)
    return confirmed(
        here, lambda reason: service.withdraw_game(here.actor, key, reason), title, here.address("game", key),
        game=game_row(here.state, row),
    )  # fmt: skip


@page(service.restore_game.role, form=True)
def restore_game(here: Here, key: str) -> HttpResponse:
    """Bring a withdrawn game back."""
    row = here.game(key)
    another = "another" in here.request.POST
    return confirmed(
        here,
        lambda reason: service.restore_game(here.actor, key, reason, another=another),
        _("Restore game {key}").format(key=key),
        here.address("game", key),
        look=service.restore_game(here.actor, key, another=True),
        twins=twins(here.state, changes.games.facts_of(row)) if row["status"] == WITHDRAWN else [],
        game=game_row(here.state, row),
    )


@page(service.confirm_game.role, form=True)
def confirm_game(here: Here, key: str) -> HttpResponse:
    """Confirm a game that the opponent entered, as it is shown; one that was changed meanwhile is shown anew."""
    form, refused = ConfirmForm(here.posted), ""
    if here.posted is not None and form.is_valid():
        seen, token = form.cleaned_data["seen"], form.cleaned_data["token"]
        try:
            write_and_say(here, service.confirm_game(here.actor, key, seen), token, _("The game is confirmed."))
        except InputError as error:
            refused, here = refusal(error), replace(here)  # a look at the state as it is now
        else:
            return redirect("game", slug=here.club.slug, key=key)
    return _answering(here, key, refused=refused)


@page(service.dispute_game.role, form=True)
def dispute_game(here: Here, key: str) -> HttpResponse:
    """Object to a game: one that the opponent entered goes on waiting, one that counts is looked at by a keeper."""
    form, refused, counts = DisputeForm(here.posted), "", here.game(key)["status"] == COUNTS
    if here.posted is not None and form.is_valid():
        sent = form.cleaned_data
        try:
            here.write(service.dispute_game(here.actor, key, sent["seen"], sent["reason"]), sent["token"])
        except InputError as error:
            refused, here = refusal(error), replace(here)  # a look at the state as it is now
        else:
            text = _("You object to the game; who entered it can correct or withdraw it.")
            if counts:
                text = _("You object to the game. It counts until a result keeper has looked at it.")
            messages.success(here.request, text)
            return redirect("game", slug=here.club.slug, key=key)
    if counts:
        return _page_of_game(here, key, refused or (_("Say what was otherwise.") if form.errors else ""))
    return _answering(here, key, None if here.posted is None else form, refused)


def _answering(here: Here, key: str, dispute: DisputeForm | None = None, refused: str = "") -> HttpResponse:
    """Show a game that waits with the two answers to it: it was so, it was not."""
    row = here.game(key)
    moved = here.moved(service.confirm_game(here.actor, key, row["latest"]))  # refused for a game of a club elsewhere
    start = {"seen": row["latest"]}
    shown = DisputeForm(initial={**start, "reason": dispute["reason"].value() or ""} if dispute else start)
    context = {"form": ConfirmForm(initial=start), "dispute": shown, "game": game_row(here.state, row),
               "reason_errors": dispute["reason"].errors if dispute and dispute.errors else (),
               "entered": Entry.objects.get(club=here.club, number=row["line"]),
               "refused": refused, "moved": moved,
               "versions": versions(here, row) if row["status"] == WAITING else ()}  # fmt: skip
    return render(here.request, "handan/confirm_form.html", context)
