"""The bytes of a file: read whole and unpacked within limits, and written so that no half file is ever seen."""

from __future__ import annotations

import gzip
import io
import os
import zlib
from pathlib import Path

from handan.errors import InputError

GZIP = b"\x1f\x8b"
MOST_BYTES = 4 << 30  # unpacked
MOST_RATIO = 200  # unpacked to packed, as long as the file unpacks to more than SMALL
SMALL = 64 << 20
PIECE = 1 << 20


def named(path: str | os.PathLike[str]) -> str:
    """Return the path as the user named it, fit for one line of a message."""
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in os.fspath(path))


def load(path: str | os.PathLike[str]) -> bytes:
    """Return the content of a file, unpacked if it is packed with gzip; InputError if that cannot be done."""
    name = named(path)
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise InputError(f"{name}: there is no such file") from None
    except IsADirectoryError:
        raise InputError(f"{name} is a folder; give a file") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{name} cannot be read: {reason(error)}") from error
    if len(data) > MOST_BYTES:
        raise InputError(f"{name} is larger than {MOST_BYTES >> 30} GiB, the limit")
    if data.startswith(GZIP):
        data = _unpacked(data, name)
    if not data:
        raise InputError(f"{name} is empty; a file of games was expected")
    return data


def _unpacked(packed: bytes, name: str) -> bytes:
    """Unpack gzip piece by piece, so that a small file cannot fill the memory."""
    limit = min(MOST_BYTES, max(SMALL, MOST_RATIO * len(packed)))
    pieces: list[bytes] = []
    size = 0
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(packed)) as stream:
            while piece := stream.read(PIECE):
                pieces.append(piece)
                size += len(piece)
                if size > limit:
                    raise InputError(f"{name} unpacks to more than {limit >> 20} MiB, the limit for its size")
    except (EOFError, OSError, zlib.error) as error:
        raise InputError(f"{name} is a damaged gzip file: {reason(error)}") from error
    return b"".join(pieces)


def save(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file under another name, then rename it: readers see the old content or the new, never half of it."""
    target = Path(path)
    try:
        if target.is_dir():
            raise InputError(f"{named(path)} is a folder; give the name of a file")
        target = target.resolve()
        draft = target.with_name(f".{target.name[:100]}.{os.getpid()}.part")
        try:
            with draft.open("xb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        raise InputError(f"{named(path)} cannot be written: {reason(error)}") from error


def reason(error: Exception) -> str:
    """Return why something failed, on one line."""
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return " ".join(text.split())
