"""The calendar of a club: events that were entered, and evenings, which are the games of a day and a word."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cached_property
from typing import NamedTuple

from django.db.models import Count

from handan.club.state import COUNTS
from handan.club.store.clock import DAY_LONG, start_of
from handan.club.store.fact_models import Event, Game
from handan.club.store.models import Club

EPOCH = date(1970, 1, 1)


class CalendarFilter(NamedTuple):
    """Which events are wanted."""

    year: int | None = None
    country: str = ""
    kind: str = ""
    until: date | None = None
    """Those that began by this day."""


class CalendarRow(NamedTuple):
    """A line of the calendar."""

    key: str
    """Of the event; empty for an evening."""
    name: str
    first: date
    last: date
    country: str
    kind: str
    games: int
    players: int | None
    """Who takes part in an event; None for an evening."""


class Played(NamedTuple):
    """Games of one kind that bear a word on a day."""

    day: date
    kind: str
    games: int


class Calendar:
    """The events of a club, latest first."""

    def __init__(self, club: Club, chosen: CalendarFilter) -> None:
        """Take the club, and which events are wanted."""
        self.club, self.chosen = club, chosen

    def __len__(self) -> int:
        """Number of events."""
        return len(self._rows)

    def __getitem__(self, part: slice) -> list[CalendarRow]:
        """Return some of them."""
        return self._rows[part]

    @property
    def years(self) -> list[int]:
        """The years with an event, latest first, whatever is wanted."""
        return sorted({row.first.year for row in (*self._events, *self._evenings(""))}, reverse=True)

    @property
    def countries(self) -> list[str]:
        """The countries in which events took place, each once."""
        return sorted({event.country for event in self._events if event.country})

    @property
    def kinds(self) -> list[str]:
        """The classes of events."""
        return sorted({event.kind for event in self._events if event.kind})

    @cached_property
    def _rows(self) -> list[CalendarRow]:
        kind = self.chosen.kind
        events = [event for event in self._events if event.kind == kind or not kind]
        rows = [row for row in (*events, *self._evenings(kind))
                if row.country == self.chosen.country or not self.chosen.country
                if row.first.year == self.chosen.year or self.chosen.year is None]  # fmt: skip
        return sorted(rows, key=lambda row: (-row.first.toordinal(), row.name))

    @cached_property
    def _events(self) -> list[CalendarRow]:
        """Those that were entered."""
        events, until = Event.objects.filter(club=self.club, withdrawn=False), self.chosen.until
        if until is not None:
            events = events.filter(first__lt=start_of(until) + DAY_LONG)
        rows = []
        for key, name, *moments, country, kind, players in events.order_by("number").values_list(
            "key", "name", "first", "until", "country", "kind", "players"
        ):
            first, last = (EPOCH + timedelta(days=moment // DAY_LONG) for moment in moments)
            games = sum(each.games for each in self._played.get(name, ()) if first <= each.day <= last)
            rows.append(CalendarRow(key, name, first, last, country, kind, games, len(players.split()) or None))
        return rows

    def _evenings(self, kind: str) -> Iterator[CalendarRow]:
        """Go through the days and words of games that are those of no event: all, or those with a game of a kind."""
        spans = defaultdict[str, list[CalendarRow]](list)
        for event in self._events:
            spans[event.name].append(event)
        for name, played in self._played.items():
            days = defaultdict[date, list[Played]](list)
            for each in played:
                days[each.day].append(each)
            for day, own in days.items():
                kinds = {each.kind for each in own}
                if (not kind or kind in kinds) and not any(event.first <= day <= event.last for event in spans[name]):
                    games = sum(each.games for each in own)
                    yield CalendarRow("", name, day, day, "", kind or min(kinds), games, None)

    @cached_property
    def _played(self) -> dict[str, list[Played]]:
        """The games that count and have a day, by the word that they bear."""
        games, until = Game.objects.filter(club=self.club, status=COUNTS), self.chosen.until
        games = games.exclude(event="").exclude(date=None)
        if until is not None:
            games = games.filter(date__lt=start_of(until) + DAY_LONG)
        groups = games.order_by().values_list("event", "date", "kind").annotate(Count("pk"))  # in the order of an index
        counts = defaultdict[str, Counter[tuple[int, str]]](Counter)
        for event, moment, kind, count in groups:
            counts[event][moment // DAY_LONG, kind] += count
        return {
            event: [Played(EPOCH + timedelta(days=day), kind, count) for (day, kind), count in own.items()]
            for event, own in counts.items()
        }
