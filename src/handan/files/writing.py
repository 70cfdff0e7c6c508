"""A ledger made into a file."""

from __future__ import annotations

import gzip
import os

from handan.errors import InputError, counted
from handan.files.formats import formats
from handan.files.games.omissions import event_omissions
from handan.files.io.storage import named, save
from handan.ledger import Ledger
from handan.ledger.dataset import save_ledger

ON_DISK = ".ledger"
WITH_RATINGS = (".xml",)
"""Endings of formats that hold the ratings that files declare of players."""
WITH_ADJUSTMENTS = (".csv", ".tsv", ".jsonl", ".ndjson", ".parquet")
"""Endings of formats whose rows may be ranks and ratings set by hand."""
WITH_EVENTS = (".h9", ".tou", ".xml", ".aga")
"""Endings of formats that hold what files tell of events besides games, and say themselves what they do not hold."""


def write(ledger: Ledger, path: str | os.PathLike[str], *, excel_safe: bool = False) -> list[str]:
    """Write the games to a file, from which `read` makes the same games; return what the format cannot hold.

    Tables hold everything and may be shuffled. Other formats hold less; each omission is one line of the answer.

    Args:
        ledger: Its games are written, and in tables its adjustments as rows between them.
        path: The ending says the format, such as .csv, .tsv, .parquet; with .gz after it the file is packed. What ends
            in .ledger becomes a folder (`handan.ledger.dataset.save_ledger`), which holds adjustments too.
        excel_safe: Whether text that a spreadsheet would take for a formula gets an apostrophe in front.

    Raises:
        InputError: The ending is unknown, or the file cannot be written.
    """
    name = named(path)
    if name.lower().endswith(ON_DISK):
        save_ledger(ledger, path)
        return []
    plain = name.lower().removesuffix(".gz")
    data, omissions = encoded(ledger, plain, excel_safe=excel_safe)
    save(path, data if plain == name.lower() else gzip.compress(data, mtime=0))
    return omissions


def encoded(ledger: Ledger, name: str, *, excel_safe: bool = False) -> tuple[bytes, list[str]]:
    """Return the bytes of a file of that name, and what its format cannot hold; InputError for an unform ending."""
    for form in formats():
        for ending in form.endings:
            if form.write and name.endswith(ending):
                data, omissions = form.write(ledger, ending, excel_safe)
                declared = sum(player.rating is not None for player in ledger.players)
                if declared and ending not in WITH_RATINGS:
                    omissions = [*omissions, f"declared ratings ({counted(declared, 'player')})"]
                if ledger.adjustments and ending not in WITH_ADJUSTMENTS:
                    omissions = [*omissions, f"ranks and ratings set by hand ({len(ledger.adjustments)})"]
                if ending not in WITH_EVENTS:
                    omissions = [*omissions, *event_omissions(ledger.events, games=ledger if ledger.events else ())]
                return data, omissions
    endings = ", ".join(ending for form in formats() for ending in form.endings)
    raise InputError(f"{name} does not end in a format that is written; give {endings}, or one of them with .gz")
