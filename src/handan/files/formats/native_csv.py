"""Tables of games as text, whatever separates their cells: the project's own, and those that people keep."""

from __future__ import annotations

import csv
import re
from contextlib import suppress
from dataclasses import replace

import polars as pl

from handan.errors import Clause, InputError, Problem
from handan.files.games.adjustment_rows import with_dates_as_text, written_table
from handan.files.games.contents import Contents
from handan.files.games.format import Format
from handan.files.io.cells import cells_of, warning_of_guess
from handan.files.io.csv_rows import Body, row_of
from handan.files.io.csv_text import to_text
from handan.files.io.decoding import to_utf8
from handan.files.io.options import Options
from handan.files.tables import header_rows
from handan.files.tables.column_names import known_headings, understood
from handan.files.tables.player_tables import rows_of_text
from handan.files.tables.side_by_side import stacked
from handan.files.tables.table import check_meanings, contents_of, refuse_list_below_titles
from handan.files.tables.text_table import TextTable
from handan.ledger import Ledger

HEAD = 1 << 16  # bytes in which the headings of a list are looked for
RULE = re.compile(r"[\s|:+=-]*")
"""A line of a table of vertical bars that only draws."""
DATABASES = {"sqlite": (0, b"SQLite format 3\x00"), "duckdb": (8, b"DUCK")}
"""Where files of databases say what they are, by the scheme of their addresses."""


def _read(data: bytes, source: str, options: Options) -> Contents:
    for scheme, (start, mark) in DATABASES.items():
        if data.startswith(mark, start):
            hint = f'; give {scheme}:///{source} --query "select date, black, white, …"'
            raise InputError(Clause.of("{source} is a database{hint}", source=source, hint=hint))
    data, guess = to_utf8(data, source, options, known_headings)
    head = header_rows.head_of(data, source, options.columns)
    problems = warning_of_guess(guess, source)
    facts = {"encoding": guess or options.encoding or "UTF-8"}
    if not head.choice or head.choice[0] == "players":
        loose = _without_headings(data, source, options, facts)
        if loose is not None:
            return replace(loose, problems=problems + loose.problems)
        _refuse_list(data, source)
    meant = [meaning.column for meaning in head.meanings if meaning.column]
    if len({*meant}) < len(meant):
        several = _side_by_side(data, head, source, options, facts)
        if several is not None:
            return replace(several, problems=problems + several.problems)
    problems += check_meanings(head.meanings, source, head.line)
    places = {meaning.column: place for place, meaning in enumerate(head.meanings) if meaning.column}
    body = Body(data, head.start, head.line + 1, len(head.meanings), places, head.separator, source)
    if head.separator in "| ":
        body, faults = _evened(body)
        problems += faults
    cells = cells_of(body, options.limits)
    facts["separator"] = header_rows.NAMES.get(head.separator, head.separator)
    problems += cells.problems
    table = TextTable(
        cells.text, cells.lines, source, head.meanings, head.line, head.above, problems=problems, facts=facts
    )
    return contents_of(table, options)


def _side_by_side(
    data: bytes, head: header_rows.Head, source: str, options: Options, facts: dict[str, str]
) -> Contents | None:
    """Return the games of tables that stand side by side; None where the headings are not those of several."""
    if len(data) > options.limits.text:
        return None
    lines = data.decode().replace("\r\n", "\n").replace("\r", "\n").split("\n")
    several = stacked(header_rows.grid_of(lines, head.separator), head.line - 1, options.columns)
    if several is None:
        return None
    meanings = understood(several.headings, options.columns)
    problems = check_meanings([meaning for meaning in meanings if meaning.heading.strip()], source, head.line)
    places = {meaning.column: at for at, meaning in enumerate(meanings) if meaning.column}
    columns = {column: [row[at] for row in several.rows] for column, at in places.items()}
    text = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String()))
    facts |= {"separator": header_rows.NAMES.get(head.separator, head.separator), "layout": several.layout}
    above = head.above[:-1] if several.has_heads else head.above
    table = TextTable(
        text, pl.Series(several.lines), source, meanings, head.line, above, problems=problems, facts=facts
    )
    return contents_of(table, options)


def _refuse_list(data: bytes, source: str) -> None:
    """Raise ListOfPlayersError for a list of players, by its first rows."""
    with suppress(csv.Error):
        refuse_list_below_titles(rows_of_text(data[:HEAD].decode("utf-8", "replace")), source)


def _without_headings(data: bytes, source: str, options: Options, facts: dict[str, str]) -> Contents | None:
    """Return the games of a text without a header: a cross table, or sentences such as "Ada beat Bo by 3.5"; else None.

    Args:
        data: The text in UTF-8.
        source: Name for the reports.
        options: As the user gave them.
        facts: What was decided of it before (`Understanding.facts`).
    """
    from handan.files.tables.cross import cross_table
    from handan.files.tables.sentences import sentences

    if len(data) > options.limits.text:
        return None
    text = data.decode()
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return cross_table(header_rows.grid_of(lines), source, options, facts) or sentences(lines, source, options, facts)


def _evened(body: Body) -> tuple[Body, list[Problem]]:
    """Return a body of vertical bars or blanks as one of tabs; a row of another number of cells is a problem."""
    lines = re.split("\r\n|\r|\n", body.data[body.start :].decode())
    rows = []
    problems = []
    for number, line in enumerate(lines, body.line):
        cells = [] if RULE.fullmatch(line) else [cell.strip() for cell in header_rows.cells_of(line, body.separator)]
        if cells and len(cells) != body.width:
            expected = row_of(body.width, len(cells))
            problems.append(Problem(body.source, number, "", line.strip(), expected))
            cells = []
        rows.append("\t".join('"' + cell.replace('"', '""') + '"' if '"' in cell else cell for cell in cells))
    above = b"\n" * (body.line - 1)
    data = above + "\n".join(rows).encode()
    return replace(body, data=data, start=len(above), separator="\t"), problems


def _write(ledger: Ledger, ending: str, excel_safe: bool) -> tuple[bytes, list[str]]:  # noqa: FBT001  # the signature of all formats
    text = with_dates_as_text(written_table(ledger, byes=True))
    return to_text(text, "\t" if ending == ".tsv" else ",", excel_safe=excel_safe), []


TIDY_CSV = Format("table", lambda head: True, _read, (".csv", ".tsv"), _write)  # noqa: ARG005  # the last to be asked
