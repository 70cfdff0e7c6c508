"""The tables of web pages as grids of text; scripts, styles and all else of a page are passed over.

Python's own reader of pages goes over the rest of a page again for every tag that does not end; this one goes over each
character once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import NamedTuple

from handan.files.io.limits import Limits

TITLES = frozenset(("h1", "h2", "h3", "h4", "caption"))
CELLS = frozenset(("td", "th"))
NAME = re.compile(r"(/?)([A-Za-z][A-Za-z0-9]{0,15})")
RAW = {name: re.compile(f"</{name}", re.IGNORECASE) for name in ("script", "style", "template", "noscript")}
"""Elements that are passed over, and how they end."""
COLSPAN = re.compile(r"""\bcolspan\s{0,3}=\s{0,3}["']?([0-9]{1,3})""", re.IGNORECASE)
MOST_SPAN = 100  # columns that one cell stands for; our choice
MOST_TITLES = 5  # lines above a table that may name it; our choice
LONGEST_TITLE = 300  # characters; our choice
LONGEST_ATTRIBUTES = 1_000  # characters of a tag in which a number of columns is looked for; our choice


@dataclass(frozen=True, slots=True)
class WebTable:
    """A table of a page."""

    titles: tuple[str, ...]
    """The headings of the page above it."""
    rows: list[list[str]]


class Token(NamedTuple):
    """Text, or a tag, of a page."""

    text: str
    """The text; of a tag what stands behind its name."""
    tag: str = ""
    """Its name in small letters; empty for text."""
    ends: bool = False
    """Whether the tag ends an element."""


def web_tables(text: str, source: str, limits: Limits) -> list[WebTable]:
    """Return the tables of a page in which no other table stands.

    Raises:
        InputError: There are more cells than a worksheet may have, or tables within tables beyond the limit.
    """
    page = _Page(source, limits)
    for token in _tokens(text):
        page.add(token)
    page.end()
    return page.tables


def _tokens(text: str) -> Iterator[Token]:
    """Go through the text and the tags of a page."""
    place = 0
    while (start := text.find("<", place)) >= 0:
        if start > place:
            yield Token(text[place:start])
        name = NAME.match(text, start + 1)
        if name is None and text[start + 1 : start + 2] not in ("!", "?"):
            yield Token("<")
            place = start + 1
            continue
        end = _end_of_tag(text, start)
        if end < 0:
            return
        place = end + 1
        if name is not None:
            yield Token(text[name.end() : end], name[2].lower(), bool(name[1]))
            place = _behind_raw(text, name, place)
    yield Token(text[place:])


def _behind_raw(text: str, tag: re.Match[str], place: int) -> int:
    """Return the place behind an element that is passed over and that a tag begins; the same place for any other."""
    ending = RAW.get(tag[2].lower())
    if ending is None or tag[1]:
        return place
    close = ending.search(text, place)
    return close.start() if close else len(text)


def _end_of_tag(text: str, start: int) -> int:
    """Return where the tag or remark that begins at a place ends, no mark between quotes; -1 if nothing ends it."""
    if text.startswith("<!--", start):
        place = text.find("-->", start + 4)
        return place + 2 if place >= 0 else -1
    end, quotes = text.find(">", start), 0
    while end >= 0:
        quotes += text.count('"', start, end)
        if quotes % 2 == 0:
            return end
        start, end = end, text.find(">", end + 1)
    return -1


@dataclass(slots=True)
class _Open:
    """A table that is being read."""

    titles: tuple[str, ...]
    rows: list[list[str]] = field(default_factory=list)
    row: list[str] | None = None
    cell: list[str] | None = None
    """Pieces of the text of the cell that is being read."""
    span: int = 1
    nested: bool = False
    """Whether another table stands in it."""


@dataclass(slots=True)
class _Page:
    """Gathers the cells of tables; cells and rows end where the next begins, as in old pages."""

    source: str
    limits: Limits
    tables: list[WebTable] = field(default_factory=list)
    open: list[_Open] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    title: list[str] | None = None
    """Pieces of the heading that is being read."""
    cells: int = 0

    def add(self, token: Token) -> None:
        """Add text, or begin or end what a tag does."""
        if not token.tag or token.tag == "br":
            self._add_text(token.text if not token.tag else " ")
        elif token.tag in TITLES:
            self._turn_title(ends=token.ends)
        elif token.tag == "table" and not token.ends:
            if self.open:
                self.open[-1].nested = True
            if len(self.open) >= self.limits.depth:
                raise self.limits.exceeded("depth", self.source)
            self.open.append(_Open(tuple(self.titles[-MOST_TITLES:])))
        elif self.open and token.tag == "table":
            self._end_table()
        elif self.open and token.tag == "tr":
            self._end_row()
        elif self.open and token.tag in CELLS:
            self._end_cell()
            if not token.ends:
                self._begin_cell(token.text[:LONGEST_ATTRIBUTES])

    def end(self) -> None:
        """End what the page leaves open."""
        while self.open:
            self._end_table()

    def _add_text(self, text: str) -> None:
        if self.open and self.open[-1].cell is not None:
            self.open[-1].cell.append(text)
        elif self.title is not None:
            self.title.append(text)

    def _turn_title(self, *, ends: bool) -> None:
        """Begin or end a heading of the page."""
        if ends and self.title is not None:
            text = _plain(self.title)[:LONGEST_TITLE]
            self.titles += [text] if text else []
        self.title = None if ends else []

    def _begin_cell(self, attributes: str) -> None:
        table = self.open[-1]
        span = COLSPAN.search(attributes)
        table.row = [] if table.row is None else table.row
        table.cell, table.span = [], min(MOST_SPAN, max(1, int(span[1]))) if span else 1

    def _end_cell(self) -> None:
        table = self.open[-1]
        if table.cell is None or table.row is None:
            return
        table.row += [_plain(table.cell)] + [""] * (table.span - 1)
        table.cell = None
        self.cells += table.span
        self.limits.check("cells", self.cells, self.source)

    def _end_row(self) -> None:
        self._end_cell()
        table = self.open[-1]
        if table.row:
            table.rows.append(table.row)
        table.row = None

    def _end_table(self) -> None:
        self._end_row()
        table = self.open.pop()
        if table.rows and not table.nested:
            self.tables.append(WebTable(table.titles, table.rows))


def _plain(pieces: list[str]) -> str:
    """Return text with single blanks, and characters in place of their names."""
    return " ".join(unescaped("".join(pieces)).split())


def unescaped(text: str) -> str:
    """Return text with characters in place of `&amp;` and `&#233;`; as it stands if a number has too many digits."""
    try:
        return unescape(text)
    except ValueError:
        return text
