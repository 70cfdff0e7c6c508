"""The calendar of a club: events that were entered, and evenings, which are the games of a day and a word."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import Count, Exists, F, Min, OuterRef, Q, QuerySet, TextField, Value

from handan.club.state import COUNTS
from handan.club.store.fact_models import Event, Game
from handan.club.store.models import Club
from handan.club.store.stored_games import DAY_LONG, milliseconds, moment_of, start_of

AGES = 100_000  # days; before all dates, so that numbers of days are rounded down


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


COLUMNS = ("key", "name", "first_day", "last_day", "country", "kind", "players")


class Calendar:
    """The events of a club, latest first; those are read that somebody looks at."""

    def __init__(self, club: Club, chosen: CalendarFilter) -> None:
        """Take the club, and which events are wanted."""
        self.club, self.chosen = club, chosen

    def __len__(self) -> int:
        """Number of events."""
        return self._events().count() + self._evenings().count()

    def __getitem__(self, part: slice) -> list[CalendarRow]:
        """Return some of them."""
        return [self._row(values) for values in self._all()[part]]

    @property
    def years(self) -> list[int]:
        """The years with an event, latest first, whatever is wanted."""
        every = Calendar(self.club, CalendarFilter(until=self.chosen.until))
        rows: tuple[QuerySet[Any, Any], QuerySet[Any, Any]] = every._events(), every._evenings()
        days = {day for query, name in zip(rows, ("first_day", "day"), strict=True)
                for day in query.values_list(name, flat=True).distinct()}  # fmt: skip
        return sorted({_day(day).year for day in days}, reverse=True)

    @property
    def countries(self) -> list[str]:
        """The countries in which events took place, each once."""
        return self._different("country")

    @property
    def kinds(self) -> list[str]:
        """The classes of events."""
        return self._different("kind")

    def _different(self, name: str) -> list[str]:
        rows = Event.objects.filter(club=self.club, withdrawn=False).exclude(**{name: ""}).order_by(name)
        return list(rows.values_list(name, flat=True).distinct())

    def _all(self) -> Any:
        nothing = Value("", output_field=TextField())
        events = self._events().order_by().values_list(*COLUMNS)
        evenings = self._evenings().annotate(key=nothing, country=nothing, players=nothing, class_=Min("kind"))
        lines = evenings.values_list("key", "event", "day", "day", "country", "class_", "players")
        return events.union(lines, all=True).order_by("-first_day", "name")

    def _events(self) -> QuerySet[Any, Any]:
        rows: QuerySet[Any, Any] = Event.objects.filter(self._wanted("first"), club=self.club, withdrawn=False)
        rows = rows.filter(country=self.chosen.country) if self.chosen.country else rows
        made: QuerySet[Any, Any] = rows.annotate(first_day=_number("first"), last_day=_number("until"))
        return made

    def _evenings(self) -> QuerySet[Any, Any]:
        """Return a row for each day and word of games that are those of no event."""
        entered = Event.objects.filter(
            club=self.club, withdrawn=False, name=OuterRef("event"),
            first__lte=OuterRef("date"), until__gte=OuterRef("date"),
        )  # fmt: skip
        games: QuerySet[Any, Any] = Game.objects.filter(
            self._wanted("date"), ~Exists(entered), club=self.club, status=COUNTS
        )
        games = games.exclude(event="").exclude(date=None)
        games = games.none() if self.chosen.country else games
        days: QuerySet[Any, Any] = games.order_by().annotate(day=_number("date")).values("event", "day")
        made: QuerySet[Any, Any] = days.annotate(number=Count("pk"))
        return made

    def _wanted(self, name: str) -> Q:
        """Return the condition on a column with the first day, and on the class."""
        wanted = Q(kind=self.chosen.kind) if self.chosen.kind else Q()
        if self.chosen.year is not None:
            first, after = (start_of(date(year, 1, 1)) for year in (self.chosen.year, self.chosen.year + 1))
            wanted &= Q(**{f"{name}__gte": first, f"{name}__lt": after})
        if self.chosen.until is not None:
            wanted &= Q(**{f"{name}__lt": start_of(self.chosen.until) + DAY_LONG})
        return wanted

    def _row(self, values: tuple[Any, ...]) -> CalendarRow:
        key, name, first, last, country, kind, players = values
        ends = datetime.combine(_day(first), datetime.min.time()), datetime.combine(_day(last), datetime.max.time())
        low, high = map(milliseconds, ends)
        games = Game.objects.filter(club=self.club, status=COUNTS, event=name, date__gte=low, date__lte=high).count()
        return CalendarRow(key, name, _day(first), _day(last), country, kind, games, len(players.split()) or None)


def _number(name: str) -> Any:
    """Return the number of the day of a column of moments, on every database rounded down."""
    return (F(name) + AGES * DAY_LONG) / DAY_LONG - AGES


def _day(number: int) -> date:
    moment = moment_of(0)
    assert moment is not None  # noqa: S101  # for the type checker
    return moment.date() + timedelta(days=number)
