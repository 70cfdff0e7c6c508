"""Game records of the Tygem server (GIB), after the readers of Sabaki; the head names the game, moves are not read."""

from __future__ import annotations

import re
from collections.abc import Mapping

from handan.errors import Clause, InputError
from handan.files.cells.ranked_names import parts_of
from handan.files.games.contents import Contents, Gatherer
from handan.files.games.format import Format
from handan.files.games.records import Record, contents_of_one, head_lines, in_one_encoding
from handan.files.io.options import Options

HEAD = re.compile(rb"\s*+\\HS\s")
FIELD = re.compile(rb"\\\[([A-Z]{1,40})=")
TEXT = ("GAMEBLACKNAME", "GAMEWHITENAME", "GAMEBLACKNICK", "GAMEWHITENICK", "GAMENAME", "GAMERESULT")
"""Fields that people read; other fields of one file are in other encodings."""
NUMBER = re.compile(r"([A-Z]{1,20}):?(-?\d{1,9})(?!\d)")
TAGGED_DATE = re.compile(r"(?<![A-Z])C(\d{4}):(\d\d):(\d\d)")
WON = {0: "B+{}", 1: "W+{}", 3: "B+R", 4: "W+R", 7: "B+T", 8: "W+T"}
"""Results by their number; those of 0 and 1 have points, in tenths."""
MOST_LINES = 1_000  # our choice: lines in which the head and the first line of the moves stand


def sniff(head: bytes) -> bool:
    """Return whether a record of Tygem begins in a file."""
    return HEAD.match(head) is not None


def read(data: bytes, source: str, options: Options) -> Contents:
    """Read the game of one file; InputError if it names no players."""
    gatherer = Gatherer(source, options.limits)
    raw: dict[str, bytes] = {}
    handicap, place = "", 1
    for number, line in head_lines(data, MOST_LINES, gatherer, options):
        if match := FIELD.match(line):
            name = match[1].decode()
            raw[name] = line[match.end() :].rstrip().removesuffix(b"\\]")
            place = number if name == "GAMEBLACKNAME" else place
        elif line.startswith(b"INI "):
            handicap = "".join(part.decode("ascii", "replace") for part in line.split()[3:4])
            break
    texts = in_one_encoding([raw.get(name, b"") for name in TEXT], gatherer, options)
    fields = dict(zip(TEXT, texts, strict=True))
    codes, tags, date = (raw.get(name, b"").decode("latin-1") for name in ("GAMEINFOMAIN", "GAMETAG", "GAMEDATE"))
    black, white = (fields[f"GAME{side}NAME"] or fields[f"GAME{side}NICK"] for side in ("BLACK", "WHITE"))
    if not black or not white:
        pattern = "{source} is a game record of Tygem (GIB) that does not name both players"
        raise InputError(Clause.of(pattern, source=source))
    numbers = {name: int(value) for name, value in NUMBER.findall(codes)}
    short = {name: int(value) for name, value in NUMBER.findall(tags)}
    tagged = TAGGED_DATE.search(tags)
    komi = numbers.get("GONGJE", short.get("G"))
    record = Record(
        line=place,
        black=parts_of(black).name,
        white=parts_of(white).name,
        result=_result(numbers, "GRLT", "ZIPSU") or fields["GAMERESULT"] or _result(short, "W", "Z"),
        date=date or ("-".join(tagged.groups()) if tagged else ""),
        handicap=handicap,
        komi="" if komi is None else f"{komi / 10:g}",
        event=fields["GAMENAME"],
        black_rank=parts_of(black).rank,
        white_rank=parts_of(white).rank,
    )
    return contents_of_one(gatherer, record, options.dates)


def _result(numbers: Mapping[str, int], code: str, points: str) -> str:
    """Return the result that a number says; empty where it says none."""
    won = WON.get(numbers.get(code, -1), "")
    return won.format(f"{numbers[points] / 10:g}" if numbers.get(points) else "")


GIB = Format("GIB", sniff, read)
