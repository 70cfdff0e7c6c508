"""What goes to stderr: warnings, rejected rows, errors, and progress while work lasts."""

import os
import sys
import threading
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Protocol

from handan.cli.output import visible

COMPILING = "compiling (once)"
MOST_LINES = 10
PATIENCE = 1.0  # seconds of work before anything is shown
SOON = 60.0  # seconds; our choice: less is not announced
BETWEEN = 60.0  # seconds between lines to a log or a pipe, and before the first; our choice


@dataclass(slots=True)
class _Manner:
    quiet: bool = False
    """Whether only errors are said."""


MANNER = _Manner()


@contextmanager
def quietly(*, quiet: bool) -> Iterator[None]:
    """Say only errors within, if `quiet`."""
    earlier, MANNER.quiet = MANNER.quiet, quiet or MANNER.quiet
    try:
        yield
    finally:
        MANNER.quiet = earlier


def note(text: str) -> None:
    """Write one line to stderr that is no error, unless the user wants quiet."""
    if not MANNER.quiet:
        say(text)


def hint(text: str) -> None:
    """Write what could be done next to stderr, where somebody watches and does not want quiet."""
    if sys.stderr.isatty():
        note(text)


def quoted(text: str) -> str:
    """Return a text as a shell takes it for one word."""
    import shlex

    return shlex.quote(text)


def say(text: str) -> None:
    """Write one line to stderr, if that can be written."""
    with suppress(OSError):
        sys.stderr.write(visible(text) + "\n")


def say_all(mark: str, texts: Sequence[str]) -> None:
    """Write one marked line for each text, at most ten, then how many more there are; nothing if quiet is wanted."""
    if MANNER.quiet:
        return
    for text in texts[:MOST_LINES]:
        say(f"{mark}: {text}")
    if len(texts) > MOST_LINES:
        say(f"{mark}: {len(texts) - MOST_LINES:,} more like these")


@contextmanager
def plain_warnings() -> Iterator[None]:
    """Write the package's own Python warnings as lines for its users, without the place in the code."""
    usual = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *place: Any) -> None:
        if category.__module__.startswith("handan."):
            note(f"warning: {message}")
        else:
            usual(message, category, *place)

    warnings.showwarning = show  # type: ignore[assignment]
    try:
        yield
    finally:
        warnings.showwarning = usual


class Progress(Protocol):
    """Says how far the work has come."""

    def __call__(self, text: str, done: int = 0, total: int = 0) -> None:
        """Show this text, and a bar of so many parts done of all; without a total the bar only moves."""


@contextmanager
def working(text: str) -> Iterator[Progress]:
    """Show a progress bar if the work lasts over a second and somebody watches; yields a way to say how far it is.

    The bar says how many parts of how many are done and how long the rest will take. Where stderr is a pipe or a file,
    a line a minute says the same. While a loop is compiled, both say so.
    """
    if MANNER.quiet:
        yield _ignore
        return
    from handan.kernels.cache import before_compiling

    if not sys.stderr.isatty() or os.environ.get("TERM") in {"dumb", "unknown"}:  # which cannot take a bar off again
        with _lines(text) as next_line:
            yield next_line
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[far]}"), TimeElapsedColumn())
    bar = Progress(*columns, console=console, transient=True)
    task = bar.add_task(text, total=None, far="")
    pace = Pace()

    def update(text: str, done: int = 0, total: int = 0) -> None:
        bar.update(task, description=text, completed=done, total=total or None, far=pace.progress(text, done, total))

    timer = threading.Timer(PATIENCE, bar.start)
    timer.daemon = True
    timer.start()
    try:
        with before_compiling(lambda: bar.update(task, far=COMPILING)):
            yield update
    finally:
        timer.cancel()
        timer.join()  # it may be starting the display just now
        bar.stop()


@contextmanager
def _lines(text: str) -> Iterator[Progress]:
    """Write a line a minute on how far the work is."""
    from handan.kernels.cache import before_compiling

    line, ended, pace = text, threading.Event(), Pace()

    def update(text: str, done: int = 0, total: int = 0) -> None:
        nonlocal line
        far = pace.progress(text, done, total)
        line = f"{text} ({far})" if far else text

    def write() -> None:
        while not ended.wait(BETWEEN):
            say(f"working: {line}")

    writer = threading.Thread(target=write, daemon=True)
    writer.start()

    def compiling() -> None:
        nonlocal line
        line = f"{text}: {COMPILING}"

    try:
        with before_compiling(compiling):
            yield update
    finally:
        ended.set()
        writer.join()


class Pace:
    """How far the work is, in words, and how long the rest of a part will take by the time since its first step."""

    def __init__(self) -> None:
        self._begun: dict[str, tuple[float, int]] = {}

    def progress(self, text: str, done: int, total: int) -> str:
        """Return `7 of 19`, or `7 of 19, 3 min left`; nothing where nobody knows how much there is."""
        if not total:
            return ""
        started, first = self._begun.setdefault(text, (time.monotonic(), done))
        left = (time.monotonic() - started) * (total - done) / max(done - first, 1)
        return f"{done:,} of {total:,}" + (f", {left / 60:.0f} min left" if left > SOON and done > first else "")


def _ignore(text: str, done: int = 0, total: int = 0) -> None:
    """Nobody wants to know."""
