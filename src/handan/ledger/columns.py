"""The typed table of games: its columns, and the table of games that were made in Python."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from handan.errors import refuse_other
from handan.ledger.facts import COLUMNS, Game

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from handan.ledger.dates import When

SCHEMA = pl.Schema(
    {
        "date": pl.Datetime("ms"),
        "precision": pl.UInt8(),
        "black": pl.String(),
        "white": pl.String(),
        "result": pl.String(),
        "handicap": pl.Int16(),
        "komi": pl.Float64(),
        "size": pl.UInt8(),
        "kind": pl.String(),
        "event": pl.String(),
        "round": pl.Int32(),
        "black_rank": pl.String(),
        "white_rank": pl.String(),
        "black_id": pl.String(),
        "white_id": pl.String(),
        "server": pl.String(),
        "moves": pl.Int32(),
        "notes": pl.String(),
        "entry": pl.Int64(),
        "source": pl.String(),
        "line": pl.Int64(),
    }
)
"""The typed games table; `precision` says how much of a date is known (characters of its ISO text)."""


def of_games(games: Iterable[Game], source: str = "", lines: Iterable[int | None] = repeat(None)) -> pl.DataFrame:
    """Return the typed games table of games that were made in Python, with their file and the line of each."""
    rows = []
    for game, line in zip(games, lines, strict=False):
        refuse_other("game", game, Game, "a Game; handan.read takes rows as dicts and tuples")
        row: dict[str, Any] = {name: getattr(game, name) for name in COLUMNS}
        when: When | None = row["date"]
        row["date"], row["precision"] = (when.moment, when.precision) if when else (None, 0)
        row["notes"] = f"{game.notes} {row['result'].remark}".strip()
        rows.append(row | {"result": str(row["result"]), "source": source, "line": line})
    return pl.DataFrame(rows, schema=SCHEMA)


def with_absent(games: pl.DataFrame, schema: pl.Schema) -> pl.DataFrame:
    """Return stored games with the columns of a schema; one that was not known when they were written says nothing."""
    if games.columns == list(schema):
        return games
    absent = [pl.lit("" if kind == pl.String else None, dtype=kind).alias(name)
              for name, kind in schema.items() if name not in games.columns]  # fmt: skip
    return games.with_columns(absent).select(list(schema))


def by_number(different: NDArray[Any], number: NDArray[Any]) -> NDArray[Any]:
    """Return the value of each row, given by its number among the different ones, in a new array."""
    if len(different) and (different == different[0]).all():  # as where every game has a winner
        return np.full(len(number), different[0])
    values: NDArray[Any] = different[number]
    return values


def different_texts(column: pl.Series) -> tuple[list[str], NDArray[Any]]:
    """Return the different texts of a column, and the number of each row's text among them."""
    if len(column) == 1 or (len(column) and (column == column[0]).all()):
        return [column[0]], np.zeros(len(column), dtype=np.uint8)
    texts = column.unique().sort()
    return texts.to_list(), column.cast(pl.Enum(texts)).to_physical().to_numpy()
