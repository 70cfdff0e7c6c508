"""Columns of text as categories: polars keeps each different text once, and of each row the number of its text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.ledger import encoded_columns

SHARED = {"white": "black", "white_id": "black_id"}
"""Columns that have the categories of another one, so that polars compares their numbers."""
SAMPLE = 1_000  # rows by which a column is known whose cells are mostly those of the row above; our choice
STEADY = 4  # our choice: as many times more rows than changes from row to row


class Texts(NamedTuple):
    """A column of text."""

    different: pl.Series
    """Its different texts; an absent cell is empty."""
    number: NDArray[Any]
    """The place of each row's text among them, shape (rows,)."""


Categories = Mapping[str, Any]
"""Types of columns, by name."""


def categories_of(names: Iterable[str]) -> Categories:
    """Return new types of columns; polars forgets the texts of each with the last column of it."""
    names = list(names)
    own = uuid4().hex  # types of one name are one in the whole process
    kinds = {
        name: pl.Categorical(pl.Categories(f"{name} {own}")) for name in {SHARED.get(name, name) for name in names}
    }
    return {name: kinds[SHARED.get(name, name)] for name in names}


def categorized(column: pl.Series, kind: Any) -> pl.Series:
    """Return a column of text as categories of a type."""
    if not _is_steady(column):
        return column.cast(kind).rechunk()  # numpy takes one piece as it stands
    runs = column.rle().struct.unnest()
    values = runs["value"].cast(kind)
    number = np.repeat(values.to_physical().to_numpy(), runs["len"].to_numpy())
    return pl.Series(column.name, number).cat.to(kind)


def differing(column: pl.Series) -> tuple[pl.Series, NDArray[Any]]:
    """Return values of a column, of which several may be one, and the place of each row's among them."""
    if _is_steady(column):
        return _runs(column)
    values, number = encoded_columns.differing(column)
    return values, np.zeros(len(column), dtype=np.uint8) if number is None else number


def _is_steady(column: pl.Series) -> bool:
    """Return whether cells of a long column stand below equal ones, so that it is looked at once for each run."""
    sample = column.head(SAMPLE)
    return len(column) > len(sample) >= STEADY * int(sample.rle_id()[-1])


def _runs(column: pl.Series) -> tuple[pl.Series, NDArray[Any]]:
    """Return the value of each run of equal cells, and which run each row is in."""
    runs = column.rle().struct.unnest()
    return runs["value"], np.repeat(np.arange(runs.height, dtype=np.uint32), runs["len"].to_numpy())


def with_categories(name: str, texts: pl.Series, number: NDArray[Any]) -> pl.Series:
    """Return a column from the text of each number, of which several may be one."""
    values = texts.cast(pl.Categorical(pl.Categories(uuid4().hex)))
    return pl.Series(name, values.to_physical().to_numpy()[number]).cat.to(values.dtype)


def different(*columns: pl.Series) -> pl.Series:
    """Return the different texts of columns that are text or categories; an absent cell is empty."""
    kind = columns[0].dtype
    if isinstance(kind, pl.Categorical) and all(column.dtype == kind for column in columns):
        return _texts(np.flatnonzero(_used(columns)), kind)
    texts = [column.unique(maintain_order=True).cast(pl.String).fill_null("") for column in columns]
    return pl.concat([text.alias("") for text in texts]).unique(maintain_order=True)


def known_texts(column: pl.Series) -> pl.Series:
    """Return texts among which are all of a column; an absent cell is empty."""
    if not isinstance(column.dtype, pl.Categorical):
        return different(column)
    numbers = _numbers(column)
    return _texts(np.arange(numbers.max() + 1 if len(numbers) else 0), column.dtype)


def has(column: pl.Series, text: str) -> bool:
    """Return whether a text stands in a column of text or categories; an absent cell is empty."""
    if not text and column.null_count():
        return True
    if not isinstance(column.dtype, pl.Categorical):
        return bool((column == text).any())
    return bool((_numbers(column) == pl.Series([text]).cast(column.dtype).to_physical()[0]).any())


def encoded(*columns: pl.Series) -> list[Texts]:
    """Return columns that are text or categories as numbers of texts, which are the same for all of them."""
    kind = columns[0].dtype
    if not (isinstance(kind, pl.Categorical) and all(column.dtype == kind for column in columns)):
        kind = pl.Categorical(pl.Categories(uuid4().hex))
        columns = tuple(column.cast(pl.String).fill_null("").cast(kind) for column in columns)
    used = _used(columns)
    texts = _texts(np.flatnonzero(used), kind)
    numbers: list[NDArray[Any]] = [_numbers(column) for column in columns]
    if not used.all():
        place = np.cumsum(used) - 1
        numbers = [place[number] for number in numbers]
    return [Texts(texts, number) for number in numbers]


def _numbers(column: pl.Series) -> NDArray[np.uint32]:
    """Return the number of each row's category."""
    filled = column.fill_null("") if column.null_count() else column
    return filled.to_physical().to_numpy()


def _used(columns: Sequence[pl.Series]) -> NDArray[np.bool_]:
    """Return which categories stand in columns of one type, up to the last that does."""
    counts = [np.bincount(_numbers(column), minlength=1) for column in columns]
    used = np.zeros(max(map(len, counts)), dtype=np.bool_)
    for count in counts:
        used[: len(count)] |= count > 0
    return used


def _texts(numbers: NDArray[Any], kind: Any) -> pl.Series:
    """Return the texts of categories."""
    return pl.Series(numbers.astype(np.uint32)).cat.to(kind).cast(pl.String)
