"""A lock that somebody holds stops those who write, and nobody else."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from benchmarks.serving import Browser, served
from tests.database import POSTGRESQL, session_of

if TYPE_CHECKING:
    from handan.club.store.models import Club

pytestmark = pytest.mark.database

MakeClub = Callable[..., "Club"]
NUMBERS = count(1)
NOTE = "typed by hand, for nothing?"


@contextmanager
def row_held(url: str, club: Club) -> Iterator[None]:
    """Let another program hold the lock for which a writer of the club waits."""
    connection: Any
    if POSTGRESQL:
        import psycopg

        connection = psycopg.connect(url)
        connection.execute("SELECT 1 FROM club_club WHERE id = %s FOR UPDATE", [club.pk])
    else:
        connection = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
        connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        connection.rollback() if POSTGRESQL else connection.execute("ROLLBACK")
        connection.close()


def keepers(club: Club, number: int) -> list[str]:
    """Make accounts that may enter games; their names, then the keys of two players."""
    from handan.club import changes
    from handan.club.store.members import new_account, set_member
    from handan.club.store.models import Role
    from handan.club.store.writing import write

    write(club, lambda s: [changes.players.register_player(s, {"name": name}) for name in ("Ada", "Bo")], author="x")
    names = [f"writer-{next(NUMBERS)}" for _ in range(number)]
    for name in names:
        set_member(club, new_account(name, "a phrase for a test"), Role.KEEPER, author="x")
    keys = sorted(key for key in players(club))
    return [*names, *keys]


def players(club: Club) -> list[str]:
    from handan.club.store.states import state_of

    return list(state_of(club).people)


@pytest.mark.extended
def test_readers_and_health_wait_for_no_writer(database: str, make_club: MakeClub, tmp_path: Path) -> None:
    from handan.club.store.models import Entry

    club, other = make_club("elo"), make_club("elo")
    *names, ada, bo = keepers(club, 6)
    before = Entry.objects.filter(club=club).count()
    environment = {"HANDAN_SECRET_KEY": os.environ["HANDAN_SECRET_KEY"], "HANDAN_LOG_LEVEL": "error"}
    with served(tmp_path, database, environment=environment) as server, ThreadPoolExecutor(len(names)) as pool:
        browsers = [Browser(server.url, {"sessionid": session_of(name)}) for name in names]
        for browser in browsers:
            assert browser.get(f"/{club.slug}/games/new/")[0] == 200
        for slug in (club.slug, other.slug):  # who looks first at a list has it written
            assert Browser(server.url).get(f"/{slug}/")[0] == 200

        def enter(browser: Browser) -> tuple[int, str]:
            return browser.post(
                f"/{club.slug}/games/new/", black=ada, white=bo, result="B+", kind="club", date="2026-02-01",
                handicap="0", komi="6.5", size="19", notes=NOTE, another="on", save="1", token=f"held-{next(NUMBERS)}",
            )  # fmt: skip

        with row_held(database, club):
            writers = [pool.submit(enter, browser) for browser in browsers]
            for path in ("/healthz", f"/{other.slug}/", f"/{club.slug}/", f"/{club.slug}/games/"):
                assert Browser(server.url).get(path)[0] == 200
            assert not any(writer.done() for writer in writers)
            refused = next(as_completed(writers)).result()  # who waits too long is answered while the lock is held
        statuses = [writer.result()[0] for writer in writers]
    assert refused[0] == 503
    assert "press again" in refused[1]
    assert NOTE in refused[1].replace("&#39;", "'")
    assert set(statuses) <= {200, 503}
    assert Entry.objects.filter(club=club).count() - before == statuses.count(200)


def test_who_only_looks_waits_for_no_lock_to_note_that_they_did(database: str, make_club: MakeClub) -> None:
    from datetime import timedelta

    from django.db import connection
    from django.test import Client
    from django.utils import timezone

    from handan.club.store.models import SignIn

    club = make_club("elo")
    browser = Client()
    browser.cookies["sessionid"] = session_of(keepers(club, 1)[0])
    SignIn.objects.update(last_used=timezone.now() - timedelta(minutes=2))
    assert browser.get(f"/{club.slug}/").status_code == 200
    SignIn.objects.update(last_used=timezone.now() - timedelta(minutes=2))
    waits = []

    def written(execute: Any, sql: str, *rest: Any) -> Any:
        if not POSTGRESQL and sql.startswith("UPDATE"):  # PostgreSQL locks the row of the club, not this one
            waits.append(connection.connection.execute("PRAGMA busy_timeout").fetchone()[0])
        return execute(sql, *rest)

    with row_held(database, club), connection.execute_wrapper(written):
        assert browser.get(f"/{club.slug}/").status_code == 200
    assert waits == ([] if POSTGRESQL else [0])


def test_postgresql_is_told_to_wait_for_seconds_only(database: str) -> None:
    from handan.web.settings import _database

    options = _database("postgresql://go@localhost/handan?options=-c%20lock_timeout%3D3s")["OPTIONS"]["options"]
    for name in ("lock_timeout=8s", "idle_in_transaction_session_timeout=60s", "statement_timeout=120s"):
        assert f"-c {name}" in options
    assert options.endswith("-c lock_timeout=3s")  # the last one holds
