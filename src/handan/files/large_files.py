"""Large files cut into pieces, each read as a file of its own, with the line numbers of the whole."""

from __future__ import annotations

import gzip
import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

import polars as pl

from handan.errors import InputError
from handan.files.formats import json_rows
from handan.files.formats.parquet import MAGIC
from handan.files.games.contents import Contents
from handan.files.games.unnamed_events import with_named_events
from handan.files.io.options import Options
from handan.files.io.storage import GZIP, named, reason
from handan.files.reading import readings
from handan.files.tables import header_rows

PIECE = 1 << 25  # bytes of text that are read together; our choice: some million games
ROWS = 1 << 20  # the same of Parquet
OBJECTS = 8
"""Our choice: of JSON Lines so many times less is read together, since a byte takes about so many times the memory."""
NO_LIMIT = 1 << 40
LONGEST_ROW = 4_000  # bytes; our choice: a text with a quote open for longer has a stray one
TRIED = 1000  # our choice: ends of lines at which a piece may end, where cells hold ends of lines
HEAD = 1 << 16  # bytes in which a header is looked for


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a file that has been read."""

    contents: Contents
    read: int
    """Bytes of the file that have been read by now."""


def in_pieces(path: str | os.PathLike[str], options: Options, size: int = PIECE, rows: int = ROWS) -> Iterator[Piece]:
    """Read a file in pieces: text with a header, also packed with gzip, JSON Lines, or Parquet.

    Args:
        path: Of the file.
        options: What to know of it; no limit counts its games.
        size: Bytes of text that are read together.
        rows: Rows of Parquet that are read together.

    Raises:
        InputError: It cannot be read, or is of a form that is only read as a whole.
    """
    name = named(path)
    options = replace(options, limits=replace(options.limits, games=NO_LIMIT))
    try:
        with Path(path).open("rb") as stream:
            start = stream.read(4)
        yield from _of_parquet(name, path, options, rows) if start == MAGIC else _of_text(name, path, options, size)
    except (OSError, EOFError, pl.exceptions.PolarsError) as error:
        raise InputError(f"{name} cannot be read: {reason(Exception(error))}") from error


def _of_parquet(name: str, path: str | os.PathLike[str], options: Options, rows: int) -> Iterator[Piece]:
    lazy, size = pl.scan_parquet(Path(path)), Path(path).stat().st_size
    count = int(lazy.select(pl.len()).collect().item())
    for first in range(0, count, rows):
        part = io.BytesIO()
        lazy.slice(first, rows).collect().write_parquet(part, compression="uncompressed")
        read = _read(part.getvalue(), name, options, first, whole=count <= rows)
        read = read if not first else _without_head(read, first)
        yield Piece(read, size * min(first + rows, count) // count)


def _of_text(name: str, path: str | os.PathLike[str], options: Options, size: int) -> Iterator[Piece]:
    with _opened(path) as (stream, place):
        data = stream.read(min(size, HEAD))
        size = max(1, size // OBJECTS) if json_rows.sniff(data) else size
        data += stream.read(max(size - len(data), 0))
        head = _head(data, name, options)
        lines, begin = head.count(b"\n"), True
        data = data[len(head) :]
        while data or begin:
            more = stream.read(size)
            end = _end(data) if more else len(data)
            if not end and more:
                data += more
                if len(data) > max(options.limits.line, PIECE):
                    raise options.limits.exceeded("line", name)
                continue
            skipped = lines - head.count(b"\n")
            contents = _read(head + data[:end], name, options, skipped, whole=begin and not more)
            yield Piece(contents if begin else _without_head(contents, lines), place())
            lines, begin = lines + data.count(b"\n", 0, end), False
            data = data[end:] + more


def _head(data: bytes, name: str, options: Options) -> bytes:
    """Return the lines of a text up to its header; nothing of JSON Lines."""
    if b"\0" in data[:HEAD]:
        raise InputError(f"{name} is no text of games that could be read in pieces; convert it to CSV or Parquet first")
    if json_rows.sniff(data[:HEAD]):
        if data.lstrip()[:1] != b"{":
            raise InputError(f"{name} is one JSON document; write it as JSON Lines, an object a line")
        return b""
    head = header_rows.head_of(data[:HEAD], name, options.columns)
    if not head.choice:
        raise InputError(f"{name} has no header that names black, white and result; it is read as a whole only")
    return data[: head.start]


def _end(data: bytes) -> int:
    """Return where the last line of a text ends, outside of quotes if their number tells; 0 if more must be read."""
    last = end = data.rfind(b"\n") + 1
    odd = data.count(b'"', 0, end) % 2
    for _ in range(TRIED if odd else 0):
        end = data.rfind(b"\n", 0, max(end - 1, 0)) + 1
        if not end or not data.count(b'"', 0, end) % 2:
            break
    return end or (last if len(data) > LONGEST_ROW else 0)


def _read(data: bytes, name: str, options: Options, skipped: int, *, whole: bool) -> Contents:
    """Return what a piece holds, or the whole file; its lines are told as those of the file."""
    [reading] = readings([_Named(name, data)], options, alone=True)
    read = with_named_events([reading])[0].contents if whole else reading.contents
    assert read is not None  # noqa: S101  # what cannot be read was refused
    if any("names" in each.facts for each in read.understandings):
        raise InputError(
            f"most names in {name} end with ranks, and only the whole file tells who is one person; "
            f"take them apart first: handan convert {name} -o apart.csv"
        )
    return read if not skipped else _moved(read, skipped)


class _Named(io.BytesIO):
    """Bytes that are called as the file they are of."""

    def __init__(self, name: str, data: bytes) -> None:
        super().__init__(data)
        self.name = name


def _moved(contents: Contents, lines: int) -> Contents:
    problems = [replace(each, line=None if each.line is None else each.line + lines) for each in contents.problems]
    return replace(contents, problems=problems)


def _without_head(contents: Contents, last: int) -> Contents:
    """Return what a later piece holds without what is said of the header, up to its line `last`."""
    kept = [each for each in contents.problems if each.line is not None and each.line > last]
    return replace(contents, problems=kept)


@contextmanager
def _opened(path: str | os.PathLike[str]) -> Iterator[tuple[IO[bytes] | gzip.GzipFile, Callable[[], int]]]:
    """Open a file, unpacked if it is packed with gzip; yield it, and what tells how much of it has been read."""
    with Path(path).open("rb") as raw:
        packed = raw.read(2) == GZIP
        raw.seek(0)
        if packed:
            with gzip.open(raw) as stream:
                yield stream, raw.tell
        else:
            yield raw, raw.tell
