"""Watching every request: its number, a line in the log, the figures; and a clear answer when the database refuses."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable
from time import perf_counter

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string

from handan.web.operations.logs import REQUEST
from handan.web.operations.metrics import DURATIONS, REQUESTS

LOG = logging.getLogger("handan.requests")
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
UNAVAILABLE = 503
REPLACED = (
    "The server's database file was replaced while it runs. Nothing was saved; its administrator must restart it."
)
WAIT = 5  # seconds after which a client may ask again


class Watch:
    """The outermost middleware."""

    def __init__(self, answer: Callable[[HttpRequest], HttpResponse]) -> None:
        self.answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, and tell of it: route and club, never address, name, path or query."""
        number = uuid.uuid4().hex
        held = REQUEST.set(number)
        start = perf_counter()
        try:
            response = self.answer(request)
            _tell(request, response.status_code, perf_counter() - start)
        finally:
            REQUEST.reset(held)
        response["X-Request-ID"] = number
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Answer 503 when the database cannot write or be reached; the transaction was rolled back as a whole."""
        if not isinstance(error, OperationalError | InterfaceError):
            return None
        LOG.error("the database refused", exc_info=error)
        message = refusal(error)
        if request.path.startswith("/api/") or request.path.endswith(".json"):
            response: HttpResponse = JsonResponse({"message": message}, status=UNAVAILABLE)
        else:
            response = HttpResponse(render_to_string("503.html", {"message": message}), status=UNAVAILABLE)
        response["Retry-After"] = str(WAIT)
        return response


def refusal(error: Exception) -> str:
    """Return in words why the database refused, without its own text, which may hold values."""
    text = str(error).lower()
    if "full" in text or "no space" in text:
        return "The server's disk is full. Nothing was saved, and nothing was lost; please tell its administrator."
    if "replaced" in text:
        return REPLACED
    if "locked" in text or "busy" in text:
        return "Others are writing just now. Nothing was saved; please send it again."
    if "readonly" in text or "read-only" in text:
        return "The server's database can only be read. Nothing was saved; please tell its administrator."
    return "The database cannot be reached. Nothing was saved; please try again in a minute."


def _tell(request: HttpRequest, status: int, seconds: float) -> None:
    match = request.resolver_match
    route = match.view_name if match and match.view_name else "none"
    method = request.method if request.method in METHODS else "other"
    REQUESTS.labels(route, method, str(status)).inc()
    DURATIONS.labels(route).observe(seconds)
    fields = {"method": method, "route": route, "status": status, "milliseconds": round(1000 * seconds, 1)}
    if match and "slug" in match.kwargs and status < 400:  # a club that is not there may be any text
        fields["club"] = match.kwargs["slug"]
    LOG.info("request", extra=fields)
