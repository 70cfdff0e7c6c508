"""Workbooks of Excel, LibreOffice, Numbers and Google Sheets: the worksheets that hold games are found and read.

The cells are read by calamine, which reads .xlsx, .xls and .ods, keeps up with all of them, and needs nothing else;
openpyxl reads only the first, odfpy only the last.
"""

from __future__ import annotations

import io
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Any

import polars as pl

from handan.errors import Clause, InputError, Problem, QuestionError, closest, either, shown
from handan.files.cells.dates import EPOCH, EPOCH_1904, NAMES
from handan.files.formats.printed_table import printed_table
from handan.files.games.contents import Contents, ListOfPlayersError
from handan.files.games.format import Format
from handan.files.io.cells import Cells, read_cells
from handan.files.io.header import DEEPEST, check_header, passed_over, plain_name
from handan.files.io.office_documents import OLE, document
from handan.files.io.options import ORDERS, Options
from handan.files.io.storage import ZIP, load, named, reason
from handan.files.io.workbook_parts import Parts, Span, parts_of
from handan.files.tables.column_names import understood
from handan.files.tables.cross import cross_table
from handan.files.tables.header_rows import header_of
from handan.files.tables.side_by_side import stacked
from handan.files.tables.table import check_meanings, contents_of, refuse_list_below_titles
from handan.files.tables.text_table import TextTable
from handan.ledger.facts import UNSEEN

COUNTS = ("byes", "unplayed")
"""Numbers of a worksheet that add up."""
MOST_NAMED = 8  # our choice: hidden rows or worksheets that a message names
SEVERAL = {
    "worksheet": "{number} worksheets hold games, and all are read: {names}{hint}",
    "table": "{number} tables hold games, and all are read: {names}{hint}",
}
ABSENT = {
    "worksheet": "{source} has no worksheet {name}; it has {names}{closest}",
    "table": "{source} has no table {name}; it has {names}{closest}",
}
NOT_READ = {
    "worksheet": "worksheets not read, no games in them: {names}",
    "table": "tables not read, no games in them: {names}",
}
HIDDEN = {"worksheet": "worksheets not read, hidden: {names}", "table": "tables not read, hidden: {names}"}
HIDDEN_ROW = "1 row is hidden in the worksheet and read all the same: {numbers}"
HIDDEN_ROWS = "{number} rows are hidden in the worksheet and read all the same: {numbers}"
FORMULA = "1 formula has no value in the file: open it in a spreadsheet program, save it and give it again"
FORMULAS = "{number} formulas have no value in the file: open it in a spreadsheet program, save it and give it again"
UNSEEN_LETTERS = dict.fromkeys(map(ord, UNSEEN))
LONGEST_DECIMALS = 15  # digits that a spreadsheet keeps


@dataclass(frozen=True, slots=True)
class Sheet:
    """One worksheet as text."""

    name: str
    rows: list[list[str]]
    """From the first row on, all of one length."""
    visible: bool
    hidden: frozenset[int]
    """Numbers of its hidden rows."""
    epoch: date
    unreckoned: int = 0
    """Formulas without a value."""


def read(data: bytes, source: str, options: Options) -> Contents:
    """Read the games of a workbook; InputError if no worksheet holds any, or the extra `sheets` is missing."""
    return read_sheets(_sheets(data, source, options), source, options)


def read_sheets(sheets: Sequence[Sheet], source: str, options: Options, noun: str = "worksheet") -> Contents:
    """Return the games of all worksheets, or what else a noun calls them; InputError if none holds any."""
    if options.worksheet is not None:
        names = [sheet.name for sheet in sheets]
        chosen = [sheet for sheet in sheets if sheet.name == options.worksheet]
        if not chosen:
            hint = closest(options.worksheet, sorted(names))
            values = {"name": shown(options.worksheet), "names": _named(names), "closest": hint}
            raise InputError(Clause.of(ABSENT[noun], source=source, **values))
        return _table(chosen[0], source, options) or _refused(chosen[0], source, options)
    with_games: list[tuple[Sheet, Contents]] = []
    others, open_sheets = [], []
    for sheet in sheets:
        try:
            contents = _table(sheet, source, options) if sheet.visible else None
        except QuestionError as question:
            open_sheets.append((sheet, question))
            continue
        if contents is None:
            others.append(sheet)
        else:
            with_games.append((sheet, contents))
    by_others = [(sheet, _by_others(sheet, asks, with_games, source, options)) for sheet, asks in open_sheets]
    with_games = sorted([*with_games, *by_others], key=lambda item: sheets.index(item[0]))
    if not with_games:
        return _without_games([sheet for sheet in others if sheet.visible] or others, source, options)
    return _joined(with_games, others, source, noun)


def cells_of_workbook(
    data: bytes, source: str, options: Options, readable: Sequence[str], needed: Sequence[Sequence[str]]
) -> Cells:
    """Return the cells of the first worksheet with a row of headings that has one of the needed sets of columns.

    Raises:
        InputError: No worksheet has such a row, or the workbook cannot be read.
    """
    for sheet in _sheets(data, source, options):
        for place, row in enumerate(sheet.rows[:DEEPEST]):
            names = [plain_name(cell) for cell in row]
            if any(set(choice) <= set(names) for choice in needed):
                filled, headings = [name for name in names if name], [cell for cell in row if plain_name(cell)]
                problems = passed_over((" ".join(above) for above in sheet.rows[:place]), source, place + 1)
                problems += check_header(filled, readable, needed, source, place + 1, headings=headings)
                rows = [(line, each) for line, each in enumerate(sheet.rows[place + 1 :], place + 2) if any(each)]
                columns = {name: [each[at] for _, each in rows] for at, name in enumerate(names) if name in readable}
                text = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String()))
                return Cells(text, pl.Series([line for line, _ in rows], dtype=pl.Int64), problems)
    choices = either(", ".join(each) for each in needed)
    raise InputError(Clause.of("{source} has no worksheet with the columns {columns}", source=source, columns=choices))


def rows_of_workbook(data: bytes, source: str, options: Options) -> list[list[list[str]]]:
    """Return the rows of each visible worksheet with some, cells as text; InputError if the workbook cannot be read."""
    return [sheet.rows for sheet in _sheets(data, source, options) if sheet.visible and any(map(any, sheet.rows))]


def rows_of_table(
    path: str | os.PathLike[str], options: Options | None, readable: Sequence[str], needed: Sequence[Sequence[str]]
) -> tuple[list[tuple[int, dict[str, str]]], list[Problem]]:
    """Return the rows of a table as text or as a workbook, each with its line and its cells by column; and problems.

    Args:
        path: Of the file.
        options: Encoding and limits; None: the usual ones.
        readable, needed: As `handan.files.io.cells.read_cells` takes them.
    """
    options = options or Options()
    data = load(path, options.limits)
    reader = cells_of_workbook if data.startswith((*ZIP, OLE)) else read_cells
    cells = reader(data, named(path), options, readable, needed)
    return list(zip(cells.lines, cells.text.iter_rows(named=True), strict=True)), list(cells.problems)


def _by_others(
    sheet: Sheet, question: QuestionError, others: Sequence[tuple[Sheet, Contents]], source: str, options: Options
) -> Contents:
    """Return the games of a worksheet whose dates are read as those of the others are; the question if these differ."""
    facts = [each.facts.get("dates", "") for _, contents in others for each in contents.understandings]
    orders = {order for order in ORDERS for fact in facts if fact == f"{NAMES[order]} (the column)"}
    if question.option != "--dates" or len(orders) != 1:
        raise question
    [order] = orders
    contents = _table(sheet, source, replace(options, dates=order))
    assert contents is not None  # noqa: S101  # a table asked the question
    dates = f"{NAMES[order]} (the other worksheets)"
    return replace(contents, understandings=tuple(each.with_facts(dates=dates) for each in contents.understandings))


def _joined(with_games: Sequence[tuple[Sheet, Contents]], others: Sequence[Sheet], source: str, noun: str) -> Contents:
    """Return the games of all worksheets that hold some, the lists of players, and a warning about the others."""
    messages = []
    if len(with_games) > 1:
        names = _named([sheet.name for sheet, _ in with_games])
        values = {"number": len(with_games), "names": names, "hint": " (--worksheet takes one of them)"}
        messages.append(Clause.of(SEVERAL[noun], **values))
    lists = {sheet.name: sheet.rows for sheet in others if sheet.visible and _lists_players(sheet)}
    filled = [sheet for sheet in others if sheet.name not in lists and any(any(row) for row in sheet.rows)]
    for seen, patterns in ((True, NOT_READ), (False, HIDDEN)):
        names = _named([sheet.name for sheet in filled if sheet.visible is seen])
        if names:
            messages.append(Clause.of(patterns[noun], names=names))
    warnings = [Problem(source, None, noun, text, "", rejected=False, message=text) for text in messages]
    problems = _of_all([problem for _, contents in with_games for problem in contents.problems], source)
    games = pl.concat([contents.games for _, contents in with_games])
    understandings = tuple(each for _, contents in with_games for each in contents.understandings)
    entrants = {(each.name, each.id): each for _, contents in with_games for each in contents.entrants}
    titles = [contents.event_title for _, contents in with_games if contents.event_title is not None]
    counts = {name: sum(getattr(contents, name) for _, contents in with_games) for name in COUNTS}
    return Contents(
        games,
        warnings + problems,
        tuple(entrants.values()),
        tuple(event for _, contents in with_games for event in contents.events),
        understandings=understandings,
        adjustments=tuple(item for _, contents in with_games for item in contents.adjustments),
        event_title=titles[0] if titles and len({*titles}) == 1 else "" if titles else None,
        lists={f"{source}!{name}": rows for name, rows in lists.items()},
        **counts,
    )


def _lists_players(sheet: Sheet) -> bool:
    """Return whether a worksheet is a list of players."""
    try:
        refuse_list_below_titles(sheet.rows, sheet.name)
    except ListOfPlayersError as refusal:
        return not refusal.rounds
    return False


def _of_all(problems: Sequence[Problem], source: str) -> list[Problem]:
    """Return what is said of several worksheets as a whole as said of the workbook, once."""
    whole = [replace(each, source=source, line=None) for each in problems]
    general = [not each.rejected and (each.line is None or each.field == "column") for each in problems]
    times = Counter(own for own, is_general in zip(whole, general, strict=True) if is_general)
    shared = [own if is_general and times[own] > 1 else each
              for each, own, is_general in zip(problems, whole, general, strict=True)]  # fmt: skip
    return list(dict.fromkeys(shared))


def _table(sheet: Sheet, source: str, options: Options) -> Contents | None:
    """Return the games of a worksheet; None if it holds no table of games."""
    header = header_of(sheet.rows, options.columns)
    facts = {"worksheet": sheet.name}
    where = f"{source}!{sheet.name}"
    printed = printed_table(sheet.rows, where, options)
    if printed is not None:
        return printed
    if header is None:
        return cross_table(sheet.rows, where, options, facts)
    place = header.place
    several = stacked(sheet.rows, place, options.columns)
    headings, body = (several.headings, several.rows) if several else (header.headings, sheet.rows[place + 1 :])
    try:
        meanings = understood(headings, options.columns)
    except QuestionError as question:
        raise question.at(where) from None
    if any(meaning.column == "players" for meaning in meanings):
        crossed = cross_table(sheet.rows, where, options, facts)
        if crossed is not None:
            return crossed
    last = max((number for number, meaning in enumerate(meanings) if meaning.heading.strip()), default=0) + 1
    meanings = meanings[:last]
    named = [meaning for meaning in meanings if meaning.heading.strip()]
    problems = check_meanings(named, where, place + 1)
    problems += _besides(sheet, place, where)
    columns = {
        meaning.column: [row[number] for row in body] for number, meaning in enumerate(meanings) if meaning.column
    }
    text = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String()))
    facts |= {"layout": several.layout} if several else {}
    lines = pl.int_range(place + 2, place + 2 + len(body), eager=True) if several is None else pl.Series(several.lines)
    above = _above(sheet, header.above - (several is not None and several.has_heads))
    table = TextTable(text, lines, where, named, place + 1, above, sheet.epoch, problems, facts)
    return contents_of(table, options)


def _besides(sheet: Sheet, place: int, where: str) -> list[Problem]:
    """Return warnings about hidden rows, and formulas without a value."""
    messages = []
    hidden = sorted(number for number in sheet.hidden if place + 1 < number <= len(sheet.rows))
    hidden = [number for number in hidden if any(sheet.rows[number - 1])]
    if hidden:
        numbers = ", ".join(map(str, hidden[:MOST_NAMED])) + (", …" if len(hidden) > MOST_NAMED else "")
        text = Clause.of(HIDDEN_ROW if len(hidden) == 1 else HIDDEN_ROWS, number=len(hidden), numbers=numbers)
        messages.append((hidden[0], text))
    if sheet.unreckoned:
        text = Clause.of(FORMULA if sheet.unreckoned == 1 else FORMULAS, number=f"{sheet.unreckoned:,}")
        messages.append((place + 1, text))
    return [Problem(where, line, "", text, "", rejected=False, message=text) for line, text in messages]


def _above(sheet: Sheet, place: int) -> list[str]:
    """Return the lines of text above the headings."""
    lines = (" ".join(" ".join(row).split()) for row in sheet.rows[:place])
    return [line for line in lines if line]


def _without_games(sheets: Sequence[Sheet], source: str, options: Options) -> Contents:
    """Refuse a workbook without games, by what its fullest worksheet lacks."""
    filled = [sheet for sheet in sheets if any(any(row) for row in sheet.rows)]
    if not filled:
        pattern = "{source} has no cell in which something stands; a table of games was expected"
        raise InputError(Clause.of(pattern, source=source))
    return _refused(max(filled, key=lambda sheet: len(sheet.rows)), source, options)


def _refused(sheet: Sheet, source: str, options: Options) -> Contents:
    """Raise InputError by the first row that could be a header."""
    where = f"{source}!{sheet.name}"
    refuse_list_below_titles(sheet.rows, where)
    for line, row in enumerate(sheet.rows, 1):
        cells = [cell for cell in row if cell.strip()]
        if len(cells) > 1:
            check_meanings(understood(cells, options.columns), where, line)
    raise InputError(Clause.of("{source} has no row of headings; a table of games was expected", source=where))


def _sheets(data: bytes, source: str, options: Options) -> list[Sheet]:
    """Return all worksheets; InputError if the workbook cannot be read."""
    kind = document(io.BytesIO(data))
    try:
        import python_calamine as calamine
    except ImportError:
        pattern = (
            "{source} is {kind}: pip install 'handan[sheets]' reads it; or save it as CSV UTF-8 and give that file"
        )
        raise InputError(Clause.of(pattern, source=source, kind=Clause.of(kind or "a workbook"))) from None
    zipped = data.startswith(ZIP)
    parts = parts_of(data, source, options) if zipped else Parts(data, {})
    try:
        with calamine.CalamineWorkbook.from_filelike(io.BytesIO(parts.data)) as workbook:
            epoch = EPOCH_1904 if parts.from_1904 else EPOCH
            return [
                _sheet(workbook, described, parts, epoch)
                for described in workbook.sheets_metadata
                if described.typ == calamine.SheetTypeEnum.WorkSheet
            ]
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException as error:  # noqa: BLE001  # a panic of the reader is no Exception
        why = reason(Exception(str(error)))[:200].rstrip(".")
        if isinstance(error, calamine.WorksheetNotFound):
            why = Clause.of("worksheet {name} is not where the workbook says", name=shown(why))
        pattern = "{source} is {kind}: it cannot be read ({why}); save it as CSV UTF-8 and give that file"
        raise InputError(Clause.of(pattern, source=source, kind=Clause.of(kind or "a workbook"), why=why)) from None


def _sheet(workbook: Any, described: Any, parts: Parts, epoch: date) -> Sheet:
    """Read one sheet; cells of a column that are merged say what the first of them says."""
    import python_calamine as calamine

    cells = workbook.get_sheet_by_name(described.name)
    rows = [[_text(cell) for cell in row] for row in cells.to_python(skip_empty_area=False)]
    _fill(rows, (*(cells.merged_cell_ranges or ()), *parts.merged.get(described.name, ())))
    for row, number in parts.left_out.get(described.name, ()):
        if row < len(rows):  # behind the last row nothing is missing
            rows[row:row] = [[""] * len(rows[0])] * number  # one row, which nobody writes to
    visible = described.visible == calamine.SheetVisibleEnum.Visible
    name = described.name
    return Sheet(name, rows, visible, parts.hidden.get(name, frozenset()), epoch, parts.unreckoned.get(name, 0))


def _fill(rows: list[list[str]], spans: Iterable[Span]) -> None:
    """Write what stands in cells merged over several rows of one column into each of them, as it is meant for all.

    A span that begins within another of its column is none: merged cells do not overlap.
    """
    filled: dict[int, int] = {}
    for (top, left), (bottom, right) in sorted(spans, key=lambda span: span[0]):
        if left != right or top >= len(rows) or left >= len(rows[top]) or top <= filled.get(left, -1):
            continue
        filled[left] = bottom
        for row in rows[top + 1 : bottom + 1]:
            row[left] = rows[top][left]


def _text(cell: Any) -> str:
    """Return a cell as a person would write it."""
    if isinstance(cell, str):
        text = cell if cell.isascii() else cell.translate(UNSEEN_LETTERS)
        return text.replace("\xa0", " ").replace("\0", "\ufffd").strip()
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float):
        return f"{cell:.{LONGEST_DECIMALS}g}"
    if isinstance(cell, datetime):
        return _moment(cell)
    if isinstance(cell, (date, time, timedelta)):
        return str(cell)
    return str(cell)


def _moment(cell: datetime) -> str:
    """Return a date, with the time of day where it is more than midnight; a spreadsheet's seconds are rounded."""
    cell = (cell + timedelta(milliseconds=500)).replace(microsecond=0)
    if cell.time() == time(0):
        return str(cell.date())
    return f"{cell:%Y-%m-%d %H:%M}" if cell.second == 0 else f"{cell:%Y-%m-%d %H:%M:%S}"


def _named(names: Iterable[str]) -> str:
    listed = [shown(name) for name in names]
    return ", ".join(listed[:MOST_NAMED]) + (", …" if len(listed) > MOST_NAMED else "")


WORKBOOK = Format("workbook", lambda head: head.startswith((*ZIP, OLE)), read)
