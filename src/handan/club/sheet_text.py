"""A record sheet as text: lines that are pasted or typed, with headings in any language or in the usual order."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence

from handan.club.sheet_lines import COLUMNS
from handan.errors import InputError
from handan.files.tables.dates import DateReader
from handan.files.tables.headings import languages, understood
from handan.files.tables.results import endings_of, letters_of, read_result

USUAL = ("black", "white", "result", "handicap", "komi", "date", "kind", "event", "round", "notes")
"""The order of the columns of lines without headings."""
MOST_CELLS = 40  # our choice: of a line
MARKS = "\t;,"


def rows_of(text: str) -> list[list[str]]:
    """Return the cells of pasted lines, which tabs, semicolons or commas separate."""
    filled = [line for line in text.splitlines() if line.strip()]
    if not filled:
        return []
    mark = next((mark for mark in MARKS if mark in filled[0]), ",")
    return [[cell.strip() for cell in row[:MOST_CELLS]] for row in csv.reader(filled, delimiter=mark)]


def lines_of(text: str) -> list[dict[str, str]]:
    """Return pasted lines as lines of a sheet; cells that cannot be read stay as they are written.

    InputError for headings that mean the same twice.
    """
    rows = rows_of(text)
    if not rows:
        return []
    meanings = understood(rows[0])
    columns = [meaning.column for meaning in meanings]
    named = {"black", "white"} <= set(columns)
    columns = columns if named else list(USUAL)
    lines = [_line(columns, row) for row in rows[1 if named else 0 :]]
    spoken = languages(meanings) if named else frozenset[str]()
    letters = letters_of([line.get("result", "") for line in lines], spoken)
    endings = endings_of(letters, spoken)
    dates = _dates([line.get("date", "") for line in lines], spoken)
    return [_read(line, letters, endings, dates) for line in lines]


def _line(columns: Sequence[str], row: Sequence[str]) -> dict[str, str]:
    """Return a row by column; what stands under headings that mean nothing here goes to the comments."""
    cells: dict[str, str] = {}
    more: list[str] = []
    for place, cell in enumerate(row):
        column = columns[place] if place < len(columns) else ""
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


def _read(line: dict[str, str], letters: str, endings: Mapping[str, str], dates: Mapping[str, str]) -> dict[str, str]:
    result = line.get("result", "")
    try:
        written = read_result(result, letters, endings).text("B+", "W+") if result else ""
    except InputError:
        written = result
    return {**line, **({"result": written} if result else {}),
            **({"date": dates.get(line["date"], line["date"])} if line.get("date") else {})}  # fmt: skip


def text_of(lines: Sequence[Mapping[str, str]]) -> str:
    """Return lines of a sheet as a text with headings, which `lines_of` reads again."""
    used = [name for name in COLUMNS if name in USUAL[:3] or any(line.get(name) for line in lines)]
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(used)
    table.writerows([line.get(name, "") for name in used] for line in lines if any(line.values()))
    return out.getvalue()
