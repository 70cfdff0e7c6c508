"""The same table as page, CSV or JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.http import HttpResponse, StreamingHttpResponse

from handan.web.plain_data import as_json

FORMULA = re.compile(r"(^|[;\t\r\n])([=+\-@\t\r])")
"""Where a spreadsheet sees a formula begin: at the start of a cell, also if it takes `;` or a tab for its end."""
SEPARATING = re.compile(r'[,;"\t\r\n]')


def csv_answer(
    rows: Iterable[Mapping[str, Any]], names: tuple[str, ...], file: str, *, whole: bool = False
) -> StreamingHttpResponse:
    """Return rows as CSV in UTF-8, quoted as RFC 4180 says; written at once if `whole`, else while it is sent.

    A text that a spreadsheet would take for a formula is preceded by an apostrophe; numbers are left alone.
    """

    def lines() -> Iterator[str]:
        yield ",".join(names) + "\n"
        for row in rows:
            yield ",".join(_cell(row[name]) for name in names) + "\n"

    text = iter(["".join(lines())]) if whole else lines()
    answer = StreamingHttpResponse(text, content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{file}.csv"'
    return answer


def json_answer(data: Any) -> HttpResponse:
    """Return plain data as JSON."""
    return json_text(as_json(data))


def json_text(text: str) -> HttpResponse:
    """Return JSON that is written already."""
    return HttpResponse(text, content_type="application/json")


def _cell(value: Any) -> str:
    """Return a cell, quoted where a program could take a character for its end, whatever separates its columns."""
    if value is None:
        return ""
    if not isinstance(value, str):
        return str(value)
    text = FORMULA.sub(r"\1'\2", value)
    return '"' + text.replace('"', '""') + '"' if SEPARATING.search(text) else text
