"""The application with its requests in order: each waits for a thread, or goes to a process with less to do."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from time import perf_counter, thread_time
from typing import Any, NamedTuple

from django.db import connections

from handan.club.store.working import working
from handan.web.operations.expected_work import ExpectedWork
from handan.web.operations.one_by_one import AT_ONCE
from handan.web.operations.other_processes import Answer, OtherProcesses
from handan.web.operations.request_queue import CAME, Alike, RequestQueue
from handan.web.operations.same_page import AGAIN, NUMBER, same_page

THREADS = "HANDAN_THREADS"
"""Names how many threads of a process work; `handan serve` sets it."""
LEAD = 0.15  # seconds; our choice: by so much who has just changed something goes before others
HEAD_START = 2.0  # times the work that a page takes; our choice, at which cards come as soon as other pages under load
LONG = 0.1  # seconds; our choice: no page begins the sooner for more work than this
READING = {"GET", "HEAD"}
Environ = dict[str, Any]
Begin = Callable[..., Any]
Application = Callable[[Environ, Begin], Iterable[bytes]]


class Worked(NamedTuple):
    """What the application made of a request."""

    status: str
    headers: list[tuple[str, str]]
    content: Iterable[bytes]
    """A list if it is whole, else something to go through."""
    again: Callable[[float], str] | None = None
    """Notes that a request which came at a moment gets it too, and returns that one's number; None: nobody else may."""


class Queued:
    """A WSGI application, whose requests are worked on in an order of ours."""

    def __init__(self, application: Application, queue: RequestQueue, others: OtherProcesses | None = None) -> None:
        self.application, self.queue, self.others = application, queue, others
        self.expected = ExpectedWork()
        if others is not None:
            others.listen(self.handed)

    def answer(self, environ: Environ) -> Worked:
        """Return what a request is answered; its body is there as a whole."""
        environ[CAME] = perf_counter()
        if environ["PATH_INFO"] in AT_ONCE:
            try:
                return _worked(self.application, environ)
            finally:
                connections.close_all()
        reads = environ["REQUEST_METHOD"] in READING
        if reads and not self.queue.awaits(same_page(environ)) and (answer := self._by_another(environ)) is not None:
            return Worked(answer[0], answer[1], [answer[2]])
        worked = self._in_turn(environ, reads=reads)
        whole = isinstance(worked.content, list)
        return worked if whole else worked._replace(content=OwnConnections(worked.content))

    def handed(self, environ: Environ) -> Answer | None:
        """Answer what another process hands on; None for what is sent bit by bit, which it does itself."""
        environ |= {"wsgi.input": io.BytesIO(), "wsgi.errors": sys.stderr, "wsgi.version": (1, 0)}
        environ |= {"wsgi.multithread": True, "wsgi.multiprocess": True, "wsgi.run_once": False}
        status, headers, content, _ = self._in_turn(environ, reads=True)
        if isinstance(content, list):
            return status, headers, content[0]
        OwnConnections(content).close()
        return None

    def _by_another(self, environ: Environ) -> Answer | None:
        """Return what a process with less to do answers; None where there is none."""
        if self.others is None or self.expected.is_bit_by_bit(environ):
            return None
        place = self.others.least_busy(self.queue.seconds)
        return None if place is None else self.others.answer(place, environ)

    def _in_turn(self, environ: Environ, *, reads: bool) -> Worked:
        """Have a thread of this process work on a request."""
        seconds, work, key = self.expected.of(environ), partial(self._work, environ), same_page(environ)
        alike = None if key is None else Alike(key, partial(_given_again, environ))
        worked: Worked = self.queue.do(work, due(environ, seconds), seconds, writes=not reads, alike=alike)
        return worked

    def _work(self, environ: Environ) -> Worked:
        start = thread_time()
        worked = _worked(self.application, environ)
        self.expected.note(environ, thread_time() - start)
        if not isinstance(worked.content, list):
            self.expected.note_bit_by_bit(environ)
        return worked


def due(environ: Environ, seconds: float) -> float:
    """Return when a request is due, in seconds of `perf_counter`: the smallest is next.

    Args:
        environ: The request.
        seconds: How much work it is, about. Who asks for much waits for it besides, and few ask for the same, so that
            they seldom share an answer that is near: such a request begins the sooner.
    """
    reads = environ["REQUEST_METHOD"] in READING
    shows_change = reads and "messages=" in environ.get("HTTP_COOKIE", "")
    return float(environ[CAME]) - LEAD * shows_change - HEAD_START * min(seconds, LONG) * reads


def _given_again(environ: Environ, worked: Worked) -> Worked | None:
    """Return what was worked out for another visitor as the answer to a request; None where it was for them alone."""
    if worked.again is None:
        return None
    number = worked.again(environ[CAME])
    headers = [(name, number if name == NUMBER else value) for name, value in worked.headers]
    return worked._replace(headers=headers)


def queued(application: Application) -> Queued:
    """Return an application with its requests in order."""
    threads = int(os.environ[THREADS])
    others = OtherProcesses.of_environment()
    publish = others.publish if others else lambda _: None
    return Queued(application, RequestQueue(threads, max(1, threads - 1), publish, working.turn), others)


def _worked(application: Application, environ: Environ) -> Worked:
    """Let the application answer, and close what it needed, unless the content is still to be gone through."""
    begun: list[Any] = []
    response = application(environ, lambda *given: begun.append(given))
    status, headers = begun[0][:2]
    if getattr(response, "streaming", True):
        return Worked(status, headers, response)
    try:
        again = None if "set-cookie" in {name.lower() for name, _ in headers} else getattr(response, AGAIN, None)
        return Worked(status, headers, [b"".join(response)], again)
    finally:
        response.close()  # type: ignore[attr-defined]  # Django's


class OwnConnections:
    """An answer that is gone through by a thread that does not work otherwise: it keeps no connection afterwards."""

    def __init__(self, response: Iterable[bytes]) -> None:
        self.response = response

    def __iter__(self) -> Iterator[bytes]:
        """Go through it."""
        return iter(self.response)

    def close(self) -> None:
        """Close it, and the connections to the database that it needed."""
        if hasattr(self.response, "close"):
            self.response.close()
        connections.close_all()
