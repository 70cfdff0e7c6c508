"""One place where errors become answers: 400 with the field, 403 without the role, 429 for too many, 503 for later."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from django.db import DatabaseError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext as _

from handan.club.store.access import NotAllowedError
from handan.club.store.computing import ThrottledError
from handan.club.store.database import BusyError
from handan.club.store.writing import RateLimitError
from handan.errors import HandanError
from handan.web.operations.failures import failure_words, unavailable
from handan.web.operations.uploads import TooManyFilesError
from handan.web.pages.refusals import refusal
from handan.web.pages.unsent import Unsent, page_before

LOG = logging.getLogger("handan.web")
STATUS: dict[type[HandanError], int] = {
    NotAllowedError: 403, RateLimitError: 429, ThrottledError: 429, BusyError: 503, TooManyFilesError: 503,
}  # fmt: skip
LATER = {429, 503}
"""What may go well a little later."""
TITLES = {503: "Nothing was saved", 400: "That cannot be used", 403: "Not allowed", 429: "Wait a little"}


class Errors(MiddlewareMixin):
    """Middleware that answers for every error that the package raises on purpose."""

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return a page that says what is wrong, None for errors that are ours."""
        if isinstance(error, OperationalError | InterfaceError) and request.method == "POST":
            return _kept(request, error)
        if isinstance(error, Http404):
            return _sent_to_nothing(request)
        if not isinstance(error, HandanError):
            return None
        names: Callable[[str], str] = str
        if here := getattr(request, "here", None):
            request.here = here.of_now()  # type: ignore[attr-defined]  # the day in the address may be what is wrong
            names = request.here.shown_name  # type: ignore[attr-defined]
        status = next((status for kind, status in STATUS.items() if isinstance(error, kind)), 400)
        closed = status == STATUS[NotAllowedError] and request.method == "GET" and not request.user.is_authenticated
        page = {"title": TITLES[status], "message": refusal(error, names), "back": _back(request), "sign_in": closed}
        page |= _sent(request, status)
        response = render(request, "handan/error.html", page, status=status)
        if isinstance(error, ThrottledError):
            response["Retry-After"] = str(error.seconds)
        return response


def _sent_to_nothing(request: HttpRequest) -> HttpResponse | None:
    """Answer a form about something that is gone with what was typed; None where nothing was."""
    sent = _sent(request, 404)
    if not sent.get("typed"):
        return None
    page = {"title": _("Not found"), "message": _("There is no such page here."), "back": _back(request), **sent}
    return render(request, "handan/error.html", page, status=404)


def _kept(request: HttpRequest, error: Exception) -> HttpResponse:
    """Answer a form that the database refused with what was typed, as far as the database can still be read."""
    response = unavailable(request, error)
    if request.path.startswith("/api/"):
        return response
    try:
        page = {"title": TITLES[response.status_code], "message": failure_words(error), **_sent(request, 503)}
        response.content = (
            render_to_string("handan/error.html", page, request) if page.get("typed") else response.content
        )
    except (DatabaseError, InterfaceError):  # who asks cannot be read either
        LOG.warning("what a form sent cannot be shown")
    return response


def _sent(request: HttpRequest, status: int) -> dict[str, Any]:
    """Return what somebody signed in had typed into the form that is refused, and whether it may be sent again."""
    if request.method != "POST" or not request.user.is_authenticated:
        return {}
    unsent, path = Unsent.of(request), request.get_full_path()
    return {"unsent": unsent, "typed": unsent.typed(request, path), "path": path, "again": status in LATER}


def _back(request: HttpRequest) -> str:
    """Return the page from which one came to a form, or the page itself without what its address asked.

    Empty where that would be the start, or no page of a club.
    """
    if request.GET and request.method == "GET":
        return request.path
    before = page_before(request.path)
    return before if before != "/" and getattr(request, "here", None) else ""
