"""Tournaments of Pairgoth, the pairing program of the French federation: a JSON object with players and rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from handan.errors import Clause, InputError
from handan.files.formats.opengotha_standing import FISCHER, Clock
from handan.files.games.contents import Contents, Entrant, Gatherer, apart
from handan.files.games.format import Format
from handan.files.io.json_text import json_values
from handan.files.io.options import Options
from handan.ledger import Bye, Event
from handan.ranks import Rank

KEYS = (b'"shortName"', b'"startDate"', b'"timeSystem"', b'"gobanSize"', b'"pairing"', b'"rounds"', b'"players"')
ENOUGH = 4  # our choice: of the keys above, by which such a file is known
RESULTS = {"b": "B+", "w": "W+", "=": "jigo", "X": "void", "#": "both-win", "0": "both-lose", "?": ""}
"""By the letter that the program writes; X is a game that was cancelled, ? one that was not played."""
REGISTERS = {"egf": "egd", "ffg": "ffg", "aga": "aga"}
"""Keys of a player's numbers in registers, and the registers; the first that is there is the id."""
STRONGEST, WEAKEST = 8, -30  # ranks as the program numbers them: 9 dan and 30 kyu
BYE = "0"
OF_PERSONS = "INDIVIDUAL"
"""The type of a tournament whose players are persons; all others are of pairs and teams."""
LEAST_SECONDS, MOST_SECONDS = 120, 10**6  # our choice: what a main time can be; files made by hand have minutes


def sniff(head: bytes) -> bool:
    """Return whether a file begins like a JSON object with the keys of such a tournament."""
    return head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and sum(key in head for key in KEYS) >= ENOUGH


def read(data: bytes, source: str, options: Options) -> Contents:
    """Read one tournament; InputError if it has no players, or teams play in it."""
    [root, *more] = json_values(data, source, options) or [None]
    if more or not isinstance(root, Mapping) or not isinstance(root.get("players"), list):
        pattern = "{source} has no list of players; a tournament of Pairgoth was expected"
        raise InputError(Clause.of(pattern, source=source))
    kind = _text(root.get("type"))
    if root.get("teams") or kind.upper() not in ("", OF_PERSONS):
        pattern = "{source} is a tournament of teams ({kind}); it does not say which persons played"
        raise InputError(Clause.of(pattern, source=source, kind=kind))
    gatherer = Gatherer(source, options.limits)
    players = _players(root["players"], gatherer)
    tournament = Tournament(root, players, gatherer)
    rounds = root.get("games") if isinstance(root.get("games"), list) else []
    for place, games in enumerate(rounds or [], 1):
        for number, game in enumerate(games if isinstance(games, list) else [games], 1):
            tournament.add(game, place, f"round {place} game {number}")
    registered = {key: each for key, each in players.items() if key not in tournament.only_listed}
    return gatherer.contents(
        tuple(each.entrant for each in registered.values()),
        events=(tournament.event(len(rounds or [])),),
        tournament=tournament.name_and_day,
    )


@dataclass(frozen=True, slots=True)
class RegisteredPlayer:
    """A player of the tournament."""

    entrant: Entrant
    skipped: frozenset[int]
    """Rounds that the player leaves out."""
    final: bool
    """Whether the registration is final; else the player is only announced."""


@dataclass(slots=True)
class Tournament:
    """A tournament whose games are added one by one."""

    root: Mapping[str, Any]
    players: Mapping[str, RegisteredPlayer]
    gatherer: Gatherer
    shared: dict[str, Any] = field(init=False)
    """What all games have."""
    komi: float | None = field(init=False, default=None)
    clock: Clock | None = field(init=False, default=None)
    byes: set[tuple[str, int]] = field(default_factory=set)
    """Number of the player and round of each free win."""
    played: set[tuple[str, int]] = field(default_factory=set)
    """The same of each game."""

    def __post_init__(self) -> None:
        """Read what holds for all games."""
        root, gatherer = self.root, self.gatherer
        start, komi = (_text(root.get(name)) for name in ("startDate", "komi"))
        day = gatherer.date(None, "startDate", start)
        self.komi = gatherer.komi("komi", komi)
        event = _text(root.get("name")) or _text(root.get("shortName"))
        size = _text(root.get("gobanSize")) or "19"
        self.clock = _clock(root)
        kind = f"tournament-{self.clock.letter.lower()}" if self.clock else "tournament"
        self.shared = {"date": day, "event": event, "kind": kind, "size": size}

    @property
    def name_and_day(self) -> str:
        """What names the tournament in every file that was saved of it; empty where it has no short name."""
        short = _text(self.root.get("shortName"))
        return f"{short}|{_text(self.root.get('startDate'))}" if short else ""

    @property
    def only_listed(self) -> set[str]:
        """Numbers of players who are announced and took no part."""
        took_part = {key for key, _ in self.played | self.byes}
        return {key for key, each in self.players.items() if not each.final and key not in took_part}

    def add(self, game: Any, place: int, name: str) -> None:
        """Add a game, a bye or a pairing of a round; one that cannot be used becomes a problem."""
        gatherer = self.gatherer
        if not isinstance(game, Mapping):
            gatherer.reject(None, name, str(game)[:60], "a game with the keys w, b, h and r")
            return
        white, black = (_text(game.get(side)) or BYE for side in ("w", "b"))
        strange = next((key for key in (white, black) if key != BYE and key not in self.players), None)
        if strange is not None:
            gatherer.reject(None, name, strange, "the id of one of the players")
            return
        if BYE in (white, black):
            self.byes |= {(key, place) for key in (white, black) if key != BYE}
            return
        result = _text(game.get("r", "?")) or "?"
        if result not in RESULTS:
            gatherer.reject(None, name, result, Clause.of("a result, one of {results}", results=" ".join(RESULTS)))
            return
        self.played |= {(white, place), (black, place)}
        handicap = _text(game.get("h", 0)) or "0"
        one, other = (self.players[key].entrant for key in (black, white))
        if not RESULTS[result]:
            gatherer.pairing(place, one, other, handicap)
            return
        komi, notes = self.komi if handicap == "0" else 0.5, "cancelled" if result == "X" else ""
        facts = {"result": RESULTS[result], "handicap": handicap, "komi": komi, "round": place, "notes": notes}
        gatherer.game_of(None, one, other, **self.shared, **facts)

    def event(self, rounds: int) -> Event:
        """Return who took part, and what each had in the rounds that were paired and brought them no game."""
        byes: dict[str, dict[int, Bye]] = {key: {} for key in self.players}
        busy, announced = self.played | self.byes, self.only_listed
        for key, each in self.players.items():
            for place in each.skipped if key not in announced else ():
                if place <= rounds and (key, place) not in busy:
                    byes[key][place] = Bye.ZERO_POINT
        for key, place in self.byes:
            byes[key][place] = Bye.ALLOCATED
        return Event(
            self.shared["event"],
            self.shared["date"],
            self.gatherer.date(None, "endDate", _text(self.root.get("endDate"))),
            rounds=rounds,
            participants=tuple(
                each.entrant.participant(byes[key], preliminary=key in announced) for key, each in self.players.items()
            ),
            pairings=tuple(self.gatherer.pairings),
            kind=self.shared["kind"],
            country=_text(self.root.get("country")).upper(),
            city=_text(self.root.get("location")),
            director=_text(self.root.get("director")),
            minutes=self.clock.adjusted / 60 if self.clock else None,
            komi=self.komi,
        )


def _clock(root: Mapping[str, Any]) -> Clock | None:
    """Return the thinking time, from which the class follows; None where it is not told in seconds.

    What the overtime is worth is as OpenGotha reckons it: 45 times a period, 60 stones, 120 moves.
    """
    system = root.get("timeSystem")
    if not isinstance(system, Mapping):
        return None
    seconds = {
        name: value
        for name in ("mainTime", "byoyomi", "stones", "increment")
        if isinstance(value := system.get(name), int) and 0 <= value < MOST_SECONDS
    }
    main, overtime = seconds.get("mainTime", 0), seconds.get("byoyomi", 0)
    if main < LEAST_SECONDS:
        return None
    kind = _text(system.get("type")).upper()
    more = {
        "JAPANESE": 45 * overtime,
        "STANDARD": 45 * overtime,
        "CANADIAN": 60 * overtime // max(1, seconds.get("stones", 1)),
        FISCHER: 120 * seconds.get("increment", 0),
    }
    return Clock(main, kind, main + more.get(kind, 0), root.get("online") is True)


def _players(rows: Sequence[Any], gatherer: Gatherer) -> dict[str, RegisteredPlayer]:
    """Return the players by the ids that the games name."""
    players: dict[str, RegisteredPlayer] = {}
    entrants: dict[str, Entrant] = {}
    for row, number in zip(rows, count(1)):
        where = f"player {number}"
        if not isinstance(row, Mapping):
            gatherer.reject(None, where, str(row)[:60], "a player with the keys id, name, firstname and rank")
            continue
        key = _text(row.get("id"))
        parts = [_text(row.get(part)).replace("_", " ") for part in ("name", "firstname")]
        name = gatherer.player_name(None, where, " ".join(parts))
        if name is None:
            continue
        if not key or key == BYE or key in entrants:
            gatherer.reject(None, where, key, "an id of its own")
            continue
        ids = [f"{register}:{own}" for part, register in REGISTERS.items() if (own := _number(row.get(part)))]
        european = bool(ids) and ids[0].startswith("egd:")
        rating = row.get("rating")
        declared = european and isinstance(rating, (int, float)) and -1e6 < rating < 1e6
        entrants[key] = Entrant(
            name,
            next(iter(ids), ""),
            _text(row.get("country")).upper(),
            _text(row.get("club")),
            rank=_rank(row.get("rank"), where, gatherer),
            rating=float(rating) if declared and rating is not None else None,
            rating_origin="EGF" if declared else "",
        )
        skipped = row.get("skip") if isinstance(row.get("skip"), list) else []
        rounds = frozenset(place for place in skipped or [] if isinstance(place, int))
        players[key] = RegisteredPlayer(entrants[key], rounds, row.get("final") is not False)
    return {
        key: RegisteredPlayer(each, players[key].skipped, players[key].final) for key, each in apart(entrants).items()
    }


def _rank(value: Any, where: str, gatherer: Gatherer) -> str:
    """Return the rank of a number: -4 is 4 kyu, 0 is 1 dan; empty where there is none."""
    if isinstance(value, int) and not isinstance(value, bool) and WEAKEST <= value <= STRONGEST:
        return str(Rank.kyu(-value) if value < 0 else Rank.dan(value + 1))
    if value is not None:
        expected = Clause.of("a rank from {low} to {high}; read as none", low=WEAKEST, high=STRONGEST)
        gatherer.warn(None, where, str(value)[:60], expected)
    return ""


def _number(value: Any) -> str:
    """Return a number in a register; empty where there is none."""
    text = _text(value)
    return text if set(text) - {"0"} else ""


def _text(value: Any) -> str:
    """Return a value as text; empty where it is absent, or no text and no number."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return ""
    return str(value).strip()


PAIRGOTH = Format("Pairgoth", sniff, read)
