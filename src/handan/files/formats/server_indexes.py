"""Indexes of game records of two servers: TYGEM and TOM, tab-separated rows without a header, White first."""

from __future__ import annotations

import re

import polars as pl

from handan.errors import Clause, InputError
from handan.files.games.columns import in_order, read_columns
from handan.files.games.contents import Contents, Gatherer
from handan.files.games.format import Format
from handan.files.games.text_lines import lines_of
from handan.files.io.options import Options

DATE = re.compile(r"C?(\d{4})\.(\d\d?)\.(\d\d?)(?: (\d\d?):(\d\d))?")
TYGEM_CELLS, TOM_CELLS = 10, 6
TYGEM_KOMI = "6.5"  # of all its games; it does not stand in the file


def _like(head: bytes, least: int, result: int) -> bool:
    """Return whether most rows have so many cells, a date in the second of them, and a result at a place."""
    if b"\t" not in head:
        return False
    lines = head.decode("utf-8", "replace").lstrip("\ufeff").splitlines()
    rows = [line.split("\t") for line in (lines[:-1] or lines) if line.strip()][:50]
    like = sum(len(cells) >= least and DATE.fullmatch(cells[1].strip()) is not None
               and cells[result].strip()[1:2] == "+" for cells in rows)  # fmt: skip
    return like > 0 and 2 * like > len(rows)


def read_tygem(data: bytes, source: str, options: Options) -> Contents:
    """Read TYGEM's index: id, date, White's name, id, nation, Black's, result, moves; all 9 dan and even."""
    cells = _cells(
        data, source, options, TYGEM_CELLS, "ten cells: id, date, white, id, nation, black, id, nation, result"
    )
    return _contents(cells, white=(3, 2), black=(6, 5), komi=None, result=8, moves=9, rank="9d")


def read_tom(data: bytes, source: str, options: Options) -> Contents:
    """Read TOM's index: id, date, White, Black, komi, result, moves."""
    cells = _cells(data, source, options, TOM_CELLS, "six cells: id, date, white, black, komi, result")
    return _contents(cells, white=(2,), black=(3,), komi=4, result=5, moves=6, rank="")


def _cells(
    data: bytes, source: str, options: Options, least: int, expected: str
) -> tuple[list[list[str]], list[int], Gatherer]:
    """Return the rows, their lines, and the gatherer of the rows that are too short."""
    gatherer = Gatherer(source)
    rows: list[list[str]] = []
    lines: list[int] = []
    for number, line in enumerate(lines_of(data, gatherer, options, "gb18030"), 1):
        cells = [cell.strip() for cell in line.split("\t")]
        if not line.strip():
            continue
        if len(cells) < least:
            gatherer.reject(number, "row", line.strip()[:60], expected)
            continue
        rows.append(cells)
        lines.append(number)
        options.limits.check("games", len(rows), source)
    if not rows and not gatherer.problems:
        raise InputError(Clause.of("{source} has no row of a game", source=source))
    return rows, lines, gatherer


def _contents(
    cells: tuple[list[list[str]], list[int], Gatherer], *, white: tuple[int, ...], black: tuple[int, ...],
    komi: int | None, result: int, moves: int, rank: str,
) -> Contents:  # fmt: skip
    """Return the games of rows whose cells stand at these places; a player's key is the first that is not empty."""
    rows, lines, gatherer = cells
    text = pl.DataFrame(
        {
            "date": [_date(row[1]) for row in rows],
            "black": [next((row[at] for at in black if row[at]), "") for row in rows],
            "white": [next((row[at] for at in white if row[at]), "") for row in rows],
            "result": [row[result].replace("Offline", "offline") for row in rows],
            "komi": [TYGEM_KOMI if komi is None else row[komi] for row in rows],
            "kind": ["server"] * len(rows),
            "black_rank": [rank] * len(rows),
            "white_rank": [rank] * len(rows),
            "moves": [row[moves] if len(row) > moves and row[moves].isdecimal() else "" for row in rows],
        },
        schema_overrides={"date": pl.String, "black": pl.String, "white": pl.String, "result": pl.String},
    )
    games, problems = read_columns(text, gatherer.source, pl.Series(lines, dtype=pl.Int64))
    return Contents(games, in_order([*gatherer.problems, *problems]))


def _date(text: str) -> str:
    match = DATE.fullmatch(text)
    if not match:
        return text
    day = f"{match[1]}-{int(match[2]):02}-{int(match[3]):02}"
    return f"{day} {int(match[4]):02}:{match[5]}" if match[4] else day


TYGEM = Format("TYGEM index", lambda head: _like(head, TYGEM_CELLS, 8), read_tygem)
TOM = Format("TOM index", lambda head: _like(head, TOM_CELLS, 5), read_tom)
