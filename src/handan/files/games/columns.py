"""Columns of text made into columns of facts: every different value is read once, every bad cell becomes a problem."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.errors import Clause, FieldError, InputError, Problem, counted
from handan.files.cells.numbers import DAMAGED_ID
from handan.files.games.date_column import ReadEach, mapped, read_dates, read_each
from handan.ledger.columns import SCHEMA
from handan.ledger.facts import COLUMNS, RANK_EXPECTED, READERS, REQUIRED

EARLIEST = datetime(1600, 1, 1)  # noqa: DTZ001  # older dates are slips of the pen
BUDDHIST = 543
"""Years that the calendar of Thailand is ahead."""
OLDEST_BUDDHIST = 1900  # our choice: no game before was dated so
MOST_ALIKE = 1_000  # our choice: rows that are wrong in one way beyond these are counted
MOST_STONES = 9  # more are kept, but few clubs mean them
MANY_STONES = Clause.of("a usual number of stones, 0 to {most}; kept", most=MOST_STONES)
NO_SUCH_RANK = re.compile(r"\s*+(?:p\s*+)?-?\d++\s*+(k|kyu|d|dan|p|pro|段|级|級)\s*+(?:[?*]\s*+)?", re.IGNORECASE)
"""A slip such as 0d. Other text in the place of a rank, such as a country, only means that there is no rank."""


def as_clause(text: str) -> Clause:
    """Return words as a clause, so that a page knows them for words; braces in them stay as they are."""
    return text if isinstance(text, Clause) else Clause.of(text.replace("{", "{{").replace("}", "}}"))


def expected_date(year: int) -> str:
    """Return what is right in place of an unlikely date, with the year that is meant if it is Buddhist."""
    expected = "a date from 1600 to tomorrow; read as unknown"
    meant = year - BUDDHIST
    if not OLDEST_BUDDHIST <= meant <= datetime.now().year:  # noqa: DTZ005  # clubs write local time
        return expected
    pattern = "a date from 1600 to tomorrow (if {year} is a Buddhist year, {meant} is meant); read as unknown"
    return Clause.of(pattern, year=year, meant=meant)


@dataclass(frozen=True, slots=True)
class RowReport:
    """The faults of one table, each with its row; of many alike the first ones, and how many more there are."""

    source: str
    lines: pl.Series | range | None
    """Line of each row in the source, or None where lines have no meaning."""
    faults: list[tuple[int, Problem]] = field(default_factory=list)
    rejected: list[NDArray[Any]] = field(default_factory=list)
    """Rows that are left out."""

    def note_rows(self, name: str, cells: pl.Series, rows: pl.Series, expected: str, *, rejected: bool = True) -> None:
        """Note rows in which a column is wrong in one way; `cells` are those of these rows."""
        shown = rows.head(MOST_ALIKE)
        for row, cell in zip(shown, cells.head(MOST_ALIKE), strict=True):
            self._note(row, name, cell, expected, rejected=rejected)
        if beyond := len(rows) - len(shown):
            pattern = "{number:,} more rows in which {field} is not {expected}"
            one = "1 more row in which {field} is not {expected}"
            values = {"number": beyond, "field": Clause.of(name), "expected": as_clause(expected)}
            message = Clause.of(one if beyond == 1 else pattern, **values)
            problem = Problem(self.source, None, name, counted(beyond, "row"), expected, rejected, message)
            self.faults.append((int(shown[-1]), problem))
        if rejected:
            self.rejected.append(rows.to_numpy())

    def note_unlikely_dates(self, dates: pl.Series, rows: pl.Series) -> None:
        """Note rows whose date is unlikely; `dates` are theirs, which must be forgotten."""
        years = dates.dt.year()
        for year in years.unique().sort().to_list():
            own = years == year
            texts = dates.filter(own).dt.strftime("%Y-%m-%d")
            self.note_rows("date", texts, rows.filter(own), expected_date(year), rejected=False)

    def note_many_stones(self, stones: pl.Series, rows: pl.Series) -> None:
        """Note rows with more than the usual handicaps; `stones` are theirs."""
        self.note_rows("handicap", stones.cast(pl.String), rows, MANY_STONES, rejected=False)

    def note_cells(self, name: str, cells: pl.Series, bad: dict[str, str]) -> None:
        """Note every row in which one of the bad cells stands."""
        ways: dict[tuple[str, bool], list[str]] = {}
        for cell, expected in bad.items():
            no_rank = name.endswith("_rank") and NO_SUCH_RANK.fullmatch(cell) is None
            rejected = not no_rank and expected != DAMAGED_ID
            ways.setdefault((expected, rejected), []).append(cell)
        for (expected, rejected), alike in ways.items():
            rows = cells.is_in(alike).arg_true()
            self.note_rows(name, cells.gather(rows), rows, expected, rejected=rejected)

    def _note(self, row: int, name: str, cell: str, expected: str, *, rejected: bool) -> None:
        line = None if self.lines is None else int(self.lines[row])
        self.faults.append((row, Problem(self.source, line, name, cell, expected, rejected)))

    def problems(self) -> list[Problem]:
        """Return the problems in order of the rows."""
        return [problem for _, problem in sorted(self.faults, key=lambda fault: fault[0])]

    def kept(self, rows: int) -> NDArray[np.bool_]:
        """Return which of so many rows are not left out."""
        kept = np.ones(rows, dtype=np.bool_)
        for left_out in self.rejected:
            kept[left_out] = False
        return kept


def read_columns(
    text: pl.DataFrame,
    source: str,
    lines: pl.Series | None,
    readers: Mapping[str, Callable[[str], Any]] = READERS,
    dates: ReadEach = read_each,
) -> tuple[pl.DataFrame, list[Problem]]:
    """Turn a table of text cells into the typed games table.

    Args:
        text: Columns named as in `COLUMNS`, strings or categories (an Enum, which says what is different); missing
            ones take their default. An absent cell is null or empty.
        source: Name for the reports.
        lines: Line of each row in the source, or None where lines have no meaning.
        readers: How a cell of each column but the date is read.
        dates: How dates without an ISO form are read.

    Returns:
        The rows that could be read, and the problems of all rows in order.
    """
    report = RowReport(source, lines)
    typed: dict[str, pl.Series] = {}
    for name in (name for name in COLUMNS if name in text.columns or name in REQUIRED):
        cells = text[name] if name in text.columns else pl.repeat("", text.height, eager=True)
        filled = cells if isinstance(cells.dtype, pl.Enum) else cells.fill_null("")
        _read_column(name, filled, typed, report, (readers, dates))
    remark = typed.pop("remark")
    absent = [name for name in COLUMNS if name not in typed]
    frame = pl.DataFrame(typed).with_columns(
        *(pl.lit(READERS[name](""), SCHEMA[name]).alias(name) for name in absent),
        source=pl.lit(source),
        line=pl.lit(None, dtype=pl.Int64) if lines is None else lines.cast(pl.Int64),
    )
    if "date" in absent:
        frame = frame.with_columns(precision=pl.lit(0, SCHEMA["precision"]))
    if remark.null_count() < len(remark):
        frame = frame.with_columns(notes=(frame["notes"] + " " + remark.fill_null("")).str.strip_chars())
    frame = _checked(frame, report)
    if report.rejected:
        frame = frame.filter(report.kept(frame.height))
    return frame.select(list(SCHEMA)).cast(SCHEMA), report.problems()


Reading = tuple[Mapping[str, Callable[[str], Any]], ReadEach]
"""How cells are read: by column, and dates without an ISO form."""


def _read_column(name: str, cells: pl.Series, typed: dict[str, pl.Series], report: RowReport, reading: Reading) -> None:
    """Read the cells of a column and note the bad ones; of categories each is read once, whatever the rows."""
    if isinstance(cells.dtype, pl.Enum):
        values, bad = _read_cells(name, cells.dtype.categories, reading)
        values = {key: column.gather(cells.to_physical()) for key, column in values.items()}
    else:
        values, bad = _read_cells(name, cells, reading)
    typed |= values
    if bad:
        report.note_cells(name, cells.cast(pl.String), bad)


def _read_cells(name: str, cells: pl.Series, reading: Reading) -> tuple[dict[str, pl.Series], dict[str, str]]:
    """Read each different cell once; return the columns that they make, and what was expected of the bad ones."""
    if name == "date":
        moments, precisions, bad = read_dates(cells, reading[1])
        return {"date": moments, "precision": precisions}, bad
    values: dict[str, Any] = {}
    bad = {}
    for cell in cells.unique().to_list():
        try:
            if name in REQUIRED and not cell.strip():
                raise FieldError(name, cell, "filled in; every game needs it")
            if "\x00" in cell:
                raise FieldError(name, cell, "text without NUL bytes")
            values[cell] = reading[0][name](cell)
        except FieldError as fault:
            bad[cell] = fault.expected
        except InputError:
            bad[cell] = RANK_EXPECTED
    made = {}
    if name == "result":
        remarks = {cell: result.remark for cell, result in values.items() if result.remark}
        made["remark"] = mapped(cells, remarks, pl.String)
        values = {cell: str(result) for cell, result in values.items()}
    if SCHEMA[name] == pl.String and not bad and all(cell == value for cell, value in values.items()):
        return made | {name: cells}, bad
    column = mapped(cells, values, SCHEMA[name])
    return made | {name: column.fill_null("") if SCHEMA[name] == pl.String else column}, bad


def _checked(frame: pl.DataFrame, report: RowReport) -> pl.DataFrame:
    """Note what is wrong with values that can be read: the date, the number of stones, a game against oneself."""
    dates = frame["date"]
    odd = unlikely(dates)
    report.note_unlikely_dates(dates.filter(odd), odd.arg_true())
    many = (frame["handicap"] > MOST_STONES).fill_null(value=False)
    report.note_many_stones(frame["handicap"].filter(many), many.arg_true())
    with_ids = (frame["black_id"] != "") & (frame["white_id"] != "")
    alike = (frame["black"] == frame["white"]) & (frame["black"] != "") & ~with_ids
    same = alike | ((frame["black_id"] == frame["white_id"]) & with_ids)
    report.note_rows("white", frame["white"].filter(same), same.arg_true(), "another player than black")
    if not odd.any():
        return frame
    return frame.with_columns(date=dates.set(odd, None), precision=frame["precision"].set(odd, 0))


def unlikely(dates: pl.Series) -> pl.Series:
    """Return which dates no game can have: before 1600 or after tomorrow."""
    tomorrow = datetime.now() + timedelta(days=1)  # noqa: DTZ005  # clubs write local time
    return ((dates < EARLIEST) | (dates > tomorrow)).fill_null(value=False)
