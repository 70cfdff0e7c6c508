"""The project's own table of games, wherever it stands: its columns, and sums in place of single games."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import polars as pl

from handan.errors import Problem
from handan.files.cells.ranked_names import ranked
from handan.files.games.adjustment_rows import FIGURES
from handan.files.games.columns import read_columns
from handan.files.games.date_column import ReadEach, read_each
from handan.files.io.limits import Limits
from handan.ledger import Ledger
from handan.ledger.columns import SCHEMA
from handan.ledger.entered_games import EnteredGames
from handan.ledger.facts import COLUMNS, READERS, REQUIRED

SUMS = ("black", "white", "black_wins", "games")
COUNTS = ("black_wins", "draws", "games")
NEEDED = (REQUIRED, SUMS)
READABLE = (*COLUMNS, *COUNTS)
ALWAYS = ("date", *REQUIRED)
ROW_BETWEEN = ("kind", "notes", "entry")
"""Columns of games in which a rank set by hand says something too."""


def is_own_header(line: str) -> bool:
    """Return whether a line has Handan's own headings with commas between, and no other text."""
    headings = line.split(",")
    return set(REQUIRED) <= set(headings) <= set(COLUMNS) and len(set(headings)) == len(headings)


def read_table(
    text: pl.DataFrame,
    source: str,
    lines: pl.Series,
    limits: Limits,
    readers: Mapping[str, Callable[[str], Any]] = READERS,
    dates: ReadEach = read_each,
) -> tuple[EnteredGames, list[Problem]]:
    """Turn a table of text, its header checked, into games and the problems.

    Args:
        text: Columns of text or categories, named as in `READABLE`; without a result column its rows are sums.
        source: Name for the reports.
        lines: Line (or row) of each row in the source.
        limits: How many games the sums of one file may stand for.
        readers: How a cell of each column but the date is read.
        dates: How dates without an ISO form are read.
    """
    if "result" in text.columns:
        columns = text.select(name for name in text.columns if name in COLUMNS)
        return read_columns(columns, source, lines, readers, dates)
    games, lines, problems = _expanded(text, source, lines, limits)
    table, more = read_columns(games, source, lines, readers, dates)
    return table, in_order(problems + list(dict.fromkeys(more)))


def in_order(problems: list[Problem]) -> list[Problem]:
    """Return problems by line; those of one line as they are."""
    return sorted(problems, key=lambda problem: problem.line or 0)


def _expanded(
    text: pl.DataFrame, source: str, lines: pl.Series, limits: Limits
) -> tuple[pl.DataFrame, pl.Series, list[Problem]]:
    """Return a row for each game that the sums stand for, the line of each, and the problems."""
    problems: list[Problem] = []
    results: list[list[str]] = []
    total = 0
    text = text.cast(pl.String)
    cells = [text[name].fill_null("") if name in text.columns else [""] * text.height for name in COUNTS]
    for line, wins, draws, games in zip(lines, *cells, strict=True):
        counts = [_count(cell, limits.games) for cell in (wins, draws or "0", games)]
        faults = [
            Problem(source, line, name, cell, f"a whole number from 0 to {limits.games}")
            for name, cell, count in zip(COUNTS, (wins, draws, games), counts, strict=True)
            if count is None
        ]
        won, drawn, played = (count or 0 for count in counts)
        if not faults and won + drawn > played:
            faults = [Problem(source, line, "games", games, f"{won + drawn} or more, as many as won and drawn")]
        problems += faults
        total += 0 if faults else played
        if total > limits.games:
            raise limits.exceeded("games", f"{source} line {line}")
        results.append([] if faults else ["B+"] * won + ["jigo"] * drawn + ["W+"] * (played - won - drawn))
    games = text.select(name for name in text.columns if name in COLUMNS).with_columns(
        pl.Series("result", results, dtype=pl.List(pl.String)), pl.Series("#line", lines)
    )
    games = games.filter(pl.col("result").list.len() > 0).explode("result")
    return games.drop("#line"), games["#line"], problems


def _count(cell: str, most: int) -> int | None:
    """Return a count of games; None if it is none."""
    return int(cell) if re.fullmatch(r"\s*[0-9]{1,15}\s*", cell) and int(cell) <= most else None


def written_columns(ledger: Ledger) -> list[str]:
    """Return the columns that a file of these games needs, in the order of `COLUMNS`.

    Date, black, white and result always; others where some game says something; `entry` where games share date, event
    and round, so that the rows may be shuffled; ranks too where names end with some, so that these stay in the names;
    and what ranks and ratings set by hand need (`rows_between_games`).
    """
    games = ledger.games
    kept = ("black_rank", "white_rank") if ranked([*{*games["black"].unique(), *games["white"].unique()}]) else ()
    defaults: dict[str, Any] = {name: READERS[name]("") for name in COLUMNS if name not in ALWAYS} | {"entry": 1}
    differs = games.select(
        pl.col(name).ne_missing(pl.lit(value, SCHEMA[name])).any() for name, value in defaults.items()
    )
    by_hand = (*ROW_BETWEEN, *FIGURES) if ledger.adjustments else ()
    figures = [name for name in FIGURES if name in by_hand]
    return [name for name in COLUMNS if name in (*ALWAYS, *kept, *by_hand) or differs[name].item()] + figures
