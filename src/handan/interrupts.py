"""Ctrl-C ends a command, also where a library would swallow it."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

AGAIN = 0.05
"""Seconds until a Ctrl-C that was lost is given again.
our choice: given at once it would fall into the same call of the library."""


def is_stop(error: BaseException | None) -> bool:
    """Return whether Ctrl-C is behind an error: Python makes it a RuntimeError where a class is being made."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


@contextmanager
def stops_kept() -> Iterator[None]:
    """Give a Ctrl-C again that is lost within, and let an error that follows one be the Ctrl-C itself.

    Where a library calls Python from another language, and where Python clears away what nobody uses, an exception
    cannot go on: Python hands it to `sys.unraisablehook`, and the library fails with an error of its own, or works on.
    """
    usual, stops, timers = sys.unraisablehook, list[int](), list[threading.Timer]()

    def stop(number: int, _: object) -> None:
        stops.append(number)
        raise KeyboardInterrupt

    def give_again(lost: Any) -> None:
        if not issubclass(lost.exc_type, KeyboardInterrupt):
            usual(lost)
            return
        stops.append(signal.SIGINT)
        timers.append(threading.Timer(AGAIN, _thread.interrupt_main))
        timers[-1].daemon = True
        timers[-1].start()

    main_thread = threading.current_thread() is threading.main_thread()  # no other may set what a signal does
    ours = main_thread and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if ours:
        signal.signal(signal.SIGINT, stop)
    sys.unraisablehook = give_again
    try:
        yield
        if any(timer.is_alive() for timer in timers):  # the end comes before the Ctrl-C that is to be given again
            raise KeyboardInterrupt
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a panic of a library is no Exception
        if stops or is_stop(error):
            raise KeyboardInterrupt from error
        raise
    finally:
        sys.unraisablehook = usual
        for timer in timers:
            timer.cancel()
        if ours and signal.getsignal(signal.SIGINT) is stop:
            signal.signal(signal.SIGINT, signal.default_int_handler)
