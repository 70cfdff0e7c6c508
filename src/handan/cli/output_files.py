"""Files that a command writes."""

import os
from collections.abc import Sequence
from pathlib import Path

from handan.errors import InputError


def refuse_own_input(sources: Sequence[Path], target: Path) -> None:
    """Refuse to write to a file that is read: InputError if it is one of them or lies in one of the folders."""
    from handan.files.io.storage import matching

    refuse_unwritable(target)
    place = target.resolve()
    for source in [Path(path) for given in sources for path in matching(given) or [str(given)]]:
        if target.exists() and (source.resolve() == place or (source.is_dir() and source.resolve() in place.parents)):
            raise InputError(f"{target} is among the files to read; give the file to write another name")


def refuse_existing(target: Path, *, force: bool) -> None:
    """Refuse to write over a file, unless `force`, and where no file can be; InputError."""
    refuse_unwritable(target)
    if target.exists() and not force:
        raise InputError(f"{target} is there already; --force writes over it")


def refuse_unwritable(target: Path) -> None:
    """Refuse a folder, and a file that cannot be written, before any work is done; InputError."""
    from handan.files.io.addresses import refuse_address

    refuse_address(target)
    if target.is_dir():
        raise InputError(f"{target} is a folder; give a file to write")
    if not target.parent.is_dir():
        raise InputError(f"{target} cannot be written: there is no folder {target.parent}")
    place = target if target.exists() else target.parent
    if not os.access(place, os.W_OK):
        raise InputError(f"{target} cannot be written: there is no right to write to {place}")


def write_file(target: Path, data: bytes) -> None:
    """Write a file as a whole or not at all; InputError if it cannot be written."""
    from handan.files.io.storage import save

    save(target, data)
