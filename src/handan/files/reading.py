"""Any files and frames made into one ledger, and a ledger made into a file."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterable
from typing import Any

import polars as pl

from handan.errors import InputError, Problem
from handan.files.adjustments import read_adjustments
from handan.files.content import load, named, save
from handan.files.frames import read_frame, to_polars
from handan.files.registry import FORMATS
from handan.ledger import Adjustment, Ledger

HEAD = 4096  # bytes by which a format is known
MOST_TOLD = 5
PLACE = ("source", "line", "entry")
"""What two rows may differ in and yet be one row twice."""


def read(
    source: Any,
    *,
    strict: bool = False,
    encoding: str | None = None,
    adjustments: str | os.PathLike[str] | Iterable[Adjustment] | None = None,
    dedupe: bool = False,
) -> Ledger:
    """Read games; the format is found by the content of a file, not by its name.

    Args:
        source: A path, several paths, or a frame of polars, pandas or pyarrow. Games of one date, event and round
            follow each other as the files do.
        strict: Whether a row that cannot be read is an error. Otherwise it is left out, and `Ledger.problems` tells.
        encoding: Python's name of the encoding of text files; None for UTF-8, or UTF-16 with a byte order mark.
        adjustments: A path for `read_adjustments`, or adjustments.
        dedupe: Whether rows that say the same as an earlier row are left out.

    Raises:
        InputError: A file cannot be read at all, or `strict` and a row is bad.
    """
    single = isinstance(source, (str, os.PathLike)) or hasattr(type(source), "columns")
    parts = [_read_one(item, encoding) for item in ([source] if single else source)]
    if not parts:
        raise InputError("no file was given; give at least one")
    table = _in_sequence([table for table, _ in parts])
    problems = [problem for _, found in parts for problem in found]
    if isinstance(adjustments, (str, os.PathLike)):
        adjustments, found = read_adjustments(adjustments, encoding=encoding)
        problems += found
    if strict:
        _refuse(problems)
    if dedupe:
        table, found = _without_repeats(table)
        problems += found
    return Ledger.from_table(table, adjustments or (), problems)


def _read_one(source: Any, encoding: str | None) -> tuple[pl.DataFrame, list[Problem]]:
    """Read one file or frame into the typed games table."""
    if not isinstance(source, (str, os.PathLike)):
        return read_frame(to_polars(source), "frame")
    data = load(source)
    found = next(known for known in FORMATS if known.sniff(data[:HEAD]))
    return found.read(data, named(source), encoding)


def _in_sequence(tables: list[pl.DataFrame]) -> pl.DataFrame:
    """Join tables so that the games of each are entered after those of the one before."""
    if len(tables) == 1:
        return tables[0]
    entered = []
    start = 0
    for table in tables:
        entry = pl.col("entry").fill_null(pl.int_range(pl.len())) + start
        entered.append(table.with_columns(entry))
        start = max(start, int(entered[-1]["entry"].max() or 0)) + 1  # type: ignore[arg-type]
    return pl.concat(entered)


def _refuse(problems: list[Problem]) -> None:
    """Raise InputError if rows were rejected, with the first reasons."""
    rejected = [problem for problem in problems if problem.rejected]
    if rejected:
        count = len({(problem.source, problem.line) for problem in rejected})
        first = "; ".join(str(problem) for problem in rejected[:MOST_TOLD])
        more = "; …" if len(rejected) > MOST_TOLD else ""
        raise InputError(f"{count} {'row' if count == 1 else 'rows'} cannot be read: {first}{more}")


def _without_repeats(table: pl.DataFrame) -> tuple[pl.DataFrame, list[Problem]]:
    """Leave out the rows that say the same as an earlier row, and report how many there were in each source."""
    numbered = table.with_row_index("#row")
    kept = numbered.unique([name for name in table.columns if name not in PLACE], keep="first", maintain_order=True)
    dropped = numbered.join(kept, on="#row", how="anti").group_by("source", maintain_order=True).len()
    problems = [
        Problem(
            source,
            None,
            "",
            f"{count} repeated {'row' if count == 1 else 'rows'}",
            "kept; every game stands once",
            rejected=False,
        )
        for source, count in dropped.iter_rows()
    ]
    return kept.drop("#row"), problems


def write(ledger: Ledger, path: str | os.PathLike[str], *, excel_safe: bool = False) -> None:
    """Write the games to a file, from which `read` makes the same games in the same order, even if it is shuffled.

    Args:
        ledger: Its games are written; see `write_adjustments` for the adjustments.
        path: The ending says the format: .csv, .tsv or .parquet; with .gz after it the file is packed.
        excel_safe: Whether text that a spreadsheet would take for a formula gets an apostrophe in front.

    Raises:
        InputError: The ending is unknown, or the file cannot be written.
    """
    name = named(path)
    plain = name.lower().removesuffix(".gz")
    for known in FORMATS:
        for ending in known.endings:
            if known.write and plain.endswith(ending):
                data = known.write(ledger, ending, excel_safe)
                save(path, data if plain == name.lower() else gzip.compress(data, mtime=0))
                return
    endings = ", ".join(ending for known in FORMATS for ending in known.endings)
    raise InputError(f"{name} does not end in a format that is written; give {endings}, or one of them with .gz")
