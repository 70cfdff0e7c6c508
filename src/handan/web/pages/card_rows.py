"""The rows of a player's card and of the list of games as HTML; see `ladder_rows` why they are no templates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any
from urllib.parse import quote

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from handan.web.pages.links import Links

Row = Mapping[str, Any]


def card_body(slug: str, lines: Iterable[Row], *, weights: bool, comments: bool) -> SafeString:
    """Return the rows of `formatting.line_row` as HTML, with a column of weights and one of comments if asked."""
    games, players = Links("game", slug), Links("player", slug)
    rows = (_card_row(line, games, players, weights=weights, comments=comments) for line in lines)
    return mark_safe("".join(rows))  # noqa: S308  # each text is escaped


def _card_row(line: Row, games: Links, players: Links, *, weights: bool, comments: bool) -> str:
    cells = [*_occasion(line, games, players)]
    cells += [_wide(line["colour"]), _wide(line["terms"]), f"<td>{escape(line['result'])}</td>", _wide(line["winner"])]
    if weights:
        cells.append(_wide(line["weight"], "n wide-only"))
    cells += [_wide(line["before"], "n wide-only"), f"<td>{_why(line)}</td>", _wide(line["after"], "n strong")]
    risen = f" <small>from {escape(line['rank_before'])}</small>" if line["promoted"] and line["rank_before"] else ""
    cells.append(f"<td>{escape(line['rank_after'])}{risen}</td>")
    if comments:
        cells.append(_wide(line["comment"]))
    head = '<tr class="promoted">' if line["promoted"] else "<tr>"
    return f"{head}{''.join(cells)}</tr>\n"


def _occasion(line: Row, games: Links, players: Links) -> tuple[str, str]:
    """Return the cells that say when it was and against whom, or who set the rank by hand."""
    name = escape(line["name"])
    if not line["game"]:
        return f"<td>{escape(line['date'])}</td>", f"<td>{name}: <em>adjustment</em> {escape(line['note'])}</td>"
    rank = f" <small>{escape(line['opponent_rank'])}</small>" if line["opponent_rank"] else ""
    return (
        f'<td><a href="{games.to(line["game"])}">{escape(line["date"] or line["game"])}</a></td>',
        f'<td><a href="{players.to(line["opponent"])}">{name}</a>{rank}</td>',
    )


def _why(line: Row) -> str:
    """Return the change, which opens to say how it came about."""
    change = line["change"]
    way = {"+": "up", "-": "down"}.get(change[:1], "")
    parts = [f'<details class="why"><summary><span class="n {way}">{escape(change)}</span></summary>']
    if line["arithmetic"]:
        parts.append(f'<p class="arithmetic">{escape(line["arithmetic"])}</p>')
    if line["factors"]:
        factors = "".join(f"{factor}\n" for factor in line["factors"])
        parts.append(f"<pre>{escape(factors)}</pre>")
    if line["facts"]:
        facts = "; ".join(f"{escape(name)}: {escape(value)}" for name, value in line["facts"])
        parts.append(f'<p class="facts">{facts}</p>')
    if line["note"]:
        parts.append(f"<p>{escape(line['note'])}</p>")
    return "\n".join(parts) + "</details>"


def _wide(text: str, look: str = "wide-only") -> str:
    return f'<td class="{look}">{escape(text)}</td>'


def record_body(slug: str, label: str, record: Iterable[Row]) -> SafeString:
    """Return the rows of a player's record against each opponent as HTML."""
    players, terms = Links("player", slug), f"{reverse('terms', args=(slug,))}?one={quote(label)}&amp;other="
    rows = []
    for row in record:
        figures = (row["games"], row["win"], row["loss"], row["jigo"] or "", row["change"])
        cells = "".join(f'<td class="n">{figure}</td>' for figure in figures)
        name = f'<a href="{players.to(row["key"])}">{escape(row["name"])}</a>'
        link = f'<a href="{terms}{quote(row["name"])}">terms</a>'
        rows.append(f"<tr><td>{name}</td>{cells}<td>{link}</td></tr>")
    return mark_safe("".join(rows))  # noqa: S308  # each text is escaped


def games_body(slug: str, rows: Iterable[Row]) -> SafeString:
    """Return the rows of `formatting.game_row` as HTML."""
    games, players = Links("game", slug), Links("player", slug)
    return mark_safe("".join(_game_row(row, games, players) for row in rows))  # noqa: S308  # each text is escaped


def _game_row(row: Row, games: Links, players: Links) -> str:
    sides = [f'<a href="{players.to(row[side])}">{escape(row[side + "_name"])}</a>' for side in ("black", "white")]
    cells = [f'<a href="{games.to(row["key"])}">{escape(row["date"] or row["key"])}</a>', *sides]
    cells.append(escape(row["result"]))
    wide = (row["terms"], f"{row['kind']} {row['event']}")
    head = '<tr class="withdrawn">' if row["withdrawn"] else "<tr>"
    plain = "".join(f"<td>{cell}</td>" for cell in cells)
    return f"{head}{plain}{''.join(_wide(text) for text in wide)}<td>{escape(row['status'])}</td></tr>\n"
