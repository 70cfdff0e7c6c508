"""A table of text on its way to games: each step changes its rows and notes what it left out or took otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import polars as pl

from handan.errors import Clause, Problem, shown
from handan.files.cells.dates import EPOCH
from handan.files.tables.column_names import STATUS, Meaning, enough

LEFT_OUT = ("withdrawn", "disputed", "waits for confirmation", "set aside")
"""What a club says of games, and of ranks set by hand, that do not count."""
SEATS = (("black", "white"), ("player1", "player2"), ("winner", "loser"))
"""Columns of the two players of a game."""
WITHOUT = {
    ("game", 1): "1 game {status}: left out",
    ("game", 2): "{number} games {status}: left out",
    ("adjustment", 1): "1 adjustment {status}: left out",
    ("adjustment", 2): "{number} adjustments {status}: left out",
}
"""By what they are, and how many there are, 2 for several."""
OTHERWISE = {
    "game": "column {column} says {word} and is not read there: such games count",
    "adjustment": "column {column} says {word} and is not read there: such adjustments count",
}


@dataclass(slots=True)
class TextTable:
    """A table of text whose headings are understood."""

    text: pl.DataFrame
    """Its columns are named as their meanings (`column_names.COLUMNS`); those without a meaning are not there."""
    lines: pl.Series
    """Line or row of each row in the source, counted from 1."""
    source: str
    """Name for the reports."""
    meanings: Sequence[Meaning] = ()
    line: int | None = None
    """Line of the header; None where it has none."""
    above: Sequence[str] = ()
    """The lines of text above the headings."""
    epoch: date = EPOCH
    """Day 0 of dates that are numbers of days."""
    problems: list[Problem] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    """How it was understood (`Understanding.facts`)."""

    @property
    def choice(self) -> tuple[str, ...]:
        """The set of columns by which it is read, empty if it has none in full."""
        return enough(self.text.columns)

    def cells(self, column: str) -> pl.Series:
        """Return a column as text without blanks around it, empty where nothing stands."""
        return self.text[column].cast(pl.String).fill_null("").str.strip_chars()

    def keep(self, kept: pl.Series) -> None:
        """Leave out all other rows."""
        self.text, self.lines = self.text.filter(kept), self.lines.filter(kept)

    def reject(self, rows: Sequence[int], column: str, cells: Sequence[Any], expected: str) -> None:
        """Note rows, by place, whose cells are not what is expected."""
        self.problems += [
            Problem(self.source, int(self.lines[row]), column, cell, expected)
            for row, cell in zip(rows, cells, strict=True)
        ]

    def remark(self, message: str, column: str = "", line: int | None = None, cell: str | None = None) -> None:
        """Note how something was read."""
        cell = message if cell is None else cell
        self.problems.append(Problem(self.source, line, column, cell, "", rejected=False, message=message))

    def leave_out_uncounted(self, noun: str = "game") -> None:
        """Leave out the rows whose `status` says that they do not count; any other word there changes nothing."""
        if STATUS not in self.text.columns:
            return
        status = self.cells(STATUS).str.to_lowercase()
        self.text = self.text.drop(STATUS)
        counts = dict(status.value_counts(sort=True).iter_rows())
        for word in LEFT_OUT:
            if word in counts:
                pattern, number = WITHOUT[noun, min(counts[word], 2)], f"{counts[word]:,}"
                self.remark(Clause.of(pattern, number=number, status=Clause.of(word)), STATUS, cell="")
        if others := [word for word in counts if word and word not in LEFT_OUT]:
            what = Clause.of(OTHERWISE[noun], column=shown(STATUS), word=shown(others[0]))
            self.remark(what, STATUS, cell="")
        self.keep(~status.is_in(LEFT_OUT))
