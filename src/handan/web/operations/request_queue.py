"""Requests of one process that wait for a thread: who takes which next.

The server accepts every connection at once and gives each request a thread that only waits; few threads work. So the
order is ours: that of arrival, in which whoever has just changed something sees what came of it first, and writers who
wait for each other never take all threads. Those who wait for the same are answered together: what is begun after they
came is as new as any of them may ask for.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import Any, NamedTuple

CAME = "handan.came"
"""In the environment of a request that had to wait: when it came, in seconds of `perf_counter`."""


class Alike(NamedTuple):
    """What makes the answer to one job the answer to another."""

    key: Hashable
    """The same for jobs of which one may be done in place of all."""
    take: Callable[[Any], Any]
    """Makes the answer to this job of that to another of its key; None where that was meant for the other alone."""


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
    alike: Alike | None = field(default=None, compare=False)
    joined: list[Job] = field(default_factory=list, compare=False)
    """Jobs of its key that came before it was begun, and wait for its answer."""
    ended: threading.Event = field(default_factory=threading.Event, compare=False)
    answer: Any = field(default=None, compare=False)
    error: BaseException | None = field(default=None, compare=False)

    def run(self) -> None:
        """Do it."""
        try:
            self.answer = self.work()
        except BaseException as error:  # noqa: BLE001  # it belongs to who waits
            self.error = error

    def takes(self, other: Job) -> bool:
        """Take what came of another job of the same key; False where this one is still to be done."""
        if self.alike is None or other.error is not None:
            return False
        try:
            self.answer = self.alike.take(other.answer)
        except Exception as error:  # noqa: BLE001  # it belongs to who waits
            self.error = error
        return self.answer is not None or self.error is not None


class RequestQueue:
    """Jobs, and the threads that do them."""

    def __init__(
        self, threads: int, writers: int, publish: Callable[[float], None] = lambda _: None,
        turn: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:  # fmt: skip
        """Start the threads.

        Args:
            threads: How many.
            writers: How many of them may do jobs that write at the same moment.
            publish: Called with the seconds of work that wait or are being done whenever they change.
            turn: For what a thread waits before it takes a job, so that it takes one that it can begin.
        """
        self.writers, self._publish, self._turn = writers, publish, turn
        self._changed = threading.Condition()
        self._reading: list[Job] = []
        self._writing: list[Job] = []
        self._first: dict[Hashable, Job] = {}  # of each key, the one that is not begun
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

    def awaits(self, key: Hashable) -> bool:
        """Return whether a job of a key waits to be begun."""
        return key in self._first

    def do(
        self, work: Callable[[], Any], due: float, seconds: float, *, writes: bool, alike: Alike | None = None
    ) -> Any:
        """Have something done by one of the threads, wait, and return its answer; what it raises is raised here.

        Args:
            work: What is to be done.
            due: Jobs with the smallest are done first.
            seconds: How much work it is, about.
            writes: Whether it may wait for others who write.
            alike: What lets it share the answer to a job that waits already; None: nothing.
        """
        with self._changed:
            job = Job(due, next(self._numbers), work, seconds, writes, alike)
            if alike is not None and alike.key in self._first:
                self._first[alike.key].joined.append(job)
                self._jobs[job.number] = 0.0
            else:
                self._put(job)
        job.ended.wait()
        if job.error is not None:
            raise job.error
        return job.answer

    def _put(self, job: Job) -> None:
        """Let a job wait for a thread."""
        heappush(self._writing if job.writes else self._reading, job)
        if job.alike is not None:
            self._first[job.alike.key] = job
        self._jobs[job.number] = job.seconds
        self._publish(self.seconds)
        self._changed.notify()

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._chosen():
                    self._changed.wait()
            with self._turn():
                with self._changed:
                    job = self._next()
                if job is not None:  # else another thread has taken it meanwhile
                    job.run()
            if job is not None:
                self._end(job)
            del job  # while this thread waits, nothing of the request is kept

    def _end(self, job: Job) -> None:
        """Answer who waits for a job, and whoever joined it; those to whom its answer is of no use are done next."""
        ended, left = [job], list[Job]()
        for other in job.joined:
            (ended if other.takes(job) else left).append(other)
        with self._changed:
            for other in ended:
                del self._jobs[other.number]
            for other in left:
                other.alike = None  # each for itself, beside the others
                self._put(other)
            self._publish(self.seconds)
            self._writers_at_work -= job.writes
            self._changed.notify()  # a writer who had to wait for this one may go on
        for other in ended:
            other.ended.set()

    def _chosen(self) -> list[Job]:
        """Return those among whom is the job that is due first of all that may be done now; empty if there is none."""
        reading, writing = self._reading, self._writing
        may_write = writing and self._writers_at_work < self.writers
        return writing if may_write and not (reading and reading[0] < writing[0]) else reading

    def _next(self) -> Job | None:
        """Take the job that is due first; None where there is none."""
        chosen = self._chosen()
        if not chosen:
            return None
        job = heappop(chosen)
        self._writers_at_work += job.writes
        if job.alike is not None:
            del self._first[job.alike.key]
        return job
