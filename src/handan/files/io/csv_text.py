"""Tables written as CSV, and the one rule for what a spreadsheet would take for a formula."""

from __future__ import annotations

import re

import polars as pl

SIGNS = "=+\\-@\uff1d\uff0b\uff0d\uff20"
"""What a formula begins with, also in the full width that spreadsheets set to Japanese or Chinese take for it."""
FORMULA = rf"(^|[;\t\r\n])([{SIGNS}\t\r])"
"""Where a spreadsheet sees one begin: at the start of a cell, also if it takes `;` or a tab for the end of a cell."""
_FORMULA = re.compile(FORMULA)
_NUMBER = re.compile(r"[+-][0-9]{1,40}(?:\.[0-9]{1,40})?")


def to_text(table: pl.DataFrame, separator: str = ",", *, excel_safe: bool = False) -> bytes:
    """Return a table of text and numbers as CSV: UTF-8, LF, quotes where RFC 4180 needs them.

    Args:
        table: Absent cells are null or empty.
        separator: Character between the cells.
        excel_safe: Whether text that a spreadsheet would take for a formula gets an apostrophe in front; such a file is
            for spreadsheets, since the apostrophe is part of the text when it is read again.
    """
    columns = []
    for name, dtype in table.schema.items():
        cell = pl.col(name).cast(pl.String).fill_null("")
        if dtype.is_float():
            cell = cell.str.strip_suffix(".0")
        elif excel_safe and dtype == pl.String:
            cell = cell.str.replace_all(FORMULA, "${1}'${2}")
        doubled = '"' + cell.str.replace_all('"', '""', literal=True) + '"'
        columns.append(pl.when(cell.str.contains(rf'["\r\n{separator}]')).then(doubled).otherwise(cell))
    lines = table.select(pl.concat_str(columns, separator=separator).alias("line"))["line"]
    return ("\n".join([separator.join(table.columns), *lines]) + "\n").encode()


def without_formulas(text: str) -> str:
    """Return a text with an apostrophe before whatever would be a formula; a number is none."""
    return text if _NUMBER.fullmatch(text) else _FORMULA.sub(r"\1'\2", text)
