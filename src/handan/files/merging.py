"""Files read together: tournaments saved again and again, rounds beside their register, names with lost letters."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

import polars as pl

from handan.errors import Clause, Problem, counted
from handan.files.duplicates import without_repeats
from handan.files.formats import formats
from handan.files.games.contents import FILE, Reading, games_of

JOINS = "a name that joins files; read as {label}"
FULLEST = (
    "in the fullest file of this tournament; {other} is, with 1 game decided",
    "in the fullest file of this tournament; {other} is, with {number} games decided",
)
TABLES = ("table", "Parquet", "frame", "workbook", "JSON")
"""Formats whose names are the user's own keys."""


def merged(files: list[Reading], *, keep_repeats: bool = False) -> list[Reading]:
    """Return the files with every game counted once, and every player under the name that the other files use.

    With `keep_repeats` a file that is given twice, or an event that stands in two files, counts twice.
    """
    if keep_repeats:
        return _strangers_apart(registered(files))
    return _strangers_apart(without_repeats(registered(_fullest(files))))


def _fullest(files: list[Reading]) -> list[Reading]:
    """Keep of several files that were saved of one tournament the one with the most decided games, and say so.

    Files of one name and first day that share no game are two tournaments: both are read.
    """
    result = list(files)
    kept: dict[tuple[str, str], list[Reading]] = defaultdict(list)
    saved = [(place, each) for place, each in enumerate(files) if each.contents and each.contents.tournament]
    for place, reading in sorted(saved, key=lambda item: -_decided(item[1])):
        assert reading.contents is not None  # noqa: S101  # told to the type checker
        others = kept[reading.format, reading.contents.tournament]
        pairs = _pairs(reading)
        fuller = next((other for other in others if not pairs or pairs & _pairs(other)), None)
        if fuller is None:
            others.append(reading)
        else:
            result[place] = _left_out(reading, fuller)
    return result


def _decided(reading: Reading) -> int:
    """Return how many games of a file have a result, be it a draw."""
    return 0 if reading.contents is None else int((reading.contents.games["result"] != "?").sum())


def _pairs(reading: Reading) -> set[tuple[object, ...]]:
    """Return who met whom in which round, whatever their colours."""
    if reading.contents is None:
        return set()
    rows = reading.contents.games.select("round", "black", "white").iter_rows()
    return {(number, *sorted(players)) for number, *players in rows}


def _left_out(reading: Reading, fuller: Reading) -> Reading:
    """Return the file without its games."""
    assert reading.contents is not None  # noqa: S101  # told to the type checker
    games = counted(reading.contents.games.height, "game")
    decided = _decided(fuller)
    expected = Clause.of(FULLEST[decided != 1], other=fuller.source, number=f"{decided:,}")
    problem = Problem(reading.source, None, "file", games, expected, rejected=False)
    empty = reading.contents.games.clear()
    return replace(reading, contents=replace(reading.contents, columns=empty, events=(), problems=[problem]))


def registered(files: list[Reading]) -> list[Reading]:
    """Return the files with the players of rounds named as in the register of their folder, else the only one."""
    registers = {
        _folder(each): each.contents.register for each in files if each.contents and each.contents.register
    }  # fmt: skip
    only = next(iter(registers.values())) if len(registers) == 1 else None
    joins = {each_format.name: each_format.join for each_format in formats() if each_format.join}
    result = []
    for each in files:
        register = registers.get(_folder(each), only)
        if each.contents and each.format in joins and register:
            result.append(replace(each, contents=joins[each.format](each.contents, each.source, register)))
        else:
            result.append(each)
    return result


def _folder(reading: Reading) -> str:
    """Return the folder or archive in which a file stands."""
    return reading.source[: max(reading.source.rfind(mark) for mark in "/\\!") + 1]


def _strangers_apart(files: list[Reading]) -> list[Reading]:
    """Read a name that has lost letters as another person in every file, unless an id says who it is."""
    if len(files) < 2:
        return files
    lost = _lost(files)
    files_with = Counter(name for names in lost for name in names)
    seen: Counter[str] = Counter()
    result = []
    for reading, names in zip(files, lost, strict=True):
        shared = sorted(name for name in names if files_with[name] > 1)
        seen.update(shared)
        labels = {name: f"{name}#{seen[name]}" for name in shared}
        result.append(_renamed(reading, labels) if labels else reading)
    return result


def _lost(files: Sequence[Reading]) -> list[frozenset[str]]:
    """Return the names with lost letters of players without an id, for each file; none of tables."""
    named: list[set[str]] = [set() for _ in files]
    games = games_of(each if each.format not in TABLES else replace(each, contents=None) for each in files)
    for side in ("black", "white"):
        torn = pl.col(side).str.contains("?", literal=True) & (pl.col(f"{side}_id") == "")
        for file, name in games.lazy().filter(torn).select(FILE, side).unique().collect().iter_rows():
            named[file].add(name)
    return [frozenset(names) for names in named]


def _renamed(reading: Reading, labels: Mapping[str, str]) -> Reading:
    contents = reading.contents
    assert contents is not None  # noqa: S101  # what has no contents has no names
    old, new = list(labels), list(labels.values())
    games = contents.games.with_columns(
        pl.when(pl.col(f"{side}_id") == "").then(pl.col(side).replace(old, new)).otherwise(pl.col(side)).alias(side)
        for side in ("black", "white")
    )
    problems = [
        Problem(reading.source, None, "name", name, Clause.of(JOINS, label=label), rejected=False)
        for name, label in labels.items()
    ]
    by_name = {(name, ""): label for name, label in labels.items()}
    events = tuple(event.renamed(by_name) for event in contents.events)
    more = [*contents.problems, *problems]
    return replace(reading, contents=replace(contents, columns=games, events=events, problems=more))
