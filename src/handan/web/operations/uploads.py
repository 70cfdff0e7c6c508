"""What is uploaded, and files that people send, which are read in a process apart."""

from __future__ import annotations

import gc
import io
import multiprocessing
import os
import pickle
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any, TypeVar

from handan import files
from handan.club.record_sheet import with_named_events
from handan.errors import Clause, FieldError, HandanError, InputError
from handan.files import Options
from handan.files.formats.workbook import rows_of_workbook
from handan.files.io.decoding import to_utf8
from handan.files.io.limits import UPLOADS, LimitError
from handan.files.io.office_documents import OLE
from handan.files.io.storage import ZIP
from handan.ledger import Ledger

TOO_MANY = (
    "at most {most} games at once; send them in parts, or let whoever runs the server load the file: handan club load"
)


def ledger_of(data: bytes, name: str, options: Options) -> Ledger:
    """Return the games of a file.

    Raises:
        QuestionError: It can be read in two ways.
        HeadingsError: Its headings do not say what its columns hold.
        InputError: It cannot be read.
    """
    stream = io.BytesIO(data)
    stream.name = name  # as files have one
    try:
        return with_named_events(files.read(stream, options=options), name)
    except LimitError as error:
        if error.name == "games":
            raise too_many(f"> {error.most:,}", error.most) from None
        text: Clause = error.args[0]  # nobody here can raise the limit
        raise InputError(Clause.of(text.pattern, **{**text.values, "hint": ""})) from None


def too_many(number: str, most: int) -> FieldError:
    """Return the refusal of a sheet of more games than are entered at once."""
    return FieldError("file", number, Clause.of(TOO_MANY, most=f"{most:,}"))


def rows_of_list(data: bytes, name: str) -> str | list[list[list[str]]]:
    """Return the text of a list, or the rows of each worksheet of a workbook that has some; InputError if neither."""
    if not data.startswith((*ZIP, OLE)):
        return to_utf8(data, name, Options(limits=UPLOADS))[0].decode()
    return rows_of_workbook(data, name, Options(limits=UPLOADS))


PROCESSOR = 8  # seconds; our choice: a sheet of the most games that a page takes needs about one
WALL = 30.0  # seconds; our choice, for the same on a machine that others keep busy
MEMORY = 300_000_000  # bytes; our choice, beside what a process has that has loaded the readers
ANSWER = 64_000_000  # bytes; our choice: what a reader may make of a file
AT_ONCE = max(1, min(2, os.cpu_count() or 1))
"""Files that a process has read at the same moment: a third waits, and a thread is left to who enters."""
PATIENCE = 5.0  # seconds; our choice: for which a file waits to be read
Made = TypeVar("Made")
COPIES = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
LOADED = ["handan.files.reading", "handan.files.adjustments", "handan.files.aliases", "handan.files.merging",
          "handan.files.name_variants", "handan.ledger.dataset", "handan.web.operations.uploads",
          "numpy.ma", "python_calamine", "tomllib"]  # fmt: skip
"""What a reader needs, also what it loads for its first file only."""
LONG = Clause.of("this file takes more than {seconds} seconds to read; send it in parts", seconds=PROCESSOR)
LARGE = Clause.of("this file takes more than {most} MB of memory to read; send it in parts", most=MEMORY // 1_000_000)
BROKEN = Clause.of("the reading of this file broke off; save it as CSV UTF-8 and send that")

_context: Any = multiprocessing.get_context(COPIES)
_places = BoundedSemaphore(AT_ONCE)


class TooManyFilesError(InputError):
    """Others have their files read just now; what was sent can be sent again."""

    def __init__(self) -> None:
        super().__init__("Too many files are being read just now. Nothing was saved; press again in a moment.")


class ReadingFaultError(RuntimeError):
    """A fault of ours in a reader, with where it was."""


def get_ready() -> None:
    """Load the readers, so that the first file takes no longer than the next."""
    if COPIES == "forkserver":
        from multiprocessing import forkserver

        _context.set_forkserver_preload(LOADED)
        forkserver.ensure_running()


def apart(read: Callable[..., Made], *given: Any) -> Made:
    """Return what a function makes of bytes that came from outside, called in a process of its own.

    Args:
        read: A function of `handan.web.operations.uploads`.
        given: What it is called with.

    Raises:
        InputError: What the function raises; or the file takes too much time or memory.
        TooManyFilesError: Too many are being read.
        ReadingFaultError: The function is at fault.
    """
    if not _places.acquire(timeout=PATIENCE):
        raise TooManyFilesError
    try:
        get_ready()
        mine, other = _context.Pipe(duplex=False)
        process = _context.Process(target=_read, args=(other, read, given, PROCESSOR, MEMORY), daemon=True)
        try:
            process.start()
            other.close()
            made: Made = _outcome(mine, process)
        finally:
            mine.close()
            process.kill()
            process.join()
            process.close()
        return made
    finally:
        _places.release()


def _outcome(mine: Connection, process: Any) -> Any:
    """Return what the process says, or raise why it says nothing."""
    try:
        if not mine.poll(WALL):
            raise InputError(LONG)
        kind, made = pickle.loads(mine.recv_bytes(ANSWER))  # noqa: S301  # our own code wrote it
    except EOFError:
        process.join(1.0)
        raise InputError(_why(process.exitcode)) from None
    except OSError:  # the answer is longer than any that is used
        raise InputError(LARGE) from None
    if kind == "fault":
        raise ReadingFaultError(made)
    if kind == "refused":
        raise made
    return made


def _why(status: int | None) -> Clause:
    """Return why a process ended that outcome nothing."""
    import signal

    if status == -getattr(signal, "SIGXCPU", 0):
        return LONG
    if status in {-getattr(signal, "SIGABRT", 0), -getattr(signal, "SIGKILL", 0)}:  # what libraries do without memory
        return LARGE
    return BROKEN


def _read(to: Connection, read: Callable[..., Any], given: tuple[Any, ...], seconds: int, memory: int) -> None:
    """Say what a function makes of what it is given, within the limits."""
    with Path(os.devnull).open("wb") as nowhere:  # what libraries print of their end
        os.dup2(nowhere.fileno(), 2)
    _limit(seconds, memory)
    gc.freeze()  # what was loaded is not gone through, and so stays shared
    outcome: tuple[str, Any]
    try:
        outcome = "made", read(*given)
    except HandanError as error:
        outcome = "refused", error
    except MemoryError:
        outcome = "refused", InputError(LARGE)
    except BaseException as error:  # noqa: BLE001  # libraries raise what is no Exception
        ours = isinstance(error, Exception)
        outcome = ("fault", traceback.format_exc()[-4_000:]) if ours else ("refused", InputError(BROKEN))
    to.send_bytes(pickle.dumps(outcome, pickle.HIGHEST_PROTOCOL))
    with suppress(OSError):
        to.close()
    os._exit(0)  # nothing is to be tidied


def _limit(seconds: int, memory: int) -> None:
    """Bound what this process may take, as far as the system has such limits."""
    os.environ["POLARS_MAX_THREADS"] = "1"
    try:
        import resource
    except ImportError:  # pragma: no cover  # Windows has no limits of a process
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    if sys.platform == "linux":  # what it may write to, not addresses: threads keep many of these for nothing
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5])
        most = pages * resource.getpagesize() + memory
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
