"""A club's own points card, read from a CSV table and checked, or written to one."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field, replace
from pathlib import Path

from handan.errors import InputError, Problem, closest
from handan.handicaps.card_checks import irregularities
from handan.handicaps.card_csv import COLUMNS, STONES, CellError, lines_of, names_of, rows_of, text_of, title_of
from handan.handicaps.card_law import Card, CardRow

OWN = "own"
"""Name of a card that stands in the rules of a club."""


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
    semicolon or tab; a first line that begins with `#` is the title. A gap in the differences and a row that gives
    Black less help than the row before are reported; `Card.row` says what serves in a gap and beyond the last row.
    """
    file = Path(path)
    return _read(text_of(file), str(path), file.stem)


def is_table(card: str) -> bool:
    """Whether a card is given not by its name but as the table itself, a text of several lines."""
    return "\n" in card.strip()


def card_of_text(text: str) -> tuple[Card, list[Problem]]:
    """Return a club's own card from the text of such a table, and what is wrong with it; InputError as `read_card`."""
    return _read(text, "card", OWN)


def _read(text: str, place: str, name: str) -> tuple[Card, list[Problem]]:
    """Return a card from a table; `place` stands in messages, `name` is its name, and its title if it bears none."""
    table = _Table(place)
    (first, header), *body = lines_of(text, place) or [(1, [])]
    names = names_of(header, f"{place} line {first}")
    for column in names:
        if column and column not in COLUMNS:
            expected = f"one of {', '.join(COLUMNS)}, and ignored{closest(column, COLUMNS)}"
            table.report(first, "column", column, expected)
    for line, cells in body:
        try:
            table.add(line, rows_of(names, cells))
        except CellError as fault:
            table.report(line, *fault.args)
    if not table.rows:
        reason = f": {table.problems[-1]}" if table.problems else ""
        raise InputError(f"{place}: no row of a card can be read{reason}")
    rows = tuple(table.rows[difference] for difference in sorted(table.rows))
    _check(table, rows)
    count = next(STONES[column] for column in names if column in STONES)
    title = title_of(text) or name
    own = Card(name, title, place, points_per_stone=None, top_komi=None, count=count, listed=rows)
    return own, table.problems


def _check(table: _Table, rows: tuple[CardRow, ...]) -> None:
    """Report gaps, and rows that help Black less than the row before."""
    start = rows[0].difference
    if start:
        table.report(table.lines[start], "first difference", str(start), "0; its row serves below it too")
    for kind, earlier, later in irregularities(rows):
        line = table.lines[later.difference]
        if kind == "gap":
            due = earlier.difference + 1
            expected = f"{due}; the row of {earlier.difference} serves in the gap, one point of komi a point"
            table.report(line, "difference", str(later.difference), expected)
        else:
            expected = f"at least the help of difference {earlier.difference} ({_words(earlier)})"
            table.report(line, f"difference {later.difference}:", _words(later), expected)


def _words(row: CardRow) -> str:
    return f"stones {row.card_stones}" + ("" if row.komi is None else f", komi {row.komi:g}")


def card_text(card: Card) -> str:
    """Return a card's table as CSV that `card_of_text` reads back row for row, with its title as the first line."""
    stones = "free_stones" if card.count == "free" else "stones"
    text = io.StringIO()
    text.write(f"# {' '.join(card.title.split())}\n" if card.title else "")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["from", "to", stones, "komi", "tie"])
    for first, last in _runs(card.rows()):
        komi = "" if first.komi is None else f"{first.komi:g}"
        writer.writerow([first.difference, last.difference, first.card_stones, komi, first.tie])
    return text.getvalue()


def _runs(rows: list[CardRow]) -> list[tuple[CardRow, CardRow]]:
    """Return the first and last row of each run of differences at the same terms."""
    made: list[tuple[CardRow, CardRow]] = []
    for row in rows:
        if made and row == replace(made[-1][1], difference=made[-1][1].difference + 1):
            made[-1] = (made[-1][0], row)
        else:
            made.append((row, row))
    return made


def write_card(card: Card, path: str | Path) -> None:
    """Write a card's table as CSV that `read_card` reads back row for row; InputError if the file cannot be written."""
    try:
        Path(path).write_text(card_text(card), encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None
