"""Rows of sums below a table: a word such as `Total` or `合計`, and nothing but numbers beside it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from handan.errors import Clause
from handan.files.cells.byes import DIGITS, SIGNS
from handan.words import plain, written_words

ONCE = "1 row of sums is passed over"
OFTEN = "{number} rows of sums are passed over"
LONGEST = 40  # characters; our choice: a longer text is no word for a sum


def is_sum(cell: str) -> bool:
    """Return whether a cell is a word for a sum, with or without the number, as in `Total: 12`."""
    return len(cell) <= LONGEST and plain(cell.strip()).strip(SIGNS + DIGITS) in _words()


def are_sums(cells: Sequence[str]) -> bool:
    """Return whether a row adds up others: it has a word for a sum, and no other one beside its numbers."""
    others = [cell for cell in cells if not is_sum(cell)]
    return len(others) < len(cells) and not any(map(has_letters, others))


def are_sums_with_numbers(cells: Sequence[str]) -> bool:
    """Return whether a row of a list of players adds up others: somebody may be called so, of whom nothing is told."""
    return are_sums(cells) and any(any(map(str.isdecimal, cell)) for cell in cells)


def has_letters(cell: str) -> bool:
    """Return whether a cell has letters, so that it is no number."""
    return any(map(str.isalpha, cell))


def passed_over_sums(number: int) -> Clause:
    """Return the remark about so many rows of sums."""
    return Clause.of(ONCE if number == 1 else OFTEN, number=f"{number:,}")


@cache
def _words() -> frozenset[str]:
    return frozenset(map(plain, written_words("sums")))
