"""What a tournament file cannot hold, counted game by game, so that nothing is lost without being named."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from handan.errors import counted
from handan.ledger import Bye, Event, Game
from handan.ledger.arrays import FULL_SIZE
from handan.ledger.placing import first_declared_ranks, is_default, result_of


def omissions_of(
    games: Sequence[Game], *, komi: Callable[[Game], float | None], size: int, date: str, ids: re.Pattern[str],
    kind: str = "tournament",
) -> list[str]:  # fmt: skip
    """Return what a file with one list of players and one day cannot hold of its games, one line each.

    Args:
        games: Those that are written.
        komi: That which a reader will take a game to have had.
        size: Of the boards, as the file tells it.
        date: The first day, as the file tells it.
        ids: Those that the file can hold.
        kind: Of all games, as the file tells it.
    """
    ranks = first_declared_ranks(games)
    counts = {
        "how games ended": sum(result_of(game).tail not in {"", "F"} for game in games),
        "komi that differs": sum(game.komi != komi(game) for game in games),
        "sizes of boards": sum(game.size != size for game in games),
        "servers": sum(bool(game.server) for game in games),
        "numbers of moves": sum(game.moves is not None for game in games),
        "notes": sum(bool(game.notes) and not (game.notes == "default" and is_default(game)) for game in games),
        "dates of single games": sum(str(game.date or "") != date for game in games),
        "rounds that were not recorded": sum(not game.round for game in games),
        "kinds": sum(game.kind != kind for game in games),
        "ranks that are unknown, marked or change": sum(
            (game.black_rank or None, game.white_rank or None) != (ranks[game.black], ranks[game.white])
            for game in games
        ),
        "numbers in other registers": sum(
            any(number and not ids.fullmatch(number) for number in (game.black_id, game.white_id)) for game in games
        ),
    }
    return [f"{what} ({counted(count, 'game')})" for what, count in counts.items() if count]


class Part(StrEnum):
    """What files tell of an event besides its games, as omissions name it."""

    BYES = "byes"
    HALF_BYES = "half byes"
    FREE_POINTS = "free points"
    ABSENCES = "absences"
    WITHOUT_GAMES = "players without a game"
    REGISTERED = "players who are only registered"
    PAIRINGS = "games that were paired and not played"
    PLACES = "places in the final order"
    FIGURES = "points and tie-breaks"
    CODE = "code"
    PLACE = "place"
    DIRECTOR = "director"
    TIME = "thinking time"
    KOMI = "komi of even games"
    SIZE = "size of the board"
    ROUNDS = "number of rounds"
    COMMENTS = "comments"
    LAST_DAY = "last day"
    HANDICAPS = "rule of handicaps"
    MOST_STONES = "largest handicap"
    SETTINGS = "settings of the program"
    TEAMS = "teams"
    TABLES = "numbers of tables"


OF_BYES = {
    Bye.ALLOCATED: Part.BYES,
    Bye.HALF_POINT: Part.HALF_BYES,
    Bye.FULL_POINT: Part.FREE_POINTS,
    Bye.ZERO_POINT: Part.ABSENCES,
}


@dataclass(slots=True)
class FactsOfGames:
    """Komi, board size and rounds of an event, as its games tell them."""

    komi: set[float | None] = field(default_factory=set)
    """Of even games."""
    sizes: set[int] = field(default_factory=set)
    rounds: int = 0

    def add(self, game: Game) -> None:
        """Take a game."""
        self.komi |= set() if game.handicap else {game.komi}
        self.sizes.add(game.size)
        self.rounds = max(self.rounds, game.round or 0)

    def lacks(self, event: Event, kept: Collection[Part]) -> dict[Part, bool]:
        """Return whether an event has a komi, a size and rounds of which neither games nor the byes kept tell."""
        byes = (number for each in event.participants for number, bye in each.byes if OF_BYES[bye] in kept)
        return {
            Part.KOMI: event.komi is not None and self.komi != {event.komi},
            Part.SIZE: event.size is not None and (self.sizes or {FULL_SIZE}) != {event.size},
            Part.ROUNDS: event.rounds > max(byes, default=0) and event.rounds > self.rounds,
        }


def event_omissions(events: Iterable[Event], kept: Collection[Part] = (), games: Iterable[Game] = ()) -> list[str]:
    """Return what a file does not hold of events, one line each.

    Komi, size and number of rounds are held where the games that are written tell the same.

    Args:
        events: What files told of them.
        kept: What the file holds.
        games: Those that are written.
    """
    counts: Counter[Part] = Counter()
    heads: Counter[Part] = Counter()
    played: set[str] = set()
    facts_of: dict[str, FactsOfGames] = defaultdict(FactsOfGames)
    for game in games:
        played |= {game.black, game.white}
        facts_of[game.event].add(game)
    for event in events:
        for each in event.participants:
            counts.update(OF_BYES[bye] for _, bye in each.byes)
            counts[Part.REGISTERED] += each.preliminary
            with_byes = bool(each.byes) and Part.BYES in kept
            counts[Part.WITHOUT_GAMES] += not each.preliminary and not with_byes and each.player.name not in played
            counts[Part.PLACES] += each.place is not None
            counts[Part.FIGURES] += bool(each.figures)
            own = dict(each.settings)
            counts[Part.TEAMS] += "teamName" in own
            counts[Part.TABLES] += "tables" in own
        counts[Part.PAIRINGS] += len(event.pairings)
        head = {
            Part.CODE: event.code, Part.PLACE: event.country or event.city, Part.DIRECTOR: event.director,
            Part.TIME: event.minutes is not None, Part.COMMENTS: event.comments,
            **facts_of[event.name].lacks(event, kept),
            Part.LAST_DAY: event.last not in {None, event.first}, Part.HANDICAPS: event.has_handicap_rule,
            Part.MOST_STONES: event.has_handicap_rule and event.most_stones is not None,
            Part.SETTINGS: event.settings,
        }  # fmt: skip
        heads.update(name for name, value in head.items() if value and name not in kept)
    nouns = {**dict.fromkeys(OF_BYES.values(), "round"), Part.PAIRINGS: "game"}
    omissions = [
        f"{what} ({counted(count, nouns.get(what, 'player'))})"
        for what, count in counts.items()
        if count and what not in kept
    ]
    return omissions + ([f"of the tournament: {', '.join(heads)}"] if heads else [])
