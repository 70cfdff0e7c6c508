"""The bytes of files, folders and archives: unpacked within limits, and written so that no half file is ever seen."""

from __future__ import annotations

import glob
import gzip
import io
import lzma
import os
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import IO, Any

from handan.errors import MOST_COMPARED, Clause, InputError, closest, refuse_other
from handan.files.io.addresses import address_of, files_at, is_address, refuse_address
from handan.files.io.databases import shown_address
from handan.files.io.decoding import WIDE_HEAD, is_utf16
from handan.files.io.header import NO_TEXT
from handan.files.io.limits import Limits
from handan.files.io.office_documents import OLE, PRINTED, WORKBOOKS, document
from handan.ledger.manifest import is_ledger

GZIP, ZIP = b"\x1f\x8b", (b"PK\x03\x04", b"PK\x05\x06")
SMALL = 64 << 20  # bytes; what unpacks to less is never refused for its ratio
ALL_MAY = 0o777  # the bits of a mode that say who may do what
PIECE = 1 << 20
HEAD = 1 << 16  # bytes by which a stream that is no text is known; our choice
BINARY = (GZIP, *ZIP, OLE, b"PAR1")
NESTED = (b"(", b"<", b"{", b"[")  # game records, XML and JSON, of which a game has many lines
DAMAGED_ZIP = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, OSError, RuntimeError,
               NotImplementedError, ValueError)  # fmt: skip
"""What the standard library raises for an archive that is damaged, locked or packed in a way it does not know."""
READ_IN_PIECES = (".csv", ".tsv", ".csv.gz", ".tsv.gz", ".parquet", ".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")
"""Endings of files whose rows can be read in pieces."""
OURS = ("__MACOSX",)  # folders that archivers add for themselves

FOREIGN = frozenset((
    ".md", ".rst", ".htm", ".html", ".css", ".js", ".py", ".sh", ".toml", ".yaml", ".yml", ".ini", ".cfg", ".log",
    ".pdf", ".doc", ".docx", ".odt", ".rtf", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".mp3", ".mp4",
    ".exe", ".dll", ".db", ".sqlite", ".sqlite3",
))  # fmt: skip
"""Endings of files in a folder or archive that are counted, not listed one by one, if they hold no games."""
FOREIGN_NAMES = frozenset((
    "license", "licence", "copying", "readme", "liesmich", "lisezmoi", "leeme", "leggimi", "makefile", "changelog",
    "notice", "authors",
))  # fmt: skip

UNREADABLE = "{source} cannot be read: {why}"
DAMAGED = {
    "zip": "{source} is a damaged zip archive: {why}",
    "gzip": "{source} is a damaged gzip file: {why}",
    "member": "{source} cannot be unpacked: {why}",
}
PACKED = {
    b"\xfd7zXZ\x00": "xz", b"BZh91AY&SY": "bzip2", b"\x28\xb5\x2f\xfd": "zstd", b"7z\xbc\xaf\x27\x1c": "7-Zip",
    b"Rar!\x1a\x07": "RAR",
}  # fmt: skip
"""First bytes of what other programs pack."""
TAR = slice(257, 262)
"""Where archives of tar say what they are."""

Load = Callable[[], bytes]


def named(path: str | os.PathLike[str]) -> str:
    """Return the path as the user named it, fit for one line of a message; an address without keys that stand in it.

    FieldError for what is no path.
    """
    refuse_other("path", path, (str, os.PathLike), "the name of a file as text, or a Path")
    if is_address(path):
        return shown_address(address_of(path))
    name = os.fsencode(path).decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in name)


def sources(path: str | os.PathLike[str], limits: Limits) -> Iterator[tuple[str, Load, bool]]:
    """Yield the files that a path or an address stands for: itself, those of a folder, those of a zip archive.

    Returns:
        Name for the reports, a function that returns the unpacked bytes (InputError if it cannot), and whether the
        user named this very file. Hidden files are passed over; the others come in the order of their names.

    Raises:
        InputError: The folder or the archive cannot be read, or breaks a limit, or an address cannot be read.
    """
    several = [] if is_address(path) else matching(path)
    if is_address(path):
        for name, opened, alone in files_at(address_of(path), limits):
            yield from _elsewhere(name, opened, limits, alone=alone)
    elif several:
        for each in several:
            yield from () if is_ledger(each) else sources(each, limits)
    elif Path(path).is_dir():
        for number, file in enumerate(files_in(Path(path)), 1):
            limits.check("members", number, named(path))
            yield from _packed(named(file), file, limits, alone=False)
    else:
        yield from _packed(named(path), path, limits, alone=True)


def in_order_of_numbers(name: str) -> list[str | int]:
    """Return a key by which `round2.csv` stands before `round10.csv`."""
    return [int(part) if place % 2 else part for place, part in enumerate(re.split(r"([0-9]{1,18})", name))]


def matching(path: str | os.PathLike[str]) -> list[str]:
    """Return the paths that a pattern such as `games/*.csv` stands for, which not every shell puts in its place."""
    pattern = os.fspath(path)
    if not glob.has_magic(pattern) or os.path.lexists(pattern):
        return []
    paths = glob.glob(pattern, recursive=True)  # noqa: PTH207  # Path.glob takes no absolute pattern
    return sorted((path for path in paths if _wanted(Path(path).name)), key=in_order_of_numbers)


def refuse_absent(path: str | os.PathLike[str]) -> None:
    """Raise InputError if a path stands for nothing that is there; addresses and `-` are not asked."""
    if os.fspath(path) != "-" and not is_address(path) and not os.path.lexists(path) and not matching(path):
        raise _absent(path)


def _absent(path: str | os.PathLike[str]) -> InputError:
    if Path(path).is_symlink():
        return InputError(f"{named(path)} is a link to a file that is not there")
    return InputError(f"{named(path)}: there is no such file{_names_like(Path(path))}")


def foreign(name: str) -> bool:
    """Return whether the name of a file in a folder or archive is of a kind that holds no games."""
    path = PurePosixPath(name.rpartition("!")[2].replace("\\", "/"))
    plain = path.stem if path.suffix.lower() in ("", ".txt") else path.name
    return path.suffix.lower() in FOREIGN or plain.lower() in FOREIGN_NAMES


def ledgers_in(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield the ledgers on disk that lie in a folder and its folders, or for which a pattern stands, by name."""
    yield from (Path(each) for each in matching(path) if is_ledger(each))
    for _, ledgers in _walked(path):
        yield from ledgers


def come_in_pieces(paths: Sequence[str | os.PathLike[str]]) -> bool:
    """Return whether files are of forms that can be read in pieces."""
    return all(path.is_file() and path.name.lower().endswith(READ_IN_PIECES) for path in map(Path, paths))


def files_in(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder and its folders by name; links to other places are not followed.

    A folder that is a ledger on disk is passed over (`ledgers_in`). Pipes, sockets and devices are no files: a named
    pipe would wait for a writer for ever.
    """
    for files, _ in _walked(folder):
        yield from (path for path in files if path.is_file() or not path.exists())


def _walked(folder: str | os.PathLike[str]) -> Iterator[tuple[list[Path], list[Path]]]:
    """Go through a folder and its folders by name; yield what each has beside folders, and its ledgers on disk."""
    for root, folders, files in os.walk(folder):
        inside, others = (
            [Path(root) / name for name in sorted(names, key=in_order_of_numbers) if _wanted(name)]
            for names in (folders, files)
        )
        ledgers = [path for path in inside if is_ledger(path)]
        folders[:] = [path.name for path in inside if path not in ledgers]
        yield others, ledgers


def _wanted(name: str) -> bool:
    return not name.startswith(".") and name not in OURS


def _packed(
    name: str, path: str | os.PathLike[str], limits: Limits, *, alone: bool
) -> Iterator[tuple[str, Load, bool]]:
    """Yield a file, or the members of the archive that it is."""
    if _is_archive(path):
        yield from _members(name, path, limits)
    else:
        yield name, lambda: load(path, limits), alone


def _elsewhere(
    name: str, opened: Callable[[], Any], limits: Limits, *, alone: bool
) -> Iterator[tuple[str, Load, bool]]:
    """Yield a file that is not of this machine, or the members of the archive that it is; it is read to see which."""
    from http.client import HTTPException

    try:
        with opened() as stream:
            data = read_stream(stream, name, limits)
    except (InputError, OSError, ValueError, HTTPException) as error:
        why = Clause.of(UNREADABLE, source=name, why=reason(error))
        fault = error if isinstance(error, InputError) else InputError(why)
        if alone:
            raise fault from None
        yield name, _failing(fault), False
        return
    for each, load_one, _ in inside(name, data, limits):
        yield each, load_one, alone and each == name


def _failing(fault: InputError) -> Load:
    """Return what raises a fault when a file is asked for."""

    def fail() -> bytes:
        raise fault

    return fail


def inside(name: str, data: bytes, limits: Limits) -> Iterator[tuple[str, Load, bool]]:
    """Go through what bytes are: a file, or the members of an archive; as `sources` does."""
    limits.check("unpacked", len(data), name)
    if data.startswith(ZIP) and not document(io.BytesIO(data)):
        yield from _members(name, io.BytesIO(data), limits)
    else:
        yield name, lambda: _plain(data, name, limits), True


def _is_archive(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a zip archive, and not the file of an office program."""
    try:
        if not Path(path).is_file():  # what is read of a pipe to look at it would be lost
            return False
        with Path(path).open("rb") as stream:
            is_zip = stream.read(4) in ZIP
            stream.seek(0)
            return is_zip and not document(stream)
    except (OSError, ValueError):
        return False


def _members(name: str, path: str | os.PathLike[str] | io.BytesIO, limits: Limits) -> Iterator[tuple[str, Load, bool]]:
    """Go through the files of a zip archive; nothing is unpacked to disk."""
    try:
        with zipfile.ZipFile(path) as archive:
            infos = [info for info in archive.infolist() if not info.filename.endswith("/")]
            check_members(
                infos, name, len(path.getvalue()) if isinstance(path, io.BytesIO) else Path(path).stat().st_size, limits
            )
            for info in sorted(infos, key=lambda info: in_order_of_numbers(info.filename)):
                if all(_wanted(part) for part in PurePosixPath(info.filename).parts):
                    yield f"{name}!{named(info.filename)}", _member(archive, info, name, limits), False
    except DAMAGED_ZIP as error:
        raise InputError(Clause.of(DAMAGED["zip"], source=name, why=reason(error))) from error


def check_members(infos: list[zipfile.ZipInfo], name: str, packed: int, limits: Limits) -> None:
    """Refuse an archive with too many or too large files, or with members that point out of it."""
    limits.check("members", len(infos), name)
    check_size(sum(info.file_size for info in infos), packed, name, limits)
    for info in infos:
        parts = PurePosixPath(info.filename.replace("\\", "/"))
        kind = stat.S_IFMT(info.external_attr >> 16)
        if parts.is_absolute() or ".." in parts.parts or kind not in (0, stat.S_IFREG):
            pattern = "{source} is not a plain file inside the archive; nothing was read"
            raise InputError(Clause.of(pattern, source=f"{name}!{named(info.filename)}"))


def check_size(size: int, packed: int, name: str, limits: Limits) -> None:
    """Refuse what unpacks to more than the limits allow, alone or for its packed size."""
    limits.check("unpacked", size, name)
    if size > SMALL and size > limits.ratio * packed:
        raise limits.exceeded("ratio", name)


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, limits: Limits) -> Load:
    inner = f"{name}!{named(info.filename)}"

    def unpack() -> bytes:
        try:
            with archive.open(info) as stream:
                data = _all_of(stream, max(info.compress_size, 1), inner, limits)
        except DAMAGED_ZIP as error:
            raise InputError(Clause.of(DAMAGED["member"], source=inner, why=reason(error))) from error
        return _plain(data, inner, limits)

    return unpack


def load(path: str | os.PathLike[str], limits: Limits) -> bytes:
    """Return the content of a file, unpacked if it is packed with gzip; InputError if that cannot be done."""
    name = named(path)
    if is_address(path):
        files = list(sources(path, limits))
        if len(files) != 1:
            raise InputError(f"{name} is a folder or an archive; give a file")
        return files[0][1]()
    try:
        with Path(path).open("rb") as stream:
            status = os.fstat(stream.fileno())
            whole = stat.S_ISREG(status.st_mode) and status.st_size <= limits.unpacked
            data = stream.read() if whole else read_stream(stream, name, limits)  # a pipe does not tell its size
    except FileNotFoundError:
        raise _absent(path) from None
    except IsADirectoryError:
        raise InputError(f"{name} is a folder; give a file") from None
    except (OSError, ValueError) as error:
        raise InputError(Clause.of(UNREADABLE, source=name, why=reason(error))) from error
    return _plain(data, name, limits)


def _names_like(path: Path) -> str:
    """Return a hint with the names beside a path that are most like its own; empty if none is."""
    try:
        with os.scandir(path.parent) as entries:
            names = [entry.name for entry in islice(entries, MOST_COMPARED)]
    except OSError:
        return ""
    return closest(path.name, names)


def read_stream(stream: Any, name: str, limits: Limits) -> bytes:
    """Return what a stream gives until its end; InputError as soon as it is seen that no file of games is so.

    It may have no end, as a device or a pipe into which a program writes for ever.
    """
    pieces: list[bytes] = []
    size = lines = 0
    while given := stream.read(PIECE if pieces else HEAD):
        piece = given.encode("utf-8", "surrogatepass") if isinstance(given, str) else bytes(given)
        pieces.append(piece)
        size, lines = size + len(piece), lines + piece.count(b"\n")
        limits.check("unpacked", size, name)
        if pieces[0].startswith(BINARY):
            continue
        if len(pieces) == 1 and _is_no_text(piece):
            raise InputError(Clause.of(NO_TEXT, source=name))
        if size > limits.line and not lines:
            raise limits.exceeded("line", name)
        if lines > limits.games + limits.problems and not pieces[0].lstrip().startswith(NESTED):
            raise limits.exceeded("games", name)
    return b"".join(pieces)


def _is_no_text(head: bytes) -> bool:
    """Return whether the first bytes hold more NUL bytes than letters of two bytes bring about."""
    return 4 * head.count(0) > 3 * len(head) or (b"\0" in head[:WIDE_HEAD] and not is_utf16(head))


def _plain(data: bytes, name: str, limits: Limits) -> bytes:
    """Return bytes that may be packed with gzip as they are when unpacked."""
    if data.startswith(GZIP):
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
                data = _all_of(stream, len(data), name, limits)
        except (EOFError, OSError, zlib.error) as error:
            raise InputError(Clause.of(DAMAGED["gzip"], source=name, why=reason(error))) from error
    tar = "tar" if data[TAR] == b"ustar" else ""
    if packer := next((packer for magic, packer in PACKED.items() if data.startswith(magic)), tar):
        pattern = "{source} is packed with {packer}: unpack it and give what was in it"
        raise InputError(Clause.of(pattern, source=name, packer=packer))
    if data.startswith(ZIP) and not document(io.BytesIO(data)):
        raise InputError(Clause.of("{source} is an archive: unpack it and give what was in it", source=name))
    if data.startswith((*ZIP, OLE)) and (kind := document(io.BytesIO(data))) and kind not in WORKBOOKS:
        pattern = "{source} is {kind}: save it as CSV UTF-8 and give that file"
        raise InputError(Clause.of(pattern, source=name, kind=Clause.of(kind)))
    if kind := next((kind for magic, kind in PRINTED.items() if data.startswith(magic)), ""):
        pattern = "{source} is {kind}, which holds no table: give the file that it was made of"
        raise InputError(Clause.of(pattern, source=name, kind=Clause.of(kind)))
    if not data:
        raise InputError(Clause.of("{source} is empty; a file of games was expected", source=name))
    return data


def _all_of(stream: IO[bytes] | gzip.GzipFile, packed: int, name: str, limits: Limits) -> bytes:
    """Unpack piece by piece, so that a small file cannot fill the memory, whatever it says of its own size."""
    pieces: list[bytes] = []
    size = 0
    while piece := stream.read(PIECE):
        pieces.append(piece)
        size += len(piece)
        check_size(size, packed, name, limits)
    return b"".join(pieces)


def save(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file under another name, then rename it: readers see the old content or the new, never half of it.

    Who may read a file that was there may read it afterwards, and nobody else.
    """
    target = Path(path)
    refuse_address(path)
    try:
        if target.is_dir():
            raise InputError(f"{named(path)} is a folder; give the name of a file")
        if target.exists() and not target.is_file():  # a device or a pipe, which nothing may take the place of
            target.write_bytes(data)
            return
        target = target.resolve()
        draft = target.with_name(f".{target.name[:100]}.{os.getpid()}.part")
        try:
            with draft.open("xb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            if target.exists():
                draft.chmod(target.stat().st_mode & ALL_MAY)
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        raise InputError(f"{named(path)} cannot be written: {reason(error)}") from error


def reason(error: Exception) -> str:
    """Return why something failed, on one line."""
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return " ".join(text.split())
