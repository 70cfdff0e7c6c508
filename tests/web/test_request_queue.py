"""Requests of a process wait in an order of ours, and a process that has much to do hands some to another."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from handan.web.operations import queued as queueing
from handan.web.operations.expected_work import MOST_KINDS, UNKNOWN, ExpectedWork
from handan.web.operations.other_processes import FOLDER, GONE, NUMBER, SLOT, STILL, OtherProcesses, passed_on
from handan.web.operations.queued import HEAD_START, LEAD, OwnConnections, Queued, due
from handan.web.operations.request_queue import CAME, RequestQueue

pytestmark = pytest.mark.extended

LONG = 60.0  # seconds; longer than any test waits


@pytest.fixture(autouse=True)
def closed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note which threads close their connections to the database, of which there is none here."""
    threads: list[str] = []
    connections = SimpleNamespace(close_all=lambda: threads.append(threading.current_thread().name))
    monkeypatch.setattr("handan.web.operations.queued.connections", connections)
    return threads


class Slow:
    """An application that notes what it is answered, and answers when it may."""

    def __init__(self, name: str = "", *, streams: bool = False) -> None:
        self.name, self.streaming = name, streams
        self.begun, self.may_end = threading.Semaphore(0), threading.Event()
        self.paths: list[str] = []
        self.sent: list[bytes] = []
        self.closed = 0

    def __call__(self, environ: dict[str, Any], begin: Callable[..., Any]) -> Any:
        self.paths.append(environ["PATH_INFO"])
        self.sent.append(environ["wsgi.input"].read() if environ["REQUEST_METHOD"] == "POST" else b"")
        self.begun.release()
        if environ["PATH_INFO"].startswith("/slow"):
            assert self.may_end.wait(LONG)
        begin("200 OK", [("X-By", self.name), ("X-Cookie", environ.get("HTTP_COOKIE", ""))])
        return Content([self.name.encode(), b"!"], self)


class Content:
    """What Django answers: to be gone through, and to be closed."""

    def __init__(self, parts: list[bytes], by: Slow) -> None:
        self.parts, self.by, self.streaming = parts, by, by.streaming

    def __iter__(self) -> Any:
        return iter(self.parts)

    def close(self) -> None:
        self.by.closed += 1


def request(path: str, method: str = "GET", cookies: str = "", sent: bytes = b"") -> dict[str, Any]:
    return {
        "REQUEST_METHOD": method, "PATH_INFO": path, "QUERY_STRING": "", "HTTP_COOKIE": cookies,
        "CONTENT_LENGTH": str(len(sent)), "wsgi.input": io.BytesIO(sent), "SECRET_OF_THE_PROCESS": "x",
    }  # fmt: skip


def answered(queued: Queued, environ: dict[str, Any]) -> tuple[str, str]:
    """Return by whom a request was answered, and the content."""
    worked = queued.answer(environ)
    content = b"".join(worked.content).decode()
    if isinstance(worked.content, OwnConnections):
        worked.content.close()
    assert worked.status == "200 OK"
    return dict(worked.headers)["X-By"], content


def waiting(pool: ThreadPoolExecutor, queued: Queued, environ: dict[str, Any]) -> Future[Any]:
    """Ask, and return when the request stands in the queue."""
    before = queued.queue.number
    future = pool.submit(answered, queued, environ)
    while queued.queue.number == before:
        assert not future.done()
    return future


@pytest.fixture
def at_one_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all requests come at the same moment, one after the other, however slow the machine is."""
    monkeypatch.setattr("handan.web.operations.queued.perf_counter", lambda: 1000.0)


@pytest.mark.usefixtures("at_one_moment")
def test_who_has_just_changed_something_is_next_and_others_come_as_they_came() -> None:
    app = Slow("one")
    queued = Queued(app, RequestQueue(1, 1))
    with ThreadPoolExecutor(6) as pool:
        futures = [waiting(pool, queued, request("/slow"))]
        assert app.begun.acquire(timeout=LONG)
        futures += [waiting(pool, queued, request(path)) for path in ("/a", "/b", "/c")]
        futures.append(waiting(pool, queued, request("/changed", cookies="sessionid=1; messages=x")))
        app.may_end.set()
        assert [future.result(LONG)[1] for future in futures] == ["one!"] * 5
    assert app.paths == ["/slow", "/changed", "/a", "/b", "/c"]
    assert (app.closed, queued.queue.number) == (5, 0)


def test_who_came_first_is_next_but_for_who_has_just_changed_something() -> None:
    """Whatever they ask for: nobody waits for ever behind those who ask for little."""
    look, write, changed = request("/"), request("/", "POST"), request("/", cookies="sessionid=1; messages=x")
    assert [due({**environ, CAME: 100.0}, 0) for environ in (look, write, changed)] == [100.0, 100.0, 100.0 - LEAD]
    goes_on = {**write, CAME: 99.0, "HTTP_COOKIE": "messages=x"}
    assert due(goes_on, 0) == 99.0  # who goes on writing goes ahead of nobody


def test_a_page_that_takes_much_work_begins_sooner_by_a_bounded_time() -> None:
    look, write = ({**request("/", method), CAME: 100.0} for method in ("GET", "POST"))
    assert due(look, 0.02) == pytest.approx(100.0 - HEAD_START * 0.02)
    assert due(look, 60.0) == pytest.approx(100.0 - HEAD_START * queueing.LONG)
    assert due(write, 0.02) == 100.0


def test_writers_leave_a_thread_to_those_who_look() -> None:
    app = Slow()
    queued = Queued(app, RequestQueue(2, 1))
    with ThreadPoolExecutor(4) as pool:
        writers = [waiting(pool, queued, request("/slow", "POST", sent=bytes([number]))) for number in range(2)]
        assert app.begun.acquire(timeout=LONG)
        assert answered(queued, request("/look")) == ("", "!")
        assert app.paths == ["/slow", "/look"]
        app.may_end.set()
        for writer in writers:
            writer.result(LONG)
    assert app.sent == [b"\0", b"", b"\1"]


def test_an_error_belongs_to_who_asked_and_health_waits_for_nobody(closed: list[str]) -> None:
    def broken(environ: dict[str, Any], begin: Callable[..., Any]) -> Any:
        raise RuntimeError(environ["PATH_INFO"])

    queued = Queued(broken, RequestQueue(1, 1))
    for path in ("/a", "/b"):
        with pytest.raises(RuntimeError, match=path):
            queued.answer(request(path))
    app = Slow()
    queued = Queued(app, RequestQueue(1, 1))
    with ThreadPoolExecutor(1) as pool:
        slow = waiting(pool, queued, request("/slow"))
        assert answered(queued, request("/healthz")) == ("", "!")
        assert closed == [threading.current_thread().name]  # which keeps none for the next time
        app.may_end.set()
        slow.result(LONG)


def two(folder: Path, *, streams: bool = False) -> tuple[list[Slow], list[Queued]]:
    """Return the applications of two processes of one server."""
    apps, queued = [], []
    for name in ("one", "other"):
        others = OtherProcesses(folder, 2)
        app = Slow(name, streams=streams)
        apps.append(app)
        queued.append(Queued(app, RequestQueue(1, 1, others.publish), others))
    return apps, queued


def test_a_process_that_has_much_to_do_hands_readers_to_another_with_all_they_sent(tmp_path: Path) -> None:
    apps, queued = two(tmp_path)
    with ThreadPoolExecutor(4) as pool:
        busy = [waiting(pool, queued[0], request("/slow")) for _ in range(2)]
        assert answered(queued[0], request("/look", cookies="sessionid=mine")) == ("other", "other!")
        assert answered(queued[0], request("/again")) == ("other", "other!")
        writer = waiting(pool, queued[0], request("/slow", "POST"))  # who writes stays
        for app in apps:
            app.may_end.set()
        assert [future.result(LONG)[0] for future in (*busy, writer)] == ["one"] * 3
        assert answered(queued[0], request("/look")) == ("one", "one!")  # nothing waits here any longer
    assert (apps[1].paths, apps[1].closed) == (["/look", "/again"], 2)


def test_what_is_sent_bit_by_bit_and_what_a_process_that_is_gone_was_given_is_answered_here(tmp_path: Path) -> None:
    apps, queued = two(tmp_path, streams=True)
    with ThreadPoolExecutor(4) as pool:
        busy = [waiting(pool, queued[0], request("/slow")) for _ in range(2)]
        bits = pool.submit(answered, queued[0], request("/bits"))
        assert apps[1].begun.acquire(timeout=LONG)
        apps[0].may_end.set()
        assert bits.result(LONG)[0] == "one"
        for future in busy:
            future.result(LONG)
        apps[0].may_end.clear()
        queued[0].expected.note(request("/slow"), 100.0)
        busy = [waiting(pool, queued[0], request("/slow")) for _ in range(2)]
        again = waiting(pool, queued[0], request("/bits"))  # the other would make it for nothing
        apps[0].may_end.set()
        assert [future.result(LONG)[0] for future in (*busy, again)] == ["one"] * 3
        assert apps[1].paths == ["/bits"]
    others = queued[0].others
    assert others is not None
    (tmp_path / "1.socket").unlink()
    others._idle[1].clear()
    assert others.answer(1, request("/gone")) is None
    assert others.least_busy(100) is None  # until it says its number again
    assert SLOT.unpack_from(others._seconds, SLOT.size)[0] == GONE
    assert queued[1].others is not None
    queued[1].others.publish(0)
    assert others.least_busy(100) == 1


def test_work_is_expected_as_it_was_for_others_of_its_kind() -> None:
    expected = ExpectedWork()
    card, other = request("/lake/players/p7/"), request("/lake/players/p812/")
    assert expected.of(card) == UNKNOWN
    expected.note(card, 0.5)
    assert expected.of(other) == 0.5
    expected.note(other, 1.5)
    assert expected.of(card) == pytest.approx(0.6)
    for foreign in (request("/lake/"), request("/lake/players/p7/", "POST"), {**card, "QUERY_STRING": "as_of=2020"}):
        assert expected.of(foreign) == UNKNOWN
    for number in range(MOST_KINDS + 1):
        expected.note(request(f"/{number:b}".translate({48: "a", 49: "b"})), 1.0)
    assert expected.of(card) == UNKNOWN


def test_only_the_request_is_handed_on_and_each_process_has_a_place_of_its_own(tmp_path: Path) -> None:
    assert "SECRET_OF_THE_PROCESS" not in passed_on(request("/look", cookies="a=b"))
    asker = {"REMOTE_ADDR": "192.0.2.7", "HTTP_X_FORWARDED_FOR": "198.51.100.1", "wsgi.url_scheme": "https"}
    handed = passed_on({**request("/look", "HEAD", cookies="a=b"), **asker, "HTTP_IF_NONE_MATCH": '"x"'})
    assert asker.items() <= handed.items()  # whom the brakes count
    assert [handed[f"HTTP_{name}"] for name in ("COOKIE", "IF_NONE_MATCH")] == ["a=b", '"x"']
    assert handed["REQUEST_METHOD"] == "HEAD"
    first = OtherProcesses(tmp_path, 1)
    with pytest.raises(OSError, match="taken"):
        OtherProcesses(tmp_path, 1)
    first.leave()
    again = OtherProcesses(tmp_path, 1)
    assert again.place == 0
    again.leave()


def test_a_process_that_stands_still_or_ends_keeps_nobody_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = OtherProcesses(tmp_path, 2), OtherProcesses(tmp_path, 2)
    monkeypatch.setattr("handan.web.operations.other_processes.LONGEST", 0.05)
    still = threading.Event()

    def work(environ: dict[str, Any]) -> Any:
        if environ["PATH_INFO"] == "/ends":
            raise EOFError  # as where the process is killed while it works
        assert still.wait(LONG)
        return "200 OK", [], environ["PATH_INFO"].encode()

    other.listen(work)
    assert one.answer(1, request("/ends")) is None
    for number in range(3):
        assert one.answer(1, request(f"/{number}")) is None
        assert one.least_busy(100) is None
    still.set()
    monkeypatch.undo()
    assert one.answer(1, request("/new")) == ("200 OK", [], b"/new")  # never what was for somebody before
    for each in (one, other):
        each.leave()


def test_a_process_that_begins_and_ends_nothing_gets_no_more_requests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says that it has little to do, and all readers would wait for it."""
    one, other = OtherProcesses(tmp_path, 2), OtherProcesses(tmp_path, 2)
    clock, still, begun = [time.monotonic()], threading.Event(), threading.Event()
    monkeypatch.setattr("handan.web.operations.other_processes.time.monotonic", lambda: clock[0])

    def work(environ: dict[str, Any]) -> Any:
        begun.set()
        assert still.wait(LONG)
        return "200 OK", [], environ["PATH_INFO"].encode()

    other.listen(work)
    other.publish(0.0)
    clock[0] += 1000.0
    assert one.least_busy(1.0) == 1  # it has nothing to do, and says nothing
    with ThreadPoolExecutor(1) as pool:
        waits = pool.submit(one.answer, 1, request("/slow"))
        assert begun.wait(LONG)
        other.publish(0.1)
        assert one.least_busy(1.0) == 1
        clock[0] += STILL + 0.1
        assert one.least_busy(1.0) is None
        other.publish(0.1)
        assert one.least_busy(1.0) == 1
        still.set()
        assert waits.result(LONG) == ("200 OK", [], b"/slow")
    clock[0] += 1000.0
    assert one.least_busy(1.0) == 1
    for each in (one, other):
        each.leave()


def test_processes_find_each_other_in_a_folder_of_their_own_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "workers"
    folder.mkdir(0o700)
    monkeypatch.setenv(FOLDER, str(folder))
    monkeypatch.setenv(NUMBER, "2")
    for mode, joins in ((0o770, False), (0o701, False), (0o700, True)):
        folder.chmod(mode)
        joined = OtherProcesses.of_environment()
        assert (joined is not None) == joins
    assert joined is not None
    joined.leave()
