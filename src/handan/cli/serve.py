"""`handan serve`: a club's ledger on the web, in one command and one file."""

import os
import socket
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from time import sleep
from typing import Annotated

import typer

from handan.cli.django import keep_private, public_address, start
from handan.cli.notices import say, working
from handan.cli.output import write
from handan.cli.serve_file import is_shown, read_shown, show, watch
from handan.errors import InputError

LOCAL = {"127.0.0.1", "localhost", "::1"}
MOMENT = 0.1  # seconds between two looks whether the pages answer; our choice
EVERY = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  # compared with, not listened on
"""What stands for every address of the machine, and its own; no browser opens the first."""
FAULTS = 1
MOST_WORKERS = 8  # our choice: as many as are begun where nobody says how many; each has some 150 MB
OPEN = 4_096  # our choice: connections of a worker, most of which are idle; a later one waits to be accepted
HEAD = 10_000  # milliseconds; our choice: in which the head of a request is there
ALGEBRA = "OPENBLAS_NUM_THREADS"
"""By it NumPy's linear algebra begins so many threads, else one a processor: each start pays, no page needs them."""
PATIENCE = 40  # seconds for answers under way after a stop, longer than a writer waits for the others


def command(
    database: Annotated[
        str | None,
        typer.Argument(metavar="FILE|URL", help="SQLite file or URL, else as configured: club.db; or games."),
    ] = None,
    *,
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="Port to listen on.", min=1, max=65535)] = 8000,
    workers: Annotated[
        int | None, typer.Option("--workers", help="Processes, else one for each processor.", min=1, max=64)
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", help="Name of the first club, if there is none yet; else Go club.")
    ] = None,
    system: Annotated[
        str | None, typer.Option("--system", "-s", help="Its rating system, if there is none yet; else points.")
    ] = None,
    demo: Annotated[bool, typer.Option("--demo", help="Serve populated clubs, thrown away at the end.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Say what is unsafe, and serve nothing.")] = False,
    once: Annotated[bool, typer.Option("--once", help="Do not watch a file of games for changes.")] = False,
) -> None:
    """Serve the clubs of a database, or show a file of games.

    A database is made and brought up to date if need be. Files of games are only shown: nothing can be entered, and the
    pages follow the file.

    With --check the exit status is 1 if anything is unsafe for a server that others reach.
    """
    if demo and host not in LOCAL:
        raise InputError(f"--demo has known passwords; it is served on this machine only, not on {host}")
    if check:
        raise typer.Exit(_check(database, demo=demo))
    with ExitStack() as stack:
        shown = None if demo or not is_shown(database) else Path(str(database))
        if shown is not None and not once:
            number = str(workers) if workers else None
            given = [
                ("--host", host),
                ("--port", str(port)),
                ("--workers", number),
                ("--name", name),
                ("--system", system),
            ]
            arguments = [text for key, value in given if value is not None for text in (key, value)]
            _refuse_taken(host, port)
            raise typer.Exit(watch(shown, arguments, lambda: read_shown(shown, system, name)))
        if demo:
            database = str(Path(stack.enter_context(TemporaryDirectory(prefix="handan-demo-"))) / "demo.db")
            os.environ["HANDAN_DEMO"] = "yes"
        from handan.web.configuration import READY

        workers = workers or processors()
        if workers > 1:  # they count together
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = stack.enter_context(TemporaryDirectory(prefix="handan-figures-"))
        if READY not in os.environ:  # else it takes the place of one that listens there
            _refuse_taken(host, port)
        if shown is None:
            _prepare(database, host)
        else:
            stack.enter_context(show(shown, system, name, lambda file: _prepare(file, host)))
        address = f"http://{f'[{nearby(host)}]' if ':' in host else nearby(host)}:{port}/"
        if shown is None:
            _fill(name, system, address, demo=demo)
        _say_day()
        Thread(target=_say_when_it_answers, args=(nearby(host), port, address), daemon=True).start()
        _serve(host, port, workers)


def nearby(host: str) -> str:
    """Return the address at which this machine reaches a server that listens on a host."""
    return EVERY.get(host, host)


def _say_when_it_answers(host: str, port: int, address: str) -> None:
    """Say that pages are served once they are: programs that wait for this line ask at once."""
    answered = b""
    while not answered:
        with suppress(OSError), socket.create_connection((host, port), timeout=MOMENT) as connection:
            connection.settimeout(None)
            connection.sendall(b"GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n")
            answered = connection.recv(1)
        sleep(MOMENT)
    say(f"serving {address} (stop with Ctrl-C)")


def processors() -> int:
    """Return how many processes serve where nobody says so: as many as there are processors for them."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, MOST_WORKERS)


def _refuse_taken(host: str, port: int) -> None:
    """Refuse a port on which another program listens; the server itself would share it without a word."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((host, port))
        except OSError as error:
            raise InputError(f"cannot listen on {host} port {port}: {error.strerror or error}") from None


def _prepare(database: str | None, host: str) -> None:
    """Start Django on a database that is up to date, with a secret that stays the same."""
    from handan.web.configuration import configured

    start(database)
    config = configured()
    if sys.stderr.isatty():  # who watches a terminal wants to see what is wrong, not each request
        os.environ.setdefault("HANDAN_LOG_LEVEL", "warning")
    if host not in LOCAL | EVERY.keys() and host not in config.hosts:
        os.environ["HANDAN_HOSTS"] = ",".join([*config.hosts, host])
    key = _keep_secret(config.secret_key)
    from handan.club.store import backup

    keep_private()
    with working("preparing the database") as progress:
        kept = backup.migrate(progress)
    if kept:
        say(f"the database is brought up to date; as it was: {kept}")
    from handan.web.operations.signing_key import signed_by_another

    if signed_by_another(key):
        say("sessions of this database were signed by another key: who is signed in signs in again; "
            "servers on several hosts need the same secret_key")  # fmt: skip


def _fill(name: str | None, system: str | None, address: str, *, demo: bool) -> None:
    """Make what is to be served, and print how to sign in."""
    if demo:
        from handan.club.store.demo import ACCOUNTS, PASSWORD, build

        build()
        write(f"accounts: {', '.join(ACCOUNTS)}; password of all: {PASSWORD}")
        return
    from handan.club.rules import checked
    from handan.club.store.access import Actor
    from handan.club.store.clock import today
    from handan.club.store.database import alone_before_the_database
    from handan.club.store.members import invite
    from handan.club.store.models import Club, Membership, Role
    from handan.club.store.states import state_of
    from handan.club.store.writing import create_club

    rules = checked(system or "points", {})
    with alone_before_the_database():
        there = Club.objects.order_by("pk").first()
        club = there or create_club("club", name or "Go club", rules)
    if there and (name not in {None, there.name} or system not in {None, state_of(there).rules_on(today()).system}):
        say(f"{there.name} is here already; --name and --system are for a file without a club")
    if not Membership.objects.filter(role=Role.ADMINISTRATOR).exists():
        secret = invite(Actor(club, Role.ADMINISTRATOR), Role.ADMINISTRATOR)
        write(f"a link that works once, for the administrator of {club.name}: {public_address(address)}join/{secret}/")


def _say_day() -> None:
    """Say which day it is by the server's zone, which clubs have that set none, and whether its clock is behind."""
    from django.conf import settings

    from handan.club.store.clock import ahead, today

    say(f"today is {today()}, zone {settings.TIME_ZONE}")
    for slug, by in ahead().items():
        say(f"{slug}: its last entry is {by} later than now; look at this machine's clock")


def _serve(host: str, port: int, workers: int) -> None:
    """Answer requests until a signal stops it; answers under way are finished first."""
    import multiprocessing

    from django.db import connections
    from granian.constants import HTTPModes, Interfaces
    from granian.http import HTTP1Settings
    from granian.server import Server

    from handan.web.operations.logs import logging_configuration

    connections.close_all()
    os.environ.setdefault(ALGEBRA, "1")
    multiprocessing.set_start_method("spawn", force=True)  # the threads of polars do not live on in a forked process
    server = Server(
        "handan.web.asgi:application",
        address=host,
        port=port,
        interface=Interfaces.ASGINL,
        http=HTTPModes.http1,  # a connection of the next version may have hundreds of unfinished requests
        http1_settings=HTTP1Settings(header_read_timeout=HEAD),
        workers=workers,
        backpressure=OPEN,
        workers_kill_timeout=PATIENCE,
        respawn_failed_workers=True,
        websockets=False,
        log_level="warning",  # type: ignore[arg-type]  # granian reads the word
        log_dictconfig=logging_configuration("warning"),
    )
    server.serve()


def _keep_secret(configured_key: str) -> str:
    """Pass the key that signs sessions to the processes that serve: the configured one, else the one kept in a file.

    Returns:
        The key.
    """
    from handan.web.operations.safety import secret_file
    from handan.web.operations.signing_key import refuse_short, signing_key

    if configured_key:
        refuse_short(configured_key)
        return configured_key
    key = os.environ["HANDAN_SECRET_KEY"] = signing_key(secret_file())
    return key


def _check(database: str | None, *, demo: bool) -> int:
    """Print what is unsafe for a server that others reach; return the exit status."""
    if demo:
        os.environ["HANDAN_DEMO"] = "yes"
    start(database)
    from handan.web.configuration import configured
    from handan.web.operations.safety import faults

    dangers = faults(configured())
    for text in dangers:
        write(text)
    write(f"{len(dangers)} unsafe" if dangers else "nothing unsafe was found")
    return FAULTS if dangers else 0
