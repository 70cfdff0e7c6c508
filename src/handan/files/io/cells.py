"""A table of text taken apart into cells, each row with its line: by polars where nothing is odd, else row by row.

Both ways give the same cells. Cells are separated by commas, tabs or semicolons; LF, CRLF and CR end a line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import polars as pl

from handan.errors import Clause, InputError, Problem
from handan.files.io.csv_rows import Body, one_by_one, split_row
from handan.files.io.damaged_text import DESTROYED, LOST
from handan.files.io.decoding import to_utf8
from handan.files.io.dictionary_encoding import categories_of, categorized, different
from handan.files.io.header import DEEPEST, NO_HEADER, ODD_QUOTES, check_header, passed_over, plain_name
from handan.files.io.limits import Limits
from handan.files.io.options import Options

SEPARATORS = ",\t;"
LOST_BYTES = LOST.encode()


@dataclass(frozen=True, slots=True)
class Cells:
    """The rows of a text table that could be taken apart, and what is wrong with the others."""

    text: pl.DataFrame
    """Those columns that are read, under their plain names, as text or as categories."""
    lines: pl.Series
    """Line in the file of each row, counted from 1; a row of several lines has that of the first."""
    problems: list[Problem]


def read_cells(
    data: bytes, source: str, options: Options, readable: Sequence[str], needed: Sequence[Sequence[str]]
) -> Cells:
    """Split a text table into cells.

    Args:
        data: The content of the file.
        source: Name for the reports.
        options: As the user gave them; without an encoding it is UTF-8, or UTF-16 with a byte order mark.
        readable: The columns that are read.
        needed: Sets of columns, one of which must be there in full.

    Raises:
        InputError: The encoding, the header or a line is such that nothing can be read.
    """
    data, guess = to_utf8(data, source, options)
    above, (header, line, rest) = _header(data, source, needed)
    headings, separator = _headings(header, readable, f"{source} line {line}")
    names = [plain_name(heading) for heading in headings]
    problems = warning_of_guess(guess, source) + passed_over(above, source, line)
    problems += check_header(names, readable, needed, source, line, headings=headings)
    places = {name: place for place, name in enumerate(names) if name in readable}
    cells = cells_of(Body(data, rest, line + 1, len(names), places, separator, source), options.limits)
    return Cells(cells.text.cast(pl.String), cells.lines, problems + cells.problems)


def warning_of_guess(encoding: str, source: str) -> list[Problem]:
    """Return the warning that an encoding was guessed; none if it was not."""
    if not encoding:
        return []
    values = {"encoding": encoding, "hint": " (--encoding says otherwise)"}
    expected = Clause.of("UTF-8; read as {encoding}{hint}", **values)
    message = Clause.of("the text is not UTF-8; read as {encoding}{hint}", **values)
    return [Problem(source, None, "encoding", "other bytes", expected, rejected=False, message=message)]


def cells_of(body: Body, limits: Limits) -> Cells:
    """Take rows apart into categories, by polars, or one by one where a row is odd; InputError as in `one_by_one`."""
    problems: list[Problem] = []
    rows = all_at_once(body)
    if rows is None:
        rows, lines, problems = one_by_one(body, limits)
    else:
        lines = pl.int_range(body.line, body.line + rows.height, eager=True)
    kinds = categories_of(body.places)
    rows = pl.DataFrame([categorized(column, kinds[column.name]) for column in rows])
    if not body.data.isascii() and LOST_BYTES in body.data:
        problems += _destroyed(rows, lines, body.source)
    return Cells(rows, lines, problems)


def _destroyed(rows: pl.DataFrame, lines: pl.Series, source: str) -> list[Problem]:
    """Return a warning for each cell in which bytes are destroyed."""
    problems: list[Problem] = []
    for name in rows.columns:
        texts = different(rows[name])
        damaged = rows[name].is_in(texts.filter(texts.str.contains(LOST, literal=True)).to_list())
        problems += [
            Problem(source, line, name, cell, DESTROYED, rejected=False)
            for line, cell in zip(lines.filter(damaged), rows[name].filter(damaged), strict=True)
        ]
    return problems


def all_at_once(body: Body) -> pl.DataFrame | None:
    """Let polars split a body into the columns that are read; None if a line is not one full row.

    Polars refuses rows that are too long and pads short ones, so that the number of separators tells whether all rows
    are full. Of a last line that does not end it refuses nothing.
    """
    data, separator = body.data, body.separator.encode()
    if len(data) > body.start and not data.endswith(b"\n"):
        data += b"\n"
    if b"\0" in data or (b"\r" in data and data.count(b"\r") != data.count(b"\r\n")):
        return None
    quoted = data.find(b'"', body.start) >= 0
    bare, start = (_bare(body), 0) if quoted else (data, body.start)
    if quoted and b'"' in bare:
        return None
    try:
        rows = pl.read_csv(
            data,
            has_header=False,
            skip_lines=body.line - 1,
            schema={_column(place): pl.String() for place in range(body.width)},
            separator=body.separator,
            quote_char='"' if quoted else None,
            empty_string_is_null=False,
        )
    except pl.exceptions.PolarsError:
        return None
    if bare.count(separator, start) != rows.height * (body.width - 1):
        return None
    return rows.select(pl.col(_column(place)).fill_null("").alias(name) for name, place in body.places.items())


def _column(place: int) -> str:
    """Return what polars calls a column without a heading."""
    return f"column_{place + 1}"


def _bare(body: Body) -> bytes:
    """Return the text of a body without its well-formed quoted cells of one line."""
    separator = body.separator.encode()
    cell = rb'(?<![^%b\n])"[^"\r\n]*+(?:""[^"\r\n]*+)*+"(?![^%b\r\n])' % (separator, separator)
    return re.sub(cell, b"", body.data[body.start :])


def _header(data: bytes, source: str, needed: Sequence[Sequence[str]]) -> tuple[list[str], tuple[str, int, int]]:
    """Return the titles above the headings, and the headings: their line, its number, and where the next one starts.

    The headings are the first line that has one of the needed sets of columns, else the first that is not blank.
    """
    every = enumerate(re.finditer(rb"([^\r\n]*)(\r\n|\r|\n|\Z)", data), 1)
    filled = ((number, match) for number, match in every if match[1].strip())
    lines = [(match[1].decode(), number, match.end()) for number, match in islice(filled, DEEPEST)]
    if not lines:
        raise InputError(Clause.of(NO_HEADER, source=source))
    for place, (text, *_) in enumerate(lines):
        for separator in SEPARATORS:
            row = split_row(text, 0, separator)
            names = {*map(plain_name, row[0])} if row else set()
            if any(names.issuperset(choice) for choice in needed):
                return [title for title, *_ in lines[:place]], lines[place]
    return [], lines[0]


def _headings(header: str, readable: Sequence[str], place: str) -> tuple[list[str], str]:
    """Return the cells of a header and the separator: the one that gives most names that are known."""
    tried = [(rows[0], separator) for separator in SEPARATORS if (rows := split_row(header, 0, separator))]
    if not tried:
        raise InputError(Clause.of(ODD_QUOTES, source=place))
    return max(tried, key=lambda attempt: len(set(map(plain_name, attempt[0])) & set(readable)))
