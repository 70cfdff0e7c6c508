"""The rules of a club with their dates, and what new ones would do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.http import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from handan.club.rules import CONFIRMATIONS, Rules, checked
from handan.club.service.office import past_year, set_rules
from handan.club.service.operation import Change
from handan.club.store.clock import today
from handan.club.store.models import Role
from handan.handicaps import CARDS, is_table
from handan.paper.words import card_title
from handan.systems import SYSTEMS
from handan.systems.core.settings import Bounds, settings_of
from handan.systems.points import Points
from handan.web.pages.card import shown_year
from handan.web.pages.forms import DayField, Marked, first_day
from handan.web.pages.here import Here, page
from handan.web.pages.long_work import Page, answered
from handan.web.pages.vocabulary import choice_words, label_of
from handan.web.pages.wording import figure, page_language
from handan.wording.figures import brief

TOUCHED = {
    "points": ("card", "at_1d", "stone", "promotion", "demotion", "rank_points", "settle", "conditions", "daily_limit")
}
"""Our choice: settings of a system that clubs change, in the order in which they ask for them."""
OWN = "own"
"""What stands for the club's own card in the choice of cards."""
LONGEST = 400  # characters of a setting; our choice
FAR = 1e6  # our choice: a bound beyond which nobody goes is not worth a word


class RulesForm(Marked):
    """The rules of the club from a date on.

    Args:
        system: Whose settings are shown.
        rules: Those in force, whose own card can be chosen again.
        data: What was sent; settings that were typed for another system (`of`) stay in hidden fields.
    """

    system = forms.ChoiceField(
        choices=lambda: [(name, gettext(title)) for name, title in SYSTEMS.titles().items()], label=_("system")
    )
    since = DayField(required=False, label=_("since"))
    confirmation = forms.ChoiceField(
        choices=list(CONFIRMATIONS.items()), widget=forms.RadioSelect, label=_("confirmation")
    )
    reason = forms.CharField(max_length=2000, required=False, label=_("reason"))

    def __init__(self, system: str, rules: Rules, data: Mapping[str, Any] | None = None, **kwargs: Any) -> None:
        super().__init__(None if data is None else _turned(data, system), **kwargs)
        self.settings = settings_of(SYSTEMS[system])
        self.system_name, self.own_card = system, _own_card(rules)
        for name, (declared, bounds) in self.settings.items():
            is_card = (system, name) == (Points.name, "card")
            field = self._card_field() if is_card else setting_field(name, bounds, declared.default)
            field.label = label_of(system, name)
            self.fields[f"set-{name}"] = field

    def _card_field(self) -> forms.Field:
        cards = [(name, card_title(card.title, page_language())) for name, card in CARDS.items()]
        published = dict(cards)[str(self.settings["card"][0].default)]
        own = [(OWN, gettext("the club's own card: {title}").format(title=self.own_card[0]))] if self.own_card else []
        others = [(name, title) for name, title in cards if title != published]
        choices = [("", gettext("{value} (as published)").format(value=published)), *own, *others]
        return forms.ChoiceField(choices=choices, required=False)

    def chosen(self) -> dict[str, Any]:
        """Return the settings that are not left as published."""
        values = {name: self.cleaned_data.get(f"set-{name}") for name in self.settings}
        if values.get("card") == OWN and self.own_card:
            values["card"] = self.own_card[1]
        return {name: "" if value is None else value for name, value in values.items()}

    def first(self) -> list[forms.BoundField]:
        """Return the fields of the settings that clubs touch; all of a system of which nobody says which those are."""
        return [self[f"set-{name}"] for name in TOUCHED.get(self.system_name, self.settings)]

    def rest(self) -> list[forms.BoundField]:
        """Return the fields of the other settings."""
        shown = TOUCHED.get(self.system_name, self.settings)
        return [self[f"set-{name}"] for name in self.settings if name not in shown]

    def rest_is_used(self) -> bool:
        """Whether one of the other settings is not as published, or is refused."""
        return any(each.errors or each.value() not in {None, ""} for each in self.rest())

    def kept(self) -> Iterator[tuple[str, str]]:
        """Go through what was typed for other systems, by the names of hidden fields."""
        yield "of", self.system_name
        for system in SYSTEMS:
            names = [f"kept-{system}-{name}" for name in settings_of(SYSTEMS[system])] if self.is_bound else []
            yield from ((name, self.data[name][:LONGEST]) for name in names if self.data.get(name))


def _own_card(rules: Rules) -> tuple[str, str] | None:
    """Return title and table of the club's own card, None where it plays by another."""
    made = rules.made
    return (made.table.title, made.card) if isinstance(made, Points) and is_table(made.card) else None


def _turned(data: Mapping[str, Any], system: str) -> dict[str, Any]:
    """Return what was sent with the settings of a system where they belong, and those of another one kept."""
    turned = {name: data[name] for name in data}
    before = turned.get("of", system)
    if before == system or before not in SYSTEMS:
        return turned
    for name in settings_of(SYSTEMS[before]):
        turned[f"kept-{before}-{name}"] = turned.pop(f"set-{name}", "")
    for name in settings_of(SYSTEMS[system]):
        turned[f"set-{name}"] = turned.pop(f"kept-{system}-{name}", "")
    return turned


def setting_field(name: str, bounds: Bounds, default: Any) -> forms.Field:
    """Return the field of a setting: a choice, a number with bounds or a text; empty is as published."""
    usual = gettext("none") if default is None else figure(_text(default))
    if bounds.choices or bounds.kind is bool:
        words = [(word, choice_words(name, word)) for word in bounds.choices]
        choices = words or [("true", gettext("yes")), ("false", gettext("no"))]
        first = gettext("{value} (as published)").format(value=dict(choices).get(_text(default), usual))
        others = [(word, shown) for word, shown in choices if word != _text(default)]
        return forms.ChoiceField(choices=[("", first), *others], required=False, help_text=gettext(bounds.text))
    common: dict[str, Any] = {"required": False, "help_text": _meaning(bounds, usual)}
    if bounds.kind is str:
        return forms.CharField(max_length=LONGEST, widget=forms.TextInput(attrs={"placeholder": usual}), **common)
    kind: Any = forms.IntegerField if bounds.kind is int else forms.FloatField
    step = {} if bounds.kind is int else {"step": "any"}
    widget = forms.NumberInput({"placeholder": usual, **step})
    field: forms.Field = kind(min_value=bounds.low, max_value=bounds.high, widget=widget, **common)
    return field


def _meaning(bounds: Bounds, usual: str) -> str:
    """Return what a setting is, what it may be, and what is published."""
    ends = ("" if end is None or abs(end) >= FAR else f"{end:.10g}" for end in (bounds.low, bounds.high))
    low, high = map(figure, ends)
    span = gettext("{low} to {high}").format(low=low, high=high) if low and high else ""
    span = gettext("at least {low}").format(low=low) if low and not high else span
    unit = gettext(bounds.unit) if bounds.unit and span else ""
    parts = [gettext(bounds.text), " ".join(filter(None, (span, unit)))]
    published = "" if usual == gettext("none") else gettext("as published: {value}").format(value=usual)
    return gettext("; ").join(filter(None, [*parts, published]))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else brief(value)


def shown_settings(rules: Rules) -> list[dict[str, str]]:
    """Return the settings of rules that differ from the published ones, with what they mean."""
    declared, rows = settings_of(SYSTEMS[rules.system]), []
    for name, value in rules.settings.items():
        is_card = name == "card" and isinstance(rules.made, Points)
        text = title_of_card(rules) if is_card else choice_words(name, figure(_text(value)))
        meaning = gettext("the table of terms") if is_card else gettext(declared[name][1].text)
        rows.append({"name": label_of(rules.system, name), "value": text, "meaning": meaning})
    return rows


def title_of_card(rules: Rules) -> str:
    """Return the title of the card of a points club in the language of the page, empty where there is none."""
    return card_title(rules.made.table.title, page_language()) if isinstance(rules.made, Points) else ""


def initial_settings(rules: Rules) -> dict[str, str]:
    """Return what the fields start with under the system of rules."""
    texts = {f"set-{name}": _text(value) for name, value in rules.settings.items()}
    return {**texts, "set-card": OWN} if _own_card(rules) else texts


@page(Role.VISITOR, form=True)
def rules(here: Here) -> HttpResponseBase:
    """The rules with their dates, for everybody; an administrator sets new ones, after a look at what they do."""
    chosen = here.request.POST.get("system") or here.request.GET.get("system") or here.rules.system
    chosen = chosen if chosen in SYSTEMS else here.rules.system
    start = {"system": chosen, "confirmation": here.rules.confirmation, "since": str(today())}
    if chosen == here.rules.system:
        start |= initial_settings(here.rules)
    form = RulesForm(chosen, here.rules, here.posted, initial=start)
    history = [
        {
            "rules": item,
            "title": item.system_class.title,
            "settings": shown_settings(item),
        }
        for item in reversed(here.state.rules)
    ]
    context: dict[str, Any] = {
        "form": form,
        "history": history,
        "now": here.rules,
        "system": gettext(SYSTEMS[chosen].title),
    }
    context |= {"today": today(), "zone": timezone.get_current_timezone_name()}
    if here.request.method == "POST":
        here.actor.need(set_rules.role)
        if form.is_valid() and "look" not in here.request.POST:
            return _set(here, form, context)
    return render(here.request, "handan/rules.html", context)


def _set(here: Here, form: RulesForm, context: dict[str, Any]) -> HttpResponseBase:
    """Set the rules of a form that is complete, or show what they would do."""

    def change() -> Change:
        return set_rules(here.actor, _rules(form), form.cleaned_data["reason"])

    def look(change: Change) -> dict[str, Any]:
        return {"moved": here.moved(change), "year": shown_year(past_year(here.state, _rules(form)))}

    address = here.address("rules")
    this = Page(
        gettext("Rules of the club"),
        "handan/rules.html",
        "handan/parts/rules.html",
        gettext("The rules are set."),
        address,
    )
    return answered(here, this, form, change, look if "preview" in here.request.POST else None, lambda: context)


def _rules(form: RulesForm) -> Rules:
    sent = form.cleaned_data
    return checked(sent["system"], form.chosen(), first_day(sent["since"]), sent["confirmation"])
