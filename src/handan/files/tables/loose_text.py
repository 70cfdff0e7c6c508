"""Text without headings that tells games all the same: cross tables, and sentences such as "Ada beat Bo by 3.5"."""

from __future__ import annotations

from handan.files.games.parsed import Contents
from handan.files.io.options import Options
from handan.files.tables.cross import cross_table, grid_of
from handan.files.tables.sentences import sentences


def read_loose(data: bytes, source: str, options: Options, facts: dict[str, str]) -> Contents | None:
    """Return the games of a text that has no header of a table of games; None if it is of no such kind.

    Args:
        data: The text in UTF-8.
        source: Name for the reports.
        options: As the user gave them.
        facts: What was decided of it before (`Understanding.facts`).
    """
    if len(data) > options.limits.text:
        return None
    text = data.decode()
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return cross_table(grid_of(lines), source, options, facts) or sentences(lines, source, options, facts)
