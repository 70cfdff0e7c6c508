"""Game records (SGF): the properties of the root of each game; moves are not read.

A scanner of our own, because it has to go on where a parser must stop: in values with a bracket that is not escaped, in
bytes of another encoding, in records cut off in the middle; and it never looks at more than the root of a game.
"""

from __future__ import annotations

import codecs
import re
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date

from handan.errors import InputError, counted
from handan.files.games.format import Format
from handan.files.games.parsed import Contents, Gatherer
from handan.files.io.damaged_text import LOST, is_chinese, is_utf8
from handan.files.io.decoding import text_codec
from handan.files.io.limits import Limits
from handan.files.io.options import Options
from handan.ledger import Game, Ledger, Outcome, When
from handan.ranks import parse_with_flag

START = re.compile(rb"\(\s*;")
PROPERTY = re.compile(rb"\s*+(?<![A-Za-z])([A-Za-z]++)\s*+(?=\[)")
VALUE = re.compile(rb"\s*+\[((?:[^\]\\]|\\.)*+)\]", re.DOTALL)
WANTED = frozenset(("PB", "PW", "BR", "WR", "EV", "RO", "DT", "RE", "KM", "HA", "SZ", "GM", "CA", "AP", "SO"))
TEXT = ("PB", "PW", "EV")
FOX = ("fox", "foxwq")
ZI = {375.0: 7.5, 325.0: 6.5}
"""Komi of the Fox server counted in stones of one side."""
MOST_KOMI = 100.0
FULL = re.compile(r"(?<!\d)(\d{4})\s?[-/.年]\s?(\d{1,2})\s?[-/.月]\s?(\d{1,2})(?!\d)")
COMPACT = re.compile(r"(?<!\d)((?:1[6-9]|20)\d\d)(0[1-9]|1[0-2])([0-3]\d)(?!\d)")
SHORT = re.compile(r"(?<!\d)(\d{1,2})[-/.](\d{1,2})[-/.](\d{2}|\d{4})(?!\d)")
YEAR_MONTH = re.compile(r"(?<!\d)(\d{4})(?:\s?[-/.年]\s?(\d{1,2}))?(?!\d)")
DECLARED = re.compile(rb"CA\s*\[\s*([\w.:-]{1,40})\s*\]")
DOUBLE = frozenset(("shift_jis", "cp932", "shift_jis_2004", "shift_jisx0213", "gbk", "gb18030", "big5", "cp950"))
"""Encodings in which the second byte of a letter may be a bracket or a backslash."""
END_OF_NODE = re.compile(rb"\s*+(?:;|\(\s*+;|\)|\Z)")
REACH = 4096  # our choice: bytes behind a bracket that is not escaped in which the next property is looked for
BOTH = (Outcome.BOTH_LOSE, Outcome.BOTH_WIN)
RATING = re.compile(r"[-+]?\d+([.,]\d+)?[?*]?|[-?]+")
CENTURY = 51  # two digits of a year: 51 to 99 are of the twentieth century


@dataclass(frozen=True, slots=True)
class Root:
    """The properties of one game's root, as bytes; the last of a repeated one stands."""

    line: int
    properties: dict[str, bytes]
    swallowed: bool
    """Whether something stood between the properties that is none, as after a bracket that is not escaped."""


def sniff(head: bytes) -> bool:
    """Return whether a game record begins in a file."""
    plain = head.replace(b"\0", b"")
    match = START.search(plain)
    return match is not None and bool(PROPERTY.search(plain[match.end() : match.end() + 200]))


def read(data: bytes, source: str, options: Options) -> Contents:
    """Read the games of one file; InputError if there is none or a limit is broken."""
    if len(data) > options.limits.text:
        raise options.limits.exceeded("text", source)
    data, options = _transcoded(data, options)
    data = data.replace(b"\r\n", b"\n").replace(b"\n\r", b"\n").replace(b"\r", b"\n")
    gatherer = Gatherer(source, options.limits)
    roots = _roots(data, source, options.limits)
    if not roots:
        raise InputError(f"{source} has no game; '(;' and properties were expected")
    for root in roots:
        _take(root, gatherer)
    return gatherer.contents()


def _transcoded(data: bytes, options: Options) -> tuple[bytes, Options]:
    """Return the file in UTF-8 if its encoding is known for certain: in some others half a letter may be a bracket."""
    codec = options.encoding or ("utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "")
    if codec:
        return _decoded(data, codec).encode("utf-8", "replace"), replace(options, encoding=None)
    declared = DECLARED.search(data, 0, REACH)
    with suppress(LookupError, ValueError):
        codec = text_codec(declared[1].decode()) if declared else ""
        if codec in DOUBLE:
            return data.decode(codec).encode(), options
    return data, options


def _roots(data: bytes, source: str, limits: Limits) -> list[Root]:
    """Return the root of every game: a `(;` at depth 0 of the brackets around variations."""
    roots: list[Root] = []
    place, line, counted = 0, 1, 0
    while match := START.search(data, place):
        line += data.count(b"\n", counted, match.start())
        counted = match.start()
        properties, end, swallowed = _properties(data, match.end(), f"{source} line {line}", limits)
        roots.append(Root(line, properties, swallowed))
        place = _after(data, end, f"{source} line {line}", limits)
    return roots


def _properties(data: bytes, start: int, where: str, limits: Limits) -> tuple[dict[str, bytes], int, bool]:
    """Return the properties of the node that begins at a place, where it ends, and whether anything was skipped."""
    properties: dict[str, bytes] = {}
    place, swallowed = start, False
    while place < len(data):
        match = PROPERTY.match(data, place)
        if not match:
            later = None if END_OF_NODE.match(data, place) else PROPERTY.search(data, place, place + REACH)
            if later is None or data[place : later.start()].rstrip().endswith(b";"):
                break
            swallowed, place = True, later.start()
            continue
        name = re.sub(rb"[a-z]", b"", match[1]).decode()  # versions 1 to 3 spell names in full: GaMe
        place = match.end()
        while value := VALUE.match(data, place):
            if name in WANTED:
                properties[name] = value[1]
            place = value.end()
            if place - start > limits.node:
                raise limits.exceeded("node", where)
        if data[place : place + 1] == b"[":
            break  # a value that is never closed
    return properties, place, swallowed


def _after(data: bytes, place: int, where: str, limits: Limits) -> int:
    """Return the place behind the end of the game, past its moves and variations."""
    depth = 1
    token = re.compile(rb"\[(?:[^\]\\]|\\.)*+(?:\]|\Z)|[()]", re.DOTALL)
    for match in token.finditer(data, place):
        mark = match[0][:1]
        if mark == b"(":
            depth += 1
            if depth > limits.nesting:
                raise limits.exceeded("nesting", where)
        elif mark == b")":
            depth -= 1
            if depth == 0:
                return match.end()
    return len(data)


def _take(root: Root, gatherer: Gatherer) -> None:
    """Add one game, or report why it is none."""
    values = {name: _text(value, root) for name, value in root.properties.items()}
    for name in TEXT:
        if LOST in values.get(name, "") and name not in {"PB", "PW"}:  # these are reported as names
            gatherer.warn(root.line, name, values[name], f"whole; {LOST} stands for destroyed bytes")
    if root.swallowed:
        gatherer.warn(root.line, "root", "text between properties", "a bracket escaped as \\]; read from the next on")
    if values.get("GM", "1").strip() not in {"", "1"}:
        gatherer.warn(root.line, "GM", values["GM"], "1, a game of Go; left out")
        return
    size = _size(values.get("SZ", ""))
    if size is None:
        gatherer.warn(root.line, "SZ", values["SZ"], "a square board such as 19; left out")
        return
    black, white = values.get("PB", "").strip(), values.get("PW", "").strip()
    if not black and not white:
        gatherer.warn(root.line, "PB", "", "the names of the players; left out")
        return
    if not black or not white:
        gatherer.reject(root.line, "PB" if not black else "PW", "", "the name of a player")
        return
    for name in (black, white):
        gatherer.name(root.line, name)
    result, notes = _result(values.get("RE", ""), root, gatherer)
    gatherer.game(
        root.line,
        black=black,
        white=white,
        result=result,
        date=_date(values.get("DT", ""), root, gatherer),
        handicap=_handicap(values.get("HA", ""), root, gatherer),
        komi=_komi(values, root, gatherer),
        size=size,
        event=" ".join(values.get("EV", "").split()),
        round=match[0] if (match := re.search(r"\d{1,6}", values.get("RO", ""))) else "",
        black_rank=_rank("BR", values, root, gatherer),
        white_rank=_rank("WR", values, root, gatherer),
        notes=notes,
    )


def _text(value: bytes, root: Root) -> str:
    """Return a value as text: escapes resolved, in the first encoding that fits.

    Strict UTF-8; UTF-8 with destroyed bytes, or where CA says so; CA's encoding; GB18030 for pairs of bytes; Latin-1.
    """
    raw = re.sub(rb"\\(.)", lambda match: match[1].strip(b"\n"), value, flags=re.DOTALL)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        pass
    declared = root.properties.get("CA", b"").decode("ascii", "ignore").strip().lower()
    if declared in {"utf-8", "utf8"} or is_utf8(raw):
        return raw.decode("utf-8", "replace")
    for codec in filter(None, (declared, "gb18030" if is_chinese(raw) else "")):
        try:
            return raw.decode(text_codec(codec))
        except (LookupError, ValueError):
            continue
    return raw.decode("latin-1")


def _decoded(raw: bytes, codec: str) -> str:
    try:
        return raw.decode(codec, "replace")
    except (LookupError, ValueError):
        raise InputError(f"encoding {codec!r} is unknown; give one such as gb18030, shift_jis or euc-kr") from None


def _size(text: str) -> int | None:
    """Return the lines of a square board, 19 where nothing is said; None for another board."""
    match = re.fullmatch(r"\s*(\d{1,2})(?:\s*[:x]\s*(\d{1,2}))?\s*", text) if text.strip() else None
    if match is None:
        return None if text.strip() else 19
    lines = int(match[1])
    return lines if lines == int(match[2] or lines) and 2 <= lines <= 52 else None


def _result(text: str, root: Root, gatherer: Gatherer) -> tuple[str, str]:
    """Return the result in the spelling of tables, and what belongs to the notes."""
    text_of_result = " ".join(text.split())
    plain = text_of_result.replace(" ", "")
    if not text_of_result or text_of_result == "?":
        return "?", ""
    if plain.lower() in {"0", "draw", "jigo", "d+j", "d"}:
        return "jigo", ""
    if plain.lower() == "void":
        return "void", ""
    if match := re.fullmatch(r"([BbWw])(?:\+(.*))?", plain):
        tail = (match[2] or "").rstrip(".")
        side = match[1].upper()
        words = {"r": "R", "resign": "R", "res": "R", "t": "T", "time": "T", "f": "F", "forfeit": "F"}
        if tail.lower() in words:
            return f"{side}+{words[tail.lower()]}", ""
        if re.fullmatch(r"\d{1,4}([.,]\d{1,2})?", tail):
            return f"{side}+{tail.replace(',', '.')}", ""
        return f"{side}+", tail.lower()
    gatherer.warn(root.line, "RE", text_of_result, "B+…, W+…, 0, Draw, Void or ?; read as unknown")
    return "?", text_of_result


def _date(text: str, root: Root, gatherer: Gatherer) -> When | None:
    """Return the first date of the list that a record gives."""
    if not text.strip():
        return None
    try:
        if match := FULL.search(text) or COMPACT.search(text):
            return When.of(date(int(match[1]), int(match[2]), int(match[3])))
        if match := SHORT.search(text):
            year = int(match[3])
            year += 0 if year > 99 else 1900 if year >= CENTURY else 2000
            return When.of(date(year, int(match[2]), int(match[1])))
        if match := YEAR_MONTH.search(text):
            return When.of(f"{match[1]}-{int(match[2]):02}" if match[2] else match[1])
    except (ValueError, InputError):
        pass
    gatherer.warn(root.line, "DT", text, "a date such as 1996-12-27; read as unknown")
    return None


def _handicap(text: str, root: Root, gatherer: Gatherer) -> str:
    stones = text.strip()
    if stones and not re.fullmatch(r"-?\d{1,2}", stones):
        gatherer.warn(root.line, "HA", stones, "a number of stones; read as none")
        return ""
    return stones


def _komi(values: dict[str, str], root: Root, gatherer: Gatherer) -> float | None:
    """Return the komi; the Fox server writes hundredths, zi, and 0 for not recorded."""
    text = values.get("KM", "").strip().replace(",", ".")
    if not text:
        return None
    try:
        komi = float(text)
    except ValueError:
        gatherer.warn(root.line, "KM", text, "a number of points; read as not recorded")
        return None
    fox = any(mark in f"{values.get('AP', '')} {values.get('SO', '')}".lower() for mark in FOX)
    if komi in ZI:
        return ZI[komi]
    if abs(komi) > MOST_KOMI:
        komi /= 100.0
    elif fox and komi == 0.0:
        return None
    if abs(komi) > MOST_KOMI:
        gatherer.warn(root.line, "KM", text, "a number of points; read as not recorded")
        return None
    return komi


def _rank(name: str, values: dict[str, str], root: Root, gatherer: Gatherer) -> str:
    """Return a rank with its mark; nothing for a rating and, with a warning, for other text such as a country."""
    text = values.get(name, "").strip()
    if not text or RATING.fullmatch(text):
        return ""
    try:
        rank, flag = parse_with_flag(text)
    except InputError:
        gatherer.warn(root.line, name, text, "a rank such as 3d, 12k or 9p; read as none")
        return ""
    return f"{rank}{flag}"


def write(ledger: Ledger, ending: str, excel_safe: bool) -> tuple[bytes, list[str]]:  # noqa: ARG001, FBT001  # as all
    """Write a collection of records without moves: one root a game."""
    games = list(ledger)
    lines = [_record(game) for game in games]
    counts = {
        "unknown colours": sum(not game.result.colours_known for game in games),  # type: ignore[union-attr]
        "games that both lost or both won": sum(game.result.outcome in BOTH for game in games),  # type: ignore[union-attr]
        "kinds": sum(bool(game.kind) for game in games),
        "numbers in registers": sum(bool(game.black_id or game.white_id) for game in games),
        "numbers of moves": sum(game.moves is not None for game in games),
        "notes": sum(bool(game.notes) for game in games),
    }
    losses = [f"{what} ({counted(count, 'game')})" for what, count in counts.items() if count]
    return ("\n".join(lines) + "\n").encode(), losses


def _record(game: Game) -> str:
    """Return one game as a root node."""
    result = str(game.result).replace("P1+", "B+").replace("P2+", "W+")
    result = {"jigo": "0", "P=": "0", "void": "Void", "both-lose": "?", "both-win": "?"}.get(result, result)
    properties = {
        "GM": "1", "FF": "4", "CA": "UTF-8", "SZ": str(game.size), "PB": game.black, "PW": game.white,
        "BR": game.black_rank, "WR": game.white_rank, "DT": str(game.date or "")[:10], "RE": result,
        "KM": "" if game.komi is None else f"{game.komi:g}", "HA": str(game.handicap or ""), "EV": game.event,
        "RO": "" if game.round is None else str(game.round),
    }  # fmt: skip
    values = ((name, re.sub(r"([\]\\])", r"\\\1", value)) for name, value in properties.items() if value)
    return f"(;{''.join(f'{name}[{value}]' for name, value in values)})"


SGF = Format("SGF", sniff, read, (".sgf",), write)
