"""How much of a rating is spent inside compiled loops, whatever the system."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from handan.kernels.compiling import Kernel

ASIDE = "handan.kernels.connectivity"  # the search for pools serves reports; other programs do none


class Stopwatch:
    """Seconds inside kernels that Python code called."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._running = False

    def around(self, loop: Callable[..., Any]) -> Callable[..., Any]:
        """Return the loop with its time added up; loops inside loops count once."""

        def timed(*args: Any) -> Any:
            if self._running:
                return loop(*args)
            self._running, start = True, time.perf_counter()
            try:
                return loop(*args)
            finally:
                self.seconds += time.perf_counter() - start
                self._running = False

        return timed


@contextmanager
def stopwatch() -> Iterator[Stopwatch]:
    """Time all kernels that are picked by the amount of work while the context lasts."""
    watch, pick = Stopwatch(), Kernel.for_work

    def picked(self: Kernel[..., Any], steps: int) -> Callable[..., Any]:
        loop = pick(self, steps)
        return loop if self.plain.__module__ == ASIDE else watch.around(loop)

    Kernel.for_work = picked  # type: ignore[method-assign]
    try:
        yield watch
    finally:
        Kernel.for_work = pick  # type: ignore[method-assign]
