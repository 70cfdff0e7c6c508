"""Games that wait for a word: what the header counts, and the ladder and one's account list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from handan.club.entries import Record
from handan.club.service.own_games import contested, waiting
from handan.club.state import State
from handan.club.store.cache import state_of
from handan.club.store.members import Actor
from handan.club.store.models import Club, Entry, Role
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
    contested: Rows
    """Games that count and to which a player objects, with `by` and `word`; for result keepers."""

    @property
    def count(self) -> int:
        """How many wait for a word of who asks."""
        return len(self.to_confirm) + len(self.to_correct) + len(self.contested)


def waiting_games(actor: Actor, state: State | None = None) -> WaitingGames:
    """Return what waits in a club for who asks, now; `state` is that of now, where somebody has read it already."""
    if actor.user is None or not (actor.player or actor.may(Role.KEEPER)):
        return WaitingGames(actor.club, [], [], [], [])
    state = state_of(actor.club) if state is None else state
    games = waiting(actor, state)
    open_ones = contested(actor.club, state) if actor.may(Role.KEEPER) else []
    words = objections(actor.club, [row["latest"] for row in open_ones])
    against = [{**game_row(state, row), "latest": row["latest"], **words[row["latest"]]} for row in open_ones]
    words = objections(actor.club, [row["latest"] for row in games.to_correct])
    disputed = [{**game_row(state, row), **words.get(row["latest"], {})} for row in games.to_correct]
    confirm, other = (
        [{**game_row(state, row), "latest": row["latest"]} for row in rows]
        for rows in (games.to_confirm, games.with_other)
    )
    return WaitingGames(actor.club, confirm, disputed, other, against)


def objections(
    club: Club, numbers: list[int], seen: Callable[[Record], Record] = lambda record: record
) -> dict[int, dict[str, str]]:
    """Return who objected by entries of these numbers, and the word, as who asks may see them."""
    if not numbers:
        return {}
    entries = Entry.objects.filter(club=club, number__in=numbers)
    records = [seen(entry.record) for entry in entries]
    return {record.number: {"by": record.author, "word": record.reason} for record in records}
