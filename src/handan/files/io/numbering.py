"""Large tables of text numbered by machine code: one look at each byte, in little memory beside the file itself."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import compress
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.files.io.string_views import Views, views_of
from handan.files.io.texts import MANY, Texts, groups, in_order, in_this_order
from handan.kernels.cells import (
    ACROSS,
    DONE,
    FULL,
    IRREGULAR,
    QUOTE,
    RETURN,
    VIEW,
    Marks,
    number_cells,
    number_views,
    put_in_ranks,
)
from handan.kernels.different_cells import (
    GROUPS,
    LENGTH_BITS,
    LINE_FEED,
    LONGEST,
    LOW_HALF,
    WORD,
    Bytes,
    Different,
    put_in_table,
)
from handan.kernels.hashing import HALF
from handan.ledger.coded import narrow

ROWS = 1 << 15  # rows that are numbered together; our choice
SPARE = ACROSS + 2 * WORD  # bytes that may be read behind a row
ROOM = 1 << 10  # different cells for which there is room at first, a power of two
SPARSE = 4  # places of the table for each of them; our choice: a full one is searched longer
WIDE = np.dtype(np.uint32)
SEATS = ("black", "white")
"""Columns whose numbers are of one type however many there are, as in a ledger."""


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
        group = [text.get_column(name) for name in names]
        if not numbering.add_columns([own.fill_null("") if own.null_count() else own for own in group]):
            return None
        columns |= numbering.texts()
    return columns


class Numbering:
    """Columns of cells that are numbered piece by piece."""

    def __init__(self, columns: Iterable[str], run: Callable[..., int]) -> None:
        """Begin with no cell; `run` is `number_cells` for text in rows, `number_views` for columns."""
        self._run = run
        self._seed = np.uint64(secrets.randbits(64))
        self._different = _room(ROOM)
        self._groups = groups(columns)
        self._group = {name: number for number, names in enumerate(self._groups) for name in names}
        self._at = np.zeros(4 + len(self._groups), dtype=np.int64)
        self._parts: dict[str, list[NDArray[Any]]] = {name: [] for name in self._group}

    def add(self, data: bytes, separator: int, wanted: Mapping[str, int], width: int, start: int = 0) -> bool:
        """Number rows; return False, after which nothing of it is good, if a row is not of the usual form.

        Args:
            data: The rows, each of which ends in a line feed, maybe with a return before it; the last need not.
            separator: The byte between cells; a line feed if each row is one cell.
            wanted: For each column its place in a row.
            width: Cells in a row.
            start: Where the rows begin in the data.
        """
        if len(self._groups) > GROUPS:
            return False
        back = RETURN if separator != LINE_FEED and b"\r" in data else separator
        whole = max(data.rfind(b"\n", start, max(len(data) - SPARE, start)) + 1, start)
        tail = data[whole:] + (b"" if data.endswith(b"\n") or whole == len(data) else b"\n")
        pieces = ((data, start, whole), (tail + bytes(SPARE), 0, len(tail)))
        quote = QUOTE if data.find(b'"', start) >= 0 else separator
        return all(
            self._add(piece, first, Marks(end, separator, back, quote, self._seed), wanted, width)
            for piece, first, end in pieces
        )

    def _add(self, data: bytes, start: int, marks: Marks, wanted: Mapping[str, int], width: int) -> bool:
        rows = np.full(width, -1)
        rows[list(wanted.values())] = np.arange(len(wanted))
        group = np.array([self._group[name] for name in wanted])
        numbers = np.empty((len(wanted), ROWS), dtype=WIDE)
        cells = np.frombuffer(data, dtype=np.uint8)
        words = _words(cells)
        at = self._at
        at[0] = start
        while at[0] < marks.end:
            at[1] = 0
            end = self._run(cells, words, marks, rows, group, self._different, numbers, at)
            if end == IRREGULAR:
                return False
            if end == FULL and at[1] < ROWS:
                self._different = _grown(self._different, int(self._at[2]))
            for row, name in enumerate(wanted):
                self._keep(name, numbers[row, : at[1]], copy=True)
        return True

    def _keep(self, name: str, numbers: NDArray[np.uint32], *, copy: bool) -> None:
        """Put numbers behind those of a column, as narrow as they may be but for those of players."""
        kind = WIDE if name in SEATS else narrow(int(self._at[4 + self._group[name]]))
        self._parts[name].append(numbers.astype(kind, copy=copy))

    def add_columns(self, columns: Sequence[pl.Series]) -> bool:
        """Number columns of text without nulls; return False, after which nothing is good, if that cannot be."""
        seats = any(column.name in SEATS for column in columns)
        whole = np.empty((len(columns), len(columns[0]) if seats else ROWS), dtype=WIDE)
        for own, column in zip(whole, columns, strict=True):
            pieces, first = views_of(column), 0
            if pieces is None:
                return False
            for piece in pieces:
                rows = len(piece.views) // VIEW
                for start in range(0, rows, max(rows, 1) if seats else ROWS):
                    numbers = own[first : first + rows] if seats else own[: rows - start]
                    if not self._add_views(piece, start, numbers):
                        return False
                    if not seats:
                        self._keep(column.name, numbers, copy=True)
                first += rows
            if seats:
                self._keep(column.name, own, copy=False)
        return True

    def _add_views(self, piece: Views, start: int, numbers: NDArray[np.uint32]) -> bool:
        """Number as many cells of a piece from one on as there is room for their numbers."""
        at, end = self._at, FULL
        at[0] = 0
        views = piece.views[VIEW * start :]
        rows = views.view(np.uint64), views, piece.text, _words(piece.text), piece.start
        while end == FULL:
            end = self._run(*rows, self._seed, self._different, numbers, at)
            if end == FULL:
                self._different = _grown(self._different, int(at[2]))
        return end == DONE

    def texts(self) -> dict[str, Texts]:
        """Return the columns; it can be called once."""
        kind = self._different.kind[1 : self._at[2] + 1]
        group = (kind & LOW_HALF) >> LENGTH_BITS
        everything = _split(self._different.text[: self._at[3]], kind)
        columns = {}
        for number, names in enumerate(self._groups):
            whose = group == number
            own = list(compress(everything, whose.tolist()))
            order = _order(self._different, kind[whose])
            texts, rank = in_order(own) if order is None else in_this_order(own, order)
            for name in names:
                columns[name] = Texts(texts, _ranked(self._parts.pop(name), rank))
        return columns


def _order(different: Different, kind: NDArray[np.uint64]) -> NDArray[Any] | None:
    """Return the order of cells by the bytes of their text; None if more than the first ones are needed for it."""
    start, length = (kind >> HALF).astype(np.int64), (kind & LONGEST).astype(np.int64)
    keys = []
    for first in (0, WORD):
        words = different.words[np.minimum(start + first, len(different.words) - 1)]
        bits = 8 * np.clip(length - first, 0, WORD)  # numbers of 64 bits cannot be moved by 64
        own = np.where(bits == 64, words, words & ((np.uint64(1) << (bits % 64).astype(np.uint64)) - np.uint64(1)))
        keys.append(own.byteswap())
        order = np.argsort(keys[0]) if first == 0 else np.lexsort(keys[::-1])
        ordered = [key[order] for key in keys]
        larger = ordered[0][1:] > ordered[0][:-1]
        if first:
            larger |= (ordered[0][1:] == ordered[0][:-1]) & (ordered[1][1:] > ordered[1][:-1])
        if larger.all():
            return order
    return None


def _split(text: Bytes, cells: NDArray[np.uint64]) -> list[str]:
    """Return different cells as they stand in `Different`, of which each has a line feed behind it."""
    data = text.tobytes()
    texts = data.decode().split("\n")
    if len(texts) == len(cells) + 1:
        return texts[:-1]
    start, length = (cells >> HALF).tolist(), (cells & LONGEST).tolist()  # line feeds stand in cells of a frame
    return [data[a : a + n].decode() for a, n in zip(start, length, strict=True)]


def _ranked(parts: Sequence[NDArray[Any]], rank: NDArray[Any]) -> NDArray[Any]:
    """Return numbers that stand in parts as one array of ranks; it may be the memory of the only part."""
    if bool((rank == np.arange(len(rank))).all()):
        return parts[0] if len(parts) == 1 else np.concatenate([rank[:0], *parts])
    rank = rank.astype(WIDE) if any(part.dtype == WIDE for part in parts) else rank
    alone = len(parts) == 1 and parts[0].dtype == rank.dtype
    ranks = parts[0] if alone else np.empty(sum(map(len, parts)), dtype=rank.dtype)
    first = 0
    for part in parts:
        end = first + len(part)
        if part.dtype == rank.dtype:
            put_in_ranks.compiled(part, rank, ranks[first:end])
        else:
            np.take(rank, part, out=ranks[first:end], mode="clip")  # other modes copy it once more
        first = end
    return ranks


def _words(data: Bytes) -> NDArray[np.uint64]:
    """Return the eight bytes from each on as one number."""
    return np.ndarray((max(len(data) - WORD + 1, 0),), "<u8", data, 0, (1,))


def _room(cells: int) -> Different:
    """Return room for so many different cells."""
    text = np.zeros(cells * WORD, np.uint8)
    hashes, number = np.zeros(cells, np.uint32), np.zeros(cells, np.uint32)
    table = np.zeros(SPARSE * cells, np.uint32)
    return Different(
        text, _words(text), np.zeros((cells, 2), np.uint64), np.zeros(cells, np.uint64), hashes, number, table
    )


def _grown(different: Different, count: int) -> Different:
    """Return the same different cells, so many of them, in twice the room."""
    text = np.tile(different.text, 2)
    key, kind = np.tile(different.key, (2, 1)), np.tile(different.kind, 2)
    hashes, number = np.tile(different.hash, 2), np.tile(different.number, 2)
    table = np.zeros(2 * len(different.table), np.uint32)
    put_in_table.compiled(hashes, count, table)
    return Different(text, _words(text), key, kind, hashes, number, table)
