"""Columns of text made into columns of facts: every different value is read once, every bad cell becomes a problem."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import polars as pl

from handan.errors import FieldError, InputError, Problem
from handan.ledger.dates import When
from handan.ledger.facts import COLUMNS, RANK_EXPECTED, READERS, REQUIRED, Game
from handan.ledger.moments import mapped, read_dates

SCHEMA = pl.Schema(
    {
        "date": pl.Datetime("ms"),
        "precision": pl.UInt8(),
        "black": pl.String(),
        "white": pl.String(),
        "result": pl.String(),
        "handicap": pl.Int16(),
        "komi": pl.Float64(),
        "size": pl.UInt8(),
        "kind": pl.String(),
        "event": pl.String(),
        "round": pl.Int32(),
        "black_rank": pl.String(),
        "white_rank": pl.String(),
        "black_id": pl.String(),
        "white_id": pl.String(),
        "moves": pl.Int32(),
        "notes": pl.String(),
        "entry": pl.Int64(),
        "source": pl.String(),
        "line": pl.Int64(),
    }
)
"""The typed games table; `precision` says how much of a date is known (characters of its ISO text)."""

EARLIEST = datetime(1600, 1, 1)  # noqa: DTZ001  # older dates are slips of the pen
MOST_STONES = 9  # more are kept, but few clubs mean them
NO_SUCH_RANK = re.compile(r"\s*p?\s*-?\d+\s*(k|kyu|d|dan|p|pro|段|级|級)\s*[?*]?\s*", re.IGNORECASE)
"""A slip such as 0d. Other text in the place of a rank, such as a country, only means that there is no rank."""


@dataclass(frozen=True, slots=True)
class _Report:
    """The faults of one table, each with its row."""

    source: str
    lines: pl.Series | None
    faults: list[tuple[int, Problem]] = field(default_factory=list)

    def note(self, row: int, name: str, found: str, expected: str, *, rejected: bool = True) -> None:
        line = None if self.lines is None else int(self.lines[row])
        self.faults.append((row, Problem(self.source, line, name, found, expected, rejected)))

    def note_cells(self, name: str, cells: pl.Series, bad: dict[str, str]) -> None:
        """Note every row in which one of the bad cells stands."""
        if not bad:
            return
        rows = cells.is_in(list(bad)).arg_true()
        for row, cell in zip(rows, cells.gather(rows), strict=True):
            rejected = not name.endswith("_rank") or NO_SUCH_RANK.fullmatch(cell) is not None
            self.note(row, name, cell, bad[cell], rejected=rejected)

    def problems(self) -> list[Problem]:
        """Return the problems in order of the rows."""
        return [problem for _, problem in sorted(self.faults, key=lambda fault: fault[0])]


def read_columns(text: pl.DataFrame, source: str, lines: pl.Series | None) -> tuple[pl.DataFrame, list[Problem]]:
    """Turn a table of text cells into the typed games table.

    Args:
        text: String columns named as in `COLUMNS`; missing ones take their default. An absent cell is null or empty.
        source: Name for the reports.
        lines: Line of each row in the source, or None where lines have no meaning.

    Returns:
        The rows that could be read, and the problems of all rows in order.
    """
    report = _Report(source, lines)
    typed: dict[str, pl.Series] = {}
    for name in COLUMNS:
        cells = text[name].fill_null("") if name in text.columns else _repeated("", text.height, pl.String())
        if name == "date":
            typed["date"], typed["precision"], bad = read_dates(cells)
            report.note_cells(name, cells, bad)
        elif name in text.columns or name in REQUIRED:
            _read_column(name, cells, typed, report)
        else:
            typed[name] = _repeated(READERS[name](""), text.height, SCHEMA[name])
    remark = typed.pop("remark")
    if (remark != "").any():
        typed["notes"] = (typed["notes"] + " " + remark).str.strip_chars()
    _check_rows(typed, report)
    frame = pl.DataFrame(typed).with_columns(
        source=pl.lit(source),
        line=pl.lit(None, dtype=pl.Int64) if lines is None else lines.cast(pl.Int64),
    )
    rejected = sorted({row for row, problem in report.faults if problem.rejected})
    kept = _repeated(True, text.height, pl.Boolean()).scatter(rejected, False)  # noqa: FBT003  # a mask
    return frame.filter(kept).select(list(SCHEMA)).cast(SCHEMA), report.problems()


def _repeated(value: Any, rows: int, dtype: pl.DataType) -> pl.Series:
    return pl.repeat(value, rows, dtype=dtype, eager=True)


def _read_column(name: str, cells: pl.Series, typed: dict[str, pl.Series], report: _Report) -> None:
    """Read each different cell of a column once and put the values in the places of the cells."""
    values: dict[str, Any] = {}
    bad: dict[str, str] = {}
    for cell in cells.unique().to_list():
        try:
            if name in REQUIRED and not cell.strip():
                raise FieldError(name, cell, "filled in; every game needs it")
            if "\x00" in cell:
                raise FieldError(name, cell, "text without NUL bytes")
            values[cell] = READERS[name](cell)
        except FieldError as fault:
            bad[cell] = fault.expected
        except InputError:
            bad[cell] = RANK_EXPECTED
    report.note_cells(name, cells, bad)
    if name == "result":
        remarks = {cell: result.remark for cell, result in values.items()}
        typed["remark"] = mapped(cells, remarks, pl.String).fill_null("")
        values = {cell: str(result) for cell, result in values.items()}
    column = mapped(cells, values, SCHEMA[name])
    typed[name] = column.fill_null("") if SCHEMA[name] == pl.String else column


def _check_rows(typed: dict[str, pl.Series], report: _Report) -> None:
    """Note what is wrong with values that can be read: the date, the number of stones, a game against oneself."""
    tomorrow = datetime.now() + timedelta(days=1)  # noqa: DTZ005  # clubs write local time
    odd = ((typed["date"] < EARLIEST) | (typed["date"] > tomorrow)).fill_null(value=False).arg_true()
    for row in odd:
        found = f"{typed['date'][row]:%Y-%m-%d}"
        report.note(row, "date", found, "a date from 1600 to tomorrow; read as unknown", rejected=False)
    typed["date"] = typed["date"].scatter(odd, None)
    typed["precision"] = typed["precision"].scatter(odd, 0)
    for row in (typed["handicap"] > MOST_STONES).fill_null(value=False).arg_true():
        found = str(typed["handicap"][row])
        report.note(row, "handicap", found, "a usual number of stones, 0 to 9; kept", rejected=False)
    black, white, black_id, white_id = (typed[name] for name in ("black", "white", "black_id", "white_id"))
    known = (black_id != "") & (white_id != "")
    same = ((black == white) & (black != "") & ~known) | ((black_id == white_id) & known)
    for row in same.arg_true():
        report.note(row, "white", white[row], "another player than black")


def of_games(games: Iterable[Game]) -> pl.DataFrame:
    """Return the typed games table of games that were made in Python."""
    rows = []
    for game in games:
        row: dict[str, Any] = {name: getattr(game, name) for name in COLUMNS}
        when: When | None = row["date"]
        row["date"], row["precision"] = (when.moment, when.precision) if when else (None, 0)
        row["notes"] = f"{game.notes} {row['result'].remark}".strip()
        rows.append(row | {"result": str(row["result"]), "source": "", "line": None})
    return pl.DataFrame(rows, schema=SCHEMA)
