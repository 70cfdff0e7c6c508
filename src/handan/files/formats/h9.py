"""Result tables of the European Go Database (H9): one tournament, one row a player, results that name each other."""

from __future__ import annotations

import re
import unicodedata
from datetime import date

from handan.errors import InputError, counted
from handan.files.games.format import Format
from handan.files.games.half_columns import parse_half
from handan.files.games.half_results import TAG, UNKNOWN, HalfTable, Row, gather
from handan.files.games.missing_dates import real_date
from handan.files.games.parsed import Contents, Entrant, Gatherer
from handan.files.games.result_table import Cell, Layout, laid_out
from handan.files.games.text_lines import lines_of
from handan.files.io.decoding import digits_in
from handan.files.io.options import Options
from handan.ledger import Ledger, When
from handan.ledger.facts import read_komi, read_name
from handan.ranks import parse_with_flag

RANK = re.compile(r"\d{1,2}(?:[kdp]|kyu|dan|[段级級])[?*]?", re.IGNORECASE)
COUNTRY = re.compile(r"[A-Za-z]{2}")
SCORE = re.compile(r"[\d.,½¼¾+/-]+")
ROW = re.compile(r"(?m)^[^\S\n]*\d+\.*[^\S\n].*$")
"""A line that begins with the place of a player."""
PIN = re.compile(r"\|\s*(\S+)\s*$")
CLASSES = {"A": "tournament-a", "B": "tournament-b", "C": "tournament-c", "D": "tournament-d"}
IDS = re.compile(r"egd:\d{8}")
MOST_DAYS = 366  # an end that is further from the start is a slip of the pen
MOST_KYU = 50
LETTERS = str.maketrans({"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "ß": "ss", "đ": "d", "Đ": "D", "ı": "i", "æ": "ae"})


def sniff(head: bytes) -> bool:
    """Return whether a file begins like an H9 table: tags, or rows with a place, a rank and results."""
    text = head.decode("latin-1")
    if text.lstrip("ï»¿ \n").startswith(("(", "<", "TOURNEY", "{")) or _is_tou(text):
        return False
    rows = sum(_row_like(line) for line in ROW.findall(text)) if digits_in(head) else 0
    tags = len(TAG.findall(text)) if "]" in text else 0
    return rows + (tags > 2) >= 1 if tags else rows >= 2 and "\t" not in text.split("\n", 1)[0]


def _is_tou(text: str) -> bool:
    return ";name=" in text and re.search(r"(?m)^;name=", text) is not None


def _row_like(line: str) -> bool:
    cells = line.partition(";")[0].split()
    place = _rank_at(cells[1:8]) if len(cells) > 4 and cells[0].rstrip(".").isdecimal() else None
    return place is not None and any(parse_half(cell) and not cell.isdecimal() for cell in cells[place + 2 :])


def read(data: bytes, source: str, options: Options) -> Contents:
    """Read one tournament; InputError if it has no rows, no result columns or no date."""
    gatherer = Gatherer(source, options.limits)
    tags: dict[str, str] = {}
    half_table = HalfTable()
    for number, line in enumerate(lines_of(data, gatherer, options, "iso-8859-15"), 1):
        if tag := TAG.match(line.strip()):
            tags.setdefault(tag[1], tag[2].strip())
        elif line.strip() and not line.lstrip().startswith(";"):
            row = _row(line, number, gatherer)
            if row is not None:
                half_table.rows.append(row)
    if not half_table.rows:
        raise InputError(f"{source} has no row of a player; place, name, rank, country, club and results were expected")
    half_table.facts = {
        "date": _date(tags, gatherer, options),
        "event": tags.get("EV", "") or tags.get("TC", ""),
        "kind": CLASSES.get(tags.get("CL", "").upper(), "tournament"),
    }
    half_table.komi = _number(tags, "KM", gatherer)
    if match := re.fullmatch(r"h\s*(\d)", tags.get("HA", "").lower()):
        half_table.reduction = None if match[1] == "9" else int(match[1])
    event = gather(half_table, gatherer)
    return gatherer.contents(tuple(row.entrant for row in half_table.rows), events=(event,))


def _number(tags: dict[str, str], name: str, gatherer: Gatherer) -> float | None:
    try:
        return read_komi(tags.get(name, ""))
    except InputError:
        gatherer.warn(None, name, tags[name], "a number of points; read as unknown")
        return None


def _date(tags: dict[str, str], gatherer: Gatherer, options: Options) -> When | None:
    """Return the first day: from DT, else from the tournament code, else as the user says."""
    first, _, last = tags.get("DT", "").partition(",")
    try:
        start = real_date(When.of(first.strip()))
        end = When.of(last.strip()) if last.strip() else start
        if start and end and not 0 <= (end.moment - start.moment).days <= MOST_DAYS:
            gatherer.warn(None, "DT", tags["DT"], "an end within a year after the start; the start is used")
    except InputError:
        gatherer.warn(None, "DT", tags["DT"], "dates such as 1999-06-08,1999-06-11; read as unknown")
        start = None
    code = re.match(r"[TEGW](\d\d)(\d\d)(\d\d)", tags.get("TC", ""))
    if start is None and code:
        year = int(code[1]) + (1900 if int(code[1]) > 50 else 2000)
        try:
            start = When.of(date(year, int(code[2]), int(code[3])))
        except ValueError:
            gatherer.warn(None, "TC", tags["TC"], "a code with a date, such as T990608; read as unknown")
    if start is None and options.date is None and not options.date_from_path:
        raise InputError(f"{gatherer.source} has neither DT nor TC; give the date of the tournament (--date)")
    return start


def _row(line: str, number: int, gatherer: Gatherer) -> Row | None:
    """Return the row of a line; None for a line that is none, which is a problem."""
    line = line.partition(";")[0]
    pin = PIN.search(line)
    cells = line[: pin.start() if pin else None].split()
    place = cells[0].rstrip(".") if cells else ""
    printed = int(place) if place.isdecimal() and len(place) < 7 else 0
    rest = cells[1:] if printed or place in {"-", ""} else cells
    rank_at = _rank_at(rest)
    if rank_at is None:
        gatherer.reject(number, "row", " ".join(cells)[:60], "place, name, rank, country, club and results")
        return None
    try:
        name = read_name(" ".join(rest[:rank_at]).replace("_", " "))
        rank, flag = parse_with_flag(rest[rank_at], bare_kyu=True)
    except InputError as fault:
        gatherer.reject(number, "rank", rest[rank_at], f"a rank such as 5k, 3d, 9p ({fault})")
        return None
    behind = rest[rank_at + 1 :]
    country = behind.pop(0) if behind and COUNTRY.fullmatch(behind[0]) else ""
    club = behind.pop(0) if behind and not SCORE.fullmatch(behind[0]) and parse_half(behind[0]) is None else ""
    identity = _identity(pin[1] if pin else "", number, gatherer)
    country = "" if country.upper() == "XX" else country.upper()
    entrant = Entrant(name, identity, country, "" if club.lower() in UNKNOWN else club, f"{rank}{flag}")
    return Row(number, printed, entrant, tuple(behind))


def _rank_at(cells: list[str]) -> int | None:
    """Return where the rank stands: the first cell that looks like one, or a bare number of kyu before the country."""
    for place, cell in enumerate(cells[1:], 1):
        bare = cell.isdecimal() and len(cell) < 3 and 1 <= int(cell) <= MOST_KYU
        if RANK.fullmatch(cell) or (bare and COUNTRY.fullmatch(" ".join(cells[place + 1 : place + 2]))):
            return place
    return None


def _identity(pin: str, line: int, gatherer: Gatherer) -> str:
    if not pin:
        return ""
    if re.fullmatch(r"\d{8}", pin):
        return f"egd:{pin}"
    gatherer.warn(line, "PIN", pin, "a number of eight digits; the player has no id")
    return ""


def write(ledger: Ledger, ending: str, excel_safe: bool) -> tuple[bytes, list[str]]:  # noqa: ARG001, FBT001  # as all
    """Write the one tournament of a ledger; InputError if it holds several events."""
    layout = laid_out(ledger, "an H9 table")
    losses = layout.losses_of(19, IDS, layout.kind if layout.kind in CLASSES.values() else "tournament")
    changed = sum(ascii_name(row.player.name) != _joined(row.player.name) for row in layout.rows)
    if changed:
        losses.append(f"letters outside ASCII in names ({counted(changed, 'player')})")
    if layout.event != _plain(layout.event):
        losses.append("brackets and letters outside ASCII in the name of the event")
    lines = _head(layout)
    for place, row in enumerate(layout.rows, 1):
        country = row.player.country if COUNTRY.fullmatch(row.player.country) else "XX"
        club = ascii_name(row.player.club.replace(" ", "_"))[:4] or "xxxx"
        text = f"{place:4} {ascii_name(row.player.name):30} {row.rank:>3} {country} {club:4} {row.wins:3}"
        cells = " ".join(f"{'0-' if cell is None else _cell(cell):>8}" for cell in row.cells)
        pin = row.player.id.removeprefix("egd:") if IDS.fullmatch(row.player.id) else ""
        lines.append(f"{text} {cells}{f' |{pin}' if pin else ''}")
    return ("\n".join(lines) + "\n").encode("ascii", "replace"), losses


def _head(layout: Layout) -> list[str]:
    classes = {kind: letter for letter, kind in CLASSES.items()}
    lines = [f"; CL[{classes[layout.kind]}]"] if layout.kind in classes else []
    lines.append(f"; EV[{_plain(layout.event) or 'Tournament'}]")
    if layout.first and layout.last:
        lines = [f"; TC[T{layout.first:%y%m%d}]", *lines, f"; DT[{layout.first},{layout.last}]"]
    lines += ["; HA[h9]"] + ([f"; KM[{layout.komi:g}]"] if layout.komi is not None else [])
    return [*lines, ";"]


def _cell(cell: Cell) -> str:
    mark = "!" if cell.by_default else ""
    if not cell.result.colours_known:
        return f"{cell.opponent}{cell.symbol}{mark}"
    return f"{cell.opponent}{cell.symbol}{mark}/{'bw'[cell.side]}{cell.game.handicap}"


def _plain(event: str) -> str:
    """Return the name of an event as a tag holds it."""
    text = unicodedata.normalize("NFKD", event.translate(LETTERS)).replace("[", "(").replace("]", ")")
    return "".join(c for c in text if not unicodedata.combining(c)).encode("ascii", "replace").decode()


def _joined(name: str) -> str:
    """Return a name as the table holds it where all its letters are ASCII."""
    return "_".join(name.split()).replace("_", " ", 1)


def ascii_name(name: str) -> str:
    """Return a name in ASCII where its letters allow it, with `_` for further blanks: surname, then the rest."""
    plain = unicodedata.normalize("NFKD", name.translate(LETTERS)).translate({ord(";"): ",", ord("|"): "/"})
    first, *others = "".join(c for c in plain if not unicodedata.combining(c)).split() or [""]
    rest = "_".join(others)
    like_a_rank = RANK.fullmatch(rest) or rest.isdecimal()
    return f"{first}{'_' if like_a_rank else ' '}{rest}".strip()


H9 = Format("H9", sniff, read, (".h9",), write)
