"""Text of tables that programs print: standings, and lists of games (`handan.files.tables.printed`)."""

from __future__ import annotations

from handan.errors import InputError
from handan.files.games.format import Format
from handan.files.games.parsed import Contents
from handan.files.io.cells import warning_of_guess
from handan.files.io.decoding import to_utf8
from handan.files.io.options import Options
from handan.files.tables.cross import grid_of, separator_of
from handan.files.tables.printed import is_printed, printed_table

LOOKED_AT = 100  # our choice: lines by which such a table is known
LONGEST = 10_000  # bytes of a line; our choice: no such table has longer ones
HEADINGS = (b"name", b"nom", b"spieler", b"player", b"jugador", b"teilnehmer", b"setup", b"tble")


def sniff(head: bytes) -> bool:
    """Return whether the first lines are those of a table that a program printed."""
    lines = head.split(b"\n", LOOKED_AT + 1)[: LOOKED_AT + 1]
    if len(lines) < 3 or max(map(len, lines)) > LONGEST or not any(name in head.lower() for name in HEADINGS):
        return False
    grid, by_blanks = _grid([line.decode("utf-8", "replace").rstrip("\r") for line in lines[:LOOKED_AT]])
    return is_printed(grid, by_blanks=by_blanks)


def read(data: bytes, source: str, options: Options) -> Contents:
    """Read one table; InputError if it is none that a program printed."""
    if len(data) > options.limits.text:
        raise options.limits.exceeded("text", source)
    data, guess = to_utf8(data, source, options)
    grid, by_blanks = _grid(data.decode().replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    contents = printed_table(grid, source, options, by_blanks=by_blanks)
    if contents is None:
        raise InputError(f"{source} has no table with names and rounds, and no list of games with White and Black")
    contents.problems[:0] = warning_of_guess(guess, source)
    return contents


def _grid(lines: list[str]) -> tuple[list[list[str]], bool]:
    """Return the cells of lines, and whether blanks separate them."""
    separator = separator_of(lines)
    return grid_of(lines, separator), not separator.strip(" ")


PRINTED_TABLE = Format("printed table", sniff, read)
