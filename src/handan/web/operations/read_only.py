"""A server that only shows: every request that would change something is refused."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

LOOKING = frozenset(("GET", "HEAD", "OPTIONS"))
MESSAGE = gettext_noop("This server only shows a file; change the file, and the pages follow.")


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
