"""Tables and paragraphs for notebooks, as HTML that loads nothing from a network."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

FIGURE = re.compile(r"[-+−–±%#.,\s\d]*")
SENTENCE = 30  # characters; our choice: longer cells wrap


def paragraph(text: str) -> str:
    """Return a text as a paragraph of HTML."""
    return f"<p>{escape(text)}</p>"


def html_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return cells of text as a table of HTML: figures to the right, words to the left, and only sentences wrap."""
    lines = [list(row) for row in rows]
    styles = [_style([line[place] for line in lines]) for place in range(len(head))]
    titles = _cells("th", head, styles)
    body = "".join(f"<tr>{_cells('td', line, styles)}</tr>" for line in lines)
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table>"


def _cells(tag: str, texts: Sequence[str], styles: Sequence[str]) -> str:
    cells = zip(texts, styles, strict=True)
    return "".join(f'<{tag} style="{style}">{escape(text)}</{tag}>' for text, style in cells)


def _style(cells: Sequence[str]) -> str:
    """Return the style of a column of these cells; a notebook's own puts all to the right and wraps within dates."""
    align = "right" if all(FIGURE.fullmatch(cell) for cell in cells) else "left"
    return f"text-align: {align}" + ("" if max(map(len, cells), default=0) > SENTENCE else "; white-space: nowrap")
