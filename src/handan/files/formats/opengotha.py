"""OpenGotha's tournament files (XML), read and written."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from math import isfinite
from typing import NamedTuple

from handan.errors import Clause, InputError
from handan.files.cells.dates import real_date
from handan.files.formats.opengotha_standing import SYSTEMS, Clock, Seat, standing
from handan.files.formats.opengotha_writer import NO_DATE, NUMBERED, OF_EVENT, OF_PLAYERS, ROUNDS, key_of, write
from handan.files.games.contents import Contents, Entrant, Gatherer, small_number, without_play
from handan.files.games.format import Format
from handan.files.io.options import Options
from handan.files.io.xml import Element, parse
from handan.ledger import Bye, Event, Participant, When
from handan.ranks import Rank

RESULTS = {
    "WHITEWINS": "W+", "BLACKWINS": "B+", "EQUAL": "jigo", "BOTHLOSE": "both-lose", "BOTHWIN": "both-win",
}  # fmt: skip
FIGURE = re.compile(r"-?\d{1,5}")
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
        "kind": f"tournament-{clock.letter.lower()}" if (clock := Clock.of(facts)) else "tournament",
        "size": facts.get("size", "19"),
    }
    for name in ("name", "shortName"):
        if facts.get(name, "x").strip().lower() in DEFAULT_NAMES:
            gatherer.warn(None, name, facts[name], "the name of a tournament; read as it stands")
    _games(root, shared, facts.get("komi", "7.5"), (players, keys), gatherer)
    if not gatherer.games:
        gatherer.remark("no game of the tournament has a result; nothing was read", "Games")
    event = _event(root, facts, shared, players, gatherer)
    short = facts.get("shortName", "").strip() or facts.get("name", "").strip()
    return gatherer.contents(
        tuple(each.entrant for each in players.values()),
        events=(event,),
        tournament=f"{short}|{facts.get('beginDate', '').strip()}" if short else "",
        saved=saved if re.fullmatch(r"\d{14}", saved := root.attributes.get("saveDT", "").strip()) else "",
    )


ORIGINS = ("EGF", "FFG", "AGA", "MAN")
"""Whose ratings are kept."""


class RegisteredPlayer(NamedTuple):
    """A player of the file."""

    entrant: Entrant
    participant: bool
    """False for who is only registered."""
    participating: str
    """`1` for each round in which the player is there, else `0`."""
    rating: float
    """On the European scale, as the program has it of everybody."""
    correction: int
    """Of the McMahon score, by hand."""
    settings: tuple[tuple[str, str], ...]
    """What else stands there."""


Players = dict[str, RegisteredPlayer]
"""By key."""


def _players(root: Element, gatherer: Gatherer) -> tuple[Players, set[str]]:
    """Return the players by key, and the keys that several bear."""
    players: Players = {}
    twice: set[str] = set()
    for element in (
        element for parent in root.all("Players") for element in parent.children if element.tag == "Player"
    ):
        attributes = element.attributes
        name = gatherer.player_name(
            element.line, "name", f"{attributes.get('name', '')} {attributes.get('firstName', '')}"
        )
        if name is None:
            continue
        key = key_of(f"{attributes.get('name', '')}{attributes.get('firstName', '')}")
        if key in players:
            twice.add(key)
            gatherer.warn(
                element.line, "name", name, "a player who stands there once; games that name him are left out"
            )
        declared, origin = declared_rating(attributes.get("rating", ""), attributes.get("ratingOrigin", ""))
        entrant = Entrant(
            name,
            _identity(attributes),
            attributes.get("country", "").strip().upper(),
            attributes.get("club", "").strip(),
            rank=_rank(element, gatherer),
            rating=declared,
            rating_origin=origin,
        )
        final = attributes.get("registeringStatus", "FIN") != "PRE"
        present = attributes.get("participating", "1" * ROUNDS)
        rating, correction = (_figure(attributes, name) for name in ("rating", "smmsCorrection"))
        kept = tuple(
            (name, text) for name in sorted(OF_PLAYERS)
            if (text := attributes.get(name, "").strip()) and (name != "participating" or "0" in text)
        )  # fmt: skip
        players[key] = RegisteredPlayer(entrant, final, present, rating, int(correction), kept)
    return players, twice


def _figure(attributes: Mapping[str, str], name: str) -> float:
    """Return a number among the attributes, 0 for other text."""
    text = attributes.get(name, "").strip()
    return float(text) if FIGURE.fullmatch(text) else 0.0


def _identity(attributes: dict[str, str]) -> str:
    """Return the first number of a register that a player bears: European, French, American."""
    for name, register in (("egfPin", "egd"), ("ffgLicence", "ffg"), ("agaId", "aga")):
        number = attributes.get(name, "").strip()
        if number and set(number) != {"0"}:
            return f"{register}:{number}"
    return ""


def declared_rating(rating: str, origin: str) -> tuple[float | None, str]:
    """Return a declared rating and whose it is; none where the program made it of the rank (INI).

    The origin holds the rating in the unit of its organisation: `EGF : 1706`, `AGA : -28.50`.
    """
    register, _, own = (part.strip() for part in origin.partition(":"))
    try:
        value = float(own or rating)
    except ValueError:
        return None, ""
    if register.upper() not in ORIGINS or not isfinite(value):
        return None, ""
    return value, register.upper()


def _rank(element: Element, gatherer: Gatherer) -> str:
    text = element.attributes.get("rank") or element.attributes.get("grade") or "30K"
    return str(gatherer.read(element.line, "rank", text, Rank.parse, "a rank such as 3K or 2D; read as none") or "")


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
    used = Clause.of("the date of the tournament; the day of saving, {day}, is used", day=str(day))
    gatherer.warn(None, "beginDate", text, used if day else "the date of the tournament; read as unknown")
    return day


def _games(
    root: Element, shared: dict[str, object], komi: str, registered: tuple[Players, set[str]], gatherer: Gatherer
) -> None:
    """Add the games, and those that were paired and not played."""
    players, twice = registered
    for element in (element for parent in root.all("Games") for element in parent.children if element.tag == "Game"):
        attributes = element.attributes
        code = attributes.get("result", "RESULT_UNKNOWN").strip().upper().removeprefix("RESULT_")
        word, default = code.removesuffix("_BYDEF"), code.endswith("_BYDEF")
        pair = [attributes.get(side, "") for side in ("blackPlayer", "whitePlayer")]
        keys = [key_of(name) for name in pair]
        if word == "UNKNOWN" and keys[0] == keys[1]:
            gatherer.warn(element.line, "blackPlayer", pair[0], "another player than white; nothing was played")
            continue
        fault = next((name for name, key in zip(pair, keys, strict=True) if key not in players or key in twice), None)
        if fault is not None:
            expected = "the name of one player only" if key_of(fault) in twice else "one of the players"
            (gatherer.warn if word == "UNKNOWN" else gatherer.reject)(element.line, "player", fault, expected)
            continue
        if word not in RESULTS and word != "UNKNOWN":
            gatherer.reject(
                element.line, "result", attributes.get("result", ""), "RESULT_WHITEWINS, RESULT_BLACKWINS, …"
            )
            continue
        black, white = (players[key].entrant for key in keys)
        handicap = attributes.get("handicap", "0") or "0"
        if word == "UNKNOWN":
            gatherer.pairing(_round(attributes), black, white, handicap)
            continue
        if not all(players[key].participant for key in keys):
            gatherer.warn(
                element.line, "player", f"{black.name}, {white.name}", "two participants; one is only registered"
            )
        result = RESULTS[word]
        if attributes.get("knownColor", "true") == "false":
            result = {"B+": "P1+", "W+": "P2+", "jigo": "P="}.get(result, result)
        result, notes = without_play(result) if default else (result, "")
        facts = {"result": result, "handicap": handicap, "komi": komi if handicap == "0" else 0.5, "notes": notes}
        gatherer.game_of(element.line, black, white, **shared, **facts, round=attributes.get("roundNumber", ""))


def _byes(root: Element, players: Players, gatherer: Gatherer) -> dict[str, dict[int, Bye]]:
    """Return the rounds in which a player was left over, by key; Pairgoth calls the list by the name of its items."""
    byes: dict[str, dict[int, Bye]] = defaultdict(dict)
    for element in root.all("ByePlayer"):
        attributes = element.attributes
        if not attributes:
            continue  # the list
        key, number = _key_of_bye(element), _round(attributes)
        if key not in players:
            gatherer.reject(element.line, "player", attributes.get("player", ""), "one of the players")
        elif not number:
            gatherer.reject(element.line, "roundNumber", attributes.get("roundNumber", ""), "the number of a round")
        else:
            byes[key][number] = Bye.ALLOCATED
    return byes


def _key_of_bye(element: Element) -> str:
    return key_of(element.attributes.get("player", ""))


def _round(attributes: Mapping[str, str]) -> int:
    """Return the number of a round, 0 for other text."""
    return small_number(attributes.get("roundNumber", "").strip())


def _event(
    root: Element, facts: dict[str, str], shared: dict[str, object], players: Players, gatherer: Gatherer
) -> Event:
    """Return who took part, and what each participant had in rounds without a game."""
    byes = _byes(root, players, gatherer)
    busy: dict[str, set[int]] = defaultdict(set)
    met = [(game.black, game.white, game.round) for game in gatherer.games]
    for black, white, number in (*met, *((each.black, each.white, each.round) for each in gatherer.pairings)):
        busy[black].add(number or 0)
        busy[white].add(number or 0)
    used = [number for own in (*busy.values(), *byes.values()) for number in own]
    rounds = max([small_number(facts.get("numberOfRounds", "5")), *used])
    implied = {key for key, each in players.items() if busy[each.entrant.name] or byes[key]}
    worth = _worth_of_absence(root, facts)
    for key, listed in players.items():
        for number, mark in enumerate(listed.participating[:rounds], 1):
            if mark == "0" and number not in busy[listed.entrant.name] and number not in byes[key]:
                byes[key][number] = worth
    date = shared["date"]
    display = root.first("DPParameterSet")
    is_all = display is not None and display.attributes.get("displayNPPlayers", "false") == "true"
    last = {_round(each.attributes): key for each in root.all("ByePlayer") if (key := _key_of_bye(each)) in players}
    seats = {
        each.entrant.name: Seat(
            each.entrant.rank, each.rating, each.correction,
            # the program keeps one bye a round, the last of the file
            {number: bye for number, bye in byes[key].items() if bye is not Bye.ALLOCATED or last[number] == key},
            is_all or key in implied,
        )
        for key, each in players.items()
    }  # fmt: skip
    clock, handicaps, teams, tables = Clock.of(facts), _handicaps(root), _teams(root), _tables(root)
    table = standing(facts, *_criteria(root), seats, gatherer.games, gatherer.pairings, rounds)
    return Event(
        str(shared["event"]),
        date if isinstance(date, When) else None,
        _last_day(facts.get("endDate", ""), date, gatherer),
        rounds=rounds,
        participants=_in_order(
            replace(
                each.entrant.participant(
                    byes[key] if each.participant or key in implied else {},
                    place=table.places.get(each.entrant.name) if table else None,
                    figures=table.figures.get(each.entrant.name, ()) if table else (),
                    preliminary=not each.participant,
                ),
                settings=each.settings + tables.get(key, ()) + teams.get(key, ()),
            )
            for key, each in players.items()
        ),
        pairings=tuple(gatherer.pairings),
        kind=str(shared["kind"]),
        criteria=table.criteria if table else (),
        minutes=clock.adjusted // 60 if clock else None,
        comments=(SYSTEMS[clock.system],) if clock and clock.system in SYSTEMS else (),
        city=facts.get("location", "").strip(),
        director=facts.get("director", "").strip(),
        komi=gatherer.komi("komi", facts.get("komi", "7.5")),
        size=small_number(facts.get("size", "19")) or None,
        reduction=handicaps.get("reduction"),
        most_stones=handicaps.get("most_stones"),
        settings=tuple(sorted(_settings(root))),
    )


def _settings(root: Element) -> Iterator[tuple[str, str]]:
    """Go through what the program was set to, but for what the event says itself."""
    for of_all, items in NUMBERED.items():
        for element in (element for parent in root.all(of_all) for element in parent.children):
            for name, value in element.attributes.items():
                if (element.tag, name) not in OF_EVENT:
                    yield f"{element.tag}.{name}", value
            for label, (path, tag, field) in items.items():
                for item in element.all(tag) if path.startswith(element.tag) else ():
                    yield f"{label}.{item.attributes.get('number', '')}", item.attributes.get(field, "")


def _tables(root: Element) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return the number of each player's table in each round, 0 where they have none, by key."""
    tables: dict[str, dict[int, str]] = defaultdict(dict)
    for element in (element for parent in root.all("Games") for element in parent.children):
        own = element.attributes
        number, table = _round(own), own.get("tableNumber", "").strip()
        if number and (small_number(table) or table == "0"):
            for side in ("blackPlayer", "whitePlayer"):
                tables[key_of(own.get(side, ""))][number] = table
    return {key: (("tables", _by_round(own)),) for key, own in tables.items()}


def _by_round(numbers: Mapping[int, str]) -> str:
    """Return the number of each round up to the last, 0 where there is none."""
    return " ".join(numbers.get(number, "0") for number in range(1, min(max(numbers), ROUNDS) + 1))


def _teams(root: Element) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return number and name of the team of each player who is in one, and their board in each round, by key."""
    boards: dict[str, dict[int, str]] = defaultdict(dict)
    teams: dict[str, tuple[str, str]] = {}
    for team in root.all("Team"):
        for board in team.all("Board"):
            key, number = key_of(board.attributes.get("player", "")), _round(board.attributes)
            if number and key:
                boards[key][number] = board.attributes.get("boardNumber", "").strip() or "0"
                teams.setdefault(key, (team.attributes.get("teamNumber", ""), team.attributes.get("teamName", "")))
    return {
        key: (
            ("boards", _by_round(own)),
            ("teamName", teams[key][1]),
            ("teamNumber", teams[key][0]),
        )
        for key, own in boards.items()
    }


def _handicaps(root: Element) -> dict[str, int]:
    """Return by how much handicaps are less than the difference of scores, and the largest."""
    element = root.first("HandicapParameterSet")
    own = {} if element is None else element.attributes
    names = {"reduction": "hdCorrection", "most_stones": "hdCeiling"}
    return {field: int(text) for field, name in names.items() if FIGURE.fullmatch(text := own.get(name, "").strip())}


def _in_order(participants: Iterable[Participant]) -> tuple[Participant, ...]:
    """Return participants by place, those without one last; those of one place by name."""
    last = float("inf")
    return tuple(
        sorted(participants, key=lambda each: (each.place or last, each.surname_and_given_name if each.place else ()))
    )


def _criteria(root: Element) -> tuple[list[str], list[str]]:
    """Return the criteria by which players are placed, but not those of teams, and the limits of categories."""
    placement, general = root.first("PlacementParameterSet"), root.first("GeneralParameterSet")
    criteria = _numbered(placement, "PlacementCriterion", "name") if placement else []
    limits = _numbered(general, "Category", "lowerLimit") if general else []
    return [name for name in criteria if name and name != "NULL"], limits


def _numbered(parent: Element, tag: str, name: str) -> list[str]:
    """Return an attribute of numbered items, in their order."""
    items = sorted(parent.all(tag), key=lambda item: small_number(item.attributes.get("number", "").strip()))
    return [item.attributes.get(name, "").strip() for item in items]


def _worth_of_absence(root: Element, facts: Mapping[str, str]) -> Bye:
    """Return what a round without an opponent brings to who was absent: McMahon tournaments may give half a point."""
    mcmahon = _criteria(root)[0][:1] == ["MMS"]
    halves = facts.get(f"gen{'MMS' if mcmahon else 'NBW'}2ValueAbsent", "0")
    return {"1": Bye.HALF_POINT, "2": Bye.FULL_POINT}.get(halves.strip(), Bye.ZERO_POINT)


def _last_day(text: str, first: object, gatherer: Gatherer) -> When | None:
    """Return the last day, None where it comes before the first."""
    day = None if text.strip() == NO_DATE else gatherer.date(None, "endDate", text)
    if day is not None and isinstance(first, When) and day.moment < first.moment:
        gatherer.warn(None, "endDate", text, "a day after beginDate; read as unknown")
        return None
    return day


NOT_KEPT = frozenset(
    ("externalIPAddress", "runningMode", "dataVersion", "fullVersionNumber", "gothaVersion", "gothaMinorVersion",
     "ffgLicenceStatus", "agaExpirationDate", "strKnownColor")
)  # fmt: skip
"""Attributes that are not read: whose computer and which version of the program it was, what is paid until when."""
OF_ITEMS = {
    "Game": ("roundNumber", "blackPlayer", "whitePlayer"), "ByePlayer": ("roundNumber", "player"),
    "Team": ("teamName",), "Board": ("roundNumber", "player"), "PlacementCriterion": ("number",),
    "Category": ("number",),
}  # fmt: skip
"""By which attributes items are told apart, in whatever order they stand; players by their keys."""


def fields(data: bytes, source: str, options: Options) -> dict[str, str]:
    """Return every attribute by its element, but those that are not kept (`NOT_KEPT`), without blanks at its ends."""
    made: dict[str, str] = {}

    def add(element: Element, path: str) -> None:
        made.update({
            f"{path} {name}": key_of(text) if name in {"blackPlayer", "whitePlayer", "player"} else _alike(name, text)
            for name, text in element.attributes.items() if name not in NOT_KEPT
        })  # fmt: skip
        for child in element.children:
            own = child.attributes
            names = [own.get(name, "") for name in OF_ITEMS.get(child.tag, ())]
            if child.tag == "Player":
                names = [own.get("name", ""), own.get("firstName", "")]
            add(child, f"{path}/{child.tag}" + (f"[{key_of(' '.join(names))}]" if names else ""))

    add(parse(data, source, options, ["Tournament"]), "")
    return made


def _alike(name: str, text: str) -> str:
    return " ".join((text.upper() if name == "country" else text).split())


OPENGOTHA = Format("OpenGotha XML", sniff, read, (".xml",), write, fields=fields)
