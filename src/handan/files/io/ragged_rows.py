"""A text table in which a few rows are ragged: only these are taken apart one by one, all others by polars at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from handan.errors import Problem
from handan.files.io.csv_rows import Body, Rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_ODD = 1 << 14  # lines; our choice
MOST_QUOTED = 64  # odd lines with quotes; our choice: from each the end of a cell is looked for to the file's end

Table = tuple[pl.DataFrame, pl.Series, list[Problem]]
AtOnce = Callable[[Body], pl.DataFrame | None]


def all_but_ragged_ones(body: Body, bare: bytes, at_once: AtOnce) -> Table | None:
    """Return what `one_by_one` does; None if too much is odd for this to be worth while.

    Args:
        body: The rows.
        bare: Their text from the start of the body on without its well-formed quoted cells of one line.
        at_once: Takes rows apart of which none is odd; None where one is.
    """
    data = body.data[body.start :]
    if body.width < 2 or data.count(b"\r") != data.count(b"\r\n"):
        return None
    odd = _odd_lines(bare, ord(body.separator), body.width)
    starts = _starts(data)
    if not 0 < len(odd) <= min(MOST_ODD, len(starts) - 2) or bare.count(b'"') > 2 * MOST_QUOTED:
        return None
    rows = Rows(body)
    behind, cuts = 0, []
    for line in odd.tolist():
        start = int(starts[line])
        if start >= behind:  # else it belongs to a quoted cell that began before
            row = data[start : starts[line + 1]]
            text = (data[start:] if b'"' in row else row).decode()
            behind = start + len(text[: rows.take(text, 0, body.line + line)].encode())
            cuts.append((start, behind))
    kept = np.ones(len(starts) - 1, dtype=np.bool_)
    for first, last in np.searchsorted(starts, cuts).tolist():
        kept[first:last] = False
    regular = at_once(replace(body, data=_without(data, cuts), start=0, line=1))
    if regular is None:
        return None
    ragged, places = rows.table()
    lines = pl.concat([pl.Series(np.flatnonzero(kept) + body.line, dtype=pl.Int64), places])
    order = lines.arg_sort()
    return pl.concat([regular, ragged]).select(pl.all().gather(order)), lines.gather(order), rows.problems


def are_full(bare: bytes, start: int, separator: int, width: int) -> bool:
    """Return whether each line has as many cells as the header, of rows that have so many on average.

    Args:
        bare: The rows without cells in quotes.
        start: Where they begin.
        separator: The byte between cells.
        width: Cells of the header.
    """
    if width == 1:
        return True
    cells = np.frombuffer(bare, np.uint8)[start:]
    between, ends = np.flatnonzero(cells == separator), np.flatnonzero(cells == ord("\n"))
    first, last = between[:: width - 1], between[width - 2 :: width - 1]
    rows = len(last)
    if not rows - 1 <= len(ends) <= rows:
        return False
    return bool((last[: len(ends)] < ends).all() and (ends[: rows - 1] < first[1:]).all())


def _starts(data: bytes) -> NDArray[np.int64]:
    """Return where each line starts, and where the last one ends."""
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n")) + 1
    last = [len(data)] if len(data) > (ends[-1] if len(ends) else 0) else []
    return np.concatenate([[0], ends, last]).astype(np.int64)


def _odd_lines(bare: bytes, separator: int, width: int) -> NDArray[np.int64]:
    """Return the lines, from 0, that have not as many cells as the header, or a quote or a NUL byte."""
    cells = np.frombuffer(bare, np.uint8)
    starts = _starts(bare)
    counts = np.diff(np.searchsorted(np.flatnonzero(cells == separator), starts))
    odd = counts != width - 1
    for byte in (ord('"'), 0):
        odd[np.searchsorted(starts, np.flatnonzero(cells == byte), side="right") - 1] = True
    return np.flatnonzero(odd)


def _without(data: bytes, cuts: list[tuple[int, int]]) -> bytes:
    """Return data without what stands between pairs of places."""
    places = [0, *(place for cut in cuts for place in cut), len(data)]
    return b"".join(data[first:last] for first, last in zip(places[::2], places[1::2], strict=True))
