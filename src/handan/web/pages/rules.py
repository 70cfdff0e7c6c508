"""The rules of a club with their dates, and what new ones would do."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from handan.club.rules import Rules, checked
from handan.club.service.office import moved_in_past_year, set_rules
from handan.club.store.clock import today
from handan.club.store.models import Role
from handan.errors import InputError
from handan.ledger import When
from handan.systems import SYSTEMS
from handan.web.pages.formatting import change_rows
from handan.web.pages.forms import RulesForm
from handan.web.pages.here import Here, page
from handan.wording.figures import brief


@page(Role.VISITOR)
def rules(here: Here) -> HttpResponse:
    """The rules with their dates, for everybody; an administrator sets new ones, after a look at what they do."""
    chosen = here.request.POST.get("system") or here.request.GET.get("system") or here.rules.system
    chosen = chosen if chosen in SYSTEMS else here.rules.system
    start = {"system": chosen, "confirmation": here.rules.confirmation, "since": str(today())}
    if chosen == here.rules.system:
        start |= {f"set-{name}": _text(value) for name, value in here.rules.settings.items()}
    form = RulesForm(chosen, here.posted, initial=start)
    context: dict[str, Any] = {}
    if here.request.method == "POST":
        here.actor.need(set_rules.role)
        if form.is_valid():
            try:
                made = _rules(form)
                change = set_rules(here.actor, made, form.cleaned_data["reason"])
                if "preview" in here.request.POST:
                    context["moved"] = here.moved(change)
                    context["since"], year = moved_in_past_year(here.state, made)
                    context["year"] = change_rows(year)
                elif "look" not in here.request.POST:
                    here.write(change, form.cleaned_data["token"])
                    messages.success(here.request, "The rules are set.")
                    return redirect("rules", slug=here.club.slug)
            except InputError as error:
                form.put_error(error)
    history = [
        {
            "rules": item,
            "title": item.made.title,
            "settings": [(name, _text(value)) for name, value in item.settings.items()],
        }
        for item in reversed(here.state.rules)
    ]
    context |= {"form": form, "history": history, "now": here.rules, "system": chosen}
    context |= {"today": today(), "zone": timezone.get_current_timezone_name()}
    return render(here.request, "handan/rules.html", context)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else brief(value)


def _rules(form: RulesForm) -> Rules:
    since = When.of(form.cleaned_data["since"] or None)
    day = since.moment.date() if since else None
    return checked(form.cleaned_data["system"], form.chosen(), day, form.cleaned_data["confirmation"])
