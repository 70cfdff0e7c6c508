"""The project's own table of games as text: CSV, TSV."""

from __future__ import annotations

import polars as pl

from handan.files.cells import read_cells
from handan.files.contents import Contents
from handan.files.formats import Format, Options
from handan.files.tidy import KNOWN, NEEDED, in_order, read_table, written_columns
from handan.ledger import Ledger

FORMULA = r"^[=+\-@]"
"""A cell that begins so is a formula for a spreadsheet."""


def _read(data: bytes, source: str, options: Options) -> Contents:
    cells = read_cells(data, source, options, KNOWN, NEEDED)
    options.limits.check_games(cells.text.height, source)
    table, problems = read_table(cells.text, source, cells.lines, options.limits)
    return Contents(table, in_order(cells.problems + problems))


def _write(ledger: Ledger, ending: str, excel_safe: bool) -> tuple[bytes, list[str]]:  # noqa: FBT001  # the signature of all formats
    games = ledger.games.select(*written_columns(ledger), "precision")
    text = games.with_columns(
        date=_dates(), black=pl.col("black").cast(pl.String), white=pl.col("white").cast(pl.String)
    )
    return to_text(text.drop("precision"), "\t" if ending == ".tsv" else ",", excel_safe=excel_safe), []


def _dates() -> pl.Expr:
    """Return the dates as text, each as long as what is known."""
    return pl.col("date").dt.strftime("%Y-%m-%d %H:%M:%S").str.slice(0, pl.col("precision"))


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
            cell = pl.when(cell.str.contains(FORMULA)).then("'" + cell).otherwise(cell)
        doubled = '"' + cell.str.replace_all('"', '""', literal=True) + '"'
        columns.append(pl.when(cell.str.contains(rf'["\r\n{separator}]')).then(doubled).otherwise(cell))
    lines = table.select(pl.concat_str(columns, separator=separator).alias("line"))["line"]
    return ("\n".join([separator.join(table.columns), *lines]) + "\n").encode()


TIDY_CSV = Format("table", lambda head: True, _read, (".csv", ".tsv"), _write)  # noqa: ARG005  # the last to be asked
