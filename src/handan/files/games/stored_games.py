"""Games as columns of numbers beside tables of texts, in Arrow's format: read without parsing, and fit to be mapped.

Players stand as their numbers in a table of players; of every other column of text each file has its own table.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

import polars as pl

from handan.errors import InputError
from handan.kernels.types import Seats
from handan.ledger.coded import Coded, Different
from handan.ledger.columns import SCHEMA

SIDES = ("black", "white")
TEXTS = [name for name, kind in SCHEMA.items() if kind == pl.String and name not in SIDES]
FEW = 64  # our choice: texts of a whole ledger are written with a part of it that has so many times as many games
DAMAGED = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError, KeyError)


def packed(games: pl.DataFrame, numbers: Mapping[str, int]) -> bytes:
    """Return typed games (`SCHEMA`) as a file.

    Args:
        games: Rows in playing order; names as text or as categories.
        numbers: The number of each player by name.
    """
    sides = [_numbers(games[side], numbers) for side in SIDES]
    return frame_bytes(games.with_columns(*sides, *(_codes(games[name]) for name in TEXTS)))


def packed_codes(games: Coded, entry: pl.Series, numbers: Seats) -> bytes:
    """Return games that are numbers already as a file.

    Args:
        games: In playing order.
        entry: Their place among those of one date, event and round.
        numbers: For each player of the ledger the number in the table of players.
    """
    columns = {side: pl.Series(side, numbers[seat]) for side, seat in zip(SIDES, games.seats(), strict=True)}
    columns["entry"] = entry
    columns |= {name: _categories(name, games.different[name], len(games)) for name in TEXTS}
    return frame_bytes(pl.DataFrame([columns[n] if n in columns else games.column(n, ()) for n in SCHEMA]))


def _categories(name: str, column: Different, rows: int) -> pl.Series:
    """Return a column of texts as categories, of which each file has those that it needs."""
    values, number = column
    if number is None:
        return pl.repeat(values[0], rows, dtype=pl.Enum(values), eager=True).alias(name)
    if FEW * len(values) > rows:
        return _codes(values.gather(number).alias(name))
    return pl.Series(name, number).cast(pl.UInt32).cat.to(pl.Enum(values))


def _numbers(names: pl.Series, numbers: Mapping[str, int]) -> pl.Series:
    """Return the numbers of players, by name."""
    if not isinstance(names.dtype, pl.Enum):
        names = names.cast(pl.Enum(names.unique()))
    assert isinstance(names.dtype, pl.Enum)  # noqa: S101  # told to the type checker
    table = pl.Series([numbers.get(name) for name in names.dtype.categories], dtype=pl.UInt32)
    return table.gather(names.to_physical()).alias(names.name)


def _codes(texts: pl.Series) -> pl.Series:
    """Return texts as categories; most columns hold one text."""
    different = texts.unique().drop_nulls().sort()
    kind = pl.Enum(different)
    if len(different) == 1 and not texts.null_count():
        return pl.repeat(different[0], len(texts), dtype=kind, eager=True).alias(texts.name)
    return texts.cast(kind)


def unpacked(data: bytes, names: pl.Series, where: str) -> pl.DataFrame:
    """Return typed games with the names of the players, which stand by number; InputError for a damaged file."""
    try:
        frame = frame_of(data, where).with_columns(pl.col(TEXTS).cast(pl.String))
        table = frame.with_columns(names.gather(frame[side].to_physical()).alias(side) for side in SIDES)
        return table.select(list(SCHEMA)).cast(SCHEMA)
    except DAMAGED as error:
        raise _damaged(where, error) from error


def frame_bytes(frame: pl.DataFrame) -> bytes:
    """Return a frame as a file of Arrow's, not compressed, so that it can be mapped."""
    stream = io.BytesIO()
    frame.rechunk().write_ipc(stream, compression="uncompressed")
    return stream.getvalue()


def frame_of(data: bytes, where: str) -> pl.DataFrame:
    """Return the frame of a file of Arrow's; InputError for a damaged one."""
    try:
        return pl.read_ipc(io.BytesIO(data))
    except DAMAGED as error:
        raise _damaged(where, error) from error


def _damaged(where: str, error: Any) -> InputError:
    return InputError(f"{where} is damaged: {' '.join(str(error).split())[:100]}")
