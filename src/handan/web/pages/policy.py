"""Headers of every answer: nothing from other sites, no scripts in pages, no frames but on sites that are allowed."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'"
)
EXPOSED_HEADERS = "Link, X-Total-Count"
"""Headers of lists that come in parts."""

SECRETS = {"join", "new-password", "card-by-code"}
"""Routes whose address is itself a secret."""


def _secret(request: HttpRequest) -> bool:
    return request.resolver_match is not None and request.resolver_match.url_name in SECRETS


def embeddable(response: HttpResponse) -> HttpResponse:
    """Return a page that websites of `allowed_origins` may show in a frame; nobody is signed in there."""
    if settings.ALLOWED_ORIGINS:
        ancestors = f"frame-ancestors {' '.join(settings.ALLOWED_ORIGINS)}"
        response["Content-Security-Policy"] = POLICY.replace("frame-ancestors 'none'", ancestors)
        response.xframe_options_exempt = True  # as its middleware asks
    return response


class Policy:
    """Middleware that sets them."""

    def __init__(self, answer: Callable[[HttpRequest], HttpResponse]) -> None:
        self.answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Add the headers where a page has not set its own."""
        response = self.answer(request)
        response.setdefault("Content-Security-Policy", POLICY)
        if settings.SESSION_COOKIE_NAME in request.COOKIES or "Authorization" in request.headers or _secret(request):
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
