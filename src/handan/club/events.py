"""Events of a club as its entries say them: the facts of a tournament, with keys in place of the names of players."""

from __future__ import annotations

import json
from collections import ChainMap
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from types import MappingProxyType
from typing import Any

from handan.club.entries import canonical
from handan.ledger import Event, When
from handan.ledger.events import event_of

Changed = Mapping[str, "ClubEvent"]
OF_PERSONS = ("id", "order")
"""What files tell of a participant that stands with the player."""


@dataclass(frozen=True)
class ClubEvent:
    """An event as the last entry about it says."""

    key: str
    entry: int
    """The last entry about it."""
    facts: Mapping[str, Any]
    withdrawn: bool = False

    @property
    def name(self) -> str:
        """That of its games."""
        return str(self.facts["event"])

    @cached_property
    def first(self) -> When:
        """Its first day."""
        return When.parse(self.facts["first"])

    @cached_property
    def last(self) -> When:
        """The last day of the event, which is the first where it has no other."""
        return When.parse(self.facts.get("last") or self.facts["first"])

    @property
    def players(self) -> Iterator[str]:
        """The keys of all who take part, as the entry says them."""
        return (row["player"] for row in self.facts.get("participants", ()))

    @property
    def club(self) -> str:
        """Short name of the club for which a federation shows it, where it can be changed; empty: no other club."""
        return self.key.rpartition(".")[0]

    def has(self, name: str, moment: datetime | None, club: str = "") -> bool:
        """Whether a game with the name of an event, at a moment or on an unknown day, is one of its games.

        `club` is the short name of the federation's club that entered the game; empty: no other club did.
        """
        return (name, club) == (self.name, self.club) and (
            moment is None or self.first.moment <= moment <= self.last.last
        )

    def event(self, name_of: Callable[[str], str] = str) -> Event:
        """Return the event as files hold it, with the names of players in place of their keys."""
        return event_of(renamed({**self.facts, "name": self.name}, name_of, to="name"))

    def of_club(self, slug: str) -> ClubEvent:
        """Return the event as the federation of its club shows it: with the club's short name before each key."""
        facts = renamed(self.facts, lambda key: f"{slug}.{key}", to="player")
        return replace(self, key=f"{slug}.{self.key}", facts=facts)


class Events(Mapping[str, ClubEvent]):
    """Events by their keys, in the order of entry."""

    def __init__(self, events: Changed = MappingProxyType({})) -> None:
        """Take the events."""
        self._events = events

    def __getitem__(self, key: str) -> ClubEvent:
        """Return an event; KeyError where there is none."""
        return self._events[key]

    def __iter__(self) -> Iterator[str]:
        """Go through the keys."""
        return iter(self._events)

    def __len__(self) -> int:
        """Number of events."""
        return len(self._events)

    def named(self, name: str) -> list[ClubEvent]:
        """Return the events of a name, those that were withdrawn among them."""
        return [event for event in self.values() if event.name == name]

    def prefetch(self, names: Iterable[str]) -> None:
        """Fetch the events of some names at once, before each is asked for."""

    def of(self, players: Collection[str]) -> list[ClubEvent]:
        """Return the events in which somebody takes part who has one of some keys."""
        own = {*players}
        return [event for event in self.values() if not own.isdisjoint(event.players)]

    def with_changed(self, changed: Changed) -> Events:
        """Return these events with others in their places, or behind them."""
        return Events({**self, **changed}) if changed else self


class ChangedEvents(Events):
    """Events of which some are others than in the database, or new."""

    def __init__(self, below: Events, changed: Changed) -> None:
        """Take the events as they stand, and those in their places or behind them."""
        self._below, self._changed = below, Events(changed)
        super().__init__(ChainMap({**changed}, below))  # type: ignore[arg-type]  # only read

    def __iter__(self) -> Iterator[str]:
        """Go through the keys."""
        yield from self._below
        yield from (key for key in self._changed if key not in self._below)

    def named(self, name: str) -> list[ClubEvent]:
        """Return the events of a name, those that were withdrawn among them."""
        return self._both(lambda events: events.named(name))

    def prefetch(self, names: Iterable[str]) -> None:
        """Fetch the events of some names at once, before each is asked for."""
        self._below.prefetch(names)

    def of(self, players: Collection[str]) -> list[ClubEvent]:
        """Return the events in which somebody takes part who has one of some keys."""
        return self._both(lambda events: events.of(players))

    def with_changed(self, changed: Changed) -> Events:
        """Return these events with others in their places, or behind them."""
        return ChangedEvents(self._below, {**self._changed, **changed}) if changed else self

    def _both(self, ask: Callable[[Events], list[ClubEvent]]) -> list[ClubEvent]:
        return [*(event for event in ask(self._below) if event.key not in self._changed), *ask(self._changed)]


def facts_of_event(event: Event) -> dict[str, Any]:
    """Return what an entry says of an event whose players are named by keys: plain data as JSON knows it."""
    data = renamed(event.as_dict(), str, to="player")
    for row in data.get("participants", ()):
        for name in OF_PERSONS:
            row.pop(name, None)
    plain: dict[str, Any] = json.loads(canonical(data))
    return {"event": plain.pop("name", ""), **plain}


def renamed(facts: Mapping[str, Any], name_of: Callable[[str], str], *, to: str) -> dict[str, Any]:
    """Return the facts of an event with other names of the players; `to` is what the name of a participant is called.

    Args:
        facts: As `Event.as_dict` has them, or as an entry says them.
        name_of: The other name of each.
        to: `name` or `player`.
    """
    whole = dict(facts)
    if "participants" in facts:
        whole["participants"] = [
            {to: name_of(row["name"] if "name" in row else row["player"])}
            | {name: value for name, value in row.items() if name not in {"name", "player"}}
            for row in facts["participants"]
        ]
    if "pairings" in facts:
        whole["pairings"] = [[number, name_of(black), name_of(white), stones]
                             for number, black, white, stones in facts["pairings"]]  # fmt: skip
    return whole
