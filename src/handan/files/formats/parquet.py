"""The project's own table of games as Parquet."""

from __future__ import annotations

import io

import polars as pl

from handan.errors import InputError, QuestionError
from handan.files.games.at_once import Table, ledger_of
from handan.files.games.format import Format
from handan.files.games.native_table import written_columns
from handan.files.games.parsed import Contents
from handan.files.io.header import plain_name
from handan.files.io.options import Options
from handan.files.io.storage import reason
from handan.files.tables.cells import CELLS
from handan.files.tables.frames import BESIDES, implied_precision, numbered_frame, read_frame
from handan.files.tables.headings import enough, understood
from handan.files.tables.shape import plain_results
from handan.files.tables.table import check_meanings
from handan.ledger import Ledger
from handan.ledger.facts import COLUMNS, REQUIRED

MAGIC = b"PAR1"
DAY = 10  # characters of a date


def _at_once(data: bytes, source: str, options: Options) -> Ledger | None:
    """Return the ledger of a tidy table, whose cells become numbers while they are read."""
    try:
        lazy = pl.scan_parquet(io.BytesIO(data))
        schema = lazy.collect_schema()
        if options.letters or not len(schema):
            return None
        meanings = understood(list(schema), options.columns)
        columns = [meaning.column for meaning in meanings]
        if enough(columns) != REQUIRED or not set(columns) <= {*COLUMNS, ""}:
            return None
        if {plain_name(meaning.heading) for meaning in meanings} & {*BESIDES}:
            return None
        problems = check_meanings(meanings, source, None)
        rows = int(lazy.select(pl.len()).collect().item())
        options.limits.check_games(rows, source)
        texts = numbered_frame(lazy, {name: column for name, column in zip(schema, columns, strict=True) if column})
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError, QuestionError):
        return None  # the other way says what is wrong
    if texts is None or not plain_results(texts["result"].different):
        return None
    return ledger_of(Table(texts, source, 1, problems), CELLS)


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
    games = ledger.games.with_columns(black=pl.col("black").cast(pl.String), white=pl.col("white").cast(pl.String))
    dated = games.filter(pl.col("date").is_not_null())
    implied = dated.select((pl.col("precision") == implied_precision(pl.col("date"))).all()).item()
    table = games.select(*written_columns(ledger), *([] if implied else ["precision"]))
    if (dated["precision"] <= DAY).all():
        table = table.with_columns(pl.col("date").cast(pl.Date))
    stream = io.BytesIO()
    table.write_parquet(stream, compression="zstd")
    return stream.getvalue(), []


PARQUET = Format("Parquet", lambda head: head.startswith(MAGIC), _read, (".parquet",), _write, at_once=_at_once)
