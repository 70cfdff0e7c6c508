"""A club's points card: the whole table, its editor, and what another card would have done to the past year."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from handan.club import printing
from handan.club.rules import Rules, checked, own_card, with_card
from handan.club.service.office import past_year, set_rules
from handan.club.service.operation import Change
from handan.club.store.clock import today
from handan.club.store.models import Role
from handan.errors import InputError
from handan.handicaps import CARDS, Card, card_text
from handan.handicaps.card_law import JIGO
from handan.ledger import When
from handan.paper.words import card_title
from handan.systems.points import Points
from handan.web.pages.asking import text_of
from handan.web.pages.card_forms import CardForm, DrawForm, lines_of, remark_rows, tie_of
from handan.web.pages.card_view import shown_card, shown_year
from handan.web.pages.here import Here, page
from handan.web.pages.long_changes import Page, answered
from handan.web.pages.wording import page_language


@page(Role.VISITOR)
def card(here: Here) -> HttpResponse:
    """The whole card of a points club, with what holds beside it."""
    own = printing.card_of(here.standings)
    context: dict[str, Any] = {"made": here.rules.made, "since": None}
    if own:
        table, context["since"] = own
        context["card"] = shown_card(table)
        context["cards"] = [item for item in CARDS.values() if item.name != table.name]
    return render(here.request, "handan/card.html", context)


@page(Role.VISITOR)
def card_csv(here: Here) -> HttpResponse:
    """The card as CSV, as every command with `--card` reads it."""
    own = printing.card_of(here.standings)
    if own is None:
        raise InputError("the system of this club has no card")
    answer = HttpResponse(card_text(own[0]), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{here.club.slug}-card.csv"'
    return answer


@page(Role.PLAYER)
def card_year(here: Here) -> HttpResponse:
    """What the past year would have been under one of the printed cards."""
    name = text_of(here.request, "card")
    name = name if name in CARDS else next(iter(CARDS))
    rules = here.rules
    settings = rules.settings if isinstance(rules.made, Points) else {}
    other = checked("points", {**settings, "card": name}, None, rules.confirmation)
    context = {"card": shown_card(CARDS[name]), "cards": list(CARDS.values()), "name": name}
    return render(here.request, "handan/card_year.html", {**context, "year": shown_year(past_year(here.state, other))})


@page(set_rules.role, form=True)
def edit_card(here: Here) -> HttpResponseBase:
    """The editor of the club's own card; nothing is saved before it was looked at."""
    own = printing.card_of(here.standings)
    start = _start(own[0]) if own else {}
    form = CardForm(here.posted, initial={"since": str(today()), **start})
    draw = DrawForm(own[0] if own else None, here.posted if "draw" in here.request.POST else None)
    context: dict[str, Any] = {"form": form, "draw": draw}
    if "draw" in here.request.POST:
        typed = here.request.POST.dict()
        drawn = _start(draw.drawn(typed.get("tie") or JIGO)) if draw.is_valid() else {}
        form = context["form"] = CardForm(initial={**typed, **drawn})
    elif here.request.method == "POST" and form.is_valid():
        answer = _taken(here, form, context)
        if answer is not None:
            return answer
    return render(here.request, "handan/edit_card.html", context)


def _start(table: Card) -> dict[str, str]:
    """Return what the editor starts with from a card."""
    return {"title": card_title(table.title, page_language()), "tie": tie_of(table), "text": lines_of(table)}


def _taken(here: Here, form: CardForm, context: dict[str, Any]) -> HttpResponseBase | None:
    """Show what a card would do, or save it; None where the form is to be shown again."""
    typed = form.typed()
    context["remarks"] = remark_rows(typed.remarks, form.cleaned_data["text"])
    if typed.has_faults:
        form.add_error("text", _("Some lines cannot be read; they stand below with what is wrong in them."))
        return None
    table = typed.card(form.cleaned_data["title"])
    context["card"] = shown_card(table)
    strange = bool(typed.remarks) and not form.cleaned_data["as_it_is"]

    def change() -> Change:
        return set_rules(here.actor, _rules(here, table, form), form.cleaned_data["reason"])

    def look(change: Change) -> dict[str, Any]:
        shown = {"moved": here.moved(change), "year": shown_year(past_year(here.state, _rules(here, table, form)))}
        if strange and "save" in here.request.POST:
            form.add_error("as_it_is", _("Something is strange in the card; is it so?"))
        return {**shown, "strange": bool(typed.remarks)}

    address = reverse("card", args=[here.club.slug])
    this = Page(_("The club’s own card"), "handan/edit_card.html", "handan/parts/edit_card.html", _("The card is set."),
                address)  # fmt: skip
    return answered(
        here, this, form, change, look if "preview" in here.request.POST or strange else None, lambda: context
    )


def _rules(here: Here, table: Card, form: CardForm) -> Rules:
    """Return the rules that hold on the day of the form, under the card that was typed."""
    when = When.of(form.cleaned_data["since"] or None)
    day = when.moment.date() if when else None
    base = here.state.rules[0] if day is None else here.state.rules_on(day)
    return with_card(base, own_card(card_text(table)), day)
