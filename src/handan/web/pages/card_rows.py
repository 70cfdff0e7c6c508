"""The rows of a player's card and of the list of games as HTML; see `ladder_rows` why they are no templates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import Any
from urllib.parse import quote

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from handan.web.pages.links import Links
from handan.web.templatetags.wording import day, figure, table_rank, word

Row = Mapping[str, Any]
Names = Callable[[str], str]
"""What writes a player's name as HTML: `wording.named` of a page."""
WAYS = {"win": "up", "loss": "down"}


def card_body(slug: str, lines: Iterable[Row], names: Names, *, weights: bool, comments: bool) -> SafeString:
    """Return the rows of `formatting.line_row` as HTML, with a column of weights and one of comments if asked.

    Each row that has a reason is followed by one over the whole width, which stands open where an address ends with its
    key, so that a step of the chart leads there, and no script is needed.
    """
    games, players = Links("game", slug), Links("player", slug)
    columns = 11 + weights + comments
    rows = (
        _card_row(line, games, players, names, weights=weights, comments=comments) + _why_row(line, columns, names)
        for line in lines
    )
    return mark_safe("".join(rows))  # noqa: S308  # each text is escaped


def _card_row(line: Row, games: Links, players: Links, names: Names, *, weights: bool, comments: bool) -> str:
    change = line["change"]
    way = {"+": "up", "-": "down"}.get(change[:1], "")
    cells = [*_occasion(line, games, players, names)]
    cells += [
        f"<td>{_stone(line['colour'])}</td>",
        _cell(line["terms"], label=gettext("Terms")),
        _cell(word(line["result"]), f"strong {WAYS.get(line['result'], '')}".strip()),
        _cell(word(line["winner"]), label=gettext("Winner")),
    ]
    if weights:
        cells.append(_cell(figure(line["weight"]), "n", gettext("Weight")))
    cells += [
        _cell(figure(line["before"]), "n", gettext("Before")),
        _cell(figure(change), f"n {way}".strip(), gettext("Change")),
        _cell(figure(line["after"]), "n strong", gettext("After")),
    ]
    risen = ""
    if line["promoted"] and line["rank_before"]:
        earlier = gettext("from %(rank)s") % {"rank": table_rank(line["rank_before"])}
        risen = f" <small>{escape(earlier)}</small>"
    look = ' class="seal"' if line["risen"] else ""
    cells.append(f"<td><span{look}>{escape(table_rank(line['rank_after']))}</span>{risen}</td>")
    if comments:
        cells.append(_cell(line["comment"], "line"))
    question = gettext("Why")
    why = f'<a class="why-link" href="#{line["game"]}">{question}</a>' if _is_explained(line) else ""
    cells.append(f'<td class="last">{why}</td>')
    return f"<tr>{''.join(cells)}</tr>\n"


def _occasion(line: Row, games: Links, players: Links, names: Names) -> tuple[str, str]:
    """Return the cells that say when it was and against whom, or who set the rank by hand."""
    name = names(line["name"])
    if not line["game"]:
        kind = gettext("adjustment")
        by_hand = f"<em>{kind}</em> {escape(word(line['note']))}"
        return f'<td class="nowrap">{escape(day(line["date"]))}</td>', f'<td class="first">{name}: {by_hand}</td>'
    opponent_rank = f" <small>{escape(table_rank(line['opponent_rank']))}</small>" if line["opponent_rank"] else ""
    return (
        f'<td class="nowrap"><a href="{games.to(line["game"])}">{escape(day(line["date"]) or line["game"])}</a></td>',
        f'<td class="first"><a href="{players.to(line["opponent"])}">{name}</a>{opponent_rank}</td>',
    )


def _stone(colour: str) -> str:
    """Return the stone that the player held, and its word: colour alone says nothing to some."""
    if not colour:
        return ""
    look = "stone black" if colour == "black" else "stone"
    return f'<span class="nowrap"><span class="{look}"></span> {escape(word(colour))}</span>'


def _is_explained(line: Row) -> bool:
    return bool(line["game"] and (line["arithmetic"] or line["factors"] or line["facts"] or line["note"]))


def _why_row(line: Row, columns: int, names: Names) -> str:
    """Return the row that says how a change came about."""
    if not _is_explained(line):
        return ""
    change, name = figure(line["change"]), names(line["name"])
    head = gettext("Why %(change)s on %(day)s against %(name)s") % {
        "change": change, "day": day(line["date"]) or line["game"], "name": "\x00"}  # fmt: skip
    parts = [f"<h3>{escape(head).replace(chr(0), name)}</h3>"]
    if line["arithmetic"]:
        parts.append(f'<p class="arithmetic">{escape(figure(line["arithmetic"]))}</p>')
    if line["factors"]:
        factors = "".join(f"{factor}\n" for factor in line["factors"])
        parts.append(f"<pre>{escape(factors)}</pre>")
    if line["facts"]:
        facts = "; ".join(f"{escape(name)}: {escape(value)}" for name, value in line["facts"])
        parts.append(f'<p class="facts">{facts}</p>')
    if line["note"]:
        parts.append(f"<p>{escape(word(line['note']))}</p>")
    close = gettext("Close")
    parts.append(f'<a class="close" href="#games">{close}</a>')
    return f'<tr class="why" id="{line["game"]}"><td colspan="{columns}">{"".join(parts)}</td></tr>\n'


def _cell(text: str, look: str = "", label: str = "") -> str:
    """Return a cell, with its column's name for phones where it has one; an empty one is left out there."""
    name = f' data-label="{escape(label)}"' if label else ""
    classes = f' class="{look}"' if look else ""
    return f"<td{classes}{name}>{escape(text)}</td>"


def record_body(slug: str, label: str, record: Iterable[Row], names: Names) -> SafeString:
    """Return the rows of a player's record against each opponent as HTML."""
    players = Links("player", slug)
    pairs = f"{reverse('pair', args=(slug,))}?one={quote(label)}&amp;other="
    rows, link_text = [], gettext("all games, and tonight")
    labels = [gettext(name) for name in ("Games", "Won", "Lost", "Jigo", "Changes together")]
    for row in record:
        figures = (row["games"], row["win"], row["loss"], row["jigo"] or "", figure(row["change"]))
        cells = "".join(_cell(str(text), "n", label) for text, label in zip(figures, labels, strict=True))
        name = f'<a href="{players.to(row["key"])}">{names(row["name"])}</a>'
        link = f'<a href="{pairs}{quote(row["name"])}">{link_text}</a>'
        rows.append(f'<tr><td class="first">{name}</td>{cells}<td>{link}</td></tr>')
    return mark_safe("".join(rows))  # noqa: S308  # each text is escaped


def games_body(slug: str, rows: Iterable[Row], names: Names) -> SafeString:
    """Return the rows of `formatting.game_row` as HTML."""
    games, players = Links("game", slug), Links("player", slug)
    return mark_safe("".join(_game_row(row, games, players, names) for row in rows))  # noqa: S308  # each text is escaped


def _game_row(row: Row, games: Links, players: Links, names: Names) -> str:
    sides = [f'<a href="{players.to(row[side])}">{names(row[side + "_name"])}</a>' for side in ("black", "white")]
    head = '<tr class="withdrawn">' if row["withdrawn"] else "<tr>"
    link = f'<td class="nowrap"><a href="{games.to(row["key"])}">{escape(day(row["date"]) or row["key"])}</a></td>'
    stones = ('<span class="stone black"></span> ', '<span class="stone"></span> ')
    cells = "".join(f"<td>{stone}{side}</td>" for stone, side in zip(stones, sides, strict=True))
    texts = (escape(row["result"]), escape(row["terms"]), escape(f"{word(row['kind'])} {row['event']}".strip()))
    plain = "".join(f"<td>{text}</td>" for text in (*texts, escape(word(row["status"]))))
    return f"{head}{link}{cells}{plain}</tr>\n"
