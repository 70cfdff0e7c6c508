"""Run the command line inside the test's process, and write the small files that it reads."""

from __future__ import annotations

import contextlib
import csv
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from handan.cli import main

GAMES = ("date", "black", "white", "result", "handicap", "komi", "kind")
ADJUSTMENTS = ("player", "rank", "rating", "date", "note")


@dataclass(frozen=True)
class Run:
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on stdout."""
        return json.loads(self.out, parse_constant=_refuse)

    @property
    def csv(self) -> list[dict[str, str]]:
        """The rows on stdout."""
        return list(csv.DictReader(io.StringIO(self.out)))


def _refuse(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")


def run(*arguments: object, stdin: bytes = b"") -> Run:
    """Run `handan` with arguments and standard input; nothing is a terminal."""
    streams = [io.BytesIO(), io.BytesIO()]
    out, err = (io.TextIOWrapper(stream, encoding="utf-8", write_through=True) for stream in streams)
    source = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), mock.patch("sys.stdin", source):
        status = main([str(argument) for argument in arguments])
    return Run(status, *(stream.getvalue().decode() for stream in streams))


def table(path: Path, header: tuple[str, ...], *rows: str) -> Path:
    """Write rows of cells, separated by commas, under a header."""
    path.write_text("\n".join([",".join(header), *rows]) + "\n", encoding="utf-8")
    return path


def games(path: Path, *rows: str) -> Path:
    """Write a games table."""
    return table(path, GAMES, *rows)


def adjustments(path: Path, *rows: str) -> Path:
    """Write an adjustments table."""
    return table(path, ADJUSTMENTS, *rows)
