"""A column that is called board: the size of the board, or the number of the table at which two players sit."""

from __future__ import annotations

import polars as pl

from handan.errors import Clause, FieldError, shown
from handan.files.cells.numbers import read_board
from handan.files.tables.text_table import TextTable

USUAL = frozenset((9, 13, 19))
"""Lines of the boards that clubs have."""
RARE = range(5, 26)
"""Our choice: lines of other boards on which somebody plays."""
MOSTLY = 2 / 3  # our choice: of the rows have a usual size in a column of sizes
SLIPS = 0.1  # our choice: of the rows may have a number that no board has in it


def find_sizes(table: TextTable) -> None:
    """Call the column `board` that of sizes if it holds such, and leave it out if it counts tables."""
    if "board" not in table.text.columns:
        return
    cells = table.cells("board")
    filled = "size" not in table.text.columns and bool((cells != "").any())
    if filled and _are_sizes(cells):
        table.text = table.text.rename({"board": "size"})
        return
    table.text = table.text.drop("board")
    if filled:
        heading = next(meaning.heading for meaning in table.meanings if meaning.column == "board")
        pattern = "column {column} is read as numbers of tables and not as sizes of boards{hint}"
        hint = f' (--column "size={heading}" says otherwise)'
        table.remark(Clause.of(pattern, column=shown(heading), hint=hint), "board")


def _are_sizes(cells: pl.Series) -> bool:
    """Return whether a column holds sizes: most of its rows a usual one, and hardly any a number that no board has."""
    counts = dict(cells.filter(cells != "").value_counts().iter_rows())
    lines = {cell: _lines(cell) for cell in counts}
    rows = sum(counts.values())
    usual = sum(count for cell, count in counts.items() if lines[cell] in USUAL or (lines[cell] and not cell.isdigit()))
    no_board = sum(count for cell, count in counts.items() if lines[cell] not in RARE)
    return bool(usual >= MOSTLY * rows and no_board <= SLIPS * rows)


def _lines(cell: str) -> int:
    """Return the lines of a board, 0 if the cell names none."""
    try:
        return read_board(cell)
    except FieldError:
        return 0
