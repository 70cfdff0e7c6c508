"""The rules of a club with their dates, and what new ones would do."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from handan.club.rules import Rules, checked
from handan.club.service.office import past_year, set_rules
from handan.club.service.operation import Change
from handan.club.store.clock import today
from handan.club.store.models import Role
from handan.ledger import When
from handan.systems import SYSTEMS
from handan.web.pages.card_view import shown_year
from handan.web.pages.here import Here, page
from handan.web.pages.long_changes import Page, answered
from handan.web.pages.rules_form import RulesForm, initial_settings, shown_settings


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
            "title": item.made.title,
            "settings": shown_settings(item),
        }
        for item in reversed(here.state.rules)
    ]
    context: dict[str, Any] = {"form": form, "history": history, "now": here.rules, "system": _(SYSTEMS[chosen].title)}
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

    address = reverse("rules", args=[here.club.slug])
    this = Page(
        _("Rules of the club"), "handan/rules.html", "handan/parts/rules.html", _("The rules are set."), address
    )
    return answered(here, this, form, change, look if "preview" in here.request.POST else None, lambda: context)


def _rules(form: RulesForm) -> Rules:
    since = When.of(form.cleaned_data["since"] or None)
    day = since.moment.date() if since else None
    return checked(form.cleaned_data["system"], form.chosen(), day, form.cleaned_data["confirmation"])
