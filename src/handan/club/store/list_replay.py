"""A rating list on its way from one entry to a later one: rated from the first block on in which something changed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import cached_property
from time import thread_time
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from django.db.models import BooleanField, ExpressionWrapper, Q, QuerySet
from numpy.typing import NDArray

from handan.club.blocks import (
    FACTS,
    Checkpoint,
    Rated,
    checkpoint_of_bytes,
    facts_of_bytes,
    in_playing_order,
    plain_adjustment,
    rated,
)
from handan.club.changes import HANDLERS
from handan.club.kinds import Kind
from handan.club.movement import Figures
from handan.club.recorded import SIDES
from handan.club.rules import Rules, effective_from, falls_within
from handan.club.standings import carried
from handan.club.state import COUNTS, State
from handan.club.store.clock import milliseconds, moment_of
from handan.club.store.fact_models import Game, Player
from handan.club.store.list_models import Block, RatingList
from handan.club.store.models import Club, Entry
from handan.club.store.states import batches, games_with, phases_of, table_of_games
from handan.ledger import Adjustment, When
from handan.ledger.event_numbers import EVENT_GAP
from handan.ledger.ledger import in_order, last_seconds
from handan.systems.core.sequential import Sequential

BEGINNING = datetime(1, 1, 1)  # noqa: DTZ001  # clubs write local time
WITHOUT_EFFECT = {
    Kind.PLAYER_REGISTERED, Kind.PLAYER_CHANGED, Kind.SHEET_ENTERED, Kind.SHEET_CONTINUED, Kind.SHEET_CHECKED,
    Kind.CHECK_WITHDRAWN, Kind.EVENT_ENTERED, Kind.EVENT_CHANGED, Kind.EVENT_WITHDRAWN,
    Kind.LIST_PUBLISHED, Kind.ZONE_SET, Kind.CLUB_SET, Kind.RULES_SET,
}  # fmt: skip
"""Kinds of entry that change no game and nobody's entry; new rules are seen by themselves."""


class EntryFacts(NamedTuple):
    """What an entry says."""

    number: int
    kind: Kind
    subject: str
    facts: dict[str, Any]


@dataclass
class Changes:
    """What entries have changed of the games of a list."""

    lines: set[int] = field(default_factory=set)
    """Numbers of the games that count now or did, and say something else."""
    since: datetime | None = None
    """From which moment on all games are rated once more; None: from the last block on."""
    everything: bool = False
    """Whether the list is made from all games, as if there had been none."""

    def reach(self, moment: datetime | None) -> None:
        """Let games be rated from a moment on, None: from the beginning."""
        moment = BEGINNING if moment is None else moment
        self.since = moment if self.since is None else min(self.since, moment)


def changes_by(club: Club, entries: Iterable[EntryFacts], state: State, number: int, *, phases: int) -> Changes:
    """Return what entries have changed.

    Args:
        club: Whose list.
        entries: Those since the list.
        state: The club after them.
        number: The last entry that the list follows.
        phases: How many rules have followed one another.
    """
    made = _Making(club, state, number, phases)
    for entry in entries:
        effect = made.effects.get(entry.kind, made.on_game if HANDLERS[entry.kind].of_game else None)
        if effect is None and entry.kind not in WITHOUT_EFFECT:
            return Changes(everything=True)
        if effect is not None:
            effect(entry)
    made.follow_games()
    return made.changes


class _Making:
    """The changes that entries make, one after the other."""

    def __init__(self, club: Club, state: State, number: int, phases: int) -> None:
        self.club, self.state, self.number, self.phases = club, state, number, phases
        self.changes = Changes()
        self.effects: dict[Kind, Callable[[EntryFacts], None]] = {
            Kind.GAME_RECORDED: self.on_game,
            Kind.RANK_ADJUSTED: self.on_adjustment,
            Kind.RANK_WITHDRAWN: self.on_adjustment,
            Kind.PLAYER_MERGED: self.on_merger,
            Kind.PLAYER_SPLIT: self.on_merger,
            Kind.PLAYER_WITHDRAWN: self.on_player,
            Kind.PLAYER_RESTORED: self.on_player,
        }

    def on_game(self, entry: EntryFacts) -> None:
        """Note down that a game says something else."""
        self.changes.lines.add(int(entry.subject[1:]))

    def on_adjustment(self, entry: EntryFacts) -> None:
        """Note down that a rank or rating is set by hand, or no more."""
        item = self.state.adjustments[entry.subject]
        when = When.of(item.facts.get("date"))
        self._from_first_game(item.player, None if when is None else when.moment)

    def on_player(self, entry: EntryFacts) -> None:
        """Note down that a player is there no more, or again: their ranks hold or do not."""
        self._from_first_game(entry.subject, None)

    def on_merger(self, entry: EntryFacts) -> None:
        """Note down that two players became one, or two again; that they always were two changes no game."""
        if "apart" in entry.facts:
            return
        names = (entry.subject, entry.facts.get("into", ""))
        games = self._games({key for name in names if name for key in self._keys(name)})
        for line, day in games.values_list("line", "date"):
            self.changes.lines.add(line)
            self.changes.reach(moment_of(day))
        if self.phases > 1:
            self.changes.reach(None)

    def follow_games(self) -> None:
        """Let games be rated from the first one on that says something else, and from the start of its event."""
        events = set[tuple[str, datetime]]()
        for moment, event in self._dates_and_events():
            self.changes.reach(moment)
            if event and moment is not None:
                events.add((event, moment))
        for event, moment in events:
            self.changes.reach(self._start_of_event(event, moment))

    def _dates_and_events(self) -> Iterator[tuple[datetime | None, str]]:
        """Yield date and event of each of the games as it is now, and as it was in the list."""
        yield from self.state.recorded.numbered(self.changes.lines).select("date", "event").iter_rows()
        kinds = [str(Kind.GAME_RECORDED), str(Kind.GAME_CORRECTED)]
        for some in batches([f"g{line}" for line in self.changes.lines if line <= self.number]):
            entries = Entry.objects.filter(club=self.club, subject__in=some, kind__in=kinds, number__lte=self.number)
            for facts in dict(entries.order_by("number").values_list("subject", "facts")).values():
                when = When.of(facts.get("date"))
                yield None if when is None else when.moment, facts.get("event", "")

    def _games(self, keys: Collection[str]) -> QuerySet[Game]:
        return games_with(Game.objects.filter(club=self.club, status=COUNTS), keys)

    def _keys(self, key: str) -> list[str]:
        """Return the keys under which the games of a player stand."""
        final = self.state.person(key).key
        return [key, final, *(other for other in self.state.merged if self.state.final(other) in {key, final})]

    def _from_first_game(self, player: str, moment: datetime | None) -> None:
        """Let games be rated from a moment on, but not before the player's first: nothing changes before it.

        Where rules were followed by others, it may change with what the player entered these.
        """
        if self.phases > 1:
            self.changes.reach(moment)
        games = self._games(self._keys(player))
        if games.filter(date=None).exists():
            self.changes.reach(None)
        elif (first := games.order_by("date").values_list("date", flat=True).first()) is not None:
            day = moment_of(first)
            self.changes.reach(day if moment is None or day is None else max(moment, day))

    def _start_of_event(self, event: str, moment: datetime) -> datetime:
        """Return the first day of the games of an event that lead to a moment without a long gap."""
        dates = Game.objects.filter(club=self.club, event=event, date__lte=milliseconds(moment)).order_by("-date")
        for earlier in dates.values_list("date", flat=True).distinct():
            day = moment_of(earlier)
            if day is None or moment - day > EVENT_GAP:
                break
            moment = day
        return moment


AT_ONCE = 20_000  # our choice: games that are read by one query


@dataclass
class Seats:
    """All players of a club by number, in the order of registration."""

    keys: list[str]
    number: dict[str, int]
    """Of the keys, also of those merged into another: that of the other."""
    last: int
    """`Player.number` of the last one."""

    @classmethod
    def of(cls, club: Club, row: RatingList, state: State, more: Iterable[str] = ()) -> Seats:
        """Return the players of a list, with those who registered since, and `more` who are only thought of."""
        keys = row.keys.split("\n") if row.keys else []
        new, last = Player.objects.filter(club=club).order_by("number"), row.last_player
        new = new[len(keys) :] if state.sources else new.filter(number__gt=last if keys else -1)
        for key, place in new.values_list("key", "number"):
            keys.append(key)
            last = place
        keys += more
        number = {key: place for place, key in enumerate(keys)}
        number |= {key: number[state.final(key)] for key in state.merged if key in number}
        return cls(keys, number, last)

    @staticmethod
    def go_on(club: Club, row: RatingList, state: State) -> bool:
        """Whether the players of a list are the first of all; into a federation those of a club come in between."""
        keys = Player.objects.filter(club=club).order_by("number").values_list("key", flat=True)
        there = row.keys.split("\n") if row.keys else []
        return not state.sources or [*keys[: len(there)]] == there

    @property
    def text(self) -> str:
        """The keys as a list keeps them."""
        return "\n".join(self.keys)


class Made(NamedTuple):
    """A block that was rated once more."""

    position: int
    phase: int
    rated: Rated
    opens: bool
    """Whether it is the first one under its rules."""


class _Part(NamedTuple):
    """The games under one of the rules."""

    phase: int
    rules: Rules
    facts: pl.DataFrame


class Replay:
    """The games of a list from the first block on in which something changed."""

    def __init__(
        self, club: Club, row: RatingList, state: State, changes: Changes, more: Iterable[str] = (),
        called: Mapping[str, str] | None = None, day: date | None = None,
    ) -> None:  # fmt: skip
        """Take what is known before the first block.

        Args:
            club: Whose list.
            row: The list.
            state: The club after the entries.
            changes: What they changed.
            more: Keys of players whom nobody has written yet.
            called: How reasons call some players, by key; others by their keys.
            day: The last day whose games count; None: all.
        """
        self.day = day
        self.end = None if day is None else When.of(day).last  # type: ignore[union-attr]  # there is a day
        self.began = thread_time()
        self.club, self.row, self.state, self.changes = club, row, state, changes
        self.phases = phases_of(state, day)
        self.seats = Seats.of(club, row, state, more)
        self.called = called or {}
        self.names = [self.called.get(key, key) for key in self.seats.keys] if called else self.seats.keys
        has_checkpoint = ExpressionWrapper(Q(checkpoint__isnull=False), BooleanField())
        rows = Block.objects.filter(list=row).annotate(has_checkpoint=has_checkpoint).order_by("position")
        columns = rows.values_list("position", "phase", "ends", "games", "has_checkpoint", named=True)
        self.before: list[Any] = [] if changes.everything else list(columns)
        """The blocks as they were."""
        there = row.phases if day is None else row.phases[: len(self.phases)]
        if there != [item.as_rated() for item in self.phases]:
            changes.since = BEGINNING
        items = [item for item in state.shown_adjustments if state.is_in_force(item)]
        self.adjustments = [Adjustment(state.final(item.player), **{**item.facts, "note": item.key}) for item in items]
        if self.end is not None:
            self.adjustments = [item for item in self.adjustments if not item.date or item.date.last <= self.end]  # type: ignore[union-attr]
        self.first = self._first()
        self.position = self.first.position if self.first else 0
        self.carried: list[list[dict[str, Any]]] = self.row.carried[: self.first.phase + 1] if self.first else []
        """With what players entered each of the rules, up to those that are rated."""
        self.replaced: set[str] = set()
        """Keys of players whose games say something else now."""
        self.adjusted: set[int] = set()
        self.last: Rated | None = None
        """The last block that was rated."""
        self.stored: dict[int, pl.Series] = {}
        """Numbers of the games of the blocks that are rated once more, as they were, by position."""

    @cached_property
    def reach(self) -> int:
        """About how many games are rated once more."""
        if self.first is None:
            return Game.objects.filter(club=self.club, status=COUNTS).count()
        games: int = sum(block.games for block in self.before if block.position >= self.position)
        return games

    @cached_property
    def games(self) -> int:
        """Number of games of the whole list, also of those that are not rated once more."""
        kept: int = sum(block.games for block in self.before if block.position < self.position)
        return kept + sum(part.facts.height for part in self.parts)

    def read(self) -> None:
        """Read the games, and what is known at their start, from the database; what follows does not ask for them."""
        _ = self.parts, self.start

    def run(self) -> Iterator[Made]:
        """Rate block by block."""
        parts, start, position = self.parts, self.start, self.position
        for part in parts:
            since, until = self._days(part.phase)
            if self.last is not None or not self.carried:
                self.carried.append(self._carried(part.rules))
                start = Checkpoint.beginning(len(self.seats.keys), None if self.last is None else self.last.end)
            items = [Adjustment(**item) for item in self.carried[-1]]
            items += [item for item in self.adjustments if falls_within(effective_from(item), since, until)]
            self.adjusted = {self.seat_of(item.player) for item in items}
            items = [replace(item, player=self.called.get(item.player, item.player)) for item in items]
            for block in rated(part.rules.made, part.facts, self.names, in_order(items), start):
                self.last = block
                yield Made(position, part.phase, block, block.start is start and part.phase > 0)
                position += 1

    @property
    def listed(self) -> NDArray[np.bool_]:
        """Who stands in the list after the last block, shape (players,)."""
        assert self.last is not None  # noqa: S101  # asked after a block
        listed = self.last.start.listed_after(self.last.ratings)
        listed[sorted(self.adjusted)] = True
        return listed

    @property
    def figures(self) -> Figures:
        """Ratings and ranks of the players after the last block."""
        assert self.last is not None  # noqa: S101  # asked after a block
        ratings, system = self.last.ratings, self.phases[-1].made
        number = ratings.arrays.rank_number
        return Figures.of_listed(self.state, system, self.seats.keys, self.listed, ratings.rating, number)

    def has_same_games(self, made: Made) -> bool:
        """Whether the block at a position has the games that it had, none of which says something else."""
        lines, before = made.rated.facts["line"], self.stored.get(made.position)
        return before is not None and lines.equals(before) and not lines.is_in(sorted(self.changes.lines)).any()

    def _first(self) -> Any:
        """Return the first block that is rated once more: one with a checkpoint, or the first; None: there is none."""
        if not self.before:
            return None
        since, place = self.changes.since, len(self.before) - 1
        if since is not None:
            place = 0 if since == BEGINNING else self._place_of(since)
        phase = min(self.before[place].phase, len(self.phases) - 1)
        in_turn = isinstance(self.phases[phase].made, Sequential)
        while place and not (in_turn and self.before[place].has_checkpoint):
            place -= 1
        return self.before[place]

    def _place_of(self, moment: datetime) -> int:
        """Return the place of the first block, as they were, with games of a moment or later under its rules."""
        number, place = milliseconds(moment), 0
        for at, block in enumerate(self.before):
            if block.phase >= len(self.phases):  # its rules came after the day
                break
            begins = self.phases[block.phase].since if block.phase else None
            if begins is not None and begins > moment.date():
                break
            place = at
            if block.ends is not None and block.ends >= number:
                break
        return place

    @cached_property
    def start(self) -> Checkpoint:
        """What is known at the start of the first block."""
        players = len(self.seats.keys)
        if not self.position:
            return Checkpoint.beginning(players)
        row = Block.objects.filter(list=self.row, position=self.position).values_list("checkpoint", flat=True)
        return checkpoint_of_bytes(bytes(row[0] or b"")).among(players)

    @cached_property
    def parts(self) -> list[_Part]:
        """The games from the first block on, those under each of the rules by themselves."""
        lines = self.changes.lines
        if self.first is None:
            facts = self._all_facts()
        else:
            rows = Block.objects.filter(list=self.row, position__gte=self.position).values_list("position", "facts")
            tables = {position: facts_of_bytes(bytes(content)) for position, content in rows}
            self.stored = {position: table["line"] for position, table in tables.items()}
            facts = pl.concat(tables.values())
            if lines:
                old = pl.col("line").is_in(sorted(lines))
                now = self.state.recorded.numbered(lines)
                new = self._numbered(now.filter(pl.col("status") == COUNTS))
                for frame in (facts.filter(old), new):
                    seats = np.unique(np.concatenate([frame[side].to_numpy() for side in SIDES]))
                    self.replaced.update(self.seats.keys[seat] for seat in seats.tolist())
                facts = pl.concat([facts.filter(~old), new])
        if self.end is not None:
            facts = facts.filter(last_seconds() <= self.end)
        facts = in_playing_order(facts)
        phase = self.first.phase if self.first else 0
        return [_Part(number, rules, self._within(facts, number))
                for number, rules in enumerate(self.phases) if number >= phase]  # fmt: skip

    def _within(self, facts: pl.DataFrame, phase: int) -> pl.DataFrame:
        """Return the games that are rated under one of the rules."""
        since, until = self._days(phase)
        if since is None and until is None:
            return facts
        day = pl.col("date").dt.date()
        kept = (day >= since if since else pl.lit(value=True)) & (day < until if until else pl.lit(value=True))
        return facts.filter(kept.fill_null(since is None))

    def _days(self, phase: int) -> tuple[date | None, date | None]:
        """Return the day on which one of the rules begins, None for the first, and that of the next."""
        since = self.phases[phase].since if phase else None
        return since, self.phases[phase + 1].since if phase + 1 < len(self.phases) else None

    def _all_facts(self) -> pl.DataFrame:
        """Return all games that count."""
        games = Game.objects.filter(club=self.club, status=COUNTS).order_by("line")
        parts, last = [pl.DataFrame(schema=FACTS)], -1
        while (part := table_of_games(games.filter(line__gt=last)[:AT_ONCE])).height:
            parts.append(self._numbered(part))
            last = part["line"][-1]
        return pl.concat(parts)

    def _numbered(self, games: pl.DataFrame) -> pl.DataFrame:
        """Return games of which players are called by key with their numbers."""
        players = pl.concat([games[side] for side in SIDES]).unique(maintain_order=True)
        seats = {key: self.seat_of(key) for key in players}
        numbers = [pl.col(side).replace_strict(seats, return_dtype=pl.UInt32) for side in SIDES if seats]
        return games.with_columns(numbers).select(list(FACTS)).cast(FACTS)

    def seat_of(self, key: str) -> int:
        """Return the number of a player; InputError for a stranger."""
        seat = self.seats.number.get(key)
        return self.seats.number[self.state.person(key).key] if seat is None else seat

    def _carried(self, rules: Rules) -> list[dict[str, Any]]:
        """Return the adjustments with which players enter rules, from where the rules before left them."""
        if self.last is None:
            return []
        same = self.phases[len(self.carried) - 1].system == rules.system
        everybody = np.flatnonzero(self.listed).tolist()
        return [
            plain_adjustment(replace(item, player=self.seats.keys[seat]))
            for seat in everybody
            for item in carried(self.last.ratings, [seat], same=same)
        ]


def figures_of(replay: Replay) -> dict[str, NDArray[Any]]:
    """Return the figures of all players after the last block, by name, shape (players, …) each."""
    assert replay.last is not None  # noqa: S101  # asked after a block
    ratings, end = replay.last.ratings, replay.last.end
    figures = {"listed": replay.listed, "rating": ratings.rating, "tallies": end.tallies,
               "last_played": end.last_played, "pool": ratings.arrays.pool}  # fmt: skip
    if ratings.deviation is not None:
        figures["deviation"] = ratings.deviation
    if ratings.arrays.rank_number is not None:
        figures["rank_number"] = ratings.arrays.rank_number
    return figures | {f"beside {name}": values for name, values in ratings.arrays.beside.items()}


def differing(figures: Mapping[str, NDArray[Any]], before: Mapping[str, NDArray[Any]]) -> NDArray[np.int64]:
    """Return the players of whom some figure differs; all, where there are other figures."""
    if figures.keys() != before.keys() or not len(before["listed"]):
        return np.arange(len(figures["listed"]))
    there = len(before["listed"])
    differ = np.ones(len(figures["listed"]), dtype=np.bool_)
    differ[:there] = False
    for name, values in figures.items():
        own, other = (array.view(np.uint8).reshape(there, -1) for array in (values[:there].copy(), before[name]))
        differ[:there] |= (own != other).any(axis=1)  # to the bit, so that NaN is NaN
    return np.flatnonzero(differ)
