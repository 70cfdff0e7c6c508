"""Requests are worked on one after the other; see `handan.club.store.working`."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from handan.club.store.working import working

AT_ONCE = ("/healthz", "/metrics")
"""Answered whoever else works."""


class OneByOne:
    """Middleware that gives each request its turn."""

    def __init__(self, answer: Callable[[HttpRequest], HttpResponse]) -> None:
        self.answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer when it is the request's turn."""
        if request.path in AT_ONCE:
            return self.answer(request)
        with working.turn():
            return self.answer(request)
