"""Watching every request: its number, a line in the log, the figures; and a clear answer when the database refuses."""

from __future__ import annotations

import logging
import sys
import uuid
from collections.abc import Callable
from functools import partial
from time import perf_counter

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.views import defaults

from handan.web.operations.database_refusals import refusal
from handan.web.operations.disk import code_of, note_refusal, note_success
from handan.web.operations.logs import REQUEST
from handan.web.operations.metrics import DURATIONS, REQUESTS
from handan.web.operations.request_queue import CAME
from handan.web.operations.same_page import AGAIN, FOR_ALL, NUMBER

LOG = logging.getLogger("handan.requests")
READING = {"GET", "HEAD", "OPTIONS"}
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
UNAVAILABLE = 503
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
        if getattr(response, FOR_ALL, False):
            setattr(response, AGAIN, partial(_again, request, response.status_code))
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


def unavailable(request: HttpRequest, error: Exception) -> HttpResponse:
    """Return why the database refused, in words, and when to ask again; what it says itself goes to the log."""
    LOG.error("the database refused", exc_info=error, extra={"code": code_of(error)})
    note_refusal(error)
    writing = request.method not in READING
    message = refusal(error, writing=writing)
    if request.path.startswith("/api/") or request.path.endswith(".json"):
        response: HttpResponse = JsonResponse({"message": message}, status=UNAVAILABLE)
    else:
        text = render_to_string("503.html", {"message": message, "title": TITLES[writing]})
        response = HttpResponse(text, status=UNAVAILABLE)
    response["Retry-After"] = str(WAIT)
    return response


def _again(request: HttpRequest, status: int, came: float) -> str:
    """Tell of another request that is given the answer to this one, and return its number."""
    number = uuid.uuid4().hex
    token = REQUEST.set(number)
    try:
        _log(request, status, perf_counter() - came)
    finally:
        REQUEST.reset(token)
    return number


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
