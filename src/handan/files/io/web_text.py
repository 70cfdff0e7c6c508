"""Text of web pages: characters in place of their names."""

from __future__ import annotations

from html import unescape


def unescaped(text: str) -> str:
    """Return text with characters in place of `&amp;` and `&#233;`; as it stands if a number has too many digits."""
    try:
        return unescape(text)
    except ValueError:
        return text
