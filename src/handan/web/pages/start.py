"""The start page of a club: what waits, where I stand, the last games, who moved, who is near a new rank."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any, NamedTuple

from django.http import HttpResponse
from django.shortcuts import render

from handan.club.movement import MONTH, Movement, farthest
from handan.club.next_rank import NextRank, next_rank
from handan.club.service.submissions import number_waiting
from handan.club.state import COUNTS
from handan.club.store.clock import today
from handan.club.store.models import Role
from handan.paper import promotion_of
from handan.web.pages.first_steps import first_steps
from handan.web.pages.formatting import game_row
from handan.web.pages.here import Here, page

GAMES, PEOPLE, NEAR = 8, 8, 5
"""Our choice: how many of each the start page shows."""


class Near(NamedTuple):
    """A player and the next rank."""

    key: str
    name: str
    next: NextRank


@page(Role.VISITOR)
def start(here: Here) -> HttpResponse:
    """Show what is new in the club, and what concerns who asks."""
    since = (here.day or today()) - timedelta(days=MONTH)
    moves = here.standings.movements(since)
    here.state.labels.prefetch(moves)
    last = here.games(status=COUNTS, stop=GAMES).iter_rows(named=True)
    context = {
        "games": [game_row(here.state, row) for row in last],
        "moved": [{**item._asdict(), "name": here.state.labels[item.key]} for item in farthest(moves)[:PEOPLE]],
        "promoted": promotions_of(here, moves, since)[:PEOPLE],
        "near": near_next_rank(here, moves)[:NEAR],
        "mine": _own(here, moves),
        "submitted": 0 if here.is_past else number_waiting(here.actor),
        "members": here.state.number_of_players,
        "played": len(moves),
        "since": since,
        "year": str((here.day or today()).year),
        "decimals": here.standings.decimals,
        "path": first_steps(here),
    }
    return render(here.request, "handan/start.html", context)


def promotions_of(here: Here, moves: dict[str, Movement], since: date) -> list[dict[str, Any]]:
    """Return who of those who moved rose in rank since a day, the latest first."""
    risen = [item for item in moves.values() if item.promoted]
    lines = here.standings.lines_between(since + timedelta(days=1), here.day or today()) if risen else {}
    rows = [(item, promotion_of(lines.get(item.key, []))) for item in risen]
    shown = [{"key": item.key, "name": here.state.labels[item.key], "promotion": step} for item, step in rows if step]
    return sorted(shown, key=lambda row: (row["promotion"].day, row["promotion"].after), reverse=True)


def near_next_rank(here: Here, moves: dict[str, Movement]) -> list[Near]:
    """Return who of those who play is nearest to the next rank, nearest first."""
    here.standings.prefetch(moves)
    items = [(key, next_rank(here.standings, key)) for key in moves]
    people = [Near(key, here.state.labels[key], item) for key, item in items if item is not None]
    return sorted(people, key=lambda person: (person.next.missing, person.name))


def _own(here: Here, moves: dict[str, Movement]) -> dict[str, Any] | None:
    """Return where the player who asks stands; None for who is no player here, or has neither games nor a rank."""
    row = here.standings.by_key.get(here.my_card)
    if row is None:
        return None
    return {"row": row, "moved": moves.get(here.my_card), "next": next_rank(here.standings, here.my_card)}
