"""Columns of text as their different cells, and the number of each row's cell among them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np
import polars as pl
from numpy.typing import NDArray

SHARED = {"white": "black", "white_id": "black_id"}
"""Columns that have the same different cells as another one."""


class Texts(NamedTuple):
    """A column of text."""

    different: list[str]
    """Its different cells in order; an absent one is empty. Columns of players share theirs, as those of ids."""
    number: NDArray[Any]
    """Which of them each row has, shape (rows,)."""


class Categories:
    """Types of columns whose cells polars numbers while it reads them.

    The numbers begin again when the last column of a type is gone; so this keeps an empty one of each.
    """

    def __init__(self, names: Iterable[str]) -> None:
        own = uuid4().hex  # types of one name are one in the whole process
        groups = {name: SHARED.get(name, name) for name in names}
        kinds = {group: pl.Categorical(pl.Categories(f"{group} {own}")) for group in groups.values()}
        self.types = {name: kinds[group] for name, group in groups.items()}
        self.kept_alive = [pl.Series([], dtype=kind) for kind in kinds.values()]

    def texts(self, frame: pl.DataFrame) -> dict[str, Texts]:
        """Return the columns of a frame of these types."""
        groups: dict[str, list[str]] = {}
        for name in frame.columns:
            groups.setdefault(SHARED.get(name, name), []).append(name)
        texts: dict[str, Texts] = {}
        for names in groups.values():
            texts |= numbered({name: frame[name] for name in names})
        return texts


def numbered(columns: Mapping[str, pl.Series]) -> dict[str, Texts]:
    """Return columns of one type of categories; null counts as empty."""
    numbers = {name: column.to_physical() for name, column in columns.items()}
    count = max(int(number.max()) + 1 if len(number) > number.null_count() else 0 for number in numbers.values())  # type: ignore[arg-type]  # numbers
    rows = {name: number.fill_null(count).to_numpy() for name, number in numbers.items()}
    there = np.zeros(count + 1, dtype=np.bool_)
    for number in rows.values():
        there[number] = True
    kind = next(iter(columns.values())).dtype
    own = np.flatnonzero(there[:count]).astype(np.uint32)
    cells = pl.Series("cell", own).cat.to(kind).cast(pl.String)
    if there[count]:
        cells = pl.concat([cells, pl.Series("cell", [""])])
    place = np.zeros(count + 1, dtype=np.uint32)
    place[np.flatnonzero(there)] = (cells.rank("dense") - 1).to_numpy()
    texts = cells.unique().sort().to_list()
    return {name: Texts(texts, place[number]) for name, number in rows.items()}
