"""The editor of a club's own card: what is typed, what it may be drawn from, and what is wrong line by line."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from handan.handicaps import CARDS, Card, regular_card
from handan.handicaps.card_csv import LONGEST_TITLE
from handan.handicaps.card_law import JIGO, WHITE_WINS
from handan.handicaps.pasted_card import MOST_CHARACTERS, SENTENCES, Remark, Typed, read_typed
from handan.paper.card_table import card_table
from handan.paper.words import card_title
from handan.web.pages.card_view import run_lines
from handan.web.pages.forms import Marked
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
    since = forms.CharField(
        max_length=10, required=False, widget=forms.TextInput(attrs={"type": "date"}), label=_("since")
    )
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
