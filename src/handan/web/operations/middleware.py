"""What every request goes through: its language, the zone of its days, and the refusal where nothing may be changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext, gettext_noop

SPEAKING = ("text/html", "text/plain", "application/pdf", "image/svg+xml")
"""Kinds of answers that have a language; data for programs have none."""
LOOKING = frozenset(("GET", "HEAD", "OPTIONS"))
MESSAGE = gettext_noop("This server only shows a file; change the file, and the pages follow.")


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


class ReadOnly:
    """Middleware that refuses writing where the server is started to be looked at."""

    def __init__(self, answer: Callable[[HttpRequest], HttpResponse]) -> None:
        self.answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass on what only looks."""
        if settings.READ_ONLY and request.method not in LOOKING and not _is_own_look(request):
            return HttpResponse(gettext(MESSAGE), status=403, content_type="text/plain; charset=utf-8")
        return self.answer(request)


def _is_own_look(request: HttpRequest) -> bool:
    """Return whether a request only chooses a language or a look, which its own cookies keep."""
    return request.path in {reverse("language"), reverse("look")}
