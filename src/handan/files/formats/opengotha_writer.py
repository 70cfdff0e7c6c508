"""OpenGotha's tournament files as they are written: with every set of settings that its reader takes unasked.

It takes the first set of handicaps, placement and pairing of the document without looking whether there is one; their
attributes may be missing. A player meets one opponent a round, of at most 20, and games name players by their keys.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import count
from xml.etree import ElementTree as ET  # for writing only; files are read by `handan.files.io.xml`

from handan.errors import InputError, counted, one_line
from handan.files.formats.opengotha_criteria import MOST_CRITERIA, USUAL, Placing, Table
from handan.files.formats.opengotha_standing import SYSTEMS, Clock
from handan.files.games.omissions import Part, event_omissions, omissions_of
from handan.files.games.result_table import Tournament
from handan.ledger import Bye, Event, Game, Ledger, Outcome, Pairing, Participant, Player
from handan.ledger.name_folding import folded
from handan.ledger.placing import first_declared_ranks, is_default, result_of
from handan.ranks import Rank

WORDS = {
    Outcome.BLACK: "BLACKWINS", Outcome.WHITE: "WHITEWINS", Outcome.JIGO: "EQUAL", Outcome.BOTH_LOSE: "BOTHLOSE",
    Outcome.BOTH_WIN: "BOTHWIN", Outcome.VOID: "EQUAL", Outcome.UNPLAYED: "UNKNOWN",
}  # fmt: skip
IDS = re.compile(r"(egd|ffg|aga):(?!0+$)\S+")
RATED_BY = ("EGF", "FFG", "AGA")
"""Organisations whose ratings the program knows."""
REGISTERS = {"egd": "egfPin", "ffg": "ffgLicence", "aga": "agaId"}
ROUNDS, MOST_STONES = 20, 9  # of OpenGotha
MOST_PLAYERS, MOST_TABLES = 2000, 1000
CLUB, COUNTRY = 4, 2  # letters of a club, and of a country; it opens no file with another country
NO_DATE = "2009-01-01"  # OpenGotha's default, which is read as unknown
GENERAL = {
    "genMMBar": "9D", "genMMFloor": "30K", "genMMZero": "30K", "genMMS2ValueAbsent": "1", "genMMS2ValueBye": "2",
    "genNBW2ValueAbsent": "0", "genNBW2ValueBye": "2", "genRoundDownNBWMMS": "true",
    "genCountNotPlayedGamesAsHalfPoint": "false", "numberOfCategories": "1",
}  # fmt: skip
"""Settings that no ledger tells: no bar and no floor, half points as OpenGotha has them where nobody changed them."""


SETTING = re.compile(r"([A-Za-z]\w*)\.(\w+)")
"""The name of a set, and that of one of its attributes."""
OF_EVENT = {
    ("GeneralParameterSet", name)
    for name in ("name", "beginDate", "endDate", "komi", "size", "numberOfRounds", "location", "director")
}
"""Settings that the event says itself."""
NUMBERED = {
    "TournamentParameterSet": {
        "Category": ("GeneralParameterSet/Categories", "Category", "lowerLimit"),
        "PlacementCriterion": ("PlacementParameterSet/PlacementCriteria", "PlacementCriterion", "name"),
    },
    "TeamTournamentParameterSet": {
        "TeamPlacementCriterion": ("TeamPlacementParameterSet/PlacementCriteria", "PlacementCriterion", "name"),
    },
}
"""Settings that are numbered items, by the set of all settings and how an event calls them: where they stand in it,
their element, and the attribute that tells them."""
OF_PLAYERS = (
    "name", "firstName", *REGISTERS.values(), "grade", "rating", "ratingOrigin", "smmsCorrection", "participating",
)  # fmt: skip
"""What is kept of a player of a file beside what the ledger holds. Until when a licence is paid is not kept."""
OF_TEAMS = ("boards", "teamName", "teamNumber")
"""What is kept of a player's team: the number of their board in each round, 0 for none, and whose board it is. Their
`tables` are kept in the same way."""


def key_of(name: str) -> str:
    """Return a name as references spell it, for comparison: no blanks, capitals, marks, dots of the Turkish i."""
    plain = unicodedata.normalize("NFKD", folded(name.replace("İ", "I").replace("ı", "I")))
    return "".join(c for c in plain if not c.isspace() and not unicodedata.combining(c))


@dataclass(frozen=True, slots=True)
class WrittenTournament(Tournament):
    """What is written of a ledger."""

    busy: dict[str, set[int]]
    """Rounds in which each player is there: those of games and byes, and of events that say who is absent all others
    that are none."""
    last_round: int
    """The number of rounds."""
    free: Sequence[Bye]
    """Rounds off that are byes: in the program's own files a whole point may be that of an absence."""
    facts: Mapping[str, str]
    """What absences bring, where another program made the tournament."""
    placing: Placing | None
    """How players stand as a table of another program has them."""

    @property
    def even(self) -> float:
        """Komi of even games."""
        return 7.5 if self.komi is None else self.komi


def _kinds_of_byes(participants: Sequence[Participant]) -> Counter[Bye]:
    return Counter(bye for each in participants for _, bye in each.byes)


def write(ledger: Ledger, ending: str, excel_safe: bool) -> tuple[bytes, list[str]]:  # noqa: ARG001, FBT001  # as all
    """Write the one tournament of a ledger; InputError if it holds several events or more than 20 rounds."""
    tournament = _tournament(ledger)
    root = ET.Element("Tournament", {"dataVersion": "201", **_saved(ledger, tournament)})
    players, games = ET.SubElement(root, "Players"), ET.SubElement(root, "Games")
    ranks = {each.player.name: each.rank for each in tournament.participants}
    parts = {each.player.name: each.surname_and_given_name for each in tournament.participants}
    names = _names({name: parts[name] for name in (*first_declared_ranks(tournament.games), *parts)})
    for each in tournament.participants:
        ET.SubElement(players, "Player", _player(each, names[each.player.name], tournament))
    tables = _tables(tournament)
    met: list[tuple[int, Game | Pairing]] = [(tournament.rounds[at], game) for at, game in enumerate(tournament.games)]
    met += [(pairing.round, pairing) for pairing in tournament.event.pairings]
    for number, game in met:
        ET.SubElement(games, "Game", _game(game, names, number, tables[number, game.black]))
    byes = _byes(tournament.participants, tournament.free)
    if byes:
        container = ET.SubElement(root, "ByePlayers")
        for number, name in sorted(byes):
            ET.SubElement(container, "ByePlayer", {"player": _key(names[name]), "roundNumber": str(number)})
    _add_teams(root, tournament, names)
    sets = _sets(tournament.event)
    _add_settings(ET.SubElement(root, "TournamentParameterSet"), tournament, sets)
    if of_teams := {name: sets[name] for name in sets if name.startswith("Team")}:
        _add_sets(ET.SubElement(root, "TeamTournamentParameterSet"), "TeamTournamentParameterSet", of_teams)
    ET.indent(root, "")
    omissions = tournament.omissions + _omissions(tournament, ranks, byes)
    return ET.tostring(root, encoding="UTF-8", xml_declaration=True) + b"\n", omissions


FREE = (Bye.ALLOCATED, Bye.FULL_POINT)
"""What other programs' rounds off with a whole point are."""
OF_OPENGOTHA = frozenset(Part) - {Part.CODE, Part.FREE_POINTS, Part.TIME, Part.COMMENTS, Part.PLACES, Part.FIGURES}
"""What the file holds of an event: its program works places and tie-breaks out of the games."""


OF_SETTINGS = {Part.TIME, Part.COMMENTS, Part.PLACES, Part.FIGURES}
"""What follows from the settings of a file that the program made itself."""


def _tournament(ledger: Ledger) -> WrittenTournament:
    own = Tournament.of(ledger, "an OpenGotha file")
    event, games, rounds = own.event, own.games, own.rounds
    used = [*rounds.values(), *(number for each in own.participants for number, _ in each.byes)]
    last_round = max([*used, *(each.round for each in event.pairings), event.rounds, 1])
    if last_round > ROUNDS:
        raise InputError(f"an OpenGotha file holds at most {ROUNDS} rounds, and these are {last_round}")
    if len(own.participants) > MOST_PLAYERS:
        raise InputError(
            f"an OpenGotha file holds at most {MOST_PLAYERS} players, and these are {len(own.participants)}"
        )
    busy: dict[str, set[int]] = defaultdict(set)
    for place, game in enumerate(games):
        busy[game.black].add(rounds[place])
        busy[game.white].add(rounds[place])
    free = (Bye.ALLOCATED,) if event.settings else FREE
    kinds = _kinds_of_byes(own.participants)
    halves = bool(kinds[Bye.HALF_POINT]) and not event.settings
    there = (
        (*free, Bye.ZERO_POINT) if halves else free
    )  # an absence brings half a point, and a round without a game none
    for each in own.participants if halves else event.participants:
        byes = dict(each.byes)
        busy[each.player.name] |= {number for number in range(1, last_round + 1) if byes.get(number) in (None, *there)}
    registered = [each for each in event.participants if each.preliminary and each not in own.participants]
    shared = {item.name: getattr(own, item.name) for item in fields(own)}
    shared["participants"] = own.participants + registered
    played = [replace(game, round=rounds[place]) for place, game in enumerate(games)]
    shown = _as_shown(own.participants, halves=halves)
    choices: list[tuple[dict[str, str], Placing | None]] = []
    for rounds_down in ("false", "true") if halves else ("true",):
        worth = dict.fromkeys(("genMMS2ValueAbsent", "genNBW2ValueAbsent"), "01"[halves]) if kinds else {}
        facts = worth | {"genRoundDownNBWMMS": rounds_down}
        table = Table(GENERAL | facts, shown, played, event.pairings, last_round)
        choices.append((facts, None if event.settings else table.placing()))
    facts, placing = max(choices, key=lambda each: each[1][2:] if each[1] else (False, False))
    return WrittenTournament(**shared, busy=busy, last_round=last_round, free=free, facts=facts, placing=placing)


def _as_shown(participants: Sequence[Participant], *, halves: bool) -> list[Participant]:
    """Return the participants with the byes that the program takes: one a round, the last that the file names.

    Where absences bring half a point, those that bring none are left out.
    """
    last = dict(sorted(_byes(participants, FREE)))
    return [
        replace(each, byes=tuple(
            (number, Bye.ALLOCATED if bye in FREE else bye) for number, bye in each.byes
            if (bye not in FREE or last[number] == each.player.name) and not (halves and bye is Bye.ZERO_POINT)
        ))
        for each in participants
    ]  # fmt: skip


def _byes(participants: Sequence[Participant], free: Sequence[Bye]) -> list[tuple[int, str]]:
    """Return round and player of each bye."""
    return [(number, each.player.name) for each in participants for number, bye in each.byes if bye in free]


def _saved(ledger: Ledger, tournament: WrittenTournament) -> dict[str, str]:
    """Return the time of saving, by which OpenGotha ranks files: that of the file that was read, else the last day."""
    read = bool(tournament.event.settings)  # in a file of the program
    saved = ledger.saved or ("" if read else str(tournament.last or "").replace("-", "").ljust(14, "0"))
    return {"saveDT": saved} if saved and tournament.last else {}


def _tables(tournament: WrittenTournament) -> dict[tuple[int, str], int]:
    """Return the number of the table of each game by round and Black: that which the file tells, else the first free.

    The program keeps one game a table, and in each round the numbers 1 to 1000.
    """
    numbered = {
        (number, each.player.name): int(table)
        for each in tournament.participants
        for number, table in enumerate(dict(each.settings).get("tables", "").split(), 1)
        if table.isdecimal() and 0 < int(table) <= MOST_TABLES
    }
    met = [(tournament.rounds[place], game.black) for place, game in enumerate(tournament.games)]
    met += [(pairing.round, pairing.black) for pairing in tournament.event.pairings]
    seats = {(number, numbered[number, black]): black for number, black in reversed(met) if (number, black) in numbered}
    tables = {(number, black): table for (number, table), black in seats.items()}
    last: Counter[int] = Counter()
    for seat in met:
        if seat not in tables:
            number = seat[0]
            last[number] = tables[seat] = next(t for t in count(last[number] + 1) if (number, t) not in seats)
    return tables


def _add_teams(root: ET.Element, tournament: WrittenTournament, names: Mapping[str, tuple[str, str]]) -> None:
    """Add the teams, with whose board is which in each round."""
    teams: dict[tuple[str, str], list[tuple[int, str, str]]] = {}
    for each in tournament.participants:
        own = dict(each.settings)
        boards = enumerate(own.get("boards", "").split(), 1)
        team = teams.setdefault((own["teamNumber"], own["teamName"]), []) if set(OF_TEAMS) <= own.keys() else []
        team += [(number, board, each.player.name) for number, board in boards if board != "0"]
    container = ET.SubElement(root, "Teams") if teams else root
    for (number, name), members in teams.items():
        team_element = ET.SubElement(container, "Team", teamNumber=number, teamName=one_line(name))
        for of_round, board, player in sorted(members):
            attributes = {"roundNumber": str(of_round), "boardNumber": board, "player": _key(names[player])}
            ET.SubElement(team_element, "Board", attributes)


def _names(parts_of: Mapping[str, tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """Return surname and given name of players by name; one whose key another bears already gets a number."""
    names: dict[str, tuple[str, str]] = {}
    keys: set[str] = set()
    numbers: Counter[str] = Counter()
    for player, parts in parts_of.items():
        surname, given = map(one_line, parts)
        own, key = given, key_of(player)
        while key_of(surname + own) in keys:
            numbers[key] += 1
            own = f"{given} {1 + numbers[key]}".strip()
        keys.add(key_of(surname + own))
        names[player] = (surname, own or " ")  # it takes no empty name
    return names


def _player(each: Participant, names: tuple[str, str], tournament: WrittenTournament) -> dict[str, str]:
    player, country = each.player, one_line(each.player.country)
    register, _, number = player.id.partition(":")
    rank = _amateur(each.rank)
    busy = tournament.busy[player.name]
    later = dict(each.settings).get("participating", "").ljust(ROUNDS, "1")  # of rounds that nobody has played
    present = [
        number in busy or (number > tournament.last_round and later[number - 1] != "0")
        for number in range(1, ROUNDS + 1)
    ]
    return {
        "name": names[0], "firstName": names[1],
        "country": country if len(country) == COUNTRY else "", "club": one_line(player.club)[:CLUB],
        **dict.fromkeys(REGISTERS.values(), ""), "ffgLicenceStatus": "", "agaExpirationDate": "",
        **({REGISTERS[register]: number} if IDS.fullmatch(player.id) else {}),
        "rank": str(rank).upper(), "grade": str(rank).upper(),
        **_rating(player, rank),
        "registeringStatus": "PRE" if each.preliminary else "FIN",
        "smmsCorrection": str(tournament.placing.corrections.get(player.name, 0) if tournament.placing else 0),
        **{name: value for name, value in each.settings if name in OF_PLAYERS and name not in {"name", "firstName"}},
        "participating": "".join("01"[there] for there in present),
    }  # fmt: skip


def _rating(player: Player, rank: Rank) -> dict[str, str]:
    """Return the declared rating and whose it is, else that of the rank, as OpenGotha makes it: 1 dan is 2100 (EGF).

    One that does not say whose it is counts as set by hand.
    """
    usual = str(2100 + 100 * int(rank.stones - Rank.dan(1).stones))
    if player.rating is None:
        return {"rating": usual, "ratingOrigin": "INI"}
    if player.rating_origin not in RATED_BY:
        return {"rating": f"{player.rating:.0f}", "ratingOrigin": "MAN"}
    own = f"{player.rating:.2f}" if player.rating_origin == "AGA" else f"{player.rating:.0f}"
    value = player.rating
    if player.rating_origin == "FFG":
        value += 2050
    elif player.rating_origin == "AGA":  # of which there is none between -1 and 1
        value = 2050 + 100 * (value - 1 if value >= 1 else value + 1 if value <= -1 else 0)
    return {"rating": f"{value:.0f}", "ratingOrigin": f"{player.rating_origin} : {own}"}


def _amateur(rank: str) -> Rank:
    """Return a rank as OpenGotha knows them, 30 kyu to 9 dan; 30 kyu where none was declared."""
    return Rank.at(Rank.parse(rank).stones) if rank else Rank.kyu(30)


def _key(names: tuple[str, str]) -> str:
    """Return how games and byes name a player."""
    return "".join("".join(names).split()).upper()


def _game(game: Game | Pairing, names: Mapping[str, tuple[str, str]], number: int, table: int) -> dict[str, str]:
    """Return the attributes of a game, or of a pairing that has no result."""
    coloured, word = True, "UNKNOWN"
    if isinstance(game, Game):
        result = result_of(game)
        coloured, word = result.colours_known, WORDS[result.outcome] + "_BYDEF" * is_default(game)
    return {
        "roundNumber": str(number), "tableNumber": str(table),
        "blackPlayer": _key(names[game.black]), "whitePlayer": _key(names[game.white]),
        "handicap": str(game.handicap), "knownColor": str(coloured).lower(),
        **({} if coloured else {"strKnownColor": "false"}),  # its reader asks for this name
        "result": f"RESULT_{word}",
    }  # fmt: skip


ASKED_FOR = ("PlacementParameterSet", "PairingParameterSet", "DPParameterSet", "PublishParameterSet")
"""Sets that the program's reader takes unasked."""
CLOCKS = {
    "tournament-a": (60, "STDBYOYOMI", 30), "tournament-b": (40, "STDBYOYOMI", 30),
    "tournament-c": (30, "STDBYOYOMI", 10), "tournament-d": (40, "STDBYOYOMI", 30),
    "tournament-x": (10, "SUDDENDEATH", 0),
}  # fmt: skip
"""Main time in minutes, overtime and its seconds that make a tournament of each class where no time is told; our
choice."""
OVERTIMES = {
    "STDBYOYOMI": ("stdByoYomiTime", (30, 20, 10, 40, 60)), "SUDDENDEATH": ("", (0,)),
    "CANBYOYOMI": ("canByoYomiTime", (300, 600, 450, 900)), "FISCHER": ("fischerTime", (10, 20, 15, 30, 5)),
}  # fmt: skip
"""Overtimes that are tried, with the attribute of their seconds: what is customary first; our choice."""
MOVES = {"CANBYOYOMI": {"nbMovesCanTime": "15"}}


def _clock(kind: str, event: Event) -> dict[str, str]:
    """Return settings of a clock of which the program says the class and time of the event; of its class, failing that.

    Ledgers keep the adjusted time, and the name of the overtime as a comment where a file of the program told it. None
    are returned where neither class nor time is known, or no clock has the time.
    """
    if event.minutes is None and kind not in CLOCKS:
        return {}
    online = str(kind == "tournament-d").lower()
    named = [system for system in OVERTIMES if SYSTEMS[system] in event.comments]
    for system in dict.fromkeys((*named, *OVERTIMES)):
        attribute, tried = OVERTIMES[system]
        for seconds in tried:
            facts = {"basicTime": "0", "complementaryTimeSystem": system, "bInternet": online, **MOVES.get(system, {})}
            facts |= {attribute: str(seconds)} if attribute else {}
            overtime = Clock.of(facts)
            main = int(event.minutes or 0) - (overtime.adjusted - overtime.main) // 60 if overtime else 0
            facts["basicTime"] = str(main)
            if main > 0 and _tells(facts, kind, event):
                return facts
    if kind not in CLOCKS:
        return {}
    main, system, seconds = CLOCKS[kind]
    facts = {"basicTime": str(main), "complementaryTimeSystem": system, "bInternet": online}
    return facts | {OVERTIMES[system][0]: str(seconds)} if seconds else facts


def _tells(facts: Mapping[str, str], kind: str, event: Event) -> bool:
    """Return whether the program says the class and the whole minutes of an event by these settings."""
    clock = Clock.of(facts)
    if clock is None or event.minutes is None:
        return False
    is_of_kind = kind not in CLOCKS or kind == f"tournament-{clock.letter.lower()}"
    return is_of_kind and clock.adjusted // 60 == int(event.minutes)


def _parts_of_clock(tournament: WrittenTournament) -> set[Part]:
    """Return what the settings of the clock keep of an event that another program made."""
    facts = {} if tournament.event.settings else _clock(tournament.kind, tournament.event)
    if not facts:
        return set()
    comments = (SYSTEMS[facts["complementaryTimeSystem"]],)
    whole = float(tournament.event.minutes or 0).is_integer()
    return {
        part
        for part, kept in (
            (Part.TIME, whole and _tells(facts, tournament.kind, tournament.event)),
            (Part.COMMENTS, tournament.event.comments == comments),
        )
        if kept
    }


def _sets(event: Event) -> dict[str, dict[str, str]]:
    """Return the settings of the program by their sets."""
    sets: dict[str, dict[str, str]] = defaultdict(dict)
    for key, value in event.settings:
        if match := SETTING.fullmatch(key):
            sets[match[1]][match[2]] = one_line(value)
    return sets


def _add_sets(parent: ET.Element, of_all: str, sets: Mapping[str, Mapping[str, str]]) -> None:
    """Add sets of settings, and those of numbered items in their places."""
    for name in sets:
        if name not in NUMBERED[of_all] and parent.find(name) is None:
            ET.SubElement(parent, name, dict(sets[name]))
    for label, (path, tag, field) in NUMBERED[of_all].items():
        items = parent
        for step in path.split("/") if label in sets else ():
            below = items.find(step)
            items = ET.SubElement(items, step) if below is None else below
        for number, value in sets.get(label, {}).items():
            ET.SubElement(items, tag, {"number": number, field: value})


def _add_settings(parent: ET.Element, tournament: WrittenTournament, given: Mapping[str, Mapping[str, str]]) -> None:
    """Add all sets that OpenGotha's reader asks for."""
    general = {
        "name": one_line(tournament.event.name), "shortName": one_line(tournament.event.name)[:20],
        "beginDate": str(tournament.first or NO_DATE), "endDate": str(tournament.last or NO_DATE),
        "komi": f"{tournament.even:g}", "size": str(tournament.size), "numberOfRounds": str(tournament.last_round),
        "location": one_line(tournament.event.city), "director": one_line(tournament.event.director),
    }  # fmt: skip
    sets = {name: dict(own) for name, own in given.items() if not name.startswith("Team")}
    own = sets.pop("GeneralParameterSet", {})
    general |= {} if own else {**tournament.facts, **_clock(tournament.kind, tournament.event)}
    ET.SubElement(parent, "GeneralParameterSet", general | own if own else GENERAL | general)
    most = max((game.handicap for game in tournament.games), default=0)
    reduction = tournament.event.reduction if tournament.event.has_handicap_rule else 0
    handicaps = {"hdBasedOnMMS": "true", "hdNoHdRankThreshold": "1D", "hdCorrection": str(reduction),
                 "hdCeiling": str(min(MOST_STONES, most))}  # fmt: skip
    ET.SubElement(parent, "HandicapParameterSet", handicaps | sets.pop("HandicapParameterSet", {}))
    usual = USUAL["MMS" if most and tournament.event.places else "NBW"]  # by wins, as a table without places is written
    names = tournament.placing.criteria if tournament.placing else usual
    criteria = {str(at): name for at, name in enumerate([*names, *["NULL"] * (MOST_CRITERIA - len(names))], 1)}
    empty: dict[str, dict[str, str]] = {name: {} for name in ASKED_FOR}
    seen = {name for game in tournament.games for name in (game.black, game.white)}
    seen |= {name for pairing in tournament.event.pairings for name in (pairing.black, pairing.white)}
    seen |= {name for _, name in _byes(tournament.participants, tournament.free)}
    if not own and any(each.place and each.player.name not in seen for each in tournament.participants):
        empty["DPParameterSet"]["displayNPPlayers"] = "true"  # else the program places nobody without a game
    _add_sets(parent, "TournamentParameterSet", empty | {"PlacementCriterion": criteria} | sets)


def _omissions(tournament: WrittenTournament, ranks: Mapping[str, str], byes: Sequence[tuple[int, str]]) -> list[str]:
    """Return what the file cannot hold, one line each."""
    games, event = tournament.games, tournament.event
    omissions = omissions_of(
        games,
        komi=lambda game: tournament.even if game.handicap == 0 else 0.5,
        size=tournament.size,
        date=str(tournament.first or ""),
        ids=IDS,
        kind=tournament.kind if tournament.kind in CLOCKS else "tournament",
    )
    parts = OF_SETTINGS if event.settings else _parts_of_clock(tournament)
    if tournament.placing:
        kept = ((Part.PLACES, tournament.placing.keeps_places), (Part.FIGURES, tournament.placing.keeps_figures))
        parts |= {part for part, is_kept in kept if is_kept}
    omissions += event_omissions([event], OF_OPENGOTHA - tournament.unusual_parts | parts, games)
    omissions += ["the country of the tournament"] if event.country else []
    more = _more_omissions(games, ranks)
    players = [each.player for each in tournament.participants]
    more += [
        (f"clubs cut after {CLUB} letters", sum(len(one_line(each.club)) > CLUB for each in players), "player"),
        (
            f"countries of other than {COUNTRY} letters",
            sum(len(one_line(each.country)) not in {0, COUNTRY} for each in players),
            "player",
        ),
    ]
    kinds = _kinds_of_byes(tournament.participants)
    more += [
        (
            "absences without a point, which are rounds without a game there since others brought half a point",
            kinds[Bye.ZERO_POINT] if kinds[Bye.HALF_POINT] else 0,
            "round",
        ),
        (
            "byes beyond one a round, which OpenGotha does not take",
            len(byes) - len({number for number, _ in byes}),
            "bye",
        ),
    ]
    return omissions + [f"{what} ({counted(count, noun)})" for what, count, noun in more if count]


def _more_omissions(games: Sequence[Game], ranks: Mapping[str, str]) -> list[tuple[str, int, str]]:
    keys = Counter(key_of(one_line(name)) for name in ranks)
    open_games = sum(result_of(game).outcome is Outcome.UNPLAYED for game in games)
    return [
        ("games without a result, which are pairings there", open_games, "game"),
        ("professional ranks, written as those of amateurs", sum(rank.endswith("p") for rank in ranks.values()),
         "player"),
        ("players whose names differ by marks, capitals or blanks only, and are numbered",
         sum(count - 1 for count in keys.values()), "player"),
    ]  # fmt: skip
