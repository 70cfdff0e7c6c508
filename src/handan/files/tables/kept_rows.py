"""Rows of a table on their way into the columns of a games table: each step keeps some, and says what it left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

    from handan.errors import Problem


@dataclass(frozen=True, slots=True)
class KeptRows:
    """What a step has made of a table."""

    text: pl.DataFrame
    """The rows that are left, columns named as in `handan.files.tables.column_names.COLUMNS`."""
    lines: pl.Series
    """Line of each of them."""
    problems: list[Problem]
    """The rows that the step left out."""
