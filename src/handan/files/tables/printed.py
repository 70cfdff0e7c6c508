"""Tables that programs print, known by their headings, wherever they stand: in text, in a worksheet, in a web page."""

from __future__ import annotations

from collections.abc import Sequence

from handan.files.games.parsed import Contents
from handan.files.io.options import Options
from handan.files.tables.game_lists import game_list, place_of_header
from handan.files.tables.standings import layout_of, standings


def is_printed(grid: Sequence[Sequence[str]], *, by_blanks: bool = False) -> bool:
    """Return whether a grid is such a table; blanks between its cells may stand in names too."""
    return place_of_header(grid) is not None or layout_of(grid, by_blanks=by_blanks) is not None


def printed_table(
    grid: Sequence[Sequence[str]], source: str, options: Options, *, by_blanks: bool = False
) -> Contents | None:
    """Return the games of a table that a program printed, a list of games or `standings`; None if a grid is none."""
    return game_list(grid, source, options) or standings(grid, source, options, by_blanks=by_blanks)
