"""The zone in which a club's days begin."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from handan.club.service.office import set_zone
from handan.club.store.clock import today
from handan.club.zones import SERVERS, zone_names
from handan.errors import InputError
from handan.web.pages.forms import ZoneForm
from handan.web.pages.here import Here, page


@page(set_zone.role, form=True)
def zone(here: Here) -> HttpResponse:
    """Show which day it is at the club, and set its zone."""
    form = ZoneForm(here.posted, initial={"zone": here.club.zone})
    if here.request.method == "POST" and form.is_valid():
        name, reason = form.cleaned_data["zone"], form.cleaned_data["reason"]
        try:
            here.write(set_zone(here.actor, name, reason), form.cleaned_data["token"])
        except InputError as error:
            form.put_error(error)
        else:
            messages.success(
                here.request, _("The zone of the club is {zone}.").format(zone=here.club.zone or _(SERVERS))
            )
            return redirect("rules", slug=here.club.slug)
    context = {"form": form, "today": today(), "now": timezone.localtime(), "zones": sorted(zone_names())}
    return render(here.request, "handan/zone.html", {**context, "name": timezone.get_current_timezone_name()})
