"""The zone of the days and moments on a page: that of the club that a request asks about, for that request alone."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone


class Zones:
    """Middleware that ends with each request the zone which it entered."""

    def __init__(self, answer: Callable[[HttpRequest], HttpResponse]) -> None:
        self.answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, and leave the zone as it was."""
        with timezone.override(timezone.get_current_timezone()):
            return self.answer(request)
