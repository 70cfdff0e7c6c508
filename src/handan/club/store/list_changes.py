"""Which games of a rating list have to be rated once more after some entries."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import QuerySet

from handan.club.changes import HANDLERS
from handan.club.kinds import Kind
from handan.club.state import COUNTS, State
from handan.club.store.fact_models import Game
from handan.club.store.models import Club, Entry
from handan.club.store.stored_facts import games_with, milliseconds, moment_of
from handan.errors import InputError
from handan.ledger import When
from handan.ledger.event_numbers import EVENT_GAP

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
        for line, date in games.values_list("line", "date"):
            self.changes.lines.add(line)
            self.changes.reach(moment_of(date))
        if self.phases > 1:
            self.changes.reach(None)

    def follow_games(self) -> None:
        """Let games be rated from the first one on that says something else, and from the start of its event."""
        events = set[tuple[str, datetime]]()
        for line in self.changes.lines:
            for moment, event in self._dates_and_events(line):
                self.changes.reach(moment)
                if event and moment is not None:
                    events.add((event, moment))
        for event, moment in events:
            self.changes.reach(self._start_of_event(event, moment))

    def _dates_and_events(self, line: int) -> Iterator[tuple[datetime | None, str]]:
        """Yield date and event of a game as it is now, and as it was in the list."""
        try:
            now = self.state.game(f"g{line}")
            yield now["date"], now["event"]
        except InputError:  # it was never counted
            pass
        if line <= self.number:
            kinds = [str(Kind.GAME_RECORDED), str(Kind.GAME_CORRECTED)]
            before = Entry.objects.filter(club=self.club, subject=f"g{line}", kind__in=kinds, number__lte=self.number)
            for facts in before.order_by("-number").values_list("facts", flat=True)[:1]:
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
