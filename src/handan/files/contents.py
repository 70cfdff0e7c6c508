"""What a reader found in one file, and how it gathers it game by game."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import polars as pl

from handan.errors import FieldError, InputError, Problem
from handan.ledger import Game, Player
from handan.ledger.columns import of_games


@dataclass(frozen=True, slots=True)
class Entrant:
    """One player as a file lists it; what the file does not say is empty."""

    name: str
    id: str = ""
    """With the register's prefix: `egd:17076590`, `ffg:1800014`, `aga:8489`."""
    country: str = ""
    club: str = ""
    rank: str = ""
    rating: float | None = None
    """In the unit of the list that it stands in."""

    @property
    def player(self) -> Player:
        """The same as a player of a ledger."""
        return Player(self.name, self.id, self.country, self.club)


@dataclass(frozen=True, slots=True)
class Contents:
    """The games of one file, and what else a report tells of it."""

    games: pl.DataFrame
    """The typed table (`handan.ledger.columns.SCHEMA`)."""
    problems: list[Problem]
    """What was not taken, and what was read in another way than written; by line."""
    entrants: tuple[Entrant, ...] = ()
    """All players listed, also those without a game; empty where the format has no list of players."""
    byes: int = 0
    """Free wins."""
    half_byes: int = 0
    """Rounds left out for half a point."""
    absences: int = 0
    """Rounds left out for nothing, where the file says so cell by cell."""
    unplayed: int = 0
    """Games that were paired and not played."""
    tournament: str = ""
    """What names the tournament in every file that was saved of it; empty where files are not saved again and again."""


@dataclass(slots=True)
class Gatherer:
    """Gathers the games of one file; a game that cannot be used becomes a problem, and the others are kept."""

    source: str
    """Name for the reports."""
    games: list[Game] = field(default_factory=list)
    lines: list[int | None] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def game(self, line: int | None, **facts: Any) -> bool:
        """Take a game that stands at a line; return whether it could be used."""
        try:
            self.games.append(Game(**facts))
        except FieldError as fault:
            self.reject(line, fault.field, fault.found, fault.expected)
            return False
        except InputError:
            self.reject(line, "white", str(facts.get("white", "")), "another player than black")
            return False
        self.lines.append(line)
        return True

    def reject(self, line: int | None, part: str, found: object, expected: str) -> None:
        """Note something that is left out."""
        self.problems.append(Problem(self.source, line, part, str(found), expected))

    def warn(self, line: int | None, part: str, found: object, expected: str) -> None:
        """Note something that is read in another way than it is written."""
        self.problems.append(Problem(self.source, line, part, str(found), expected, rejected=False))

    def contents(self, entrants: tuple[Entrant, ...] = (), **counts: Any) -> Contents:
        """Return what was gathered; the counts are named as in `Contents`."""
        lines = pl.Series("line", self.lines, dtype=pl.Int64)
        table = of_games(self.games).with_columns(lines, source=pl.lit(self.source))
        problems = sorted(self.problems, key=lambda problem: problem.line or 0)
        return Contents(table, problems, entrants, **counts)
