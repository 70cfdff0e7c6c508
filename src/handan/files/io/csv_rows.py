"""The rows of a text table taken apart one by one: slower than polars, but with each row's line and what is wrong.

The form is that of RFC 4180. Beyond it, blank lines are passed over, blanks may stand around quotes, and a quote inside
a cell that does not begin with one is text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import cast

import polars as pl

from handan.errors import Clause, InputError, Problem, line_of
from handan.files.io.limits import Limits

LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n|\Z)")
UNPAIRED = "a row whose quotes are paired; inside a quoted cell a quote is doubled"
UNCLOSED = "{source}: a quote is opened there and not closed, and too many rows follow"


@dataclass(frozen=True, slots=True)
class Body:
    """The lines after the header, and what the header says about them."""

    data: bytes
    """The whole file, UTF-8."""
    start: int
    """Place in the data at which the body starts."""
    line: int
    """Line of the file at which the body starts."""
    width: int
    """Cells in a full row."""
    places: dict[str, int]
    """The columns that are read, and their places in a row."""
    separator: str
    source: str


def one_by_one(body: Body, limits: Limits) -> tuple[pl.DataFrame, pl.Series, list[Problem]]:
    """Return the rows that could be taken apart, their lines in the file, and a problem for every other row.

    InputError as soon as there are more rows in which something stands than games are read.
    """
    text, nothing = body.data[body.start :].decode(), f" \t\r\n{body.separator}"
    columns: dict[str, list[str]] = {name: [] for name in body.places}
    lines: list[int] = []
    problems: list[Problem] = []
    position, line, filled = 0, body.line, 0
    while position < len(text):
        first = _at(LINE, text, position)
        cells, after = split_row(text, position, body.separator, body.width) or ([], first.end())
        row = text[position:after]
        if fault := _fault(cells, row, body.width):
            problems.append(Problem(body.source, line, "", first[1], fault))
        elif len(cells) > 1 or cells[0].strip():
            lines.append(line)
            for name, place in body.places.items():
                columns[name].append(cells[place] if place < len(cells) else "")
            if len(cells) < body.width and after == len(text) and text[-1] not in "\r\n":
                full = Clause.of("a full row of {cells} cells; the file ends inside it", cells=body.width)
                problems.append(Problem(body.source, line, "", first[1], full, rejected=False))
        filled += bool(row.strip(nothing))
        refuse_long(filled - len(problems), problems, body.source, limits)
        line += row.count("\n") + row.count("\r") - row.count("\r\n")
        position = after
    return pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String())), pl.Series(lines, dtype=pl.Int64), problems


def refuse_long(games: int, problems: Sequence[Problem], source: str, limits: Limits) -> None:
    """Raise InputError for more games or problems than are read of one file, and name a quote that is not closed."""
    if games <= limits.games and len(problems) <= limits.problems:
        return
    unpaired = next((problem for problem in problems if problem.expected == UNPAIRED), None)
    if unpaired is not None and unpaired.line is not None:
        raise InputError(Clause.of(UNCLOSED, source=line_of(source, unpaired.line)))
    raise limits.exceeded("games" if games > limits.games else "problems", source)


def split_row(text: str, start: int, separator: str, width: int = 0) -> tuple[list[str], int] | None:
    """Return the cells of the row that starts at a place, and the place where the next row starts.

    None if a quote is opened but not closed before a separator or a line end. A row of several lines must have `width`
    cells, since otherwise a stray quote would swallow good rows up to the next one.
    """
    line = _at(LINE, text, start)
    if '"' not in line[1]:
        return line[1].split(separator), line.end()
    cells: list[str] = []
    position = start - 1
    while position < start or text[position : position + 1] == separator:
        cell = _at(_cell(separator), text, position + 1)
        if cell["quoted"] is None and cell["bare"].lstrip(" ").startswith('"'):
            return None
        cells.append(cell["bare"] if cell["quoted"] is None else cell["quoted"].replace('""', '"'))
        position = cell.end()
    if position > line.end(1) and len(cells) != width:
        return None
    return cells, _at(LINE, text, position).end()


def row_of(width: int, cells: int) -> Clause:
    """Return what is expected of a row, where it has too many cells, or too few."""
    return Clause.of("a row of {width} cells, as the header has; there are {cells}", width=width, cells=cells)


def _fault(cells: list[str], row: str, width: int) -> str:
    """Return what a row should be that cannot be used; empty for a row that can."""
    if not cells:
        return UNPAIRED
    if "\0" in row:
        return "text without NUL bytes"
    if len(cells) > width:
        return row_of(width, len(cells))
    return ""


@cache
def _cell(separator: str) -> re.Pattern[str]:
    """Return the expression of one cell; quoted text may hold separators, line ends and doubled quotes."""
    return re.compile(rf' *"(?P<quoted>[^"]*+(?:""[^"]*+)*+)" *(?=[{separator}\r\n]|\Z)|(?P<bare>[^{separator}\r\n]*)')


def _at(pattern: re.Pattern[str], text: str, start: int) -> re.Match[str]:
    """Return the match at a place of an expression that matches everywhere."""
    return cast("re.Match[str]", pattern.match(text, start))
