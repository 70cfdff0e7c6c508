"""What stands once for many rows: a round or a day above a block of them, and a day in the first row of an evening."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

import polars as pl

from handan.errors import Problem, counted
from handan.files.cells.dates import looks_like_date
from handan.files.cells.numbers import round_in
from handan.files.games.date_column import stand_once
from handan.files.io.dictionary_encoding import has
from handan.files.tables.left_out_rows import KeptRows


def with_blocks(text: pl.DataFrame, lines: pl.Series, above: str, source: str) -> KeptRows:
    """Return a table without the lines that head blocks of it, such as `Round 2`, whose rows have that round or day.

    Args:
        text: Its columns are named as in `handan.files.tables.column_names.COLUMNS`.
        lines: Line of each row.
        above: The text above the headings, which may head the first block.
        source: Name for the reports.
    """
    last = text.columns[-1]
    full = (column for column in text if not has(column, ""))
    if text.width < 2 or len(list(islice(full, 2))) == 2:
        return KeptRows(text, lines, [])
    cells = text.select(pl.all().cast(pl.String).fill_null("").str.strip_chars())
    alone = cells.select(pl.sum_horizontal(pl.all() != "") == 1).to_series()
    heads: dict[str, dict[int, str]] = {"round": {}, "date": {}}
    for row in alone.arg_true().to_list():
        cell = next(cell for cell in cells.row(row) if cell)
        for column, value in _headed(cell).items():
            heads[column][row] = value
    rows = sorted({row for values in heads.values() for row in values})
    if not rows:
        return KeptRows(text, lines, [])
    made = cells
    for column, values in heads.items():
        if not values:
            continue
        first = {0: _headed(above)[column]} if column in _headed(above) and 0 not in values else {}
        own = [values.get(row, first.get(row)) for row in range(text.height)]
        of_block = pl.Series(own, dtype=pl.String).forward_fill().fill_null("")
        if column in made.columns:
            of_block = pl.select(pl.when(made[column] == "").then(of_block).otherwise(made[column])).to_series()
        made = made.with_columns(of_block.alias(column))
    what = " and ".join(f"{name}s" for name, values in heads.items() if values)
    message = f"{counted(len(rows), 'line')} above blocks of rows {'gives' if len(rows) == 1 else 'give'} their {what}"
    kept = ~pl.int_range(text.height, eager=True).is_in(rows)
    problem = Problem(source, int(lines[rows[0]]), last, message, "", rejected=False, message=message)
    return KeptRows(made.filter(kept), lines.filter(kept), [problem])


def _headed(cell: str) -> Mapping[str, str]:
    """Return what a line above a block says of its rows, by column; nothing if it is no such line."""
    number = round_in(cell)
    if number is not None:
        return {"round": str(number)}
    return {"date": cell.strip()} if looks_like_date(cell) else {}


def with_days_of_evenings(text: pl.DataFrame, lines: pl.Series, source: str) -> tuple[pl.DataFrame, list[Problem]]:
    """Return a table whose rows without a day have that of the row above, where each day stands once for an evening.

    Where a day stands in two rows, or most rows have one, each is dated by itself, and an empty cell is an unknown day.
    """
    if "date" not in text.columns or not has(text["date"], ""):
        return text, []
    days = text["date"].cast(pl.String).fill_null("").str.strip_chars()
    given = days.filter(days != "")
    if days[0] == "" or not stand_once(len(days), len(given), given.n_unique()):
        return text, []
    empty = days == ""
    filled = pl.select(pl.when(empty).then(None).otherwise(days)).to_series().forward_fill()
    first: Any = lines.filter(empty)[0]
    message = (
        f"each day stands once: {counted(int(empty.sum()), 'row')} without one below it "
        f"{'has' if empty.sum() == 1 else 'have'} the same day"
    )
    problem = Problem(source, int(first), "date", message, "", rejected=False, message=message)
    return text.with_columns(filled.alias("date")), [problem]
