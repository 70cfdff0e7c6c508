"""A club's own points card, read from a CSV table and checked, or written to one."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from pathlib import Path

from handan.errors import InputError, Problem, closest
from handan.handicaps.cells import COLUMNS, STONES, CellError, lines_of, names_of, rows_of
from handan.handicaps.law import Card, CardRow


@dataclass(slots=True)
class _Table:
    """The rows read so far, each with its line, and the problems met."""

    source: str
    rows: dict[int, CardRow] = field(default_factory=dict)
    lines: dict[int, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def report(self, line: int, name: str, cell: str, expected: str) -> None:
        """Note a problem."""
        self.problems.append(Problem(self.source, line, name, cell, expected))

    def add(self, line: int, new: list[CardRow]) -> None:
        """Add the rows of one line; a difference that an earlier line has keeps the earlier terms."""
        taken = [row.difference for row in new if row.difference in self.lines]
        if taken:
            first = self.lines[taken[0]]
            self.report(line, "difference", str(taken[0]), f"a difference of its own; line {first} has it, and stands")
        for row in new:
            self.rows.setdefault(row.difference, row)
            self.lines.setdefault(row.difference, line)


def read_card(path: str | Path) -> tuple[Card, list[Problem]]:
    """Read a club's own card, and what is wrong with it; good rows are kept. InputError for a file that is no card.

    Columns, in any order: `difference` (or `from` and `to`, one row for the whole range), `stones` (0 even game,
    1 Black moves first, 2 and more on the board) or `free_stones` (stones beyond Black's first move), and optionally
    `komi` (points to White; empty: none) and `tie` (`white wins` or `jigo`, the default). The separator is a comma,
    semicolon or tab. A gap in the differences and a row that gives Black less help than the row before are reported;
    `Card.row` says what serves in a gap and beyond the last row.
    """
    file, table = Path(path), _Table(str(path))
    (first, header), *body = lines_of(file) or [(1, [])]
    names = names_of(header, f"{path} line {first}")
    for name in names:
        if name and name not in COLUMNS:
            table.report(first, "column", name, f"one of {', '.join(COLUMNS)}, and ignored{closest(name, COLUMNS)}")
    for line, cells in body:
        try:
            table.add(line, rows_of(names, cells))
        except CellError as fault:
            table.report(line, *fault.args)
    if not table.rows:
        reason = f": {table.problems[-1]}" if table.problems else ""
        raise InputError(f"{path}: no row of a card can be read{reason}")
    rows = tuple(table.rows[difference] for difference in sorted(table.rows))
    _check(table, rows)
    count = next(STONES[name] for name in names if name in STONES)
    own = Card(file.stem, file.stem, str(path), points_per_stone=None, top_komi=None, count=count, listed=rows)
    return own, table.problems


def _check(table: _Table, rows: tuple[CardRow, ...]) -> None:
    """Report gaps, and rows that help Black less than the row before."""
    start = rows[0].difference
    if start:
        table.report(table.lines[start], "first difference", str(start), "0; its row serves below it too")
    per_stone = _points_per_stone(rows)
    for earlier, later in pairwise(rows):
        line, due = table.lines[later.difference], earlier.difference + 1
        if later.difference != due:
            expected = f"{due}; the row of {earlier.difference} serves in the gap, one point of komi a point"
            table.report(line, "difference", str(later.difference), expected)
        if _helps_less(earlier, later, per_stone):
            expected = f"at least the help of difference {earlier.difference} ({_words(earlier)})"
            table.report(line, f"difference {later.difference}:", _words(later), expected)


def _points_per_stone(rows: tuple[CardRow, ...]) -> int:
    """Return the widest run of differences with the same stones; the last run, whose end is unknown, does not count."""
    starts = [next(run).difference for _, run in groupby(rows, key=lambda row: row.free_stones)]
    return max((later - earlier for earlier, later in pairwise(starts)), default=1)


def _helps_less(earlier: CardRow, later: CardRow, per_stone: int) -> bool:
    if (earlier.komi is None) != (later.komi is None):
        return later.free_stones < earlier.free_stones
    return later.help(per_stone) < earlier.help(per_stone)


def _words(row: CardRow) -> str:
    return f"stones {row.card_stones}" + ("" if row.komi is None else f", komi {row.komi:g}")


def write_card(card: Card, path: str | Path) -> None:
    """Write a card's table as CSV that `read_card` reads back row for row; InputError if the file cannot be written."""
    stones = "free_stones" if card.count == "free" else "stones"
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["difference", stones, "komi", "tie"])
    for row in card.rows():
        writer.writerow([row.difference, row.card_stones, "" if row.komi is None else f"{row.komi:g}", row.tie])
    try:
        Path(path).write_text(text.getvalue(), encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None
