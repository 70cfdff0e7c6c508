"""The server's configuration: environment variables before one TOML file before defaults that are safe on localhost."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from handan.club.zones import zone_of
from handan.errors import InputError, closest, shown
from handan.files.io.limits import MOST_REQUEST
from handan.wording.languages import LANGUAGES

FILE = "HANDAN_CONFIG"
READY = "HANDAN_READY"
"""Names a file that a process makes when it can answer; who starts one in the place of another waits for it."""
OTHERS = {FILE, READY, "HANDAN_TEST_DATABASE"}
"""Variables of other use whose names are like keys."""
DATABASE = "DATABASE_URL"
LOCAL = ("localhost", "127.0.0.1", "[::1]")
LEVELS = ("debug", "info", "warning", "error")
DATABASES = ("sqlite:///", "postgresql://", "postgres://")
MAIL = ("smtp", "smtps")
HOST = re.compile(r"\*|\.?[\w.-]+|\[[0-9a-f:.]+\]", re.IGNORECASE)
ORIGIN = re.compile(r"https?://[\w.-]+(:\d{1,5})?")


@dataclass(frozen=True, slots=True)
class Configuration:
    """What the operator says; each field is `HANDAN_<FIELD>` in the environment and a key of the TOML file."""

    database: str = "sqlite:///club.db"
    """`sqlite:///file` or `postgresql://user:password@host/name`; DATABASE_URL goes before it."""
    secret_key: str = ""
    """Signs sessions and links; empty: made once and kept beside the database."""
    hosts: tuple[str, ...] = LOCAL
    """Names under which the server is reached; this machine itself always may."""
    https: bool = False
    """Whether it is reached by HTTPS only, as it must be outside one machine."""
    behind_proxy: bool = False
    """Whether a reverse proxy of yours sets X-Forwarded-Proto and X-Forwarded-For."""
    allowed_origins: tuple[str, ...] = ()
    """Websites such as https://fed.example whose pages may show ladders and cards in frames, and read what visitors
    see."""
    time_zone: str = ""
    """Of clubs that have set none, such as Africa/Johannesburg; it says which day it is. Empty: this machine's."""
    language: str = "en"
    """Of pages for browsers that ask for none of the languages there are."""
    email: str = ""
    """`smtp://user:password@host:587` for links to a new password, with `https`; empty: a secretary hands them out."""
    sender: str = "handan@localhost"
    """Address from which mail is sent."""
    log_level: str = "info"
    """`debug`, `info` (a line for each request), `warning` or `error`."""
    metrics_token: str = ""
    """Whoever shows it as a bearer token may read /metrics; empty: programs on this machine only."""
    debug: bool = False
    demo: bool = False
    """Whether visitors may sign in as members of the demonstration club."""
    read_only: bool = False
    """Whether nothing can be changed, as when a file is only shown."""
    upload_limit: int = MOST_REQUEST
    """Largest upload in bytes."""
    writes_a_minute: int = 120
    """Most changes that one account, or the tablet, may write in a minute."""
    computing_seconds: int = 20
    """Seconds of computing that one account or address has in hand for what is not kept; a fifth of a second comes back
    each second."""
    sign_ins_an_hour: int = 20
    """Most wrong passwords for one account from one address before both wait for an hour; ten times as many for all
    accounts from there."""

    @property
    def zone(self) -> str:
        """Name of the zone in which the days of clubs begin that have set none."""
        return self.time_zone or system_zone()

    @property
    def address(self) -> str:
        """Where others reach the server, as `https://go.example.org`: the first full name in `hosts`; empty if none."""
        named = [host for host in self.hosts if host not in LOCAL and not host.startswith(("*", "."))]
        return f"https://{named[0]}" if self.https and named else ""

    @property
    def mails(self) -> bool:
        """Whether it mails links: it has a mail server and knows the address that the links bear."""
        return bool(self.email and self.address)


def system_zone(
    environment: Mapping[str, str] | None = None,
    link: Path = Path("/etc/localtime"),
    name: Path = Path("/etc/timezone"),
) -> str:
    """Return the name of this machine's zone: by TZ, else by its files; UTC where neither names one."""
    named = [(os.environ if environment is None else environment).get("TZ", "").removeprefix(":")]
    with suppress(OSError):
        named.append(str(link.resolve(strict=True)).partition("zoneinfo/")[2])
    with suppress(OSError, UnicodeDecodeError):
        named.append(name.read_text(encoding="utf-8").strip())
    return next((zone for zone in named if zone and zone_of(zone)), "UTC")


def configured(environment: Mapping[str, str] | None = None) -> Configuration:
    """Read the configuration; InputError names the key or variable that is wrong."""
    environment = os.environ if environment is None else environment
    keys = {field.name: field for field in fields(Configuration)}
    given: dict[str, Any] = {}
    if path := environment.get(FILE):
        given = _file(Path(path), list(keys))
    for name in keys:
        variable = f"HANDAN_{name.upper()}"
        if variable in environment:
            given[name] = environment[variable]
    if environment.get(DATABASE):
        given["database"] = environment[DATABASE]
    values = {name: _value(name, value, type(keys[name].default)) for name, value in given.items()}
    return _sound(Configuration(**values))


def misspelt(environment: Mapping[str, str]) -> list[str]:
    """Return a line for each variable of an environment whose name looks like a misspelt key of the configuration."""
    keys = [field.name for field in fields(Configuration)]
    own = {name: name.removeprefix("HANDAN_").lower() for name in environment if name.startswith("HANDAN_")}
    others = {name: key for name, key in own.items() if key not in keys and name not in OTHERS}
    hints = {name: closest(key, keys) for name, key in others.items()}
    return [f"{name} is not read{hint}" for name, hint in sorted(hints.items()) if hint]


def _sound(config: Configuration) -> Configuration:
    """Refuse words that the server would stumble over later."""
    if not config.database.startswith(DATABASES):
        scheme = config.database.partition("://")[0]
        raise InputError(f"configuration: database {shown(scheme)} is not sqlite:///FILE or postgresql://…")
    try:
        ZoneInfo(config.zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InputError(
            f"configuration: time_zone={shown(config.time_zone)} is not a zone such as Africa/Johannesburg"
        ) from None
    if config.language not in LANGUAGES:
        raise InputError(f"configuration: language={shown(config.language)} is not one of {', '.join(LANGUAGES)}")
    if config.log_level not in LEVELS:
        raise InputError(f"configuration: log_level={shown(config.log_level)} is not one of {', '.join(LEVELS)}")
    for host in config.hosts:
        if not HOST.fullmatch(host):
            raise InputError(
                f"configuration: hosts: {shown(host)} is no name such as go.example.org, without https:// and port"
            )
    for origin in config.allowed_origins:
        if not ORIGIN.fullmatch(origin):
            raise InputError(
                f"configuration: allowed_origins: {shown(origin)} is no origin such as https://fed.example"
            )
    if config.email and urlsplit(config.email).scheme not in MAIL:
        raise InputError("configuration: email is not smtp://user:password@host:587 or smtps://…")
    return config


def _file(path: Path, keys: list[str]) -> dict[str, Any]:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: {error}") from None
    for name in table:
        if name not in keys:
            raise InputError(f"{path}: {shown(name)} is no key of the configuration{closest(name, keys)}")
    return table


def _value(name: str, value: Any, kind: type) -> Any:
    """Return a value in its type, from TOML or from text."""
    text = value.strip() if isinstance(value, str) else value
    if kind is tuple and isinstance(text, str | list):
        parts = text.split(",") if isinstance(text, str) else text
        return tuple(part for part in (str(part).strip() for part in parts) if part)
    if kind is bool and isinstance(text, str) and text.lower() in {"yes", "true", "on", "1", "no", "false", "off", "0"}:
        return text.lower() in {"yes", "true", "on", "1"}
    if kind is int and isinstance(text, str) and text.isdecimal():
        return int(text)
    if type(text) is kind and not (isinstance(text, int) and text < 0):
        return text
    what = {bool: "yes or no", int: "a whole number, 0 or more", str: "text", tuple: "a list of texts"}[kind]
    raise InputError(f"configuration: {name}={shown(str(value))} is not {what}")
