"""What a club says of itself besides its ledger: name, language, colour, and what visitors see; each checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from handan.club.changes.texts import checked_text, visible_text
from handan.errors import Clause, FieldError
from handan.wording.languages import LANGUAGES

USUAL = "U12 U16 U20 60+"
CATEGORY = re.compile(r"U[1-9][0-9]?|[1-9][0-9]\+")
YEARS = 1900, 2100  # our choice: years of birth
LONGEST = 60  # our choice: characters of all categories of a club


def checked_categories(text: str) -> str:
    """Return categories by age with blanks between, empty where a club wants none; FieldError for what is none."""
    names = list(dict.fromkeys(text.upper().replace(",", " ").split()))
    if len(" ".join(names)) > LONGEST or not all(map(CATEGORY.fullmatch, names)):
        raise FieldError("categories", text, "categories such as U12 U16 U20 60+")
    return " ".join(names)


def checked_year(text: str) -> int | None:
    """Return a year of birth as somebody wrote it, None for an empty one; FieldError for what is none."""
    if not text.strip():
        return None
    if not (text.strip().isdecimal() and YEARS[0] <= int(text) <= YEARS[1]):
        raise FieldError("born", text, "a year such as 2012")
    return int(text)


def category_of(born: int, year: int, categories: str) -> str:
    """Return the narrowest of a club's categories that somebody born in a year is in; empty for none."""
    age, names = year - born, categories.split()
    youth = sorted(int(name[1:]) for name in names if name.startswith("U"))
    older = sorted((int(name[:-1]) for name in names if name.endswith("+")), reverse=True)
    under = next((f"U{limit}" for limit in youth if age <= limit), "")
    return under or next((f"{limit}+" for limit in older if age >= limit), "")


PAPER, DARK_PAPER = "#fbf8f1", "#16130e"
LIGHT_TEXT, DARK_TEXT = "#ffffff", "#211c15"
TEXT, SIGN = 4.5, 3.0
"""Smallest contrast of text, and of lines and signs."""
HEX = re.compile(r"#[0-9a-f]{6}")
PROPOSED = ("#b3261e", "#8f3b1b", "#6b4f12", "#2f5d3a", "#1d5c63", "#1f4a7c", "#4b3b8f", "#7a2e5d")
"""Colours to choose from: the red of seals, and seven others that pass."""


def luminance(colour: str) -> float:
    """Return the relative luminance of `#rrggbb`, 0 black to 1 white."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def checked_colour(text: str) -> str:
    """Return a colour as `#rrggbb`, empty for none; FieldError where white text on it could not be read."""
    colour = text.strip().lower()
    if not colour:
        return ""
    if not HEX.fullmatch(colour):
        raise FieldError("colour", text, "a colour such as #1f4a7c")
    if contrast(colour, LIGHT_TEXT) < TEXT or contrast(colour, PAPER) < SIGN:
        ratio = contrast(colour, LIGHT_TEXT)
        pattern = "dark enough: white on it has contrast {ratio}, and {least} can be read"
        raise FieldError("colour", text, Clause.of(pattern, ratio=f"{ratio:.1f}", least=TEXT))
    return colour


def on_dark(colour: str) -> str:
    """Return a colour with as much white as it takes to stand out, and to bear dark text, on a dark page."""
    for share in range(0, 101, 5):
        parts = [int(colour[place : place + 2], 16) for place in (1, 3, 5)]
        mixed = "#" + "".join(f"{round(part + (255 - part) * share / 100):02x}" for part in parts)
        if contrast(mixed, DARK_PAPER) >= SIGN and contrast(mixed, DARK_TEXT) >= TEXT:
            return mixed
    return LIGHT_TEXT


def style(colour: str, *, dark: bool = False) -> str:
    """Return the style sheet of a club with a colour, for light pages or dark ones."""
    shown, text = (on_dark(colour), DARK_TEXT) if dark else (colour, LIGHT_TEXT)
    return f":root {{ --seal: {shown}; --on-seal: {text}; --rail: {shown}; }}\n"


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
