"""Requests of one process that wait for a thread: who takes which next.

The server accepts every connection at once and gives each request a thread that only waits; few threads work. So the
order is ours: that of arrival, in which whoever has just changed something sees what came of it first, and writers who
wait for each other never take all threads.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import Any

CAME = "handan.came"
"""In the environment of a request that had to wait: when it came, in seconds of `perf_counter`."""


@dataclass(order=True)
class Job:
    """Something to be done, and what came of it."""

    due: float
    """Seconds of the clock; the smallest is first."""
    number: int
    """Order of those that are due at the same moment."""
    work: Callable[[], Any] = field(compare=False)
    seconds: float = field(compare=False)
    """How much work it is, about."""
    writes: bool = field(compare=False)
    ended: threading.Event = field(default_factory=threading.Event, compare=False)
    answer: Any = field(default=None, compare=False)
    error: BaseException | None = field(default=None, compare=False)

    def run(self) -> None:
        """Do it."""
        try:
            self.answer = self.work()
        except BaseException as error:  # noqa: BLE001  # it belongs to who waits
            self.error = error


class RequestQueue:
    """Jobs, and the threads that do them."""

    def __init__(self, threads: int, writers: int, publish: Callable[[float], None] = lambda _: None) -> None:
        """Start the threads.

        Args:
            threads: How many.
            writers: How many of them may do jobs that write at the same moment.
            publish: Called with the seconds of work that wait or are being done whenever they change.
        """
        self.writers, self._publish = writers, publish
        self._changed = threading.Condition()
        self._reading: list[Job] = []
        self._writing: list[Job] = []
        self._writers_at_work = 0
        self._numbers = count()
        self._jobs: dict[int, float] = {}
        for place in range(threads):
            threading.Thread(target=self._work, name=f"request-{place}", daemon=True).start()

    @property
    def number(self) -> int:
        """How many jobs wait or are being done."""
        return len(self._jobs)

    @property
    def seconds(self) -> float:
        """How much work they are together, about."""
        return sum(list(self._jobs.values()))

    def do(self, work: Callable[[], Any], due: float, seconds: float, *, writes: bool) -> Any:
        """Have something done by one of the threads, wait, and return its answer; what it raises is raised here.

        Args:
            work: What is to be done.
            due: Jobs with the smallest are done first.
            seconds: How much work it is, about.
            writes: Whether it may wait for others who write.
        """
        with self._changed:
            job = Job(due, next(self._numbers), work, seconds, writes)
            heappush(self._writing if writes else self._reading, job)
            self._jobs[job.number] = seconds
            self._publish(self.seconds)
            self._changed.notify()
        job.ended.wait()
        if job.error is not None:
            raise job.error
        return job.answer

    def _work(self) -> None:
        while True:
            with self._changed:
                while (job := self._next()) is None:
                    self._changed.wait()
            job.run()
            with self._changed:
                del self._jobs[job.number]
                self._publish(self.seconds)
                self._writers_at_work -= job.writes
                self._changed.notify()  # a writer who had to wait for this one may go on
            job.ended.set()
            del job  # while this thread waits, nothing of the request is kept

    def _next(self) -> Job | None:
        """Take the job that is due first among those that may be done now; None where there is none."""
        chosen = self._reading
        if self._writing and self._writers_at_work < self.writers and not (chosen and chosen[0] < self._writing[0]):
            chosen = self._writing
            self._writers_at_work += 1
        return heappop(chosen) if chosen else None
