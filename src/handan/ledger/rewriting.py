"""Columns of a folder written part by part, from what stands in the old ones as far as their digests are right."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from handan.errors import InputError
from handan.ledger.column_files import AT_ONCE, Column
from handan.ledger.folder import Writing


@dataclass
class Growing:
    """A column that is written part by part."""

    folder: Writing
    name: str
    dtype: str
    stream: IO[bytes]
    size: int = 0
    digest: Any = field(default_factory=hashlib.sha256)

    @classmethod
    def of(cls, folder: Writing, name: str, dtype: Any) -> Growing:
        """Begin a column of a folder anew."""
        kind, file = folder.fresh(name, dtype)
        return cls(folder, name, kind, file.open("wb"))

    def write(self, array: NDArray[Any] | None) -> None:
        """Put rows behind the others."""
        data = np.ascontiguousarray(array, dtype=self.dtype).data.cast("B")
        self.stream.write(data)
        self.digest.update(data)
        self.size += data.nbytes

    def close(self) -> None:
        """Let the folder have the column."""
        with self.stream:
            self.stream.flush()
            os.fsync(self.stream.fileno())
        column = self.folder.columns[self.name]
        pieces = ((self.size, self.digest.hexdigest()),)
        self.folder.columns[self.name] = Column(column.file, column.dtype, pieces)


def rewrite(folder: Writing, name: str, dtype: Any, turn: Callable[[int, NDArray[Any]], NDArray[Any]]) -> None:
    """Write a column anew from its old rows.

    Args:
        folder: Goes on from what is there.
        name: Of the column.
        dtype: Of the new rows.
        turn: Makes new rows of the number of the first one and the old ones; these may be damaged.

    Raises:
        InputError: A digest of the old rows is another, so that nothing may be committed.
    """
    old = folder.columns[name]
    file = Growing.of(folder, name, dtype)
    try:
        for first, rows in _checked_rows(folder.path, old):
            file.write(turn(first, rows))
    finally:
        file.close()


def _checked_rows(path: Path, column: Column) -> Iterator[tuple[int, NDArray[Any]]]:
    """Yield the rows of a column some at a time, and the number of the first; InputError behind damaged ones."""
    dtype, start = np.dtype(column.dtype), 0
    with (path / column.file).open("rb") as stream:
        for end, digest in column.pieces:
            seen = hashlib.sha256()
            while start < end and (data := stream.read(min(end - start, AT_ONCE))):
                seen.update(data)
                yield start // dtype.itemsize, np.frombuffer(data, dtype)
                start += len(data)
            if seen.hexdigest() != digest:
                raise InputError(f"{path / column.file} is damaged: its digest is another; nothing was changed")
