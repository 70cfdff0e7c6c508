"""The one colour of a club: checked for contrast, and made lighter where the page is dark.

Source of luminance and contrast: Web Content Accessibility Guidelines 2.2, definitions of relative luminance and
contrast ratio; 4.5 for text, 3 for what is no text.
"""

from __future__ import annotations

import re

from handan.errors import Clause, FieldError

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
