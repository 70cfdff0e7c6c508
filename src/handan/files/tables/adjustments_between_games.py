"""Ranks and ratings set by hand that stand between the games of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from handan.errors import FieldError, Problem
from handan.files.games.adjustment_rows import FIGURES, KIND, ROW, adjustment_of
from handan.files.games.contents import people_in
from handan.files.games.date_column import ReadEach, read_dates
from handan.files.io.dictionary_encoding import different
from handan.files.io.header import unread_columns
from handan.files.tables.text_table import TextTable
from handan.ledger import Adjustment, When
from handan.ledger.entered_games import EnteredGames
from handan.ledger.facts import read_entry, read_id, read_name

PLAYERS = ("black", "white")


def read_adjustments_between(
    rows: TextTable, games: EnteredGames, dates: ReadEach
) -> tuple[tuple[Adjustment, ...], list[Problem]]:
    """Return the adjustments that rows of a table are, in their order, and the problems of the rows.

    Args:
        rows: As `take_adjustments` returns them.
        games: The games of the same table, by which names and ids are those of players.
        dates: How dates without an ISO form are read.
    """
    if not rows.text.height:
        return (), rows.problems
    moments, precisions, bad = read_dates(_cells(rows.text, "date"), dates)
    names = Names.of(games.frame)
    read: list[tuple[int, Adjustment]] = []
    each_row = zip(rows.lines, rows.text.rows(named=True), moments, precisions, strict=True)
    for place, (line, row, moment, precision) in enumerate(each_row):
        cells = {name: (row.get(name) or "").strip() for name in (*ROW, "notes", "entry", "black", "black_id")}
        try:
            if cells["date"] and cells["date"] in bad:
                raise FieldError("date", cells["date"], bad[cells["date"]])
            day = "" if moment is None else str(When(moment, precision))
            player = names.player(cells["black"], cells["black_id"])
            entry = read_entry(cells["entry"])
            item = adjustment_of(cells | {"player": player, "date": day, "note": cells["notes"]})
            read.append((place if entry is None else entry, item))
        except FieldError as fault:
            rows.problems.append(Problem(rows.source, line, fault.field, fault.found, fault.expected))
    return tuple(item for _, item in sorted(read, key=lambda each: each[0])), rows.problems


def take_adjustments(table: TextTable) -> TextTable:
    """Take the rows that are ranks and ratings set by hand out of a table, and return those that count.

    They are to be read when the games have been.
    """
    figures = [name for name in FIGURES if name in table.text.columns]
    by_hand = _by_hand(table.text)
    own = table.text.filter(by_hand).with_columns(pl.all().cast(pl.String).fill_null(""))
    rows = TextTable(own, table.lines.filter(by_hand), table.source)
    table.text = table.text.drop(figures)
    if by_hand.any():
        table.keep(~by_hand)
        rows.leave_out_uncounted(KIND)
    elif figures:
        rows.problems += unread_columns(figures, table.source, table.line)
    return rows


def _by_hand(text: pl.DataFrame) -> pl.Series:
    """Return which rows have the kind of adjustments and one player on both sides."""
    if not {*PLAYERS, "kind"} <= set(text.columns):
        return pl.repeat(False, text.height, dtype=pl.Boolean, eager=True)  # noqa: FBT003  # the value that is repeated
    kinds = different(text["kind"])
    if not kinds.str.strip_chars().str.to_lowercase().is_in([KIND]).any():
        return pl.repeat(False, text.height, dtype=pl.Boolean, eager=True)  # noqa: FBT003  # the same
    kind, black, white = (pl.col(name).cast(pl.String).str.strip_chars() for name in ("kind", *PLAYERS))
    alike = (kind.str.to_lowercase() == KIND) & (black == white) & (black != "")
    return text.select(alike.fill_null(value=False).alias("by_hand")).to_series()


def _cells(text: pl.DataFrame, name: str) -> pl.Series:
    return text[name] if name in text.columns else pl.repeat("", text.height, eager=True)


@dataclass(frozen=True, slots=True)
class Names:
    """Which names of games stand with which ids."""

    ids: Mapping[str, Sequence[str]]
    """By name."""
    names: Mapping[str, Sequence[str]]
    """By id."""

    @classmethod
    def of(cls, games: pl.DataFrame) -> Names:
        """Return those of typed games."""
        ids: dict[str, list[str]] = {}
        names: dict[str, list[str]] = {}
        for name, number in people_in(games).iter_rows():
            ids.setdefault(name, []).append(number)
            names.setdefault(number, []).append(name)
        return cls(ids, names)

    def player(self, name: str, number: str) -> str:
        """Return what says in a ledger who somebody is: the name, or the id where the name alone does not tell."""
        name, number = read_name(name), read_id(number)
        if not number or number not in self.names:
            return name
        clear = self.ids.get(name) == [number] and self.names[number] == [name]
        return name if clear else number
