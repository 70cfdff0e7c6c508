"""Watching every request: its number, a line in the log, the figures; and a clear answer when the database refuses."""

from __future__ import annotations

import logging
import sys
import uuid
from collections.abc import Callable
from time import perf_counter

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views import defaults

from handan.web.operations.database_refusals import refusal
from handan.web.operations.disk import code_of, note_refusal, note_success
from handan.web.operations.logs import CAME, REQUEST
from handan.web.operations.metrics import DURATIONS, REQUESTS
from handan.wording.languages import figure_words

LOG = logging.getLogger("handan.requests")
NUMBER = "X-Request-ID"
"""The header with the number of a request, which no two share."""
READING = {"GET", "HEAD", "OPTIONS"}
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
UNAVAILABLE, TOO_LARGE, BAD = 503, 413, 400
TITLES = {True: "Nothing was saved", False: "The server cannot answer just now"}
"""By whether something was to be saved."""
WAIT = 5  # seconds after which a client may ask again


class Watch:
    """The outermost middleware."""

    def __init__(self, answer: Callable[[HttpRequest], HttpResponse]) -> None:
        self.answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, and tell of it: route and club, never address, name, path or query."""
        number = uuid.uuid4().hex
        token = REQUEST.set(number)
        start = request.META.get(CAME, perf_counter())
        try:
            response = self.answer(request)
            _log(request, response.status_code, perf_counter() - start)
            if request.method not in READING and response.status_code < 400:
                note_success()
        finally:
            REQUEST.reset(token)
        response[NUMBER] = number
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Answer 503 when the database cannot write or be reached; the transaction was rolled back as a whole."""
        return unavailable(request, error) if isinstance(error, OperationalError | InterfaceError) else None


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer for an error outside of a view, as where the session of who asks cannot be read; the `handler500`."""
    error = sys.exc_info()[1]
    if isinstance(error, OperationalError | InterfaceError):
        return unavailable(request, error)
    return defaults.server_error(request)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer for what cannot be read of a request, or is more than is taken at once; the `handler400`."""
    status, message = BAD, _("The server cannot read what the browser sent. Nothing was saved.")
    if isinstance(exception, RequestDataTooBig):
        status = TOO_LARGE
        message = _(
            "That is more than this server takes at once: at most {most} MB. Nothing was saved. Go back in your "
            "browser to what you typed, and send it in parts, or as a file."
        ).format(most=_megabytes(settings.DATA_UPLOAD_MAX_MEMORY_SIZE))
    elif isinstance(exception, TooManyFieldsSent):
        status = TOO_LARGE
        message = _(
            "That is more than this server takes at once. Nothing was saved. Go back in your browser to what you "
            "typed, and send it in parts, or as a file."
        )
    return _answer(request, status, "That cannot be used", message)


def _megabytes(size: int) -> str:
    return figure_words(f"{size / 1e6:.3g}", get_language() or "en")


def unavailable(request: HttpRequest, error: Exception) -> HttpResponse:
    """Return why the database refused, in words, and when to ask again; what it says itself goes to the log."""
    LOG.error("the database refused", exc_info=error, extra={"code": code_of(error)})
    note_refusal(error)
    writing = request.method not in READING
    message = refusal(error, writing=writing)
    response = _answer(request, UNAVAILABLE, TITLES[writing], message)
    response["Retry-After"] = str(WAIT)
    return response


def _answer(request: HttpRequest, status: int, title: str, message: str) -> HttpResponse:
    """Return a page, or data for a program, that needs neither the database nor who asks."""
    if request.path.startswith("/api/") or request.path.endswith(".json"):
        return JsonResponse({"message": message}, status=status)
    text = render_to_string("handan/bare_error.html", {"message": message, "title": title})
    return HttpResponse(text, status=status)


def _log(request: HttpRequest, status: int, seconds: float) -> None:
    match = request.resolver_match
    route = match.view_name if match and match.view_name else "none"
    method = request.method if request.method in METHODS else "other"
    REQUESTS.labels(route, method, str(status)).inc()
    DURATIONS.labels(route).observe(seconds)
    fields = {"method": method, "route": route, "status": status, "milliseconds": round(1000 * seconds, 1)}
    if match and "slug" in match.kwargs and status < 400:  # a club that is not there may be any text
        fields["club"] = match.kwargs["slug"]
    LOG.info("request", extra=fields)
