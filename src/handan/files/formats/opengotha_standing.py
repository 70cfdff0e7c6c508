"""What OpenGotha works out of a tournament's settings: the class of the European federation, and who stands where.

Source: OpenGotha 3.5, `Tournament.java` (egfClass, egfAdjustedTime, the scores of players) and `ExternalDocument.java`
(the values of settings that a file leaves out).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from handan.errors import InputError
from handan.files.games.result_table import SYMBOLS
from handan.ledger import Bye, Game, Pairing
from handan.ledger.results import Result
from handan.ranks import Rank

FISCHER = "FISCHER"
CLASSES = (("A", 3600, 2700, 4500), ("B", 2400, 1800, 3000), ("C", 1500, 1200, 1800))
"""Class, least main time in seconds, that with Fischer's clock, and least adjusted time."""
SYSTEMS = {
    "SUDDENDEATH": "Sudden death", "STDBYOYOMI": "Standard byo-yomi", "CANBYOYOMI": "Canadian byo-yomi",
    "FISCHER": "Fischer",
}  # fmt: skip
"""Systems of overtime, as OpenGotha names them in its tables."""
LEAST_RANK = 30  # kyu, from which McMahon scores count
TITLES = {
    "MMS": "MMS", "NBW": "NBW", "SOSM": "SOS", "SOSW": "SOS", "SOSOSM": "SOSOS", "SOSOSW": "SOSOS", "SODOSM": "SODOS",
    "SODOSW": "SODOS", "SOSMM1": "SOS-1", "SOSWM1": "SOS-1", "SOSMM2": "SOS-2", "SOSWM2": "SOS-2", "CAT": "CAT",
    "RATING": "Rating", "RANK": "Rank",
}  # fmt: skip
"""Criteria that are worked out, and how the head of a table names them."""
WORTH = {"+": 2, "=": 1, "-": 0, "?": 0}
"""Half points of a game."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The thinking time of a tournament."""

    main: int
    """Seconds."""
    system: str
    adjusted: int
    """Main time and what the overtime is worth, in seconds."""
    online: bool

    @classmethod
    def of(cls, facts: Mapping[str, str]) -> Clock | None:
        """Return the clock that the settings tell; None where they tell no main time."""
        if "basicTime" not in facts:
            return None
        main = 60 * _number(facts, "basicTime", 60)
        system = facts.get("complementaryTimeSystem", "CANBYOYOMI").strip().upper()
        more = {
            "STDBYOYOMI": 45 * _number(facts, "stdByoYomiTime", 30),
            "CANBYOYOMI": 60 * _number(facts, "canByoYomiTime", 300) // max(1, _number(facts, "nbMovesCanTime", 15)),
            FISCHER: 120 * _number(facts, "fischerTime", 10),
        }
        online = facts.get("bInternet", "false").strip().lower() == "true"
        return cls(main, system, main + more.get(system, 0), online)

    @property
    def letter(self) -> str:
        """The class: A, B or C at a board, D online with the time of B, X for all that is shorter."""
        reached = [
            name
            for name, main, fischer, adjusted in CLASSES
            if self.main >= (fischer if self.system == FISCHER else main) and self.adjusted >= adjusted
        ]
        if self.online:
            return "D" if "B" in reached else "X"
        return reached[0] if reached else "X"


def _number(facts: Mapping[str, str], name: str, otherwise: int) -> int:
    text = facts.get(name, "").strip()
    return int(text) if text.isdecimal() and len(text) < 6 else otherwise


@dataclass(frozen=True, slots=True)
class Seat:
    """A player as the standing takes them."""

    rank: str
    rating: float
    correction: int
    """McMahon points that the director added."""
    byes: Mapping[int, Bye]
    absent: frozenset[int]


@dataclass(frozen=True, slots=True)
class Standing:
    """The order of the players of a tournament, with the figures that decide it."""

    criteria: tuple[str, ...]
    """As tables name them; the first decides first."""
    figures: Mapping[str, tuple[str, ...]]
    """Of each player, one for each criterion."""
    places: Mapping[str, int]
    """Players who agree in all criteria share one."""


def standing(
    facts: Mapping[str, str], criteria: Sequence[str], players: Mapping[str, Seat], games: Iterable[Game],
    pairings: Iterable[Pairing], rounds: int,
) -> Standing | None:  # fmt: skip
    """Return the standing after all rounds; None where a criterion is one that is not worked out here.

    Args:
        facts: General settings.
        criteria: Names as the file has them, without NULL.
        players: By name.
        games: Those with a result.
        pairings: Those without one.
        rounds: Their number.
    """
    names = [name.upper() for name in criteria]
    if not names or not set(names) <= TITLES.keys() or ("CAT" in names and _number(facts, "numberOfCategories", 1) > 1):
        return None
    scores = _Scores(facts, players, [game for game in games if (game.round or 0) <= rounds], pairings, rounds)
    values = {player: tuple(scores.of(name, player) for name in names) for player in players}
    first: dict[tuple[float, ...], int] = {}
    for place, own in enumerate(sorted(values.values(), reverse=True), 1):
        first.setdefault(own, place)
    places = {player: first[own] for player, own in values.items()}
    figures = {player: tuple(f"{value:g}" for value in own) for player, own in values.items()}
    return Standing(tuple(TITLES[name] for name in names), figures, places)


class _Scores:
    """Scores of all players, in half points."""

    def __init__(
        self, facts: Mapping[str, str], players: Mapping[str, Seat], games: Sequence[Game],
        pairings: Iterable[Pairing], rounds: int,
    ) -> None:  # fmt: skip
        self.players, self.rounds = players, rounds
        low, high = _rank_of(facts.get("genMMFloor", "20K")), _rank_of(facts.get("genMMBar", "4D"))
        self.start = {
            name: 2 * (max(low, min(high, _rank_of(seat.rank))) + seat.correction) for name, seat in players.items()
        }
        self.met: dict[str, list[tuple[str, int, int]]] = defaultdict(list)
        """Opponent, stones that the player gave, and half points, a meeting each."""
        for game in games:
            assert isinstance(game.result, Result)  # noqa: S101  # for the type checker: the constructor reads it
            symbols = SYMBOLS[game.result.outcome]
            self.met[game.black].append((game.white, -game.handicap, WORTH[symbols[0]]))
            self.met[game.white].append((game.black, game.handicap, WORTH[symbols[1]]))
        for each in pairings:
            self.met[each.black].append((each.white, -each.handicap, 0))
            self.met[each.white].append((each.black, each.handicap, 0))
        half = facts.get("genRoundDownNBWMMS", "true").strip().lower() == "true"
        self.score: dict[bool, dict[str, int]] = {}
        for mcmahon, own, bye in ((True, "genMMS2ValueAbsent", 1), (False, "genNBW2ValueAbsent", 0)):
            absence = _number(facts, own, bye)
            free = _number(facts, own.replace("Absent", "Bye"), 2)
            self.score[mcmahon] = {}
            for name, seat in players.items():
                given = absence * len(seat.absent) + free * sum(bye is Bye.ALLOCATED for bye in seat.byes.values())
                given = given // 2 * 2 if half else given
                won = sum(points for _, _, points in self.met[name])
                self.score[mcmahon][name] = (self.start[name] if mcmahon else 0) + won + given
        self.opponents = {
            mcmahon: {name: self._of_opponents(name, mcmahon) for name in players} for mcmahon in (True, False)
        }

    def _of_opponents(self, name: str, mcmahon: bool) -> list[int]:  # noqa: FBT001  # which of the two scores
        """Return the score of the opponent of each round, with stones; the own at first where there was none."""
        score = self.score[mcmahon]
        played = [score[other] + (2 * stones if mcmahon else 0) for other, stones, _ in self.met[name]]
        return played + [self.start[name] if mcmahon else 0] * (self.rounds - len(played))

    def of(self, criterion: str, name: str) -> float:
        """Return a player's figure of a criterion."""
        mcmahon = "M" in criterion.removesuffix("M1").removesuffix("M2")
        opponents = self.opponents[mcmahon][name]
        match criterion:
            case "CAT":
                return 1.0
            case "RATING":
                return self.players[name].rating
            case "RANK":
                return float(_rank_of(self.players[name].rank))
            case "MMS" | "NBW":
                return self.score[mcmahon][name] / 2
            case "SODOSM" | "SODOSW":
                return sum(own * points for own, (*_, points) in zip(opponents, self.met[name], strict=False)) / 4
            case "SOSOSM" | "SOSOSW":
                rest = self.start[name] * self.rounds if mcmahon else 0
                theirs = sum(sum(self.opponents[mcmahon][other]) for other, _, _ in self.met[name])
                return (theirs + rest * (self.rounds - len(self.met[name]))) / 2
            case _:
                dropped = int(criterion[-1]) if criterion[-1].isdecimal() else 0
                return sum(sorted(opponents)[dropped:]) / 2


def _rank_of(text: str) -> int:
    """Return a rank as McMahon scores count it: 30 kyu is 0, 1 dan is 30."""
    try:
        return int(Rank.parse(text).stones - Rank.kyu(LEAST_RANK).stones)
    except InputError:
        return 0
