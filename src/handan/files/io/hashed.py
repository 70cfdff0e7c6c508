"""Columns of text that are in memory already, numbered by the hashes of their cells."""

from __future__ import annotations

import secrets
from collections.abc import Callable

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.files.io.texts import MANY, Texts, groups, in_order
from handan.kernels.hashing import Hashes, number_hashes, put_into_table

ROOM = 1 << 14  # different cells for which there is room at first
PIECE = 1 << 20  # rows that are looked at together; our choice
CACHED = 1 << 15  # rows that are compared while they are near the processor; our choice
FEW = 4  # values of a column that are compared one by one; our choice


def numbered_by_hash(text: pl.DataFrame) -> dict[str, Texts] | None:
    """Return columns of text as their different cells.

    None where two of them share a hash, or where the compiler does not pay.
    """
    run = number_hashes.compiled_if(worth_it=text.height >= MANY)
    if run is None:
        return None
    text = text.with_columns(pl.all().fill_null(""))
    columns: dict[str, Texts] = {}
    for names in groups(text.columns):
        if len(names) == 1 and (one_of_few := _one_of_few(text.get_column(names[0]))):
            columns[names[0]] = one_of_few
            continue
        together = _Hashed(run)
        numbers = {name: together.numbers(text.get_column(name)) for name in names}
        if together.clash:
            return None
        texts, rank = in_order(together.cells)
        columns |= {name: Texts(texts, rank[own]) for name, own in numbers.items()}
    return columns


def _one_of_few(column: pl.Series) -> Texts | None:
    """Return a column that takes few values, by a comparison with each of them; None for any other."""
    texts, _ = in_order(column.head(CACHED).unique())
    if len(texts) > FEW:
        return None
    number = np.zeros(len(column), dtype=np.uint8)
    for place, text in enumerate(texts, 1):
        number[(column == text).to_numpy()] = place
    return Texts(texts, number - np.uint8(1)) if number.all() else None


class _Hashed:
    """Columns of text that are numbered together by the hashes of their cells."""

    def __init__(self, run: Callable[..., None]) -> None:
        self._run = run
        self._seed = secrets.randbits(64)
        self._hashes = _room_for_hashes(ROOM)
        self._count = 0
        self.cells = pl.Series([], dtype=pl.String)
        """The different ones in the order in which they came."""
        self.clash = False
        """Whether two of them have one hash, so that their numbers say nothing."""

    def numbers(self, column: pl.Series) -> NDArray[np.uint32]:
        """Return the number of each cell of one more column."""
        return np.concatenate([self._of_piece(piece.to_series()) for piece in column.to_frame().iter_slices(PIECE)])

    def _of_piece(self, column: pl.Series) -> NDArray[np.uint32]:
        numbers = np.empty(len(column), dtype=np.uint32)
        values = column.hash(self._seed).to_numpy()
        at = np.array([0, self._count])
        while at[0] < len(column):
            self._run(values, self._hashes, numbers, at)
            if at[0] < len(column):
                self._hashes = _more_room(self._hashes)
        new = column.gather(self._hashes.row[self._count : at[1]])
        self._count = int(at[1])
        self.cells = pl.concat([self.cells, new], rechunk=True)
        for first in range(0, len(column), CACHED):
            cells = self.cells.gather(numbers[first : first + CACHED])
            self.clash = self.clash or not cells.equals(column[first : first + CACHED])
        return numbers


def _room_for_hashes(room: int) -> Hashes:
    return Hashes(np.empty(room, np.uint64), np.empty(room, np.int64), np.zeros(2 * room, np.uint32))


def _more_room(hashes: Hashes) -> Hashes:
    """Return the same hashes, for all of which there was room, in twice the room."""
    value, row, table = (np.concatenate([column, np.zeros_like(column)]) for column in hashes)
    table[:] = 0
    put_into_table.compiled(hashes.value, table)
    return Hashes(value, row, table)
