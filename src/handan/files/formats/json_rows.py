"""Games as JSON: an array of objects, an object that holds one, or an object a line (JSON Lines)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from handan.errors import Clause, InputError, Problem, QuestionError
from handan.files.games.adjustment_rows import with_dates_as_text, written_table
from handan.files.games.contents import Contents
from handan.files.games.format import Format
from handan.files.io.json_text import json_text, json_value
from handan.files.io.options import Options
from handan.files.tables.column_names import ENOUGH, enough, known_headings, understood
from handan.files.tables.table import check_meanings, contents_of
from handan.files.tables.text_table import TextTable
from handan.ledger import Ledger

ENDINGS = (".jsonl", ".ndjson")
Rows = list[tuple[int, Mapping[Any, Any]]]
"""Objects with their numbers."""
MOST_LOOKED_AT = 100  # our choice: objects whose keys tell whether an array is one of games
DEEPEST = 2  # levels of objects in a game, such as {"black": {"name": …}}
MAIN = ("name", "username", "player")
"""Keys of an inner object that are what the outer key says."""


def sniff(head: bytes) -> bool:
    """Return whether a file begins like JSON that holds objects."""
    start = head.lstrip()[:200]
    return start.startswith(b"{") or (start.startswith(b"[") and start[1:].lstrip()[:1] in (b"{", b"]", b"["))


def read(data: bytes, source: str, options: Options) -> Contents:
    """Read the objects of a file as the rows of a table; InputError if it is no JSON or holds no objects."""
    text, guess = json_text(data, source, options, known_headings)
    layout = "JSON"
    try:
        rows, problems = _objects(json_value(text, source), source)
    except ValueError as fault:
        rows, problems = _lines(text, source)
        layout = "JSON Lines"
        if not rows:
            raise InputError(Clause.of("{source} is not JSON: {why}", source=source, why=str(fault))) from None
    return read_objects(rows, source, options, problems, {"encoding": guess or "UTF-8", "layout": layout})


def _objects(value: Any, source: str) -> tuple[Rows, list[Problem]]:
    """Return the objects of a document, each with its number, and what is to be said of the rest of it.

    In an object these are the arrays whose objects are games, counted through, or else its longest array of objects.
    """
    problems: list[Problem] = []
    if isinstance(value, Mapping):
        if _are_games([value]):
            return [(1, value)], []
        arrays = _arrays(value)
        if not arrays:
            raise InputError(Clause.of("{source} holds no array of games", source=source))
        read = {name for name, rows in arrays.items() if _are_games(rows)} or {
            max(arrays, key=lambda name: len(arrays[name]))
        }
        others = (name for name in arrays if name not in read)
        problems = [Problem(source, None, "array", name, "one of games; ignored", rejected=False) for name in others]
        value = [row for name in arrays if name in read for row in arrays[name]]
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise InputError(Clause.of("{source} holds no array of games", source=source))
    names: list[str] = []
    if value and all(isinstance(item, Sequence) and not isinstance(item, str) for item in value):
        names = [str(name) for name in value[0]]
    row = "a row of 1 cell, as the first has" if len(names) == 1 else "a row of {number} cells, as the first has"
    expected = Clause.of(row, number=f"{len(names):,}") if names else "a JSON object"
    rows: Rows = []
    for number, item in enumerate(value, 1):
        if names and number == 1:
            continue
        if names and len(item) <= len(names):
            rows.append((number, dict(zip(names, item, strict=False))))
        elif not names and isinstance(item, Mapping):
            rows.append((number, item))
        else:
            problems.append(Problem(source, number, "", json.dumps(item, ensure_ascii=False), expected))
    return rows, problems


def _arrays(value: Mapping[Any, Any], depth: int = 0) -> dict[str, list[Any]]:
    """Return the arrays of objects in an object, and in the objects in it, by their keys."""
    arrays: dict[str, list[Any]] = {}
    for key, item in value.items():
        if isinstance(item, list) and any(isinstance(each, Mapping) for each in item):
            arrays[str(key)] = item
        elif isinstance(item, Mapping) and not depth:
            arrays |= {f"{key} {inner}": rows for inner, rows in _arrays(item, 1).items()}
    return arrays


def _are_games(rows: Sequence[Any]) -> bool:
    """Return whether the keys of objects, of the first of very many, are headings of games."""
    keys = dict.fromkeys(key for row in rows[:MOST_LOOKED_AT] if isinstance(row, Mapping) for key in _flat(row))
    try:
        return bool(enough(meaning.column for meaning in understood(list(keys))))
    except QuestionError:
        return True


def _lines(text: str, source: str) -> tuple[Rows, list[Problem]]:
    """Return the objects of JSON Lines, and a problem for each line that is none."""
    rows: Rows = []
    problems = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, Mapping):
            rows.append((number, value))
        else:
            problems.append(Problem(source, number, "", line, "a JSON object"))
    return rows, problems


def read_objects(
    rows: Sequence[tuple[int, Mapping[str, Any]]],
    source: str,
    options: Options,
    problems: Sequence[Problem] = (),
    facts: Mapping[str, str] | None = None,
) -> Contents:
    """Return the games of objects with their numbers, whose keys are headings; InputError if they are none of games."""
    options.limits.check("games", len(rows), source)
    flat = [_flat(row) for _, row in rows]
    headings = list(dict.fromkeys(key for row in flat for key in row))
    try:
        meanings = understood(headings, options.columns)
    except QuestionError as question:
        raise question.at(source) from None
    warnings = check_meanings(meanings, source, None) if rows else []
    columns = {
        meaning.column: [row.get(meaning.heading, "") for row in flat] for meaning in meanings if meaning.column
    } or {name: [] for name in ENOUGH[0]}
    text = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String()))
    lines = pl.Series([number for number, _ in rows], dtype=pl.Int64)
    table = TextTable(text, lines, source, meanings, problems=[*problems, *warnings], facts=dict(facts or {}))
    return contents_of(table, options)


def _flat(row: Mapping[Any, Any], before: str = "", depth: int = 0) -> dict[str, str]:
    """Return the cells of an object as text; an inner object adds its keys to that of the outer."""
    cells: dict[str, str] = {}
    for key, value in row.items():
        name = f"{before} {key}".strip() if not (before and str(key).casefold() in MAIN) else before
        if isinstance(value, Mapping):
            deep = {} if depth < DEEPEST else {f"{name} {inner}": str(item) for inner, item in value.items()}
            cells |= deep or _flat(value, name, depth + 1)
        elif value is None:
            cells[name] = ""
        elif isinstance(value, bool):
            cells[name] = str(value).lower()
        elif isinstance(value, float):
            short = f"{value:.15g}"
            cells[name] = short if float(short) == value else repr(value)
        else:
            cells[name] = str(value)
    return cells


def _write(ledger: Ledger, ending: str, excel_safe: bool) -> tuple[bytes, list[str]]:  # noqa: ARG001, FBT001  # the signature of all formats
    """Return the games as JSON Lines: an object a game, without keys that say nothing but that no rank or event is."""
    games = with_dates_as_text(written_table(ledger))
    written = {
        name for name in games.columns
        if (name.endswith("_rank") or name == "event") and (games[name].fill_null("") == "").all()
    }  # fmt: skip
    lines = [
        json.dumps(
            {name: value for name, value in row.items() if value not in (None, "") or name in written},
            ensure_ascii=False,
        )
        for row in games.iter_rows(named=True)
    ]
    return "".join(line + "\n" for line in lines).encode(), []


JSON_ROWS = Format("JSON", sniff, read, ENDINGS, _write)
