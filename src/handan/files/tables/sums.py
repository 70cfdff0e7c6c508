"""Rows of a table of games that add up the games above them."""

from __future__ import annotations

import polars as pl

from handan.files.cells.sums import are_sums, passed_over_sums
from handan.files.io.dictionary_encoding import has
from handan.files.tables.blocks import LETTER
from handan.files.tables.column_names import PAIRS
from handan.files.tables.text_table import SEATS, TextTable

WHO_AND_WHEN = ("date", "event", *PAIRS, *(seat for pair in SEATS for seat in pair), "result", "winner")
"""Columns in which a row that holds numbers alone has nothing, its word aside, which may stand under no heading."""
OF_GAME = ("handicap", "komi", "moves")
"""Columns whose numbers are added up."""


def leave_out_sums(table: TextTable) -> None:
    """Leave out rows of sums, which lack a player or a result, and say so once; whoever is called Total has both."""
    needed = [column for column in table.choice if column in table.text.columns]
    if not any(has(table.text[column], "") for column in needed):
        return
    cells = table.text.select(pl.all().cast(pl.String).fill_null("").str.strip_chars())
    lacking = pl.any_horizontal(*(pl.col(column) == "" for column in needed))
    likely = cells.select(lacking & (pl.sum_horizontal(pl.all().str.contains(LETTER)) <= 1)).to_series()
    rows = likely.arg_true()
    own = cells.filter(likely)
    sums = [row for row, texts in zip(rows, own.iter_rows(named=True), strict=True) if _adds_up(texts)]
    if sums:
        table.remark(passed_over_sums(len(sums)), line=int(table.lines[sums[0]]))
        table.keep(~pl.int_range(table.text.height, eager=True).is_in(sums))


def _adds_up(cells: dict[str, str]) -> bool:
    """Return whether a row has a word for a sum, or numbers without anything that says whose they are."""
    if are_sums([*cells.values()]):
        return True
    bare = not any(cells.get(column) for column in WHO_AND_WHEN)
    return bare and any(any(map(str.isdecimal, cells.get(column, ""))) for column in OF_GAME)
