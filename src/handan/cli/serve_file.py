"""`handan serve games.csv`: the pages of the club server over any file, made again when the file changes."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from handan.cli.notices import say, working
from handan.errors import HandanError, counted

EVERY = 1.0  # seconds between two looks at the file; our choice
MOMENT = 0.05  # seconds between two looks whether a process answers; our choice
BESIDE = sys.platform == "linux"
"""Whether the processes of two servers share a port."""
SQLITE = b"SQLite format 3\x00"


def is_shown(named: str | None) -> bool:
    """Return whether what is to be served is a file or folder of games, not a database."""
    if named is None or "://" in named or not Path(named).exists():
        return False
    path = Path(named)
    if path.is_dir():
        return True
    with path.open("rb") as file:
        head = file.read(len(SQLITE))
    return bool(head) and head != SQLITE  # an empty file is a database that is not made yet


def read_shown(path: Path, system: str | None, name: str | None) -> tuple[Any, Any, str]:
    """Return the ledger of a file, the rules and the name of its club, as `handan.toml` beside it says."""
    from handan.cli.config import applied, beside
    from handan.cli.file_options import Reading
    from handan.cli.session import read_ledger
    from handan.club.rules import checked

    given: dict[str, Any] = {"system": system, "setting": None, "title": name, "adjustments": None, "aliases": None}
    file = beside([path])
    if file is not None:
        say(file.text)
        fields = frozenset((*given, "encoding", "date", "date_from_path", "dedupe"))
        given = applied(given, file, fields)
    reading = {key: value for key, value in given.items() if key not in {"system", "setting", "title"}}
    pairs = [pair.partition("=") for pair in given["setting"] or ()]
    rules = checked(given["system"] or "points", {key: value for key, _, value in pairs})
    folder_or_file = path.resolve() if path.is_dir() else path  # `.` has no name of its own
    return read_ledger([path], Reading(**reading)), rules, given["title"] or folder_or_file.stem or "Go club"


def watch(path: Path, arguments: Sequence[str], readable: Callable[[], Any]) -> int:
    """Serve in a process of its own; when the file has changed and can be read, another takes its place.

    The first goes on answering until the other can. Return the status of the one that served at last.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    command = [sys.executable, "-m", "handan", "serve", str(path), "--once", *arguments]
    seen = _marks(path)
    with TemporaryDirectory(prefix="handan-ready-") as folder, ExitStack() as stack:
        process = _started(stack, command, Path(folder) / "0")
        try:
            for number in count(1):
                seen = _changed(path, process, seen)
                if process.poll() is not None:
                    break
                try:
                    readable()
                except HandanError as error:
                    say(f"{error}; the pages stay as they were")
                    continue
                process = _replaced(stack, process, command, Path(folder) / str(number))
        except KeyboardInterrupt:
            _end(process)
    return max(0, process.returncode)


def _started(stack: ExitStack, command: Sequence[str], ready: Path) -> "subprocess.Popen[bytes]":
    """Start a process that serves, makes a file when it answers, and is ended with the stack."""
    from handan.web.configuration import READY

    process = subprocess.Popen(command, env=os.environ | {READY: str(ready)})  # noqa: S603  # the program itself
    stack.callback(_end, process)
    return process


def _changed(path: Path, process: "subprocess.Popen[bytes]", seen: tuple[Any, ...]) -> tuple[Any, ...]:
    """Wait until a file is no longer as it was seen, and is not being written, or a process has ended."""
    marks = seen
    while process.poll() is None and (marks == seen or marks != _marks(path)):
        time.sleep(EVERY)
        marks = _marks(path)
    return marks


def _replaced(
    stack: ExitStack, process: "subprocess.Popen[bytes]", command: Sequence[str], ready: Path
) -> "subprocess.Popen[bytes]":
    """Return the process that answers from now on: another one, or the same where the other cannot."""
    say("the file has changed; the pages are made again")
    if not BESIDE:
        _end(process)
        return _started(stack, command, ready)
    other = _started(stack, command, ready)
    while other.poll() is None and not ready.exists():
        time.sleep(MOMENT)
    if other.poll() is not None:
        say("the pages could not be made again; they stay as they were")
        return process
    _end(process)
    return other


def _end(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is None:
        process.terminate()
        process.wait()


def _marks(path: Path) -> tuple[Any, ...]:
    """Return what changes when a file does: time and size of the file, or of all files of a folder."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path, path.parent / "handan.toml"]
    marks = []
    for file in files:
        try:
            state = file.stat()
        except OSError:  # it is being replaced just now
            continue
        marks.append((str(file), state.st_mtime_ns, state.st_size))
    return tuple(marks)


def show(path: Path, system: str | None, name: str | None, prepare: Callable[[str], None]) -> "TemporaryDirectory[str]":
    """Make a club of a file in a private folder, and return that folder; `prepare` starts Django on the database."""
    ledger, rules, title = read_shown(path, system, name)
    folder = TemporaryDirectory(prefix="handan-shown-")
    try:
        os.environ["HANDAN_READ_ONLY"] = "yes"
        prepare(str(Path(folder.name) / "club.db"))
        from handan.club.store.loading import make_shown

        with working(f"making pages of {counted(len(ledger), 'game')}"):
            make_shown(title, rules, ledger)
    except BaseException:
        folder.cleanup()
        raise
    return folder
