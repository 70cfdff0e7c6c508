"""Tables of a database: games that answer a query, read without writing, and results that are put into a table."""

from __future__ import annotations

import os
import re
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any

import polars as pl

from handan.errors import InputError
from handan.files.io import addresses
from handan.files.io.addresses import ADDRESS, address_of, is_address
from handan.files.io.limits import Limits

DRIVERS = {
    "sqlite": ("sqlite3", ""), "postgresql": ("psycopg", "handan[postgresql]"),
    "postgres": ("psycopg", "handan[postgresql]"), "duckdb": ("duckdb", "duckdb"),
}  # fmt: skip
"""The package that reads a database by the scheme of its address, and what is installed for it."""
POSTGRESQL = {"postgresql", "postgres"}
OF_FILES = {"sqlite", "duckdb"}
TABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,62}(\.[A-Za-z_][A-Za-z0-9_]{0,62})?")
ROWS = 100_000  # that are taken at once; our choice


def is_database(path: object) -> bool:
    """Return whether something is the address of a database, such as `postgresql://user@host/name`."""
    if not isinstance(path, (str, os.PathLike)) or not is_address(path):
        return False
    match = ADDRESS.match(os.fspath(path))
    return match is not None and match[1].lower() in DRIVERS


def read_query(path: str | os.PathLike[str], query: str | None, limits: Limits) -> pl.DataFrame:
    """Return what a database answers to a query.

    Raises:
        InputError: No query was given, the driver is not installed, the database cannot be reached or refuses the
            query, or it answers with more rows than a file may have games.
    """
    address = address_of(path)
    name, scheme = shown_address(address), _scheme(address)
    if not query:
        raise InputError(f'{name} is a database; give --query "select date, black, white, result from …"')  # noqa: S608  # a message
    driver = _driver(address)
    try:
        with closing(_connected(driver, scheme, address)) as connection:
            frames, rows = [], 0
            for frame in pl.read_database(query, connection, iter_batches=True, batch_size=ROWS):
                frames.append(frame)
                rows += frame.height
                limits.check("games", rows, name)
            if not frames:  # an hour without games: the columns alone
                frames = [pl.read_database(query, connection).with_columns(pl.col(pl.Null).cast(pl.String))]
    except InputError:
        raise
    except pl.exceptions.DuplicateError as error:
        column = str(error).partition(" appears ")[0]
        raise InputError(f"{name} answers with {column} twice; every column needs its own name") from None
    except Exception as error:  # noqa: BLE001  # drivers raise errors of their own
        raise InputError(f"{name} does not answer the query: {_first_line(error)}") from None
    return pl.concat(frames, how="vertical_relaxed")


def shown_address(address: str) -> str:
    """Return an address for messages, without passwords: that of a file of a database as it can be given again."""
    scheme = _scheme(address)
    if scheme not in OF_FILES:
        return addresses.shown_address(address)
    return f"{scheme}:///{_file(address.partition('://')[2])}"


def replace_rows(frame: pl.DataFrame, path: str | os.PathLike[str], table: str) -> None:
    """Put rows into a table of a database in place of those that it has, all in one transaction.

    The table is made where there is none; one that is there keeps its indexes and rights.

    Args:
        frame: The rows; its columns are those of the table.
        path: The address of the database, such as `postgresql://user@host/name` or `sqlite:///club.db`.
        table: Its name, with a schema and a dot before it or without.

    Raises:
        InputError: The name is none, the driver is not installed, the database cannot be reached, or its table has
            other columns.
    """
    if not TABLE.fullmatch(table):
        raise InputError(f"{table!r} is no name of a table: letters, digits and _")
    address = address_of(path)
    scheme, driver = _scheme(address), _driver(address)
    quoted = ".".join(f'"{part}"' for part in table.split("."))
    columns = ", ".join(f'"{name}"' for name in frame.columns)
    made = ", ".join(f'"{name}" {_type(kind)}' for name, kind in frame.schema.items())
    marks = ", ".join(["%s" if scheme in POSTGRESQL else "?"] * frame.width)
    try:
        with closing(_connected(driver, scheme, address, writes=True)) as connection:
            cursor = connection.cursor()
            cursor.execute("BEGIN")
            cursor.execute(f"CREATE TABLE IF NOT EXISTS {quoted} ({made})")
            cursor.execute(f"DELETE FROM {quoted}")  # noqa: S608  # the name is letters and digits
            if frame.height:
                rows = frame.with_columns(pl.col(pl.Date).cast(pl.String)).rows()  # of a table from before, text
                cursor.executemany(f"INSERT INTO {quoted} ({columns}) VALUES ({marks})", rows)  # noqa: S608
            cursor.execute("COMMIT")
    except Exception as error:  # noqa: BLE001  # drivers raise errors of their own
        name = shown_address(address)
        raise InputError(f"{name} does not take the rows into its table {table}: {_first_line(error)}") from None


def _type(kind: pl.DataType) -> str:
    """Return the type of a column in SQL."""
    if kind == pl.Date:
        return "DATE"
    return "DOUBLE PRECISION" if kind.is_float() else "BIGINT" if kind.is_integer() else "TEXT"


def _scheme(address: str) -> str:
    return address.partition(":")[0].lower()


def _driver(address: str) -> Any:
    """Return the package that speaks with a database; InputError where it is not installed."""
    package, install = DRIVERS[_scheme(address)]
    try:
        return import_module(package)
    except ImportError:
        raise InputError(f"{shown_address(address)} is read with {package}: pip install '{install}'") from None


def _connected(driver: Any, scheme: str, address: str, *, writes: bool = False) -> Any:
    """Return a connection, which reads only unless it `writes`."""
    if scheme in POSTGRESQL:
        connection = driver.connect(address, connect_timeout=30, autocommit=writes)
        if not writes:
            connection.read_only = True
        return connection
    file = _file(address.partition("://")[2], writes=writes)
    if not writes and not file.is_file():
        raise InputError(f"{shown_address(address)}: there is no such file")
    if scheme == "duckdb":
        return driver.connect(str(file), read_only=not writes)
    mode = "rwc" if writes else "ro"
    return driver.connect(f"{file.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None)


def _file(text: str, *, writes: bool = False) -> Path:
    """Return the file of an address: in this folder, or from the root if it is there, since a `Path` keeps one slash.

    A file that is to be made is one of a folder that is there.
    """
    beside = Path(text.lstrip("/"))
    places = (beside, Path("/") / beside)
    return next((file for file in places if (file.parent.is_dir() if writes else file.exists())), beside)


def _first_line(error: Exception) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)
