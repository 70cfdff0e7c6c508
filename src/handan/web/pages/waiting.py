"""Games that wait for a word: what the header counts, and the ladder and one's account list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from handan.club.entries import Record
from handan.club.service.own_games import waiting
from handan.club.store.cache import state_of
from handan.club.store.members import Actor
from handan.club.store.models import Club, Entry
from handan.web.pages.formatting import game_row

Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class WaitingGames:
    """A player's games of a club that wait, as they are shown."""

    club: Club
    to_confirm: Rows
    to_correct: Rows
    """With `by` and `word`, the opponent's objection."""
    with_other: Rows

    @property
    def count(self) -> int:
        """How many wait for the player's own word."""
        return len(self.to_confirm) + len(self.to_correct)


def waiting_games(actor: Actor) -> WaitingGames:
    """Return what waits in a club for who asks, now."""
    if actor.user is None or not actor.player:
        return WaitingGames(actor.club, [], [], [])
    state = state_of(actor.club)
    games = waiting(actor, state)
    words = objections(actor.club, [row["latest"] for row in games.to_correct])
    disputed = [{**game_row(state, row), **words.get(row["latest"], {})} for row in games.to_correct]
    confirm, other = (
        [{**game_row(state, row), "latest": row["latest"]} for row in rows]
        for rows in (games.to_confirm, games.with_other)
    )
    return WaitingGames(actor.club, confirm, disputed, other)


def objections(
    club: Club, numbers: list[int], seen: Callable[[Record], Record] = lambda record: record
) -> dict[int, dict[str, str]]:
    """Return who objected by entries of these numbers, and the word, as who asks may see them."""
    if not numbers:
        return {}
    entries = Entry.objects.filter(club=club, number__in=numbers)
    records = [seen(entry.record) for entry in entries]
    return {record.number: {"by": record.author, "word": record.reason} for record in records}
