"""Tables of games that stand side by side under the same headings, such as a round each: put below each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from handan.errors import InputError
from handan.files.tables.blocks import headed
from handan.files.tables.column_names import PAIRS, enough, understood
from handan.files.tables.header_rows import cell_at
from handan.words import joined


class Stacked(NamedTuple):
    """The one table that several make."""

    headings: list[str]
    rows: list[list[str]]
    lines: list[int]
    """Row in the source of each, counted from 1."""
    has_heads: bool
    """Whether the row above the headings gives each table its round or day."""
    layout: str
    """How they stand, as a person reads it."""


def stacked(grid: Sequence[Sequence[str]], header: int, columns: Mapping[str, str]) -> Stacked | None:
    """Return tables side by side as one; None where the headings are not repeated.

    Columns before the first heading that is repeated, such as a day, are of all of them.

    Args:
        grid: The cells.
        header: Place of the row of headings.
        columns: Headings by column, as the user says them.
    """
    words = [joined(cell) for cell in grid[header]]
    first = next((at for at, word in enumerate(words) if word and words.count(word) > 1), None)
    if first is None:
        return None
    starts = [at for at, word in enumerate(words) if word == words[first]]
    width = sum(map(bool, words[first : starts[1]]))
    tables = [words[start:end] for start, end in pairwise([*starts, len(words)])]
    if any(table[:width] != tables[0][:width] or any(table[width:]) for table in tables):
        return None
    headings = [*grid[header][:first], *grid[header][first : first + width]]
    if not _hold_games(headings, first, columns):
        return None
    heads = [cell_at(grid, header - 1, start) if header else "" for start in starts]
    has_heads = all(map(headed, heads))
    rows: list[list[str]] = []
    lines: list[int] = []
    for start, head in zip(starts, heads, strict=True):
        if has_heads:
            rows.append([*[""] * first, head, *[""] * (width - 1)])
            lines.append(header)
        for at in range(header + 1, len(grid)):
            own = [cell_at(grid, at, place) for place in range(start, start + width)]
            if any(own) or (start == first and not any(grid[at][first:])):
                rows.append([*(cell_at(grid, at, place) for place in range(first)), *own])
                lines.append(at + 1)
    return Stacked(headings, rows, lines, has_heads, f"{len(starts)} tables side by side")


def _hold_games(headings: Sequence[str], first: int, columns: Mapping[str, str]) -> bool:
    """Return whether games can be read by the headings of one of the tables, from `first` on with both players."""
    try:
        meant = [meaning.column for meaning in understood(headings, columns)]
    except InputError:
        return False
    choice = enough(meant)
    players = choice[:1] if choice and choice[0] in PAIRS else choice[:2]
    return bool(choice) and {*players} <= {*meant[first:]}
