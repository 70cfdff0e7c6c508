"""The club's office: what the club says of itself, its zone, its ledger as a file, backups, its colour."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from handan.club.changes.club_facts import LONGEST_NAME, PROPOSED, USUAL, style
from handan.club.service.office import facts_of_club, set_club, set_zone
from handan.club.store.clock import today
from handan.club.store.founding import may_found
from handan.club.store.models import Backup, Role
from handan.club.store.tablet import LONGEST, has_pin, set_pin
from handan.club.zones import SERVERS, zone_names
from handan.web.pages.forms import Marked, ZoneForm, language_choices
from handan.web.pages.here import Here, page


class ClubForm(Marked):
    """What a club says of itself."""

    name = forms.CharField(max_length=LONGEST_NAME, label=_("name of the club"))
    language = forms.ChoiceField(
        choices=language_choices,
        required=False,
        label=_("language"),
        help_text=_("of the pages, for who has chosen none"),
    )
    colour = forms.CharField(
        max_length=7,
        required=False,
        label=_("colour"),
        help_text=_("such as #1f4a7c, dark enough for white text on it; default: seal red"),
        widget=forms.TextInput(attrs={"list": "colours", "autocomplete": "off", "placeholder": "#b3261e"}),
    )
    categories = forms.CharField(
        max_length=60,
        required=False,
        label=_("categories by age"),
        help_text=_("such as U12 U16 U20 60+; then the register asks for the year of birth. Empty: none"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": USUAL}),
    )
    reason = forms.CharField(max_length=2000, required=False, label=_("reason"))

    def wishes(self) -> dict[str, Any]:
        """Return what the club is to say."""
        return {name: self.cleaned_data[name] for name in ("name", "language", "colour", "categories")}


class PinForm(Marked):
    """The number that opens the club's tablet for saving."""

    pin = forms.CharField(
        max_length=LONGEST,
        required=False,
        label=_("PIN"),
        help_text=_("6 to 12 digits; empty takes it away"),
        widget=forms.PasswordInput(attrs={"inputmode": "numeric", "autocomplete": "off", "pattern": "[0-9]*"}),
    )


@page(Role.SECRETARY, form=True)
def office(here: Here) -> HttpResponse:
    """Where members, rules, papers and records are looked after; for administrators what the club says of itself too.

    That is its name, language and colour, the PIN of its tablet, and its backups.
    """
    if here.posted is not None:
        here.actor.need(set_club.role)
    is_pin = here.posted is not None and "pin" in here.posted
    pins = PinForm(here.posted if is_pin else None)
    form = ClubForm(None if is_pin else here.posted, initial=facts_of_club(here.club))
    if is_pin and pins.is_valid():
        with pins.put_errors():
            set_pin(here.actor, pins.cleaned_data["pin"], here.sending(pins.cleaned_data["token"]))
            chosen = pins.cleaned_data["pin"]
            text = gettext("The PIN of the tablet is set.") if chosen else gettext("The tablet has no PIN any more.")
            messages.success(here.request, text)
            return redirect("office", slug=here.club.slug)
    if here.request.method == "POST" and form.is_valid():
        with form.put_errors():
            here.write(set_club(here.actor, form.wishes(), form.cleaned_data["reason"]), form.cleaned_data["token"])
            messages.success(here.request, gettext("The club is changed."))
            return redirect("office", slug=here.club.slug)
    last = Backup.objects.order_by("-made").first()
    context = {
        "form": form,
        "pins": pins,
        "has_pin": has_pin(here.club),
        "colours": PROPOSED,
        "backup": last,
        "federated": here.club.clubs.all(),
        "may_found": here.actor.user is not None and may_found(here.actor.user),
    }
    return render(here.request, "handan/office.html", context)


@page(Role.VISITOR, ladder=True)
def club_style(here: Here) -> HttpResponse:
    """The colour of the club as a style sheet, since pages allow no style of their own."""
    return HttpResponse(
        style(here.club.colour, dark=here.request.GET.get("scheme") == "dark") if here.club.colour else "",
        content_type="text/css; charset=utf-8",
    )


@page(set_zone.role, form=True)
def zone(here: Here) -> HttpResponse:
    """Show which day it is at the club, and set its zone."""
    form = ZoneForm(here.posted, initial={"zone": here.club.zone})
    if here.request.method == "POST" and form.is_valid():
        name, reason = form.cleaned_data["zone"], form.cleaned_data["reason"]
        with form.put_errors():
            here.write(set_zone(here.actor, name, reason), form.cleaned_data["token"])
            messages.success(
                here.request, gettext("The zone of the club is {zone}.").format(zone=here.club.zone or gettext(SERVERS))
            )
            return redirect("rules", slug=here.club.slug)
    context = {"form": form, "today": today(), "now": timezone.localtime(), "zones": sorted(zone_names())}
    return render(here.request, "handan/zone.html", {**context, "name": timezone.get_current_timezone_name()})
