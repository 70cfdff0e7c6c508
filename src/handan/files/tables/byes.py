"""Rows of a table in which a player has no opponent, as byes of the participants of their events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from handan.errors import Clause, FieldError, Problem
from handan.files.cells.byes import ABSENT, BYE, DOUBTFUL, FREE, HALF
from handan.files.cells.numbers import CELLS
from handan.files.cells.ranked_names import name_and_colour, parts_of
from handan.files.cells.results import FIRST, HALF_POINTS, SECOND, Finding, read_result
from handan.files.games.columns import read_table
from handan.files.games.date_column import ReadEach
from handan.files.games.missing_dates import given_date
from handan.files.io.options import Options
from handan.files.tables.players_and_results import Spelling
from handan.files.tables.text_table import TextTable
from handan.ledger import Bye, Event, Participant, Player, When
from handan.ledger.entered_games import EnteredGames
from handan.ledger.event_numbers import numbered_events

WITHOUT_ROUNDS = "without rounds"
LEFT_OUT = {
    BYE: "{side} {cell!r} is no player but a bye; left out",
    WITHOUT_ROUNDS: "{side} {cell!r} is no player but a bye; left out, since no column tells its round",
    ABSENT: "{side} {cell!r} names no player; left out",
    DOUBTFUL: "{side} {cell!r} is taken for a bye; of a player of that name write more than that; left out",
}
TAKEN = {
    Bye.ALLOCATED: "{side} {cell!r} is no player: {player} has a bye in round {number}",
    Bye.FULL_POINT: "{side} {cell!r} is no player: {player} has a free point in round {number}",
    Bye.HALF_POINT: "{side} {cell!r} is no player: {player} has half a bye in round {number}",
    Bye.ZERO_POINT: "{side} {cell!r} is no player: {player} is absent in round {number}",
}
OF_MARK = {
    **dict.fromkeys(("+", "1", "1.0"), Bye.ALLOCATED), **dict.fromkeys(("=", *HALF_POINTS), Bye.HALF_POINT),
    **dict.fromkeys(("-", "0", "0.0"), Bye.ZERO_POINT),
}  # fmt: skip
"""What a cell gives the player of the row, where it holds points or a symbol alone."""
SYMBOLS = ("+", "=", "-", *HALF_POINTS)
"""Those that mean the same whichever player stands first."""
OPEN = ("", "?")
"""Results that say nothing yet."""
NOBODY = "#nobody"
"""The opponent while such rows are read as games."""


class RowOfBye(NamedTuple):
    """A row of a table in which one player stands, and nobody against them."""

    line: int
    seat: str
    """Column of the player."""
    side: str
    """Column of what names no player."""
    cell: str
    """What stands there."""
    kind: str
    """`bye` or `absent`."""
    cells: dict[str, str]
    """All cells of the row by column."""


class Byes(NamedTuple):
    """The byes that rows of a table tell, by event, and what is said of each row."""

    events: tuple[Event, ...] = ()
    problems: Sequence[Problem] = ()
    """One a row, and those of their other cells."""
    left_out: int = 0
    """Byes of which no event tells."""


def left_out(source: str, line: int, side: str, cell: str, kind: str) -> Problem:
    """Return what is said of a row without one of its players that is not read: a bye is no fault."""
    message = Clause.of(LEFT_OUT[kind], side=Clause.of(side), cell=cell)
    return Problem(source, line, side, cell, "a player", rejected=kind == DOUBTFUL, message=message)


def read_byes(
    rows: list[RowOfBye], games: EnteredGames, table: TextTable, spelling: Spelling, dates: ReadEach, options: Options
) -> Byes:
    """Return byes by their events; a row whose cells do not tell which is left out, and said.

    Args:
        rows: Those with a round.
        games: The games of the table, with whose players and days they belong.
        table: As all of its steps have understood it.
        spelling: How its results are written.
        dates: How its dates are read.
        options: As the user gave them.
    """
    if not rows:
        return Byes()
    first = next(column for column in rows[0].cells if column in (rows[0].seat, rows[0].side))
    kinds = [bye_of(row, spelling, first) for row in rows]
    taken = [(row, kind) for row, kind in zip(rows, kinds, strict=True) if kind]
    gone = [row for row, kind in zip(rows, kinds, strict=True) if not kind]
    frame = games.frame
    read, problems = _as_games([row for row, _ in taken], names_of(games, table), table, dates, options)
    own = dict(zip(read["line"].to_list(), read.iter_rows(named=True), strict=True))
    lines = set(own)
    ranked = [(own[row.line], row, kind) for row, kind in taken if row.line in lines]
    numbers = _occasions(frame, pl.DataFrame([facts for facts, *_ in ranked], schema=read.schema))
    given = given_date(table.source, options)
    events: dict[int, dict[tuple[str, str], tuple[dict[str, Any], dict[int, Bye]]]] = {}
    for (facts, row, kind), number in zip(ranked, numbers.of_rows, strict=True):
        people = events.setdefault(number, {})
        _, byes = people.setdefault((facts["black"], facts["black_id"]), (facts, {}))
        if not facts["round"] or facts["round"] in byes:
            gone.append(row)
            continue
        byes[facts["round"]] = kind
        values = {"side": Clause.of(row.side), "cell": row.cell, "player": facts["black"], "number": facts["round"]}
        message = Clause.of(TAKEN[kind], **values)
        problems.append(Problem(table.source, row.line, row.side, row.cell, "", rejected=False, message=message))
    problems += [left_out(table.source, row.line, row.side, row.cell, row.kind) for row in gone]
    made = tuple(
        Event(
            next(iter(people.values()))[0]["event"],
            numbers.first[number] or given,
            kind=next(iter(people.values()))[0]["kind"],
            participants=tuple(
                Participant(Player(name, key), facts["black_rank"], byes=tuple(sorted(byes.items())))
                for (name, key), (facts, byes) in people.items() if byes
            ),
        )
        for number, people in events.items()
    )  # fmt: skip
    return Byes(tuple(each for each in made if each.participants), problems, sum(row.kind == BYE for row in gone))


def bye_of(row: RowOfBye, spelling: Spelling, first: str) -> Bye | None:
    """Return what a row gives its player; None where it does not say.

    Args:
        row: With a bye, or with another mark or word for nobody, which a result alone makes a bye.
        spelling: How results are written.
        first: Column of the player who stands first.
    """
    kind = _by_result(row, spelling, first)
    return Bye.FULL_POINT if kind is Bye.ALLOCATED and FREE in row.cell.lower() else kind


def _by_result(row: RowOfBye, spelling: Spelling, first: str) -> Bye | None:
    """Return what a row gives its player by its result; a point is one for a bye."""
    if row.seat in ("winner", "loser"):
        return Bye.ALLOCATED if row.seat == "winner" else Bye.ZERO_POINT
    name = next((name for name in ("result", "winner") if name in row.cells), "")
    cell = row.cells.get(name, "").strip()
    if name and cell in OPEN:
        half = HALF in row.cell.lower()
        return None if row.kind != BYE else Bye.HALF_POINT if half else Bye.ALLOCATED
    if cell in OF_MARK:
        return OF_MARK[cell] if cell in SYMBOLS or row.seat == first else None
    if name == "winner" and cell == row.cells[row.seat].strip():
        return Bye.ALLOCATED
    try:
        finding = read_result(cell, spelling.letters or "bw", spelling.endings)
    except FieldError:
        return None
    if row.kind == ABSENT and finding.tail not in ("", "F"):
        return None  # somebody has played, who is not named
    return _bye_of_finding(finding, row.seat, first=row.seat == first)


def _bye_of_finding(finding: Finding, seat: str, *, first: bool) -> Bye | None:
    if finding.winner in ("draw", "both-lose"):
        return Bye.HALF_POINT if finding.winner == "draw" else Bye.ZERO_POINT
    if finding.winner in (FIRST, SECOND):
        return Bye.ALLOCATED if (finding.winner == FIRST) == first else Bye.ZERO_POINT
    if finding.winner in ("black", "white") and seat in ("black", "white"):
        return Bye.ALLOCATED if finding.winner == seat else Bye.ZERO_POINT
    return None


OwnName = Callable[[str], tuple[str, str]]
"""From a cell to name and rank."""


def names_of(games: EnteredGames, table: TextTable) -> OwnName:
    """Return what reads name and rank of a cell, as those of the players of games are read."""
    there = set(games.names)

    def named(cell: str) -> tuple[str, str]:
        parts, text = parts_of(cell), cell.strip()
        if text not in there and (parts.name in there or "names" in table.facts):
            return parts.name, parts.rank
        bare = name_and_colour(cell)[0]
        return (bare if text not in there and bare in there else text), ""

    return named


def _as_games(
    rows: list[RowOfBye],
    named: OwnName,
    table: TextTable,
    dates: ReadEach,
    options: Options,
) -> tuple[pl.DataFrame, list[Problem]]:
    """Return rows as open games against nobody, in which the player has Black, and what is wrong in their cells."""
    cells: list[dict[str, str]] = []
    for row in rows:
        name, rank = named(row.cells[row.seat])
        own = {column: row.cells.get(column, "") for column in ("date", "event", "round", "kind")}
        own |= {f"black_{fact}": row.cells.get(f"{row.seat}_{fact}", "") for fact in ("rank", "id")}
        cells.append(own | {"black": name, "white": NOBODY, "result": "?", "black_rank": own["black_rank"] or rank})
    columns = ("date", "event", "round", "kind", "black", "white", "result", "black_rank", "black_id")
    text = pl.DataFrame(cells, schema=dict.fromkeys(columns, pl.String()))
    lines = pl.Series([row.line for row in rows], dtype=pl.Int64)
    read, problems = read_table(text, table.source, lines, options.limits, CELLS, dates)
    return read.frame, problems


class _Occasions(NamedTuple):
    """Events of games and byes: those of one name whose days belong together."""

    of_rows: list[int]
    """Number of that of each bye."""
    first: dict[int, When | None]
    """First day of each; None without a date."""


def _occasions(games: pl.DataFrame, byes: pl.DataFrame) -> _Occasions:
    columns = ["event", "date", "precision"]
    texts = pl.col("event").cast(pl.String).fill_null("")
    whole = pl.concat([each.select(columns).with_columns(texts) for each in (games, byes)])
    names = whole["event"].rank("dense").to_numpy().astype(np.int64)
    moments = whole["date"].to_numpy().astype("datetime64[us]")
    numbers = numbered_events(names, np.ones(whole.height, dtype=np.bool_), moments)
    if numbers is None:
        return _Occasions([], {})
    own = whole.with_columns(pl.Series("number", numbers)).sort("date", nulls_last=True, maintain_order=True)
    days = own.group_by("number", maintain_order=True).first()
    first = {
        number: None if date is None else When(date, precision)
        for number, date, precision in days.select("number", "date", "precision").iter_rows()
    }
    return _Occasions(numbers[games.height :].tolist(), first)
