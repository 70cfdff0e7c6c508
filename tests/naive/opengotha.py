"""A reader that insists on what OpenGotha's own insists on (as version 3.51 does): the first of each set."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

SETS = (
    "GeneralParameterSet", "HandicapParameterSet", "PlacementParameterSet", "PairingParameterSet", "DPParameterSet",
    "PublishParameterSet",
)  # fmt: skip
CRITERIA = {
    "NULL", "CAT", "NBW", "CPS", "MMS", "STS", "Rank", "Rating", "CUSSW", "CUSSM", "SOSW", "SOSW-1", "SOSW-2", "SODOSW",
    "SOSM", "SOSM-1", "SOSM-2", "SODOSM", "SOSTS", "SOSOSW", "SOSOSM", "EXT", "EXR", "DC", "SDC",
}  # fmt: skip
RESULTS = {"UNKNOWN", "WHITEWINS", "BLACKWINS", "EQUAL", "BOTHLOSE", "BOTHWIN"}
ROUNDS = 20


class RefusedError(Exception):
    """The program would not open the file."""


def first(root: ET.Element, tag: str) -> ET.Element:
    """Return the first element of a name in the document; a null pointer in the program if there is none."""
    element = next(root.iter(tag), None)
    if element is None:
        raise RefusedError(tag)
    return element


def check(condition: object, what: object) -> None:
    """Refuse the file unless a condition holds."""
    if not condition:
        raise RefusedError(str(what))


def opened(data: bytes) -> list[tuple[int, str, str, str]]:
    """Return round, keys of Black and White and result of each game; RefusedError if it would not open."""
    root = ET.fromstring(data)  # the tests' own files
    check(root.tag == "Tournament", root.tag)
    parent = first(root, "TournamentParameterSet")
    for name in SETS:
        check(first(root, name) in list(parent), f"{name} outside TournamentParameterSet")
    rounds = _general(first(root, "GeneralParameterSet"), root)
    _placement(first(root, "PlacementParameterSet"))
    handicaps = first(root, "HandicapParameterSet").attrib
    check(0 <= int(handicaps.get("hdCeiling", "9")) <= 9, handicaps)
    check(re.fullmatch(r"\d{1,2}[KD]", handicaps.get("hdNoHdRankThreshold", "1D")), handicaps)
    keys = _players(first(root, "Players"))
    return _games(first(root, "Games"), keys, rounds)


def _general(general: ET.Element, root: ET.Element) -> int:
    check(re.fullmatch(r"\d{14}", root.get("saveDT", "20000101000000")), "saveDT")
    for name in ("beginDate", "endDate"):
        check(re.fullmatch(r"\d{4}-\d\d-\d\d", general.get(name, "2009-01-01")), name)
    float(general.get("komi", "7.5"))
    int(general.get("size", "19"))
    for name in ("name", "shortName"):
        check(name in general.attrib, name)
    rounds = int(general.get("numberOfRounds", "5"))
    check(1 <= rounds <= ROUNDS, rounds)
    return rounds


def _placement(placement: ET.Element) -> None:
    criteria = sorted(first(placement, "PlacementCriteria"), key=lambda item: int(item.attrib["number"]))
    names = [item.attrib["name"] for item in criteria]
    check([int(item.attrib["number"]) for item in criteria] == list(range(1, 7)), names)
    check(set(names) <= CRITERIA, names)


def _players(players: ET.Element) -> set[str]:
    keys: set[str] = set()
    for player in players:
        name, given = player.attrib["name"], player.attrib["firstName"]
        check(name and given, player.attrib)
        key = (name + given).replace(" ", "").upper()
        check(key not in keys, f"{key} twice")
        keys.add(key)
        rank = re.fullmatch(r"(\d{1,2})([KD])", player.get("rank", "30K"))
        check(rank and 1 <= int(rank[1]) <= (30 if rank[2] == "K" else 9), player.attrib)
        check(len(player.get("country", "")) in {0, 2} and len(player.get("club", "")) <= 4, player.attrib)
        int(player.get("rating", "0"))
        int(player.get("smmsCorrection", "0"))
        check(re.fullmatch(r"[01]{20}", player.get("participating", "1" * ROUNDS)), player.attrib)
        check(player.get("registeringStatus", "FIN") in {"FIN", "PRE"}, player.attrib)
    return keys


def _games(games: ET.Element, keys: set[str], rounds: int) -> list[tuple[int, str, str, str]]:
    rows = []
    busy: set[tuple[int, str]] = set()
    tables: set[tuple[int, int]] = set()
    for game in games:
        number, table = int(game.attrib["roundNumber"]), int(game.attrib["tableNumber"])
        black, white = game.attrib["blackPlayer"], game.attrib["whitePlayer"]
        check({black, white} <= keys and black != white, (black, white))
        check(1 <= number <= rounds, number)
        check(not {(number, black), (number, white)} & busy, f"{black} or {white} twice in round {number}")
        check((number, table) not in tables, f"table {table} twice in round {number}")
        busy |= {(number, black), (number, white)}
        tables.add((number, table))
        check(int(game.get("handicap", "0")) >= 0, game.attrib)
        check(game.get("knownColor", "true") in {"true", "false"}, game.attrib)
        word = game.get("result", "RESULT_UNKNOWN").removeprefix("RESULT_").removesuffix("_BYDEF")
        check(word in RESULTS, word)
        rows.append((number, black, white, word))
    return rows
