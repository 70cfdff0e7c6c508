"""Whoever sends slowly, or never ends, takes nothing from those who ask meanwhile."""

from __future__ import annotations

import asyncio
import shutil
import socket
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from benchmarks.serving import Browser, served
from handan.web.operations import bodies, entrance
from handan.web.operations.entrance import Entrance, OwnConnections, Worked, environ_of

pytestmark = pytest.mark.usefixtures("database")  # whose settings the entrance asks
HALF = b"POST /sign-in/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"


def scope(path: str = "/a", method: str = "POST", client: str = "192.0.2.1", **headers: str) -> dict[str, Any]:
    """Return a request as the server gives it; without a length a form comes in chunks."""
    if method == "POST" and "content_length" not in headers:
        headers["transfer_encoding"] = "chunked"
    names = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {
        "type": "http", "method": method, "raw_path": path.encode(), "query_string": b"", "http_version": "1.1",
        "scheme": "http", "client": (client, 1), "server": ("192.0.2.9", 80), "headers": names,
    }  # fmt: skip


class Sender:
    """Somebody who sends the parts of a body, then nothing, or leaves."""

    def __init__(self, *parts: bytes, ends: bool = True, leaves: bool = False) -> None:
        more = [*[True] * (len(parts) - 1), not ends]
        self.messages = [
            {"type": "http.request", "body": part, "more_body": each} for part, each in zip(parts, more, strict=True)
        ]
        self.leaves = leaves
        self.taken = list[dict[str, Any]]()

    async def receive(self) -> dict[str, Any]:
        if self.messages:
            return self.messages.pop(0)
        if not self.leaves:
            await asyncio.sleep(60)
        return {"type": "http.disconnect"}

    async def send(self, message: dict[str, Any]) -> None:
        self.taken.append(message)

    @property
    def status(self) -> int:
        return int(self.taken[0]["status"])

    @property
    def content(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.taken)


def echo(environ: dict[str, Any]) -> Worked:
    return Worked("200 OK", [], [environ["wsgi.input"].read()])


def answered(*requests: tuple[dict[str, Any], Sender], answer: Callable[[Any], Worked] = echo, most: int = 100) -> None:
    """Let an entrance answer requests that come one after the other."""

    async def all_of_them() -> None:
        door = Entrance(answer, lambda _: most)
        tasks = []
        for request, sender in requests:
            tasks.append(asyncio.create_task(door(request, sender.receive, sender.send)))
            await asyncio.sleep(0)
        await asyncio.gather(*tasks)
        assert door.bodies.number == door.bodies._bytes == 0
        assert not door.bodies._unfinished

    asyncio.run(all_of_them())


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody wait long."""
    monkeypatch.setattr(bodies, "FIRST", 0.05)
    monkeypatch.setattr(bodies, "EACH", 2)


def test_a_body_is_whole_before_a_thread_works_on_it() -> None:
    whole, empty = Sender(b"ab", b"", b"c"), Sender(b"")
    answered((scope(), whole), (scope(method="GET"), empty))
    assert (whole.status, whole.content, empty.content) == (200, b"abc", b"")


@pytest.mark.usefixtures("short")
def test_a_body_that_stays_away_is_refused_and_one_that_is_broken_off_is_nobodys() -> None:
    never, gone, well = Sender(b"a", ends=False), Sender(b"a", ends=False, leaves=True), Sender(b"abc")
    answered((scope(accept_language="de"), never), (scope(), gone), (scope(), well))
    assert (never.status, well.content) == (408, b"abc")
    assert (b"connection", b"close") in never.taken[0]["headers"]
    assert "nicht rechtzeitig angekommen" in never.content.decode()
    assert not gone.taken


@pytest.mark.usefixtures("short")
def test_the_oldest_unfinished_body_of_an_address_gives_way_and_other_addresses_keep_theirs() -> None:
    own = [Sender(b"a", ends=False) for _ in range(3)]
    other, form = Sender(b"a", ends=False), Sender(b"form")
    answered((scope(client="198.51.100.1"), other), *((scope(), each) for each in own), (scope(), form))
    assert [each.status for each in (*own, other)] == [503, 503, 408, 408]
    assert form.content == b"form"


def test_whatever_its_sender_says_of_its_length_a_long_body_is_refused_by_whoever_reads_it() -> None:
    from django.core.exceptions import RequestDataTooBig

    def reads(environ: dict[str, Any]) -> Worked:
        try:
            return echo(environ)
        except RequestDataTooBig:
            return Worked("413 Payload Too Large", [], [b""])

    announced, unannounced, silly = Sender(b"x" * 101), Sender(b"x" * 60, b"x" * 60), Sender(b"")
    answered(
        (scope(content_length="101"), announced),
        (scope(), unannounced),
        (scope(content_length="9" * 10_000), silly),
        answer=reads,
    )
    assert [each.status for each in (announced, unannounced, silly)] == [413, 413, 200]
    assert len(announced.messages) == 1  # none of it was read


def test_an_answer_in_parts_that_nobody_takes_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entrance, "STALLED", 0.05)
    closed = list[str]()

    class Stalled(Sender):
        async def send(self, message: dict[str, Any]) -> None:
            if len(self.taken) == 2:
                await asyncio.sleep(60)
            await super().send(message)

    class Parts(list[bytes]):
        def close(self) -> None:
            closed.append(threading.current_thread().name)

    content = OwnConnections(Parts([b"a", b"b"]))
    with pytest.raises(TimeoutError):
        answered((scope(method="GET"), Stalled(b"")), answer=lambda _: Worked("200 OK", [], content))
    assert closed[0].startswith("streams")
    taker = Sender(b"")
    answered((scope(method="GET"), taker), answer=lambda _: Worked("200 OK", [], content))
    assert (taker.content, taker.taken[-1].get("more_body", False)) == (b"ab", False)


@pytest.mark.parametrize(
    ("waiting", "path", "method"), [("POST", "/a", "GET"), ("GET", "/healthz", "GET"), ("GET", "/a", "POST")]
)
def test_however_many_wait_others_are_answered(waiting: str, path: str, method: str) -> None:
    answered_other = threading.Event()

    def waits(environ: dict[str, Any]) -> Worked:
        if (environ["PATH_INFO"], environ["REQUEST_METHOD"]) == (path, method):
            answered_other.set()
        else:
            assert answered_other.wait(60)
        return Worked("200 OK", [], [b""])

    many, other = [Sender(b"") for _ in range(40)], Sender(b"")
    answered(*((scope("/b", waiting), each) for each in many), (scope(path, method), other), answer=waits)
    assert {each.status for each in (*many, other)} == {200}


def test_the_environment_has_the_request_as_it_was_sent() -> None:
    request = scope("/k%C3%B6ln/%FF")
    request["headers"] = [(b"x-forwarded-for", b"192.0.2.1"), (b"x-forwarded-for", b"192.0.2.2"),
                          (b"x_forwarded_for", b"198.51.100.1"), (b"cookie", b"a=1"), (b"cookie", b"b=2"),
                          (b"content-type", b"text/plain")]  # fmt: skip
    environ = environ_of(request)
    assert environ["PATH_INFO"].encode("latin-1") == "/köln/".encode() + b"\xff"
    assert environ["HTTP_X_FORWARDED_FOR"] == "192.0.2.1,192.0.2.2"  # not what only looks like it
    assert (environ["HTTP_COOKIE"], environ["CONTENT_TYPE"]) == ("a=1; b=2", "text/plain")


@pytest.mark.extended
def test_two_hundred_half_sent_forms_and_twelve_large_ones_keep_nobody_from_pages_and_forms(
    empty: Path, tmp_path: Path
) -> None:
    file = Path(shutil.copy(empty, tmp_path / "club.db"))
    with served(tmp_path, str(file)) as server, ExitStack() as stack:
        address = urlsplit(server.url)
        browser = Browser(server.url)
        browser.get("/sign-in/")
        for length in [1_000] * 200 + [2_000_000] * 12:
            half = stack.enter_context(socket.create_connection((str(address.hostname), address.port or 0)))
            half.sendall(HALF + f"Content-Length: {length}\r\n\r\na=".encode())
        assert browser.get("/healthz")[0] == 200
        assert browser.get("/club/")[0] == 200
        status, page = browser.post("/sign-in/", username="nobody", password="of that name")
        assert (status, "nobody" in page) == (200, True)
