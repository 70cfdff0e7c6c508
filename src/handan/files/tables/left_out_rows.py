"""Rows that a table loses on its way to the games, and those whose `status` says that they do not count."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from handan.errors import Problem, counted, shown
from handan.files.tables.column_names import STATUS

LEFT_OUT = ("withdrawn", "disputed", "waits for confirmation", "set aside")
"""What a club says of games, and of ranks set by hand, that do not count."""


@dataclass(frozen=True, slots=True)
class KeptRows:
    """What a step has made of a table."""

    text: pl.DataFrame
    """The rows that are left, columns named as in `handan.files.tables.column_names.COLUMNS`."""
    lines: pl.Series
    """Line of each of them."""
    problems: list[Problem]
    """The rows that the step left out."""


def without_uncounted(
    text: pl.DataFrame, lines: pl.Series, source: str, noun: str = "game"
) -> tuple[pl.DataFrame, pl.Series, list[Problem]]:
    """Return the rows of games that count, their lines, and how many of the others there were, by status.

    Any other word in the column leaves its game where it is, and is named.

    Args:
        text: A table of text; its column `status` is not there in the answer.
        lines: Line or row of each row.
        source: Name for the reports.
        noun: What the rows are.
    """
    if STATUS not in text.columns:
        return text, lines, []
    status = text[STATUS].cast(pl.String).fill_null("").str.strip_chars().str.to_lowercase()
    text = text.drop(STATUS)
    counts = dict(status.value_counts(sort=True).iter_rows())
    remarks = [f"{counted(counts[word], noun)} {word}: left out" for word in LEFT_OUT if word in counts]
    others = [word for word in counts if word and word not in LEFT_OUT]
    if others:
        remarks.append(f"column {shown(STATUS)} says {shown(others[0])} and is not read there: such {noun}s count")
    problems = [Problem(source, None, STATUS, "", "", rejected=False, message=remark) for remark in remarks]
    kept = ~status.is_in(LEFT_OUT)
    return text.filter(kept), lines.filter(kept), problems
