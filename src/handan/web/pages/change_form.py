"""The form of a change: it shows whom the change would move, and writes it once that is confirmed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from handan.club.new_games import TwinError
from handan.club.service.operation import Change
from handan.errors import InputError
from handan.web.pages.forms import Marked, TwinReasonForm
from handan.web.pages.here import Here
from handan.web.pages.saved import write_and_say


def change_form(
    here: Here, form: Marked, make: Callable[[dict[str, Any]], Change], title: str, after: str, *,
    text: str, look: Change | None = None, twins: Sequence[str] = (), **more: Any,
) -> HttpResponse:  # fmt: skip
    """Show the form of a change, and whom the change would move; or write it, say so and go on.

    Args:
        here: The request.
        form: As it was sent, or new.
        make: Returns the change that is sent.
        title: Of the page.
        after: Address of the next page, and for who thinks better of it, where `more` has no other as `cancel`.
        text: What the next page says.
        look: The change that is looked at from the beginning; None: what is sent, when a preview is asked for.
        twins: Keys of games like the changed one, which the form asks about.
        more: What the page shows besides.
    """
    asks, moved = "preview" in here.request.POST, None
    if here.posted is not None and form.is_valid() and not (asks and look):
        try:
            change = make(form.cleaned_data)
            if asks:
                moved = here.moved(change)
            else:
                write_and_say(here, change, form.cleaned_data["token"], text)
                return redirect(after)
        except InputError as error:
            if look and not isinstance(error, TwinError):
                raise  # no field of the form is wrong
            form.put_error(error, here.shown_name)
            twins = error.keys if isinstance(error, TwinError) else twins
    if not twins and "another" not in here.request.POST:
        form.fields.pop("another", None)
    context = {"form": form, "title": title, "moved": here.moved(look) if look else moved, "sure": look is not None,
               "twins": twins, "cancel": after, **more}  # fmt: skip
    return render(here.request, "handan/change_form.html", context, status=form.status)


def confirmed(
    here: Here, make: Callable[[str], Change], title: str, after: str, look: Change | None = None, **more: Any
) -> HttpResponse:
    """Show whom a change would move, and write it for a reason once that is confirmed; arguments as of `change_form`.

    `make` returns the change for a reason; `look` asks less than it, if it is given.
    """
    return change_form(
        here, TwinReasonForm(here.posted), lambda sent: make(sent["reason"]), title, after,
        text=_("{title}: done.").format(title=title), look=look or make(""), **more,
    )  # fmt: skip
