"""A folder whose manifest names its files with their digests; a file that it does not name does not count.

A writer writes new files beside the old ones and replaces the manifest at once. So a reader sees the folder as it was
before or as it is after, also if the writer is killed.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import IO, Any

import polars as pl

from handan.errors import InputError, shown

KIND, VERSION = "handan ledger", 2
MANIFEST, DRAFT = "manifest.json", "manifest.json.part"
LOCK = "handan.lock"
"""It stays in a folder, as the sign that Handan made it."""
EARLIER = "head.json"
"""What folders of the layout before have in place of a manifest."""
BUILDING = "building"
"""Folder for what a writer needs meanwhile."""
LARGEST = 1 << 26  # bytes of a manifest; our choice: no ledger has so many files
OURS = re.compile(
    r"(games|states)/[a-z0-9-]{1,60}\.[0-9]{1,20}\.parquet|[a-z]{1,60}\.[0-9]{1,20}\.(parquet|json)"
    r"|head\.json|(checkpoints/[^/]{1,100}/)?([a-z_0-9]{1,100}\.[0-9]{1,20}\.(bin|json)|head\.json)"
)
"""Paths of the files that a writer may remove; those of the second line are of the layout before."""

NUMBER = re.compile(r"\.([0-9]{1,20})\.")
"""The generation in the name of a file."""


class BeingWrittenError(InputError):
    """Another process is writing a folder."""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file as the manifest tells of it."""

    size: int
    """Bytes."""
    sha256: str
    rows: int = 0
    first: int | None = None
    """Date of the first row of games, milliseconds since 1970-01-01; None where no row has a date."""
    last: int | None = None
    """Date of the last one."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What is in a folder."""

    path: Path
    generation: int = 0
    """How many manifests the folder has had; part of the names of the files that each brought."""
    files: Mapping[str, StoredFile] = field(default_factory=dict)
    """By path within the folder."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What the manifest says besides."""

    def content(self, name: str) -> bytes:
        """Return the bytes of a file; InputError that names it if it is gone or is not as it was written."""
        file, stored = self.path / name, self.files[name]
        try:
            with file.open("rb") as stream:
                data = stream.read(stored.size + 1)
        except OSError as error:
            raise InputError(f"{file} is damaged: {error.strerror}") from None
        if len(data) != stored.size or hashlib.sha256(data).hexdigest() != stored.sha256:
            raise InputError(f"{file} is damaged: it is not as it was written")
        return data

    def frame(self, name: str, columns: list[str] | None = None) -> pl.DataFrame:
        """Return a file of Parquet, or some of its columns."""
        return pl.read_parquet(io.BytesIO(self.content(name)), columns=columns)

    def value(self, name: str) -> Any:
        """Return what a file of JSON holds."""
        return json.loads(self.content(name))

    def file_of(self, stem: str) -> str:
        """Return the path of the one file of a name without its generation, such as `players`."""
        return next(name for name in self.files if name.startswith(f"{stem}."))

    @property
    def games(self) -> list[str]:
        """The files of games in playing order, those without a date first."""
        names = [name for name in self.files if name.startswith("games/")]
        return sorted(names, key=lambda name: (self.files[name].first is not None, self.files[name].first))

    def damaged(self) -> Iterator[str]:
        """Read all files and yield what is damaged, one line each."""
        for name in self.files:
            try:
                self.content(name)
            except InputError as error:
                yield str(error)


def is_ledger(path: str | os.PathLike[str]) -> bool:
    """Return whether a path is the folder of a ledger on disk, of any version, or what is left of one."""
    return (Path(path) / LOCK).is_file()


def is_saved(path: str | os.PathLike[str]) -> bool:
    """Return whether a path is the folder of a ledger with ratings beside its games (`handan.save`)."""
    try:
        return is_ledger(path) and "system" in read_manifest(path).facts
    except InputError:
        return False


def read_manifest(path: str | os.PathLike[str]) -> Manifest:
    """Return what is in a folder.

    Raises:
        InputError: It has no manifest, or one that is damaged, or that another version of Handan wrote.
    """
    folder = Path(path)
    try:
        with (folder / MANIFEST).open("rb") as stream:
            head = json.loads(stream.read(LARGEST))
        if head["kind"] != KIND or head.pop("sha256") != _digest(head):
            raise ValueError(KIND)
    except FileNotFoundError:
        if (folder / EARLIER).is_file():
            raise InputError(_other_version(folder, "an earlier")) from None
        raise InputError(f"{folder} is not whole: it has no {MANIFEST}; what was to write it did not end") from None
    except OSError as error:
        raise InputError(f"{folder} cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError(f"{folder / MANIFEST} is damaged") from None
    if head["version"] != VERSION:
        raise InputError(_other_version(folder, "a later" if head["version"] > VERSION else "an earlier"))
    files = {name: StoredFile(**item) for name, item in head["files"].items()}
    return Manifest(folder, head["generation"], files, head["facts"])


def _other_version(folder: Path, which: str) -> str:
    return (
        f"{folder} was written by {which} version of Handan: build it anew from its files, or let that version write "
        "its games as a file (handan convert)"
    )


def _digest(head: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(head, sort_keys=True).encode()).hexdigest()


@dataclass(slots=True)
class Draft:
    """A folder that is being written."""

    now: Manifest
    """What is in it once it is committed."""
    generation: int

    def room(self) -> Path:
        """Return an empty folder beside the files, which is gone when writing ends, or when the next writer begins."""
        place = self.now.path / BUILDING
        place.mkdir()
        return place

    def put(self, stem: str, data: bytes, ending: str = "parquet", **facts: Any) -> str:
        """Write a file, in place of one of the same name of another generation; return its path in the folder."""
        name = f"{stem}.{self.generation}.{ending}"
        file = self.now.path / name
        file.parent.mkdir(exist_ok=True)
        with file.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        kept = {own: stored for own, stored in self.now.files.items() if not own.startswith(f"{stem}.")}
        stored = StoredFile(len(data), hashlib.sha256(data).hexdigest(), **facts)
        self.now = replace(self.now, files=kept | {name: stored})
        return name

    def put_frame(self, stem: str, frame: pl.DataFrame, **facts: Any) -> str:
        """Write a frame as a file of Parquet."""
        stream = io.BytesIO()
        frame.write_parquet(stream, compression="zstd")
        return self.put(stem, stream.getvalue(), rows=frame.height, **facts)

    def put_value(self, stem: str, value: Any) -> str:
        """Write what JSON can hold."""
        return self.put(stem, json.dumps(value, ensure_ascii=False).encode(), "json")

    def drop(self, names: Iterable[str]) -> None:
        """Leave out some files, by path."""
        kept = self.now.files.keys() - set(names)
        self.now = replace(self.now, files={name: file for name, file in self.now.files.items() if name in kept})

    def commit(self, **facts: Any) -> None:
        """Make what was written the content of the folder, at once, and remove what no longer counts."""
        path, files = self.now.path, {name: asdict(file) for name, file in self.now.files.items()}
        head: dict[str, Any] = {
            "kind": KIND, "version": VERSION, "generation": self.generation, "facts": facts, "files": files,
        }  # fmt: skip
        with (path / DRAFT).open("wb") as stream:
            stream.write(json.dumps(head | {"sha256": _digest(head)}, ensure_ascii=False, indent=1).encode())
            stream.flush()
            os.fsync(stream.fileno())
        (path / DRAFT).replace(path / MANIFEST)
        with suppress(OSError):  # a folder is no file everywhere
            descriptor = os.open(path, os.O_RDONLY)
            os.fsync(descriptor)
            os.close(descriptor)
        _remove(path, self.now.files)


@contextmanager
def writing(path: str | os.PathLike[str], *, grow: bool = False) -> Iterator[Draft]:
    """Write a folder, which nobody else can do meanwhile.

    Args:
        path: It is made if it is not there, and is gone again where nothing was committed. One that is there holds
            nothing, or what Handan wrote, which counts until `Draft.commit`.
        grow: Whether the files stay that are there.

    Raises:
        InputError: The folder is not ours, somebody else is writing to it, or it cannot be written.
    """
    folder = Path(path)
    absent = [] if grow else [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        there = sorted(file.name for file in folder.iterdir())
        if there and LOCK not in there:
            raise InputError(
                f"{folder} holds other files, such as {shown(there[0])}; give a folder that is not there yet"
            )
        with (folder / LOCK).open("ab") as stream, _locked(stream, folder):
            try:
                old = read_manifest(folder) if grow else Manifest(folder)
                last = max((int(number) for name in _files(folder) for number in NUMBER.findall(name)), default=0)
                shutil.rmtree(folder / BUILDING, ignore_errors=True)
                yield Draft(old, max(old.generation, last) + 1)
            finally:
                shutil.rmtree(folder / BUILDING, ignore_errors=True)
                if absent and not (folder / MANIFEST).exists():
                    _remove(folder, {})
                    with suppress(OSError):  # Windows keeps the lock, which is open
                        (folder / LOCK).unlink()
    except OSError as error:
        raise InputError(f"{error.filename or folder} cannot be written: {error.strerror or error}") from error
    finally:
        with suppress(OSError):  # it is not empty
            for each in absent:
                each.rmdir()


def _files(folder: Path) -> Iterator[str]:
    """Yield the paths within a folder of the files that Handan writes there, but for manifest and lock."""
    paths = (file.relative_to(folder).as_posix() for file in folder.rglob("*"))
    return (name for name in paths if OURS.fullmatch(name) or name == DRAFT)


def _remove(folder: Path, kept: Mapping[str, StoredFile]) -> None:
    """Remove what Handan wrote into a folder but for some files, and the folders that are empty then."""
    for name in [name for name in _files(folder) if name not in kept]:
        with suppress(OSError):  # a reader on Windows has it open
            (folder / name).unlink()
        with suppress(OSError):  # it is not empty
            (folder / name).parent.rmdir()


@contextmanager
def _locked(stream: IO[bytes], path: Path) -> Iterator[None]:
    """Hold the lock of a folder, which ends with the process at the latest; InputError if somebody else has it."""
    take, release = _lock_calls(stream.fileno())
    try:
        take()
    except OSError:
        raise BeingWrittenError(f"{path} is being written by another process; try again when it has ended") from None
    try:
        yield
    finally:
        release()


def _lock_calls(descriptor: int) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """Return the calls that take and release the lock of an open file; the first raises OSError if others have it."""
    if os.name == "nt":
        import msvcrt

        locking: Any = msvcrt
        return (
            lambda: locking.locking(descriptor, locking.LK_NBLCK, 1),
            lambda: locking.locking(descriptor, locking.LK_UNLCK, 1),
        )
    import fcntl

    return (
        lambda: fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB),
        lambda: fcntl.flock(descriptor, fcntl.LOCK_UN),
    )
