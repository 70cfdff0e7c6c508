"""Which requests are for the same page as every visitor sees it, so that one answer does for all who wait for it."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

FOR_ALL, AGAIN = "is_for_all", "given_again"
"""Attributes of an answer: whether it is the same for every visitor, and what notes that it is given to one more."""
NUMBER = "X-Request-ID"
"""The header with the number of a request, which no two share."""
ADDRESS = ("wsgi.url_scheme", "SERVER_NAME", "SERVER_PORT", "SCRIPT_NAME", "PATH_INFO", "QUERY_STRING")
OWN = ("HTTP_COOKIE", "HTTP_AUTHORIZATION")
"""What says who somebody is."""
WHATEVER = {
    "HTTP_CACHE_CONTROL", "HTTP_CONNECTION", "HTTP_DNT", "HTTP_PRAGMA", "HTTP_PRIORITY", "HTTP_REFERER",
    "HTTP_UPGRADE_INSECURE_REQUESTS", "HTTP_USER_AGENT", "HTTP_X_FORWARDED_FOR",
}  # fmt: skip
"""Headers on which no visitor's page depends; any other one makes it another page."""


def same_page(environ: dict[str, Any]) -> Hashable:
    """Return what is the same for all requests of one page by visitors of whom nothing is known; None for others."""
    if environ["REQUEST_METHOD"] != "GET" or any(name in environ for name in OWN) or _sends(environ):
        return None
    headers = [item for item in environ.items() if item[0].startswith("HTTP_") and item[0] not in WHATEVER]
    return tuple(environ.get(name, "") for name in ADDRESS), frozenset(headers)


def _sends(environ: dict[str, Any]) -> bool:
    return environ.get("CONTENT_LENGTH", "") not in {"", "0"} or "HTTP_TRANSFER_ENCODING" in environ
