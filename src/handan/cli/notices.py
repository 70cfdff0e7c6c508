"""What goes to stderr: warnings, rejected rows, errors, and a sign of life when work lasts."""

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from handan.cli.output import visible

MOST_LINES = 10
PATIENCE = 1.0  # seconds of work before anything is shown


def say(text: str) -> None:
    """Write one line to stderr."""
    sys.stderr.write(visible(text) + "\n")


def say_all(mark: str, texts: Sequence[str]) -> None:
    """Write one marked line for each text, at most ten, then how many more there are."""
    for text in texts[:MOST_LINES]:
        say(f"{mark}: {text}")
    if len(texts) > MOST_LINES:
        say(f"{mark}: {len(texts) - MOST_LINES:,} more like these")


@contextmanager
def working(text: str) -> Iterator[Callable[[str], None]]:
    """Show what is being done if it lasts over a second and somebody watches; yields a way to change the text."""
    if not sys.stderr.isatty():
        yield _ignore
        return
    from rich.console import Console

    status = Console(stderr=True).status(text)
    timer = threading.Timer(PATIENCE, status.start)
    timer.daemon = True
    timer.start()
    try:
        yield status.update
    finally:
        timer.cancel()
        timer.join()  # it may be starting the display just now
        status.stop()


def _ignore(text: str) -> None:
    """Nobody watches."""
