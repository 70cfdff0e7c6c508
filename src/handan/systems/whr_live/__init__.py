"""A Whole-History Rating that takes new games: only the players whom they reach are solved again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from handan.errors import InputError, shown
from handan.kernels.types import Floats, Numbers
from handan.kernels.whr_live.journal import journal_of
from handan.kernels.whr_live.laying_out import build, lay_days
from handan.kernels.whr_live.state import (
    NO_DAYS,
    NO_ENTRIES,
    NO_PLAYERS,
    STRENGTH,
    History,
    add_games,
    with_room,
)
from handan.kernels.whr_live.update import solve
from handan.ledger import Game, Ledger, Player
from handan.ratings import Ratings
from handan.systems.core.entering import NOTHING, Entry, by_terms, rating_of
from handan.systems.core.refusals import UNRATED
from handan.systems.core.schedule import Schedule
from handan.systems.families.paired_comparison import UNIT
from handan.systems.whr import WHR, WHRExtra

FINEST = 1e-12  # our choice: tolerances below it are lost in rounding


class Addition(NamedTuple):
    """What became of games that were added."""

    rated: int
    """Games that now count."""
    unrated: dict[str, int]
    """Number of games that the system does not rate, by reason."""
    solved: int
    """Solutions of single players that it took."""


@dataclass(slots=True)
class LiveHistory:
    """A solved history to which games can be added.

    The answer is that of `WHR.rate` for all games together, up to `tolerance`, with two exceptions. What `rate` learned
    of handicaps stays, where a solution from scratch would learn it again from all games; a handicap with a komi that
    was not learned then is worth what the settings say. And entries stay: players whom `rate` knew enter as they did
    then, others by what their first games that were added say, at the mean entry of then where these say nothing; where
    nobody had a rank, ranks of later games play no part.
    """

    system: WHR
    tolerance: float
    """Move in natural units (1e-4 is 0.017 Elo) from which a player whom changes of opponents reach is solved again.
    Such moves that are left undone add up to a few times as much."""
    _learned: dict[tuple[int, float], float]
    """Worth to Black in Elo of each handicap and komi that was learned."""
    _numbers: dict[str, int]
    """Of players, by id and by name."""
    _ids: list[str]
    """Of each player, empty where it is not known."""
    _entries: list[Entry]
    """Of each player, empty where nothing says it."""
    _mean: float
    """Entry in Elo of players whose entry is empty."""
    _ranked: bool
    """Whether players enter by rank."""
    _history: History

    @classmethod
    def of(cls, ratings: Ratings, tolerance: float = 1e-4) -> LiveHistory:
        """Go on from a solved history; InputError for ratings of another system, or a tolerance below 1e-12."""
        system = ratings.system
        if not isinstance(system, WHR):
            raise InputError(f"{system.label} is not whr; only a whole history takes single games")
        if not tolerance >= FINEST:
            raise InputError(f"tolerance {tolerance:g} is not a number of at least {FINEST:g}")
        ids = [player.id for player in ratings.ledger.players]
        numbers = {player_id: index for index, player_id in enumerate(ids) if player_id}
        numbers |= {player.name: index for index, player in enumerate(ratings.ledger.players)}
        entered = system.anchors(system.schedule_of(ratings.ledger))
        learned, history = system.learned_terms(ratings), history_of(system, ratings)
        entries, mean, ranked = entered.entries, entered.mean, entered.ranked
        return cls(system, tolerance, learned, numbers, ids, entries, mean, ranked, history)

    def add(self, games: Iterable[Game]) -> Addition:
        """Add games of any dates, and solve what they reach.

        Players are matched by id, then by name. Games that the system does not rate are left out, and counted.
        """
        ledger = Ledger.of(games)
        schedule = self.system.schedule_of(ledger)
        code, taken = schedule.unrated, schedule.sequence
        players = np.stack((schedule.black, schedule.white), axis=1)
        number = np.array([self._number(player) for player in ledger.players], dtype=np.int64)
        bonus = self.system.worth_with(ledger, self._learned)[taken]
        self._make_room(len(taken))
        if self._ranked:
            entry = self._enter(schedule, number.tolist())
            bonus = bonus + entry[schedule.black] - entry[schedule.white]
        work = int(self._history.used[1])
        day = ledger.day[taken] // self.system.period_days
        add_games.for_work(work)(self._history, number[players], day, schedule.score, bonus / UNIT)
        solved = solve.for_work(work)(
            self._history, self.tolerance, np.zeros(len(self._history.players.first), np.bool_)
        )
        counts = np.bincount(code, minlength=len(UNRATED)).tolist()
        return Addition(len(taken), {UNRATED[i]: counts[i] for i in range(1, len(UNRATED)) if counts[i]}, solved)

    def rating(self, name: str) -> float:
        """Return a player's strength on the last day with games, in Elo; InputError for a stranger."""
        curve = self.curve(name)
        if not curve:
            raise InputError(f"{shown(name)} has no rated game")
        return curve[-1][1]

    def curve(self, name: str) -> list[tuple[int, float]]:
        """Return a player's days (since 1970-01-01, in units of `period_days`) with the strength in Elo."""
        if name not in self._numbers:
            return []
        days, points, number = self._history.days, [], self._numbers[name]
        entry = self._entry(number)
        place = int(self._history.players.first[number])
        while place >= 0:
            points.append((int(days.day[place]), UNIT * float(days.state[place, STRENGTH]) + entry))
            place = int(days.following[place])
        return points

    def _entry(self, number: int) -> float:
        """Return the entry of a player in Elo."""
        return rating_of(self._entries[number], self.system.rating_for, self._mean)

    def _enter(self, schedule: Schedule, number: list[int]) -> Floats:
        """Enter the players who are new here; return the entries of all players in Elo, shape (players,)."""
        stated = schedule.entries(lambda entry: rating_of(entry, self.system.rating_for, self._mean))
        new = [self._entries[own] == NOTHING and self._history.players.first[own] < 0 for own in number]
        for player, own in enumerate(number):
            if not new[player]:
                stated[player] = self._entries[own] if self._entries[own] != NOTHING else (None, self._mean)
        entries = by_terms(schedule, stated)
        for player in np.flatnonzero(schedule.pool >= 0).tolist():
            if new[player] and self._entries[number[player]] == NOTHING:
                self._entries[number[player]] = entries[player]
        return np.array([self._entry(own) for own in number], dtype=np.float64)

    def _number(self, player: Player) -> int:
        """Return the number of a player, a new one for a stranger; one name with two ids is two players."""
        name, number = player.name, self._numbers.get(player.id or player.name)
        if number is None and player.id:
            number = self._numbers.get(name)
            if number is not None and self._ids[number]:
                name, number = f"{name} ({player.id})", None
        if number is None:
            number = len(self._ids)
            self._ids.append("")
            self._entries.append(NOTHING)
        self._ids[number] = self._ids[number] or player.id
        self._numbers.setdefault(name, number)
        if player.id:
            self._numbers.setdefault(player.id, number)
        return number

    def _make_room(self, games: int) -> None:
        """Grow what so many more games, or all players, do not fit in."""
        history = self._history
        used = (history.used + 2 * games).tolist()
        rooms = with_room(history.days, used[0]), with_room(history.entries, used[1])
        players = with_room(history.players, len(self._ids))
        self._history = history._replace(days=rooms[0], entries=rooms[1], players=players)


def history_of(system: WHR, ratings: Ratings) -> History:
    """Return the solved history, its days in memory player by player; it writes no journal."""
    extra, ledger, taken = WHRExtra.of(ratings), ratings.ledger, ratings.sequence
    solved = extra.solved
    model, count = solved.model, len(solved.history)
    days, entries = with_room(NO_DAYS, count), with_room(NO_ENTRIES, 2 * len(taken))
    players = with_room(NO_PLAYERS, len(ledger.players))
    used = np.array([count, 0], dtype=np.int64)
    history = History(days, entries, players, used, system.growth, system.prior, journal_of(0))

    def seated() -> tuple[Numbers, Numbers]:
        """Return Black's and White's day of each game; where all days stand is forgotten then, for it takes memory."""
        place = np.empty(count, dtype=np.int32)
        lay_days.for_work(count)(model.days, solved.strength, model.entry, days, players.first, place)
        return place[model.days.black], place[model.days.white]

    bonus = solved.worth()
    for side, sign in zip(ledger.seats, (1.0, -1.0), strict=True):
        bonus = bonus + sign * model.entry[side[taken]]
    build.for_work(len(taken))(history, *seated(), ledger.score[taken], bonus)
    return history
