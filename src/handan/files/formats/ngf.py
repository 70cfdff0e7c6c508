"""Game records of the wBaduk server (NGF), after the readers of Sabaki: one fact a line, then the moves.

The lines are: kind, size of the board, White, Black, address, handicap, an unknown one, whole points of komi, date,
an unknown one, result in English words, number of moves.
"""

from __future__ import annotations

import re

from handan.errors import Clause, InputError
from handan.files.cells.numbers import read_board
from handan.files.cells.ranked_names import parts_of
from handan.files.games.contents import Contents, Gatherer
from handan.files.games.format import Format
from handan.files.games.records import Record, contents_of_one, head_lines, in_one_encoding
from handan.files.io.options import Options

MOVE = re.compile(rb"\nPM[A-Z]{2}[BW][A-Z]{2}")
SIZE = re.compile(rb"[^\n]{0,80}\n[ \t]*+\d{1,2}[ \t]*+\n")
LINES = 11  # of the head up to the result
HALF = 0.5
"""Points that an even game has besides its whole points of komi."""


def sniff(head: bytes) -> bool:
    """Return whether a record of wBaduk begins in a file."""
    return SIZE.match(head) is not None and MOVE.search(head) is not None


def read(data: bytes, source: str, options: Options) -> Contents:
    """Read the game of one file; InputError if its head is not whole."""
    gatherer = Gatherer(source, options.limits)
    lines = in_one_encoding([line for _, line in head_lines(data, LINES, gatherer, options)], gatherer, options)
    if len(lines) < LINES or not lines[2] or not lines[3] or not re.fullmatch(r"\s*\d{1,3}\s*", lines[1]):
        pattern = "{source} is a game record of wBaduk (NGF) whose first {number} lines are not whole"
        raise InputError(Clause.of(pattern, source=source, number=LINES))
    white, black = (parts_of(re.sub(r"(\d)DP$", r"\1P", lines[place])) for place in (2, 3))
    handicap, komi = lines[5], lines[7]
    even = not handicap.strip("0") and re.fullmatch(r"\d{1,2}", komi)
    record = Record(
        line=4,
        black=black.name,
        white=white.name,
        result=lines[10].rstrip("!. "),
        date=lines[8],
        handicap=handicap,
        komi=f"{int(komi) + HALF}" if even else komi,
        size=read_board(lines[1]),
        black_rank=black.rank,
        white_rank=white.rank,
    )
    return contents_of_one(gatherer, record, options.dates)


NGF = Format("NGF", sniff, read)
