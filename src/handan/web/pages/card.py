"""A club's points card: the table, the forms of its editor, and what another card would have done to the past year."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from handan.club.rules import Rules, checked, own_card, with_card
from handan.club.service import printing
from handan.club.service.office import PastYear, past_year, set_rules
from handan.club.service.operation import Change
from handan.club.store.clock import today
from handan.club.store.models import Role
from handan.errors import InputError
from handan.handicaps import CARDS, Card, card_text, regular_card
from handan.handicaps.card_csv import LONGEST_TITLE
from handan.handicaps.card_law import JIGO, WHITE_WINS
from handan.handicaps.pasted_card import MOST_CHARACTERS, SENTENCES, Remark, Typed, read_typed
from handan.paper.card_table import CardTable, card_table, column_words, runs, terms_words
from handan.paper.poster import rule_sentences
from handan.paper.words import card_title, komi_words
from handan.systems.points import Points
from handan.web.pages.formatting import ChangeRows
from handan.web.pages.forms import DayField, Marked, first_day
from handan.web.pages.here import Here, page, text_of
from handan.web.pages.long_work import Page, answered
from handan.web.pages.table_responses import attached
from handan.web.pages.wording import page_language

LAW, PRESENT = "law", "present"
"""What a table can be drawn from besides a printed card: the general law, and the card that holds now."""


class DrawForm(forms.Form):
    """From what a table is drawn, as a start."""

    start = forms.ChoiceField(label=_("start from"))
    per_stone = forms.IntegerField(label=_("points a stone"), min_value=1, max_value=100, required=False)
    top_komi = forms.FloatField(
        label=_("komi of an even game"), min_value=0, max_value=60, required=False, help_text=_("empty: no komi")
    )
    most_stones = forms.IntegerField(
        label=_("most stones"), min_value=1, max_value=9, required=False, help_text=_("beyond them White gives komi")
    )

    def __init__(self, present: Card | None, *args: Any, **kwargs: Any) -> None:
        kwargs["initial"] = {"per_stone": 12, "top_komi": 6, **(kwargs.get("initial") or {})}
        super().__init__(*args, **kwargs)
        self.present = present
        law = (LAW, gettext("the general law: points a stone, one point of komi a point"))
        own = [(PRESENT, gettext("the card that holds now"))] if present else []
        choices = [*own, law, *((name, card_title(card.title, page_language())) for name, card in CARDS.items())]
        self.fields["start"].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Ask for the points of a stone where the law is to draw."""
        values = super().clean() or {}
        if values.get("start") == LAW and not values.get("per_stone") and "per_stone" not in self.errors:
            self.add_error("per_stone", _("How many points are a stone?"))
        return values

    def drawn(self, tie: str) -> Card:
        """Return the card to start from."""
        values = self.cleaned_data
        if values["start"] == PRESENT and self.present:
            return self.present
        if values["start"] == LAW:
            return regular_card(values["per_stone"], values["top_komi"], tie, values["most_stones"])
        return CARDS[values["start"]]


class CardForm(Marked):
    """A club's own card."""

    title = forms.CharField(max_length=LONGEST_TITLE, label=_("name of the card"))
    tie = forms.ChoiceField(
        choices=[(JIGO, _("a jigo")), (WHITE_WINS, _("White's"))],
        widget=forms.RadioSelect,
        label=_("a tie after komi is"),
        initial=JIGO,
    )
    text = forms.CharField(
        max_length=MOST_CHARACTERS,
        strip=False,
        label=_("table"),
        widget=forms.Textarea(attrs={"rows": 16, "spellcheck": "false", "class": "card-text"}),
        help_text=_("a line for each difference or range, such as 6–11: Black first, no komi; or cells of a sheet"),
    )
    since = DayField(required=False, label=_("since"))
    reason = forms.CharField(max_length=2000, required=False, label=_("reason"))
    as_it_is = forms.BooleanField(required=False, label=_("the card is so, with what is strange in it"))

    def typed(self) -> Typed:
        """Return what was read of the table."""
        return read_typed(self.cleaned_data["text"], self.cleaned_data["tie"])


def lines_of(card: Card) -> str:
    """Return the lines of a card in the words of the page's language, as `read_typed` reads them back."""
    language = page_language()
    return "\n".join(f"{span}: {terms}" for span, terms in run_lines(card_table(card), language))


def tie_of(card: Card) -> str:
    """Return how most ties of a card are settled."""
    ties = [row.tie for row in card.rows()]
    return WHITE_WINS if ties.count(WHITE_WINS) > ties.count(JIGO) else JIGO


def remark_rows(remarks: list[Remark], text: str) -> list[dict[str, Any]]:
    """Return remarks as they are shown, each with the line that it is about."""
    lines = text.splitlines()
    return [
        {
            "line": remark.line,
            "typed": lines[remark.line - 1].strip()[:80] if 0 < remark.line <= len(lines) else "",
            "text": gettext(SENTENCES[remark.kind]).format(**remark.values),
            "is_fault": remark.is_fault,
        }
        for remark in remarks
    ]


MOST_GAMES = 300  # our choice: games with other terms that a page lists


def shown_card(card: Card) -> dict[str, Any]:
    """Return a card as it is shown: as stones by komi where it reads well so, and always as runs of differences."""
    language, table = page_language(), card_table(card)
    return {
        "title": card_title(card.title, language),
        "grid": _grid(table, language) if table.is_grid else None,
        "runs": run_lines(table, language),
        "rules": rule_sentences(card, language),
        "last": table.entries[-1].last,
    }


def run_lines(table: CardTable, language: str) -> list[tuple[str, str]]:
    """Return runs of differences with their terms in words, as `read_typed` reads them."""
    return [(run.text, terms_words(run.first, run.last, language)) for run in runs(table.entries)]


def _grid(table: CardTable, language: str) -> dict[str, Any]:
    rows = []
    for komi in table.rows:
        cells = [table.cells.get((komi, column), ()) for column in table.columns]
        texts = [", ".join(entry.text for entry in cell) for cell in cells]
        from_white = komi is not None and komi < 0
        rows.append({"komi": komi_words(komi, language), "from_white": from_white, "cells": texts})
    return {"heads": [column_words(column, language) for column in table.columns], "rows": rows}


def shown_year(year: PastYear) -> dict[str, Any]:
    """Return what other rules would have done to the past year as it is shown."""
    return {
        "since": year.since,
        "moved": ChangeRows(year.moved),
        "games": year.games,
        "number": len(year.others),
        "others": year.others[:MOST_GAMES],
    }


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
    return attached(card_text(own[0]), f"{here.club.slug}-card.csv", "text/csv; charset=utf-8")


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
        form.add_error("text", gettext("Some lines cannot be read; they stand below with what is wrong in them."))
        return None
    table = typed.card(form.cleaned_data["title"])
    context["card"] = shown_card(table)
    strange = bool(typed.remarks) and not form.cleaned_data["as_it_is"]

    def change() -> Change:
        return set_rules(here.actor, _rules(here, table, form), form.cleaned_data["reason"])

    def look(change: Change) -> dict[str, Any]:
        shown = {"moved": here.moved(change), "year": shown_year(past_year(here.state, _rules(here, table, form)))}
        if strange and "save" in here.request.POST:
            form.add_error("as_it_is", gettext("Something is strange in the card; is it so?"))
        return {**shown, "strange": bool(typed.remarks)}

    address = here.address("card")
    this = Page(gettext("The club’s own card"), "handan/edit_card.html", "handan/parts/edit_card.html",
                gettext("The card is set."), address)  # fmt: skip
    return answered(
        here, this, form, change, look if "preview" in here.request.POST or strange else None, lambda: context
    )


def _rules(here: Here, table: Card, form: CardForm) -> Rules:
    """Return the rules that hold on the day of the form, under the card that was typed."""
    day = first_day(form.cleaned_data["since"])
    base = here.state.rules[0] if day is None else here.state.rules_on(day)
    return with_card(base, own_card(card_text(table)), day)
