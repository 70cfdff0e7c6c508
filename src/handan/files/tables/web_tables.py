"""The tables of web pages as grids of text; scripts, styles and all else of a page are passed over."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

from handan.errors import InputError
from handan.files.io.limits import Limits

TITLES = frozenset(("h1", "h2", "h3", "h4", "caption"))
UNREAD = frozenset(("script", "style", "template", "noscript"))
CELLS = frozenset(("td", "th"))
MOST_SPAN = 100  # columns that one cell stands for; our choice
MOST_TITLES = 5  # lines above a table that may name it; our choice


@dataclass(frozen=True, slots=True)
class WebTable:
    """A table of a page."""

    titles: tuple[str, ...]
    """The headings of the page above it."""
    rows: list[list[str]]


def web_tables(text: str, source: str, limits: Limits) -> list[WebTable]:
    """Return the tables of a page, from the outer ones those of which no cell holds a table.

    Raises:
        InputError: There are more cells than a worksheet may have.
    """
    parser = _Parser(source, limits)
    try:
        parser.feed(text)
        parser.close()
    except AssertionError:  # the parser's own, of declarations that no browser knows
        raise InputError(f"{source} is a web page that cannot be read") from None
    return parser.tables


@dataclass
class _Open:
    """A table that is being read."""

    titles: tuple[str, ...]
    rows: list[list[str]] = field(default_factory=list)
    cell: list[str] | None = None
    """Pieces of the text of the cell that is being read."""
    span: int = 1
    row: list[str] | None = None
    nested: bool = False


class _Parser(HTMLParser):
    """Gathers the cells of tables; cells and rows end where the next begins, as in old pages."""

    def __init__(self, source: str, limits: Limits) -> None:
        super().__init__(convert_charrefs=True)
        self.source, self.limits = source, limits
        self.tables: list[WebTable] = []
        self.open: list[_Open] = []
        self.titles: list[str] = []
        self.title: list[str] | None = None
        self.unread = 0
        self.cells = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a table, a row, a cell or a title."""
        if tag in UNREAD:
            self.unread += 1
        elif tag == "table":
            if self.open:
                self.open[-1].nested = True
            if len(self.open) >= self.limits.depth:
                raise self.limits.exceeded("depth", self.source)
            self.open.append(_Open(tuple(self.titles[-MOST_TITLES:])))
        elif tag == "tr" and self.open:
            self._end_row()
        elif tag in CELLS and self.open:
            self._end_cell()
            spans = [value for name, value in attrs if name == "colspan" and value and value.isdecimal()]
            table = self.open[-1]
            table.row = table.row if table.row is not None else []
            table.cell, table.span = [], min(MOST_SPAN, max(1, int(spans[0][:4]))) if spans else 1
        elif tag in TITLES:
            self.title = []
        elif tag == "br":
            self.handle_data(" ")

    def handle_endtag(self, tag: str) -> None:
        """End a table, a row, a cell or a title."""
        if tag in UNREAD:
            self.unread = max(0, self.unread - 1)
        elif tag in CELLS and self.open:
            self._end_cell()
        elif tag == "tr" and self.open:
            self._end_row()
        elif tag == "table" and self.open:
            self._end_row()
            table = self.open.pop()
            if table.rows and not table.nested:
                self.tables.append(WebTable(table.titles, table.rows))
        elif tag in TITLES and self.title is not None:
            text = " ".join("".join(self.title).split())
            self.titles += [text] if text else []
            self.title = None

    def handle_data(self, data: str) -> None:
        """Add text to the cell or the title that is being read."""
        if self.unread:
            return
        if self.open and self.open[-1].cell is not None:
            self.open[-1].cell.append(data)
        elif self.title is not None:
            self.title.append(data)

    def _end_cell(self) -> None:
        table = self.open[-1]
        if table.cell is None or table.row is None:
            return
        text = " ".join("".join(table.cell).replace("\xa0", " ").split())
        table.row += [text] + [""] * (table.span - 1)
        table.cell = None
        self.cells += table.span
        if self.cells > self.limits.cells:
            raise self.limits.exceeded("cells", self.source)

    def _end_row(self) -> None:
        self._end_cell()
        table = self.open[-1]
        if table.row:
            table.rows.append(table.row)
        table.row = None

    def close(self) -> None:
        """End what the page leaves open."""
        super().close()
        while self.open:
            self.handle_endtag("table")
