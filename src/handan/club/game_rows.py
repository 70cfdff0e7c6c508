"""Rows of the games table from the facts of entries, and pairs by their first part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from handan.errors import InputError, shown
from handan.files.games.columns import read_columns


def typed_games(games: Mapping[int, Mapping[str, Any]], names: Sequence[str]) -> pl.DataFrame:
    """Return rows of the games table for facts of games by the number of the entry that recorded them."""
    text = pl.DataFrame(
        {name: [_cell(facts.get(name)) for facts in games.values()] for name in names},
        schema=dict.fromkeys(names, pl.String),
    )
    rows, problems = read_columns(text, "", pl.Series(list(games), dtype=pl.Int64))
    for problem in problems:
        if problem.rejected:
            raise InputError(f"game g{problem.line}: {problem.field} {shown(problem.found)} is not {problem.expected}")
    return rows.with_columns(entry=pl.col("line"), latest=pl.col("line"))


def _cell(value: Any) -> str:
    return "" if value is None else str(value)


def grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the second parts of pairs by the first."""
    groups: dict[str, list[str]] = {}
    for name, value in pairs:
        groups.setdefault(name, []).append(value)
    return groups
