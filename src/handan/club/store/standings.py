"""Standings that are no rows: of past days, under other rules, or after entries that are not written."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from datetime import date, datetime, time
from functools import cached_property

from handan.club.entries import Record
from handan.club.kinds import Kind
from handan.club.movement import Figures
from handan.club.recorded import SIDES
from handan.club.rules import Rules
from handan.club.standings import Line, Standings, standings
from handan.club.state import COUNTS, State, game_number
from handan.club.store.clock import milliseconds, today
from handan.club.store.computing import computed_cache, throttle
from handan.club.store.fact_models import Game
from handan.club.store.list_models import RatingList
from handan.club.store.list_replay import BEGINNING, Changes, EntryFacts, Made, Replay, changes_by
from handan.club.store.models import Club
from handan.errors import Clause, InputError, shown
from handan.handicaps import Terms
from handan.ranks import Rank
from handan.ratings import Ratings
from handan.ratings.lines import explained
from handan.ratings.opponents import known_deviation
from handan.ratings.standing import Standing
from handan.wording.figures import digits


def standings_of(
    state: State, day: date | None = None, rules: Rules | None = None, *, braked: bool = True
) -> Standings:  # fmt: skip
    """Return the standings of a state, made from all games, from the cache if they are there.

    Args:
        state: The club's state.
        day: The last day whose games count; None: all.
        rules: Another system in place of the club's own.
        braked: Whether it counts as work for who asks.
    """

    def make() -> Standings:
        with throttle.computing() if braked else nullcontext():
            return standings(state, today(), day, rules)

    other = None if rules is None else repr(sorted(rules.as_dict().items(), key=str))
    key = (state.slug, day, other, state.view, today(), state.number, state.digest, state.sources)
    return computed_cache.get(key, make)


WHOLE_DAY = 10  # characters of a date with its day


class ReplayedList:
    """Where players stand after a replay, and what its games did."""

    def __init__(self, replay: Replay) -> None:
        """Rate the games."""
        self.state, self._replay = replay.state, replay
        self._blocks: Sequence[Made] = list(replay.run())

    @classmethod
    def after(
        cls, club: Club, row: RatingList, state: State, records: Iterable[Record], since: Iterable[Record] = ()
    ) -> ReplayedList:  # fmt: skip
        """Return the list after entries that nobody has written.

        Args:
            club: Whose list.
            row: The list before.
            state: The club after the entries.
            records: The entries.
            since: Those that were written since the list.
        """
        entries = [EntryFacts(item.number, item.kind, item.subject, dict(item.facts)) for item in records]
        written = [EntryFacts(item.number, item.kind, item.subject, dict(item.facts)) for item in since]
        newcomers = [item.subject for item in entries if item.kind is Kind.PLAYER_REGISTERED]
        games = {item.subject for item in entries if item.kind in {Kind.GAME_RECORDED, Kind.GAME_CORRECTED}}
        rows = [state.game(game) for game in games]
        players = {state.person(row[side]).key for row in rows for side in SIDES}
        state.labels.prefetch(players)
        called = {key: state.labels[key] for key in players}
        changes = changes_by(club, [*written, *entries], state, row.number, phases=len(row.phases))
        return cls(Replay(club, row, state, changes, newcomers, called))

    @classmethod
    def on(cls, club: Club, row: RatingList, state: State, day: date) -> ReplayedList:
        """Return the list at the end of a day.

        Args:
            club: Whose list.
            row: The list of now.
            state: The club now.
            day: The last day whose games count.
        """
        # a game of which no day is known stands before those of its month or year, and counts after them
        months = [milliseconds(datetime(day.year, month, 1)) for month in range(1, day.month + 1)]  # noqa: DTZ001  # local
        games = Game.objects.filter(club=club, status=COUNTS)
        vague = games.filter(date=None), games.filter(date__in=months, precision__lt=WHOLE_DAY)  # an index serves each
        exists = any(some.exists() for some in vague)
        since = BEGINNING if exists else datetime.combine(day, time.max)
        return cls(Replay(club, row, state, Changes(since=since), day=day))

    @property
    def rules(self) -> Rules:
        """The rules in force."""
        return self._replay.phases[-1]

    @cached_property
    def figures(self) -> Figures:
        """Ratings and ranks of the players."""
        return self._replay.figures

    @property
    def decimals(self) -> int:
        """How many decimals the ratings are shown with."""
        return digits(self.figures.rating.tolist())

    def game(self, key: str) -> list[Line]:
        """Return what a game did to Black and to White; InputError for a game that does not count.

        Of a game that is not rated the note alone holds: what the players had then may stand in blocks before.
        """
        for made in self._blocks:
            block = made.rated
            place = block.facts["line"].index_of(game_number(key))
            if place is None:
                continue
            at, rules, lines = place + block.first, self._replay.phases[made.phase], []
            players = [self._replay.seats.keys[block.facts[side][place]] for side in SIDES]
            for player, other in zip(players, reversed(players), strict=True):
                [item] = explained(block.ratings, self._replay.seats.number[player], at + 1, reasons=True)
                lines.append(Line(key, other, rules, replace(item, opponent=self.state.labels[other], ranked=True)))
            return lines
        raise InputError(Clause.of("game {key} does not count here", key=shown(key)))

    @cached_property
    def _for_next_game(self) -> Ratings:
        """The ratings that a game of the last day is rated from."""
        last = self._replay.last
        assert last is not None and self._replay.day is not None  # noqa: S101, PT018  # asked of a day
        return last.ratings.on(self._replay.day)

    def fair_terms(self, one: str, other: str, ranks: Mapping[str, Rank] | None = None) -> Terms:
        """Return the fair terms of a game of two players on the day, given by key, as `Standings.fair_terms` does."""
        ratings, stands = self._for_next_game, []
        for key in (one, other):
            player = self.state.person(key).key
            seat, label = self._replay.seats.number[player], self.state.labels[player]
            if self._replay.listed[seat]:
                rating, rank = float(ratings.rating[seat]), ratings.arrays.rank_of(seat)
                own = math.nan if ratings.deviation is None else float(ratings.deviation[seat])
                deviation = known_deviation(ratings, rating, own)
                stands.append(Standing(label, rating, deviation, rank))
            else:
                stands.append(ratings.system.newcomer(label, (ranks or {}).get(key), ratings=ratings))
        return ratings.system.fair_terms(stands[0], stands[1], ratings)

    def newcomers(self, *keys: str) -> list[str]:
        """Return the names of those who have neither games nor a rank yet."""
        players, listed = [self.state.person(key).key for key in keys], self._replay.listed
        return [self.state.labels[key] for key in players if not listed[self._replay.seats.number[key]]]
