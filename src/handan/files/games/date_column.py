"""A column of written dates made into moments and precisions: the common forms at once, the others one by one."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import polars as pl

from handan.errors import FieldError
from handan.ledger.dates import FORMATS, When

COMMON = {form.replace(" ", mark): length for length, form in FORMATS.items() if length >= 10 for mark in " T"}
"""The ISO forms from the day on, with a blank or a T before the time of day, and their lengths."""
FEWEST = 3  # rows; our choice: of two with one day each may be dated by itself

ReadEach = Callable[[list[str]], tuple[dict[str, When], dict[str, str]]]
"""Reads the different cells of a column that have no ISO form: the dates, and for each bad cell what was expected."""


def read_each(cells: list[str]) -> tuple[dict[str, When], dict[str, str]]:
    """Read each text by itself; return the dates and, for the bad ones, what was expected."""
    dates: dict[str, When] = {}
    bad: dict[str, str] = {}
    for cell in cells:
        try:
            if cell.strip():
                dates[cell] = When.parse(cell)
        except FieldError as fault:
            bad[cell] = fault.expected
    return dates, bad


def read_dates(cells: pl.Series, others: ReadEach = read_each) -> tuple[pl.Series, pl.Series, dict[str, str]]:
    """Read a column of dates; an empty cell is an unknown date.

    Args:
        cells: The column as text.
        others: Reads the cells without an ISO form.

    Returns:
        Moments (null where unknown or bad), precisions (0 there), and for each bad cell what was expected.
    """
    lengths = cells.str.len_bytes()
    moments = pl.repeat(None, len(cells), dtype=pl.Datetime("ms"), eager=True)
    for form, length in COMMON.items():
        rows = (moments.is_null() & (lengths == length)).arg_true()
        if len(rows):
            moments = moments.scatter(rows, _read_form(cells.gather(rows), form))
    precisions = lengths.set(moments.is_null(), 0).cast(pl.UInt8)
    rows = (moments.is_null() & (lengths > 0)).arg_true()
    if not len(rows):
        return moments, precisions, {}
    rest = cells.gather(rows)
    dates, bad = others(rest.unique().to_list())
    read = mapped(rest, {cell: when.moment for cell, when in dates.items()}, pl.Datetime("ms"))
    certain = mapped(rest, {cell: when.precision for cell, when in dates.items()}, pl.UInt8).fill_null(0)
    return moments.scatter(rows, read), precisions.scatter(rows, certain), bad


def stand_once(rows: int, given: int, different: int) -> bool:
    """Return whether days stand once for an evening each: no day twice, and as many rows without one or more.

    Args:
        rows: Of the table, the first of which has a day.
        given: Rows with a day.
        different: Days.
    """
    return rows >= FEWEST and given == different and rows - given >= given


def mapped(cells: pl.Series, values: dict[str, Any], dtype: pl.DataType | type[pl.DataType]) -> pl.Series:
    """Return the column of the values that belong to the cells; null where a cell has none."""
    if not values:
        return pl.repeat(None, len(cells), dtype=dtype, eager=True)
    new = pl.Series(list(values.values()), dtype=dtype)
    return cells.replace_strict(pl.Series(list(values), dtype=pl.String), new, default=None, return_dtype=dtype)


def _read_form(cells: pl.Series, form: str) -> pl.Series:
    """Return the moments of the cells that have exactly this form, and null for the others."""
    moments = cells.str.to_datetime(form, time_unit="ms", strict=False)
    return moments.set(~cells.str.contains(_pattern(form)), None)


def _pattern(form: str) -> str:
    """Return the expression of a form with all its digits; without leap seconds, which Python's dates do not have."""
    digits = {"%Y": "[1-9][0-9]{3}", "%S": "[0-5][0-9]"}
    return "^" + re.sub("%[YmdHMS]", lambda code: digits.get(code[0], "[0-9]{2}"), form) + "$"
