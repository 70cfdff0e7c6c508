"""Compiled kernels kept on disk, so that the next process need not compile: a file each, with a check sum.

numba's own cache looks at the file of a function alone, so that an edit of a kernel that it calls from another file
would be answered by the older code; here a file is named by the digest of a function with all kernels that it calls.

Whatever is wrong with the folder costs time and no answer: a damaged file is removed and made again, and where nothing
can be kept the kernel is compiled anew by every process. One warning a process names the folder.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import uuid
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

CHECK = hashlib.sha256().digest_size
LONGEST = 80  # our choice: characters of a kernel's name in the name of its file; most file systems take 255 in all
_listeners: list[Callable[[], None]] = []
"""Who wants to know that a kernel will be compiled, which takes seconds."""
_warned: list[str] = []
"""What this process has warned of; one warning is enough."""


@contextmanager
def before_compiling(listener: Callable[[], None]) -> Iterator[None]:
    """Call a function within, each time before a kernel is compiled that no earlier process left behind."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


class CacheWarning(UserWarning):
    """The folder of compiled kernels cannot be used as it should; ratings do not depend on it."""


class DamagedError(Exception):
    """A file is not as it was written."""


class Files:
    """The files of one kernel: one for each set of types that it was compiled for.

    It has the methods that the compiler asks of its own files. Its index, in which processes with different sources
    overwrite each other's lines, is not needed, since a name says all.
    """

    def __init__(self, folder: str, name: str, dumps: Callable[[Any], bytes]) -> None:
        """Keep files in a folder under a name that holds the digest of the kernel and the versions of what made it."""
        self.folder, self._name, self._dumps = Path(folder), name, dumps

    def path(self, key: object) -> Path:
        """Return the file of one set of types and processor."""
        return self.folder / f"{self._name}.{hashlib.sha256(_text(key).encode()).hexdigest()[:16]}.nbc"

    def load(self, key: object) -> Any:
        """Return what was saved under a key, None if nothing was; DamagedError for a file that is not as written."""
        try:
            data = self.path(key).read_bytes()
        except FileNotFoundError:
            return None
        if hashlib.sha256(data[CHECK:]).digest() != data[:CHECK]:
            raise DamagedError("the check sum is wrong")
        return pickle.loads(data[CHECK:])  # noqa: S301  # as trusted as the package itself, beside which it lies

    def save(self, key: object, value: Any) -> None:
        """Write a file under another name, then rename it: other processes see all of it or nothing."""
        body = self._dumps(value)
        draft = self.folder / f"{self.path(key).name}.tmp.{uuid.uuid4().hex[:16]}"
        try:
            draft.write_bytes(hashlib.sha256(body).digest() + body)
            draft.replace(self.path(key))
        except BaseException:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
            raise

    def remove(self, key: object) -> None:
        """Remove the file of a key, if that can be done."""
        with suppress(OSError):
            self.path(key).unlink(missing_ok=True)


class Forgiving:
    """The compiler's cache of one kernel, whose failures are told once and stop nothing."""

    def __init__(self, cache: Any, files: Files, prepare: Callable[[Any], None]) -> None:
        """Take the compiler's cache; it reads and writes these files in place of its own.

        Args:
            cache: Of the compiler.
            files: In their place.
            prepare: Makes a context of the compiler ready to run code in which arrays are made.
        """
        cache._cache_file = files  # noqa: SLF001  # the compiler has no other door
        self._cache, self._files, self._prepare = cache, files, prepare

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Return the code that was kept for a signature, None if there is none that can be used.

        The compiler's own `load_overload` first learns all functions that it could compile, which takes far longer than
        loading; code that is there calls none of them, and where nothing was kept the compiler learns them anyway.
        """
        kept = self._kept(signature, context)
        if kept is None:
            for listener in _listeners:
                listener()
        return kept

    def _kept(self, signature: Any, context: Any) -> Any:
        try:
            self._prepare(context)
            return self._cache._load_overload(signature, context)  # noqa: SLF001  # the compiler has no other door
        except OSError as error:
            warn(self._files.folder, error)
        except (ImportError, AttributeError):  # whole, but of a version whose types bore other names
            self._remove(signature, context)
        except Exception as error:  # noqa: BLE001  # damaged data raises anything
            warn(self._files.folder, error)
            self._remove(signature, context)
        return None

    def _remove(self, signature: Any, context: Any) -> None:
        with suppress(Exception):
            self._files.remove(self._cache._index_key(signature, context.codegen()))  # noqa: SLF001

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep the code of a signature, if that can be done."""
        try:
            self._cache.save_overload(signature, result)
        except Exception as error:  # noqa: BLE001  # the code is there and works
            warn(self._files.folder, error)

    def __getattr__(self, name: str) -> Any:
        """Everything else is the compiler's own matter."""
        return getattr(self._cache, name)


def _text(key: object) -> str:
    """Return the text of a key; of records also the names of the fields, which the compiler's own text leaves out."""
    items = key if isinstance(key, tuple) else getattr(key, "types", ())
    own = "" if isinstance(key, tuple) else f"{key!r}{getattr(key, 'fields', ())}"
    return f"{own}(" + ",".join(_text(item) for item in items) + ")"


def is_kept(beside: Path, beginning: str) -> bool:
    """Return whether a file of a kernel lies in a folder in which the compiler looks, without loading the compiler.

    Args:
        beside: Folder of the kernel's module.
        beginning: Of the name of its files.
    """
    named = os.environ.get("NUMBA_CACHE_DIR")
    caches = [Path(named)] if named else [Path.home() / place / "numba" for place in (".cache", "Library/Caches")]
    try:
        own = [] if named else (beside / "__pycache__").glob(f"{beginning}.*.nbc")
        return any(True for _ in own) or any(True for each in caches for _ in each.glob(f"*/{beginning}.*.nbc"))
    except (OSError, RuntimeError):  # no home folder
        return False


def file_name(module: str, name: str, versions: str) -> str:
    """Return the beginning of the names of a kernel's files, fit for every file system."""
    plain = re.sub(r"[^\w.-]", "", f"{module}.{name}", flags=re.ASCII)
    return f"{plain[-LONGEST:].lstrip('.')}.{hashlib.sha256(versions.encode()).hexdigest()[:8]}"


def warn(folder: str | os.PathLike[str], why: Exception | str) -> None:
    """Warn once in a process that the folder cannot be used, and what to do."""
    if _warned:
        return
    reason = (why.strerror if isinstance(why, OSError) else "") or str(why) or type(why).__name__
    text = (
        f"compiled code in {os.fspath(folder)} cannot be kept or is damaged ({' '.join(reason.split())}); the answer "
        "is the same, but takes longer. The folder may be emptied at any time; NUMBA_CACHE_DIR names another one"
    )
    _warned.append(text)
    warnings.warn(text, CacheWarning, stacklevel=2)
