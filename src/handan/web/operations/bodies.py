"""What requests send, read in full before anything works on it: within a time, at a least rate, so much at once."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus
from tempfile import SpooledTemporaryFile
from typing import IO, Any

Receive = Callable[[], Awaitable[dict[str, Any]]]
FIRST = 10.0  # seconds; our choice: in which a form of the usual size is there over any line
LEAST = 20_000  # bytes a second; our choice: what a poor telephone line carries; a larger body has so much more time
EACH = 32  # our choice: unfinished bodies of one address; a club room behind one address sends fewer at one moment
ALL = 1_000  # our choice: unfinished bodies of all addresses, in one process
ROOM = 1_000_000_000  # bytes; our choice: all bodies of one process together
IN_MEMORY = 64_000  # bytes; our choice: a longer body waits in a file


class RefusedBodyError(Exception):
    """A body that is not read to its end, with the status that says why."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status)
        self.status = status


class GoneError(Exception):
    """Whoever sent it has left."""


class Bodies:
    """The bodies that are on their way to one process, by the address from which each comes."""

    def __init__(self) -> None:
        self._unfinished: defaultdict[str, dict[asyncio.Timeout, bool]] = defaultdict(dict)
        self._bytes = 0

    @property
    def number(self) -> int:
        """How many are on their way."""
        return sum(map(len, self._unfinished.values()))

    @asynccontextmanager
    async def read(self, address: str, most: int, announced: int, receive: Receive) -> AsyncIterator[IO[bytes]]:
        """Give a whole body as a file, at its begin, as long as it is needed.

        Args:
            address: Who sends it. The oldest unfinished body of an address gives way to one too many: a form is there
                in a moment, and who sends many of them slowly only ends their own.
            most: Bytes that it may have.
            announced: Bytes that it has by its own word; 0 where nothing is said.
            receive: The server's, of the request.

        Raises:
            RefusedBodyError: It is too long, too slow, or one too many.
            GoneError: It was broken off.
        """
        if announced > most:
            raise RefusedBodyError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        with SpooledTemporaryFile(IN_MEMORY) as file:
            try:
                await self._fill(file, self._unfinished[address], most, receive)
                file.seek(0)
                yield file
            finally:
                if not self._unfinished.get(address, True):
                    del self._unfinished[address]
                file.seek(0, 2)
                self._bytes -= file.tell()

    async def _fill(self, file: IO[bytes], own: dict[asyncio.Timeout, bool], most: int, receive: Receive) -> None:
        """Write what comes into a file until it is whole."""
        self._make_room(own)
        limit = asyncio.timeout(FIRST)
        begun, size = asyncio.get_running_loop().time(), 0
        try:
            async with limit:
                own[limit] = False
                more = True
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise GoneError
                    part, more = message.get("body", b""), message.get("more_body", False)
                    size += len(part)
                    if size > most:
                        raise RefusedBodyError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
                    if self._bytes + len(part) > ROOM:
                        raise RefusedBodyError(HTTPStatus.SERVICE_UNAVAILABLE)
                    self._bytes += len(part)
                    file.write(part)
                    if not (own[limit] or limit.expired()):
                        limit.reschedule(begun + FIRST + size / LEAST)
        except TimeoutError:
            gives_way = own[limit]
            raise RefusedBodyError(
                HTTPStatus.SERVICE_UNAVAILABLE if gives_way else HTTPStatus.REQUEST_TIMEOUT
            ) from None
        finally:
            own.pop(limit, None)

    def _make_room(self, own: dict[asyncio.Timeout, bool]) -> None:
        """End the oldest unfinished body of an address that has as many as it may; RefusedBodyError where all are."""
        if self.number >= ALL:
            raise RefusedBodyError(HTTPStatus.SERVICE_UNAVAILABLE)
        staying = [limit for limit, ends in own.items() if not (ends or limit.expired())]
        if len(staying) >= EACH:
            own[staying[0]] = True
            staying[0].reschedule(asyncio.get_running_loop().time())
