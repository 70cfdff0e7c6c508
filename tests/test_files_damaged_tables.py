"""Invented tournaments as H9, .tou and wall lists, sorted anew, cut and damaged: no cell is lost in silence.

The account of every table: cells = 2 × games and pairings without a result + byes + half byes + absences + problems of
a round or cell. Cells are those of rows that were taken; a row that was not is a problem of its own, as is a table in
which nothing could be read.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import pytest

from handan.errors import InputError
from handan.files import Options
from handan.files.formats.h9 import H9
from handan.files.formats.tou import TOU
from handan.files.games.contents import Contents
from handan.files.games.format import Format

SEEDS = range(60)
SYMBOLS = (("+", "-"),) * 8 + (("-", "+"),) * 8 + (("=", "="), ("-", "-"), ("+", "+"), ("?", "?"))
SCORE = "s"
"""How a score begins, which is no cell, and is reported where a row has lost one."""
NAMES = ("Ada", "Bo", "Cy", "Dee", "Eve", "Fay", "Gil", "Hal")


@dataclass(frozen=True)
class Layout:
    """How a table is laid out."""

    form: Format
    head: str
    row: Callable[[int, str, str, list[str]], str]
    """From place, name, rank and cells to a line."""
    cells: Callable[[str], list[str]]
    """The cells of a line, blank ones left out."""


H9_HEAD = 34  # characters up to the cells
LAYOUTS = {
    "H9": Layout(
        H9, "; EV[Cup]\n; DT[2025-05-03]\n",
        lambda place, name, rank, cells: f"{place:4} {name:13}{rank:>4} PL Kedz  s{place % 5}  {'  '.join(cells)}",
        lambda line: line[H9_HEAD:].split(),
    ),
    "tou": Layout(
        TOU, ";name=Cup\n;date=03/05/2025\n;Num Nom Prenom\n",
        lambda place, name, rank, cells: f"{place:4} {name:25}{rank.upper():>3} {f'18{place:05}':7} Kedz"
        + "".join(f"{cell[: -len(cell.lstrip('0123456789'))]:>5}{cell.lstrip('0123456789'):3}" for cell in cells),
        lambda line: line[46:].split(),
    ),
    "wall list": Layout(
        H9, "Pl\tName\tRank\tCountry\tClub\tScore\tResults\n",
        lambda place, name, rank, cells: "\t".join((str(place), name, rank, "PL", "Kedz", f"s{place % 5}", *cells)),
        lambda line: [cell for cell in line.split("\t")[6:] if cell.strip()],
    ),
}  # fmt: skip


def invented(chance: random.Random, slash: str) -> list[list[str]]:
    """Return the cells of a tournament, one row a player, with byes, absences and every kind of result."""
    players, rounds = chance.randint(6, 40), chance.randint(1, 7)
    coloured = chance.random() < 0.7
    table: list[list[str]] = [[] for _ in range(players)]
    for _ in range(rounds):
        order = chance.sample(range(players), players)
        idle = chance.randint(0, players // 4)
        for player in order[:idle]:
            table[player].append(chance.choice(("0+", "0-", "0=")))
        for one, two in list(pairwise([*order[idle:], -1]))[::2]:
            if two < 0:
                table[one].append("0+")
                continue
            first, second = chance.choice(SYMBOLS)
            stones = chance.choice((0, 0, 0, 2, 9))
            marks = (f"{slash}b{stones}", f"{slash}w{stones}") if coloured else ("", "")
            table[one].append(f"{two + 1}{first}{marks[0]}")
            table[two].append(f"{one + 1}{second}{marks[1]}")
    return table


def written(layout: Layout, table: list[list[str]], places: list[int]) -> list[str]:
    """Return the lines of a table, its rows under other places if those are given."""
    return [
        layout.row(place, f"{NAMES[number % 8]}son {NAMES[number // 8]}", f"{1 + number % 20}k", cells)
        for number, (place, cells) in enumerate(zip(places, table, strict=True))
    ]


def read(layout: Layout, lines: list[str]) -> Contents:
    text = layout.head + "\n".join(lines) + "\n"
    return layout.form.read(text.encode(), "cup", Options(date="2025-05-03"))


def account(layout: Layout, lines: list[str], parsed: Contents) -> tuple[int, int]:
    """Return the number of cells in the rows that were taken, and of their outcomes."""
    before = layout.head.count("\n") + 1
    rejected = [problem for problem in parsed.problems if problem.rejected]
    rows = {problem.line for problem in rejected if problem.field in {"row", "rank"}}
    cells = sum(len(layout.cells(line)) for number, line in enumerate(lines, before) if number not in rows)
    reported = sum(problem.field not in {"row", "rank"} and problem.found[:1] != SCORE for problem in rejected)
    return cells, 2 * (parsed.games.height + unplayed(parsed)) + parsed.byes_by_kind.total() + reported


def unplayed(parsed: Contents) -> int:
    """Return how many pairs were paired and have no result."""
    return sum(len(event.pairings) for event in parsed.events)


def pairings(table: list[list[str]]) -> int:
    return sum(not cell.startswith("0") for row in table for cell in row) // 2


def table_of(name: str, seed: int) -> tuple[Layout, random.Random, list[list[str]], list[str]]:
    chance = random.Random(f"{name}{seed}")
    table = invented(chance, "" if name == "tou" else "/")
    return LAYOUTS[name], chance, table, written(LAYOUTS[name], table, list(range(1, len(table) + 1)))


forms = pytest.mark.parametrize("name", LAYOUTS)


@forms
def test_every_cell_of_a_whole_table_is_a_game_a_bye_or_an_absence_in_any_order_of_rows(name: str) -> None:
    for seed in SEEDS:
        layout, chance, table, lines = table_of(name, seed)
        for order in (lines, chance.sample(lines, len(lines))):
            parsed = read(layout, order)
            assert [str(problem) for problem in parsed.problems if problem.rejected] == []
            assert parsed.games.height + unplayed(parsed) == pairings(table)
            counted, outcomes = account(layout, order, parsed)
            assert counted == outcomes == sum(map(len, table))


@forms
def test_a_table_numbered_anew_after_sorting_is_reported_cell_by_cell(name: str) -> None:
    for seed in SEEDS:
        layout, chance, table, _ = table_of(name, seed)
        places = chance.sample(range(1, len(table) + 1), len(table))
        lines = written(layout, table, places)
        parsed = read(layout, lines)
        counted, outcomes = account(layout, lines, parsed)
        assert counted == outcomes == sum(map(len, table)), seed


@forms
@pytest.mark.parametrize("damage", ["a round sorted anew", "the last round sorted anew", "rows cut out", "rows cut off",
                                    "cells cut out", "the end cut off", "characters"])  # fmt: skip
def test_no_cell_of_a_damaged_table_is_lost_in_silence(name: str, damage: str) -> None:
    refused = 0
    for seed in SEEDS:
        layout, chance, table, lines = table_of(name, seed)
        lines = DAMAGES[damage](chance, layout, table, lines)
        try:
            parsed = read(layout, lines)
        except InputError:
            refused += 1
            continue
        counted, outcomes = account(layout, lines, parsed)
        assert counted == outcomes, (seed, "\n".join(lines), [str(problem) for problem in parsed.problems])
    assert refused <= len(SEEDS) // 10  # tables in which hardly a row is left


def _resorted(chance: random.Random, layout: Layout, table: list[list[str]], place: int) -> list[str]:
    column = [row[place] for row in table]
    chance.shuffle(column)
    mixed = [[*row[:place], cell, *row[place:][1:]] for row, cell in zip(table, column, strict=True)]
    return written(layout, mixed, list(range(1, len(table) + 1)))


def _round(chance: random.Random, layout: Layout, table: list[list[str]], lines: list[str]) -> list[str]:
    return _resorted(chance, layout, table, chance.randrange(len(table[0])))


def _last(chance: random.Random, layout: Layout, table: list[list[str]], lines: list[str]) -> list[str]:
    return _resorted(chance, layout, table, len(table[0]) - 1)


def _cut_out(chance: random.Random, layout: Layout, table: list[list[str]], lines: list[str]) -> list[str]:
    kept = set(chance.sample(range(len(lines)), chance.randint(len(lines) // 2, len(lines) - 1)))
    return [line for number, line in enumerate(lines) if number in kept]


def _cut_off(chance: random.Random, layout: Layout, table: list[list[str]], lines: list[str]) -> list[str]:
    return [line[: chance.randint(len(line) // 3, len(line))] if chance.random() < 0.3 else line for line in lines]


def _cells(chance: random.Random, layout: Layout, table: list[list[str]], lines: list[str]) -> list[str]:
    cut = [row[:] for row in table]
    for row in chance.sample(cut, max(1, len(cut) // 5)):
        del row[chance.randrange(len(row))]
    return written(layout, cut, list(range(1, len(table) + 1)))


def _end(chance: random.Random, layout: Layout, table: list[list[str]], lines: list[str]) -> list[str]:
    text = "\n".join(lines)
    return text[: chance.randint(len(text) // 2, len(text))].split("\n")


def _characters(chance: random.Random, layout: Layout, table: list[list[str]], lines: list[str]) -> list[str]:
    damaged = []
    for line in lines:
        letters = list(line)
        first = len(line) - sum(map(len, layout.cells(line)))
        for place in range(first, len(line)):
            if chance.random() < 0.03 and not letters[place].isspace():
                letters[place] = chance.choice("0123456789+-=?bwx!/#")
        damaged.append("".join(letters))
    return damaged


DAMAGES = {
    "a round sorted anew": _round, "the last round sorted anew": _last, "rows cut out": _cut_out,
    "rows cut off": _cut_off, "cells cut out": _cells, "the end cut off": _end, "characters": _characters,
}  # fmt: skip


def test_a_column_of_which_little_can_be_read_loses_no_cell() -> None:
    text = (
        "; EV[x]\n; DT[2006-07-20]\n"
        "1 Adams Ada 3d PL Kedz 4 0= 3=\n2 Brown Bo 3d PL Kedz 4 2+/z9 0-\n3 Clark Cy 3d PL Kedz 3 2-/b0 1=\n"
    )
    contents = H9.read(text.encode(), "x.h9", Options())
    reported = {problem.found for problem in contents.problems}
    assert {"0=", "2+/z9", "2-/b0"} <= reported
    assert (contents.games.height, contents.byes_by_kind.total()) == (1, 1)
