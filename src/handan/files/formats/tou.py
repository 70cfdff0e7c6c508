"""Result tables of the French federation (.tou): one tournament, rows of fixed width."""

from __future__ import annotations

import re
from collections import Counter

from handan.errors import Clause, InputError, clause_of, one_line
from handan.files.formats.h9 import unblanked
from handan.files.games.contents import Contents, Entrant, Gatherer, club_of
from handan.files.games.format import Format
from handan.files.games.omissions import Part
from handan.files.games.result_table import LOWEST, OF_TABLES, Cell, CrossTableRow, Open, cross_table
from handan.files.games.text_lines import lines_of
from handan.files.games.wall_list_columns import IDLE, parse_result_cell
from handan.files.games.wall_lists import Row, WallList, contents_of
from handan.files.io.options import Options
from handan.ledger import Bye, Event, Ledger, Outcome
from handan.ledger.events import UNNAMED
from handan.ledger.facts import read_name, read_size
from handan.ranks import Rank

FIELD = re.compile(r";\s*(\w+)=(.*)")
NAME, RANK, LICENCE, CLUB, ROUNDS = slice(5, 30), slice(30, 33), slice(34, 41), slice(42, 46), 46
MINUTES = re.compile(r"\d{1,5}(?:\.\d{1,4})?")
RANKED = re.compile(r"\d{1,2}[kKdDpP]")
IDS = re.compile(r"ffg:[0-9A-Za-z]{7}")
WIDTHS = (8, 9)  # of a cell: right-aligned as OpenGotha writes it, or behind a blank


def sniff(head: bytes) -> bool:
    """Return whether a file begins with the fields of a .tou table."""
    text = head.decode("latin-1")
    return ";Num" in text and bool(re.search(r"(?m)^;\s*(name|date|vill|komi|size|prog|comm)=", text))


def read(data: bytes, source: str, options: Options) -> Contents:
    """Read one tournament; InputError if it has no rows or no results."""
    gatherer = Gatherer(source, options.limits)
    fields: dict[str, str] = {}
    wall_list = WallList(only_rounds=True)
    lines: dict[int, str] = {}
    for number, line in enumerate(lines_of(data, gatherer, options, "iso-8859-15", usual=True), 1):
        if match := FIELD.match(line.lstrip("\ufeff")):
            fields.setdefault(match[1].lower(), match[2].strip())
        elif line.strip() and not line.startswith(";"):
            lines[number] = line.rstrip()
    width = min(WIDTHS, key=lambda width: sum(_odd(_cut(line, width)) for line in lines.values() if _in_place(line)))
    for number, line in lines.items():
        row = _row(line, number, width, gatherer)
        if row is not None:
            wall_list.rows.append(row)
    if not wall_list.rows:
        pattern = "{source} has no row of a player; rows of place, name, rank, licence, club were expected"
        raise InputError(Clause.of(pattern, source=source))
    size = gatherer.read(None, "size", fields.get("size", ""), read_size, "a number of lines; read as 19")
    wall_list.facts = {
        "date": gatherer.date(None, "date", fields.get("date", ""), "dmy"),
        "event": fields.get("name", ""),
        "kind": "tournament",
        "size": size or 19,
    }
    wall_list.komi = gatherer.komi("komi", fields.get("komi", ""))
    minutes = MINUTES.fullmatch(fields.get("ta", "").replace(",", "."))
    wall_list.head = Event(
        "",
        city=fields.get("vill", ""),
        minutes=float(minutes[0]) if minutes else None,
        comments=tuple(filter(None, [fields.get("comm", "")])),
    )
    return contents_of(wall_list, gatherer)


def _in_place(line: str) -> bool:
    """Return whether the rank stands in its columns."""
    return RANKED.fullmatch(line[RANK].strip()) is not None


def _cut(line: str, width: int) -> list[str]:
    """Return the cells of the rounds, by position: with numbers of five figures no blank stands between them."""
    return [line[at : at + width].strip() for at in range(ROUNDS, len(line), width)]


def _odd(cells: list[str]) -> int:
    """Return how many cells are no results with a symbol."""
    return sum(cell not in {*IDLE, "0"} and not ((half := parse_result_cell(cell)) and half.symbol) for cell in cells)


def _row(line: str, number: int, width: int, gatherer: Gatherer) -> Row | None:
    """Return the row of a line by its fixed columns, else by its blanks; None, and a problem, if it is none."""
    place = line[:4].strip()
    cells = _cut(line, width)
    name, rank, licence, club = (line[part].strip() for part in (NAME, RANK, LICENCE, CLUB))
    if not _in_place(line):
        match = re.fullmatch(r"(\d+) (.+?) (\d{1,2}[kKdDpP])( .*|)", " ".join(line.split()))
        if not match:
            gatherer.reject(number, "row", line.strip()[:60], "place, name, rank, licence, club and results")
            return None
        gatherer.warn(number, "row", line.strip()[:60], "a row of fixed columns; read by its blanks")
        place, name, rank = match[1], match[2], match[3]
        licence, club, cells = _split(match[4].split())
    elif _odd(cells) and _odd(line[ROUNDS:].split()) < _odd(cells):
        gatherer.warn(number, "row", line.strip()[:60], "a row of fixed columns; its results are read by their blanks")
        cells = line[ROUNDS:].split()
    try:
        shown = read_name(name.replace("_", " "))
        strength = str(Rank.parse(rank))
    except InputError as fault:
        expected = Clause.of("a player with name and rank ({fault})", fault=clause_of(fault))
        gatherer.reject(number, "row", line.strip()[:60], expected)
        return None
    identity = f"ffg:{licence}" if re.fullmatch(r"[0-9A-Za-z]{7}", licence) else ""
    entrant = Entrant(shown, identity, "", club_of(club), rank=strength)
    first, _, given = name.partition(" ")
    surname = first.replace("_", " ") if given and "_" in first else ""
    return Row(number, int(place) if place.isdecimal() else 0, entrant, tuple(cells), surname)


def _split(cells: list[str]) -> tuple[str, str, list[str]]:
    """Return licence, club and results of cells behind a rank that are told apart by their form only."""
    licence = cells.pop(0) if cells and re.fullmatch(r"[0-9A-Za-z]{7}", cells[0]) else ""
    club = cells.pop(0) if cells and _odd(cells[:1]) else ""
    return licence, club, cells


def write(ledger: Ledger, ending: str, excel_safe: bool) -> tuple[bytes, list[str]]:  # noqa: ARG001, FBT001  # as all
    """Write the one tournament of a ledger, in ISO-8859-15; InputError if it holds several events."""
    table = cross_table(ledger, "a .tou table", WRITTEN)
    event = table.event
    header = [
        ("name", event.name or UNNAMED),
        ("date", f"{table.first:%d/%m/%Y}" if table.first else ""),
        ("vill", event.city),
        ("comm", " / ".join(event.comments)),
        ("size", str(table.size)),
        ("ta", "" if event.minutes is None else f"{event.minutes:g}"),
        ("komi", "" if table.komi is None else f"{table.komi:g}"),
    ]
    lines = [f";{name}={one_line(value)}" for name, value in header if value]
    lines.append(";Num Nom Prenom               Niv Licence Club")
    marks: Counter[str] = Counter()
    for row in table.rows:
        name, rank, licence, club = _fields(row, marks)
        cells = "".join(_cell(cell, marks) for cell in row.cells)
        lines.append(f"{row.number:>4} {name:25}{rank:>3} {licence:7} {club:4}{cells}".rstrip())
    data = ("\r\n".join(lines) + "\r\n").encode("iso-8859-15", "replace")
    omissions = table.omissions_of(table.size, IDS, "tournament")
    head = "".join(value for _, value in header)
    if head.encode("iso-8859-15", "replace").decode("iso-8859-15") != head:
        omissions.append("letters outside ISO-8859-15 in what is said of the event")
    if event.country:
        omissions.append("the country of the tournament")
    return data, omissions + [f"{what} ({count})" for what, count in marks.items() if count]


def _fields(row: CrossTableRow, marks: Counter[str]) -> tuple[str, str, str, str]:
    """Return name, rank, licence and club of a row; count what is cut or left out."""
    player = row.player
    own = unblanked(row.name)
    name = own.encode("iso-8859-15", "replace").decode("iso-8859-15")
    marks["names cut after 25 characters"] += len(name) > 25
    marks["letters outside ISO-8859-15 in names"] += name != own
    club = player.club.encode("iso-8859-15", "replace").decode("iso-8859-15")[:4]
    marks["clubs in letters outside ISO-8859-15 or of more than four"] += club != player.club
    licence = player.id.removeprefix("ffg:") if IDS.fullmatch(player.id) else ""
    return name[:25], (row.rank or LOWEST).upper(), licence, club or "xxxx"


WRITTEN = OF_TABLES | {Part.PLACE, Part.SIZE}
"""What .tou holds of an event."""


def _cell(cell: Cell | Bye | Open | None, marks: Counter[str]) -> str:
    """Return a cell of eight characters, as OpenGotha writes it: the number of the opponent ends under those above."""
    token = _token(cell, marks)
    opponent = len(token) - len(token.lstrip("0123456789"))
    return f"{token:>8}" if len(token) - opponent > 3 else f"{token[:opponent]:>5}{token[opponent:]:3}"


def _token(cell: Cell | Bye | Open | None, marks: Counter[str]) -> str:
    """Return a result; a game by default is only a point of its own, and both losing is no point for both."""
    if cell is None or isinstance(cell, Bye):
        return f"0{(cell or Bye.ZERO_POINT).symbol}"
    if isinstance(cell, Open):
        return f"{cell.opponent}?{'bw'[cell.side]}{cell.pairing.handicap}"
    if cell.by_default or cell.result.outcome is Outcome.BOTH_LOSE:
        marks["games by default, written as points without an opponent"] += cell.by_default and cell.side == 0
        both = "games that both lost, written as points without an opponent"
        marks[both] += cell.result.outcome is Outcome.BOTH_LOSE and cell.side == 0
        return f"0{cell.symbol}"
    if not cell.result.colours_known:
        return f"{cell.opponent}{cell.symbol}"
    return f"{cell.opponent}{cell.symbol}{'bw'[cell.side]}{cell.game.handicap}"


TOU = Format("FFG .tou", sniff, read, (".tou",), write)
