"""Tournament reports of the chess federation (TRF), which pairing programs for chess write: columns of fixed widths.

Source: FIDE Handbook C.04, annex 2, the report file of 2016.
"""

from __future__ import annotations

import re

from handan.errors import Clause, InputError
from handan.files.games.contents import Contents, Entrant, Gatherer
from handan.files.games.format import Format
from handan.files.games.text_lines import lines_of
from handan.files.games.wall_lists import Row, WallList, contents_of
from handan.files.io.options import Options
from handan.ledger import Event
from handan.ledger.facts import read_name

PLAYER = re.compile(rb"(?m)^001 [ \d]{3}\d [ \w]")
TOURNAMENT = re.compile(rb"(?m)^(?:0[1-9]2|1[0-3]2|XX[A-Z]) ")
"""Lines of players, and of the tournament."""
NUMBER, NAME, FEDERATION, ID, ROUNDS = slice(4, 8), slice(14, 47), slice(53, 56), slice(57, 68), 91
POINTS, PLACE = slice(80, 84), slice(85, 89)
"""Columns of a player's line; the first round begins at the last of them."""
WIDTH, CELL = 10, 8  # characters from one round to the next, and of a round
MOST_ROUNDS = 99
RESULTS = {"1": "+", "0": "-", "=": "=", "+": "+!", "-": "-!", "W": "+!", "L": "-!", "D": "=!"}
"""Against an opponent; `W`, `L` and `D` are games that are not rated, as those by default."""
BYES = {"F": "0+", "U": "0+", "+": "0+", "1": "0+", "H": "0=", "=": "0=", "D": "0=", "Z": "0-", "-": "0-", "0": "0-"}
"""Without an opponent."""
COLOURS = {"w": "w", "b": "b", "-": ""}
ROUND_DAYS = "132"
"""The line with the day of each round, in its columns."""
FIELDS = {"012": "name", "022": "city", "032": "country", "042": "first", "052": "last", "102": "director"}


def sniff(head: bytes) -> bool:
    """Return whether a file has lines of players and of a tournament."""
    players = len(PLAYER.findall(head)) if b"001 " in head else 0
    return players > 1 or (players == 1 and TOURNAMENT.search(head) is not None)


def read(data: bytes, source: str, options: Options) -> Contents:
    """Read one tournament; InputError if it has no player or no result."""
    gatherer = Gatherer(source, options.limits)
    fields: dict[str, str] = {}
    table = WallList(only_rounds=True)
    teams = 0
    for number, line in enumerate(lines_of(data, gatherer, options, "cp1252"), 1):
        code = line[:3]
        if code == "001":
            row = _row(line, number, gatherer)
            table.rows += [row] if row else []
        elif code in FIELDS:
            fields.setdefault(FIELDS[code], " ".join(line[4:].split()))
        elif code == ROUND_DAYS:
            cells = enumerate(_cells(line), 1)
            table.days |= {
                place: day for place, cell in cells if (day := gatherer.date(number, f"round {place}", cell))
            }
        teams += code == "013"
    if not table.rows:
        raise InputError(Clause.of("{source} has no line of a player (001)", source=source))
    first, last = (gatherer.date(None, name, fields.get(name, "")) for name in ("first", "last"))
    if first is None and not table.days:
        gatherer.undated(options, "no date stands in a line 042 or 132{hint}")
    if table.days:
        days = ", ".join(map(str, table.days.values()))
        gatherer.remark(Clause.of("line 132 gives the days of the rounds: {days}", days=days), ROUND_DAYS)
    if teams:
        gatherer.remark("a tournament of teams; the games of its boards are read as those of persons", "013")
    gatherer.remark("w in the rounds is White, as chess programs have it", "colour")
    table.facts = {
        "date": first or min(table.days.values(), key=lambda day: day.moment, default=None),
        "event": fields.get("name", ""),
        "kind": "tournament",
    }
    table.head = Event(
        "",
        last=last,
        country=fields.get("country", ""),
        city=fields.get("city", ""),
        director=fields.get("director", ""),
    )
    table.criteria = lambda _: ("points",)
    return contents_of(table, gatherer)


def _row(line: str, number: int, gatherer: Gatherer) -> Row | None:
    """Return the row of a player; None if it has no number or name, which is a problem."""
    own = line[NUMBER].strip()
    try:
        name = read_name(line[NAME])
    except InputError:
        name = ""
    if not name or not own.isdecimal() or int(own) == 0:
        gatherer.reject(
            number, "player", line[:60].strip(), "a number in columns 5 to 8 and a name in columns 15 to 47"
        )
        return None
    licence = line[ID].strip()
    entrant = Entrant(name, f"fide:{licence}" if licence.isdecimal() and int(licence) else "", line[FEDERATION].strip())
    place, points = line[PLACE].strip(), line[POINTS].strip()
    printed = int(place) if place.isdecimal() else 0
    return Row(number, int(own), entrant, tuple(map(_half, _cells(line))), place=printed, figures=(points,))


def _cells(line: str) -> list[str]:
    """Return what a line has for each round."""
    return [line[at : at + CELL] for at in range(ROUNDS, min(len(line), ROUNDS + MOST_ROUNDS * WIDTH), WIDTH)]


def _half(cell: str) -> str:
    """Return the cell of a round in the spelling of tables of half results; as it stands if it is none."""
    words = cell.split()
    if not words:
        return ""
    if len(words) != 3 or not words[0].isdecimal():
        return " ".join(words)
    opponent, colour, result = int(words[0]), COLOURS.get(words[1].lower()), words[2].upper()
    if opponent == 0:
        return BYES.get(result, " ".join(words))
    if colour is None or result not in RESULTS:
        return " ".join(words)
    symbol = RESULTS[result]
    return f"{opponent}{symbol[0]}{'/' if colour else ''}{colour}{symbol[1:]}"


TRF = Format("TRF", sniff, read)
