"""The rows of the ladder as HTML, written out here since a template takes ten times as long for a large club."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from handan.club.standings import Standings
from handan.web.pages.formatting import ladder_row, rating_digits
from handan.web.pages.links import Links


def ladder_body(
    slug: str,
    standings: Standings,
    others: Mapping[str, Standings],
    rows: Iterable[Mapping[str, Any]],
    columns: Mapping[str, bool],
) -> SafeString:
    """Return rows of the ladder as HTML; those that say what they said before an entry are not made again.

    Args:
        slug: Short name of the club.
        standings: Whose rows they are.
        others: Standings under other systems beside them.
        rows: Of `Standings.rows`, those that are shown.
        columns: Which of the columns `standing_still`, `deviations`, `drawn` and `pools` the table has.
    """
    players = Links("player", slug)
    look = (tuple(columns.values()), rating_digits(standings), players.before)
    still, updated, person = standings.standing_still, standings.last_updated, standings.state.person

    def written(row: Mapping[str, Any]) -> str:
        return _row(ladder_row(standings, others, row), columns, players)

    def text(row: Mapping[str, Any]) -> str:
        key = row["key"]
        more = (look, still.get(key), updated.get(key), person(key))
        return written(row) if others else standings.text_of("ladder", row, more, written)

    lines = [f"<tr>{_number(row['place'])}{text(row)}</tr>" for row in rows]
    return mark_safe("\n".join(lines))  # noqa: S308  # each text is escaped


def _row(row: Mapping[str, Any], columns: Mapping[str, bool], players: Links) -> str:
    """Return the cells of a row behind its place."""
    reading = f" <small>{escape(row['reading'])}</small>" if row["reading"] else ""
    name = f'<a href="{players.to(row["key"])}">{escape(row["player"])}</a>{reading}'
    cells = [f"<td>{name}</td><td>{escape(row['rank'])}</td>"]
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
    return "".join(cells)


def _number(figure: object, look: str = "") -> str:
    return f'<td class="n {look}">{figure}</td>' if look else f'<td class="n">{figure}</td>'
