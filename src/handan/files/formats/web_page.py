"""Web pages whose tables hold games, such as the standings that OpenGotha publishes; each table is as a worksheet."""

from __future__ import annotations

import re

from handan.errors import Clause, InputError, QuestionError
from handan.files.cells.dates import EPOCH
from handan.files.formats.workbook import Sheet, read_sheets
from handan.files.games.contents import Contents
from handan.files.games.format import Format
from handan.files.io.cells import warning_of_guess
from handan.files.io.decoding import to_utf8
from handan.files.io.office_documents import SAVED_AS_TABLE
from handan.files.io.options import Options
from handan.files.io.web_tables import WebTable, web_tables

WEB_PAGE = re.compile(
    rb"\s*+(?:<\?xml[^>]*+>\s*+)?(?:<!--.{0,500}?-->\s*+)?<(?:!doctype html|html|head|body|table|meta)\b",
    re.IGNORECASE | re.DOTALL,
)


def sniff(head: bytes) -> bool:
    """Return whether a file begins like a web page."""
    return WEB_PAGE.match(head.removeprefix(b"\xef\xbb\xbf")) is not None


def read(data: bytes, source: str, options: Options) -> Contents:
    """Read the games of all tables of a page; InputError if none holds any."""
    options.limits.check("text", len(data), source)
    data, guess = to_utf8(data, source, options)
    sheets = [
        _sheet(table, number) for number, table in enumerate(web_tables(data.decode(), source, options.limits), 1)
    ]
    if not sheets:
        pattern = "{source} is a web page, whatever it is called, and has no table in it; {remedy}"
        raise InputError(Clause.of(pattern, source=source, remedy=Clause.of(SAVED_AS_TABLE)))
    try:
        contents = read_sheets(sheets, source, options, "table")
    except QuestionError:
        raise
    except InputError:
        pattern = "{source} is a web page, whatever it is called, and no table in it is one of games; {remedy}"
        raise InputError(Clause.of(pattern, source=source, remedy=Clause.of(SAVED_AS_TABLE))) from None
    contents.problems[:0] = warning_of_guess(guess, source)
    return contents


def _sheet(table: WebTable, number: int) -> Sheet:
    """Return a table as a worksheet, under the headings of the page above it."""
    rows = [[title] for title in table.titles] + table.rows
    width = max(map(len, rows))
    filled = [row + [""] * (width - len(row)) for row in rows]
    return Sheet(f"table {number}", filled, visible=True, hidden=frozenset(), epoch=EPOCH)


WEB_PAGE_TABLES = Format("web page", sniff, read)
