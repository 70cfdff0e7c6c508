"""Ctrl-C ends a command, also where a library would swallow it."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

AGAIN = 0.05
"""Seconds until a Ctrl-C that was lost is given again.
our choice: given at once it would fall into the same call of the library."""


def is_stop(error: BaseException | None) -> bool:
    """Return whether Ctrl-C is behind an error: Python makes it a RuntimeError where a class is being made."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


class _Stops:
    """Each Ctrl-C since a command began, and those that are yet to be given again."""

    def __init__(self) -> None:
        self.usual = sys.unraisablehook
        self.came = False
        self.timers: list[threading.Timer] = []

    @property
    def waiting(self) -> bool:
        """Whether a Ctrl-C has been put off and has not been given again yet."""
        return any(timer.is_alive() for timer in self.timers)

    def stop(self, _: int, frame: FrameType | None) -> None:
        """Stop the command; where polars is being imported, a little later, since it panics at an exception then."""
        self.came = True
        if _imports_polars(frame):
            self.give_again()
        else:
            raise KeyboardInterrupt

    def lost(self, lost: Any) -> None:
        """Give a Ctrl-C again that Python could not raise; `sys.unraisablehook` calls this with what was lost."""
        if issubclass(lost.exc_type, KeyboardInterrupt):
            self.came = True
            self.give_again()
        else:
            self.usual(lost)

    def give_again(self) -> None:
        """Send another Ctrl-C to the main thread in a moment."""
        self.timers.append(threading.Timer(AGAIN, _thread.interrupt_main))
        self.timers[-1].daemon = True
        self.timers[-1].start()


def _imports_polars(frame: FrameType | None) -> bool:
    """Return whether code that runs was called while polars is imported."""
    while frame is not None and (frame.f_code.co_name, frame.f_globals.get("__name__")) != ("<module>", "polars"):
        frame = frame.f_back
    return frame is not None


@contextmanager
def stops_kept() -> Iterator[None]:
    """Give a Ctrl-C again that is lost within, and let an error that follows one be the Ctrl-C itself.

    Where a library calls Python from another language, and where Python clears away what nobody uses, an exception
    cannot go on: Python hands it to `sys.unraisablehook`, and the library fails with an error of its own, or works on.
    """
    stops = _Stops()
    main_thread = threading.current_thread() is threading.main_thread()  # no other may set what a signal does
    ours = main_thread and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if ours:
        signal.signal(signal.SIGINT, stops.stop)
    sys.unraisablehook = stops.lost
    try:
        yield
        if stops.waiting:  # the end comes before the Ctrl-C that is to be given again
            raise KeyboardInterrupt
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a panic of a library is no Exception
        if stops.came or is_stop(error):
            raise KeyboardInterrupt from error
        raise
    finally:
        sys.unraisablehook = stops.usual
        for timer in stops.timers:
            timer.cancel()
        if ours and signal.getsignal(signal.SIGINT) == stops.stop:
            signal.signal(signal.SIGINT, signal.default_int_handler)
