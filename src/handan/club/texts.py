"""Texts of which few stand in many games, each kept once for the states of a club that follow from each other.

A preview adds its texts to those of the state from which it is made, and they stay there when it is gone. So it is
noticed where they far outnumber the games, and the club's state takes texts of its own then.
"""

from __future__ import annotations

import polars as pl

from handan.ledger.coded import Different, differing
from handan.ledger.columns import SCHEMA

TEXTS = ("black", "white", "result", "kind", "event", "black_rank", "white_rank")
"""Columns of such texts."""
ELSEWHERE = ("black_id", "white_id", "source")
"""Columns of the games table that follow from players and club."""
SPARE = 1 << 16  # texts; our choice: so many may be those of previews, besides as many as games could have
_outgrown: set[str] = set()
"""Names of the sets of texts that have more than that."""


def own_texts() -> pl.Categorical:
    """Return a type of columns whose texts no other columns share."""
    return pl.Categorical(pl.Categories.random())


def frame(texts: pl.DataType) -> pl.Schema:
    """Return the columns of the games of a state, with a type of texts."""
    facts = {name: texts if name in TEXTS else dtype for name, dtype in SCHEMA.items() if name not in ELSEWHERE}
    own = {"status": pl.UInt8(), "latest": pl.Int64(), "added": pl.Datetime("us", "UTC"), "unconfirmed": pl.Boolean()}
    return pl.Schema(facts | own)


def no_games() -> pl.DataFrame:
    """Return the games of a state before the first entry."""
    return pl.DataFrame(schema=frame(own_texts()))


def texts_of(games: pl.DataFrame) -> pl.DataType:
    """Return the type of the texts of games."""
    return games.schema[TEXTS[0]]


def note_texts(rows: pl.DataFrame, games: int) -> None:
    """Notice where rows that come to so many games have added more texts than these could have."""
    most = max(code or 0 for code in rows.select(pl.col(TEXTS).to_physical().max()).row(0))  # none: there is no row
    if most >= SPARE + len(TEXTS) * games:
        _outgrown.add(_name(rows))


def outgrown(games: pl.DataFrame) -> bool:
    """Return whether the texts of games are few among those that are kept for them."""
    return bool(_outgrown) and _name(games) in _outgrown


def renewed(games: pl.DataFrame) -> pl.DataFrame:
    """Return games whose texts are outgrown with texts of their own."""
    _outgrown.discard(_name(games))
    return with_texts(games, own_texts())


def with_texts(games: pl.DataFrame, texts: pl.DataType) -> pl.DataFrame:
    """Return the same games with texts of another type; those of the old one go when nothing has them any more."""
    return games.with_columns(_with_texts(games[name], texts) for name in TEXTS)


def _with_texts(column: pl.Series, texts: pl.DataType) -> pl.Series:
    values, number = differing(column)
    return Different(values.cast(texts), number).column(len(column)).alias(column.name)


def _name(games: pl.DataFrame) -> str:
    kind = texts_of(games)
    return kind.categories.name() if isinstance(kind, pl.Categorical) else ""
