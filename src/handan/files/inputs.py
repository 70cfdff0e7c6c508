"""What a caller may give to be read: paths, file objects, bytes, frames, and tables as plain Python has them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

import polars as pl

from handan.errors import InputError, counted, shown
from handan.files.games.contents import Contents, Reading
from handan.files.io.databases import is_database, read_query
from handan.files.io.limits import Limits
from handan.files.io.options import Options
from handan.files.io.storage import Load, inside, ledgers_in, named, read_stream, sources
from handan.ledger.manifest import is_ledger

STANDARD_INPUT = "-"
PLAYED = ("black", "white", "result", "date")
"""What the cells of a row without headings are."""
SCORES = {1: "1-0", 0.5: "1/2-1/2", 0: "0-1"}


@dataclass(frozen=True, slots=True)
class Files:
    """A path, or what stands in place of one."""

    name: str
    source: Any

    @property
    def on_disk(self) -> bool:
        """Whether it is the folder of a ledger on disk."""
        return isinstance(self.source, (str, os.PathLike)) and is_ledger(self.source)

    @property
    def ledgers(self) -> list[Path]:
        """Folders of ledgers on disk that lie in the folder that it is, or for which its pattern stands."""
        return list(ledgers_in(self.source)) if isinstance(self.source, (str, os.PathLike)) else []

    def files(self, limits: Limits) -> Iterator[tuple[str, Load, bool]]:
        """Go through the files that it stands for, as `handan.files.content.sources` does."""
        if isinstance(self.source, (str, os.PathLike)) and os.fspath(self.source) != STANDARD_INPUT:
            yield from sources(self.source, limits)
        else:
            yield from inside(self.name, self._bytes(limits), limits)

    def _bytes(self, limits: Limits) -> bytes:
        if isinstance(self.source, (bytes, bytearray, memoryview)):
            return bytes(self.source)
        stream = self.source if hasattr(self.source, "read") else sys.stdin.buffer
        try:
            return read_stream(stream, self.name, limits)
        except (OSError, ValueError) as error:
            raise InputError(f"{self.name} cannot be read: {error}") from error


@dataclass(frozen=True, slots=True)
class Table:
    """A table that is in memory already, or that a database gives."""

    name: str
    source: Any

    def reading(self, options: Options) -> Reading:
        """Return its games; InputError if it holds none."""
        form = "query" if is_database(self.source) else self.name
        return Reading(self.name, form, self._contents(options))

    def _contents(self, options: Options) -> Contents:
        from handan.files.tables.frames import read_frame, to_polars

        if is_database(self.source):
            return read_frame(read_query(self.source, options.query, options.limits), self.name, options)
        if is_frame(self.source):
            return read_frame(to_polars(self.source), self.name, options)
        if isinstance(self.source, Mapping):
            return read_frame(_of_columns(self.source), self.name, options)
        from handan.files.formats.json_rows import read_objects

        return read_objects(list(enumerate(self.source, 1)), self.name, options)


def given(source: Any) -> Iterator[Files | Table]:
    """Go through what a caller gave, one thing or several; InputError for what can be none of them."""
    item = _single(source)
    if item is not None:
        yield item
        return
    if not isinstance(source, Iterable):
        raise _unusable(source)
    listed, rows = _told_apart(source)
    if rows:
        yield Table("rows", rows)
        return
    for each in listed:
        table = _single(each)
        if table is None:
            raise _unusable(each)
        yield table


def _told_apart(source: Iterable[Any]) -> tuple[Iterable[Any], list[Mapping[str, Any]]]:
    """Return several things that were given, or else the rows of one table; an iterator of files is left to itself."""
    described = getattr(source, "description", None)  # of a cursor, by PEP 249; its last row may clear it
    things = iter(source)
    listed = list(islice(things, 1))
    if not any(isinstance(each, (tuple, list)) or _named_cells(each) is not None for each in listed):
        return chain(listed, things), []
    listed += things
    rows = [_named_cells(each) for each in listed]
    if None not in rows:
        return listed, [row for row in rows if row is not None]
    if not all(isinstance(each, (tuple, list)) for each in listed):
        return listed, []
    return listed, _with_headings([[column[0] for column in described], *listed] if described else listed)


def _named_cells(row: Any) -> Mapping[str, Any] | None:
    """Return a row as a dict: one itself, or a row of a database or a named tuple; None if it is none."""
    if isinstance(row, Mapping):
        return row if _is_row(row) else None
    if hasattr(row, "_asdict"):
        return row._asdict()  # type: ignore[no-any-return]
    names = row.keys() if hasattr(row, "keys") and not is_frame(row) else ()
    return {name: row[name] for name in names} or None


def _with_headings(rows: list[Sequence[Any]]) -> list[Mapping[str, Any]]:
    """Return rows as dicts: by their headings, if the first row has such, else as `PLAYED`; the date may be missing."""
    from handan.files.tables.column_names import enough, understood

    headings = [str(cell) for cell in rows[0]]
    if enough(meaning.column for meaning in understood(headings)):
        for number, row in enumerate(rows[1:], 1):
            if len(row) > len(headings):
                raise InputError(
                    f"row {number} has {counted(len(row), 'cell')} under {counted(len(headings), 'heading')}"
                )
        return [dict(zip(headings, row, strict=False)) for row in rows[1:]]
    for number, row in enumerate(rows, 1):
        if len(row) not in {3, 4}:
            raise InputError(
                f"row {number} has {counted(len(row), 'cell')}; give {', '.join(PLAYED)}, or headings first"
            )
    return [dict(zip(PLAYED, (*row[:2], _result(row[2]), *row[3:]), strict=False)) for row in rows]


def _result(cell: Any) -> Any:
    """Return a result, where it is a number as scores of both, in which no letter is a name."""
    return SCORES.get(cell, cell) if isinstance(cell, (int, float)) else cell


def _is_row(mapping: Mapping[Any, Any]) -> bool:
    """Return whether a dict is one row rather than a table in columns."""
    return not any(isinstance(value, (list, tuple)) or getattr(value, "ndim", 0) for value in mapping.values())


def _single(source: Any) -> Files | Table | None:
    """Return one thing that was given; None if it is none or several."""
    if is_database(source):
        return Table(named(source), source)
    if isinstance(source, (str, os.PathLike)):
        _refuse_no_path(os.fspath(source))
        return Files("standard input" if os.fspath(source) == STANDARD_INPUT else named(source), source)
    if isinstance(source, (bytes, bytearray, memoryview)):
        return Files("bytes", source)
    if is_frame(source):
        return Table("frame", source)
    if callable(getattr(source, "read", None)):
        name = getattr(source, "name", "")
        return Files(named(name) if isinstance(name, str) and name else "file", source)
    return Table("columns", source) if isinstance(source, Mapping) else None


def _refuse_no_path(path: str) -> None:
    if not path:
        raise InputError("a path is empty; give the name of a file, or . for this folder")
    if "\n" in path and not os.path.lexists(path):
        raise InputError("a text of several lines is no path; give a table in it as bytes: text.encode()")


def is_frame(source: Any) -> bool:
    """Return whether something is a frame of some library."""
    return any(hasattr(type(source), name) for name in ("columns", "__arrow_c_stream__")) or isinstance(
        source, pl.LazyFrame
    )


def _unusable(source: Any) -> InputError:
    kind = shown(type(source).__name__)
    table = "a frame, nor a table as a dict of columns or a list of rows"
    return InputError(f"{kind} is not a path, a file, bytes, {table}")


def _of_columns(columns: Mapping[Any, Any]) -> pl.DataFrame:
    """Return columns as a frame; cells of several types in one column become text."""
    from handan.files.tables.frames import series_of

    series = {str(name): series_of(_values(cells)) for name, cells in columns.items()}
    if len({len(each) for each in series.values()}) > 1:
        lengths = ", ".join(f"{shown(name)} {len(each)}" for name, each in series.items())
        raise InputError(f"columns are of different lengths: {lengths}")
    return pl.DataFrame(series)


def _values(cells: Any) -> list[Any]:
    """Return what a caller gave as a column: a list, an array, or one value."""
    if isinstance(cells, str) or not isinstance(cells, Iterable):
        return [cells]
    return list(cells.tolist() if hasattr(cells, "tolist") else cells)
