"""Frames in which nothing is odd made into ledgers at once: no cell of them becomes text that is none."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.errors import QuestionError
from handan.files.cells.numbers import CELLS
from handan.files.games.at_once import Table, ledger_of
from handan.files.io.header import plain_name
from handan.files.io.options import Options
from handan.files.io.texts import SHARED, Categories, Texts
from handan.files.tables.frames import BESIDES, as_text
from handan.files.tables.headings import enough, understood
from handan.files.tables.shape import plain_results
from handan.files.tables.table import check_meanings
from handan.ledger import Ledger
from handan.ledger.coded import differing
from handan.ledger.facts import COLUMNS, REQUIRED


def tidy_frame(frame: pl.DataFrame, source: str, options: Options) -> Ledger | None:
    """Return the ledger of a frame in memory; None if anything in it is odd."""
    try:
        return ledger_of_frame(frame.lazy(), source, options)
    except (pl.exceptions.PolarsError, QuestionError):
        return None  # the other way says what is wrong


def ledger_of_frame(frame: pl.LazyFrame, source: str, options: Options) -> Ledger | None:
    """Return the ledger of a frame; None if anything in it is odd, which `read_frame` tells of.

    Raises:
        QuestionError: A heading can mean two things.
        PolarsError: The frame cannot be read.
    """
    schema = frame.collect_schema()
    if options.letters or not len(schema):
        return None
    meanings = understood(list(schema), options.columns)
    columns = [meaning.column for meaning in meanings]
    if enough(columns) != REQUIRED or not set(columns) <= {*COLUMNS, ""}:
        return None
    if {plain_name(meaning.heading) for meaning in meanings} & {*BESIDES}:
        return None
    problems = check_meanings(meanings, source, None)
    rows = int(frame.select(pl.len()).collect().item())
    options.limits.check_games(rows, source)
    wanted = {name: column for name, column in zip(schema, columns, strict=True) if column}
    cells = frame.select(pl.col(name).alias(own) for name, own in wanted.items()).collect()
    days = _days(cells["date"]) if "date" in cells.columns else None
    texts = _numbered(cells if days is None else cells.drop("date"))
    if texts is None or not plain_results(texts["result"].different, columns):
        return None
    return ledger_of(Table(texts, source, 1, problems, days), CELLS)


def _days(column: pl.Series) -> NDArray[np.int32] | None:
    """Return the days of a column that holds days alone, in each row one; None for any other."""
    if column.null_count() or not len(column):
        return None
    if column.dtype == pl.Date:
        return column.to_physical().to_numpy()
    if not isinstance(column.dtype, pl.Datetime) or column.dtype.time_zone:
        return None
    days = column.cast(pl.Date)
    return days.to_physical().to_numpy() if (days.cast(column.dtype) == column).all() else None


def _numbered(cells: pl.DataFrame) -> dict[str, Texts] | None:
    """Return columns as their different cells; None if one is neither text, day nor number."""
    texts = [name for name, kind in cells.schema.items() if kind == pl.String]
    others = [name for name in cells.columns if name not in texts]
    if any(cells.schema[name] != pl.Date and not cells.schema[name].is_numeric() for name in others):
        return None
    if any(name in SHARED or name in SHARED.values() for name in others):
        return None  # numbers as names or ids
    numbers = {name: _written(cells.get_column(name)) for name in others}
    categories = Categories(texts)
    text = cells.select(pl.col(name).cast(kind) for name, kind in categories.types.items())
    return categories.texts([categories.numbers(text)]) | numbers


def _written(column: pl.Series) -> Texts:
    """Return days or numbers as the different texts of which `as_text` writes them."""
    frame = column.to_frame()
    if len(column) and not column.null_count() and column.min() == column.max():
        different, number = frame.head(1), np.broadcast_to(np.uint8(0), len(column))
    else:
        values, own = differing(column)
        different = values.alias(column.name).to_frame()
        number = np.broadcast_to(np.uint8(0), len(column)) if own is None else own
    return Texts(different.select(as_text(different, column.name).fill_null("")).to_series().to_list(), number)
