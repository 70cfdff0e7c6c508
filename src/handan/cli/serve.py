"""`handan serve`: a club's ledger on the web, in one command and one file."""

import os
import secrets
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from handan.cli.django import start
from handan.cli.notices import say
from handan.cli.output import write
from handan.errors import InputError

LOCAL = {"127.0.0.1", "localhost", "::1"}
FAULTS = 1


def command(
    database: Annotated[
        str | None, typer.Argument(metavar="FILE|URL", help="SQLite file or URL; else as configured: club.db.")
    ] = None,
    *,
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="Port to listen on.", min=1, max=65535)] = 8000,
    workers: Annotated[int, typer.Option("--workers", help="Processes.", min=1, max=64)] = 1,
    name: Annotated[str, typer.Option("--name", help="Name of the first club, if there is none yet.")] = "Go club",
    system: Annotated[str, typer.Option("--system", help="Its rating system.")] = "points",
    demo: Annotated[bool, typer.Option("--demo", help="Serve populated clubs, thrown away at the end.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Say what is unsafe, and serve nothing.")] = False,
) -> None:
    """Serve the clubs of a database; it is made and brought up to date if need be."""
    if check:
        raise typer.Exit(_check(database))
    if demo:
        if host not in LOCAL:
            raise InputError(f"--demo has known passwords; it is served on this machine only, not on {host}")
        with TemporaryDirectory(prefix="handan-demo-") as folder:
            os.environ["HANDAN_DEMO"] = "yes"
            _serve(f"sqlite:///{Path(folder) / 'demo.db'}", host, port, workers, demo=True)
        return
    _serve(database, host, port, workers, name=name, system=system)


def _serve(
    database: str | None, host: str, port: int, workers: int, *, demo: bool = False, name: str = "", system: str = ""
) -> None:
    _keep_secret(database)
    os.environ.setdefault("HANDAN_HOSTS", ",".join(sorted({"localhost", "127.0.0.1", "[::1]", host})))
    start(database)
    from handan.club import keeping

    kept = keeping.migrate()
    if kept:
        say(f"the database is brought up to date; as it was: {kept}")
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}/"
    if demo:
        from handan.club.demo import ACCOUNTS, PASSWORD, build

        build()
        say(f"accounts: {', '.join(ACCOUNTS)}; password of all: {PASSWORD}")
    else:
        _first_club(name, system, address)
    say(f"serving {address} (stop with Ctrl-C)")
    import multiprocessing

    from django.db import connections
    from granian.constants import Interfaces
    from granian.server import Server

    connections.close_all()
    multiprocessing.set_start_method("spawn", force=True)  # the threads of polars do not live on in a forked process
    Server(
        "handan.web.wsgi:application",
        address=host,
        port=port,
        interface=Interfaces.WSGI,
        workers=workers,
        blocking_threads=4,
        workers_kill_timeout=20,
        respawn_failed_workers=True,
        log_access=False,
        log_level="warning",  # type: ignore[arg-type]
    ).serve()


def _first_club(name: str, system: str, address: str) -> None:
    """Make the first club, and print the link of its administrator as long as there is none."""
    from handan.club.members import Actor, invite
    from handan.club.models import Club, Membership, Role
    from handan.club.rules import checked
    from handan.club.writing import create_club

    club = Club.objects.order_by("pk").first() or create_club("club", name, checked(system, {}))
    if not Membership.objects.filter(role=Role.ADMINISTRATOR).exists():
        secret = invite(Actor(club, Role.ADMINISTRATOR), Role.ADMINISTRATOR)
        write(f"administrator of {club.name}, once: {address}join/{secret}/")


def _keep_secret(database: str | None) -> None:
    """Make a key that signs sessions, once, beside the database file, readable by its owner only."""
    from handan.web.configuration import configured

    told = configured()
    if told.secret_key:
        return
    url = database if database and "://" in database else f"sqlite:///{database}" if database else told.database
    home = Path(url.removeprefix("sqlite:///")).absolute().parent if url.startswith("sqlite:///") else Path.cwd()
    if not home.is_dir():
        raise InputError(f"folder {home} is not there; make it first")
    if url.startswith("sqlite:///"):
        os.close(os.open(url.removeprefix("sqlite:///"), os.O_CREAT | os.O_RDWR, 0o600))  # for its owner only
    file = home / ".handan-secret"
    if not file.exists():
        with os.fdopen(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as out:
            out.write(secrets.token_urlsafe(50))
    os.environ["HANDAN_SECRET_KEY"] = file.read_text(encoding="ascii").strip()


def _check(database: str | None) -> int:
    """Print what is unsafe for a server that others reach; return the exit status."""
    start(database)
    from django.conf import settings
    from django.core.checks import Tags, run_checks

    from handan.web.configuration import configured

    told = configured()
    found = []
    if not told.secret_key and not os.environ.get("HANDAN_SECRET_KEY"):
        found.append(
            "secret_key: not set; `handan serve` keeps one beside the database, several machines need the same"
        )
    if set(told.hosts) <= {"localhost", "127.0.0.1", "[::1]"}:
        found.append("hosts: only this machine; name the server, such as hosts = ['go.example.org']")
    if "*" in told.hosts:
        found.append("hosts: '*' answers to every name; name the server")
    if told.debug:
        found.append("debug: shows the inside of the program to everybody")
    if told.demo:
        found.append("demo: has known passwords")
    if not told.https:
        found.append("https: off; passwords and sessions would travel readable")
    name = settings.DATABASES["default"]["NAME"]
    if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3") and Path(name).exists():
        mode = Path(name).stat().st_mode & 0o077
        if mode:
            found.append(f"{name}: others on this machine may read it; chmod 600")
    if told.https:
        messages = run_checks(tags=[Tags.security], include_deployment_checks=True)
        found += [f"{message.id}: {message.msg}" for message in messages if message.id != "security.W021"]
    for text in found:
        write(text)
    write(f"{len(found)} things are unsafe" if found else "nothing unsafe was found")
    return FAULTS if found else 0
