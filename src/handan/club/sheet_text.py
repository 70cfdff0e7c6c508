"""A record sheet as text: lines that are pasted or typed, with headings in any language or in the usual order."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date

import polars as pl

from handan.club.entries import reason_of
from handan.club.record_sheet import COLUMNS
from handan.colours import colour_of
from handan.errors import Clause, InputError
from handan.files.cells.dates import DateReader, day_in_line
from handan.files.cells.results import endings_of, letters_of, read_result
from handan.files.games.columns import SUMS
from handan.files.tables.blocks import as_above, filled_down
from handan.files.tables.column_names import enough, languages, understood
from handan.files.tables.header_rows import HeaderRow, header_of
from handan.files.tables.pairs import part_players
from handan.files.tables.players import names_in, part_ranks
from handan.files.tables.players_and_results import NO_COLOUR, seat_players
from handan.files.tables.points import find_results
from handan.files.tables.text_table import SEATS, TextTable
from handan.ledger.name_folding import folded
from handan.ledger.results import Result
from handan.ranks import parse_with_flag
from handan.words import table

Cells = Mapping[str, str]
"""Of a line, by column."""

USUAL = ("black", "white", "result", "handicap", "komi", "date", "kind", "event", "round", "notes")
"""The order of the columns of lines without headings."""
MOST_CELLS = 40  # our choice: of a line
MARKS = "\t;,"
NO_TABLE = "these lines are no table: {why}"
TOO_WIDE = "line {line} has {number} cells; a line has at most {most}"
FIRST_ROW = 2
"""The line behind that of the headings."""
RANKS = {"black": "black_rank", "white": "white_rank"}
"""Columns of a line that hold the ranks with which names were pasted, where there are any."""
OF_SHEET = "sheet"
"""What messages call the pasted table."""
WHO_HAD_BLACK = "nothing says who of the two in {cell} had Black; a heading Black – White, or White – Black, would"


def rows_of(text: str) -> list[list[str]]:
    """Return the cells of pasted lines, which tabs, semicolons or commas separate.

    A quoted cell of several lines is one with blanks between them. Where quotes are not paired, each line is read by
    itself, so that no cell swallows the lines behind it, and a line whose own are not has them as letters. InputError
    for a cell or a line that is too long.
    """
    filled = [f"{line}\n" for line in text.splitlines() if line.strip()]
    if not filled:
        return []
    mark = max(MARKS, key=lambda mark: sum(mark in line for line in filled))  # a title may have commas
    rows = _quoted(filled, mark)
    if rows is None:
        rows = [row for line in filled for row in _quoted([line], mark) or _bare(line, mark)]
    for place, row in enumerate(rows, 1):
        if any(row[MOST_CELLS:]):
            raise InputError(Clause.of(TOO_WIDE, line=place, number=len(row), most=MOST_CELLS))
    return [row[:MOST_CELLS] for row in rows]


def _quoted(lines: Sequence[str], mark: str) -> list[list[str]] | None:
    """Return the cells of lines; None where a quote is opened that is not closed, or closed within a cell."""
    try:
        rows = list(csv.reader(lines, delimiter=mark, strict=True))
    except csv.Error:
        return None
    return [[" ".join(cell.split("\n")).strip() for cell in row] for row in rows]


def _bare(line: str, mark: str) -> list[list[str]]:
    """Return the cells of a line in which quotes are letters as any other."""
    try:
        return [[cell.strip() for cell in row] for row in csv.reader([line], delimiter=mark, quoting=csv.QUOTE_NONE)]
    except csv.Error as error:  # a cell of a hundred thousand letters
        raise InputError(Clause.of(NO_TABLE, why=reason_of(error))) from None


def lines_of(text: str) -> list[dict[str, str]]:
    """Return pasted lines as lines of a sheet, read as tables of files are; what cannot be read stays as it is written.

    Ranks of players go to the comments, and stand under `RANKS` too. InputError for headings that mean the same twice,
    and for a table that can be read in two ways.
    """
    rows = rows_of(text)
    if not rows:
        return []
    headings, columns, body = parted(rows)
    choice = enough(columns) if headings else ()
    columns, body = _without_ranks(columns, body)
    spoken = languages(understood(headings)) if headings else frozenset[str]()
    read = _read_as_tables(columns, body, spoken) if choice and choice != SUMS else {}
    used = {*choice, "margin", "colour"} if read else set[str]()
    lines = [_line(columns, row, read.get(place, {}), used) for place, row in enumerate(body)]
    unread = [line.get("result", "") for place, line in enumerate(lines) if place not in read]
    letters = _letters(unread, spoken)
    endings = endings_of(letters, spoken)
    dates = _dates([line.get("date", "") for line in lines], spoken)
    for place, line in enumerate(lines):
        if line.get("result"):
            line["result"] = _result(line["result"], letters, endings, is_read=place in read)
        if line.get("date"):
            line["date"] = dates.get(line["date"], line["date"])
    return lines


def ranks_of(lines: Iterable[Cells]) -> dict[str, str]:
    """Return the ranks with which names are pasted, as `3k`, by their folded names; the first of a name counts."""
    ranks: dict[str, str] = {}
    for line in lines:
        for side, column in RANKS.items():
            if (written := line.get(column)) and (name := folded(line.get(side, ""))):
                with suppress(InputError):  # what is no rank stays in the comments
                    ranks.setdefault(name, str(parse_with_flag(written)[0]))
    return ranks


def _frame(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> pl.DataFrame:
    """Return the columns that mean something as a table of text, as tables of files are."""
    places = {column: place for place, column in enumerate(columns) if column}
    cells = {column: [row[place] if place < len(row) else "" for row in rows] for column, place in places.items()}
    return pl.DataFrame(cells, schema=dict.fromkeys(cells, pl.String))


def parted(rows: Sequence[list[str]]) -> tuple[list[str], list[str], list[list[str]]]:
    """Return the headings of pasted rows, none where they have none, what each column means, and the rows below.

    Of a title above the headings its day is taken, where no row has one. What stands once for several rows stands in
    each of them.
    """
    place, headings, above = header_of(rows, {}) or HeaderRow(0, rows[0], 0)
    columns = [meaning.column for meaning in understood(headings)]
    if enough(columns) or {"black", "white"} <= set(columns):
        return headings, *_dated(columns, _spread(columns, rows[place + 1 :]), rows[:above])
    return [], list(USUAL), _spread(USUAL, rows)


def _dated(
    columns: list[str], rows: list[list[str]], titles: Sequence[list[str]]
) -> tuple[list[str], list[list[str]]]:  # fmt: skip
    """Return columns and rows with the day of the titles in each row, where no row has a day."""
    days = {line.day for row in titles if (line := day_in_line(" ".join(row)))}
    wide = max([len(columns), *map(len, rows)])
    place = columns.index("date") if "date" in columns else wide
    if len(days) != 1 or any(row[place : place + 1] not in ([], [""]) for row in rows):
        return columns, rows
    made = [[*row, *[""] * (place + 1 - len(row))] for row in rows]
    for row in made:
        row[place] = str(*days)
    return [*columns, *[""] * (place - len(columns)), *(["date"] if place == wide else [])], made


def _spread(columns: Sequence[str], rows: Sequence[list[str]]) -> list[list[str]]:
    """Return rows with what stands once for several in each: a cell above ditto marks, the day of an evening."""
    wide = max(map(len, rows), default=0)
    cells = [as_above(column) for column in zip(*(row + [""] * (wide - len(row)) for row in rows), strict=True)]
    if "date" in columns[:wide]:
        place = list(columns).index("date")
        cells[place] = filled_down(cells[place])
    return [list(row) for row in zip(*cells, strict=True)]


def _without_ranks(columns: Sequence[str], rows: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """Return columns and rows with ranks behind names in columns of their own, where files are read so."""
    text = _frame(columns, rows)
    table = TextTable(text, pl.Series(range(len(rows)), dtype=pl.Int64), OF_SHEET)
    part_ranks(table, names_in(text))
    ranks = [name for name in table.text.columns if name not in text.columns]
    if not ranks:
        return list(columns), rows
    places = {column: place for place, column in enumerate(columns) if column}
    made = [row + [""] * (len(columns) - len(row)) for row in rows]
    wide = max(map(len, made))
    for row, cells in zip(made, table.text.iter_rows(named=True), strict=True):
        for column, place in places.items():
            row[place] = cells[column]
        row += [*[""] * (wide - len(row)), *(cells[name] for name in ranks)]
    return [*columns, *[""] * (wide - len(columns)), *ranks], made


def _read_as_tables(columns: Sequence[str], rows: Sequence[Sequence[str]], spoken: frozenset[str]) -> dict[int, Cells]:
    """Return who is Black and White and who won by row, as tables of files are read; without rows that tell it not."""
    text = _frame(columns, rows)
    numbers = pl.Series(range(FIRST_ROW, len(rows) + FIRST_ROW), dtype=pl.Int64)
    table = TextTable(text, numbers, OF_SHEET)
    cell_of_two = part_players(table)
    in_points, choice, before = find_results(table), table.choice, table.text.columns
    part_ranks(table, names_in(table.text))  # others than pairs are so already
    named = table.text.columns
    results = table.text.select(name for name in ("result", "winner") if name in choice and not in_points)
    cells = [cell or "" for column in results for cell in column.cast(pl.String).unique()]
    seat_players(table, choice, spoken, _letters(cells, spoken))
    if cell_of_two and any(problem.expected == NO_COLOUR for problem in table.problems):
        raise InputError(Clause.of(WHO_HAD_BLACK, cell=cell_of_two))
    ranks = [name for name in named if name not in before and name in table.text.columns]
    games = table.text.select("black", "white", "result", *ranks)
    return {number - FIRST_ROW: {name: text or "" for name, text in zip(games.columns, row, strict=True)}
            for number, row in zip(table.lines, games.iter_rows(), strict=True)}  # fmt: skip


def _letters(cells: Iterable[str], spoken: frozenset[str]) -> str:
    """Return the letters of Black and White in results: those of the language of the headings, else those of files.

    A sheet has no place to say that a letter was read in yet another language, so that such a result stays as written.
    """
    letters = letters_of(cells, spoken)
    return letters if letters in {table()["letters"][language] for language in spoken} else "bw"


def _line(columns: Sequence[str], row: Sequence[str], read: Cells, used: Collection[str]) -> dict[str, str]:
    """Return a row by column; what stands under headings that mean nothing here goes to the comments.

    Args:
        columns: What the headings mean.
        row: Its cells.
        read: What was read of it, if anything was.
        used: The columns that this took.
    """
    cells: dict[str, str] = {name: text for name, text in read.items() if text and name in COLUMNS}
    more = [text for name, text in read.items() if text and name not in COLUMNS]
    for place, cell in enumerate(row):
        column = columns[place] if place < len(columns) else ""
        if read and column in used:
            continue
        column = {"winner": "result"}.get(column, column)
        if column in COLUMNS and column not in cells:
            cells[column] = cell
        elif cell:
            more.append(cell)
    written = {**dict(zip(columns, row, strict=False)), **read}
    ranks = {written.get(seat): text for pair in SEATS for seat in pair if (text := written.get(f"{seat}_rank"))}
    cells |= {column: ranks[cells[side]] for side, column in RANKS.items() if cells.get(side) in ranks}
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


SHORT = {"b": "B+", "w": "W+", "1": "B+", "2": "W+", "●": "B+", "○": "W+", "◯": "W+", "〇": "W+"}
"""Results as somebody types them beside two names: the letter, the first or second of them, the stone of who won."""
DAY_OF_YEAR = re.compile(r"(\d{1,2})\s*(?:[/.-]|月)\s*(\d{1,2})\s*[.日]?")


def typed_result(text: str, language: str) -> str:
    """Return a result as files have it, typed in a language of the pages; what says none stays as it is."""
    pair = str(table()["letters"].get(language[:2], "bw"))
    short = SHORT | {pair[0]: "B+", pair[1]: "W+"}
    cell = unicodedata.normalize("NFKC", text).strip().lower()
    if cell in short:
        return short[cell]
    if colour := colour_of(cell):
        return {"black": "B+", "white": "W+"}[colour]
    try:
        return str(Result.parse(text))
    except InputError:
        pass
    try:
        return read_result(text, pair).text("B+", "W+").replace("?", "") or text
    except InputError:
        return text


def typed_day(text: str, today: date, *, month_first: bool) -> str:
    """Return a day that is typed without its year, such as 11/6, as 2026-11-06; other texts stay as they are.

    It is the last such day that is not ahead. Where the order makes no day of the two numbers, the other one does.
    """
    match = DAY_OF_YEAR.fullmatch(unicodedata.normalize("NFKC", text).strip())
    if match is None:
        return text
    first, second = int(match[1]), int(match[2])
    pairs = ((first, second), (second, first)) if month_first or "月" in text else ((second, first), (first, second))
    for month, day in pairs:
        for year in range(today.year, today.year - 8, -1):  # the last 29 February may be eight years ago
            with suppress(ValueError):
                if (typed := date(year, month, day)) <= today:
                    return str(typed)
    return text


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
