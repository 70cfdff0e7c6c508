"""A folder of columns on disk that one head file makes whole: what the head does not name is not there.

Columns are raw numbers, the lowest byte first, which grow by bytes put behind them. The head is replaced last and at
once, so that a reader sees the folder before a change or after it, also if the writer is killed. It says how long
every file is, and its SHA-256, piece by piece as the file grew.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from stat import S_ISREG
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from handan.errors import InputError, shown
from handan.ledger.column_files import OURS, Column, checksum_of, digest_of
from handan.ledger.locking import lock_calls

HEAD = "head.json"
DRAFT = "head.json.part"
LOCK = "handan.lock"
"""It stays in a folder, as the sign that Handan made it."""
LARGEST_HEAD = 1 << 24  # bytes; our choice: no folder has so many columns and pieces


class BeingWrittenError(InputError):
    """Another process is writing a folder."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is being written by another process; try again when it has ended")


class DamagedHeadError(InputError):
    """What stands in a head is none."""


@dataclass(frozen=True, slots=True)
class Folder:
    """What a head file says of its folder."""

    path: Path
    kind: str
    """What is kept in it, such as `handan ledger`."""
    version: int
    """Of the layout of its columns."""
    facts: Mapping[str, Any]
    """What the head says beside its columns."""
    columns: Mapping[str, Column]
    generation: int = 1
    """How many heads the folder has had; part of the names of the files that each brought."""

    @classmethod
    def open(cls, path: Path, kind: str, version: int) -> Folder:
        """Read the head of a folder.

        Raises:
            InputError: There is none, it is of another kind or version, or a file is missing or shorter than it says.
        """
        folder = _head_of(path, kind)
        if folder.version != version:
            raise InputError(f"{path} has layout {folder.version} of {kind}; this version of Handan reads {version}")
        for column in folder.columns.values():
            file = path / column.file
            if _size_of(file) < column.size:
                raise InputError(f"{file} is damaged: {column.size:,} bytes were written, fewer are there")
        return folder

    @classmethod
    def if_there(cls, path: Path, kind: str, version: int) -> Folder | None:
        """Return what `open` does; None where it refuses."""
        try:
            return cls.open(path, kind, version)
        except InputError:
            return None

    def array(self, name: str, *, own: bool = False) -> NDArray[Any]:
        """Return a column as an array that is mapped from its file, shape (rows,).

        It cannot be written to; what is written to an `own` one only this process sees, and the file stays as it is.
        """
        column = self.columns[name]
        dtype = np.dtype(column.dtype)
        if not column.size:
            return np.empty(0, dtype=dtype)
        rows = column.size // dtype.itemsize
        mapped = np.memmap(self.path / column.file, dtype=dtype, mode="c" if own else "r", shape=(rows,))
        return mapped.view(np.ndarray)

    def checked_array(self, name: str) -> NDArray[Any]:
        """Return what `array` does; InputError if it is not as the head says."""
        return self.checked(name, self.array(name))

    def checked(self, name: str, array: NDArray[Any]) -> NDArray[Any]:
        """Return an array that `array` gave; InputError if it is not as the head says."""
        column = self.columns[name]
        if not column.is_of(array.data):
            raise InputError(f"{self.path / column.file} is damaged: it is not as it was written")
        return array

    def value(self, name: str) -> Any:
        """Return what a file of JSON holds."""
        return json.loads(self.content(name))

    def content(self, name: str) -> bytes:
        """Return the bytes of a file that was written at once; InputError if its digest is another."""
        return _content(self.path, self.columns, name)

    def damaged(self) -> Iterator[str]:
        """Read all files and yield what is damaged, one line each."""
        for name, column in self.columns.items():
            file = self.path / column.file
            start = 0
            with file.open("rb") as stream:
                for end, digest in column.pieces:
                    if digest_of(stream, end - start) != digest:
                        yield f"{file} is damaged: {name}, bytes {start:,} to {end:,} have another digest"
                    start = end


def _size_of(file: Path) -> int:
    """Return the bytes of a plain file; -1 where there is none, or none any more since another head counts."""
    try:
        status = file.stat()
    except OSError:
        return -1
    return status.st_size if S_ISREG(status.st_mode) else -1


def _content(path: Path, columns: Mapping[str, Column], name: str) -> bytes:
    """Return the bytes of a column, whose digest must be the one that the head names."""
    if name not in columns:
        raise InputError(f"{path / HEAD} is damaged: it names {shown(name)}, which is not there")
    file, column = path / columns[name].file, columns[name]
    with file.open("rb") as stream:
        data = stream.read(column.size)
    if not column.is_of(data):
        raise InputError(f"{file} is damaged: its digest is another")
    return data


def is_kind(path: Path, kind: str) -> bool:
    """Return whether a folder has a head of a kind."""
    try:
        return path.is_dir() and (path / HEAD).is_file() and _head_of(path, kind).kind == kind
    except InputError:
        return False


def begun(path: Path) -> bool:
    """Return whether somebody began to write a folder and did not end."""
    return (path / LOCK).is_file() and not (path / HEAD).exists()


def has_damaged_head(path: Path, kind: str) -> bool:
    """Return whether the head of a folder that Handan made cannot be read."""
    try:
        _head_of(path, kind)
    except InputError as error:
        return isinstance(error, DamagedHeadError) and (path / LOCK).is_file()
    return False


def _generation(path: Path, kind: str, there: list[str]) -> int:
    """Return how many heads a folder has had at most; InputError if it is of another kind."""
    try:
        return _head_of(path, kind).generation if HEAD in there else 0
    except DamagedHeadError:
        return max((int(name.split(".")[1]) for name in there if OURS.fullmatch(name)), default=0)


def _head_of(path: Path, kind: str) -> Folder:
    """Read a head as it stands; InputError if it is none of this kind."""
    try:
        with (path / HEAD).open("rb") as stream:
            head = json.loads(stream.read(LARGEST_HEAD))
        columns = {name: Column.of(item) for name, item in head.pop("columns").items()}
        folder = Folder(path, head.pop("kind"), head.pop("version"), head, columns, int(head.pop("generation")))
    except FileNotFoundError:
        raise InputError(f"{path} is not whole: it has no {HEAD}; what was to write it did not end") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise DamagedHeadError(f"{path / HEAD} is damaged") from None
    if folder.kind != kind:
        raise InputError(f"{path} holds {shown(str(folder.kind))}, not {kind}")
    return folder


@dataclass(slots=True)
class Writing:
    """A folder that is being written."""

    path: Path
    kind: str
    version: int
    generation: int
    columns: dict[str, Column] = field(default_factory=dict)
    with_checksums: bool = False
    """Whether the checksum of columns that are written at once is noted."""

    def fresh(self, name: str, dtype: Any, ending: str = "bin") -> tuple[str, Path]:
        """Begin a column anew; return the type of its numbers as it is written, and its file."""
        file = f"{name}.{self.generation}.{ending}"
        self.columns[name] = Column(file, "" if dtype is None else np.dtype(dtype).newbyteorder("<").str, ())
        return self.columns[name].dtype, self.path / file

    def put(self, name: str, array: NDArray[Any]) -> None:
        """Write a column anew."""
        dtype, file = self.fresh(name, array.dtype)
        file.write_bytes(b"")
        data = np.ascontiguousarray(array, dtype=dtype).data.cast("B")
        self._put(name, data)

    def put_value(self, name: str, value: Any) -> None:
        """Write what JSON can hold anew."""
        _, file = self.fresh(name, None, "json")
        file.write_bytes(b"")
        self._put(name, memoryview(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()))

    def put_bytes(self, name: str, data: bytes) -> None:
        """Write bytes anew."""
        self.put(name, np.frombuffer(data, dtype=np.uint8))

    def content(self, name: str) -> bytes:
        """Return the bytes of a file, as `Folder.content`."""
        return _content(self.path, self.columns, name)

    def extend(self, name: str, array: NDArray[Any]) -> None:
        """Put rows behind those of a column."""
        column = self.columns[name]
        self.columns[name] = self._grown(column, np.ascontiguousarray(array, dtype=column.dtype).data.cast("B"))

    def sealed(self, name: str) -> None:
        """Take a column that was written into its file by other means."""
        column = self.columns[name]
        file = self.path / column.file
        with file.open("rb") as stream:
            size = file.stat().st_size
            self.columns[name] = Column(column.file, column.dtype, ((size, digest_of(stream, size)),))
            os.fsync(stream.fileno())

    def _put(self, name: str, data: memoryview) -> None:
        """Write the bytes of a new column at once."""
        written = self._grown(self.columns[name], data)
        self.columns[name] = replace(written, checksum=checksum_of(data)) if self.with_checksums else written

    def _grown(self, column: Column, data: memoryview) -> Column:
        with (self.path / column.file).open("r+b") as stream:
            stream.truncate(column.size)  # what a writer left who was killed
            stream.seek(column.size)
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        piece = (column.size + data.nbytes, hashlib.sha256(data).hexdigest())
        return Column(column.file, column.dtype, (*column.pieces, piece))

    def commit(self, **facts: Any) -> None:
        """Make what was written the content of the folder, at once, and remove what no longer counts."""
        columns = {
            name: {"file": column.file, "dtype": column.dtype, "pieces": column.pieces}
            | ({} if column.checksum is None else {"checksum": column.checksum})
            for name, column in self.columns.items()
        }
        head = {"kind": self.kind, "version": self.version, "generation": self.generation, **facts, "columns": columns}
        with (self.path / DRAFT).open("wb") as stream:
            stream.write(json.dumps(head, ensure_ascii=False, indent=1).encode())
            stream.flush()
            os.fsync(stream.fileno())
        (self.path / DRAFT).replace(self.path / HEAD)
        with suppress(OSError):  # a folder is no file everywhere
            descriptor = os.open(self.path, os.O_RDONLY)
            os.fsync(descriptor)
            os.close(descriptor)
        counted = {HEAD, LOCK, *(column.file for column in self.columns.values())}
        for file in self.path.iterdir():
            if file.name not in counted and OURS.fullmatch(file.name):
                with suppress(OSError):  # a reader on Windows has it open
                    file.unlink()


@contextmanager
def writing(
    path: Path, kind: str, version: int, *, grow: bool = False, with_checksums: bool = False
) -> Iterator[Writing]:
    """Write a folder, which nobody else can do meanwhile.

    Args:
        path: It is made if it is not there. One that is there holds nothing, or what `kind` says, which counts until
            `commit`, or what is left of it. One that was not there is gone again where nothing was committed.
        kind, version, with_checksums: As in `Folder` and `Writing`.
        grow: Whether the columns go on from those that are there.

    Raises:
        InputError: The folder is not ours, somebody else is writing to it, or it cannot be written.
    """
    absent = [] if grow else [folder for folder in (path, *path.parents) if not folder.exists()]
    try:
        if not grow:
            path.mkdir(parents=True, exist_ok=True)
        there = sorted(file.name for file in path.iterdir())
        if there and LOCK not in there:
            raise InputError(
                f"{path} holds other files, such as {shown(there[0])}; give a folder that is not there yet"
            )
        with (path / LOCK).open("ab") as stream, _locked(stream, path):
            old = Folder.open(path, kind, version) if grow else None
            generation = old.generation if old else _generation(path, kind, there)
            try:
                yield Writing(path, kind, version, generation + 1, dict(old.columns) if old else {}, with_checksums)
            finally:
                if absent and not (path / HEAD).exists():
                    _remove_begun(path)
    except OSError as error:
        raise InputError(f"{error.filename or path} cannot be written: {error.strerror or error}") from error
    finally:
        with suppress(OSError):  # it is not empty
            for folder in absent:
                folder.rmdir()


def _remove_begun(path: Path) -> None:
    """Remove the files of a folder that never had a head; its lock is ours, so nobody else writes there."""
    with suppress(OSError):  # Windows keeps the lock, which is open
        for file in path.iterdir():
            if file.name in (LOCK, DRAFT) or OURS.fullmatch(file.name):
                file.unlink()


@contextmanager
def _locked(stream: IO[bytes], path: Path) -> Iterator[None]:
    """Hold the lock of a folder, which ends with the process at the latest; InputError if somebody else has it."""
    take, release = lock_calls(stream.fileno())
    try:
        take()
    except OSError:
        raise BeingWrittenError(path) from None
    try:
        yield
    finally:
        release()
