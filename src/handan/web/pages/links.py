"""Addresses of pages by a key, made from the one of a placeholder, since each look-up of a route takes its time."""

from __future__ import annotations

from html import escape
from urllib.parse import quote

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

PLACEHOLDER = "KEY"


class Links:
    """The addresses of one route of a club, as they stand in HTML, with what stands behind each of them."""

    def __init__(self, route: str, slug: str, query: str = "") -> None:
        self.before, _, behind = reverse(route, args=(slug, PLACEHOLDER)).rpartition(PLACEHOLDER)
        self.behind = behind + escape(query)

    def to(self, key: str) -> str:
        """Return the address of the page of a key."""
        plain = key.isascii() and key.isalnum()  # as almost all are, and asking takes a tenth of quoting
        return f"{self.before}{key if plain else quote(key)}{self.behind}"


def safe(html: str) -> SafeString:
    """Return HTML or SVG that this package made, whose texts are escaped already, for a template."""
    return mark_safe(html)  # noqa: S308  # see above
