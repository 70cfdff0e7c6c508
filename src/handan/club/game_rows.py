"""Rows of the games table from the facts of entries, and pairs by their first part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import polars as pl

from handan.errors import Clause, InputError, shown
from handan.files.games.columns import EARLIEST, read_columns
from handan.ledger.columns import of_games
from handan.ledger.facts import Game

LAST = 64  # games; our choice: so many are looked through before all are
FEW = 16  # games; our choice: so many are read one by one, which takes them less than columns do


def typed_games(games: Mapping[int, Mapping[str, Any]], names: Sequence[str]) -> pl.DataFrame:
    """Return rows of the games table for facts of games by the number of the entry that recorded them."""
    rows = _read_singly(games, names) if len(games) <= FEW else None
    rows = _read_columns(games, names) if rows is None else rows
    numbers = [rows["line"].alias(name) for name in ("entry", "latest")]
    return pl.DataFrame([*(column for column in rows if column.name != "entry"), *numbers])


def _read_singly(games: Mapping[int, Mapping[str, Any]], names: Sequence[str]) -> pl.DataFrame | None:
    """Return what `_read_columns` returns for a few games; None where something is wrong with one of them."""
    cells: list[dict[str, Any]] = [{name: _cell(facts.get(name)) for name in names} for facts in games.values()]
    if any("\x00" in cell for row in cells for cell in row.values()):
        return None
    try:
        read = [Game(**{name: cell for name, cell in row.items() if cell}) for row in cells]
    except (InputError, TypeError):  # a fault, which columns name; or a player who is missing
        return None
    day = datetime.now()  # noqa: DTZ005  # clubs write local time
    if any(game.date and not EARLIEST <= game.date.moment <= day for game in read):  # type: ignore[union-attr]
        return None
    rows = of_games(read)
    return rows.replace_column(rows.get_column_index("line"), pl.Series("line", list(games), dtype=pl.Int64))


def _read_columns(games: Mapping[int, Mapping[str, Any]], names: Sequence[str]) -> pl.DataFrame:
    """Return the rows of many games, column by column; InputError names the first fault."""
    given = [name for name in names if any(facts.get(name) is not None for facts in games.values())]
    text = pl.DataFrame(
        {name: [_cell(facts.get(name)) for facts in games.values()] for name in given},
        schema=dict.fromkeys(given, pl.String),
    )
    read, problems = read_columns(text, "", pl.Series(list(games), dtype=pl.Int64))
    for problem in problems:
        if problem.rejected:
            pattern = "game g{line}: {field} {found} is not {expected}"
            values = {"line": problem.line, "field": Clause.of(problem.field), "found": shown(problem.found)}
            raise InputError(Clause.of(pattern, **values, expected=problem.expected))
    return read.frame


def _cell(value: Any) -> str:
    return "" if value is None else str(value)


def place_of(lines: pl.Series, number: int) -> int | None:
    """Return where a number stands in a column, None where it does not; the last ones are asked for most."""
    last = lines[-LAST:].to_list()
    return len(lines) - len(last) + last.index(number) if number in last else lines.index_of(number)
