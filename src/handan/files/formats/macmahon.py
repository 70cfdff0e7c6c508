"""Tournament files of the MacMahon program (XML, version 3.x); read only."""

from __future__ import annotations

from collections import defaultdict

from handan.errors import Clause
from handan.files.games.contents import (
    NUMBER_OF_ONE,
    Contents,
    Entrant,
    Gatherer,
    apart,
    small_number,
    without_play,
)  # fmt: skip
from handan.files.games.format import Format
from handan.files.io.options import Options
from handan.files.io.xml import Element, parse
from handan.ledger import Bye, Event
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
    gatherer.undated(options)
    shared: dict[str, object] = {
        "event": next((child.text for child in tournament.children if child.tag == "Name"), ""),
        "kind": "tournament",
        "size": root.text_of("Boardsize") or 19,
    }
    byes = _absences(root)
    rounds = list(root.all("TournamentRound")) or list(root.all("Round"))
    for element in rounds:
        number = element.text_of("RoundNumber")
        for pairing in element.all("Pairing"):
            left_over = _pairing(pairing, number, shared, players, preliminary, gatherer)
            if left_over and number.isdecimal():
                byes[left_over][int(number)] = Bye.ALLOCATED
    event = Event(
        str(shared["event"]),
        rounds=len(rounds),
        participants=tuple(
            each.participant(byes[key], preliminary=key in preliminary) for key, each in players.items()
        ),
        pairings=tuple(gatherer.pairings),
        kind="tournament",
    )
    return gatherer.contents(tuple(players.values()), events=(event,))


def _absences(root: Element) -> dict[str, dict[int, Bye]]:
    """Return the rounds in which players said that they would not be there, by their numbers."""
    byes: dict[str, dict[int, Bye]] = defaultdict(dict)
    for element in [*root.all("IndividualParticipant"), *root.all("Player")]:
        key = next((child.text for child in element.children if child.tag == "Id"), "")
        for absent in element.all("NotPlayingInRound"):
            if number := small_number(absent.text):
                byes[key][number] = Bye.ZERO_POINT
    return byes


def _players(root: Element, gatherer: Gatherer) -> tuple[dict[str, Entrant], set[str]]:
    """Return the players by number, and the numbers of those who are only registered."""
    players: dict[str, Entrant] = {}
    preliminary: set[str] = set()
    for element in [*root.all("IndividualParticipant"), *root.all("Player")]:
        person = element.first("GoPlayer") or element
        key = next((child.text for child in element.children if child.tag == "Id"), "")
        name = gatherer.player_name(
            element.line, "Surname", f"{person.text_of('Surname')} {person.text_of('FirstName')}"
        )
        if name is None:
            continue
        level = person.text_of("GoLevel")
        expected = "a rank such as 3d; read as none"
        rank = gatherer.read(element.line, "GoLevel", level, Rank.parse, expected) if level else None
        pin = person.text_of("EgdPin")
        country = person.text_of("Country").upper()
        identity = f"egd:{pin}" if len(pin) == PIN else ""
        if key in players:
            gatherer.reject(element.line, "Id", key, Clause.of(NUMBER_OF_ONE, name=players[key].name))
            continue
        players[key] = Entrant(
            name,
            identity,
            "GB" if country == "UK" else country,
            person.text_of("Club"),
            rank=str(rank or ""),
        )
        if element.text_of("PreliminaryRegistration") == "true":
            preliminary.add(key)
    return apart(players), preliminary


def _pairing(
    element: Element, number: str, shared: dict[str, object], players: dict[str, Entrant], preliminary: set[str],
    gatherer: Gatherer,
) -> str:  # fmt: skip
    """Add the game of one pairing; return the number of who was left over, nothing for a game."""
    sides = [element.text_of(side) for side in ("Black", "White")]
    if element.text_of("PairingWithBye") == "true" or sum(side in {"", "0"} - players.keys() for side in sides) == 1:
        return next((side for side in sides if side in players), "")
    unknown = next((side for side in sides if side not in players), None)
    if unknown is not None:
        gatherer.reject(element.line, "Id", unknown, "the number of one of the players")
        return ""
    text = element.text_of("Result")
    word = text.removesuffix("!").strip()
    if word not in RESULTS and word not in NOT_PLAYED:
        gatherer.reject(element.line, "Result", text, "1-0 (Black won), 0-1, ½-½, 0-0, 1-1 or ?-?")
        return ""
    black, white = (players[side] for side in sides)
    if word in NOT_PLAYED:
        gatherer.pairing(small_number(number), black, white, element.text_of("Handicap"))
        return ""
    if preliminary & set(sides):
        gatherer.warn(element.line, "Id", ", ".join(sides), "two participants; one is only registered")
    default = text.endswith("!") or element.text_of("ResultByReferee") == "true"
    result, notes = without_play(RESULTS[word]) if default else (RESULTS[word], "")
    given = element.text_of("Handicap")
    gatherer.game_of(element.line, black, white, **shared, result=result, handicap=given, round=number, notes=notes)
    return ""


MACMAHON = Format("MacMahon XML", sniff, read)
