"""Games: the list, one game, entering, correcting, withdrawing, restoring, confirming."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import polars as pl
from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from handan.club import changes
from handan.club.brake import brake
from handan.club.entries import Draft
from handan.club.folding import COUNTS, DISPUTED, WITHDRAWN, State
from handan.club.models import Entry, Role
from handan.club.reading import previewed, standings_of, today
from handan.club.replay import Standings, changes_of
from handan.club.twins import TwinError, other_twins, twins
from handan.club.writing import preview
from handan.errors import InputError
from handan.ledger import When
from handan.web.pages.answers import csv_answer, game_data, json_answer
from handan.web.pages.asking import page_of, text_of, whole_number
from handan.web.pages.card_rows import games_body
from handan.web.pages.formatting import change_rows, game_row, line_row, rating_digits
from handan.web.pages.forms import ConfirmForm, DisputeForm, GameForm, game_initial
from handan.web.pages.here import Here, known_game, page
from handan.web.pages.players import confirmed, moved_by
from handan.web.pages.waiting import objections

ROWS = 100  # our choice: games a page
COLUMNS = ("key", "date", "black", "black_name", "white", "white_name", "result", "handicap", "komi", "size", "kind",
           "event", "round", "moves", "notes", "status")  # fmt: skip


@page(Role.VISITOR)
def games(here: Here) -> HttpResponse:
    """The games, latest first."""
    table = _chosen_games(here)
    part = page_of(here.request, range(table.height), ROWS)
    rows = _latest(table, part.number * ROWS).slice((part.number - 1) * ROWS, ROWS).iter_rows(named=True)
    context = {
        "rows": games_body(here.club.slug, (game_row(here.state, row) for row in rows)),
        "total": table.height,
        "page": part.number,
        "pages": part.paginator.num_pages,
        "filters": {name: text_of(here.request, name) for name in ("player", "status")},
    }
    return render(here.request, "handan/games.html", context)


@page(Role.VISITOR)
def games_csv(here: Here) -> HttpResponseBase:
    """The games as CSV."""
    with brake.computing():
        rows = (game_data(here.state, row) for row in _in_order(_chosen_games(here)).iter_rows(named=True))
        return csv_answer(rows, COLUMNS, f"{here.club.slug}-games", whole=True)


@page(Role.VISITOR)
def games_json(here: Here) -> HttpResponse:
    """The games as JSON."""
    with brake.computing():
        rows = _in_order(_chosen_games(here)).iter_rows(named=True)
        return json_answer([game_data(here.state, row) for row in rows])


def _chosen_games(here: Here) -> pl.DataFrame:
    """Return the games asked for: of a player, with a status."""
    table = here.state.games
    if key := text_of(here.request, "player"):
        names = [other for other in here.state.people if here.state.person(other).key == key]
        table = table.filter(pl.col("black").is_in(names) | pl.col("white").is_in(names))
    if (status := whole_number(text_of(here.request, "status"))) is not None:
        table = table.filter(pl.col("status") == status)
    if here.day:
        table = table.filter(pl.col("date").dt.date() <= here.day)
    return table


def _in_order(table: pl.DataFrame) -> pl.DataFrame:
    """Return games latest first; those without a date last."""
    return table.sort("date", "entry", descending=True, nulls_last=True)


def _latest(table: pl.DataFrame, number: int) -> pl.DataFrame:
    """Return the first so many games of `_in_order`, and maybe more, without sorting all of them."""
    dates = table["date"].drop_nulls()
    if number >= len(dates):
        return _in_order(table)
    oldest = dates.top_k(number).min()
    return _in_order(table.filter(pl.col("date") >= oldest))


@page(Role.VISITOR)
def game(here: Here, key: str) -> HttpResponse:
    """A game: what was played, what it did to both and why, and every entry about it."""
    row = known_game(here, key)
    sides = []
    if row["status"] == COUNTS:
        try:
            sides = [line_row(line, rating_digits(here.standings)) for line in here.standings.game(key)]
        except InputError:  # not yet played on the day that is looked at
            sides = []
    context = {
        "game": game_row(here.state, row),
        "sides": sides,
        "entries": [here.seen(entry.record) for entry in Entry.objects.filter(club=here.club, subject=key)],
        "may_confirm": here.actor.may_confirm(here.state, row),
        "may_correct": here.actor.may_correct(row),
        "objection": objections(here.club, [row["latest"]], here.seen)[row["latest"]]
        if row["status"] == DISPUTED
        else None,
    }
    return render(here.request, "handan/game.html", context)


@page(Role.VISITOR)
def game_json(here: Here, key: str) -> HttpResponse:
    """A game as JSON, with what it did to both."""
    row = known_game(here, key)
    lines = here.standings.game(key) if row["status"] == COUNTS else []
    return json_answer({**game_data(here.state, row), "changes": [line.explanation.as_dict() for line in lines]})


@page(Role.PLAYER)
def new_game(here: Here) -> HttpResponse:
    """Enter a game: a preview says what it would do, then it is written."""
    me = here.state.labels[here.state.person(here.actor.player).key] if here.actor.player in here.state.people else ""
    start = {"date": str(today()), "kind": here.rules.kinds[0], "black": text_of(here.request, "black") or me}
    start |= {name: text_of(here.request, name) for name in ("white", "handicap", "komi") if name in here.request.GET}
    form = GameForm(here.state, here.rules, here.posted, initial=start)
    fields = _valid_fields(form) if here.request.method == "POST" else None
    asks = "preview" in here.request.POST
    alike: tuple[str, ...] = ()
    if fields is not None and not asks:
        try:
            another = form.cleaned_data["another"]
            entry = here.write(
                lambda state: here.actor.new_game(state, fields, today(), another=another), form.cleaned_data["token"]
            )[0]
        except InputError as error:
            form.put_error(error)
            alike = error.keys if isinstance(error, TwinError) else ()
        else:
            messages.success(here.request, "The game is entered.")
            return redirect("game", slug=here.club.slug, key=entry.subject)
    shown = _preview(here, form, fields) if asks else None
    context = {"form": form, "title": "Enter a game", "shown": shown}
    context |= {"names": list(here.state.keys), "twins": alike or (shown or {}).get("twins", ())}
    name = "handan/parts/preview.html" if getattr(here.request, "htmx", False) else "handan/game_form.html"
    return render(here.request, name, context)


def _valid_fields(form: GameForm) -> dict[str, Any] | None:
    """Return the fields of a form that is complete, None otherwise."""
    if not form.is_valid():
        return None
    try:
        return form.game_fields()
    except InputError as error:
        form.put_error(error)
        return None


def _preview(here: Here, form: GameForm, fields: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return what a game would do to both, the fair terms, and what to beware of."""
    if fields is None:
        return None
    try:
        draft = here.actor.new_game(here.state, fields, today(), another=True)
    except InputError as error:
        form.put_error(error)
        return None
    after = preview(here.state, draft)
    shown: dict[str, Any] = {
        "waiting": bool(draft.facts.get("waiting")),
        "twins": twins(here.state, draft.facts),
    }
    if not shown["waiting"]:
        rated = previewed(after)
        lines = rated.game(f"g{after.number}")
        shown["sides"] = [line_row(line, rating_digits(rated)) for line in lines]
        shown["names"] = [here.state.labels[fields[side]] for side in ("black", "white")]
        keys = {fields["black"], fields["white"]}
        moved = changes_of(standings_of(here.state), rated)
        shown["moved"] = change_rows([row for row in moved if row["key"] not in keys])
    try:
        shown["terms"] = _standings_on(here, fields.get("date")).fair_terms(fields["black"], fields["white"])
    except InputError as error:
        shown["terms_missing"] = str(error)
    return shown


def _standings_on(here: Here, text: str | None) -> Standings:
    """Return the standings from which a game of a date is played: those of its day where it lies in the past."""
    when = When.of(text)
    if when is None or when.precision < 10 or when.moment.date() >= today():
        return here.standings
    return standings_of(here.state, when.moment.date())


@page(Role.PLAYER)
def correct_game(here: Here, key: str) -> HttpResponse:
    """Say how a game really was; first everybody whose rating would move is shown."""
    row = known_game(here, key)
    if not here.actor.may_correct(row):
        here.actor.need(Role.KEEPER)
    form = GameForm(here.state, here.rules, here.posted, initial=game_initial(here.state, changes.facts_of(row)))
    fields = _valid_fields(form) if here.request.method == "POST" else None
    moved, alike = None, list[str]()
    if fields is not None:
        another = form.cleaned_data["another"] or "preview" in here.request.POST

        def make(state: State) -> Draft:
            reason = here.request.POST.get("reason", "")
            return here.actor.correct(state, key, fields, today(), reason, another=another)

        try:
            if "preview" in here.request.POST:
                draft = make(here.state)
                alike, after = other_twins(here.state, key, draft.facts), preview(here.state, draft)
                moved = change_rows(changes_of(standings_of(here.state), previewed(after)))
            else:
                here.write(make, form.cleaned_data["token"])
                messages.success(here.request, "The game is corrected, and everything later follows.")
                return redirect("game", slug=here.club.slug, key=key)
        except InputError as error:
            form.put_error(error)
            alike = list(error.keys) if isinstance(error, TwinError) else []
    context = {"form": form, "title": f"Correct game {key}", "moved": moved, "names": list(here.state.keys), "key": key,
               "twins": alike, "reason": here.request.POST.get("reason", "")}  # fmt: skip
    return render(here.request, "handan/game_form.html", context)


@page(Role.PLAYER)
def withdraw_game(here: Here, key: str) -> HttpResponse:
    """Take a game out; it stays in the log. Players take out what they entered, as long as it does not count."""
    known_game(here, key)
    return confirmed(
        here, lambda state, reason: here.actor.withdraw(state, key, reason), f"Withdraw game {key}", game=key
    )


@page(Role.KEEPER)
def restore_game(here: Here, key: str) -> HttpResponse:
    """Bring a withdrawn game back."""
    row = known_game(here, key)
    another = "another" in here.request.POST
    alike = twins(here.state, changes.facts_of(row)) if row["status"] == WITHDRAWN else []
    return confirmed(
        here,
        lambda state, reason: here.actor.restore(state, key, reason, another=another),
        f"Restore game {key}",
        game=key,
        alike=alike,
        look=lambda state, reason: changes.restore_game(state, key, reason),
    )


@page(Role.PLAYER)
def confirm_game(here: Here, key: str) -> HttpResponse:
    """Confirm a game that the opponent entered, as it is shown; one that was changed meanwhile is shown anew."""
    form, refused = ConfirmForm(here.posted), ""
    if here.posted is not None and form.is_valid():
        seen, token = form.cleaned_data["seen"], form.cleaned_data["token"]
        try:
            here.write(lambda state: here.actor.confirm(state, key, seen), token)
        except InputError as error:
            refused, here = str(error), replace(here)  # a look at the state as it is now
        else:
            messages.success(here.request, "The game is confirmed.")
            return redirect("game", slug=here.club.slug, key=key)
    return _answering(here, key, refused=refused)


@page(Role.PLAYER)
def dispute_game(here: Here, key: str) -> HttpResponse:
    """Object to a game that the opponent entered: it goes on waiting, and who entered it sees the word."""
    form, refused = DisputeForm(here.posted), ""
    if here.posted is not None and form.is_valid():
        sent = form.cleaned_data
        try:
            here.write(lambda state: here.actor.dispute(state, key, sent["seen"], sent["reason"]), sent["token"])
        except InputError as error:
            refused, here = str(error), replace(here)  # a look at the state as it is now
        else:
            messages.success(here.request, "You object to the game; who entered it can correct or withdraw it.")
            return redirect("game", slug=here.club.slug, key=key)
    return _answering(here, key, None if here.posted is None else form, refused)


def _answering(here: Here, key: str, dispute: DisputeForm | None = None, refused: str = "") -> HttpResponse:
    """Show a game that waits with the two answers to it: it was so, it was not."""
    row = known_game(here, key)
    draft, start = here.actor.confirm(here.state, key, row["latest"]), {"seen": row["latest"]}
    shown = DisputeForm(initial={**start, "reason": dispute["reason"].value() or ""} if dispute else start)
    context = {"form": ConfirmForm(initial=start), "dispute": shown, "game": game_row(here.state, row),
               "reason_errors": dispute["reason"].errors if dispute and dispute.errors else (),
               "entered": Entry.objects.get(club=here.club, number=row["line"]),
               "refused": refused, "moved": moved_by(here, draft)}  # fmt: skip
    return render(here.request, "handan/confirm_form.html", context)
