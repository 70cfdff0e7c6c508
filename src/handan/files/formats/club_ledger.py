"""The ledger of a club as the server exports it: an entry a line, with digests, of which the games are made."""

from __future__ import annotations

import json
from importlib import import_module

from handan.files.games.contents import Contents
from handan.files.games.format import Format
from handan.files.io.options import Options

READER = "handan.club.exchange"
"""Knows what entries mean; the room of clubs stands above that of files, so it is asked for by name."""


def sniff(head: bytes) -> bool:
    """Return whether the first line of a file is that of an exported ledger."""
    first = head.lstrip().partition(b"\n")[0]
    if not first.startswith(b"{") or b'"handan"' not in first:
        return False
    try:
        header = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return isinstance(header, dict) and header.get("handan") == "ledger"


def read(data: bytes, source: str, options: Options) -> Contents:  # noqa: ARG001  # the file says all of itself
    """Read the games that count for the club, its people, and the ranks and ratings that were set by hand.

    Raises:
        InputError: The file was cut off or changed, or its entries are no ledger.
    """
    contents: Contents = import_module(READER).contents(data, source)
    return contents


CLUB_LEDGER = Format("club ledger", sniff, read)
