"""Ledgers of clubs without a database."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

from handan.club import changes
from handan.club.changes import fold
from handan.club.entries import Draft, Record, chained
from handan.club.state import State

if TYPE_CHECKING:
    from handan.club.store.models import Club

TODAY = date(2026, 11, 20)
MOMENT = datetime(2026, 11, 20, 12, tzinfo=UTC)


def import_records(club: Club, ledger: Iterable[Record]) -> int:
    """Fill an empty club with the entries of another ledger, chain and all; return how many."""
    from handan.club.store.writing import checked_records, write_records

    return write_records(club, checked_records(club.slug, ledger))


class Book:
    """A ledger in memory: the state, and all entries."""

    def __init__(self, slug: str = "club") -> None:
        self.state = State(slug)
        self.records: list[Record] = []

    def add(self, drafts: Draft | Iterable[Draft], moment: datetime = MOMENT, author: str = "keeper") -> Record:
        """Write drafts; the last entry."""
        made = [drafts] if isinstance(drafts, Draft) else list(drafts)
        records = list(chained(made, self.state.number, self.state.digest, author, moment))
        self.records += records
        self.state = fold(self.state, records)
        return records[-1]

    def player(self, name: str, rank: str = "", **others: Any) -> str:
        """Register a player, with a rank on entry; his key."""
        key = self.add(changes.players.register_player(self.state, {"name": name, **others})).subject
        if rank:
            self.add(changes.players.adjust(self.state, key, {"rank": rank}, TODAY, "entry"))
        return key

    def game(self, black: str, white: str, result: str = "B+", day: str = "2026-05-01", **others: Any) -> str:
        """Record a game; its key."""
        facts = {"black": black, "white": white, "result": result, "date": day, **others}
        return self.add(changes.games.record_game(self.state, facts, TODAY)).subject
