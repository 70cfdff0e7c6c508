"""The rows of the ladder as HTML, written out here since a template takes ten times as long for a large club."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext, pgettext

from handan.club.movement import Movement
from handan.club.standings import Standings
from handan.paper.names import language_of
from handan.web.pages.formatting import ladder_row, rating_digits
from handan.web.pages.links import Links
from handan.web.pages.wall import move_mark
from handan.web.pages.wording import day, figure, is_long, page_language, table_rank


def ladder_body(
    players: Links,
    standings: Standings,
    others: Mapping[str, Standings],
    rows: Iterable[Mapping[str, Any]],
    columns: Mapping[str, bool],
    moves: Mapping[str, Movement],
) -> SafeString:
    """Return rows of the ladder as HTML; those that say what they said before an entry are not made again.

    Args:
        players: Addresses of players.
        standings: Whose rows they are.
        others: Standings under other systems beside them.
        rows: Of `Standings.rows`, those that are shown.
        columns: Which of the columns `standing_still`, `deviations`, `drawn`, `pools` and `moves` the table has.
        moves: How far players have come of late, by key.
    """
    language = page_language()
    look = (language, tuple(columns.values()), rating_digits(standings), players.before, players.behind)
    still, updated, person = standings.standing_still, standings.last_updated, standings.state.person

    def written(row: Mapping[str, Any]) -> str:
        moved = move_mark(moves.get(row["key"]), rating_digits(standings)) if columns["moves"] else ""
        return _row(ladder_row(standings, others, row), columns, players, language, moved)

    def text(row: Mapping[str, Any]) -> str:
        key = row["key"]
        more = (look, still.get(key), updated.get(key), person(key), moves.get(key))
        return written(row) if others else standings.text_of(f"ladder {language}", row, more, written)

    lines = [f"<tr>{_number(row['place'])}{text(row)}</tr>" for row in rows]
    return mark_safe("\n".join(lines))  # noqa: S308  # each text is escaped


def _row(row: Mapping[str, Any], columns: Mapping[str, bool], players: Links, language: str, moved: str) -> str:
    """Return the cells of a row behind its place, each with its column's name for phones, where rows become lines."""
    reading = f" <small>{escape(row['reading'])}</small>" if row["reading"] else ""
    lang = language_of(row["player"], row["reading"], row["country"], language)
    own = f' lang="{lang}"' if lang else ""
    own += ' class="long-name"' if is_long(row["player"]) else ""
    name = f'<a href="{players.to(row["key"])}"{own}>{escape(row["player"])}</a>{reading}'
    cells = [f'<td class="first">{name}</td><td>{escape(table_rank(row["rank"]))}</td>']
    cells.append(_number(figure(row["rating_text"]), "strong"))
    if columns["standing_still"]:
        cells.append(_number(figure(row["today_text"]), label=gettext("Today")))
    if moved:
        cells.append(_number(moved, label=gettext("Change")))
    beside = zip(row["beside_names"], row["beside_rating"], strict=True)
    cells += [_number(figure(text), label=capfirst(gettext(name))) for name, text in beside]
    if columns["deviations"]:
        cells.append(_number(figure(row["deviation_text"]), label="±"))
    cells += [
        _number(f"{escape(table_rank(other['rank']))} {figure(other['rating'])}", "beside", other["system"])
        for other in row["beside"]
    ]
    counts = (("games", gettext("Games")), ("wins", gettext("Won")), ("losses", gettext("Lost")))
    cells += [_number(row[name], label=label) for name, label in counts]
    if columns["drawn"]:
        cells.append(_number(row["draws"] or "", label=gettext("Jigo")))
    days = (("last_played", gettext("Last played")), ("last_updated", gettext("Last updated")))
    cells += [f'<td data-label="{escape(label)}">{day(row[name])}</td>' for name, label in days]
    if columns["pools"]:
        cells.append(_number(row["pool"] or "", label=pgettext("of players", "Group")))
    return "".join(cells)


def _number(text: object, look: str = "", label: str = "") -> str:
    name = f' data-label="{escape(label)}"' if label else ""
    return f'<td class="n {look}"{name}>{text}</td>' if look else f'<td class="n"{name}>{text}</td>'
