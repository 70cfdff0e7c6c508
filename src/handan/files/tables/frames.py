"""Frames of polars, pandas, pyarrow and Parquet: columns of any type as the text that a file would hold."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import polars as pl

from handan.errors import InputError, shown
from handan.files.games.contents import Contents
from handan.files.io.dictionary_encoding import Categories, categories_of, categorized, differing, with_categories
from handan.files.io.header import plain_name, refuse_twice
from handan.files.io.options import Options
from handan.files.io.storage import reason
from handan.files.tables.column_names import COLUMNS, understood
from handan.files.tables.table import check_meanings, contents_of
from handan.files.tables.text_table import TextTable
from handan.ledger.dates import FORMATS
from handan.ledger.facts import READERS

BESIDES = ("precision", "source", "line")
"""Columns of a ledger's own games table; the first says how many characters of a date are known."""


def read_frame(frame: pl.DataFrame, source: str, options: Options) -> Contents:
    """Return the games of a frame; the lines of the reports are rows, counted from 1."""
    meanings = understood([str(name) for name in frame.columns], options.columns)
    plain = [plain_name(meaning.heading) for meaning in meanings]
    own = [meaning for meaning, name in zip(meanings, plain, strict=True) if meaning.column or name not in BESIDES]
    problems = check_meanings(own, source, None)
    frame.columns = [
        meaning.column or (name if name == "precision" else f"#{place}")
        for place, (meaning, name) in enumerate(zip(meanings, plain, strict=True))
    ]
    kinds = categories_of(name for name, kind in frame.schema.items() if kind == pl.String and name in COLUMNS)
    lines = pl.int_range(1, frame.height + 1, eager=True)
    try:
        text = pl.DataFrame([_taken(frame, name, kinds) for name in frame.columns if name in COLUMNS])
    except pl.exceptions.PolarsError as error:
        raise InputError(f"{source}: a column cannot be read as text: {reason(error)}") from error
    return contents_of(TextTable(text, lines, source, own, problems=problems), options)


def _taken(frame: pl.DataFrame, name: str, kinds: Categories) -> pl.Series:
    """Take a column out of a frame and return it as text; so a large table is not held twice."""
    column = _text_of(frame, name, kinds)
    frame.drop_in_place(name)
    return column


def _text_of(frame: pl.DataFrame, name: str, kinds: Categories) -> pl.Series:
    """Return a column as text, of which what repeats is written once and becomes categories."""
    column = frame[name]
    if name in kinds:
        return categorized(column.fill_null(""), kinds[name])
    dated = column.dtype == pl.Date and "precision" not in frame.columns
    if name in READERS and (column.dtype.is_numeric() or dated):
        values, number = differing(column)
        texts = values.alias(name).to_frame()
        return with_categories(name, texts.select(as_text(texts, name).fill_null("")).to_series(), number)
    return frame.select(as_text(frame, name)).to_series()


def as_text(frame: pl.DataFrame, name: str) -> pl.Expr:
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
    if isinstance(native, (pl.DataFrame, pl.LazyFrame)):
        return native.lazy().collect()
    import narwhals as nw

    native = _with_index(native)
    refuse_repeated_columns(native, "frame")
    try:
        frame = nw.from_native(native)
        frame = frame.collect() if isinstance(frame, nw.LazyFrame) else frame
        with suppress(Exception):  # such as cells of several types in one column, which are taken one by one
            return frame.to_polars()
        return pl.DataFrame({str(column.name): _series(column) for column in frame.iter_columns()})
    except TypeError:
        if hasattr(native, "__arrow_c_stream__"):
            with suppress(Exception):  # a column of pandas has it as well
                return pl.DataFrame(native)
        kind = shown(type(native).__name__)
        raise InputError(f"{kind} is not a path, a file, bytes, a table in rows or columns, nor a frame") from None
    except (nw.exceptions.NarwhalsError, pl.exceptions.PolarsError) as error:
        raise InputError(f"frame: {reason(error)}") from error


def refuse_repeated_columns(native: Any, place: str) -> None:
    """Raise InputError for a frame of another library of which two columns have the same name."""
    names = getattr(native, "column_names", getattr(native, "columns", ()))  # pyarrow has arrays as columns
    refuse_twice([str(name) for name in names], place)


def _with_index(native: Any) -> Any:
    """Return a frame of pandas with the levels of its index that have names as columns; any other as it is."""
    index = getattr(native, "index", None)
    levels = [name for name in getattr(index, "names", ()) if name is not None and name not in native.columns]
    return native.reset_index(level=levels) if levels else native


def _series(column: Any) -> pl.Series:
    """Return a column of another library."""
    cells = zip(column.to_list(), column.is_null().to_list(), strict=True)
    return series_of([None if absent else value for value, absent in cells])


def series_of(values: list[Any]) -> pl.Series:
    """Return a column of values; those of several types become text, in which half a character is a `?`."""
    try:
        return pl.Series(values, strict=True)
    except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError):
        return pl.Series([None if value is None else str(value).encode(errors="replace").decode() for value in values])
