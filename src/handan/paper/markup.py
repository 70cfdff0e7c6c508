"""Elements of pages: every text is escaped unless it is markup already."""

from __future__ import annotations

from markupsafe import Markup, escape


def tag(name: str, *content: str, classes: str = "", **attributes: str) -> Markup:
    """Return an element; content that is not markup is escaped, and attributes without a value are left out."""
    given = {"class": classes, **{key.rstrip("_"): value for key, value in attributes.items()}}
    written = "".join(f' {key}="{escape(value)}"' for key, value in given.items() if value)
    return Markup(f"<{name}{written}>{joined(*content)}</{name}>")  # noqa: S704  # names are ours


def joined(*content: str) -> Markup:
    """Return markup and escaped text one after the other."""
    return Markup().join(content)


def css_string(text: str) -> str:
    """Return a text as a string of a style sheet; all but letters and figures is written by its number."""
    return '"' + "".join(char if char.isalnum() else f"\\{ord(char):06x}" for char in text) + '"'
