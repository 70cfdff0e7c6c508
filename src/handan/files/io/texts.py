"""Columns of text as their different cells, and the number of each row's cell among them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np
import polars as pl
from numpy.typing import NDArray

SHARED = {"white": "black", "white_id": "black_id"}
"""Columns that have the same different cells as another one."""

FEW = 1 << 10  # our choice: texts that plain Python puts in order sooner than polars begins to


class Texts(NamedTuple):
    """A column of text."""

    different: list[str]
    """Its different cells in order; an absent one is empty. Columns of players share theirs, as those of ids."""
    number: NDArray[Any]
    """Which of them each row has, shape (rows,)."""


def groups(names: Iterable[str]) -> list[list[str]]:
    """Return columns in groups that have the same different cells."""
    together: dict[str, list[str]] = {}
    for name in names:
        together.setdefault(SHARED.get(name, name), []).append(name)
    return list(together.values())


class Categories:
    """Types of columns whose cells polars numbers while it reads them.

    The numbers begin again when the last column of a type is gone; so this keeps an empty one of each.
    """

    def __init__(self, names: Iterable[str]) -> None:
        own = uuid4().hex  # types of one name are one in the whole process
        kinds = [(together, pl.Categorical(pl.Categories(f"{together[0]} {own}"))) for together in groups(names)]
        self.types = {name: kind for together, kind in kinds for name in together}
        self.kept_alive = [pl.Series([], dtype=kind) for _, kind in kinds]

    def numbers(self, frame: pl.DataFrame) -> dict[str, NDArray[Any]]:
        """Return the columns of a frame of these types as numbers of cells, from 1; 0 where a cell is null."""
        numbers = {}
        for name in frame.columns:
            column = (frame[name].to_physical() + 1).fill_null(0).to_numpy()
            numbers[name] = column.astype(np.min_scalar_type(int(column.max(initial=0))))
        return numbers

    def texts(self, parts: Sequence[Mapping[str, NDArray[Any]]]) -> dict[str, Texts]:
        """Return columns of which `numbers` gave one part after the other."""
        texts: dict[str, Texts] = {}
        for names in groups(self.types):
            columns = {name: np.concatenate([part[name] for part in parts]) for name in names}
            texts |= _texts(columns, self.types[names[0]])
        return texts


def _texts(columns: Mapping[str, NDArray[Any]], kind: Any) -> dict[str, Texts]:
    """Return columns of numbers of one type as their different cells in order; null counts as empty."""
    there = np.zeros(max(int(column.max(initial=0)) for column in columns.values()) + 1, dtype=np.bool_)
    for column in columns.values():
        there[column] = True
    cells = pl.Series("cell", np.flatnonzero(there[1:]).astype(np.uint32)).cat.to(kind).cast(pl.String)
    if there[0]:
        cells = pl.concat([pl.Series("cell", [""]), cells])
    texts = cells.unique().sort()
    place = np.zeros(len(there), dtype=np.min_scalar_type(len(texts)))
    place[there] = (cells.rank("dense") - 1).to_numpy()
    return {name: Texts(texts.to_list(), place[column]) for name, column in columns.items()}
