"""Large tables of text numbered by machine code: one look at each byte, in little memory beside the file itself."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.files.io.string_views import Views, views_of
from handan.files.io.texts import MANY, Texts, groups, in_order
from handan.kernels.cells import (
    DONE,
    FULL,
    IRREGULAR,
    LENGTH_BITS,
    LINE_FEED,
    RETURN,
    VIEW,
    WORD,
    Bytes,
    Different,
    Marks,
    number_cells,
    number_views,
)
from handan.kernels.hashing import put_into_table
from handan.ledger.coded import narrow

ROWS = 1 << 17  # rows that are numbered together; our choice
SPARE = 16  # bytes that may be read behind a row
ROOM = 1 << 14  # different cells for which there is room at first


def machine_code(rows: int) -> Callable[..., int] | None:
    """Return what numbers the cells of so many rows; None where the compiler is not worth loading, or not there."""
    return number_cells.compiled_if(worth_it=rows >= MANY)


def numbered_columns(text: pl.DataFrame) -> dict[str, Texts] | None:
    """Return columns of text that are in memory as their different cells; None where the compiler does not pay."""
    run = number_views.compiled_if(worth_it=text.height >= MANY)
    if run is None:
        return None
    columns: dict[str, Texts] = {}
    for names in groups(text.columns):
        numbering = Numbering(names, run)  # of its own, so that its numbers are those of the group
        if not all(numbering.add_column(text.get_column(name).fill_null("")) for name in names):
            return None
        columns |= numbering.texts()
    return columns


class Numbering:
    """Columns of cells that are numbered piece by piece."""

    def __init__(self, columns: Iterable[str], run: Callable[..., int]) -> None:
        """Begin with no cell; `run` is `number_cells` for text in rows, `number_views` for columns."""
        self._run = run
        self._seed = np.uint64(secrets.randbits(64))
        self._different = _room(ROOM, ROOM * WORD)
        self._at = np.zeros(4, dtype=np.int64)
        self._numbers = np.empty(ROWS, dtype=np.uint32)
        apart = groups(columns)
        together = [(names, _Group(alone=len(apart) == 1)) for names in apart]
        self._columns = {name: group for names, group in together for name in names}
        self._parts: dict[str, list[NDArray[Any]]] = {name: [] for name in self._columns}

    def add(self, data: bytes, separator: int, wanted: Mapping[str, int], width: int, start: int = 0) -> bool:
        """Number rows; return False, after which nothing of it is good, if a row is not of the usual form.

        Args:
            data: The rows, each of which ends in a line feed, maybe with a return before it; the last need not.
            separator: The byte between cells; a line feed if each row is one cell.
            wanted: For each column its place in a row.
            width: Cells in a row.
            start: Where the rows begin in the data.
        """
        back = RETURN if separator != LINE_FEED and b"\r" in data else separator
        whole = max(data.rfind(b"\n", start, max(len(data) - SPARE, start)) + 1, start)
        tail = data[whole:] + (b"" if data.endswith(b"\n") or whole == len(data) else b"\n")
        pieces = ((data, start, whole), (tail + bytes(SPARE), 0, len(tail)))
        return all(
            self._add(piece, first, Marks(end, separator, back, self._seed), wanted, width)
            for piece, first, end in pieces
        )

    def _add(self, data: bytes, start: int, marks: Marks, wanted: Mapping[str, int], width: int) -> bool:
        rows = np.full(width, -1)
        rows[list(wanted.values())] = np.arange(len(wanted))
        numbers = np.empty((len(wanted), ROWS), dtype=np.uint32)
        cells = np.frombuffer(data, dtype=np.uint8)
        words = _words(cells)
        at = self._at
        at[0] = start
        while at[0] < marks.end:
            at[1] = 0
            end = self._run(cells, words, marks, rows, self._different, numbers, at)
            if end == IRREGULAR:
                return False
            if end == FULL and at[1] < ROWS:
                self._different = _grown(self._different, int(at[2]))
            for row, name in enumerate(wanted):
                self._parts[name].append(self._columns[name].own(numbers[row, : at[1]], int(at[2])))
        return True

    def add_column(self, column: pl.Series) -> bool:
        """Number a column of text without nulls; return False, after which nothing is good, if that cannot be."""
        pieces = views_of(column)
        return pieces is not None and all(self._add_views(column.name, piece) for piece in pieces)

    def _add_views(self, name: str, piece: Views) -> bool:
        views, words, at = piece.views.view(np.uint64), _words(piece.text), self._at
        for first in range(0, len(views) // 2, ROWS):
            numbers = self._numbers[: len(views) // 2 - first]
            rows = views[2 * first :], piece.views[VIEW * first :]
            at[0], end = 0, FULL
            while end == FULL:
                end = self._run(*rows, piece.text, words, piece.start, self._seed, self._different, numbers, at)
                if end == FULL:
                    self._different = _grown(self._different, int(at[2]))
            if end != DONE:
                return False
            self._parts[name].append(self._columns[name].own(numbers, int(at[2])))
        return True

    def texts(self) -> dict[str, Texts]:
        """Return the columns; it can be called once."""
        ordered = {group: group.ordered(self._different) for group in {*self._columns.values()}}
        columns = {}
        for name, group in self._columns.items():
            texts, rank = ordered[group]
            columns[name] = Texts(texts, _ranked(self._parts.pop(name), rank))
        return columns


class _Group:
    """Columns that share their different cells."""

    def __init__(self, *, alone: bool) -> None:
        """Begin with no cell; `alone` says whether the table has no other group."""
        self._alone = alone
        self._own = np.zeros(0, dtype=np.uint32)
        """Of each different cell of the table the number among those of this group and 1; 0 if it has none."""
        self._cells: list[NDArray[Any]] = []
        self._count = 0

    def own(self, numbers: NDArray[np.uint32], count: int) -> NDArray[Any]:
        """Return cells of the table, of which there are so many different ones, by the numbers of the group.

        What is returned is a copy: `numbers` may be filled again.
        """
        if self._alone:
            self._count = count
            return numbers.astype(narrow(count))
        if count > len(self._own):
            self._own = np.concatenate([self._own, np.zeros(2 * count - len(self._own), dtype=np.uint32)])
        own = self._own[numbers]
        if not own.all():
            there = np.zeros(count, dtype=np.bool_)
            there[numbers[own == 0]] = True
            new = np.flatnonzero(there)
            self._own[new] = np.arange(self._count + 1, self._count + 1 + len(new))
            self._cells.append(new)
            self._count += len(new)
            own = self._own[numbers]
        return (own - 1).astype(narrow(self._count))

    def ordered(self, different: Different) -> tuple[list[str], NDArray[Any]]:
        """Return the different cells in order, and the place there of each by its number."""
        cells = np.arange(self._count) if self._alone else np.concatenate([np.zeros(0, np.int64), *self._cells])
        data = different.text.tobytes()
        start, length = (part.tolist() for part in np.divmod(different.cell[cells, 3], np.uint64(1) << LENGTH_BITS))
        places = zip(start, length, strict=True)
        if data.isascii():
            text = data.decode()
            texts = [text[a : a + n] for a, n in places]
        else:
            texts = [data[a : a + n].decode() for a, n in places]
        return in_order(pl.Series(texts, dtype=pl.String))


def _ranked(parts: Sequence[NDArray[Any]], rank: NDArray[Any]) -> NDArray[Any]:
    """Return numbers that stand in parts as one array of ranks."""
    ranks = np.empty(sum(map(len, parts)), dtype=rank.dtype)
    first = 0
    for part in parts:
        end = first + len(part)
        np.take(rank, part, out=ranks[first:end], mode="clip")  # other modes copy it once more
        first = end
    return ranks


def _words(data: Bytes) -> NDArray[np.uint64]:
    """Return the eight bytes from each on as one number."""
    return np.ndarray((max(len(data) - WORD + 1, 0),), "<u8", data, 0, (1,))


def _room(cells: int, size: int) -> Different:
    """Return room for so many different cells of so many bytes together."""
    return Different(np.zeros(size, np.uint8), np.zeros((cells, 4), np.uint64), np.zeros(2 * cells, np.uint32))


def _grown(different: Different, count: int) -> Different:
    """Return the same different cells in twice the room."""
    text, cell, table = different
    larger = Different(np.tile(text, 2), np.tile(cell, (2, 1)), np.zeros(2 * len(table), np.uint32))
    put_into_table.compiled(np.ascontiguousarray(larger.cell[:count, 0]), larger.table)
    return larger
