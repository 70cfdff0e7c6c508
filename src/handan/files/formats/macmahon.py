"""Tournament files of the MacMahon program (XML, version 3.x); read only."""

from __future__ import annotations

from handan.errors import InputError
from handan.files.games.format import Format
from handan.files.games.parsed import Contents, Entrant, Gatherer, apart
from handan.files.io.options import Options
from handan.files.io.xml import Element, parse
from handan.ledger.facts import read_name
from handan.ranks import Rank

RESULTS = {
    "1-0": "B+", "0-1": "W+", "½-½": "jigo", "S-S": "jigo", "0.5-0.5": "jigo", "0-0": "both-lose", "1-1": "both-win",
}  # fmt: skip
"""The first figure is Black's, whatever the order of the elements."""
NOT_PLAYED = {"", "?-?"}
PIN = 8  # digits


def sniff(head: bytes) -> bool:
    """Return whether a file begins like MacMahon's XML."""
    return b"<Tournament" in head and (b"typeversion" in head or b"UpperMacMahonBar" in head or b"<GoPlayer" in head)


def read(data: bytes, source: str, options: Options) -> Contents:
    """Read one tournament; its date must come from the user. InputError if the file is not well-formed."""
    root = parse(data, source, options, ["TournamentData", "Tournament"])
    gatherer = Gatherer(source, options.limits)
    tournament = root if root.tag == "Tournament" else root.first("Tournament") or root
    players, preliminary = _players(root, gatherer)
    if options.date is None and not options.date_from_path:
        gatherer.warn(None, "date", "no date", "in this format; --date gives it")
    shared: dict[str, object] = {
        "event": next((child.text for child in tournament.children if child.tag == "Name"), ""),
        "kind": "tournament",
        "size": root.text_of("Boardsize") or 19,
    }
    byes = unplayed = 0
    rounds = list(root.all("TournamentRound")) or list(root.all("Round"))
    for element in rounds:
        number = element.text_of("RoundNumber")
        for pairing in element.all("Pairing"):
            done = _pairing(pairing, number, shared, players, preliminary, gatherer)
            byes += done == "bye"
            unplayed += done == "unplayed"
    return gatherer.contents(tuple(players.values()), byes=byes, unplayed=unplayed)


def _players(root: Element, gatherer: Gatherer) -> tuple[dict[str, Entrant], set[str]]:
    """Return the players by number, and the numbers of those who are only registered."""
    players: dict[str, Entrant] = {}
    preliminary: set[str] = set()
    for element in [*root.all("IndividualParticipant"), *root.all("Player")]:
        person = element.first("GoPlayer") or element
        key = next((child.text for child in element.children if child.tag == "Id"), "")
        try:
            name = read_name(f"{person.text_of('Surname')} {person.text_of('FirstName')}")
        except InputError:
            gatherer.reject(element.line, "Surname", "", "the name of a player")
            continue
        level = person.text_of("GoLevel")
        try:
            rank = str(Rank.parse(level)) if level else ""
        except InputError:
            gatherer.warn(element.line, "GoLevel", level, "a rank such as 3d; read as none")
            rank = ""
        pin = person.text_of("EgdPin")
        country = person.text_of("Country").upper()
        identity = f"egd:{pin}" if len(pin) == PIN else ""
        gatherer.name(element.line, name)
        if key in players:
            gatherer.reject(element.line, "Id", key, f"the number of one player; it is that of {players[key].name}")
            continue
        players[key] = Entrant(name, identity, "GB" if country == "UK" else country, person.text_of("Club"), rank)
        if element.text_of("PreliminaryRegistration") == "true":
            preliminary.add(key)
    return apart(players), preliminary


def _pairing(
    element: Element, number: str, shared: dict[str, object], players: dict[str, Entrant], preliminary: set[str],
    gatherer: Gatherer,
) -> str:  # fmt: skip
    """Read one pairing; return `bye` or `unplayed` where it is no game."""
    sides = [element.text_of(side) for side in ("Black", "White")]
    if element.text_of("PairingWithBye") == "true" or sum(side in {"", "0"} - players.keys() for side in sides) == 1:
        return "bye"
    unknown = next((side for side in sides if side not in players), None)
    if unknown is not None:
        gatherer.reject(element.line, "Id", unknown, "the number of one of the players")
        return ""
    text = element.text_of("Result")
    word = text.removesuffix("!").strip()
    if word in NOT_PLAYED:
        return "unplayed"
    if word not in RESULTS:
        gatherer.reject(element.line, "Result", text, "1-0 (Black won), 0-1, ½-½, 0-0, 1-1 or ?-?")
        return ""
    black, white = (players[side] for side in sides)
    if preliminary & set(sides):
        gatherer.warn(element.line, "Id", ", ".join(sides), "two participants; one is only registered")
    result = RESULTS[word]
    default = text.endswith("!") or element.text_of("ResultByReferee") == "true"
    if default and word in {"1-0", "0-1"}:
        result += "F"
    elif default and result == "jigo":
        result = "void"
    gatherer.game(
        element.line,
        **shared,
        black=black.name,
        white=white.name,
        result=result,
        handicap=element.text_of("Handicap"),
        round=number,
        black_rank=black.rank,
        white_rank=white.rank,
        black_id=black.id,
        white_id=white.id,
        notes="default" if default and not result.endswith("F") else "",
    )
    return ""


MACMAHON = Format("MacMahon XML", sniff, read)
