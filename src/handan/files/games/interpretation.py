"""How a table was understood, for those who want to see it before anything is rated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

UNREAD = "not read"
WORDS: Mapping[str, str] = {
    "black": "Black", "white": "White", "winner": "winner", "loser": "loser", "player1": "first player",
    "player2": "second player", "colour": "colour of the winner, or of the first player",
    "margin": "how the game was won", "black_wins": "games that Black won", "draws": "games drawn",
    "games": "number of games", "server": "whose ranks the players have",
    "board": "size of the board, or number of the table",
    "black_score": "points of Black", "white_score": "points of White",
    "player1_score": "points of the first player", "player2_score": "points of the second player",
    "black_won": "mark where Black won", "white_won": "mark where White won",
    "player1_won": "mark where the first player won", "player2_won": "mark where the second player won",
    "drawn": "mark where the game is drawn",
    "players": "both players", "black_white": "both players, Black first", "white_black": "both players, White first",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Understanding:
    """What a reader took a table for."""

    columns: tuple[tuple[str, str], ...] = ()
    """Each heading as it is written, and the column that it means, or empty (`handan.files.tables.column_names`)."""
    facts: Mapping[str, str] = field(default_factory=dict)
    """What else was decided: encoding, separator, sheet, header (its line), dates (their order), layout, letters."""

    def with_facts(self, **facts: str) -> Understanding:
        """Return the same with more decided; empty text says nothing."""
        return replace(self, facts={**self.facts, **{name: fact for name, fact in facts.items() if fact}})

    @property
    def odd(self) -> bool:
        """Whether anything but the columns differs from the project's own table: comma, UTF-8, dates year first."""
        return dict(self.facts) not in ({}, {"encoding": "UTF-8", "separator": "comma"})

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        columns = [{"heading": heading, "meaning": column or None} for heading, column in self.columns]
        return {"columns": columns, **self.facts}


def in_words(column: str) -> str:
    """Return what a column holds, as a person reads it."""
    return WORDS.get(column, column.replace("_", " ")) if column else UNREAD
