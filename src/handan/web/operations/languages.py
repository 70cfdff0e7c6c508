"""The language of each answer, chosen before anything can fail, so that errors speak it too."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils.cache import patch_vary_headers

SPEAKING = ("text/html", "text/plain", "application/pdf", "image/svg+xml")
"""Kinds of answers that have a language; data for programs have none."""


class Languages(LocaleMiddleware):
    """Django's choice of a language, with the cookie by which people choose theirs named in `Vary`."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> Any:
        """Say by what an answer was chosen, and in which language it is."""
        response = super().process_response(request, response)
        patch_vary_headers(response, ("Cookie",))
        if not response.get("Content-Type", "text/html").startswith(SPEAKING):
            del response["Content-Language"]
        return response
