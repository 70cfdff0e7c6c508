"""Both players in one cell, such as `Ada vs Bo` or `Ada - Bo`, taken apart into a column each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import polars as pl

from handan.errors import InputError, Problem, QuestionError, shown
from handan.files.tables.column_names import PAIRS, Meaning
from handan.files.tables.left_out_rows import KeptRows
from handan.words import table

LONGEST = 300  # characters; our choice: no two names are longer
EXPECTED = "two players with one mark between them, such as Ada vs Bo"
SIGNS = (r"\s+-+\s+", r"\s*[–—]\s*", r"\s*/\s*", r"\s*:\s*", r"\s*\|\s*")
SEATS = {"players": ("player1", "player2"), "black_white": ("black", "white"), "white_black": ("white", "black")}
"""Columns of the first and the second player of a cell."""
WITHOUT_BLANKS = ("対", "對", "对")


@dataclass(frozen=True, slots=True)
class Parted(KeptRows):
    """A table without pairs in its cells."""

    example: str = ""
    """How a cell was understood; empty where the table has no pairs."""
    cell: str = ""
    """A cell in which nothing says who had Black; empty where something does."""


def parted(text: pl.DataFrame, lines: pl.Series, source: str) -> Parted:
    """Return a table with a column for each player; rows in whose cell nobody can tell two are problems.

    Raises:
        InputError: Less than half of the different cells hold two players.
    """
    column = next((name for name in PAIRS if name in text.columns), "")
    if not column:
        return Parted(text, lines, [])
    cells = text[column].cast(pl.String).fill_null("")
    different = [cell for cell in cells.unique(maintain_order=True).to_list() if cell.strip()]
    pairs = _pairs(different)
    if 2 * len(pairs) < len(different):
        other = next(cell for cell in different if cell not in pairs)
        raise InputError(f"{source}: {column} {shown(other)} is not {EXPECTED}; give each player a column")
    first, second = SEATS[column]
    rows = pl.int_range(text.height, eager=True)
    faulty = rows.filter(~cells.is_in(list(pairs)))
    problems = [Problem(source, int(lines[row]), column, cells[row], EXPECTED) for row in faulty]
    kept = ~rows.is_in(faulty.to_list())
    cells, lines = cells.filter(kept), lines.filter(kept)
    names = [cells.replace_strict({cell: pair[place] for cell, pair in pairs.items()}, return_dtype=pl.String)
             for place in (0, 1)]  # fmt: skip
    players = pl.DataFrame({first: names[0], second: names[1]})
    apart = players.hstack(text.drop(column).filter(kept))
    example = (
        f"{shown(different[0])} is {' and '.join(pairs[different[0]])}"
        if different[:1] and pairs.get(different[0])
        else ""
    )
    return Parted(apart, lines, problems, example, next(iter(pairs), "") if column == "players" else "")


def colour_question(cell: str, meanings: Sequence[Meaning]) -> QuestionError:
    """Return the question who of the two in a cell had Black, where results name colours."""
    heading = next(meaning.heading for meaning in meanings if meaning.column == "players")
    question = f"who of the two in {shown(cell)} had Black, the first or the second?"
    answers = tuple(f"{column}={heading}" for column in ("black_white", "white_black"))
    return QuestionError(question, "--column", answers, readings=SEATS["players"], cell=cell)


def _pairs(cells: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return the two players of each cell that can be taken apart in one way.

    A mark that parts every cell is the mark of the column; else each cell has its own.
    """
    ways = [{cell: pair for cell in cells if (pair := _apart(cell, mark))} for mark in _marks()]
    whole = [way for way in ways if cells and len(way) == len(cells)]
    if len(whole) == 1:
        return whole[0]
    pairs = {}
    for cell in cells:
        readings = {way[cell] for way in ways if cell in way}
        if len(readings) == 1:
            pairs[cell] = readings.pop()
    return pairs


def _apart(cell: str, mark: re.Pattern[str]) -> tuple[str, str] | None:
    """Return what stands before and behind a mark; None if it stands there not once, or one side has no letter."""
    if len(cell) > LONGEST:
        return None
    parts = mark.split(cell.strip())
    if len(parts) != 2 or not all(any(map(str.isalpha, part)) for part in parts):
        return None
    return parts[0].strip(), parts[1].strip()


@cache
def _marks() -> tuple[re.Pattern[str], ...]:
    """Return the expressions of what stands between two players: words in any language, then signs."""
    words = [word.strip() for text in table()["versus"].values() for word in text.split(",")]
    near = [word for word in words if word in WITHOUT_BLANKS]
    apart = "|".join(re.escape(word) for word in words if word not in WITHOUT_BLANKS)
    letters = "".join(dict.fromkeys(near))
    worded = (rf"\s+(?:{apart})\.?\s+", rf"\s+[{letters}]\s+", rf"\s*[{letters}]\s*")
    return tuple(re.compile(mark, re.IGNORECASE) for mark in (*worded, *SIGNS))
