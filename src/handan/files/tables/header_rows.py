"""Where the header of a text table stands, and what separates its cells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise, zip_longest
from typing import NamedTuple

from handan.colours import COLOURS, colours_in
from handan.errors import Clause, InputError, QuestionError, clause_of, line_of
from handan.files.games.columns import is_own_header
from handan.files.io.csv_rows import split_row
from handan.files.io.header import DEEPEST, MOST_COLUMNS, NO_HEADER, ODD_QUOTES, TOO_MANY
from handan.files.tables.column_names import PERSONS, Meaning, enough, meaning_of, understood
from handan.words import joined, words_of

SEPARATORS = ("\t", ";", ",", "|")
NAMES = {"\t": "tab", ";": "semicolon", ",": "comma", "|": "vertical bar", " ": "blanks"}
LOOKED_AT = 300  # our choice: cells of a line that are asked whether they are headings
FEWEST = 2  # headings of a table of games
DECLARED = re.compile(r"\ufeff?\"?sep=(.)\"?\s*", re.IGNORECASE)
"""The line by which Excel says the separator."""
WITHOUT_TEXT = b' ;,\t|"\r\n'
PIECE = 1 << 16  # bytes in which text is looked for together
SIGN = re.compile(rb"[^" + WITHOUT_TEXT + rb"]")
"""What a line with text has."""
GAP = re.compile(r" {2,}|\t")


Worth = tuple[int, bool, int]
"""How many headings a separator gives, whether it is a mark, and how many cells: the more the better."""


@dataclass(frozen=True, slots=True)
class Head:
    """The header of a table."""

    line: int
    """Counted from 1."""
    start: int
    """Place in the data where the line behind it starts."""
    separator: str
    meanings: tuple[Meaning, ...]
    above: Sequence[str] = ()
    """The lines before it that hold text."""

    @property
    def choice(self) -> tuple[str, ...]:
        """The set of columns by which the table can be read; empty if there is none."""
        return enough(meaning.column for meaning in self.meanings)


class HeaderRow(NamedTuple):
    """A header of games in a grid, of one row or of two."""

    place: int
    """Index of its row; of two rows, that of the lower one."""
    headings: list[str]
    above: int
    """How many rows stand above the header."""


def header_of(rows: Sequence[Sequence[str]], columns: Mapping[str, str]) -> HeaderRow | None:
    """Return the first header of games among the first rows of a grid; None where there is none."""
    for place, (row, below) in enumerate(pairwise([*rows[: DEEPEST + 1], ()][: DEEPEST + 1])):
        if sum(bool(cell.strip()) for cell in row) <= 1:
            continue
        if headings := _below_players(row, below, columns):
            return HeaderRow(place + 1, headings, place)
        if _is_header(row, columns):
            return HeaderRow(place, list(row), place)
    return None


def _below_players(above: Sequence[str], row: Sequence[str], columns: Mapping[str, str]) -> list[str]:
    """Return the headings of two rows, where `Name` and `Rank` stand below `Black` and below `White`; else none.

    A cell of the upper row reaches to the next one that is filled.
    """
    if len(row) > LOOKED_AT or not {*COLOURS} <= {meaning_of(cell).column for cell in above[:LOOKED_AT]}:
        return []
    of_players = words_of("beside") | words_of("heading", "rank") | words_of("heading", "id")
    headings, reaches, parted = [], "", 0
    for cell, own in zip_longest(row, above[: len(row)], fillvalue=""):
        reaches = own.strip() or reaches
        of_player = meaning_of(reaches).column in (*COLOURS, *PERSONS)
        beside = of_player and joined(cell) in of_players
        parted += beside
        headings.append(f"{reaches} {cell.strip()}" if beside else cell)
        if own.strip() and not cell.strip() and not of_player:
            headings[-1] = own
    return headings if parted > 1 and _is_header(headings, columns) else []


def cell_at(grid: Sequence[Sequence[str]], row: int, place: int) -> str:
    """Return a cell without blanks around it, empty beyond the end of its row."""
    return grid[row][place].strip() if place < len(grid[row]) else ""


def head_of(data: bytes, source: str, columns: Mapping[str, str]) -> Head:
    """Return the header of a text table: the first line that has enough headings, else the first line with text.

    Raises:
        InputError: There is no text, or the quotes of the first line are not paired, or no heading is as the user says.
    """
    first: tuple[int, int, str, dict[str, Worth]] | None = None
    separators: Sequence[str] = (*SEPARATORS, " ")
    above: list[str] = []
    for (line, end, text), below in pairwise(chain(_lines(data), [(0, 0, "")])):
        if declared := DECLARED.fullmatch(text):
            separators = (declared[1],)
            continue
        if first is None and not columns and is_own_header(text):
            return Head(line, end, ",", tuple(map(meaning_of, text.split(","))))
        ranks = {separator: _rank(text, separator, columns) for separator in separators}
        if first is None:
            first = line, end, text, ranks
        if headings := _headings(text, below[2], ranks, columns):
            best, cells, lines = headings
            last, behind = (line, end) if lines == 1 else below[:2]
            return Head(last, behind, best, _understood(cells, columns, line_of(source, last)), above)
        above.append(text.strip(' ;,\t|"'))
    if first is None:
        raise InputError(Clause.of(NO_HEADER, source=source))
    line, end, text, ranks = first
    usable = [each for each in separators if '"' not in text or split_row(text, 0, each)]
    if not usable:
        raise InputError(Clause.of(ODD_QUOTES, source=line_of(source, line)))
    best = max(usable, key=lambda each: ranks[each] if each in ranks else _rank(text, each, columns))
    place = line_of(source, line)
    if '"' not in text and best not in "| ":
        _check_number(text.count(best) + 1, place)
    return Head(line, end, best, _understood(cells_of(text, best), columns, place))


def _headings(
    text: str, below: str, ranks: Mapping[str, Worth], columns: Mapping[str, str]
) -> tuple[str, list[str], int] | None:
    """Return separator and cells of a header, and of how many lines it is: of one, or of that below as well."""
    for each in ranks if {*COLOURS} <= colours_in(text) else ():
        if each != " " and (cells := _below_players(cells_of(text, each), cells_of(below, each), columns)):
            return each, cells, 2
    fitting = [each for each in ranks if ranks[each][0] >= FEWEST and _is_header(cells_of(text, each), columns)]
    if not fitting:
        return None
    best = max(fitting, key=lambda each: (each != " ", ranks[each]))
    return best, cells_of(text, best), 1


def cells_of(line: str, separator: str) -> list[str]:
    """Return the cells of one line; none if its quotes are not paired."""
    if separator == " ":
        wide = "\t" in line or "  " in line
        return [part.strip() for part in GAP.split(line.strip())] if wide and GAP.search(line.strip()) else line.split()
    if separator == "|":
        line = line.strip().removeprefix("|").removesuffix("|")
    if not any(sign in line for sign in '"\r\n'):
        return line.split(separator)
    row = split_row(line, 0, separator)
    return row[0] if row else []


def grid_of(lines: Sequence[str], separator: str = "") -> list[list[str]]:
    """Return the cells of lines, by a separator, or by that which most of them have."""
    separator = separator or separator_of(lines)
    if separator.strip(" "):
        rows = (cells_of(line, separator) or [line] for line in lines)
    else:
        rows = (line.split() if separator == " " else GAP.split(line.strip()) for line in lines)
    return [[cell.strip() for cell in row] for row in rows]


def separator_of(lines: Sequence[str]) -> str:
    """Return the mark that most lines have between their cells, else blanks: one, or two where most lines have gaps."""
    filled = [line for line in lines if line.strip()]
    separator = max(SEPARATORS, key=lambda mark: sum(mark in line for line in filled))
    if not filled or 2 * sum(separator in line for line in filled) < len(filled):
        separator = "  " if 2 * sum(bool(GAP.search(line.strip())) for line in filled) >= len(filled) else " "
    return separator


def _lines(data: bytes) -> Iterator[tuple[int, int, str]]:
    """Go through the first lines that hold text: number, place behind it, text."""
    number = place = seen = 0  # lines before a place
    pieces = (data[first : first + PIECE] for first in range(0, len(data), PIECE))
    if not any(piece.translate(None, WITHOUT_TEXT) for piece in pieces):  # files of empty lines: passed over at once
        return
    while seen < DEEPEST and (sign := SIGN.search(data, place)):
        start = max(data.rfind(b"\n", place, sign.start()), data.rfind(b"\r", place, sign.start())) + 1 or place
        number += sum(data.count(end, place, start) for end in (b"\n", b"\r")) - data.count(b"\r\n", place, start) + 1
        stop = _place_of(data, b"\r", start, _place_of(data, b"\n", start, len(data)))
        place = stop + (2 if data.startswith(b"\r\n", stop) else stop < len(data))
        yield number, place, data[start:stop].decode("utf-8", "replace")
        seen += 1


def _place_of(data: bytes, sign: bytes, start: int, end: int) -> int:
    """Return where a sign stands first between two places, the second if it does not."""
    place = data.find(sign, start, end)
    return end if place < 0 else place


def _rank(text: str, separator: str, columns: Mapping[str, str]) -> Worth:
    """Return how many headings a separator gives, whether it is a mark, and how many cells: the more the better."""
    number = 0 if '"' in text or separator in "| " else text.count(separator) + 1
    if number > MOST_COLUMNS:
        return 0, True, number
    if separator == " " and _has_many_words(text):
        return 0, False, MOST_COLUMNS + 1
    chosen = set(columns.values())
    cells = cells_of(text, separator)
    if len(cells) > MOST_COLUMNS:
        return 0, separator != " ", len(cells)
    understood_cells = sum(
        bool(meaning_of(cell).column) or cell.strip() in chosen or len(colours_in(cell)) == 1
        for cell in cells[:LOOKED_AT]
    )
    return understood_cells, separator != " ", len(cells)


def _has_many_words(text: str) -> bool:
    if "  " not in text and text.count(" ") > MOST_COLUMNS + 1:  # as most such lines, which need not be split
        return True
    return len(text.split(None, MOST_COLUMNS)) > MOST_COLUMNS


def _is_header(cells: Sequence[str], columns: Mapping[str, str]) -> bool:
    if len(cells) > MOST_COLUMNS:
        return False
    try:
        return bool(enough(meaning.column for meaning in understood(cells, columns)))
    except QuestionError:
        return True
    except InputError:
        return False


def _check_number(cells: int, place: str) -> None:
    if cells > MOST_COLUMNS:
        raise InputError(Clause.of(TOO_MANY, source=place, number=cells, most=MOST_COLUMNS))


def _understood(cells: Sequence[str], columns: Mapping[str, str], place: str) -> tuple[Meaning, ...]:
    _check_number(len(cells), place)
    try:
        return tuple(understood(cells, columns))
    except QuestionError as question:
        raise question.at(place) from None
    except InputError as error:
        raise InputError(Clause.of("{source}: {why}", source=place, why=clause_of(error))) from None
