"""Lists of players: of the European Go Database, the French federation, and members of the AGA; no games."""

from __future__ import annotations

import re
from dataclasses import replace

from handan.errors import Clause, InputError
from handan.files.formats.aga_report import key_of, register_id
from handan.files.games.contents import Contents, Entrant, Gatherer, club_of
from handan.files.games.format import Format
from handan.files.games.text_lines import lines_of
from handan.files.io.decoding import digits_in
from handan.files.io.options import Options
from handan.files.io.web_tables import unescaped
from handan.ledger import When
from handan.ledger.facts import read_name
from handan.ranks import Rank

EGD_ROW = re.compile(
    r"\s*(\d{8})\s+(.*?)\s+([A-Z]{2})\s+(?:(\S+)\s+)?(\d{1,2}[kdp])\s+(--|\S+)\s+(-?\d+)\s+(\d+)\s+(\S+)\s*$"
)
FFG_ROW = re.compile(r"(.+?)(?<!\s)\s++(-?\d{1,5})\s++([-eLCX])\s*(\S{7})\s+(\S{4})\s+(\S{2})\s*$")
FFG_UNRATED = -9999
EGD_DAY = re.compile(r"\((\d{1,2} [A-Z][a-z]{2} \d{4})\)")
FFG_DAY = re.compile(r"#Echelle au (\d{1,2}/\d{1,2}/\d{4})")
TAG = re.compile(r"<[^<>]*>")
TYPES = frozenset(("full", "youth", "non", "forgn", "life", "spons", "limit", "comp"))
"""Types of membership, which stand behind the number."""
MEMBER_CELLS = 2
LARGEST_SIGMA = 100.0  # stones, our choice: beyond it the cell is no sigma
MEMBER = re.compile(rf"(?mi)^[^\t\n]*+\t[^\t\n]*+\t[^\S\t\n]*+(?:{'|'.join(sorted(TYPES))})[^\S\t\n]*+(?:\t|$)")
RATING = re.compile(r"-?\d{1,2}(?:\.\d{1,9})?")
STATE = re.compile(r"[A-Z]{2}")
NO_CHAPTER = "none"
LOOKED_AT = 50  # our choice: rows by which the list in columns is known
LONGEST_ROW = 500  # characters; our choice
EGD_LIKE = re.compile(r"[0-9]{8}.*")
"""What stands behind the first tags and blanks of a line that may be a row of the European list."""
ENOUGH = 2  # rows by which that list is known
DIGITS = 8  # of the number with which each begins


def sniff_egd(head: bytes) -> bool:
    """Return whether rows of the European list stand in a file."""
    if digits_in(head) < ENOUGH * DIGITS:
        return False
    rows, text = 0, head.decode("latin-1")
    for like in EGD_LIKE.finditer(text):
        plain = unescaped(TAG.sub("", text[text.rfind("\n", 0, like.start()) + 1 : like.end()]))
        rows += EGD_ROW.match(" ".join(plain.split())) is not None
        if rows == ENOUGH:
            return True
    return False


def read_egd(data: bytes, source: str, options: Options) -> Contents:
    """Read the European list; lines that do not begin with a number of eight digits are passed over."""
    gatherer = Gatherer(source)
    entrants: list[Entrant] = []
    as_of = None
    for number, line in enumerate(lines_of(data, gatherer, options, "cp1252"), 1):
        plain = " ".join(unescaped(TAG.sub("", line)).split())
        if not entrants and (day := EGD_DAY.fullmatch(plain)):
            as_of = gatherer.date(number, "day", day[1], "dmy")
        if not re.match(r"\s*\d{8}\s", plain):
            continue
        match = EGD_ROW.match(plain)
        if not match:
            gatherer.reject(
                number, "row", plain.strip()[:60], "PIN, name, country, club, grade, P&D, GoR, tournaments, code"
            )
            continue
        club = match[4] or ""
        name = read_name(match[2].replace("_", " "))
        rank, country = str(Rank.parse(match[5])), "" if match[3] == "XX" else match[3]
        entrants.append(Entrant(name, f"egd:{match[1]}", country, club_of(club), rank=rank,
                                rating=float(match[7]), rating_origin="EGF"))  # fmt: skip
    return _list(entrants, gatherer, as_of)


def sniff_ffg(head: bytes) -> bool:
    """Return whether a file begins like the scale of the French federation."""
    return head.lstrip(b"\xef\xbb\xbf").startswith(b"#Echelle")


def read_ffg(data: bytes, source: str, options: Options) -> Contents:
    """Read the French scale, each row from its right end."""
    gatherer = Gatherer(source)
    entrants = []
    as_of = None
    for number, line in enumerate(lines_of(data, gatherer, options, "iso-8859-1", usual=True), 1):
        if day := FFG_DAY.match(line):
            as_of = gatherer.date(number, "day", day[1], "dmy")
        if not line.strip() or line.startswith("#"):
            continue
        match = FFG_ROW.match(" ".join(line.split()))
        if not match:
            gatherer.reject(number, "row", line.strip()[:60], "name, rating, flag, licence, club and country")
            continue
        rating = int(match[2])
        licence = "" if set(match[4]) == {"-"} else f"ffg:{match[4]}"
        entrants.append(
            Entrant(
                read_name(match[1]),
                licence,
                match[6].upper(),
                club_of(match[5]),
                rating=None if rating == FFG_UNRATED else rating,
                rating_origin="FFG",
            )
        )
    return _list(entrants, gatherer, as_of)


def sniff_members(head: bytes) -> bool:
    """Return whether a file is the association's list of members, separated by tabs or in columns of fixed widths."""
    text = head.decode("latin-1")
    if b"\t" in head:
        return MEMBER.search(text) is not None
    *lines, last = [line for line in text.split("\n") if line.strip()][:LOOKED_AT] or [""]
    rows = lines or [last]  # the last line may be cut
    return 2 * sum(_in_columns(line) is not None for line in rows) > len(rows)


def read_members(data: bytes, source: str, options: Options) -> Contents:
    """Read the association's list: name, number, rating with its sigma, chapter and state; not the membership."""
    gatherer = Gatherer(source)
    entrants: list[Entrant] = []
    for number, line in enumerate(lines_of(data, gatherer, options, "cp1252"), 1):
        if not line.strip():
            continue
        cells = [cell.strip() for cell in line.split("\t")] if "\t" in line else _in_columns(line) or []
        if not entrants and len(cells) >= MEMBER_CELLS and not any(map(str.isdecimal, line)):
            gatherer.warn(number, "row", line.strip()[:60], "a row of a player; passed over, as names of columns are")
            continue
        if len(cells) < MEMBER_CELLS or not cells[1]:
            gatherer.reject(number, "row", line.strip()[:60], "a name, a number, a type and further cells")
            continue
        cells += [""] * (9 - len(cells))
        try:
            name = read_name(cells[0].strip('", '))
            rating, sigma = (float(cell) if cell else None for cell in (cells[3], cells[7]))
            if sigma is not None and not 0.0 <= sigma < LARGEST_SIGMA:
                raise ValueError(cells[7])
        except (InputError, ValueError):
            gatherer.reject(
                number, "row", line.strip()[:60], "a name, a number, a type, a rating such as 4.45 and a sigma"
            )
            continue
        club = "" if cells[5].lower() == NO_CHAPTER else cells[5]
        identity = register_id(key_of(cells[1]))
        entrants.append(Entrant(name, identity, "US" if cells[6] else "", club, rating=rating,
                                rating_origin="AGA", deviation=sigma or None))  # fmt: skip
    return _list(entrants, gatherer)


def _in_columns(line: str) -> list[str] | None:
    """Return the cells of a row in columns of fixed widths, in the order of the list with tabs; None if it is no row.

    Number and type of membership stand behind the name; what follows may be blank, and is known by its form.
    """
    words = line[:LONGEST_ROW].split()
    place = next((at for at in range(2, len(words)) if words[at].lower() in TYPES and words[at - 1].isdecimal()), None)
    if place is None:
        return None
    rest = words[place + 1 :]
    rating = rest.pop(0) if rest and RATING.fullmatch(rest[0]) else ""
    expiry = rest.pop(0) if rest and "/" in rest[0] else ""
    state = rest.pop() if rest and STATE.fullmatch(rest[-1]) else ""
    if len(rest) > 1:
        return None
    return [" ".join(words[: place - 1]), words[place - 1], words[place], rating, expiry, "".join(rest), state]


def _list(entrants: list[Entrant], gatherer: Gatherer, as_of: When | None = None) -> Contents:
    if not entrants and not gatherer.problems:
        raise InputError(Clause.of("{source} has no row of a player", source=gatherer.source))
    return replace(gatherer.contents(tuple(entrants)), as_of=as_of)


EGD_LIST = Format("EGD list", sniff_egd, read_egd)
FFG_LIST = Format("FFG list", sniff_ffg, read_ffg)
AGA_LIST = Format("AGA list", sniff_members, read_members)
