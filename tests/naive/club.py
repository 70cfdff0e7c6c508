"""A club's ledger in plain dictionaries, rated from scratch: slow, and written straight from the definition."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Any

from handan.ledger import Adjustment, Game, Ledger
from handan.shortcuts import rate


@dataclass
class PlainClub:
    """Facts as they stand; a withdrawn game is only marked, a merged player only points to the other."""

    names: dict[str, str] = field(default_factory=dict)
    merged: dict[str, str] = field(default_factory=dict)
    games: dict[str, dict[str, Any]] = field(default_factory=dict)
    withdrawn: set[str] = field(default_factory=set)
    waiting: set[str] = field(default_factory=set)
    adjustments: dict[str, tuple[str, str, str | None]] = field(default_factory=dict)
    aside: dict[str, str] = field(default_factory=dict)
    """Adjustments of who was merged into a player with ranks of their own, and the key that was merged."""

    def final(self, key: str) -> str:
        """Return whom a player was found to be."""
        while key in self.merged:
            key = self.merged[key]
        return key

    def merge(self, key: str, into: str) -> None:
        """Let a player be another, who stays who they were: ranks of the first count where the second has none."""
        ranks = {side: [name for name in self.adjustments if self._of(name, side)] for side in (key, into)}
        self.merged[key] = into
        if ranks[into]:
            self.aside |= dict.fromkeys(ranks[key], key)

    def split(self, key: str) -> None:
        """Undo it."""
        del self.merged[key]
        self.aside = {name: merged for name, merged in self.aside.items() if merged != key}

    def _of(self, name: str, final: str) -> bool:
        """Whether an adjustment holds for who a player was found to be."""
        player = self.adjustments[name][0]
        return self.final(player) == final and self._holds(name)

    def _holds(self, name: str) -> bool:
        path = [self.adjustments[name][0]]
        while path[-1] in self.merged:
            path.append(self.merged[path[-1]])
        return self.aside.get(name) not in path[:-1]

    def ledger(self) -> Ledger:
        """Return the facts as a ledger, games in the order in which they were first recorded."""
        counted = [key for key in sorted(self.games, key=lambda key: int(key[1:])) if self._counts(key)]
        games = [
            Game(**{**self.games[key], "black": self._name(key, "black"), "white": self._name(key, "white")})
            for key in counted
        ]
        adjustments = [
            Adjustment(self.names[self.final(player)], rank, None, day)
            for name, (player, rank, day) in self.adjustments.items()
            if self._holds(name)
        ]
        return Ledger.of(games, adjustments)

    def table(self, system: str) -> dict[str, tuple[float, str, int]]:
        """Return rating, rank and games of each player by name."""
        rows = rate(self.ledger(), system).table().iter_rows(named=True)
        return {row["player"]: (row["rating"], row["rank"], row["games"]) for row in rows}

    def _counts(self, key: str) -> bool:
        return key not in self.withdrawn and key not in self.waiting

    def _name(self, key: str, side: str) -> str:
        return self.names[self.final(self.games[key][side])]


DAYS = [date(2026, month, 1) for month in range(1, 7)]
