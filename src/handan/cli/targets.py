"""Files that a command writes."""

from collections.abc import Sequence
from pathlib import Path

from handan.errors import InputError


def refuse_own_input(sources: Sequence[Path], target: Path) -> None:
    """Refuse to write to a file that is read: InputError if OUT is one of the files or lies in one of the folders."""
    from handan.files.io.storage import matching

    place = target.resolve()
    for source in [Path(path) for given in sources for path in matching(given) or [str(given)]]:
        if target.exists() and (source.resolve() == place or (source.is_dir() and source.resolve() in place.parents)):
            raise InputError(f"{target} is among the files to read; give the file to write another name")


def refuse_existing(target: Path, *, force: bool) -> None:
    """Refuse to write over a file; InputError unless `force`."""
    if target.exists() and not force:
        raise InputError(f"{target} is there already; --force writes over it")
