"""One answer for all visitors who wait for the same page: as new as any of them may ask for, and for nobody else."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from benchmarks.load import PASSWORD, entered
from benchmarks.serving import Browser, served
from handan.web.operations.other_processes import GONE, OtherProcesses
from handan.web.operations.queued import Queued
from handan.web.operations.request_queue import CAME, RequestQueue
from handan.web.operations.same_page import AGAIN, NUMBER, same_page
from tests.processes import program
from tests.web.test_kept_pages import member, two_players
from tests.web.test_several_hosts import FILL

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from handan.club.store.models import Club

pytestmark = pytest.mark.extended

NO_DATABASE = pytest.mark.usefixtures("no_database")
LONG = 60.0  # seconds; longer than any test waits


@pytest.fixture
def no_database(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the queue close no connections, of which there are none where an application is invented."""
    monkeypatch.setattr("handan.web.operations.queued.connections", SimpleNamespace(close_all=lambda: None))


class Pages:
    """An application whose pages say how many were made before them; every visitor sees the same, but of `/own/`."""

    def __init__(self, *extra: tuple[str, str]) -> None:
        self.extra = list(extra)
        self.begun, self.may_end = threading.Semaphore(0), threading.Event()
        self.made: list[str] = []
        self.again: list[float] = []

    def __call__(self, environ: dict[str, Any], begin: Callable[..., Any]) -> Any:
        path, number = environ["PATH_INFO"], len(self.made)
        self.made.append(path)
        self.begun.release()
        if path == "/slow/":
            assert self.may_end.wait(LONG)
        if path == "/fault/":
            raise RuntimeError(str(number))
        begin("200 OK", [(NUMBER, f"made {number}"), *self.extra])
        answer = Content([f"page {number}".encode()])
        if path != "/own/":
            setattr(answer, AGAIN, self._again)
        return answer

    def _again(self, came: float) -> str:
        self.again.append(came)
        return f"again {len(self.again)}"


class Content(list[bytes]):
    streaming = False

    def close(self) -> None:
        """Nothing is open."""


def ask_for(path: str, **headers: str) -> dict[str, Any]:
    names = {f"HTTP_{name.upper()}": value for name, value in headers.items()}
    return {"REQUEST_METHOD": "GET", "PATH_INFO": path, "QUERY_STRING": "", "HTTP_HOST": "club.example", **names}


def asking(pool: ThreadPoolExecutor, queued: Queued, environ: dict[str, Any]) -> Future[tuple[str, str]]:
    """Ask, and return when the request stands in the queue."""

    def answered() -> tuple[str, str]:
        worked = queued.answer(environ)
        return dict(worked.headers)[NUMBER], b"".join(worked.content).decode()

    before = queued.queue.number
    future = pool.submit(answered)
    while queued.queue.number == before:
        assert not future.done()
    return future


def turn_of(lock: threading.Lock) -> Callable[[], AbstractContextManager[None]]:
    """Return what a thread waits for as long as a lock is held."""

    @contextmanager
    def turn() -> Iterator[None]:
        with lock:
            yield

    return turn


class Waiting:
    """Requests that come, one after the other, while one thread works on a slow page."""

    def __init__(self, app: Pages, *environs: dict[str, Any], queued: Queued | None = None) -> None:
        queued = Queued(app, RequestQueue(1, 1)) if queued is None else queued
        with ThreadPoolExecutor(len(environs) + 1) as pool:
            slow = asking(pool, queued, ask_for("/slow/", cookie="sessionid=x"))
            assert app.begun.acquire(timeout=LONG)
            futures = [asking(pool, queued, environ) for environ in environs]
            app.may_end.set()
            slow.result(LONG)
            self.answers = [future.exception(LONG) or future.result(LONG) for future in futures]
        assert queued.queue.number == 0


@NO_DATABASE
def test_all_who_wait_for_a_page_get_the_same_one_each_under_a_number_of_their_own() -> None:
    app = Pages()
    answers = Waiting(app, *(ask_for("/club/", user_agent=f"browser {place}") for place in range(3))).answers
    assert answers == [("made 1", "page 1"), ("again 1", "page 1"), ("again 2", "page 1")]
    assert app.made == ["/slow/", "/club/"]
    assert app.again == sorted(app.again)  # each with the moment at which it came itself
    assert len(set(app.again)) == 2


@NO_DATABASE
def test_who_comes_while_a_page_is_made_waits_for_the_next_one() -> None:
    app = Pages()
    queued = Queued(app, RequestQueue(2, 1))
    with ThreadPoolExecutor(4) as pool:
        first = asking(pool, queued, ask_for("/slow/"))
        assert app.begun.acquire(timeout=LONG)
        second = asking(pool, queued, ask_for("/slow/"))
        assert app.begun.acquire(timeout=LONG)  # something may have been entered since the first was begun
        third = asking(pool, queued, ask_for("/slow/"))
        fourth = asking(pool, queued, ask_for("/slow/"))
        app.may_end.set()
        contents = [future.result(LONG)[1] for future in (first, second, third, fourth)]
    assert contents == ["page 0", "page 1", "page 2", "page 2"]


@NO_DATABASE
def test_a_thread_takes_no_request_before_it_is_its_turn_so_that_more_may_join() -> None:
    app, turn = Pages(), threading.Lock()
    queued = Queued(app, RequestQueue(3, 1, turn=turn_of(turn)))
    with ThreadPoolExecutor(4) as pool:
        with turn:
            futures = [asking(pool, queued, ask_for("/club/")) for _ in range(4)]
        assert [future.result(LONG)[1] for future in futures] == ["page 0"] * 4


@NO_DATABASE
@pytest.mark.parametrize("path", ["/own/", "/fault/"])
def test_what_is_for_one_alone_and_what_fails_is_made_for_each(path: str) -> None:
    app = Pages()
    answers = Waiting(app, *[ask_for(path)] * 3).answers
    assert app.made == ["/slow/", path, path, path]
    assert sorted(str(answer) for answer in answers) == sorted({str(answer) for answer in answers})
    assert app.again == []


@NO_DATABASE
def test_a_page_that_sets_a_cookie_is_for_one_alone() -> None:
    app = Pages(("Set-Cookie", "csrftoken=x"))
    Waiting(app, *[ask_for("/club/")] * 2)
    assert (app.made, app.again) == (["/slow/", "/club/", "/club/"], [])


@NO_DATABASE
def test_an_answer_that_cannot_be_noted_is_the_fault_of_one_request(monkeypatch: pytest.MonkeyPatch) -> None:
    app = Pages()
    monkeypatch.setattr(app, "_again", lambda _: f"{1 / 0}")
    first, second = Waiting(app, *[ask_for("/club/")] * 2).answers
    assert first == ("made 1", "page 1")
    assert isinstance(second, ZeroDivisionError)


OTHERS: dict[str, dict[str, Any]] = {
    "a session": {"HTTP_COOKIE": "sessionid=1"},
    "any cookie": {"HTTP_COOKIE": ""},
    "a token": {"HTTP_AUTHORIZATION": "Bearer x"},
    "another method": {"REQUEST_METHOD": "HEAD"},
    "something sent": {"CONTENT_LENGTH": "3"},
}


@NO_DATABASE
@pytest.mark.parametrize("name", OTHERS)
def test_who_is_known_and_who_sends_something_shares_nothing(name: str) -> None:
    assert same_page({**ask_for("/club/"), **OTHERS[name]}) is None
    app = Pages()
    Waiting(app, *[{**ask_for("/club/"), **OTHERS[name]}] * 2)
    assert app.made == ["/slow/", "/club/", "/club/"]


def test_whatever_a_page_may_depend_on_makes_it_another_one() -> None:
    same = same_page(ask_for("/club/"))
    assert same == same_page(ask_for("/club/", user_agent="x", referer="y", x_forwarded_for="192.0.2.7"))
    assert same == same_page({**ask_for("/club/"), "REMOTE_ADDR": "192.0.2.7", "CONTENT_LENGTH": ""})
    headers = ("accept_language", "accept_encoding", "accept", "if_none_match", "hx_request", "host", "never_seen",
               "x_forwarded_proto", "x_forwarded_host")  # fmt: skip
    others = [same_page(ask_for("/club/", **{name: "x"})) for name in headers]
    facts = {"wsgi.url_scheme": "https", "QUERY_STRING": "as_of=2020-01-01", "PATH_INFO": "/lake/", "SCRIPT_NAME": "/x"}
    others += [same_page({**ask_for("/club/"), name: value}) for name, value in facts.items()]
    assert len({same, *others}) == 1 + len(headers) + len(facts)


@NO_DATABASE
def test_what_another_process_hands_on_joins_those_who_wait_there(tmp_path: Path) -> None:
    app, others = Pages(), [OtherProcesses(tmp_path, 2) for _ in range(2)]
    here = Queued(Pages(), RequestQueue(1, 1), others[0])
    there = Queued(app, RequestQueue(1, 1), others[1])
    environ = ask_for("/club/")
    with ThreadPoolExecutor(4) as pool:
        slow = asking(pool, there, ask_for("/slow/"))
        assert app.begun.acquire(timeout=LONG)
        own = asking(pool, there, {**environ})
        handed = [pool.submit(others[0].answer, 1, {**environ, CAME: 1.0}) for _ in range(2)]
        while there.queue.number < 4:
            assert not any(future.done() for future in handed)
        app.may_end.set()
        slow.result(LONG)
        answers = [future.result(LONG) for future in handed]
        assert own.result(LONG) == ("made 1", "page 1")
    assert sorted(dict(answer[1])[NUMBER] for answer in answers if answer) == ["again 1", "again 2"]
    assert [answer[2] for answer in answers if answer] == [b"page 1"] * 2
    assert here.queue.number == there.queue.number == 0
    for each in others:
        each.leave()


@NO_DATABASE
def test_who_waits_here_for_a_page_is_joined_rather_than_sent_elsewhere(tmp_path: Path) -> None:
    apps, others = [Pages(), Pages()], [OtherProcesses(tmp_path, 2) for _ in range(2)]
    queued = [Queued(app, RequestQueue(1, 1, own.publish), own) for app, own in zip(apps, others, strict=True)]
    others[1].publish(GONE)  # nothing is handed on yet
    with ThreadPoolExecutor(4) as pool:
        futures = [asking(pool, queued[0], ask_for("/slow/", cookie="sessionid=x"))]
        assert apps[0].begun.acquire(timeout=LONG)
        futures.append(asking(pool, queued[0], ask_for("/club/")))
        others[1].publish(0.0)
        futures.append(asking(pool, queued[0], ask_for("/club/")))
        assert pool.submit(queued[0].answer, ask_for("/else/")).result(LONG).content == [b"page 0"]
        apps[0].may_end.set()
        assert [future.result(LONG)[1] for future in futures] == ["page 0", "page 1", "page 1"]
    assert [app.made for app in apps] == [["/slow/", "/club/"], ["/else/"]]
    for each in others:
        each.leave()


@dataclass
class Reply:
    """What a request was answered."""

    status: str
    headers: dict[str, str]
    content: bytes


def of(path: str, address: str = "192.0.2.1", **headers: str) -> dict[str, Any]:
    """Return the environment of a visitor's request, as a server makes it."""
    from django.test import RequestFactory

    environ = RequestFactory().get(path, headers=headers, REMOTE_ADDR=address).environ
    return {name: value for name, value in environ.items() if name != "HTTP_COOKIE" or value}


def noted(monkeypatch: pytest.MonkeyPatch, module: Any, name: str, calls: list[str]) -> None:
    """Note each call of a function of a module."""
    function = getattr(module, name)

    def call(*given: Any) -> Any:
        calls.append(name)
        return function(*given)

    monkeypatch.setattr(module, name, call)


def together(*environs: dict[str, Any]) -> list[Reply]:
    """Let the real application answer requests that all came before it began with the first."""
    from django.core.wsgi import get_wsgi_application

    lock = threading.Lock()
    queued = Queued(get_wsgi_application(), RequestQueue(1, 1, turn=turn_of(lock)))

    def answered(environ: dict[str, Any]) -> Reply:
        worked = queued.answer(environ)
        return Reply(worked.status, dict(worked.headers), b"".join(worked.content))

    with ThreadPoolExecutor(len(environs)) as pool:
        futures: list[Future[Reply]] = []
        with lock:
            for number, environ in enumerate(environs):
                futures.append(pool.submit(answered, environ))
                while queued.queue.number == number:
                    assert not futures[-1].done()
        return [future.result(LONG) for future in futures]


def test_visitors_who_wait_together_get_one_page_and_each_is_counted(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.test import Client

    from handan.web.operations.logs import REQUEST
    from handan.web.operations.metrics import REQUESTS
    from handan.web.pages import ladder

    two_players(club)
    visitor = Client()
    made: list[str] = []
    noted(monkeypatch, ladder, "render", made)
    counted = REQUESTS.labels("ladder", "GET", "200")
    before = counted._value.get()
    path = f"/{club.slug}/"
    numbers: list[str] = []
    monkeypatch.setattr("handan.web.operations.watching.LOG.info", lambda *_, **__: numbers.append(REQUEST.get()))
    german = of(path, **{"accept-language": "de"})
    replies = together(of(path), of(path, "192.0.2.2"), german, of(path, "192.0.2.3"))
    pages = [replies[place] for place in (0, 1, 3)]
    assert {page.content for page in pages} == {visitor.get(path).content}
    assert b'lang="de"' in replies[2].content
    assert len(made) == 2  # the page, and the German one
    assert {page.headers["ETag"] for page in pages} == {visitor.get(path)["ETag"]}
    assert {reply.headers[NUMBER] for reply in replies} == set(numbers[:4])
    assert len(set(numbers[:4])) == 4
    assert counted._value.get() - before == 4 + 2  # those of `visitor` too
    unchanged = [of(path, **{"if-none-match": pages[0].headers["ETag"]}) for _ in range(2)]
    assert [(reply.status, reply.content) for reply in together(*unchanged)] == [("304 Not Modified", b"")] * 2


def test_a_member_who_waits_beside_visitors_gets_a_page_of_their_own(club: Club) -> None:
    from handan.club.store.models import Role

    two_players(club)
    someone = member(club, Role.KEEPER)
    cookie = f"sessionid={someone.cookies['sessionid'].value}"
    path, name = f"/{club.slug}/", someone.name.encode()  # type: ignore[attr-defined]
    first, own, last = together(of(path), of(path, cookie=cookie), of(path))
    assert first.content == last.content
    assert name in own.content
    assert name not in first.content
    assert own.headers["Cache-Control"] == "no-store"


def test_of_a_closed_club_and_of_faults_nothing_is_shared(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    from handan.club.store.models import Openness
    from handan.web.operations import watching

    two_players(club)
    shared: list[str] = []
    noted(monkeypatch, watching, "_again", shared)
    path = f"/{club.slug}/"
    together(of(path), of(path))
    assert len(shared) == 1
    missing = together(of(f"{path}players/p999/"), of(f"{path}players/p999/"))
    assert [reply.status for reply in missing] == ["404 Not Found"] * 2
    type(club).objects.filter(pk=club.pk).update(openness=Openness.CLOSED)
    closed = together(of(path), of(path))
    assert [reply.status for reply in closed] == ["404 Not Found"] * 2
    assert len(shared) == 1


def test_who_has_nothing_in_hand_is_braked_alone(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    from django.test import override_settings

    from handan.club.store import brake

    two_players(club)
    path = f"/{club.slug}/?as_of=2026-04-0"
    used = count(0, 30)  # each answer takes thirty seconds of computing
    monkeypatch.setattr(brake, "thread_time", lambda: float(next(used)))
    with override_settings(COMPUTING_SECONDS=20):
        together(of(f"{path}1"))
        replies = together(of(f"{path}2"), of(f"{path}2", "192.0.2.2"), of(f"{path}2"))
    brake.brake.forget()
    statuses = [reply.status for reply in replies]
    assert statuses == ["429 Too Many Requests", "200 OK", "200 OK"]  # the last found a page that was kept meanwhile


def test_two_processes_count_together_and_show_all_who_ask_at_once_what_was_acknowledged_before(tmp_path: Path) -> None:
    url, asked_for = f"sqlite:///{tmp_path / 'club.db'}", 0
    program(FILL, url)
    limits = {"HANDAN_LOG_LEVEL": "info"}
    with served(tmp_path, url, "--workers", "2", environment=limits) as server, ThreadPoolExecutor(12) as pool:
        writer = Browser(server.url)
        writer.sign_in("writer-0", PASSWORD)
        for number in range(6):
            assert entered(writer, ("p2", "p3"), "B+", f"mark {number}") == "200"
            least = json.loads(Browser(server.url).get("/club/club.json")[1])["entry"]
            texts = list(pool.map(lambda _: Browser(server.url).get("/club/ladder.json"), range(12)))
            asked_for += len(texts)
            assert {status for status, _ in texts} == {200}
            assert {json.loads(text)["ledger"]["entry"] for _, text in texts} == {least}
        figures = Browser(server.url).get("/metrics")[1]
    assert f'route="ladder-json",status="200"}} {asked_for}.0' in figures
    log = server.log.read_text(encoding="utf-8").splitlines()
    assert f'handan_entries{{club="club"}} {least}.0' in figures
    lines = [json.loads(line) for line in log if '"ladder-json"' in line]
    assert len({line["request"] for line in lines}) == len(lines) == asked_for
