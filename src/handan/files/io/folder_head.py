"""How a folder of saved ratings is known: by the beginning of the file that says what is in it."""

from __future__ import annotations

import os
from pathlib import Path

HEAD_OF_FOLDER = "head.json"
KIND = "handan saved ratings"
BEGINNING = f'{{"kind": "{KIND}", "version": '.encode()
"""With what every head begins."""


def is_whole_folder(path: str | os.PathLike[str]) -> bool:
    """Return whether a path is a folder of this kind."""
    try:
        with (Path(path) / HEAD_OF_FOLDER).open("rb") as stream:
            return stream.read(len(BEGINNING)) == BEGINNING
    except (OSError, ValueError):
        return False
