"""What a file format is to the rest of the package: how it is known, read and written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

from handan.errors import Problem
from handan.ledger import Ledger


@dataclass(frozen=True, slots=True)
class Format:
    """One file format; adding one means writing its file and naming it in `handan.files.registry`."""

    name: str
    sniff: Callable[[bytes], bool]
    """Whether a file that begins with these bytes (unpacked, at most 4 KiB) is of this format."""
    read: Callable[[bytes, str, str | None], tuple[pl.DataFrame, list[Problem]]]
    """From the unpacked bytes, the name for reports and the encoding that the user named, if he did, to the typed games
    table (`handan.ledger.columns.SCHEMA`) and the problems in order; InputError if the file cannot be used at all."""
    endings: tuple[str, ...] = ()
    """Endings of file names that mean this format on writing."""
    write: Callable[[Ledger, str, bool], bytes] | None = None
    """From the ledger, the ending of the file name and whether cells must be safe in spreadsheets to the bytes."""
