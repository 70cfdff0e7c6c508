"""The project's own table of games as Parquet."""

from __future__ import annotations

import io

import polars as pl

from handan.errors import InputError, QuestionError
from handan.files.games.format import Format
from handan.files.games.native_table import written_columns
from handan.files.games.parsed import Contents
from handan.files.games.set_by_hand import rows_between_games
from handan.files.io.options import Options
from handan.files.io.storage import reason
from handan.files.tables.frames import implied_precision, read_frame
from handan.files.tables.tidy_frames import ledger_of_frame
from handan.ledger import Ledger

MAGIC = b"PAR1"
DAY = 10  # characters of a date


def _at_once(data: bytes, source: str, options: Options) -> Ledger | None:
    """Return the ledger of a tidy table, whose cells become numbers while they are read."""
    try:
        lazy = pl.scan_parquet(io.BytesIO(data))
        return ledger_of_frame(lazy, source, options)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError, QuestionError):
        return None  # the other way says what is wrong


def _read(data: bytes, source: str, options: Options) -> Contents:
    try:
        rows = int(pl.scan_parquet(io.BytesIO(data)).select(pl.len()).collect().item())  # by the footer
        options.limits.check_games(rows, source)
        frame = pl.read_parquet(io.BytesIO(data), n_rows=rows)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as error:
        raise InputError(f"{source} is a damaged Parquet file: {reason(Exception(error))}") from None
    return read_frame(frame, source, options)


def _write(ledger: Ledger, ending: str, excel_safe: bool) -> tuple[bytes, list[str]]:  # noqa: ARG001, FBT001  # the signature of all formats
    """Return the games with zstd; `precision` is written where the dates do not tell it by themselves."""
    games = rows_between_games(ledger)
    dated = games.filter(pl.col("date").is_not_null())
    implied = dated.select((pl.col("precision") == implied_precision(pl.col("date"))).all()).item()
    table = games.select(*written_columns(ledger), *([] if implied else ["precision"]))
    if (dated["precision"] <= DAY).all():
        table = table.with_columns(pl.col("date").cast(pl.Date))
    stream = io.BytesIO()
    table.write_parquet(stream, compression="zstd")
    return stream.getvalue(), []


PARQUET = Format("Parquet", lambda head: head.startswith(MAGIC), _read, (".parquet",), _write, at_once=_at_once)
