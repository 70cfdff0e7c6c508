"""Game records (SGF): the properties of the root of each game, read as the cells of a table are; moves are not read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

from handan.errors import Clause, InputError, Problem, QuestionError, counted, either, shown
from handan.files.formats.sgf_nodes import Node, lacks_bracket, roots_of
from handan.files.games.contents import Contents, Gatherer
from handan.files.games.format import Format
from handan.files.games.records import Parsed, Record, Stones, contents_of
from handan.files.io.cells import warning_of_guess
from handan.files.io.damaged_text import DESTROYED, LOST, loosely
from handan.files.io.decoding import decoded, likely_codec, text_codec
from handan.files.io.options import Options
from handan.ledger import Game, Ledger, Outcome

START = re.compile(rb"\(\s*+;?\s*+[A-Za-z]++\s*+\[")
SEVERAL_PROPERTIES = re.compile(rb"\s*+\(\s*+(?:[A-Za-z]++\s*+\[(?:[^\]\\]++|\\.)*+\]\s*+){2}", re.DOTALL)
BETWEEN_GAMES = re.compile(rb"(?<=\))(?=\s*+\(\s*+;)")
DECLARED = re.compile(rb"CA\s*+\[\s*+([\w.:-]{1,40})\s*+\]")
REACH = 4096  # our choice: bytes of a game in which its encoding is declared
TEXT = ("EV",)
CHINESE = "gb18030"
"""The encoding of most records that declare none; it is taken where it is as likely as another."""
FOX = ("fox", "野狐")
PARTS = {
    "black": "PB", "white": "PW", "result": "RE", "date": "DT", "handicap": "HA", "komi": "KM", "black_rank": "BR",
    "white_rank": "WR",
}  # fmt: skip
TOLD_ONCE = frozenset((*PARTS.values(), "EV", "RO", "SZ"))
"""Properties of which a game has one; programs that write into a record of another add theirs to the rest."""
WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949", "iso8859-1": "cp1252"}
"""Encodings that programs name, and those with more characters in which they write."""
TESUJI = frozenset(("", "1", "2"))
"""Values of TE where it marks a move, and names no event."""
BOTH = (Outcome.BOTH_LOSE, Outcome.BOTH_WIN)


def sniff(head: bytes) -> bool:
    """Return whether a game record begins in a file."""
    plain = head.replace(b"\0", b"")
    match = START.search(plain)
    if match is not None and b";" in match[0]:
        return True
    return SEVERAL_PROPERTIES.match(plain) is not None or lacks_bracket(plain[:REACH].decode("latin-1"))


def read(data: bytes, source: str, options: Options) -> Contents:
    """Read the games of one file; InputError if there is none or a limit is broken."""
    [contents] = together([(data, source)], options)
    if isinstance(contents, InputError):
        raise contents
    return contents


def together(files: Sequence[tuple[bytes, str]], options: Options) -> list[Contents | InputError]:
    """Read files that lie in one folder: where one leaves open in which encoding it is, the others may say it."""
    parsed: list[Parsed | InputError] = []
    for data, source in files:
        try:
            parsed.append(_parsed(data, source, options, files))
        except InputError as fault:
            parsed.append(fault)
    read_ones = iter(contents_of([each for each in parsed if not isinstance(each, InputError)], options.dates, PARTS))
    return [each if isinstance(each, InputError) else next(read_ones) for each in parsed]


def _parsed(data: bytes, source: str, options: Options, files: Sequence[tuple[bytes, str]]) -> Parsed:
    """Return the records of a file."""
    options.limits.check("text", len(data), source)
    gatherer = Gatherer(source, options.limits)
    text, warnings = _text_of(data, source, options, files)
    gatherer.problems += warnings
    text = text.replace("\r\n", "\n").replace("\n\r", "\n").replace("\r", "\n")
    records, empty = [], True
    for node in roots_of(text, source, options.limits):
        empty = False
        record = _record_of(node, gatherer)
        if record is not None:
            records.append(record)
    if empty:
        raise InputError(Clause.of("{source} has no game; '(;' and properties were expected", source=source))
    return gatherer, records


def _text_of(
    data: bytes, source: str, options: Options, files: Sequence[tuple[bytes, str]]
) -> tuple[str, list[Problem]]:
    """Return a file as text, and the warning of an encoding that was guessed.

    A file may be many put behind each other: each game is in UTF-8, or in the encoding that it declares; all the others
    are in one, which their text says.
    """
    with suppress(UnicodeDecodeError):
        if not options.encoding and b"\0" not in data:
            text = data.decode()
            if text.isascii() or (codec := _declared(data)) in ("", "utf-8") or _strictly(data, codec) is None:
                return text, []
    if options.encoding or b"\0" in data or data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text, guess = decoded(data, source, options.encoding, lambda part: likely_codec(part, source))
        return text, warning_of_guess(guess, source)
    games = BETWEEN_GAMES.split(data)
    texts = [_as_declared(game) for game in games]
    open_ = b"\n".join(game for game, text in zip(games, texts, strict=True) if text is None)
    guess, warnings = _guessed(open_, source, files) if open_ else ("", [])
    pairs = zip(games, texts, strict=True)
    whole = [game.decode(guess or "utf-8", "replace") if text is None else text for game, text in pairs]
    return "".join(whole), warnings


def _declared(game: bytes) -> str:
    """Return the encoding that a game declares; empty if it declares none that is known."""
    match = DECLARED.search(game, 0, REACH)
    with suppress(LookupError, ValueError):
        return text_codec(match[1].decode()) if match else ""
    return ""


def _as_declared(game: bytes) -> str | None:
    """Return a game in the encoding that it declares, else in UTF-8; None if it is in neither."""
    codec = _declared(game)
    if codec not in ("", "utf-8") and (text := _strictly(game, codec)) is not None:
        return text if _strictly(game, "utf-8") is None or not _is_alphabet(codec) else game.decode()
    if (text := _strictly(game, "utf-8")) is not None:
        return text
    return loosely(game, WIDER.get(codec, codec)) if codec else None


def _is_alphabet(codec: str) -> bool:
    """Return whether an encoding has one byte a letter, so that any bytes are text in it."""
    return len("é".encode(codec, "replace")) == 1 and "山".encode(codec, "replace") == b"?"


def _strictly(game: bytes, codec: str) -> str | None:
    """Return bytes as text; None if they are not of an encoding."""
    for each in dict.fromkeys((codec, WIDER.get(codec, codec))):
        with suppress(UnicodeDecodeError):
            return game.decode(each)
    return None


def _guessed(data: bytes, source: str, files: Sequence[tuple[bytes, str]]) -> tuple[str, list[Problem]]:
    """Return the encoding of a text, as its neighbours have it where it alone does not say, and the warning of it."""
    try:
        codec = likely_codec(data, source)
        return codec, warning_of_guess(codec, source)
    except QuestionError as question:
        choices = dict(zip(question.answers, question.readings, strict=True))
    codec = CHINESE if CHINESE in choices else next(iter(choices))
    if len(files) > 1:
        with suppress(QuestionError):
            others = likely_codec(b"\n".join(line for other, _ in files for line in _open_lines(other)), source)
            if others in choices:
                return others, warning_of_guess(others, source)
    rivals = either(
        Clause.of("{encoding}, where {one} is {other}", encoding=name, one=shown(choices[codec]), other=shown(text))
        for name, text in choices.items() if name != codec
    )  # fmt: skip
    pattern, hint = "the text may be in the encoding {rivals} as well{hint}", " (--encoding says which)"
    message = Clause.of(pattern, rivals=rivals, hint=hint)
    warning = Problem(
        source, None, "encoding", choices[codec], "letters of one encoding", rejected=False, message=message
    )
    return codec, [*warning_of_guess(codec, source), warning]


def _open_lines(data: bytes) -> list[bytes]:
    """Return the lines of a file that say something of its encoding; none if it declares one or is in UTF-8."""
    if data.isascii() or _as_declared(data) is not None:
        return []
    return [line for line in data.replace(b"\r", b"\n").split(b"\n") if not line.isascii()][:3]


def _record_of(node: Node, gatherer: Gatherer) -> Record | None:
    """Return one game; None, with a report, if it is none."""
    values = node.properties
    for name in TEXT:
        if LOST in values.get(name, ""):
            gatherer.warn(node.line, name, values[name], DESTROYED)
    for name, earlier in node.overwritten.items():
        if name in TOLD_ONCE:
            pattern = "the only {name} of the game; {value} stands"
            gatherer.warn(node.line, name, earlier, Clause.of(pattern, name=name, value=shown(values[name])))
    if node.swallowed:
        gatherer.warn(node.line, "root", "text between properties", "a bracket escaped as \\]; read from the next on")
    if values.get("GM", "1").strip() not in {"", "1"}:
        gatherer.warn(node.line, "GM", values["GM"], "1, a game of Go; left out")
        return None
    size = _size(values.get("SZ", ""))
    if size is None:
        gatherer.warn(node.line, "SZ", values["SZ"], "a square board such as 19; left out")
        return None
    black, white = values.get("PB", "").strip(), values.get("PW", "").strip()
    if not black and not white:
        gatherer.warn(node.line, "PB", "", "the names of the players; left out")
        return None
    if not black or not white:
        gatherer.reject(node.line, "PB" if not black else "PW", "", "the name of a player")
        return None
    server = " ".join(values.get(name, "") for name in ("AP", "SO", "PC")).lower()
    event = values.get("TE", "")
    return Record(
        line=node.line,
        black=black,
        white=white,
        result=values.get("RE", ""),
        date=values.get("DT", "") if values.get("DT", "").strip() else values.get("RD", ""),
        handicap=values.get("HA", ""),
        komi=values.get("KM", "") if values.get("KM", "").strip() else values.get("KO", ""),
        size=size,
        event=values.get("EV", "") or ("" if event.strip() in TESUJI else event),
        round=values.get("RO", ""),
        black_rank=values.get("BR", ""),
        white_rank=values.get("WR", ""),
        fox=any(mark in server for mark in FOX),
        stones=Stones(node.stones.get("AB", 0), node.stones.get("AW", 0), node.first) if node.stones else None,
    )


def _size(text: str) -> int | None:
    """Return the lines of a square board, 19 where nothing is said; None for another board."""
    match = re.fullmatch(r"\s*+(\d{1,2})(?:\s*+[:x]\s*+(\d{1,2}))?\s*+", text) if text.strip() else None
    if match is None:
        return None if text.strip() else 19
    lines = int(match[1])
    return lines if lines == int(match[2] or lines) and 2 <= lines <= 52 else None


def write(ledger: Ledger, ending: str, excel_safe: bool) -> tuple[bytes, list[str]]:  # noqa: ARG001, FBT001  # as all
    """Write a collection of records without moves: one root a game."""
    games = list(ledger)
    lines = [_record(game) for game in games]
    counts = {
        "unknown colours": sum(not game.result.colours_known for game in games),  # type: ignore[union-attr]
        "games that both lost or both won": sum(game.result.outcome in BOTH for game in games),  # type: ignore[union-attr]
        "kinds": sum(bool(game.kind) for game in games),
        "numbers in registers": sum(bool(game.black_id or game.white_id) for game in games),
        "servers": sum(bool(game.server) for game in games),
        "numbers of moves": sum(game.moves is not None for game in games),
        "notes": sum(bool(game.notes) for game in games),
    }
    omissions = [f"{what} ({counted(count, 'game')})" for what, count in counts.items() if count]
    return ("\n".join(lines) + "\n").encode(), omissions


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


SGF = Format("SGF", sniff, read, (".sgf",), write, together=together)
