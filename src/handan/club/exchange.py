"""The whole ledger of a club as one file: a line that says what it is, then a line for each entry."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from typing import IO, Any

from handan.club.entries import Record, canonical, verified
from handan.errors import InputError

FORMAT = 1
MAGIC = b"\x1f\x8b"


def ledger_lines(slug: str, name: str, records: Iterable[Record]) -> Iterator[bytes]:
    """Return the file line by line."""
    yield canonical({"handan": "ledger", "format": FORMAT, "club": slug, "name": name}) + b"\n"
    for record in records:
        yield canonical(record.as_dict()) + b"\n"


def read_ledger(file: IO[bytes]) -> tuple[dict[str, Any], Iterator[Record]]:
    """Return the first line and the entries, whose chain is verified on the way; packed or not.

    InputError names the line that cannot be used.
    """
    start = file.read(2)
    file.seek(0)
    lines = enumerate(gzip.GzipFile(fileobj=file) if start == MAGIC else file, 1)
    first = next(lines, (1, b""))[1]
    header = _data(first, 1)
    if header.get("handan") != "ledger" or header.get("format") != FORMAT:
        raise InputError("line 1: this is no ledger exported by Handan")
    return header, verified(Record.of(_data(line, number)) for number, line in lines if line.strip())


def _data(line: bytes, number: int) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise InputError(f"line {number}: a ledger has one JSON object a line")
    return data
