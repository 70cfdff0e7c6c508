"""Frames of polars, pandas, pyarrow and Parquet: columns of any type as the text that a file would hold."""

from __future__ import annotations

from typing import Any

import polars as pl

from handan.errors import InputError, Problem, shown
from handan.files.games.date_column import joined
from handan.files.games.native_table import NEEDED, READABLE, read_table
from handan.files.io.header import check_header, plain_name
from handan.files.io.limits import Limits
from handan.files.io.storage import reason
from handan.ledger.dates import FORMATS
from handan.ledger.facts import READERS

BESIDES = ("precision", "source", "line")
"""Columns of a ledger's own games table; the first says how many characters of a date are known."""


def read_frame(frame: pl.DataFrame, source: str, limits: Limits) -> tuple[pl.DataFrame, list[Problem]]:
    """Turn a frame into the typed games table and the problems; the lines of the reports are rows, counted from 1."""
    names = [plain_name(name) for name in frame.columns]
    problems = check_header([name for name in names if name not in BESIDES], READABLE, NEEDED, source, None)
    frame.columns = [name if name in {*READABLE, *BESIDES} else f"#{place}" for place, name in enumerate(names)]
    try:
        text = pl.DataFrame({name: _text_of(frame, name) for name in frame.columns if name in READABLE})
    except pl.exceptions.PolarsError as error:
        raise InputError(f"{source}: a column cannot be read as text: {reason(error)}") from error
    table, more = read_table(text, source, pl.int_range(1, frame.height + 1, eager=True), limits)
    return table, problems + more


def _text_of(frame: pl.DataFrame, name: str) -> pl.Series:
    """Return a column as text; numbers and dates that repeat are written once, and become categories."""
    column = frame[name]
    if name in READERS and (column.dtype.is_numeric() or column.dtype == pl.Date):
        different = frame.select(name).unique()
        texts = different.select(_as_text(different, name).fill_null("")).to_series()
        if 4 * different.height < frame.height and texts.n_unique() == len(texts):
            places = pl.Series(range(different.height), dtype=pl.UInt32)
            return joined(column, different[name], places).cat.to(pl.Enum(texts))
    return frame.select(_as_text(frame, name)).to_series()


def _as_text(frame: pl.DataFrame, name: str) -> pl.Expr:
    """Return a column as text: whole numbers without a decimal point, dates in ISO form."""
    dtype, cell = frame.schema[name], pl.col(name)
    if isinstance(dtype, pl.Datetime):
        return _written(cell.dt.replace_time_zone(None).dt.cast_time_unit("ms"), frame)
    if dtype == pl.Date:
        return _written(cell.cast(pl.Datetime("ms")), frame)
    if dtype.is_float():
        return cell.fill_nan(None).cast(pl.String).str.strip_suffix(".0")
    return cell.cast(pl.String)


def _written(moment: pl.Expr, frame: pl.DataFrame) -> pl.Expr:
    """Return timestamps as ISO text, each as long as what is known; one that no calendar has stays a number."""
    date = pl.when(moment.dt.year().is_between(1, 9999)).then(moment)
    given = pl.col("precision").cast(pl.Int64, strict=False) if "precision" in frame.columns else pl.lit(None)
    precision = pl.when(given.is_in(list(FORMATS))).then(given).otherwise(implied_precision(date))
    text = date.dt.strftime("%Y-%m-%d %H:%M:%S").str.slice(0, precision)
    return pl.coalesce(text, moment.to_physical().cast(pl.String))


def implied_precision(moment: pl.Expr) -> pl.Expr:
    """Return how much of a timestamp is meant where nothing says so: at midnight the day, else the minute or second."""
    midnight = moment.dt.time() == pl.time(0)
    return pl.when(midnight).then(10).when(moment.dt.second() == 0).then(16).otherwise(19)


def to_polars(native: Any) -> pl.DataFrame:
    """Return a frame of any library that narwhals knows as one of polars; InputError for anything else."""
    import narwhals as nw

    try:
        frame = nw.from_native(native)
        frame = frame.collect() if isinstance(frame, nw.LazyFrame) else frame
        own = frame.to_native()
        if isinstance(own, pl.DataFrame):
            return own.clone()
        return pl.DataFrame({str(column.name): _series(column) for column in frame.iter_columns()})
    except TypeError:
        kind = shown(type(native).__name__)
        raise InputError(f"{kind} is not a path, nor a frame of polars, pandas or pyarrow") from None
    except (nw.exceptions.NarwhalsError, pl.exceptions.PolarsError) as error:
        raise InputError(f"frame: {reason(error)}") from error


def _series(column: Any) -> pl.Series:
    """Return a column of another library; cells of several types become text."""
    cells = zip(column.to_list(), column.is_null().to_list(), strict=True)
    values = [None if absent else value for value, absent in cells]
    try:
        return pl.Series(values)
    except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError):
        return pl.Series([None if value is None else str(value) for value in values])
