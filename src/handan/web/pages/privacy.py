"""What is kept of people, and what others see of them: visitors, members who ask, and being forgotten."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from handan.club.service import people as service
from handan.club.service.office import facts_of_club, set_club
from handan.club.store.access import card_codes, open_cards_by_code, renew_code
from handan.club.store.models import ForgetRequest, Openness, Role, Shown
from handan.web.pages.forms import ReasonForm
from handan.web.pages.here import Here, page, public
from handan.web.pages.table_responses import attached
from handan.web.plain_data import as_json

BY_NAME, OTHERWISE, NOT_AT_ALL = "by name", "under another name", "not at all"


class ShownForm(forms.Form):
    """How visitors see a member."""

    how = forms.ChoiceField(
        label=_("visitors see this player"), widget=forms.RadioSelect,
        choices=[(how, how) for how in (BY_NAME, OTHERWISE, NOT_AT_ALL)],
    )  # fmt: skip
    name = forms.CharField(max_length=200, required=False, label=_("the other name"))

    def clean(self) -> dict[str, Any]:
        """Refuse another name that is none."""
        values = super().clean() or {}
        if values.get("how") == OTHERWISE and not values.get("name"):
            self.add_error("name", _("Which name?"))
        return values

    def chosen(self) -> str | None:
        """Return the other name, empty for none at all, None for the player's own."""
        how = self.cleaned_data["how"]
        return None if how == BY_NAME else "" if how == NOT_AT_ALL else str(self.cleaned_data["name"])


class OpennessForm(ReasonForm):
    """What visitors see of the club."""

    openness = forms.TypedChoiceField(
        label=_("visitors see"), choices=Openness.choices, coerce=int, widget=forms.RadioSelect
    )
    open_log = forms.BooleanField(required=False, label=_("of an open club the log too"))

    field_order = ("openness", "open_log", "reason")


@public
def privacy(request: HttpRequest) -> HttpResponse:
    """What the server keeps of visitors and members, for everybody to read."""
    return render(request, "handan/privacy.html")


@page(Role.SECRETARY, form=True)
def visitors(here: Here) -> HttpResponse:
    """What visitors see of the club, who is not shown by name, and who asks to be forgotten."""
    if here.posted is not None and "cards" in here.posted:
        open_cards_by_code(here.actor, on=here.posted["cards"] == "on")
        return redirect("visitors", slug=here.club.slug)
    form = OpennessForm(here.posted, initial=facts_of_club(here.club))
    if here.posted is not None and form.is_valid():
        wishes = {name: form.cleaned_data[name] for name in ("openness", "open_log")}
        with form.put_errors():
            here.write(set_club(here.actor, wishes, form.cleaned_data["reason"]), form.cleaned_data["token"])
            what = gettext(Openness(wishes["openness"]).label)
            messages.success(here.request, gettext("Visitors see: {what}.").format(what=what))
            return redirect("visitors", slug=here.club.slug)
    people, shown = here.state.people, Shown.objects.filter(club=here.club)
    requests = ForgetRequest.objects.filter(club=here.club)
    here.state.labels.prefetch([*(row.player for row in shown), *(row.player for row in requests)])
    context = {
        "form": form,
        "cards": card_codes(here.club) is not None,
        "shown": [(people[row.player], row.name) for row in shown if row.player in people],
        "requests": [(people[row.player], row.requested) for row in requests if row.player in people],
    }
    return render(here.request, "handan/visitors.html", context)


@page(service.OWN, form=True)
def own(here: Here, key: str) -> HttpResponse:
    """A player's own settings: how visitors see them, all that is kept of them, and asking to be forgotten."""
    final = service.own_player(here.actor, key)
    row = Shown.objects.filter(club=here.club, player=final).first()
    start = {"how": BY_NAME if row is None else OTHERWISE if row.name else NOT_AT_ALL, "name": row.name if row else ""}
    if here.posted is not None and "renew" in here.posted:
        renew_code(here.actor, final)
        return redirect("own", slug=here.club.slug, key=final)
    asks = here.posted is not None and "forget" in here.posted
    form = ShownForm(None if asks else here.posted, initial=start)
    if asks:
        service.request_forgetting(here.actor, final)
        messages.success(here.request, _("The secretary is asked."))
        return redirect("own", slug=here.club.slug, key=final)
    if here.posted is not None and form.is_valid():
        service.show_to_visitors(here.actor, final, form.chosen())
        messages.success(here.request, _("Visitors see it so from now on."))
        return redirect("own", slug=here.club.slug, key=final)
    request = ForgetRequest.objects.filter(club=here.club, player=final).first()
    context = {"form": form, "person": here.state.person(final), "forget_request": request}
    if codes := card_codes(here.club):
        path = here.address("card-by-code", final, codes(final))
        context["link"] = here.request.build_absolute_uri(path)
    return render(here.request, "handan/own.html", context)


@page(service.OWN)
def own_json(here: Here, key: str) -> HttpResponse:
    """All that is kept of a player, as one file."""
    final = service.own_player(here.actor, key)
    content = as_json(service.kept_of(here.actor, final))
    return attached(content, f"{here.club.slug}-{final}.json", "application/json")


@page(service.FORGETTING, form=True)
def forget_player(here: Here, key: str) -> HttpResponse:
    """Say what goes and what stays if a player is forgotten; once that is confirmed, forget them."""
    final = here.person(key).key
    reach = service.forgetting_plan(here.actor, final)
    if here.posted is not None and "sure" in here.posted:
        service.forget_player(here.actor, final)
        if here.actor.user in reach.users:
            return redirect("home")
        messages.success(here.request, _("Forgotten. Games and everybody's figures are as before."))
        return redirect("player", slug=here.club.slug, key=final)
    context = {"reach": reach, "label": here.shown_name(here.state.labels[final])}
    return render(here.request, "handan/forget.html", context)
