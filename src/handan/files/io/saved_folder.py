"""How a folder of saved ratings is known, and opened."""

from __future__ import annotations

import os
from pathlib import Path

from handan.ledger.folder import HEAD, Folder

KIND = "handan saved ratings"
VERSION = 1
"""Of the layout; raised when an older reader could not read it."""
BEGINNING = f'{{\n "kind": "{KIND}"'.encode()
"""With what its head begins."""


def is_saved(path: str | os.PathLike[str]) -> bool:
    """Return whether a path is a folder of saved ratings."""
    try:
        with (Path(path) / HEAD).open("rb") as stream:
            return stream.read(len(BEGINNING)) == BEGINNING
    except (OSError, ValueError):
        return False


def opened(path: Path) -> Folder:
    """Return the folder; InputError if it is damaged, or of another layout."""
    return Folder.open(path, KIND, VERSION)
