"""What a club says of itself besides its ledger: name, language, colour, and what visitors see; each checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from handan.club.age_categories import checked_categories
from handan.club.changes.texts import checked_text, visible_text
from handan.club.club_colour import checked_colour
from handan.errors import FieldError
from handan.wording.languages import LANGUAGES

LONGEST_NAME = 200  # characters, as the column has room for
OPENNESS = (0, 1, 2)
"""Closed, the ladder only, open."""
SLUG = re.compile(r"[a-z][a-z0-9-]{0,39}")
RESERVED = frozenset((
    "account", "api", "clubs", "design", "healthz", "join", "metrics", "offline", "privacy", "reset", "robots",
    "sign-in", "sign-out", "static",
))  # fmt: skip
"""Addresses of pages that belong to no club."""


def checked_slug(slug: str) -> str:
    """Return the short name of a club, which stands in its addresses; FieldError for what cannot be one."""
    if not SLUG.fullmatch(slug) or slug in RESERVED:
        expected = "small letters, digits and hyphens, a letter first, and no address of another page"
        raise FieldError("slug", slug, expected)
    return slug


def checked_name(text: str) -> str:
    """Return the name of a club; FieldError for one that nobody can read, or too long."""
    name = visible_text(checked_text(text.strip(), "name", LONGEST_NAME), "name")
    if not name:
        raise FieldError("name", text, "a name")
    return name


def checked_language(text: str) -> str:
    """Return a language of the pages, empty for that of each browser; FieldError for another."""
    if text and text not in LANGUAGES:
        raise FieldError("language", text, f"one of {', '.join(LANGUAGES)}")
    return text


def checked_facts(wishes: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a club is to say of itself, by the names of `FACTS`; FieldError for what cannot be."""
    return {name: FACTS[name](value) for name, value in wishes.items()}


def _openness(value: Any) -> int:
    if value not in OPENNESS:
        raise FieldError("openness", value, "0 (closed), 1 (ladder only) or 2 (open)")
    return int(value)


FACTS = {
    "name": checked_name,
    "language": checked_language,
    "colour": checked_colour,
    "categories": checked_categories,
    "openness": _openness,
    "open_log": bool,
}
"""What a club says of itself, each with what checks it."""
