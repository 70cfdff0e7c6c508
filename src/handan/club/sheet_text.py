"""A record sheet as text: lines that are pasted or typed, with headings in any language or in the usual order."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Mapping, Sequence

import polars as pl

from handan.club.sheet_lines import COLUMNS
from handan.errors import Clause, InputError
from handan.files.games.native_table import SUMS
from handan.files.tables.dates import DateReader
from handan.files.tables.headings import enough, languages, understood
from handan.files.tables.pairs import parted
from handan.files.tables.points import with_results
from handan.files.tables.results import endings_of, letters_of, read_result
from handan.files.tables.shape import NO_COLOUR, shaped
from handan.ledger.results import Result

Cells = Mapping[str, str]
"""Of a line, by column."""

USUAL = ("black", "white", "result", "handicap", "komi", "date", "kind", "event", "round", "notes")
"""The order of the columns of lines without headings."""
MOST_CELLS = 40  # our choice: of a line
MARKS = "\t;,"
NO_TABLE = "these lines are no table: {why}"
NO_TABLE = "these lines are no table: {why}"
FIRST_ROW = 2
"""The line behind that of the headings."""
OF_SHEET = "sheet"
"""What messages call the pasted table."""
WHO_HAD_BLACK = "nothing says who of the two in {cell} had Black; a heading Black – White, or White – Black, would"


def rows_of(text: str) -> list[list[str]]:
    """Return the cells of pasted lines, which tabs, semicolons or commas separate."""
    filled = [line for line in text.splitlines() if line.strip()]
    if not filled:
        return []
    mark = next((mark for mark in MARKS if mark in filled[0]), ",")
    try:
        rows = list(csv.reader(filled, delimiter=mark))
    except csv.Error as error:  # a cell of a hundred thousand letters
        raise InputError(Clause.of(NO_TABLE, why=str(error))) from None
    return [[cell.strip() for cell in row[:MOST_CELLS]] for row in rows]


def lines_of(text: str) -> list[dict[str, str]]:
    """Return pasted lines as lines of a sheet, read as tables of files are; what cannot be read stays as it is written.

    InputError for headings that mean the same twice, and for a table that can be read in two ways.
    """
    rows = rows_of(text)
    if not rows:
        return []
    meanings = understood(rows[0])
    columns = [meaning.column for meaning in meanings]
    choice = enough(columns)
    named = bool(choice) or {"black", "white"} <= set(columns)
    columns, body = (columns, rows[1:]) if named else (list(USUAL), rows)
    spoken = languages(meanings) if named else frozenset[str]()
    read = _read_as_tables(columns, body, spoken) if choice and choice != SUMS else {}
    used = {*choice, "margin", "colour"} if read else set[str]()
    lines = [_line(columns, row, read.get(place, {}), used) for place, row in enumerate(body)]
    unread = [line.get("result", "") for place, line in enumerate(lines) if place not in read]
    letters = letters_of(unread, spoken)
    endings = endings_of(letters, spoken)
    dates = _dates([line.get("date", "") for line in lines], spoken)
    for place, line in enumerate(lines):
        if line.get("result"):
            line["result"] = _result(line["result"], letters, endings, is_read=place in read)
        if line.get("date"):
            line["date"] = dates.get(line["date"], line["date"])
    return lines


def _read_as_tables(columns: Sequence[str], rows: Sequence[Sequence[str]], spoken: frozenset[str]) -> dict[int, Cells]:
    """Return who is Black and White and who won by row, as tables of files are read; without rows that tell it not."""
    places = {column: place for place, column in enumerate(columns) if column}
    cells = {column: [row[place] if place < len(row) else "" for row in rows] for column, place in places.items()}
    text = pl.DataFrame(cells, schema=dict.fromkeys(cells, pl.String))
    numbers = pl.Series(range(FIRST_ROW, len(rows) + FIRST_ROW), dtype=pl.Int64)
    pairs = parted(text, numbers, OF_SHEET)
    scored = with_results(pairs.text, pairs.lines, enough(pairs.text.columns), OF_SHEET)
    choice = enough(scored.text.columns)
    ready = shaped(scored.text, choice, OF_SHEET, scored.lines, spoken, "bw" if scored.meaning else "")
    if pairs.cell and any(problem.expected == NO_COLOUR for problem in ready.problems):
        raise InputError(Clause.of(WHO_HAD_BLACK, cell=pairs.cell))
    table = ready.text.select("black", "white", "result")
    return {number - FIRST_ROW: {name: text or "" for name, text in zip(table.columns, row, strict=True)}
            for number, row in zip(ready.lines, table.iter_rows(), strict=True)}  # fmt: skip


def _line(columns: Sequence[str], row: Sequence[str], read: Cells, used: Collection[str]) -> dict[str, str]:
    """Return a row by column; what stands under headings that mean nothing here goes to the comments.

    Args:
        columns: What the headings mean.
        row: Its cells.
        read: What was read of it, if anything was.
        used: The columns that this took.
    """
    cells: dict[str, str] = {name: text for name, text in read.items() if text}
    more: list[str] = []
    for place, cell in enumerate(row):
        column = columns[place] if place < len(columns) else ""
        if read and column in used:
            continue
        column = {"winner": "result"}.get(column, column)
        if column in COLUMNS and column not in cells:
            cells[column] = cell
        elif cell:
            more.append(cell)
    if more:
        cells["notes"] = "; ".join([cells["notes"], *more] if cells.get("notes") else more)
    return cells


def _dates(cells: list[str], spoken: frozenset[str]) -> Mapping[str, str]:
    """Return the dates of cells in the form 2026-05-01; cells whose order of day and month is open are left out."""
    try:
        dates, _ = DateReader(languages=spoken)(dict.fromkeys(cells))
    except InputError:
        return {}
    return {cell: str(when) for cell, when in dates.items()}


def _result(cell: str, letters: str, endings: Mapping[str, str], *, is_read: bool) -> str:
    """Return a result as files have it, as far as it can be read."""
    try:
        return str(Result.parse(cell)) if is_read else read_result(cell, letters, endings).text("B+", "W+")
    except InputError:
        return cell


def text_of(lines: Sequence[Mapping[str, str]]) -> str:
    """Return lines of a sheet as a text with headings, which `lines_of` reads again."""
    used = [name for name in COLUMNS if name in USUAL[:3] or any(line.get(name) for line in lines)]
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(used)
    table.writerows([line.get(name, "") for name in used] for line in lines if any(line.values()))
    return out.getvalue()
