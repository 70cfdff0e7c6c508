"""What every request goes through: its number and figures, zone and language, who asks, the headers of its answer."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.db import InterfaceError, OperationalError
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext, gettext_noop

from handan.club.store.accounts import new_sign_in, still_signed_in
from handan.club.store.database import note_success
from handan.club.store.models import SignIn
from handan.web.operations.failures import READING, unavailable
from handan.web.operations.logs import CAME, REQUEST
from handan.web.operations.metrics import DURATIONS, REQUESTS

if TYPE_CHECKING:
    from django.contrib.auth.models import User


SPEAKING = ("text/html", "text/plain", "application/pdf", "image/svg+xml")
"""Kinds of answers that have a language; data for programs have none."""
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
REQUEST_NUMBER = "X-Request-ID"
"""The header with the number of a request, which no two share."""
LOG = logging.getLogger("handan.requests")
MESSAGE = gettext_noop("This server only shows a file; change the file, and the pages follow.")


class RequestLog:
    """Numbers, times and logs every request, and answers for a database that refuses; the outermost middleware."""

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
        response[REQUEST_NUMBER] = number
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Answer 503 when the database cannot write or be reached; the transaction was rolled back as a whole."""
        return unavailable(request, error) if isinstance(error, OperationalError | InterfaceError) else None


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


class Languages(LocaleMiddleware):
    """Django's choice of a language, with the cookie by which people choose theirs named in `Vary`."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> Any:
        """Say by what an answer was chosen, and in which language it is."""
        response = super().process_response(request, response)
        patch_vary_headers(response, ("Cookie",))
        if not response.get("Content-Type", "text/html").startswith(SPEAKING):
            del response["Content-Language"]
        return response


class Zones:
    """Middleware that ends with each request the zone which it entered."""

    def __init__(self, answer: Callable[[HttpRequest], HttpResponse]) -> None:
        self.answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, and leave the zone as it was."""
        with timezone.override(timezone.get_current_timezone()):
            return self.answer(request)


class ReadOnly(MiddlewareMixin):
    """Middleware that refuses writing where the server is started to be looked at."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Pass on what only looks, or chooses a language or a look, which cookies of the browser keep."""
        if (
            not settings.READ_ONLY
            or request.method in READING
            or request.path in {reverse("language"), reverse("look")}
        ):
            return None
        return HttpResponse(gettext(MESSAGE), status=403, content_type="text/plain; charset=utf-8")


NUMBER = "sign_in"
"""Where a session holds the number of its row."""


def number_of(request: HttpRequest) -> int | None:
    """Return the number of a request's session."""
    number: int | None = request.session.get(NUMBER)
    return number


@receiver(user_logged_in)
def _begin(request: HttpRequest, user: User, **_: Any) -> None:
    request.session[NUMBER] = new_sign_in(user)


@receiver(user_logged_out)
def _end(request: HttpRequest, **_: Any) -> None:
    SignIn.objects.filter(pk=request.session.get(NUMBER) or 0).delete()


class SignIns(MiddlewareMixin):
    """Middleware that signs out whose session was ended elsewhere: each bears the number of a row of its owner's."""

    def process_request(self, request: HttpRequest) -> None:
        """Look at requests that bear a session; one from before sessions were numbered gets its number."""
        user = request.user if settings.SESSION_COOKIE_NAME in request.COOKIES else None
        if user is not None and user.is_authenticated:
            if number_of(request) is None:
                request.session[NUMBER] = new_sign_in(user)
            elif not still_signed_in(user, number_of(request)):
                logout(request)


POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors {ancestors}; manifest-src 'self'"
)
EXPOSED_HEADERS = "Link, X-Total-Count"
"""Headers of lists that come in parts."""

SECRETS = {"join", "new-password", "card-by-code"}
"""Routes whose address is itself a secret."""


def embeddable(response: HttpResponse) -> HttpResponse:
    """Return a page that websites of `allowed_origins` may show in a frame; nobody is signed in there."""
    response.xframe_options_exempt = bool(settings.ALLOWED_ORIGINS)  # as Django's middleware asks, and `Policy`
    return response


class Policy(MiddlewareMixin):
    """Middleware of headers: nothing from other sites, no scripts in pages, no frames but on sites that are allowed."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Add the headers where a page has not set its own."""
        ancestors = settings.ALLOWED_ORIGINS if getattr(response, "xframe_options_exempt", False) else ["'none'"]
        response.setdefault("Content-Security-Policy", POLICY.format(ancestors=" ".join(ancestors)))
        is_secret = request.resolver_match is not None and request.resolver_match.url_name in SECRETS
        if is_secret or settings.SESSION_COOKIE_NAME in request.COOKIES or "Authorization" in request.headers:
            response.setdefault("Cache-Control", "no-store")  # it may hold what is for this member only
        elif request.method in {"GET", "HEAD"}:  # kept elsewhere only to be asked for again; errors nowhere
            response.setdefault("Cache-Control", "no-cache" if response.status_code == 200 else "no-store")
            patch_vary_headers(response, ("HX-Request",))
        if settings.ALLOWED_ORIGINS and request.method in {"GET", "HEAD"}:
            patch_vary_headers(response, ("Origin",))
            if (origin := request.headers.get("Origin")) in settings.ALLOWED_ORIGINS:
                response["Access-Control-Allow-Origin"] = origin
                response["Access-Control-Expose-Headers"] = EXPOSED_HEADERS
        response.setdefault("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
        return response
