"""Health, metrics, logs, and clear answers when the database refuses."""

from __future__ import annotations

import json
import logging
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.database import POSTGRESQL

if TYPE_CHECKING:
    from django.test import Client

    from handan.club.store.models import Club

pytestmark = pytest.mark.database

NUMBERS = count(1)
WORDS = {
    "database or disk is full": "disk is full",
    "could not extend file: No space left on device": "disk is full",
    "database is locked": "Others are writing",
    "attempt to write a readonly database": "only be read",
    "disk I/O error": "does not take what is written",
    "server closed the connection unexpectedly": "cannot be reached",
}


@pytest.fixture
def client(database: str) -> Client:
    from django.test import Client

    return Client(raise_request_exception=False)


@pytest.fixture
def keeper(club: Club, client: Client) -> Client:
    """A result keeper of a club of two players, signed in."""
    from handan.club import changes
    from handan.club.store.members import new_account, set_member
    from handan.club.store.models import Role
    from handan.club.store.writing import write

    write(club, lambda s: [changes.players.register_player(s, {"name": name}) for name in ("Ada", "Bo")], author="x")
    user = new_account(f"keeper-{next(NUMBERS)}", "a long enough phrase")
    set_member(club, user, Role.KEEPER, author="x")
    client.force_login(user)
    return client


def enter(client: Client, club: Club) -> Any:
    form_data = {"black": "Ada", "white": "Bo", "result": "B+", "date": "2026-05-01", "save": "1", "kind": "club"}
    form_data["another"] = "on"  # the same game again and again
    return client.post(f"/{club.slug}/games/new/", form_data)


@pytest.fixture
def refusing() -> Callable[[str, str], Any]:
    """Return a context in which the database refuses statements that contain a word."""
    from django.db import OperationalError, connection

    def wrapped(word: str, text: str) -> Any:
        def refuse(execute: Any, sql: str, *rest: Any) -> Any:
            if word in sql:
                raise OperationalError(text)
            return execute(sql, *rest)

        return connection.execute_wrapper(refuse)

    return wrapped


def test_health_says_the_head_of_each_chain(client: Client, club: Club) -> None:
    answer = client.get("/healthz").json()
    assert answer["status"] == "ok"
    from handan.club.keys import fingerprint
    from handan.club.store.models import ClubKey

    mark = fingerprint(ClubKey.objects.get(club=club).public)
    assert answer["clubs"][club.slug] == {"entry": 1, "digest": club.digest, "key": mark}


@pytest.mark.skipif(POSTGRESQL, reason="PostgreSQL keeps its own files")
@pytest.mark.usefixtures("alone")  # a copy that is read loses the locks of this process on the file
@pytest.mark.parametrize("another", [True, False])
def test_a_database_file_that_was_replaced_takes_no_entry(keeper: Client, club: Club, another: bool) -> None:
    from django.conf import settings

    file = Path(settings.DATABASES["default"]["NAME"])
    aside = file.with_name("aside.db")
    file.rename(aside)
    try:
        if another:
            shutil.copy(aside, file)
        health, refused = keeper.get("/healthz"), enter(keeper, club)
    finally:
        aside.replace(file)
    assert (health.status_code, refused.status_code) == (503, 503)
    assert "replaced" in health.json()["status"]
    assert "replaced while it runs. Nothing was saved" in refused.content.decode().replace("&#39;", "'")
    assert keeper.get("/healthz").status_code == 200
    assert enter(keeper, club).status_code == 302


def test_health_says_when_the_database_does_not_answer(client: Client, refusing: Any) -> None:
    with refusing("SELECT", "gone"):
        assert client.get("/healthz").status_code == 503


def test_health_is_asked_of_the_machine_itself_without_https(client: Client) -> None:
    from django.test import override_settings

    with override_settings(SECURE_SSL_REDIRECT=True):
        assert client.get("/healthz", headers={"Host": "127.0.0.1:8000"}).status_code == 200
    assert client.post("/healthz").status_code == 405


def test_metrics_count_requests_by_route_and_entries_by_club(client: Client, club: Club) -> None:
    def counted() -> dict[str, float]:
        lines = client.get("/metrics").content.decode().splitlines()
        return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines if line[0] != "#"}

    before, name = counted(), 'handan_requests_total{method="GET",route="ladder",status="200"}'
    for _ in range(3):
        client.get(f"/{club.slug}/")
    after = counted()
    assert after[name] - before.get(name, 0.0) == 3.0
    assert after['handan_request_seconds_count{route="ladder"}'] >= 3.0
    assert after[f'handan_entries{{club="{club.slug}"}}'] == 1.0


def test_metrics_are_for_this_machine_or_for_a_token(client: Client) -> None:
    from django.conf import settings
    from django.test import override_settings

    assert client.get("/metrics", REMOTE_ADDR="203.0.113.9").status_code == 403
    assert client.get("/metrics", headers={"X-Forwarded-For": "203.0.113.9"}).status_code == 403
    with override_settings(CONFIGURATION=replace(settings.CONFIGURATION, metrics_token="a token")):
        assert client.get("/metrics").status_code == 403
        shown = {"Authorization": "Bearer a token"}
        assert client.get("/metrics", REMOTE_ADDR="203.0.113.9", headers=shown).status_code == 200


class Kept(logging.Handler):
    """Keeps the lines that would be written."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        from handan.web.operations.logs import Lines

        self.lines.append(Lines().format(record))


@pytest.fixture
def logged(database: str) -> Iterator[list[str]]:
    """The lines that are logged."""
    kept = Kept()
    loggers = [logging.getLogger(), logging.getLogger("django")]
    for logger in loggers:
        logger.addHandler(kept)
    yield kept.lines
    for logger in loggers:
        logger.removeHandler(kept)


def test_a_request_is_logged_with_route_and_club_and_nobody(keeper: Client, club: Club, logged: list[str]) -> None:
    answer = keeper.get(f"/{club.slug}/?q=Ada", REMOTE_ADDR="203.0.113.9")
    line = json.loads(logged[-1])
    assert line["request"] == answer["X-Request-ID"]
    expected = {"route": "ladder", "status": 200, "club": club.slug, "method": "GET", "level": "info"}
    assert expected.items() <= line.items()
    assert set(line) == {*expected, "time", "logger", "message", "request", "milliseconds"}


def test_a_fault_is_logged_with_its_place_and_without_its_text(
    keeper: Client, club: Club, logged: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.web.pages import ladder

    def broken(*_: Any) -> None:
        raise ValueError("Ada Lindqvist, ada@example.org")

    monkeypatch.setattr(ladder, "render", broken)
    assert keeper.get(f"/{club.slug}/?q=Ada").status_code == 500
    fault = next(line for line in map(json.loads, logged) if line["level"] == "error")
    assert fault["error"] == "ValueError"
    assert any("broken" in place for place in fault["at"])
    assert not any("Ada" in line or "ada@" in line for line in logged)


@pytest.mark.parametrize(("text", "message"), WORDS.items())
def test_a_refusal_of_the_database_is_said_in_words(
    text: str, message: str, keeper: Client, club: Club, refusing: Any, logged: list[str]
) -> None:
    from handan.club.store.models import Entry

    before = Entry.objects.filter(club=club).count()
    one, other = (player["key"] for player in keeper.get(f"/api/clubs/{club.slug}/players").json()[:2])
    game = {"black": one, "white": other, "result": "B+"}
    with refusing("club_entry", text):
        answer = enter(keeper, club)
        call = keeper.post(f"/api/clubs/{club.slug}/games", game, content_type="application/json")
    assert answer.status_code == 503
    assert message in answer.content.decode()
    assert (call.status_code, call.json()["field"]) == (503, None)
    assert message in call.json()["message"]
    assert answer["Retry-After"]
    assert Entry.objects.filter(club=club).count() == before
    assert enter(keeper, club).status_code == 302
    assert Entry.objects.filter(club=club).count() == before + 1


@pytest.mark.skipif(POSTGRESQL, reason="limits of an SQLite file")
def test_a_full_disk_is_said_and_loses_nothing(keeper: Client, club: Club) -> None:
    from django.db import connection

    from handan.club.store.models import Entry
    from handan.club.store.writing import verify

    statuses = []
    with connection.cursor() as cursor:
        pages = cursor.execute("PRAGMA page_count").fetchone()[0]
        cursor.execute(f"PRAGMA max_page_count = {pages + 2}")
        try:
            while (answer := enter(keeper, club)).status_code == 302:
                statuses.append(answer.status_code)
            health = keeper.get("/healthz")
        finally:
            cursor.execute("PRAGMA max_page_count = 1073741823")
    assert (answer.status_code, health.status_code) == (503, 503)
    assert health.json()["status"] == "the last write failed: SQLITE_FULL"
    assert "disk is full" in answer.content.decode()
    assert Entry.objects.filter(club=club, kind="game recorded").count() == len(statuses)
    assert enter(keeper, club).status_code == 302
    assert keeper.get("/healthz").json()["status"] == "ok"
    assert verify(club) == 4 + len(statuses) + 1


def test_what_was_typed_is_there_behind_a_full_disk(keeper: Client, club: Club, refusing: Any) -> None:
    from handan.club.store import database

    game = {"black": "Ada", "white": "Bo", "result": "B+", "date": "2026-05-01", "notes": "a long story", "save": "1"}
    guest = {"name": "a long story", "rank": "3k", "guest": "1"}
    for address, form in (("games/new/", game), ("tonight/", guest)):
        keeper.get(f"/{club.slug}/{address}")
        with refusing("INSERT", "database or disk is full"):
            answer = keeper.post(f"/{club.slug}/{address}", form)
        database.note_success()
        page = answer.content.decode()
        assert (answer.status_code, answer["Retry-After"]) == (503, "5")
        assert "disk is full" in page
        assert 'class="as-typed">a long story<' in page
        assert 'value="a long story"' in page  # with the button that sends it


@pytest.mark.parametrize("what", ["club", "federation"])
def test_the_wall_is_made_in_memory_while_its_rows_cannot_be_written(
    client: Client, club: Club, refusing: Any, make_club: Callable[..., Club], what: str
) -> None:
    from handan.club import changes
    from handan.club.store import database
    from handan.club.store.clock import today
    from handan.club.store.list_models import RatingList
    from handan.club.store.models import Club
    from handan.club.store.writing import write

    looked_at, prefix = club, ""
    if what == "federation":
        looked_at, prefix = make_club("egf"), f"{club.slug}."
        Club.objects.filter(pk=club.pk).update(federation=looked_at)
        assert client.get(f"/{looked_at.slug}/").status_code == 200
    made = write(
        club, lambda s: changes.players.register_ranked(s, {"name": "Eva"}, {"rank": "3k"}, today()), author="x"
    )
    RatingList.objects.filter(club=looked_at).delete()
    with refusing("INSERT", "database or disk is full"):
        answer = client.get(f"/{looked_at.slug}/")
        card = client.get(f"/{looked_at.slug}/players/{prefix}{made[0].subject}/")
    database.note_success()
    assert (answer.status_code, card.status_code) == (200, 200)
    assert "Eva" in answer.content.decode()
    assert not RatingList.objects.filter(club=looked_at).exists()


@pytest.mark.skipif(POSTGRESQL, reason="limits of an SQLite file")
def test_a_write_that_failed_counts_for_a_minute_and_then_the_database_is_asked_again(
    client: Client, refusing: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.db import OperationalError

    from handan.club.store import database

    clock = [0.0]
    monkeypatch.setattr(database, "monotonic", lambda: clock[0])
    database.note_failure(OperationalError("database or disk is full"))
    assert client.get("/healthz").status_code == 503
    clock[0] += 61.0
    with refusing("user_version =", "database or disk is full"):
        assert client.get("/healthz").status_code == 503
    assert client.get("/healthz").status_code == 200


def test_a_disk_that_is_nearly_full_is_not_well(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from handan.club.store import database

    monkeypatch.setattr(database, "LEAST_ROOM", 10**18)
    answer = client.get("/healthz")
    if not POSTGRESQL:  # its disk may be another machine's
        assert answer.status_code == 503
        assert "the disk has less than" in answer.json()["status"]


def test_the_log_names_the_code_of_a_refusal_and_a_reader_is_told_of_no_saving(
    keeper: Client, club: Club, refusing: Any, logged: list[str]
) -> None:
    import sqlite3

    from django.db import OperationalError, connection

    from handan.club.store import database

    def refuse(*_: Any) -> None:
        cause = sqlite3.OperationalError("disk I/O error")
        cause.sqlite_errorname = "SQLITE_IOERR_WRITE"
        raise OperationalError("disk I/O error") from cause

    with connection.execute_wrapper(refuse):
        answer = keeper.get(f"/{club.slug}/")
    database.note_success()
    assert answer.status_code == 503
    assert "saved" not in answer.content.decode()
    fault = next(line for line in map(json.loads, logged) if line.get("message") == "the database refused")
    assert fault["code"] == "SQLITE_IOERR_WRITE"


def test_who_signs_out_on_a_full_disk_is_signed_out_in_this_browser(keeper: Client, club: Club, refusing: Any) -> None:
    from handan.club.store import database

    with refusing("DELETE", "database or disk is full"):
        answer = keeper.post("/sign-out/")
    database.note_success()
    assert answer.status_code == 302
    assert answer.cookies["sessionid"].value == ""
    assert keeper.get("/account/").status_code == 302


def test_the_example_of_a_configuration_has_every_key() -> None:
    import re
    import tomllib
    from dataclasses import fields

    from handan.web.configuration import Configuration
    from tests.conftest import ROOT

    text = (ROOT / "examples" / "server" / "handan.toml").read_text(encoding="utf-8")
    whole = re.sub(r"^# (\w+ = )", r"\1", text, flags=re.MULTILINE)
    assert list(tomllib.loads(whole)) == [field.name for field in fields(Configuration)]
