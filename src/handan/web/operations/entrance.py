"""Where requests come in: each is read in full, without a thread, and is then answered by one of Django's handler.

Those who look and those who write have threads of their own, so that writers who wait for each other keep nobody from
looking.
"""

from __future__ import annotations

import asyncio
import io
import sys
from collections.abc import Awaitable, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, suppress
from http import HTTPStatus
from time import perf_counter
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.handlers.wsgi import WSGIRequest
from django.db import connections
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext

from handan.web.operations.bodies import Bodies, GoneError, Receive, RefusedBodyError
from handan.web.operations.client_address import address_of
from handan.web.operations.logs import CAME

Send = Callable[[dict[str, Any]], Awaitable[None]]
Headers = list[tuple[str, str]]
Environ = dict[str, Any]
Application = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]
READERS = 2  # our choice: requests of a process that are looked up at the same moment; more share one processor
WRITERS = 4  # our choice: requests of a process that may wait for a lock at the same moment
AT_ONCE = ("/healthz", "/metrics")
"""Answered by a thread of their own, whoever else works or waits."""
READING = {"GET", "HEAD"}
STREAMS = 16  # our choice: answers of a process that are sent bit by bit at the same moment
STALLED = 30.0  # seconds; our choice: for which an answer waits for somebody who takes none of it
SPARE = 1_000_000  # bytes; our choice: what a form has beside its file
AGAIN = 5  # seconds after which somebody may try again


class Worked(NamedTuple):
    """What the application made of a request."""

    status: str
    headers: Headers
    content: Iterable[bytes]
    """A list if it is whole, else something to go through."""


class TooLong(io.RawIOBase):
    """In place of a body that is longer than what is taken: whoever reads it is refused, by a page."""

    def read(self, _: int = -1) -> bytes:
        """Refuse it."""
        raise RequestDataTooBig


class Entrance:
    """An ASGI application in front of one that answers whole requests, each in a thread."""

    def __init__(self, answer: Callable[[Environ], Worked], most: Callable[[str], int]) -> None:
        """Take what answers.

        Args:
            answer: Called in a thread with the environment of a request, whose body is there.
            most: The bytes that a request of a path may send.
        """
        self._answer, self._most, self.bodies = answer, most, Bodies()
        self._readers = ThreadPoolExecutor(READERS, "reader")
        self._writers = ThreadPoolExecutor(WRITERS, "writer")
        self._at_once = ThreadPoolExecutor(1, "at-once")
        self._streams = ThreadPoolExecutor(STREAMS, "streams")

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Answer a request."""
        environ = environ_of(scope)
        closing: Headers = []
        async with AsyncExitStack() as stack:
            most, length = self._most(environ["PATH_INFO"]), environ.get("CONTENT_LENGTH", "")
            announced = int(length) if length.isdecimal() and len(length) < 20 else 0
            has_body = length not in {"", "0"} or "HTTP_TRANSFER_ENCODING" in environ
            try:
                body: Any = io.BytesIO()
                if has_body:
                    body = await stack.enter_async_context(
                        self.bodies.read(address_of(environ), most, announced, receive)
                    )
            except GoneError:
                return
            except RefusedBodyError as refused:
                closing = [("Connection", "close")]  # the rest of it is not read
                if refused.status != HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
                    await _send(send, refusal(environ, refused.status), closing)
                    return
                body = TooLong()
            environ |= {"wsgi.input": body, CAME: perf_counter()}
            worked = await asyncio.get_running_loop().run_in_executor(self._threads(environ), self._answer, environ)
        await self._give(worked, closing, send)

    def _threads(self, environ: Environ) -> ThreadPoolExecutor:
        """Return the threads of which one answers a request."""
        if environ["PATH_INFO"] in AT_ONCE:
            return self._at_once
        return self._readers if environ["REQUEST_METHOD"] in READING else self._writers

    async def _give(self, worked: Worked, closing: Headers, send: Send) -> None:
        """Send an answer; one that is made bit by bit takes a thread until it is sent."""
        if isinstance(worked.content, list):
            await _send(send, worked, closing)
            return
        loop = asyncio.get_running_loop()
        await send(_start(worked, closing))
        await loop.run_in_executor(self._streams, _stream, worked.content, send, loop)
        await send({"type": "http.response.body", "body": b""})


def worked(application: Application, environ: Environ) -> Worked:
    """Let a WSGI application answer, and close what it needed, unless the content is still to be gone through."""
    begun: list[Any] = []
    response = application(environ, lambda *given: begun.append(given))
    status, headers = begun[0][:2]
    if getattr(response, "streaming", True):
        return Worked(status, headers, OwnConnections(response))
    try:
        return Worked(status, headers, [b"".join(response)])
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


def environ_of(scope: dict[str, Any]) -> Environ:
    """Return the environment of a request, as WSGI has it, without the body."""
    server, client = scope.get("server") or ("localhost", "80"), scope.get("client") or ("", "")
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": str(server[0]),
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": str(client[0]),
        "REMOTE_PORT": str(client[1]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for key, value in scope["headers"]:
        if b"_" in key:  # else X_Forwarded_For would pass for the header that only a proxy writes
            continue
        name = key.decode("latin-1").upper().replace("-", "_")
        name = name if name in {"CONTENT_TYPE", "CONTENT_LENGTH"} else f"HTTP_{name}"
        text = value.decode("latin-1")
        separator = "; " if name == "HTTP_COOKIE" else ","
        environ[name] = f"{environ[name]}{separator}{text}" if name in environ else text
    return environ


def refusal(environ: Environ, status: HTTPStatus) -> Worked:
    """Return what somebody is told whose request was not read to its end, in their own language."""
    request = WSGIRequest(environ | {"wsgi.input": io.BytesIO()})
    with translation.override(translation.get_language_from_request(request)):
        if status == HTTPStatus.REQUEST_TIMEOUT:
            text = gettext("What was sent did not arrive in time. Nothing was saved; please send it again.")
        else:
            text = gettext("Too much is being sent to this server just now. Nothing was saved; please send it again.")
    headers = [("Content-Type", "text/plain; charset=utf-8"), ("Retry-After", str(AGAIN))]
    return Worked(f"{status.value} {status.phrase}", headers, [f"{text}\n".encode()])


def _start(worked: Worked, closing: Headers) -> dict[str, Any]:
    headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in worked.headers + closing]
    return {"type": "http.response.start", "status": int(worked.status[:3]), "headers": headers}


async def _send(send: Send, worked: Worked, closing: Headers) -> None:
    """Send an answer that is there as a whole."""
    await send(_start(worked, closing))
    with suppress(TimeoutError):  # somebody who takes nothing of it
        async with asyncio.timeout(STALLED):
            await send({"type": "http.response.body", "body": b"".join(worked.content)})


def _stream(content: Iterable[bytes], send: Send, loop: asyncio.AbstractEventLoop) -> None:
    """Send an answer part by part, as it is made; TimeoutError where nobody takes it, so that it ends torn off."""
    try:
        for part in content:
            message = {"type": "http.response.body", "body": part, "more_body": True}
            asyncio.run_coroutine_threadsafe(_sent(send, message), loop).result()
    finally:
        content.close()  # type: ignore[attr-defined]  # an answer with connections of its own


async def _sent(send: Send, message: dict[str, Any]) -> None:
    async with asyncio.timeout(STALLED):
        await send(message)


def most_of(path: str) -> int:
    """Return the bytes that a request may send: a form with its file, where a ledger is brought a whole ledger."""
    if path == reverse("import-ledger"):
        return int(settings.LEDGER_LIMIT)
    return int(settings.DATA_UPLOAD_MAX_MEMORY_SIZE) + SPARE
