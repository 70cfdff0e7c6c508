"""Tables that programs print, known by their headings: standings, and lists of games."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from handan.errors import Clause, InputError
from handan.files.games.contents import Contents
from handan.files.games.format import Format
from handan.files.games.wall_lists import TAG
from handan.files.io.cells import warning_of_guess
from handan.files.io.decoding import to_utf8
from handan.files.io.options import Options
from handan.files.tables.game_lists import game_list, place_of_header
from handan.files.tables.header_rows import grid_of, separator_of
from handan.files.tables.standings import layout_of, standings, with_whole_names
from handan.words import written_words

LOOKED_AT = 100  # our choice: lines by which such a table is known
FEWEST = 3  # lines: headings, and two rows
LONGEST = 10_000  # bytes of a line; our choice: no such table has longer ones
OF_GAMES = ("setup", "tble")
"""Headings that only lists of games have."""


def sniff(head: bytes) -> bool:
    """Return whether the first lines are those of a table that a program printed, and no tag of H9 stands there."""
    lines = head.split(b"\n", LOOKED_AT + 1)[: LOOKED_AT + 1]
    if len(lines) < FEWEST or max(map(len, lines)) > LONGEST or not _heading().search(b"\n".join(lines)):
        return False
    if TAG.search(head.decode("latin-1")):
        return False
    grid, by_blanks = _grid([line.decode("utf-8", "replace").rstrip("\r") for line in lines[:LOOKED_AT]])
    return place_of_header(grid) is not None or layout_of(grid, by_blanks=by_blanks) is not None


@cache
def _heading() -> re.Pattern[bytes]:
    """Return the expression of a heading of names, or of one of a list of games, between marks."""
    paths = (("member", "name"), ("heading", "player1"), ("heading", "players"))
    headings = "|".join([*(re.escape(word) for path in paths for word in written_words(*path)), *OF_GAMES])
    return re.compile(rf"(?m)(?:^|[\t;,|\" ])(?:{headings})(?:[\t;,|\" .]|$)".encode(), re.IGNORECASE)


def read(data: bytes, source: str, options: Options) -> Contents:
    """Read one table; InputError if it is none that a program printed."""
    options.limits.check("text", len(data), source)
    data, guess = to_utf8(data, source, options)
    grid, by_blanks = _grid(data.decode().replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    contents = printed_table(grid, source, options, by_blanks=by_blanks)
    if contents is None:
        pattern = "{source} has no table with names and rounds, and no list of games with White and Black"
        raise InputError(Clause.of(pattern, source=source))
    contents.problems[:0] = warning_of_guess(guess, source)
    return contents


def printed_table(
    grid: Sequence[Sequence[str]], source: str, options: Options, *, by_blanks: bool = False
) -> Contents | None:
    """Return the games of a table, of text, of a worksheet or of a web page; None if a grid is none that is printed.

    Blanks between its cells may stand in names too.
    """
    return game_list(grid, source, options) or standings(grid, source, options, by_blanks=by_blanks)


def _grid(lines: list[str]) -> tuple[list[list[str]], bool]:
    """Return the cells of lines, and whether blanks separate them."""
    separator = separator_of(lines)
    grid = grid_of(lines, separator)
    return (grid, False) if separator.strip(" ") else (with_whole_names(grid), True)


PRINTED_TABLE = Format("printed table", sniff, read)
