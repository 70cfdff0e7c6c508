"""Changes that rate all games anew: answered as any form, or by a page that says how far it is."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.translation import get_language, gettext, gettext_noop, override

from handan.club.service.operation import Change
from handan.club.store.clock import at_place
from handan.errors import InputError
from handan.web.pages.forms import Marked
from handan.web.pages.here import Here
from handan.web.pages.long_work import PATIENCE, LongWork, shown_while
from handan.web.pages.saved import Written, say_saved, written

Report = Callable[[str, int, int], None]
WRITES = gettext_noop("The change is checked and written.")
RATES = gettext_noop("It is written. Games that are rated now: {number}.")
TRIES = gettext_noop("Nothing is written. Games that are rated to see what would change: {number}.")


@dataclass(frozen=True, slots=True)
class Page:
    """The page of a form whose change takes long."""

    title: str
    template: str
    part: str
    """Template of its middle, for who has waited for it."""
    done: str
    """What is said once the change is written."""
    after: str
    """Address of the page that is shown then."""
    names_moves: bool = False
    """Whether that page says whom it moved, and takes it back by one button."""


def answered(
    here: Here, page: Page, form: Marked, change: Callable[[], Change], look: Callable[[Change], dict[str, Any]] | None,
    context: Callable[[], dict[str, Any]],
) -> HttpResponseBase:  # fmt: skip
    """Write a change, or look at what it would do, and answer with the page that follows.

    Args:
        here: The request.
        page: Of the form.
        form: As it was sent; a refusal is put on it.
        change: Makes the change; InputError as it does.
        look: Returns what the page shows of a change; None: it is written.
        context: Returns what the page shows besides.
    """
    place, language, games = here.club, get_language() or "en", len(here.state.games)
    token = form.cleaned_data["token"]

    def work(report: Report) -> dict[str, Any] | Written:
        with at_place(place), override(language):
            try:
                if look is not None:
                    report(TRIES, games, games)
                    return {**context(), **look(change())}
                report(WRITES, 0, 0)
                return written(here, change(), token, lambda: report(RATES, games, games))
            except InputError as error:
                if look is None and (entries := here.written_before(token)):
                    return Written(entries, "")  # sent twice: it cannot be done again because it is done
                form.put_error(error, here.shown_name)
                return context()

    running = copy_context()  # who asks, and how much they may let the server work out
    begun = LongWork(lambda report: running.run(work, report), in_turn=False)
    if begun.ended(PATIENCE):
        made = begun.made()
        if not isinstance(made, Written):
            return render(here.request, page.template, made)
        if page.names_moves:
            say_saved(here, page.done, made.entries[0].number, made.entries[-1].number, moved=made.moved)
        else:
            messages.success(here.request, page.done)
        return redirect(page.after)

    def end(made: dict[str, Any] | Written) -> str:
        if not isinstance(made, Written):
            with at_place(place):
                return render_to_string(page.part, made, here.request)
        html = '<div><p class="big">✓ {}</p><p><a class="button" href="{}">{}</a></p></div>'
        return format_html(html, page.done, page.after, gettext("Go on"))

    return shown_while(here.request, begun, page.title, here.request.path, end)
