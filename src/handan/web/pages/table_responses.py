"""The same table as page, CSV or JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

from django.http import HttpResponse, StreamingHttpResponse

from handan.club.store.computing import throttle
from handan.files.io.csv_text import without_formulas
from handan.web.plain_data import as_json, each

Item = TypeVar("Item")
AT_ONCE = 5_000  # our choice: rows that are written and sent at once

SEPARATING = re.compile(r'[,;"\t\r\n]')


def csv_response(rows: Iterable[Mapping[str, Any]], names: tuple[str, ...], file: str) -> StreamingHttpResponse:
    """Return rows as CSV, as `csv_of_columns` does, but so few that nobody has to wait for them."""
    tables = ({name: [row[name] for row in part] for name in names} for part in parts(rows))
    return _csv(_lines(tables, names), file)


def csv_of_columns(
    tables: Iterable[Mapping[str, Sequence[Any]]], names: tuple[str, ...], file: str
) -> StreamingHttpResponse:
    """Return columns of tables, one behind the other, as CSV in UTF-8, quoted as RFC 4180 says; written as it is sent.

    A text that a spreadsheet would take for a formula is preceded by an apostrophe; numbers are left alone. What it
    takes counts for who asks: ThrottledError for who has let the server work out too much.
    """
    return _csv(throttle.counted(_lines(tables, names)), file)


def _lines(tables: Iterable[Mapping[str, Sequence[Any]]], names: tuple[str, ...]) -> Iterator[str]:
    yield ",".join(names) + "\n"
    for table in tables:
        rows = zip(*(_once(table[name], _cell) for name in names), strict=True)
        yield "".join(f"{','.join(row)}\n" for row in rows)


def _csv(lines: Iterable[str], file: str) -> StreamingHttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{file}.csv"'}
    return StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8", headers=headers)


def json_list(parts: Iterable[Iterable[str]]) -> StreamingHttpResponse:
    """Return items that are JSON already as a list in JSON, written and counted as `csv_of_columns` does."""

    def text() -> Iterator[str]:
        before = "["
        for part in parts:
            if items := ", ".join(part):
                yield before + items
                before = ", "
        yield "]" if before == ", " else "[]"

    return StreamingHttpResponse(throttle.counted(text()), content_type="application/json")


def json_rows(table: Mapping[str, Sequence[Any]]) -> Iterator[str]:
    """Return the rows of columns as JSON objects."""
    pattern = "{" + ", ".join(f"{as_json(name)}: %s" for name in table) + "}"
    return (pattern % row for row in zip(*(_once(column, as_json) for column in table.values()), strict=True))


def parts(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Go through items in parts of a size that is sent at once."""
    rest = iter(items)
    while part := list(islice(rest, AT_ONCE)):
        yield part


def attached(content: str | bytes, file: str, kind: str) -> HttpResponse:
    """Return a file that a browser saves."""
    return HttpResponse(content, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{file}"'})


def json_response(data: Any) -> HttpResponse:
    """Return plain data as JSON."""
    return HttpResponse(as_json(data), content_type="application/json")


def _once(column: Sequence[Any], make: Callable[[Any], str]) -> list[str]:
    """Return what is written of each value, once of those that are equal; 0.0 and -0.0 are, and are not written so."""
    return [make(value) for value in column] if float in set(map(type, column)) else each(column, make)


def _cell(value: Any) -> str:
    """Return a cell, quoted where a program could take a character for its end, whatever separates its columns."""
    if value is None:
        return ""
    if not isinstance(value, str):
        return str(value)
    text = without_formulas(value)
    return '"' + text.replace('"', '""') + '"' if SEPARATING.search(text) else text
