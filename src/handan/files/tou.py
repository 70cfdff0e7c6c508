"""Result tables of the French federation (.tou): one tournament, rows of fixed width."""

from __future__ import annotations

import re

from handan.errors import InputError
from handan.files.contents import Contents, Entrant, Gatherer
from handan.files.formats import Format, Options
from handan.files.halves import UNKNOWN, Row, Sheet, gather
from handan.files.text import lines_of
from handan.ledger import When
from handan.ledger.facts import read_name
from handan.ranks import Rank

FIELD = re.compile(r";\s*(\w+)=(.*)")
NAME, RANK, LICENCE, CLUB, ROUNDS = slice(5, 30), slice(30, 33), slice(34, 41), slice(42, 46), 46
WIDTH = 9  # a blank and a cell of eight


def sniff(head: bytes) -> bool:
    """Return whether a file begins with the fields of a .tou table."""
    text = head.decode("latin-1")
    return bool(re.search(r"(?m)^\W{0,3};\s*name=", text)) and ";Num" in text


def read(data: bytes, source: str, options: Options) -> Contents:
    """Read one tournament; InputError if it has no rows or no results."""
    gatherer = Gatherer(source)
    fields: dict[str, str] = {}
    sheet = Sheet()
    for number, line in enumerate(lines_of(data, gatherer, options, "iso-8859-15", usual=True), 1):
        if match := FIELD.match(line.lstrip("\ufeff")):
            fields.setdefault(match[1].lower(), match[2].strip())
        elif line.strip() and not line.startswith(";"):
            row = _row(line, number, gatherer)
            if row is not None:
                sheet.rows.append(row)
    if not sheet.rows:
        raise InputError(f"{source} has no row of a player; rows of place, name, rank, licence, club were expected")
    sheet.facts = {
        "date": _date(fields.get("date", ""), gatherer),
        "event": fields.get("name", ""),
        "kind": "tournament",
        "size": fields.get("size") or 19,
    }
    sheet.komi = _komi(fields.get("komi", ""), gatherer)
    counts = gather(sheet, gatherer)
    return gatherer.contents(tuple(row.entrant for row in sheet.rows), **counts)


def _date(text: str, gatherer: Gatherer) -> When | None:
    try:
        return When.of("-".join(reversed(text.split("/"))))  # dd/MM/yyyy
    except InputError:
        gatherer.warn(None, "date", text, "a date such as 26/10/2019; read as unknown")
        return None


def _komi(text: str, gatherer: Gatherer) -> float | None:
    try:
        return float(text.replace(",", ".")) if text else None
    except ValueError:
        gatherer.warn(None, "komi", text, "a number of points; read as unknown")
        return None


def _row(line: str, number: int, gatherer: Gatherer) -> Row | None:
    """Return the row of a line by its fixed columns, else by its blanks; None, and a problem, if it is none."""
    place = line[:4].strip()
    cells = [line[at : at + WIDTH].strip() for at in range(ROUNDS, len(line.rstrip()), WIDTH)]
    name, rank, licence, club = (line[part].strip() for part in (NAME, RANK, LICENCE, CLUB))
    if not re.fullmatch(r"\d{1,2}[kKdDpP]", rank):
        found = re.fullmatch(r"(\d+) (.+?) (\d{1,2}[kKdDpP]) (.*)", " ".join(line.split()))
        if not found:
            gatherer.reject(number, "row", line.strip()[:60], "place, name, rank, licence, club and results")
            return None
        gatherer.warn(number, "row", line.strip()[:60], "a row of fixed columns; read by its blanks")
        place, name, rank, cells, licence, club = found[1], found[2], found[3], found[4].split(), "", ""
    try:
        shown = read_name(name)
        strength = str(Rank.parse(rank))
    except InputError as fault:
        gatherer.reject(number, "row", line.strip()[:60], f"a player with name and rank ({fault})")
        return None
    identity = f"ffg:{licence}" if re.fullmatch(r"[0-9A-Za-z]{7}", licence) else ""
    entrant = Entrant(shown, identity, "", "" if club.lower() in UNKNOWN else club, strength)
    return Row(number, int(place) if place.isdigit() else 0, entrant, tuple(cells))


TOU = Format("FFG .tou", sniff, read)
