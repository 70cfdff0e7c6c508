"""The evening of a club: who is here, who plays and who waits, whom to pair, and what was played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

import polars as pl

from handan.club.movement import Movement
from handan.club.pairing import MONTHS, MOST, Pairing, Two, pairing
from handan.club.recorded import SIDES
from handan.club.service.looking import Look
from handan.club.state import WITHDRAWN
from handan.club.store.attendance import attendances
from handan.errors import InputError
from handan.handicaps import Terms
from handan.ledger import Result


class Table(NamedTuple):
    """Two who play each other, or could."""

    one: str
    other: str
    terms: Terms | None
    """Fair terms; None where there are none."""


class Score(NamedTuple):
    """One player's evening."""

    key: str
    games: int
    wins: int
    draws: int
    moved: Movement | None
    """How far the rated games of the evening moved them; None where none was."""


@dataclass
class Evening:
    """What is known of the evening; worked out when it is asked for, and once."""

    look: Look

    @cached_property
    def day(self) -> date:
        """The day of which its games are, also past midnight."""
        return self.look.evening_day

    @cached_property
    def games(self) -> list[dict[str, Any]]:
        """Rows of its games that were not withdrawn, in the order of entry."""
        rows = self.look.state.recorded.on([self.day])
        return rows.filter(pl.col("status") != WITHDRAWN).sort("line").to_dicts()

    @cached_property
    def last_played(self) -> dict[str, datetime]:
        """When each player's last game of the evening was entered."""
        moments: dict[str, datetime] = {}
        for row in self.games:
            for key in self._two(row):
                moments[key] = max(row["added"], moments.get(key, row["added"]))
        return moments

    @cached_property
    def here(self) -> dict[str, datetime]:
        """Since when each player waits or plays who is here, by key, in the order in which they came.

        Who plays a game of the evening is here, too, until somebody says that they went home.
        """
        state, arrived, gone = self.look.state, dict[str, datetime](), set[str]()
        state.labels.prefetch([*(row.player for row in self._rows), *self.last_played])
        for row in self._rows:
            key = state.final(row.player)
            last = self.last_played.get(key, row.arrived)
            if row.left is not None and last <= row.left:
                gone.add(key)
            elif key in state.active:
                arrived[key] = max(row.arrived, last)
        rest = {key: moment for key, moment in self.last_played.items() if key not in gone and key not in arrived}
        return {**arrived, **rest}

    @cached_property
    def playing(self) -> list[Table]:
        """Who sits at a board, in the order in which they sat down."""
        state, tables = self.look.state, dict[Two, Table]()
        begun = [row for row in self._rows if row.began is not None and row.opponent]
        for row in sorted(begun, key=lambda item: item.began):
            one, other = state.final(row.player), state.final(row.opponent)
            two = frozenset({one, other})
            played = any(two == {*self._two(game)} and game["added"] >= row.began for game in self.games)
            if len(two) > 1 and two <= self.here.keys() and not played:
                tables.setdefault(two, Table(one, other, self.terms_of(one, other)))
        return list(tables.values())

    @cached_property
    def waiting(self) -> list[str]:
        """Keys of who is free, who waited longest first."""
        busy = {key for table in self.playing for key in (table.one, table.other)}
        return sorted((key for key in self.here if key not in busy), key=lambda key: self.here[key])

    @cached_property
    def suggested(self) -> tuple[list[Table], tuple[str, ...]]:
        """Who of those who are free should play whom, and who has to wait on."""
        stones = {two: None if terms is None else terms.handicap for two, terms in self._terms.items()}
        made: Pairing = pairing(self.waiting, self._days_since, stones)
        tables = [Table(one, other, self._terms.get(frozenset({one, other}))) for one, other in made.pairs]
        return tables, made.left_out

    @cached_property
    def scores(self) -> list[Score]:
        """What the evening was to each who played, most wins first."""
        try:
            moves: Mapping[str, Movement] = self.look.standings.movements(self.day - timedelta(days=1))
        except InputError:
            moves = {}
        points: dict[str, list[float | None]] = {}
        for row in self.games:
            score = Result.parse(row["result"]).score
            for key, own in zip(self._two(row), (score, None if score is None else 1 - score), strict=True):
                points.setdefault(key, []).append(own)
        made = [Score(key, len(own), own.count(1.0), own.count(0.5), moves.get(key)) for key, own in points.items()]
        numbers = {key: number for number, key in enumerate(self.look.state.keys_by_name)}
        return sorted(made, key=lambda one: (-one.wins, one.games, numbers.get(one.key, len(numbers))))

    def terms_of(self, one: str, other: str) -> Terms | None:
        """Return the fair terms of two; None where the rules find none, and of a newcomer without a rank."""
        if not self._newcomers.isdisjoint({one, other}):
            return None
        try:
            terms = self.look.played_from.fair_terms(one, other)
        except InputError:
            return None
        return None if terms.unfair else terms

    @cached_property
    def _rows(self) -> Sequence[Any]:
        return attendances(self.look.club)

    @cached_property
    def _newcomers(self) -> frozenset[str]:
        """Keys of who is here and has neither games nor a rank."""
        return frozenset(self.look.state.keys[name] for name in self.look.standings.newcomers(*self.here))

    @cached_property
    def _terms(self) -> dict[Two, Terms | None]:
        twos = combinations(self.waiting[:MOST], 2)
        with suppress(InputError):  # no list is found, and no terms
            self.look.standings.prefetch(self.waiting)
        return {frozenset(two): self.terms_of(*two) for two in twos}

    @cached_property
    def _days_since(self) -> dict[Two, int]:
        """How many days ago each two met last, of the last two months."""
        days = [self.day - timedelta(days=number) for number in range(MONTHS)]
        rows = self.look.state.recorded.on(days)
        since: dict[Two, int] = {}
        for row in rows.filter(pl.col("status") != WITHDRAWN).select(*SIDES, "date").iter_rows(named=True):
            two, ago = frozenset(self._two(row)), (self.day - row["date"].date()).days
            since[two] = min(ago, since.get(two, ago))
        return since

    def _two(self, row: Mapping[str, Any]) -> tuple[str, str]:
        """Return the keys of Black and White of a game, whoever they were found to be."""
        return self.look.state.final(row["black"]), self.look.state.final(row["white"])
