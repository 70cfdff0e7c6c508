"""A folder that is whole or as it was: parts are written once, and a head that names them with digests takes its place.

Whoever is stopped between two writes leaves the head that was there, and parts that nobody names, which the next
writer removes.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from handan.errors import InputError
from handan.files.io.folder_head import HEAD_OF_FOLDER as HEAD
from handan.files.io.folder_head import KIND
from handan.files.io.storage import named, reason, save

LOCK = ".lock"
VERSION = 1
"""Of the layout of the folder; raised when an older reader could not read it."""
MOST_HEAD = 16 << 20  # bytes; our choice: a head is some kilobytes


def read_head(folder: Path) -> dict[str, Any]:
    """Return the head; InputError if there is none, it is damaged, or of a later version of the layout."""
    try:
        with (folder / HEAD).open("rb") as stream:
            return parsed_head(stream.read(MOST_HEAD), named(folder))
    except OSError as error:
        raise InputError(f"{named(folder)} holds no saved ratings: {reason(error)}") from error


def parsed_head(data: bytes, name: str) -> dict[str, Any]:
    """Return a head from its bytes; InputError as `read_head`."""
    try:
        head = json.loads(data)
        version, digest = int(head["version"]), head.pop("sha256")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError(f"{name}: {HEAD} is damaged; make it anew from a copy, or rate the games again") from None
    if version > VERSION:
        raise InputError(f"{name} was saved by a later version of Handan (layout {version}); this one reads {VERSION}")
    if digest != _digest_of(head):
        raise InputError(f"{name}: {HEAD} is damaged or was edited; take a copy, or rate the games again")
    return dict(head)


def read_part(folder: Path, part: list[str]) -> bytes:
    """Return the bytes of a part, given with its digest as the head names it; InputError if it is gone or damaged."""
    name, digest = part
    try:
        if Path(name).name != name:
            raise OSError(f"{name} lies elsewhere")
        data = (folder / name).read_bytes()
    except OSError as error:
        raise InputError(f"{named(folder)}: {name} cannot be read: {reason(error)}") from error
    if hashlib.sha256(data).hexdigest() != digest:
        raise InputError(f"{named(folder)}: {name} is damaged (its digest differs); take a copy of the folder")
    return data


def write_part(folder: Path, stem: str, data: bytes) -> list[str]:
    """Write a part under a name that nobody has; return name and digest, as the head names it."""
    name = f"{stem}-{secrets.token_hex(6)}.part"
    save(folder / name, data)
    return [name, hashlib.sha256(data).hexdigest()]


def write_head(folder: Path, head: dict[str, Any]) -> None:
    """Let the folder be what a head says, and remove the parts that it does not name."""
    whole = {"kind": KIND, "version": VERSION, **head}
    text = json.dumps({**whole, "sha256": _digest_of(whole)}, ensure_ascii=False, indent=1)
    data = text.replace('{\n "kind"', '{"kind"', 1).replace(',\n "version"', ', "version"', 1).encode()
    save(folder / HEAD, data)
    kept = set(parts_of(head))
    for path in folder.glob("*.part"):
        if path.name not in kept:
            path.unlink(missing_ok=True)


def parts_of(head: Any) -> Iterator[str]:
    """Yield the names of all parts that a head names."""
    if isinstance(head, dict):
        for value in head.values():
            yield from parts_of(value)
    elif isinstance(head, list):
        if len(head) == 2 and all(isinstance(each, str) for each in head) and head[0].endswith(".part"):
            yield head[0]
        else:
            for value in head:
                yield from parts_of(value)


def _digest_of(head: dict[str, Any]) -> str:
    text = json.dumps({name: head[name] for name in sorted(head)}, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Keep other writers out of a folder; InputError if one is there. The system frees the lock of who is killed."""
    try:
        stream = (folder / LOCK).open("ab")
    except OSError as error:
        raise InputError(f"{named(folder)} cannot be written: {reason(error)}") from error
    with stream:
        if not _locked(stream):
            raise InputError(f"{named(folder)} is being written by another command; try again when it has ended")
        yield


def _locked(stream: BinaryIO) -> bool:
    """Return whether a file could be locked for this process."""
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        else:
            import fcntl

            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
