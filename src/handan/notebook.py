"""Tables and paragraphs for notebooks, as HTML that loads nothing from a network."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def paragraph(text: str) -> str:
    """Return a text as a paragraph of HTML."""
    return f"<p>{escape(text)}</p>"


def html_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return cells of text as a table of HTML."""
    titles = "".join(f"<th>{escape(title)}</th>" for title in head)
    lines = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{lines}</tbody></table>"
