"""Records of chess games (PGN): the tags in front of each game, one game after the other; moves are passed over."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from handan.errors import Clause, InputError
from handan.files.games.contents import Contents, Gatherer
from handan.files.games.format import Format
from handan.files.games.text_lines import lines_of
from handan.files.io.options import Options
from handan.ledger import When

TAG = re.compile(r'\[([A-Za-z]\w{0,63})\s{1,20}"((?:[^"\\]|\\.)*+)"\s{0,20}\]\s*+')
FIRST = re.compile(rb'(?:\xef\xbb\xbf)?(?:%[^\n]*+\n|\s)*+\[[A-Za-z]\w{0,63}\s{1,20}"')
"""How a file begins: with a tag, behind lines of remarks of programs and blanks."""
PLAYERS = (b"[White ", b"[Black ")
RESULTS = {"1-0": "W+", "0-1": "B+", "1/2-1/2": "jigo", "½-½": "jigo"}
OPEN = "*"
"""The result of a game that is not over, or not known."""
TIME = "time forfeit"
UNKNOWN = frozenset(("", "?", "-"))
LONGEST = 10_000  # characters of a line of tags; our choice


def sniff(head: bytes) -> bool:
    """Return whether a file begins with tags that name two players."""
    return FIRST.match(head) is not None and all(name in head for name in PLAYERS)


def read(data: bytes, source: str, options: Options) -> Contents:
    """Read the tags of all games; InputError if there is no game."""
    gatherer = Gatherer(source, options.limits)
    tags: dict[str, str] = {}
    first = unplayed = games = 0
    remark = moves = False
    whole = replace(options, limits=replace(options.limits, row=options.limits.line))  # moves may stand on one line
    for number, line in enumerate(lines_of(data, gatherer, whole, "latin-1"), 1):
        text = line[:LONGEST].strip()
        match = None if remark else TAG.fullmatch(text)
        if match is None:
            remark = _in_remark(line, within=remark)
            moves = moves or bool(text)
            continue
        if tags and (moves or match[1] in tags):
            games += 1
            unplayed += _game(tags, first, gatherer)
            tags = {}
        if not tags:
            first = number
        tags[match[1]] = match[2].replace('\\"', '"').replace("\\\\", "\\").strip()
        moves = False
    if tags:
        games += 1
        unplayed += _game(tags, first, gatherer)
    if not games:
        raise InputError(Clause.of("{source} has no game with the tags White, Black and Result", source=source))
    gatherer.remark("records of chess: White, who moves first there, is White here too", "White")
    return gatherer.contents(unplayed=unplayed)


def _in_remark(line: str, *, within: bool) -> bool:
    """Return whether a line of moves ends within a remark in braces; behind a semicolon nothing begins one."""
    place = 0
    while place < len(line):
        if within:
            end = line.find("}", place)
            if end < 0:
                return True
            within, place = False, end + 1
            continue
        opened, rest = line.find("{", place), line.find(";", place)
        if opened < 0 or 0 <= rest < opened:
            return False
        within, place = True, opened + 1
    return within


def _game(tags: Mapping[str, str], line: int, gatherer: Gatherer) -> int:
    """Add the game of some tags; return 1 if it was not played, or is not over."""
    result = "".join(tags.get("Result", OPEN).split())
    if result == OPEN:
        return 1
    if result not in RESULTS:
        gatherer.reject(line, "Result", tags["Result"][:60], "1-0, 0-1, 1/2-1/2 or *")
        return 0
    outcome = RESULTS[result]
    by_time = tags.get("Termination", "").casefold() == TIME and outcome.endswith("+")
    place = re.match(r"\d{1,4}", tags.get("Round", ""))
    event = tags.get("Event", "")
    gatherer.game(
        line,
        black=tags.get("Black", ""),
        white=tags.get("White", ""),
        result=f"{outcome}T" if by_time else outcome,
        date=_day(tags, line, gatherer),
        event="" if event in UNKNOWN else event,
        round=place[0] if place else None,
    )
    return 0


def _day(tags: Mapping[str, str], line: int, gatherer: Gatherer) -> When | None:
    """Return the day of a game, or as much of it as is known: `2026.03.??` is a month."""
    text = next((tags[name] for name in ("Date", "UTCDate", "EventDate") if tags.get(name, "?")[:1] != "?"), "")
    parts = text.replace("/", ".").replace("-", ".").split(".")
    whole = [part for part in parts if part and "?" not in part]
    expected = "a day such as 2026.03.01; read as unknown"
    return gatherer.read(line, "Date", text, lambda _: When.of("-".join(whole)) if whole else None, expected)


PGN = Format("PGN", sniff, read)
