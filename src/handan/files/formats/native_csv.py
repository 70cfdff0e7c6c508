"""The project's own table of games as text: CSV, TSV."""

from __future__ import annotations

import polars as pl

from handan.files.games.format import Format
from handan.files.games.native_table import NEEDED, READABLE, in_order, read_table, written_columns
from handan.files.games.parsed import Contents
from handan.files.io.cells import read_cells
from handan.files.io.csv_text import to_text
from handan.files.io.options import Options
from handan.ledger import Ledger


def _read(data: bytes, source: str, options: Options) -> Contents:
    cells = read_cells(data, source, options, READABLE, NEEDED)
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


TIDY_CSV = Format("table", lambda head: True, _read, (".csv", ".tsv"), _write)  # noqa: ARG005  # the last to be asked
