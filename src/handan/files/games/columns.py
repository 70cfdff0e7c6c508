"""The project's own table of games made into columns of facts, wherever it stands.

Every different value is read once, and every bad cell becomes a problem. A row is a game, or a sum of games.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.errors import Clause, FieldError, InputError, Problem, as_clause, counted, line_of
from handan.files.cells.numbers import DAMAGED_ID
from handan.files.games.date_column import ReadEach, read_dates, read_each
from handan.files.io.dictionary_encoding import Texts, encoded
from handan.files.io.limits import Limits
from handan.ledger.columns import SCHEMA
from handan.ledger.dates import EARLIEST
from handan.ledger.encoded_columns import DIFFERING, PLAYERS, Different, EncodedColumns
from handan.ledger.encoded_columns import dates as dates_of
from handan.ledger.entered_games import EnteredGames, in_range, numbered
from handan.ledger.facts import COLUMNS, READERS, REQUIRED
from handan.ranks import RANK_EXPECTED

NO_PLAYERS = "a player, and white is empty as well; a row without players is no game"
NO_RESULT = "filled in; every game needs it, and one that is not played yet has a question mark"
NO_GAME = "a result, and a second player is missing as well; such a row is no game"
BUDDHIST = 543
"""Years that the calendar of Thailand is ahead."""
OLDEST_BUDDHIST = 1900  # our choice: no game before was dated so
MOST_ALIKE = 1_000  # our choice: rows that are wrong in one way beyond these are counted
SUMS = ("black", "white", "black_wins", "games")
COUNTS = ("black_wins", "draws", "games")
NEEDED = (REQUIRED, SUMS)
READABLE = (*COLUMNS, *COUNTS)
OTHERWISE = ("date", "white")
"""Columns whose cells are not read one by one."""
PLAIN_NAME = r"^[!-~]+(?: [!-~]+)*$"
"""A name that reading leaves as it is."""
MOST_USUAL_STONES = 9  # more are kept, but few clubs mean them
MANY_STONES = Clause.of("a usual number of stones, 0 to {most}; kept", most=MOST_USUAL_STONES)
MOST_USUAL_KOMI = 100.0
"""From so many points on a komi is counted in hundredths; no game has so much."""
TENTHS = (45.0, 55.0, 65.0, 75.0, 85.0)
"""A usual komi without its decimal point."""
ODD_KOMI = Clause.of("a usual komi such as 6.5; it may lack its decimal point or be in Chinese stones, and is kept")
UNUSUAL = {
    "handicap": (pl.col("handicap") > MOST_USUAL_STONES, MANY_STONES),
    "komi": (
        (pl.col("komi") > MOST_USUAL_KOMI) | pl.col("komi").is_in(TENTHS) | (pl.col("komi") * 2 % 1 != 0),
        ODD_KOMI,
    ),
}
"""What is kept of a column although few mean it, and what is usual there."""
NO_SUCH_RANK = re.compile(r"\s*+(?:p\s*+)?-?\d++\s*+(k|kyu|d|dan|p|pro|段|级|級)\s*+(?:[?*]\s*+)?", re.IGNORECASE)
"""A slip such as 0d. Other text in the place of a rank, such as a country, only means that there is no rank."""


def is_own_header(line: str) -> bool:
    """Return whether a line has Handan's own headings with commas between, and no other text."""
    headings = line.split(",")
    return set(REQUIRED) <= set(headings) <= set(COLUMNS) and len(set(headings)) == len(headings)


def in_order(problems: list[Problem]) -> list[Problem]:
    """Return problems by line; those of one line as they are."""
    return sorted(problems, key=lambda problem: problem.line or 0)


def expected_date(year: int) -> str:
    """Return what is right in place of an unlikely date, with the year that is meant if it is Buddhist."""
    expected = "a date from 1600 to tomorrow; read as unknown"
    meant = year - BUDDHIST
    if not OLDEST_BUDDHIST <= meant <= datetime.now().year:  # noqa: DTZ005  # clubs write local time
        return expected
    pattern = "a date from 1600 to tomorrow (if {year} is a Buddhist year, {meant} is meant); read as unknown"
    return Clause.of(pattern, year=year, meant=meant)


@dataclass(slots=True)
class RowReport:
    """The faults of one table, each with its row; of many alike the first ones, and how many more there are."""

    source: str
    lines: pl.Series | range | None
    """Line of each row in the source, or None where lines have no meaning."""
    faults: list[tuple[int, Problem]] = field(default_factory=list)
    rejected: list[NDArray[Any]] = field(default_factory=list)
    """Rows that are left out."""
    no_games: NDArray[np.bool_] | None = None
    """Which rows are no games, as sums below a table, of whose other cells nothing is said; None: no row."""

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
        if rejected and len(rows):
            self.rejected.append(rows.to_numpy())

    def note_no_games(self, texts: Mapping[str, Texts]) -> None:
        """Note each row that is no game by one remark: it names nobody, or one player and no result."""
        blank = {name: (texts[name].different.str.strip_chars() == "").to_numpy() for name in REQUIRED}
        if not blank["black"].any():  # of both sides
            return
        black, white, result = (blank[name][texts[name].number] for name in REQUIRED)
        nobody, half = black & white, (black ^ white) & result
        for name, wrong, expected in (("black", nobody, NO_PLAYERS), ("result", half, NO_GAME)):
            rows = pl.Series(np.flatnonzero(wrong))
            self.note_rows(name, pl.repeat("", len(rows), dtype=pl.String, eager=True), rows, expected)
        if nobody.any() or half.any():
            self.no_games = nobody | half

    def note_unlikely_dates(self, dates: pl.Series, rows: pl.Series) -> None:
        """Note rows whose date is unlikely; `dates` are theirs, which must be forgotten."""
        years = dates.dt.year()
        for year in years.unique().sort().to_list():
            own = years == year
            texts = dates.filter(own).dt.strftime("%Y-%m-%d")
            self.note_rows("date", texts, rows.filter(own), expected_date(year), rejected=False)

    def note_cells(self, name: str, cells: Texts, bad: dict[int, str]) -> None:
        """Note every row in which one of the bad cells stands, which are told by their places among the texts."""
        ways: dict[tuple[str, bool], list[int]] = {}
        for place, expected in bad.items():
            no_rank = name.endswith("_rank") and NO_SUCH_RANK.fullmatch(cells.different[place]) is None
            rejected = not no_rank and expected != DAMAGED_ID
            ways.setdefault((expected, rejected), []).append(place)
        for (expected, rejected), alike in ways.items():
            wrong = np.isin(cells.number, alike)
            if self.no_games is not None:
                wrong &= ~self.no_games
            rows = pl.Series(np.flatnonzero(wrong))
            self.note_rows(name, cells.different.gather(cells.number[rows]), rows, expected, rejected=rejected)

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
    latest: datetime | None = None,
) -> tuple[EnteredGames, list[Problem]]:
    """Turn a table of text cells into games.

    Args:
        text: Columns named as in `COLUMNS`, text or categories; missing ones take their default. An absent cell is null
            or empty.
        source: Name for the reports.
        lines: Line of each row in the source, or None where lines have no meaning.
        readers: How a cell of each column but the date is read.
        dates: How dates without an ISO form are read.
        latest: The last date that a game can have; None: tomorrow.

    Returns:
        The rows that could be read, and the problems of all rows in order.
    """
    report = RowReport(source, lines)
    texts = _texts_of(text)
    report.note_no_games(texts)
    days = _Days.of(texts.get("date"), text.height, dates, report, latest)
    read = {name: _read_each(name, texts[name].different, readers[name]) for name in texts if name not in OTHERWISE}
    read["white"] = read["black"]  # the same texts
    for name in (name for name in texts if name in read):
        report.note_cells(name, texts[name], read[name][1])
    report.note_unlikely_dates(*days.unlikely)
    values = {name: own for name, (own, _) in read.items()}
    remarks = numbered(
        pl.Series([each.remark if each else "" for each in values["result"]], dtype=pl.String), texts["result"].number
    )
    values["result"] = [each and str(each) for each in values["result"]]
    columns = {name: _column(name, values.get(name), texts.get(name)) for name in DIFFERING if name in COLUMNS}
    entry = _column("entry", values.get("entry"), texts.get("entry"))
    columns |= {"precision": days.precision, "source": Different(pl.Series([source]))}
    players = pl.Series(values["black"], dtype=pl.String).fill_null("")
    names = players.unique().sort()
    seats = players.cast(pl.Enum(names)).to_physical().cast(pl.UInt32).to_numpy()
    black, white = (seats[texts[side].number] for side in PLAYERS)
    line = None if lines is None else in_range(lines)
    games = EnteredGames(names.to_list(), EncodedColumns(black, white, days.date, columns, line), entry)
    if remarks.values.str.len_bytes().max():
        games = games.with_notes(remarks)
    _check(games, report)
    return games.filtered(report.kept(text.height)) if report.rejected else games, report.problems()


def read_table(
    text: pl.DataFrame,
    source: str,
    lines: pl.Series,
    limits: Limits,
    readers: Mapping[str, Callable[[str], Any]] = READERS,
    dates: ReadEach = read_each,
) -> tuple[EnteredGames, list[Problem]]:
    """Turn a table of text, its header checked, into games and the problems.

    Args:
        text: Columns of text or categories, named as in `READABLE`; without a result column its rows are sums.
        source: Name for the reports.
        lines: Line (or row) of each row in the source.
        limits: How many games the sums of one file may stand for.
        readers: How a cell of each column but the date is read.
        dates: How dates without an ISO form are read.
    """
    if "result" in text.columns:
        columns = text.select(name for name in text.columns if name in COLUMNS)
        return read_columns(columns, source, lines, readers, dates)
    games, lines, problems = _expanded(text, source, lines, limits)
    table, more = read_columns(games, source, lines, readers, dates)
    return table, in_order(problems + list(dict.fromkeys(more)))


def _expanded(
    text: pl.DataFrame, source: str, lines: pl.Series, limits: Limits
) -> tuple[pl.DataFrame, pl.Series, list[Problem]]:
    """Return a row for each game that the sums stand for, the line of each, and the problems."""
    problems: list[Problem] = []
    results: list[list[str]] = []
    total = 0
    text = text.cast(pl.String)
    cells = [text[name].fill_null("") if name in text.columns else [""] * text.height for name in COUNTS]
    for line, wins, draws, games in zip(lines, *cells, strict=True):
        counts = [_count(cell, limits.games) for cell in (wins, draws or "0", games)]
        whole = Clause.of("a whole number from {low} to {high}", low=0, high=limits.games)
        faults = [
            Problem(source, line, name, cell, whole)
            for name, cell, count in zip(COUNTS, (wins, draws, games), counts, strict=True)
            if count is None
        ]
        won, drawn, played = (count or 0 for count in counts)
        if not faults and won + drawn > played:
            expected = Clause.of("{number} or more, as many as won and drawn", number=won + drawn)
            faults = [Problem(source, line, "games", games, expected)]
        problems += faults
        total += 0 if faults else played
        if total > limits.games:
            raise limits.exceeded("games", line_of(source, line))
        results.append([] if faults else ["B+"] * won + ["jigo"] * drawn + ["W+"] * (played - won - drawn))
    games = text.select(name for name in text.columns if name in COLUMNS).with_columns(
        pl.Series("result", results, dtype=pl.List(pl.String)), pl.Series("#line", lines)
    )
    games = games.filter(pl.col("result").list.len() > 0).explode("result")
    return games.drop("#line"), games["#line"], problems


def _count(cell: str, most: int) -> int | None:
    """Return a count of games; None if it is none."""
    return int(cell) if re.fullmatch(r"\s*[0-9]{1,15}\s*", cell) and int(cell) <= most else None


class _Days(NamedTuple):
    """A column of dates that was read."""

    date: NDArray[Any]
    """As `Coded.date`."""
    precision: Different
    unlikely: tuple[pl.Series, pl.Series]
    """Dates that no game can have, which are read as unknown, and their rows."""

    @classmethod
    def of(cls, cells: Texts | None, rows: int, dates: ReadEach, report: RowReport, latest: datetime | None) -> _Days:
        """Read a column, and note the bad cells; None: there is no such column."""
        if cells is None:
            cells = Texts(pl.Series([""]), np.zeros(rows, dtype=np.uint8))
        texts, number = cells
        moments, precisions, bad = read_dates(texts, dates)
        report.note_cells("date", cells, {place: bad[text] for place, text in enumerate(texts) if text in bad})
        odd = unlikely(moments, latest)
        wrong = np.flatnonzero(odd.to_numpy()[number]) if odd.any() else np.zeros(0, dtype=np.int64)
        unlikely_ones = moments.gather(number[wrong]), pl.Series(wrong)
        moments, precisions = moments.set(odd, None), precisions.set(odd, 0)
        return cls(dates_of(moments)[number], numbered(precisions, number), unlikely_ones)


def _texts_of(text: pl.DataFrame) -> dict[str, Texts]:
    """Return the columns of a table as numbers of their texts, the same for both sides; absent sides are empty."""
    text = text.with_columns(pl.lit("").alias(name) for name in REQUIRED if name not in text.columns)
    own = {name: text[name] for name in text.columns if name in COLUMNS}
    sides = dict(zip(PLAYERS, encoded(*(own[side] for side in PLAYERS)), strict=True))
    return {name: sides[name] if name in sides else encoded(column)[0] for name, column in own.items()}


def _column(name: str, values: Sequence[Any] | None, cells: Texts | None) -> Different:
    """Return a column of facts from the value of each different text; None: there is no such column."""
    if values is None or cells is None:
        return _absent(name)
    facts = [value or "" for value in values] if SCHEMA[name] == pl.String else values
    return numbered(pl.Series(name, facts, dtype=SCHEMA[name]), cells.number)


def _read_each(name: str, texts: pl.Series, reader: Callable[[str], Any]) -> tuple[list[Any], dict[int, str]]:
    """Read each different text of a column; return the values, None for bad ones, and what was expected of these."""
    if name in PLAYERS and texts.str.contains(PLAIN_NAME).all():
        return texts.to_list(), {}
    values: list[Any] = []
    bad: dict[int, str] = {}
    for place, text in enumerate(texts.to_list()):
        value = None
        try:
            if name in REQUIRED and not text.strip():
                raise FieldError(name, text, NO_RESULT if name == "result" else "filled in; every game needs it")
            if "\x00" in text:
                raise FieldError(name, text, "text without NUL bytes")
            value = reader(text)
        except FieldError as fault:
            bad[place] = fault.expected
        except InputError:
            bad[place] = RANK_EXPECTED
        values.append(value)
    return values, bad


@cache
def _absent(name: str) -> Different:
    """Return a column of facts of which nothing is said."""
    return Different(pl.Series(name, [READERS[name]("")], dtype=SCHEMA[name]))


def _check(games: EnteredGames, report: RowReport) -> None:
    """Note what is wrong with values that can be read: unusual stones or komi, a game against oneself."""
    for name, (unusual, expected) in UNUSUAL.items():
        column = games.games.different[name]
        odd = column.values.alias(name).to_frame().select(unusual.fill_null(value=False)).to_series()
        if odd.any():
            rows = Different(odd, column.number).column(len(games))
            cells = column.column(len(games)).filter(rows).cast(pl.String).str.strip_suffix(".0")
            report.note_rows(name, cells, rows.arg_true(), expected, rejected=False)
    same = pl.Series(games.against_oneself()).arg_true()
    names = pl.Series(games.names, dtype=pl.String)
    report.note_rows("white", names.gather(games.white[same]), same, "another player than black")


def unlikely(dates: pl.Series, latest: datetime | None) -> pl.Series:
    """Return which dates no game can have: before 1600 or after the latest one, None: tomorrow."""
    if latest is None:
        latest = datetime.now() + timedelta(days=1)  # noqa: DTZ005  # clubs write local time
    return ((dates < EARLIEST) | (dates > latest)).fill_null(value=False)
