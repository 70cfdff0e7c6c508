"""What goes to stdout: JSON, CSV and text, without colours or control characters that a name might hold."""

import csv
import io
import json
import math
import os
import sys
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import IO, Any, NoReturn

import typer

from handan.errors import InputError
from handan.words import JOINERS

BROKEN_PIPE = 141  # 128 + SIGPIPE, as shells report it


class Form(StrEnum):
    """How a command prints its answer."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    JSONL = "jsonl"
    MARKDOWN = "markdown"
    HTML = "html"


PEOPLE = frozenset((Form.TABLE, Form.MARKDOWN, Form.HTML))
"""Forms that people read; the others feed programs."""


def visible(text: str) -> str:
    """Return text with control characters shown as escapes, so that a name cannot steer the terminal."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in JOINERS else f"\\x{ord(c):02x}" for c in text)


def all_visible(texts: Sequence[str]) -> list[str]:
    """Return texts with control characters shown as escapes; most have none, which is seen of all at once."""
    return list(texts) if "".join(texts).isprintable() else [visible(text) for text in texts]


def write(text: str) -> None:
    """Write text and a line end to stdout, in UTF-8 unless a terminal wants another encoding."""
    stream = sys.stdout
    if isinstance(stream, io.TextIOWrapper):
        encoding = stream.encoding if stream.isatty() else "utf-8"
        stream.reconfigure(encoding=encoding, errors="backslashreplace", newline="\n")
    try:
        stream.write(text + "\n")
        stream.flush()
    except OSError as error:
        _refuse(stream, error)


def write_bytes(data: bytes) -> None:
    """Write a file to stdout as it is."""
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:  # where stdout takes text alone
        write(data.decode("utf-8", "backslashreplace").removesuffix("\n"))
        return
    try:
        stream.write(data)
        stream.flush()
    except OSError as error:
        _refuse(stream, error)


def _refuse(stream: IO[Any], error: OSError) -> NoReturn:
    """End a command that cannot write to stdout: silently where nobody reads on, else by InputError."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # else Python complains once more at its end
    if isinstance(error, BrokenPipeError):
        raise typer.Exit(BROKEN_PIPE) from None
    raise InputError(f"standard output cannot be written: {error.strerror}") from None


def plain(value: Any) -> Any:
    """Return a value as JSON knows it: NaN and infinities become null, numbers of arrays plain numbers."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, str | int | None):
        return value
    number = value.item() if hasattr(value, "item") else value
    if isinstance(number, float):
        return number if math.isfinite(number) else None
    return number if isinstance(number, int) else str(number)


def write_json(value: Any) -> None:
    """Write one JSON document; characters that are not printable are escaped."""
    text = json.dumps(plain(value), ensure_ascii=False, allow_nan=False, indent=2)
    write("\n".join(line if line.isprintable() else _escaped(line) for line in text.split("\n")))


def write_json_lines(rows: Sequence[Mapping[str, Any]]) -> None:
    """Write one JSON object a line."""
    texts = (json.dumps(plain(row), ensure_ascii=False, allow_nan=False) for row in rows)
    lines = "\n".join(text if text.isprintable() else _escaped(text) for text in texts)
    if lines:  # an empty line would be no JSON
        write(lines)


def _escaped(line: str) -> str:
    """Return a line of JSON whose unprintable characters, which only strings hold, are escaped."""
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in line)


def write_csv(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> None:
    """Write a header and rows with the quoting of RFC 4180, lines ending in LF as in the project's own tables.

    Names that a spreadsheet would take for formulas get an apostrophe in front, as in the tables of the server.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([_cell(row[name]) for name in names] for row in rows)
    content = text.getvalue().removesuffix("\n")
    write("\n".join(visible(line) for line in content.split("\n")) if sys.stdout.isatty() else content)


def _cell(value: Any) -> str:
    """Return the text of a CSV cell: nothing for null, whole numbers without a fraction."""
    from handan.files.io.csv_text import without_formulas

    data = plain(value)
    if data is None:
        return ""
    if isinstance(data, float) and data.is_integer() and abs(data) < 1e15:
        return str(int(data))
    if isinstance(data, bool):
        return "true" if data else "false"
    return without_formulas(data) if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
