"""The rules of a club with their dates, and what new ones would do."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from handan.club.rules import Rules, checked
from handan.club.service.office import past_year, set_rules
from handan.club.store.clock import today
from handan.club.store.models import Role
from handan.errors import InputError
from handan.ledger import When
from handan.systems import SYSTEMS
from handan.web.pages.card_view import shown_year
from handan.web.pages.here import Here, page
from handan.web.pages.rules_form import RulesForm, initial_settings, shown_settings


@page(Role.VISITOR)
def rules(here: Here) -> HttpResponse:
    """The rules with their dates, for everybody; an administrator sets new ones, after a look at what they do."""
    chosen = here.request.POST.get("system") or here.request.GET.get("system") or here.rules.system
    chosen = chosen if chosen in SYSTEMS else here.rules.system
    start = {"system": chosen, "confirmation": here.rules.confirmation, "since": str(today())}
    if chosen == here.rules.system:
        start |= initial_settings(here.rules)
    form = RulesForm(chosen, here.rules, here.posted, initial=start)
    context: dict[str, Any] = {}
    if here.request.method == "POST":
        here.actor.need(set_rules.role)
        if form.is_valid():
            try:
                made = _rules(form)
                change = set_rules(here.actor, made, form.cleaned_data["reason"])
                if "preview" in here.request.POST:
                    context["moved"] = here.moved(change)
                    context["year"] = shown_year(past_year(here.state, made))
                elif "look" not in here.request.POST:
                    here.write(change, form.cleaned_data["token"])
                    messages.success(here.request, _("The rules are set."))
                    return redirect("rules", slug=here.club.slug)
            except InputError as error:
                form.put_error(error)
    history = [
        {
            "rules": item,
            "title": item.made.title,
            "settings": shown_settings(item),
        }
        for item in reversed(here.state.rules)
    ]
    context |= {"form": form, "history": history, "now": here.rules, "system": _(SYSTEMS[chosen].title)}
    context |= {"today": today(), "zone": timezone.get_current_timezone_name()}
    return render(here.request, "handan/rules.html", context)


def _rules(form: RulesForm) -> Rules:
    since = When.of(form.cleaned_data["since"] or None)
    day = since.moment.date() if since else None
    return checked(form.cleaned_data["system"], form.chosen(), day, form.cleaned_data["confirmation"])
