"""Both players in one cell, such as `Ada vs Bo` or `Ada - Bo`, taken apart into a column each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

import polars as pl

from handan.errors import Clause, InputError, QuestionError, shown
from handan.files.tables.column_names import PAIRS
from handan.files.tables.text_table import TextTable
from handan.words import written_words

LONGEST = 300  # characters; our choice: no two names are longer
EXPECTED = "two players with one mark between them, such as Ada vs Bo"
SIGNS = (r"\s+-+\s+", r"\s*[–—]\s*", r"\s*/\s*", r"\s*:\s*", r"\s*\|\s*")
SEATS = {"players": ("player1", "player2"), "black_white": ("black", "white"), "white_black": ("white", "black")}
"""Columns of the first and the second player of a cell."""
WITHOUT_BLANKS = ("対", "對", "对")


def part_players(table: TextTable) -> str:
    """Give each player of a cell a column; rows in whose cell nobody can tell two are problems.

    Returns:
        A cell in which nothing says who had Black; empty where something does.

    Raises:
        InputError: Less than half of the different cells hold two players.
    """
    text = table.text
    column = next((name for name in PAIRS if name in text.columns), "")
    if not column:
        return ""
    cells = text[column].cast(pl.String).fill_null("")
    different = [cell for cell in cells.unique(maintain_order=True).to_list() if cell.strip()]
    pairs = _pairs(different)
    if 2 * len(pairs) < len(different):
        other = next(cell for cell in different if cell not in pairs)
        pattern = "{source}: {column} {cell} is not {expected}; give each player a column"
        values = {"column": Clause.of(column), "cell": shown(other), "expected": Clause.of(EXPECTED)}
        raise InputError(Clause.of(pattern, source=table.source, **values))
    kept = cells.is_in(list(pairs))
    faulty = (~kept).arg_true()
    table.reject(faulty.to_list(), column, cells.gather(faulty).to_list(), EXPECTED)
    table.keep(kept)
    cells = cells.filter(kept)
    players = pl.DataFrame({
        seat: cells.replace_strict({cell: pair[place] for cell, pair in pairs.items()}, return_dtype=pl.String)
        for place, seat in enumerate(SEATS[column])
    })  # fmt: skip
    table.text = players.hstack(table.text.drop(column))
    if different and different[0] in pairs:
        table.facts["players"] = f"{shown(different[0])} is {' and '.join(pairs[different[0]])}"
    return next(iter(pairs), "") if column == "players" else ""


def colour_question(cell: str, table: TextTable) -> QuestionError:
    """Return the question who of the two in a cell had Black, where results name colours."""
    heading = next(meaning.heading for meaning in table.meanings if meaning.column == "players")
    question = Clause.of("who of the two in {cell} had Black, the first or the second?", cell=shown(cell))
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
    words = written_words("versus")
    near = [word for word in words if word in WITHOUT_BLANKS]
    apart = "|".join(re.escape(word) for word in words if word not in WITHOUT_BLANKS)
    letters = "".join(dict.fromkeys(near))
    worded = (rf"\s+(?:{apart})\.?\s+", rf"\s+[{letters}]\s+", rf"\s*[{letters}]\s*")
    return tuple(re.compile(mark, re.IGNORECASE) for mark in (*worded, *SIGNS))
