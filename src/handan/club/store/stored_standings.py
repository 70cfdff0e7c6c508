"""The standings of a club as its rating list has them: each question is a query, or the rating of a few blocks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from typing import Any

import numpy as np
from django.db import OperationalError, connection

from handan.club.blocks import clause_of, empty_ratings
from handan.club.entries import Record
from handan.club.kinds import Kind
from handan.club.movement import Figures, Movement, moved_since
from handan.club.rules import Rules
from handan.club.standings import LastAdded, Line, Phase, Standings, lines_of_days, standings
from handan.club.state import State
from handan.club.store.clock import moment_of, today
from handan.club.store.computing import throttle
from handan.club.store.database import BehindError, in_snapshot
from handan.club.store.list_games import Cards
from handan.club.store.list_jobs import awaited, start
from handan.club.store.list_ladder import from_snapshot
from handan.club.store.list_models import RatingList
from handan.club.store.models import Club, Entry, records_of
from handan.club.store.rating_lists import figures_of_list, made_at_once, rated_in_turn, takes_long
from handan.club.store.standings import ReplayedList, standings_of
from handan.club.store.states import phases_of
from handan.errors import Clause, InputError
from handan.handicaps import Terms
from handan.ledger.dates import When, written_day
from handan.ranks import Rank
from handan.ratings import Ratings
from handan.ratings.opponents import known_deviation
from handan.ratings.standing import Standing as Opponent
from handan.systems import System
from handan.systems.core.sequential import Sequential

MONTH = timedelta(days=31)
"""The longest time whose games are settled together (`System.rating_on`)."""
TAKE_AWAY = (Kind.PLAYER_MERGED, Kind.PLAYER_WITHDRAWN, Kind.PERSON_FORGOTTEN)
"""Kinds of entry after which somebody is in a list no more."""


class StoredStandings(Cards):
    """Where every player of a club stands now, and how they came there; the questions of `Standings`."""

    day = None
    """No day of the past."""

    def __init__(self, row: RatingList, state: State) -> None:
        """Take the list, and the club as who asks may see it."""
        super().__init__(row, state)
        self.today = today()

    @property
    def is_behind(self) -> bool:
        """Whether they follow an earlier entry than the state does."""
        return not self.list.stands_after(self.state)

    @property
    def rules(self) -> Rules:
        """The rules in force."""
        return self.phase_rules[-1]

    @property
    def system(self) -> System:
        """The system in force."""
        return self.rules.made

    @property
    def decimals(self) -> int:
        """How many decimals the ratings are shown with."""
        return self.summary.decimals

    @property
    def cautions(self) -> list[str]:
        """Warnings, and how the answer was found."""
        return [clause_of(text) for text in self.list.summary["warnings"]]

    @cached_property
    def last_added(self) -> LastAdded | None:
        """The game that was added last, None where there is none."""
        games = self.games.exclude(added=None).order_by("-added", "-line")
        row = games.values_list("line", "date", "precision", "added").first()
        if row is None:
            return None
        line, day, precision, added = row
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=added or 0)
        return LastAdded(f"g{line}", written_day(moment_of(day), precision), moment)

    @cached_property
    def figures(self) -> Figures:
        """Ratings and ranks of the players."""
        return figures_of_list(self.list, self.state, self.system)

    @property
    def phases(self) -> tuple[Phase, ...]:
        """Games that were rated under the same rules, made from all games."""
        return self.from_all_games.phases

    @from_snapshot
    def lines_between(self, first: date, last: date) -> dict[str, list[Line]]:
        """Return the lines from one day to another, without reasons, of each player with a game then, by key.

        Opponents are called by their keys, and nothing is said of what was noted with a game.
        """
        return lines_of_days(self.blocks.phases_between(first, last), str, first, last)

    @cached_property
    def _learned(self) -> Ratings:
        """What was learned beside the ratings, as forecasts and fair terms read it."""
        if not isinstance(self.system, Sequential):
            return self.from_all_games.ratings
        weights, made = self.list.summary["slope_weights"], empty_ratings(self.system)
        return Ratings(replace(made.arrays, slope_weights=None if weights is None else np.array(weights)))

    @cached_property
    def standing_still(self) -> dict[str, float]:
        """Ratings of the day by key, where what was won since its start is not settled yet."""
        return self._standing_still()

    @from_snapshot
    def _standing_still(self) -> dict[str, float]:
        if self.rules.system_class.rating_on is System.rating_on or not len(self.blocks):
            return {}
        last = moment_of(self.blocks.blocks[-1].ends)
        if last is None or last.date() + MONTH < self.today:
            return {}
        _, ratings = self.blocks.rated_again(len(self.blocks) - 1)
        later = self.system.rating_on(ratings, When.of(self.today))  # type: ignore[arg-type]  # there is a day
        differ = np.flatnonzero(ratings.rating != later)
        return {ratings.ledger.players[place].name: float(later[place]) for place in differ.tolist()}

    def row_of_next_game(self, key: str) -> Mapping[str, Any]:
        """Return a player's row with the rating that the next game is rated from, and its rank."""
        row, rating = self.by_key.get(key) or {}, self.standing_still.get(key)
        if rating is None:
            return row
        rank = row["rank"] if self.summary.own_ranks else str(self.system.rank(rating) or "")
        return {**row, "rating": rating, "rank": rank}

    def fair_terms(self, one: str, other: str, ranks: Mapping[str, Rank] | None = None) -> Terms:
        """Return the fair terms of the next game of two players, given by key; newcomers stand where they enter.

        `ranks` are those with which newcomers are provisionally taken, by key.
        """
        first, second = (self._opponent(key, ranks, next_game=True) for key in self._two(one, other))
        return self.system.fair_terms(first, second, self._learned)

    def win_probability(self, black: str, white: str, handicap: int = 0, komi: float | None = None) -> float | None:
        """Return the probability that Black, given by key, wins; None where the system has no such law."""
        one, other = (self._opponent(key, next_game=False) for key in self._two(black, white))
        return self.system.win_probability(one, other, handicap, komi, self._learned)

    def newcomers(self, *keys: str) -> list[str]:
        """Return the names of those who have neither games nor a rank yet."""
        people = [self.state.person(key).key for key in keys]
        self.prefetch(people)
        return [self.state.labels[key] for key in people if key not in self.by_key]

    def _two(self, one: str, other: str) -> list[str]:
        keys = [self.state.person(key).key for key in (one, other)]
        if keys[0] == keys[1]:
            pattern = "{name} was given twice; a game has two players"
            raise InputError(Clause.of(pattern, name=self.state.labels[keys[0]]))
        return keys

    def _opponent(self, key: str, ranks: Mapping[str, Rank] | None = None, *, next_game: bool) -> Opponent:
        """Return where a player stands, or enters."""
        label = self.state.labels[key]
        row = self.by_key.get(key)
        if row is None:
            return self.system.newcomer(label, (ranks or {}).get(key), ratings=self._learned)
        rating = self.of_keys([key]).get().rating if row["rating"] is None else row["rating"]  # it is infinite
        rating = math.nan if rating is None else rating
        if next_game:
            rating = self.standing_still.get(key, rating)
        deviation = known_deviation(self._learned, rating, math.nan if row["deviation"] is None else row["deviation"])
        own = self.summary.own_ranks and row["rank"]
        return Opponent(label, rating, deviation, Rank.parse(row["rank"]) if own else self.system.rank(rating))

    @from_snapshot
    def movements(self, since: date) -> dict[str, Movement]:
        """Return how far each player came who played rated games after a day, by key.

        Only games under the rules now in force are looked at, whose unit the ratings have.
        """
        phases = self.blocks.phases_between(since + timedelta(days=1), date.max)
        if not phases or phases[-1].rules is not self.rules:
            return {}
        return moved_since(phases[-1].ratings, str, since)  # players are called by their keys


def live_standings(club: Club, state: State, *, waits: bool = True) -> StoredStandings:
    """Return the standings of the newest entry, of which those in the database are brought up to date.

    Args:
        club: Whose standings.
        state: The club as who asks may see it.
        waits: As in `newest_list`.
    """
    return StoredStandings(newest_list(club, state, waits=waits), state)


def standings_at_hand(club: Club, state: State) -> StoredStandings | None:
    """Return the live standings where the database has them already; nothing is rated for them."""
    row = RatingList.objects.current(club)
    return None if row is None or not row.follows(state, phases_of(state)) else StoredStandings(row, state)


def shown_standings(club: Club, state: State, *, waits: bool = True) -> StoredStandings | Standings:
    """Return the live standings to look at, made in memory where a full disk or a lock keeps their rows behind."""
    try:
        return live_standings(club, state, waits=waits)
    except OperationalError:
        if connection.in_atomic_block:
            raise
        return standings_of(state)


def newest_list(club: Club, state: State, *, waits: bool = True) -> RatingList:
    """Return the list of now of a club, brought up to date if entries, or the day of new rules, came since.

    Args:
        club: Whose list.
        state: The club as its last entry leaves it, or as somebody sees it.
        waits: Whether the list of the last entry is waited for; else, where making it takes long and all are still
            there who stood in the one before, that one is returned, and the next one is begun.

    BehindError within a snapshot if the list is to follow first.
    """
    row = RatingList.objects.current(club)
    if row is not None and row.follows(state, phases_of(state)):
        return row
    if in_snapshot():
        raise BehindError
    if connection.in_atomic_block or not takes_long(club, row, state):
        return made_at_once(club)
    start(club)
    if not waits and row is not None and _may_be_shown(club, row, state):
        return row
    return awaited(club, state)


def _may_be_shown(club: Club, row: RatingList, state: State) -> bool:
    """Whether a list after an earlier entry has the rules of today, and all in it are there under their own keys."""
    if state.sources or not row.has_rules(phases_of(state)):
        return False
    return not Entry.objects.filter(club=club, number__gt=row.number, kind__in=TAKE_AWAY).exists()


def previewed(
    club: Club, before: State, after: State, records: Sequence[Record]
) -> tuple[Standings | StoredStandings | ReplayedList, Standings | ReplayedList]:
    """Return the list before entries that nobody has written, and after them.

    While a list is made that takes long, both are replayed from that of an earlier entry, so that between them lies
    what these entries do, and nothing of those that wait.

    Args:
        club: Whose list.
        before: The club before the entries, as who asks may see it.
        after: The club after them.
        records: The entries.
    """
    with throttle.computing():
        row = newest_list(club, before, waits=False)
        if row.stands_after(before):
            return StoredStandings(row, before), ReplayedList.after(club, row, after, records)
        if row.number < before.number and not before.sources:
            rows = Entry.objects.filter(club=club, number__gt=row.number, number__lte=before.number).order_by("number")
            waiting = [*records_of(rows)]
            earlier = ReplayedList.after(club, row, before, (), waiting)
            return earlier, ReplayedList.after(club, row, after, records, waiting)
        return standings(before, today()), standings(after, today())


def list_on(club: Club, state: State, day: date) -> Standings | ReplayedList:
    """Return the list of a club at the end of a past day, from which a game of that day is played."""
    row = newest_list(club, state) if rated_in_turn(state) else None
    if row is None or not row.stands_after(state):  # a state of the past
        return standings_of(state, day)
    with throttle.computing():
        return ReplayedList.on(club, row, state, day)
