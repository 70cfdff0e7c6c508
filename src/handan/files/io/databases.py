"""Games that stand in a database: the answer to a query, read without writing, within the limits of files."""

from __future__ import annotations

import os
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from handan.errors import InputError, counted
from handan.files.io.addresses import ADDRESS, address_of, is_address, shown_address

if TYPE_CHECKING:
    from handan.files.io.limits import Limits

DRIVERS = {
    "sqlite": ("sqlite3", ""), "postgresql": ("psycopg", "handan[postgresql]"),
    "postgres": ("psycopg", "handan[postgresql]"), "duckdb": ("duckdb", "duckdb"),
}  # fmt: skip
"""The package that reads a database by the scheme of its address, and what is installed for it."""
ROWS = 100_000  # that are taken at once; our choice


def is_database(path: object) -> bool:
    """Return whether something is the address of a database, such as `postgresql://user@host/name`."""
    if not isinstance(path, (str, os.PathLike)) or not is_address(path):
        return False
    match = ADDRESS.match(os.fspath(path))
    return match is not None and match[1].lower() in DRIVERS


def answered(path: str | os.PathLike[str], query: str | None, limits: Limits) -> pl.DataFrame:
    """Return what a database answers to a query.

    Raises:
        InputError: No query was given, the driver is not installed, the database cannot be reached or refuses the
            query, or it answers with more rows than a file may have games.
    """
    address = address_of(path)
    name, scheme = shown_address(address), address.partition(":")[0].lower()
    if not query:
        raise InputError(f'{name} is a database; give --query "select date, black, white, result from …"')  # noqa: S608  # a message
    package, install = DRIVERS[scheme]
    try:
        driver = import_module(package)
    except ImportError:
        raise InputError(f"{name} is read with {package}: pip install '{install}'") from None
    try:
        with closing(_connected(driver, scheme, address)) as connection:
            frames, rows = [], 0
            for frame in pl.read_database(query, connection, iter_batches=True, batch_size=ROWS):
                frames.append(frame)
                rows += frame.height
                if rows > limits.games:
                    raise limits.exceeded("games", name)
    except InputError:
        raise
    except Exception as error:  # noqa: BLE001  # drivers raise errors of their own
        raise InputError(f"{name} does not answer the query: {_first_line(error)}") from None
    if not rows:
        raise InputError(f"{name} answers the query with {counted(0, 'row')}")
    return pl.concat(frames, how="vertical_relaxed")


def _connected(driver: Any, scheme: str, address: str) -> Any:
    """Return a connection that writes nothing."""
    if scheme in {"postgresql", "postgres"}:
        connection = driver.connect(address, connect_timeout=30)
        connection.read_only = True
        return connection
    file = _file(address.partition("://")[2])
    if scheme == "duckdb":
        return driver.connect(str(file), read_only=True)
    return driver.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)


def _file(text: str) -> Path:
    """Return the file of an address: in this folder, else from the root, since a `Path` keeps one slash."""
    beside = Path(text.lstrip("/"))
    return beside if beside.exists() else Path("/") / beside


def _first_line(error: Exception) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)
