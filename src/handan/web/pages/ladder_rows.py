"""The rows of the ladder as HTML, written out here since a template takes ten times as long for a large club."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

PLACEHOLDER = "KEY"


def ladder_body(slug: str, rows: Iterable[Mapping[str, Any]], columns: Mapping[str, bool]) -> SafeString:
    """Return the rows of `formatting.ladder_rows` as HTML.

    Args:
        slug: Short name of the club.
        rows: As they are shown.
        columns: Which of the columns `standing_still`, `deviations`, `drawn` and `pools` the table has.
    """
    before, _, behind = reverse("player", args=(slug, PLACEHOLDER)).rpartition(PLACEHOLDER)
    return mark_safe("\n".join(_row(row, columns, before, behind) for row in rows))  # noqa: S308  # each text is escaped


def _row(row: Mapping[str, Any], columns: Mapping[str, bool], before: str, behind: str) -> str:
    reading = f" <small>{escape(row['reading'])}</small>" if row["reading"] else ""
    name = f'<a href="{before}{quote(row["key"])}{behind}">{escape(row["player"])}</a>{reading}'
    cells = [_number(row["place"]), f"<td>{name}</td><td>{escape(row['rank'])}</td>"]
    cells.append(_number(row["rating_text"], "strong"))
    if columns["standing_still"]:
        cells.append(_number(row["today_text"]))
    cells += [_number(figure, "wide-only") for figure in row["beside_rating"]]
    if columns["deviations"]:
        cells.append(_number(row["deviation_text"]))
    cells += [_number(f"{escape(other['rank'])} {other['rating']}", "beside") for other in row["beside"]]
    cells += [_number(row[name]) for name in ("games", "wins", "losses")]
    if columns["drawn"]:
        cells.append(_number(row["draws"] or ""))
    cells += [f'<td class="wide-only">{row[name]}</td>' for name in ("last_played", "last_updated")]
    if columns["pools"]:
        cells.append(_number(row["pool"] or "", "wide-only"))
    return f"<tr>{''.join(cells)}</tr>"


def _number(figure: object, look: str = "") -> str:
    return f'<td class="n {look}">{figure}</td>' if look else f'<td class="n">{figure}</td>'
