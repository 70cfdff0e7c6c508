"""What OpenGotha works out of a tournament's settings: the class of the European federation, and who stands where.

Source: OpenGotha 3.51, `Tournament.java` (egfClass, egfAdjustedTime, the scores of players, direct confrontation) and
`ExternalDocument.java` (the values of settings that a file leaves out).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from handan.errors import InputError
from handan.ledger import Bye, Game, Outcome, Pairing
from handan.ledger.placing import SYMBOLS, is_default
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
TIMES = {
    "basicTime": (5, 180, 60), "stdByoYomiTime": (5, 120, 30), "canByoYomiTime": (300, 900, 300),
    "nbMovesCanTime": (5, 25, 15), "fischerTime": (1, 60, 10),
}  # fmt: skip
"""Least, most and usual minutes of main time, seconds of overtime, and moves, as `GeneralParameterSet` keeps them."""
LEAST_RANK = 30  # kyu, from which McMahon scores count
MOST_RANK = 38  # 9 dan
TITLES = {
    "MMS": "MMS", "NBW": "NBW", "CPS": "CPS", "STS": "STS", "SOSM": "SOS", "SOSW": "SOS", "SOSM-1": "SOS-1",
    "SOSW-1": "SOS-1", "SOSM-2": "SOS-2", "SOSW-2": "SOS-2", "SOSTS": "SOSTS", "SOSOSM": "SOSOS", "SOSOSW": "SOSOS",
    "SODOSM": "SODOS", "SODOSW": "SODOS", "CUSSM": "CUSS", "CUSSW": "CUSS", "EXT": "EXT", "EXR": "EXR", "DC": "DC",
    "SDC": "SDC", "CAT": "CAT", "RATING": "Rating", "RANK": "Rank",
}  # fmt: skip
"""Criteria, and how the head of a table names them."""
RATINGS = (-900, 2949)
"""Between which the program keeps ratings."""
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
        main, byo_yomi, canadian, moves, increment = (_kept(facts, name) for name in TIMES)
        main *= 60
        system = facts.get("complementaryTimeSystem", "CANBYOYOMI").strip().upper()
        more = {"STDBYOYOMI": 45 * byo_yomi, "CANBYOYOMI": 60 * canadian // moves, FISCHER: 120 * increment}
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


def _kept(facts: Mapping[str, str], name: str) -> int:
    """Return a number of a clock as the program keeps it."""
    least, most, usual = TIMES[name]
    return max(least, min(most, _number(facts, name, usual)))


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
    placed: bool
    """Whether the player is in the lists of the program."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The order of the players of a tournament, with the figures that decide it."""

    criteria: tuple[str, ...]
    """As tables name them; the first decides first."""
    figures: Mapping[str, tuple[str, ...]]
    """Of each player, one for each criterion."""
    places: Mapping[str, int]
    """Players who agree in all criteria share one."""


class Meeting(NamedTuple):
    """A game or pairing as one of its players sees it."""

    opponent: str
    stones: int
    """That the player gave; less than 0 for those taken."""
    points: int
    """Half points."""
    played: bool
    """Whether it has a result, and not by default."""


def standing(
    facts: Mapping[str, str], criteria: Sequence[str], limits: Sequence[str], players: Mapping[str, Seat],
    games: Iterable[Game], pairings: Iterable[Pairing], rounds: int,
) -> Standing | None:  # fmt: skip
    """Return the standing after all rounds; None where a criterion is one that is not worked out here.

    Args:
        facts: General settings.
        criteria: Names as the file has them, without NULL.
        limits: The lowest rank of each category but the last.
        players: By name.
        games: Those with a result.
        pairings: Those without one.
        rounds: Their number.
    """
    names = [name.upper() for name in criteria]
    if not names or not set(names) <= TITLES.keys():
        return None
    scores = _Scores(facts, limits, players, games, pairings, rounds)
    values = {player: [scores.of(name, player) for name in names] for player in players}
    direct = [name for name in ("SDC", "DC") if name in names]
    equal: dict[tuple[float, ...], list[str]] = defaultdict(list)
    for player, own in values.items():
        equal[tuple(own[: min(map(names.index, direct), default=0)])].append(player)
    for name, group in product(direct, equal.values()):
        at = names.index(name)
        later = {player: tuple(values[player][at + 1 :]) for player in group}
        met = scores.direct_confrontation(group, later if name == "DC" else None)
        for player in group:
            values[player][at] = met[player]
    order = sorted((tuple(values[player]) for player, seat in players.items() if seat.placed), reverse=True)
    first: dict[tuple[float, ...], int] = {}
    for place, each in enumerate(order, 1):
        first.setdefault(each, place)
    places = {player: first[tuple(values[player])] for player, seat in players.items() if seat.placed}
    figures = {
        player: tuple(f"{1 - value if name == 'CAT' else value:.9g}" for name, value in zip(names, own, strict=True))
        for player, own in values.items()
    }
    return Standing(tuple(TITLES[name] for name in names), figures, places)


class _Scores:
    """Scores of all players, in half points."""

    def __init__(
        self, facts: Mapping[str, str], limits: Sequence[str], players: Mapping[str, Seat], games: Iterable[Game],
        pairings: Iterable[Pairing], rounds: int,
    ) -> None:  # fmt: skip
        self.facts, self.players, self.rounds = facts, players, rounds
        self.limits = [_rank_of(limit) for limit in limits]
        self.ranks = {name: _rank_of(seat.rank) for name, seat in players.items()}
        low, self.bar = _rank_of(facts.get("genMMFloor", "20K")), _rank_of(facts.get("genMMBar", "4D"))
        self.start = {
            name: 2 * (min(self.bar, max(low, self.ranks[name])) + seat.correction) for name, seat in players.items()
        }
        self.met: dict[str, dict[int, Meeting]] = defaultdict(dict)
        """By round."""
        for game in games:
            assert isinstance(game.result, Result)  # noqa: S101  # for the type checker: the constructor reads it
            black, white = (WORTH[symbol] for symbol in SYMBOLS[game.result.outcome])
            played = game.result.outcome is not Outcome.UNPLAYED and not is_default(game)
            self.met[game.black][game.round or 1] = Meeting(game.white, -game.handicap, black, played)
            self.met[game.white][game.round or 1] = Meeting(game.black, game.handicap, white, played)
        for each in pairings:
            self.met[each.black][each.round] = Meeting(each.white, -each.handicap, 0, played=False)
            self.met[each.white][each.round] = Meeting(each.black, each.handicap, 0, played=False)
        self.is_half = _flag(facts, "genCountNotPlayedGamesAsHalfPoint", "false")
        score = self._if_half if self.is_half else self._score
        self.counted = {kind: {name: score(name, kind) for name in players} for kind in ("MMS", "NBW")}
        """What a player's score counts for opponents, with McMahon points and without."""

    def _score(self, name: str, kind: str, last: int | None = None) -> int:
        """Return the score after so many rounds, or all; points of byes and absences are rounded down together."""
        last = self.rounds if last is None else last
        absent, allocated = (_number(self.facts, f"gen{kind}2Value{word}", 0) for word in ("Absent", "Bye"))
        byes = [bye for number, bye in self.players[name].byes.items() if number <= last]
        given = sum(allocated if bye is Bye.ALLOCATED else absent for bye in byes)
        if _flag(self.facts, "genRoundDownNBWMMS", "true"):
            given -= given % 2
        won = sum(meeting.points for number, meeting in self.met[name].items() if number <= last)
        return (self.start[name] if kind == "MMS" else 0) + won + given

    def _if_half(self, name: str, kind: str) -> int:
        """Return the score in which each round without a game that was played counts half a point."""
        played = [meeting.points for meeting in self.met[name].values() if meeting.played]
        return (self.start[name] if kind == "MMS" else 0) + sum(played) + self.rounds - len(played)

    def _strasbourg(self, name: str) -> int:
        """Return the McMahon score, with two points more for who won all games of the top group up to each of the last
        two rounds.
        """
        late = range(max(1, self.rounds - 2), self.rounds)
        return self._score(name, "MMS") + 4 * sum(
            self._score(name, "MMS", last) == 2 * (self.bar + last) for last in late
        )

    def _opponents(self, name: str, score: Mapping[str, int], kind: str) -> list[int]:
        """Return the score of the opponent of each round, with stones; the own at first where there was none."""
        alone = self.start[name] if kind == "MMS" else 0
        met = {
            number: score[each.opponent] + (2 * each.stones if kind == "MMS" else 0)
            for number, each in self.met[name].items()
        }
        return [met.get(number, alone) for number in range(1, self.rounds + 1)]

    def _exploit(self, name: str, each: Meeting) -> int:
        """Return the opponent's wins, once for a game with the handicap of the ranks, up to three times for less."""
        above = each.stones - self.ranks[name] + self.ranks[each.opponent]
        return self._score(each.opponent, "NBW") * max(0, min(3, above + 1))

    def of(self, criterion: str, name: str) -> float:
        """Return a player's figure of a criterion; 0 for direct confrontation."""
        kind = "MMS" if "M" in criterion else "NBW"
        match criterion:
            case "DC" | "SDC":
                return 0.0
            case "CAT":
                below = (at for at, limit in enumerate(self.limits) if self.ranks[name] >= limit)
                return -float(next(below, len(self.limits)))
            case "RATING":
                return max(RATINGS[0], min(RATINGS[1], self.players[name].rating))
            case "RANK":
                return float(self.ranks[name] - LEAST_RANK)
            case "MMS" | "NBW":
                return self._score(name, kind) / 2
            case "CPS":
                doubled = (each.points * ((1 << (self.rounds - number)) - 1) for number, each in self.met[name].items())
                return (sum(doubled) + self._score(name, kind)) / 2
            case "STS":
                return self._strasbourg(name) / 2
            case "CUSSM" | "CUSSW":
                return sum(self._score(name, kind, last) for last in range(1, self.rounds + 1)) / 2
            case _:
                return self._of_opponents(criterion, name, kind)

    def _of_opponents(self, criterion: str, name: str, kind: str) -> float:
        met = self.met[name]
        opponents = self._opponents(name, self.counted[kind], kind)
        match criterion:
            case "SOSTS":
                own = {each.opponent: self._strasbourg(each.opponent) for each in met.values()}
                theirs = dict.fromkeys(own, 0) if self.is_half else own  # which the program never fills
                return sum(self._opponents(name, theirs, "MMS")) / 2
            case "EXT" | "EXR":
                tried = [each for each in met.values() if criterion == "EXT" or each.points == WORTH["+"]]
                return sum(self._exploit(name, each) for each in tried) / 2
            case "SODOSM" | "SODOSW":
                return sum(opponents[number - 1] * each.points for number, each in met.items()) / 4
            case "SOSOSM" | "SOSOSW":
                theirs = {each: sum(self._opponents(each, self.counted[kind], kind)) for each, *_ in met.values()}
                none = (self.rounds - len(met)) * self.rounds * (self.start[name] if kind == "MMS" else 0)
                return (sum(theirs[each.opponent] for each in met.values()) + none) / 2
            case _:
                dropped = int(criterion[-1]) if criterion[-1].isdecimal() else 0
                if dropped and kind == "MMS" and self.rounds == 2:  # where the program keeps none
                    return 0.0
                return sum(sorted(opponents)[dropped:]) / 2

    def direct_confrontation(
        self, group: Sequence[str], later: Mapping[str, tuple[float, ...]] | None
    ) -> Mapping[str, float]:
        """Return the figures of direct confrontation among players whom the criteria before it leave equal.

        Args:
            group: Names.
            later: Figures of the criteria behind it, which part those whom no game parts; None for the simplified one,
                the number of players beaten where each pair of the group has a winner.
        """
        net: Counter[tuple[str, str]] = Counter()
        for name in group:
            for each in self.met[name].values():
                if each.played and each.points == WORTH["+"]:
                    net[name, each.opponent] += 1
                    net[each.opponent, name] -= 1
        if later is None:
            decided = all(net[name, other] for name in group for other in group if name != other)
            return {name: decided * sum(net[name, other] > 0 for other in group) for name in group}
        below = {name: {other for other in group if net[name, other] == 1} for name in group}
        for through in group:
            for name in group:
                below[name] |= below[through] if through in below[name] else set()
        circles = {name: {other for other in below[name] if name in below[other]} for name in group}
        left, ranks = set(group), {}
        while left:
            free = [name for name in left if not (below[name] - circles[name]) & left]
            least = min(later[name] for name in free)
            last = [name for name in free if later[name] == least]
            left.difference_update(last)
            ranks.update(dict.fromkeys(last, len(left)))
        return {name: max(ranks.values()) - rank for name, rank in ranks.items()}


def _flag(facts: Mapping[str, str], name: str, otherwise: str) -> bool:
    return facts.get(name, otherwise).strip().lower() == "true"


def _rank_of(text: str) -> int:
    """Return a rank as McMahon scores count it: 30 kyu is 0, 1 dan is 30, 9 dan the highest."""
    try:
        return max(0, min(MOST_RANK, int(Rank.parse(text).stones - Rank.kyu(LEAST_RANK).stones)))
    except InputError:
        return 0
