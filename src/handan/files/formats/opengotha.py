"""OpenGotha's tournament files (XML), read and written."""

from __future__ import annotations

import re
from collections import defaultdict

from handan.errors import InputError
from handan.files.formats.opengotha_writer import NO_DATE, ROUNDS, key_of, write
from handan.files.games.format import Format
from handan.files.games.missing_dates import real_date
from handan.files.games.parsed import Contents, Entrant, Gatherer
from handan.files.io.options import Options
from handan.files.io.xml import Element, parse
from handan.ledger import When
from handan.ledger.facts import read_name
from handan.ranks import Rank

RESULTS = {
    "WHITEWINS": "W+", "BLACKWINS": "B+", "EQUAL": "jigo", "BOTHLOSE": "both-lose", "BOTHWIN": "both-win",
}  # fmt: skip
DEFAULT_NAMES = {"tournament", "default", "test", "opengotha", "noname"}


def sniff(head: bytes) -> bool:
    """Return whether a file begins like OpenGotha's XML, or like XML that is nobody else's and refused for its root."""
    text = head.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \n\r\t")
    of_opengotha = b"dataVersion" in text or b"<Players" in text or b"GeneralParameterSet" in text
    return (b"<Tournament" in text and of_opengotha) or (text.startswith(b"<?xml") and b"<html" not in text.lower())


def read(data: bytes, source: str, options: Options) -> Contents:
    """Read one tournament; InputError if the file is not well-formed or another root stands there."""
    root = parse(data, source, options, ["Tournament"])
    gatherer = Gatherer(source, options.limits)
    general = root.first("GeneralParameterSet")
    facts = general.attributes if general else {}
    players, keys = _players(root, gatherer)
    shared: dict[str, object] = {
        "date": _date(root, facts, gatherer),
        "event": facts.get("name", "").strip() or facts.get("shortName", "").strip(),
        "kind": "tournament",
        "size": facts.get("size", "19"),
    }
    for name in ("name", "shortName"):
        if facts.get(name, "x").strip().lower() in DEFAULT_NAMES:
            gatherer.warn(None, name, facts[name], "the name of a tournament; read as it stands")
    unplayed = _games(root, shared, facts.get("komi", "7.5"), (players, keys), gatherer)
    if not gatherer.games:
        gatherer.warn(None, "Games", "no game", "a tournament with results; nothing was read")
    byes, absences = _idle(root, facts, players, gatherer)
    listed = tuple(entrant for entrant, _ in players.values())
    short = facts.get("shortName", "").strip() or facts.get("name", "").strip()
    return gatherer.contents(
        listed,
        byes=byes,
        absences=absences,
        unplayed=unplayed,
        tournament=f"{short}|{facts.get('beginDate', '').strip()}" if short else "",
        saved=saved if re.fullmatch(r"\d{14}", saved := root.attributes.get("saveDT", "").strip()) else "",
    )


Players = dict[str, tuple[Entrant, bool]]
"""By key: the player, and whether they are a participant."""


def _players(root: Element, gatherer: Gatherer) -> tuple[Players, set[str]]:
    """Return the players by key, and the keys that several bear."""
    players: Players = {}
    twice: set[str] = set()
    for element in (
        element for parent in root.all("Players") for element in parent.children if element.tag == "Player"
    ):
        attributes = element.attributes
        try:
            name = read_name(f"{attributes.get('name', '')} {attributes.get('firstName', '')}")
        except InputError:
            gatherer.reject(element.line, "name", "", "the name of a player")
            continue
        gatherer.name(element.line, name)
        key = key_of(f"{attributes.get('name', '')}{attributes.get('firstName', '')}")
        if key in players:
            twice.add(key)
            gatherer.warn(
                element.line, "name", name, "a player who stands there once; games that name him are left out"
            )
        entrant = Entrant(
            name,
            _identity(attributes),
            attributes.get("country", "").upper(),
            attributes.get("club", ""),
            _rank(element, gatherer),
        )
        players[key] = (entrant, attributes.get("registeringStatus", "FIN") != "PRE")
    return players, twice


def _identity(attributes: dict[str, str]) -> str:
    """Return the first number of a register that a player bears: European, French, American."""
    for name, register in (("egfPin", "egd"), ("ffgLicence", "ffg"), ("agaId", "aga")):
        number = attributes.get(name, "").strip()
        if number and set(number) != {"0"}:
            return f"{register}:{number}"
    return ""


def _rank(element: Element, gatherer: Gatherer) -> str:
    text = element.attributes.get("rank") or element.attributes.get("grade") or "30K"
    try:
        return str(Rank.parse(text))
    except InputError:
        gatherer.warn(element.line, "rank", text, "a rank such as 3K or 2D; read as none")
        return ""


def _date(root: Element, facts: dict[str, str], gatherer: Gatherer) -> When | None:
    """Return the first day; where the program's default stands, the day on which the file was saved."""
    text = facts.get("beginDate", "").strip() or NO_DATE
    try:
        if real_date(When.of(text)) and text != NO_DATE:
            return When.of(text)
    except InputError:
        gatherer.warn(None, "beginDate", text, "a date such as 2020-10-24; the day of saving is used if there is one")
    saved = re.fullmatch(r"(\d{4})(\d\d)(\d\d)\d*", root.attributes.get("saveDT", ""))
    try:
        day = When.parse("-".join(saved.groups())) if saved else None
    except InputError:
        day = None
    used = f"the day of saving, {day}, is used" if day else "read as unknown"
    gatherer.warn(None, "beginDate", text, f"the date of the tournament; {used}")
    return day


def _games(
    root: Element, shared: dict[str, object], komi: str, registered: tuple[Players, set[str]], gatherer: Gatherer
) -> int:
    """Read the games; return how many were paired and not played."""
    players, twice = registered
    unplayed = 0
    for element in (element for parent in root.all("Games") for element in parent.children if element.tag == "Game"):
        attributes = element.attributes
        word, default = _result_word(attributes.get("result", "RESULT_UNKNOWN"))
        pair = [attributes.get(side, "") for side in ("blackPlayer", "whitePlayer")]
        keys = [key_of(name) for name in pair]
        if word == "UNKNOWN":
            if keys[0] == keys[1]:
                gatherer.warn(element.line, "blackPlayer", pair[0], "another player than white; nothing was played")
            else:
                unplayed += 1
            continue
        fault = next((name for name, key in zip(pair, keys, strict=True) if key not in players or key in twice), None)
        if fault is not None:
            expected = "the name of one player only" if key_of(fault) in twice else "one of the players"
            gatherer.reject(element.line, "player", fault, expected)
            continue
        if word not in RESULTS:
            gatherer.reject(
                element.line, "result", attributes.get("result", ""), "RESULT_WHITEWINS, RESULT_BLACKWINS, …"
            )
            continue
        (black, in_black), (white, in_white) = (players[key] for key in keys)
        if not (in_black and in_white):
            gatherer.warn(
                element.line, "player", f"{black.name}, {white.name}", "two participants; one is only registered"
            )
        handicap = attributes.get("handicap", "0") or "0"
        gatherer.game(
            element.line,
            **shared,
            black=black.name,
            white=white.name,
            result=_result(word, default=default, coloured=attributes.get("knownColor", "true") != "false"),
            handicap=handicap,
            komi=komi if handicap == "0" else 0.5,
            round=attributes.get("roundNumber", ""),
            black_rank=black.rank,
            white_rank=white.rank,
            black_id=black.id,
            white_id=white.id,
            notes="default" if default and word in {"EQUAL", "BOTHLOSE", "BOTHWIN"} else "",
        )
    return unplayed


def _result_word(text: str) -> tuple[str, bool]:
    word = text.strip().upper().removeprefix("RESULT_")
    return word.removesuffix("_BYDEF"), word.endswith("_BYDEF")


def _result(word: str, *, default: bool, coloured: bool) -> str:
    """Return the result in the spelling of tables."""
    result = RESULTS[word]
    if word == "EQUAL":
        return "void" if default else result if coloured else "P="
    if result.endswith("+"):
        side = result if coloured else {"B+": "P1+", "W+": "P2+"}[result]
        return side + ("F" if default else "")
    return result


def _idle(root: Element, facts: dict[str, str], players: Players, gatherer: Gatherer) -> tuple[int, int]:
    """Return the number of byes, and of rounds that participants left out."""
    byes = [element for parent in root.all("ByePlayers") for element in parent.children if element.tag == "ByePlayer"]
    free = {
        (key_of(element.attributes.get("player", "")), element.attributes.get("roundNumber", "")) for element in byes
    }
    played: dict[str, set[int]] = defaultdict(set)
    for game in gatherer.games:
        for name in (game.black, game.white):
            played[name].add(game.round or 0)
    rounds = int(facts.get("numberOfRounds", "5")) if facts.get("numberOfRounds", "5").isdecimal() else 0
    absences = 0
    flags = {
        key_of(f"{element.attributes.get('name', '')}{element.attributes.get('firstName', '')}"): element.attributes
        for parent in root.all("Players")
        for element in parent.children
    }
    for key, (entrant, registered) in players.items():
        marks = flags.get(key, {}).get("participating", "1" * ROUNDS)
        absent = [place + 1 for place, mark in enumerate(marks[:rounds]) if mark == "0"]
        absences += sum(
            registered and place not in played[entrant.name] and (key, str(place)) not in free for place in absent
        )
    return len(byes), absences


OPENGOTHA = Format("OpenGotha XML", sniff, read, (".xml",), write)
