"""The calendar of a club: events that were entered, and evenings, which are the games of a day and a word."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import Count, F, QuerySet, Value

from handan.club.recorded import FOREIGN
from handan.club.state import COUNTS
from handan.club.store.clock import DAY_LONG, start_of
from handan.club.store.fact_models import Event, Game
from handan.club.store.models import Club

EPOCH = date(1970, 1, 1)


class CalendarFilter(NamedTuple):
    """Which events are wanted."""

    year: int | None = None
    """In which they take place, in part at least."""
    country: str = ""
    kind: str = ""
    until: date | None = None
    """Those that began by this day."""


class CalendarRow(NamedTuple):
    """A line of the calendar."""

    key: str
    """Of the event; empty for an evening."""
    club: str
    """Short name of the federation's club whose it is; empty: of no other club."""
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

    def __init__(self, club: Club, chosen: CalendarFilter, shown: Callable[[str], str] = str) -> None:
        """Take the club, which events are wanted, and how their kinds are shown: empty where one tells who it is."""
        self.club, self.chosen, self.shown = club, chosen, shown

    def __len__(self) -> int:
        """Number of events."""
        return len(self._rows)

    def __getitem__(self, part: slice) -> list[CalendarRow]:
        """Return some of them."""
        return self._rows[part]

    @cached_property
    def years(self) -> list[int]:
        """The years in which events took place, latest first, whatever is wanted."""
        played = self._games.values_list("event", "date").distinct()  # in the order of an index
        years = {_date(moment).year for moment in {moment for _, moment in played if moment is not None}}
        for first, last in {(first, last) for first, last, *_ in self._of_all_years}:
            years |= {*range(_date(first).year, _date(last).year + 1)}
        return sorted(years, reverse=True)

    @property
    def countries(self) -> list[str]:
        """The countries in which events took place, whatever is wanted, each once."""
        return sorted({country for *_, country, _ in self._of_all_years} - {""})

    @property
    def kinds(self) -> list[str]:
        """The classes of events, whatever is wanted, each once."""
        return sorted({*map(self.shown, {kind for *_, kind in self._of_all_years})} - {""})

    @cached_property
    def _of_all_years(self) -> list[tuple[int, int, str, str]]:
        """First and last moment, country and kind of the events of all years that were entered."""
        return [*self._entered.values_list("first", "until", "country", "kind")]

    @property
    def _entered(self) -> QuerySet[Event]:
        """The events of all years that were entered."""
        events, until = Event.objects.filter(club=self.club, withdrawn=False).order_by(), self.chosen.until
        return events if until is None else events.filter(first__lt=start_of(until) + DAY_LONG)

    @property
    def _games(self) -> QuerySet[Game]:
        """The games of all years that count, have a day and bear a word."""
        return self._counting.exclude(event="").exclude(date=None)

    @property
    def _counting(self) -> QuerySet[Game]:
        games, until = Game.objects.filter(club=self.club, status=COUNTS).order_by(), self.chosen.until
        return games if until is None else games.filter(date__lt=start_of(until) + DAY_LONG)

    @cached_property
    def _rows(self) -> list[CalendarRow]:
        kind, country = self.chosen.kind, self.chosen.country
        events = [event for event in self._events if event.kind == kind or not kind]
        rows = [row for row in (*events, *self._evenings) if row.country == country or not country]
        return sorted(rows, key=lambda row: (-row.first.toordinal(), row.name))

    @cached_property
    def _events(self) -> list[CalendarRow]:
        """Those of the year that were entered."""
        rows = []
        for first, last, key, name, country, kind, players in self._entered_then:
            club = key.rpartition(".")[0]
            games = sum(each.games for each in self._played.get((club, name), ()) if first <= each.day <= last)
            number = len(players.split()) or None
            rows.append(CalendarRow(key, club, name, first, last, country, self.shown(kind), games, number))
        return rows

    @cached_property
    def _entered_then(self) -> list[tuple[Any, ...]]:
        """First and last day, key, name, country, kind and players of the events of the year that were entered."""
        events, year = self._entered.order_by("number"), self.chosen.year
        if year is not None:
            events = events.filter(first__lt=start_of(date(year + 1, 1, 1)), until__gte=start_of(date(year, 1, 1)))
        rows = events.values_list("first", "until", "key", "name", "country", "kind", "players")
        return [(_date(first), _date(until), *facts) for first, until, *facts in rows]

    @property
    def _evenings(self) -> Iterator[CalendarRow]:
        """The days and words of games of the year that are those of no event, of which one is of the kind."""
        kind, year = self.chosen.kind, self.chosen.year
        spans = defaultdict[tuple[str, str], list[CalendarRow]](list)
        for event in self._events:
            spans[event.club, event.name].append(event)
        for (club, name), played in self._played.items():
            days = defaultdict[date, list[Played]](list)
            for each in played:
                days[each.day].append(each)
            for day, own in days.items():
                is_of_event = any(event.first <= day <= event.last for event in spans[club, name])
                kinds, games = {each.kind for each in own}, sum(each.games for each in own)
                if day.year == (year or day.year) and (not kind or kind in kinds) and not is_of_event:
                    yield CalendarRow("", club, name, day, day, "", kind or min(kinds), games, None)

    @cached_property
    def _played(self) -> dict[tuple[str, str], list[Played]]:
        """The games of the year and of its events, by the federation's club whose they are and the word they bear."""
        games, year = self._games, self.chosen.year
        if year is not None:  # those without a word are left out below: the index of the others is by word, not by day
            first = min([date(year, 1, 1), *(row[0] for row in self._entered_then)])
            last = max([date(year, 12, 31), *(row[1] for row in self._entered_then)])
            games = self._counting.filter(date__gte=start_of(first), date__lt=start_of(last) + DAY_LONG)
        clubs = dict(Club.objects.filter(federation=self.club).values_list("pk", "slug"))
        number: Any = F("line") / FOREIGN if clubs else Value(0)
        groups = games.annotate(number=number).values_list("number", "event", "date", "kind").annotate(Count("pk"))
        counts = defaultdict[tuple[str, str], Counter[tuple[date, str]]](Counter)
        for own, event, moment, kind, together in groups:
            if event:
                counts[clubs.get(own, ""), event][_date(moment), self.shown(kind)] += together
        return {each: [Played(*day, together) for day, together in own.items()] for each, own in counts.items()}


def _date(moment: int) -> date:
    """Return the day of a moment that a column of dates has as a number."""
    return EPOCH + timedelta(days=moment // DAY_LONG)
