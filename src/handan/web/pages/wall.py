"""The wall of name plates: one list, which stands as plates on a rail where there is room and as lines on a phone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from html import escape
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from handan.club.movement import Movement
from handan.club.standings import Standings
from handan.paper.names import language_of, width
from handan.web.pages.formatting import rating_digits
from handan.web.pages.links import Links
from handan.web.pages.wording import figure, page_language, table_rank
from handan.wording.figures import fixed

SIZES = (("", 5.2, 2), ("long", 6.4, 2))
"""Class of a name, and how many lines of how many times its letter's size a plate holds; others are `very long`."""
MOST_NAMES = 5_000  # our choice: names whose width a process keeps
SHORT = 4  # signs of a rating that stand in large letters on a plate


def wall_body(
    players: Links, standings: Standings, rows: Iterable[Mapping[str, Any]], moves: Mapping[str, Movement]
) -> SafeString:
    """Return rows of the ladder as name plates, strongest first.

    Args:
        players: Addresses of players.
        standings: Whose rows they are.
        rows: Of `Standings.rows`.
        moves: How far players have come of late, by key.
    """
    look, language = (rating_digits(standings), players.before, players.behind), page_language()
    still, person = standings.standing_still, standings.state.person

    def text(row: Mapping[str, Any]) -> str:
        key = row["key"]
        moved = moves.get(key)
        more = (look, still.get(key), moved, person(key))
        return standings.text_of(
            f"plate {language}", row, more, lambda now: _plate(standings, now, moved, players, language)
        )

    plates = [text(row) for row in rows]
    return mark_safe("\n".join(plates))  # noqa: S308  # each text is escaped


def _plate(
    standings: Standings, row: Mapping[str, Any], moved: Movement | None, players: Links, language: str
) -> str:  # fmt: skip
    person = standings.state.person(row["key"])
    lang = language_of(row["player"], person.reading, person.country, language)
    own = f' lang="{lang}"' if lang else ""
    decimals = rating_digits(standings)
    points = escape(figure(fixed(row["rating"], decimals)))
    rank = escape(table_rank(row["rank"]))
    reading = f'<span class="reading">{escape(person.reading)}</span>' if person.reading else ""
    name = f'<span class="{name_class(row["player"])}"{own}>{escape(row["player"])}</span>{reading}'
    size = "points" if len(points) <= SHORT else "points long"
    figures = f'<span class="{size}">{points}</span>{move_mark(moved, decimals)}{_today(standings, row["key"])}'
    link = f'<a href="{players.to(row["key"])}"><span class="rank">{rank}</span>{name}{figures}</a>'
    return f'<li class="plate">{link}</li>'


def _today(standings: Standings, key: str) -> str:
    """Return the rating that games of today are played with, where the day's results do not count yet."""
    still = standings.standing_still.get(key)
    if still is None:
        return ""
    label = escape(gettext("Today"))
    return f'<span class="today">{label} {escape(figure(fixed(still, rating_digits(standings))))}</span>'


def move_mark(moved: Movement | None, decimals: int) -> str:
    """Return ▲ or ▼ with how far somebody moved, as HTML; the new rank after a promotion that has no one unit."""
    if moved is None or not (moved.change or moved.promoted):
        return '<span class="move">–</span>'
    if moved.change is None:
        up = moved.promoted
        text = escape(table_rank(moved.rank_before))
    else:
        up, text = moved.change > 0, escape(figure(fixed(abs(moved.change), decimals)))
    sign, way, plain = ("▲", "up", "+") if up else ("▼", "down", "−")
    arrow = f'<span aria-hidden="true">{sign}</span><span class="unseen">{plain}</span>'
    return f'<span class="move {way}">{arrow}{text}</span>'


@lru_cache(MOST_NAMES)
def name_class(name: str) -> str:
    """Return the class of a name that says how large it can stand on a plate."""
    widest, whole = max(map(width, name.split()), default=0.0), width(name)
    for size, room, lines in SIZES:
        if widest <= room and whole <= room * lines:
            return f"name {size}".strip()
    return "name very long"
