"""The whole ledger of a club as one file: a line that says what it is, then a line for each entry."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any

from handan.club.entries import GENESIS, Record, canonical, verified
from handan.errors import InputError, shown

FORMAT = 1
LONGEST = 64_000_000  # our choice: bytes of an entry; the longest is an official list
MAGIC = b"\x1f\x8b"


def ledger_lines(slug: str, name: str, number: int, digest: str, records: Iterable[Record]) -> Iterator[bytes]:
    """Return the file line by line; the first says how many entries follow, and the digest of the last."""
    head = {"handan": "ledger", "format": FORMAT, "club": slug, "name": name, "entries": number, "digest": digest}
    yield canonical(head) + b"\n"
    for record in records:
        yield canonical(record.as_dict()) + b"\n"


def read_ledger(file: IO[bytes]) -> tuple[dict[str, Any], Iterator[Record]]:
    """Return the first line and the entries, whose chain is verified on the way; packed or not.

    InputError names the line that cannot be used, and refuses at its end a file that was cut off.
    """
    start = file.read(2)
    file.seek(0)
    lines = enumerate(_lines(gzip.GzipFile(fileobj=file) if start == MAGIC else file), 1)
    first = next(lines, (1, b""))[1]
    header = _data(first, 1)
    if header.get("handan") != "ledger" or header.get("format") != FORMAT:
        raise InputError("line 1: this is no ledger exported by Handan")
    if type(header.get("entries")) is not int or not isinstance(header.get("digest"), str):
        raise InputError("line 1: this ledger does not say how many entries it holds, and where it ends")
    return header, _whole(header, verified(Record.of(_data(line, number)) for number, line in lines if line.strip()))


def _whole(header: Mapping[str, Any], records: Iterator[Record]) -> Iterator[Record]:
    """Pass records on; InputError at the end if they are not as many as the first line says."""
    number, digest = 0, GENESIS
    for record in records:
        number, digest = record.number, record.digest
        yield record
    if number != header["entries"]:
        cut = ": it was cut off" if number < header["entries"] else ""
        raise InputError(f"the file holds {number} of {header['entries']} entries{cut}")
    if digest != header["digest"]:
        raise InputError(f"the file ends with digest {digest}, its first line says {shown(header['digest'])}")


def _lines(file: IO[bytes] | gzip.GzipFile) -> Iterator[bytes]:
    """Go through the lines, none of which is kept in memory beyond the longest that a ledger has."""
    try:
        while line := file.readline(LONGEST + 1):
            if len(line) > LONGEST:
                raise InputError(f"a line is longer than {LONGEST:,} bytes; a ledger has one entry a line")
            yield line
    except (EOFError, OSError, zlib.error) as error:
        raise InputError(f"the packed ledger is damaged: {error}") from None


def _data(line: bytes, number: int) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise InputError(f"line {number}: a ledger has one JSON object a line")
    return data
