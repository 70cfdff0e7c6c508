"""Frames of polars, pandas, pyarrow and Parquet: columns of any type as the text that a file would hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from handan.errors import InputError, Problem, shown
from handan.files.header import check_header, plain_name
from handan.files.tidy import KNOWN, NEEDED, read_table

BESIDES = ("precision", "source", "line")
"""Columns of a ledger's own games table; the first says how many characters of a date are known."""


def read_frame(frame: pl.DataFrame, source: str) -> tuple[pl.DataFrame, list[Problem]]:
    """Turn a frame into the typed games table and the problems; the lines of the reports are rows, counted from 1."""
    names = [plain_name(name) for name in frame.columns]
    problems = check_header([name for name in names if name not in BESIDES], KNOWN, NEEDED, source, None)
    frame.columns = [name if name in {*KNOWN, *BESIDES} else f"#{place}" for place, name in enumerate(names)]
    try:
        text = frame.select(_as_text(frame, name).alias(name) for name in frame.columns if name in KNOWN)
    except pl.exceptions.PolarsError as error:
        raise InputError(f"{source}: a column cannot be read as text: {' '.join(str(error).split())}") from error
    table, more = read_table(text, source, pl.int_range(1, frame.height + 1, eager=True))
    return table, problems + more


def _as_text(frame: pl.DataFrame, name: str) -> pl.Expr:
    """Return a column as text: whole numbers without a decimal point, dates in ISO form."""
    dtype, cell = frame.schema[name], pl.col(name)
    if isinstance(dtype, pl.Datetime):
        moment = cell.dt.replace_time_zone(None)
        known = pl.col("precision").cast(pl.Int64) if "precision" in frame.columns else implied_precision(moment)
        return moment.dt.strftime("%Y-%m-%d %H:%M:%S").str.slice(0, known)
    if dtype.is_float():
        return cell.fill_nan(None).cast(pl.String).str.strip_suffix(".0")
    return cell.cast(pl.String)


def implied_precision(moment: pl.Expr) -> pl.Expr:
    """Return how much of a timestamp is meant where nothing says so: at midnight the day, else the minute or second."""
    midnight = moment.dt.time() == pl.time(0)
    return pl.when(midnight).then(10).when(moment.dt.second() == 0).then(16).otherwise(19)


def to_polars(native: Any) -> pl.DataFrame:
    """Return a frame of any library that narwhals knows as one of polars; InputError for anything else."""
    import narwhals as nw

    try:
        frame = nw.from_native(native)
    except TypeError:
        raise InputError(
            f"{shown(type(native).__name__)} is not a path or a frame of polars, pandas or pyarrow"
        ) from None
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    if isinstance(found := frame.to_native(), pl.DataFrame):
        return found.clone()
    return pl.DataFrame([_series(plain_name(name), frame[name]) for name in frame.columns])


def _series(name: str, column: Any) -> pl.Series:
    """Return a column of another library; cells of several types become text."""
    values = [None if absent else value for value, absent in zip(column, column.is_null(), strict=True)]
    try:
        return pl.Series(name, values)
    except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError):
        return pl.Series(name, [None if value is None else str(value) for value in values])
