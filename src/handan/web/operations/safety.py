"""What is unsafe for a server that others reach, in words."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import Tags, run_checks

from handan.web.configuration import FILE, LOCAL, Configuration, misspelt
from handan.web.operations.signing_key import key_faults

SECRET = ".handan-secret"  # noqa: S105  # the name of a file
OURS = {
    "security.W004",  # HSTS: comes with https
    "security.W005",  # HSTS of other names of the domain: not ours to decide
    "security.W008",  # redirection: comes with https
    "security.W012",  # cookies: come with https
    "security.W016",  # cookies: come with https
    "security.W018",  # debug: said in our words
    "security.W021",  # preloading in browsers: cannot be undone, so never advised
}
"""Remarks of Django's `check --deploy` that are said here in other words, or do not hold for a club's server."""
ENCRYPTED = {"require", "verify-ca", "verify-full"}


def faults(config: Configuration) -> list[str]:
    """Return one line for each thing that is unsafe: what it is, and what would be right."""
    key = [] if config.secret_key or not secret_file().exists() else key_faults(secret_file())
    return [*_configured(config), *key, *_database(settings.DATABASES["default"]), *_readable(), *_django()]


def secret_file() -> Path:
    """Return where the key that signs sessions is kept: beside an SQLite file, else in the working folder."""
    database = settings.DATABASES["default"]
    home = Path(str(database["NAME"])).absolute().parent if _is_file(database) else Path.cwd()
    return home / SECRET


def _configured(config: Configuration) -> Iterator[str]:
    yield from misspelt(os.environ)
    if config.debug:
        yield "debug: shows the inside of the program to everybody; turn it off"
    if config.demo:
        yield "demo: its passwords are known to everybody; serve it on this machine only"
    if not config.https:
        yield "https: off, so that passwords and sessions travel readable; serve behind HTTPS, and set https = true"
    if set(config.hosts) <= set(LOCAL):
        yield "hosts: only this machine; name the server, such as hosts = ['go.example.org']"
    if any(host.startswith(("*", ".")) for host in config.hosts):
        yield "hosts: a pattern answers to names that are not yours; name the server in full"
    if config.email and not config.mails:
        yield "email: without https and a name in hosts no link is mailed, since it would lead nowhere"
    if config.https and not config.behind_proxy:
        yield "behind_proxy: off, though https needs a proxy before this server; set it"


def _database(database: dict[str, Any]) -> Iterator[str]:
    if _is_file(database):
        return
    host = str(database.get("HOST") or "")
    local = not host or host.startswith("/") or host in LOCAL
    if not local and database.get("OPTIONS", {}).get("sslmode") not in ENCRYPTED:
        yield f"database: the way to {host} may be readable; add ?sslmode=verify-full to its URL"


def _readable() -> Iterator[str]:
    """Say which files others on this machine may read, and which folder they may write to."""
    files = [Path(os.environ[FILE])] if os.environ.get(FILE) else []
    database = settings.DATABASES["default"]
    if _is_file(database):
        name = str(database["NAME"])
        files += [Path(name), Path(f"{name}-wal"), *Path(name).absolute().parent.glob(f"{Path(name).name}.*.backup")]
    for path in files:
        if path.exists() and path.stat().st_mode & 0o077:
            yield f"{path}: others on this machine may read it; chmod 600"
    home = secret_file().parent
    if home.is_dir() and home.stat().st_mode & 0o022:
        yield f"{home}: others on this machine may replace its files; chmod 700"


def _django() -> Iterator[str]:
    for message in run_checks(tags=[Tags.security], include_deployment_checks=True):
        if message.id not in OURS:
            yield f"{message.id}: {message.msg}"


def _is_file(database: dict[str, Any]) -> bool:
    return str(database["ENGINE"]).endswith("sqlite3")
