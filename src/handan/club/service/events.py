"""Events: tournaments that are entered with all who take part, and evenings, which are games of a day and a word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import Any

import polars as pl

from handan.club import changes
from handan.club.entries import Draft
from handan.club.events import ClubEvent
from handan.club.names import NotInClubError
from handan.club.new_games import TwinError, other_twins
from handan.club.recorded import SIDES, Chosen, club_of_game
from handan.club.service.looking import Look
from handan.club.service.operation import EVENT_CHANGED, Preview, needs, refuse_overtaken
from handan.club.standings import Line
from handan.club.state import COUNTS, WITHDRAWN, State
from handan.club.store.access import Actor
from handan.club.store.calendar import Calendar, CalendarFilter
from handan.club.store.clock import today
from handan.club.store.models import Role
from handan.club.store.states import state_of
from handan.club.store.writing import Make
from handan.errors import Clause, FieldError, HandanError, InputError, shown
from handan.files.games.result_table import CrossTable, cross_table
from handan.ledger import Event, Ledger, Pairing, When
from handan.ledger.dates import DAY, read_day
from handan.ledger.events import event_of
from handan.ratings.event import Event as Effect
from handan.ratings.event import EventLine, in_places

NO_EVENING = "there is no game of {name} on {day}"


def event_with(state: State, key: str) -> ClubEvent:
    """Return an event by key; NotInClubError for one that was never entered, or withdrawn."""
    if key not in state.events or state.events[key].withdrawn:
        raise NotInClubError(Clause.of("there is no event {key}", key=shown(key)))
    return state.events[key]


def event_of_fields(fields: Mapping[str, Any]) -> Event:
    """Return an event of plain data, whose participants and pairings name players by keys; InputError if it is none."""
    try:
        return event_of(fields)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(Clause.of("this is no event: {why}", why=str(error))) from None


@needs(Role.KEEPER)
def enter_event(_: Actor, event: Event) -> Make:
    """Enter an event whose players are named by their keys."""
    return lambda state: changes.events.enter_event(state, event, today())


@needs(Role.KEEPER)
def change_event(_: Actor, key: str, fields: Mapping[str, Any], reason: str = "", seen: int | None = None) -> Make:
    """Change what is said of an event; fields that are not given stay as they are.

    InputError if an entry about the event followed the one that was `seen`.

    Its games, which are known by its name and days and are rated by their kind, get another name or kind with it.
    """

    def make(state: State) -> list[Draft]:
        entered = event_with(state, key)
        refuse_overtaken(EVENT_CHANGED, key, seen, entered.entry)
        present = changes.events.event_at(state, key).event()
        event = event_of_fields({**present.as_dict(), **fields})
        games = _games_of(state, entered.name, entered.first, entered.last)
        _check_days(event, games["date"].drop_nulls().dt.date())
        drafts = [changes.events.change_event(state, key, event, today(), reason)]
        for row in games.select("line", "kind").iter_rows(named=True):
            own = {"event": event.name} if event.name != present.name else {}
            if event.kind not in {"", present.kind} and row["kind"] in {present.kind, ""}:
                own["kind"] = event.kind
            if own:
                drafts.append(changes.games.correct_game(state, f"g{row['line']}", own, today(), reason))
        return drafts

    return make


def _check_days(event: Event, days: pl.Series) -> None:
    """Refuse days of an event between which not all of its games are."""
    first, last = days.min(), days.max()
    if not isinstance(first, date) or not isinstance(last, date) or event.first is None:
        return
    if event.first.moment.date() > first:
        expected = Clause.of("a day not after {day}, on which its first game was played", day=first)
        raise FieldError("first", str(event.first), expected)
    end = event.last or event.first
    if end.last.date() < last:
        expected = Clause.of("a day not before {day}, on which its last game was played", day=last)
        raise FieldError("last", str(end), expected)


@needs(Role.KEEPER)
def move_event(
    _: Actor, key: str, day: str, reason: str = "", seen: int | None = None, *, another: bool = False
) -> Make:  # fmt: skip
    """Let an event begin on another day; its last day and its games move as far.

    Games without a day keep none. TwinError if one then looks like a game that is there, unless they are `another`;
    InputError if an entry about the event followed the one that was `seen`.
    """

    def make(state: State) -> list[Draft]:
        entered = event_with(state, key)
        refuse_overtaken(EVENT_CHANGED, key, seen, entered.entry)
        present, distance = changes.events.event_at(state, key).event(), _distance(entered.first, day)
        first, last = ((moment + distance).date() for moment in (entered.first.moment, entered.last.last))
        moved = replace(present, first=_when(first), last=_when(last))
        games = _games_of(state, entered.name, entered.first, entered.last)
        return [
            changes.events.change_event(state, key, moved, today(), reason),
            *_moved(state, games, distance, reason, another=another),
        ]

    return make


@needs(Role.KEEPER)
def move_evening(_: Actor, name: str, day: date, to: str, reason: str = "", *, another: bool = False) -> Make:
    """Put all games of an evening on another day; TwinError as of an event."""

    def make(state: State) -> list[Draft]:
        evening = _when(day)
        games = _games_of(state, name, evening, evening)
        if games["date"].is_null().all():
            raise NotInClubError(Clause.of(NO_EVENING, name=shown(name), day=day))
        if entered := event_of_game(state, games.row(0, named=True)):
            pattern = "these are games of event {key}; it is moved as a whole"
            raise InputError(Clause.of(pattern, key=entered.key))
        return _moved(state, games, _distance(evening, to), reason, another=another)

    return make


def _games_of(state: State, name: str, first: When, last: When) -> pl.DataFrame:
    """Return the games of an event that are not withdrawn, those without a day last."""
    games = state.recorded.latest(Chosen(event=name, days=(first.moment, last.last), club=""))
    return games.filter(pl.col("status") != WITHDRAWN)


def _distance(first: When, to: str) -> timedelta:
    """Return how far an event moves that is to begin on another day; FieldError for a day on which none can begin."""
    day = read_day("date", to)
    changes.events.refuse_impossible_start("date", _when(day), today())
    if day == first.moment.date():
        raise FieldError("date", to, "another day")
    return day - first.moment.date()


def _when(day: date) -> When:
    return When(datetime.combine(day, time.min))


def _moved(state: State, games: pl.DataFrame, distance: timedelta, reason: str, *, another: bool) -> list[Draft]:
    """Return the corrections by which games are on other days, each with its time; those without a day keep none."""
    drafts, alike = list[Draft](), list[str]()
    for line, moment, precision in games.select("line", "date", "precision").drop_nulls().sort("line").iter_rows():
        key, when = f"g{line}", When(moment + distance, max(precision, DAY))
        drafts.append(changes.games.correct_game(state, key, {"date": str(when)}, today(), reason))
        alike += other_twins(state, key, drafts[-1].facts)
    moved = {draft.subject for draft in drafts}
    if not another and (alike := [key for key in dict.fromkeys(alike) if key not in moved]):
        raise TwinError(alike)
    return drafts


@needs(Role.KEEPER)
def withdraw_event(_: Actor, key: str, reason: str = "") -> Make:
    """Take an event out; its games stay."""

    def make(state: State) -> Draft:
        event_with(state, key)
        return changes.events.withdraw_event(state, key, reason)

    return make


def calendar(look: Look, chosen: CalendarFilter) -> Calendar:
    """Return the events of a club up to the day that is looked at, latest first."""
    return Calendar(look.club, chosen._replace(until=look.day_known or look.day), look.state.label_of)


@dataclass(frozen=True)
class Outcome:
    """What a result of a game that is paired would do."""

    pairing: Pairing
    """With keys of the players."""
    chance: float | None
    """That Black wins; None where the system has no law of winning, or the players are not rated."""
    black_wins: Sequence[Line]
    """What it would do to Black and to White; empty where it would not count."""
    white_wins: Sequence[Line]


@dataclass(frozen=True)
class EventLook:
    """An event or an evening as somebody sees it; each part is worked out when it is asked for, and once."""

    look: Look
    name: str
    """That of its games, also where it is not shown."""
    first: When
    last: When
    entered: ClubEvent | None = None
    """None for an evening."""
    club: str = ""
    """Short name of the federation's club whose it is; empty: of no other club."""

    @property
    def title(self) -> str:
        """The name as who looks may see it."""
        return self.look.state.label_of(self.name)

    @cached_property
    def event(self) -> Event:
        """What is known of it besides the games."""
        if self.entered is None:
            return Event(self.name, self.first, self.last)
        return self.look.state.shown_event(self.entered)

    @property
    def chosen(self) -> Chosen:
        """Which games are its."""
        days = self.first.moment, self.last.last
        return Chosen(status=COUNTS, day=self.look.day, event=self.name, days=days, club=self.club)

    @cached_property
    def games(self) -> pl.DataFrame:
        """The games that count, latest first."""
        return self.look.state.recorded.latest(self.chosen)

    @cached_property
    def ledger(self) -> Ledger:
        """The games as a ledger with the event."""
        return self.look.state.ledger_of(self.games, events=[self.event])

    @cached_property
    def layout(self) -> CrossTable:
        """The cross table."""
        return cross_table(self.ledger, "a cross table")

    @cached_property
    def keys(self) -> list[str]:
        """The key of each game of the table."""
        lines = self.ledger.arrays.column("line").to_list()
        return [f"g{lines[place]}" for place in self.layout.places]

    @cached_property
    def effect(self) -> Effect | None:
        """What it did to each player; None where no game counts or the rules find no ratings."""
        moments = dict(self.games.select("line", "date").iter_rows())
        try:
            return in_places(self.look.standings.event(self.title, moments), self.layout.rows) if moments else None
        except HandanError:
            return None

    @cached_property
    def lines(self) -> Mapping[str, EventLine]:
        """What it did, by the names that a list shows."""
        return {line.player: line for line in self.effect.lines} if self.effect else {}

    @cached_property
    def outcomes(self) -> list[Outcome]:
        """What each result would do of the first round that is paired and not played; of now alone."""
        if self.entered is None or self.look.is_past or self.look.system is not None:
            return []
        pairings = [each for each in self.entered.event().pairings if _can_be_played(self.look.state, each)]
        number = min((each.round for each in pairings), default=0)
        return _outcomes(self.look, self.entered, [each for each in pairings if each.round == number])


def event_look(look: Look, key: str) -> EventLook:
    """Return a look at an event by key; NotInClubError for one that there is not."""
    entered = event_with(look.state, key)
    return EventLook(look, entered.name, entered.first, entered.last, entered, entered.club)


def evening_look(look: Look, day: date, name: str, club: str = "") -> EventLook:
    """Return a look at the games of a day with a word of an event; NotInClubError where there is none.

    `club` is the short name of the federation's club whose they are.
    """
    when = _when(day)
    made = EventLook(look, name, when, when, club=club)
    if not made.title or not made.games.height:
        raise NotInClubError(Clause.of(NO_EVENING, name=shown(name), day=day))
    return made


def event_of_game(state: State, row: Mapping[str, Any]) -> ClubEvent | None:
    """Return the event that was entered whose game a row is; None for a game of an evening, or of nothing."""
    if not row["event"]:
        return None
    same = (event for event in state.events.named(row["event"]) if not event.withdrawn)
    return next((event for event in same if event.has(row["event"], row["date"], club_of_game(row))), None)


def _can_be_played(state: State, pairing: Pairing) -> bool:
    """Whether both are still two players who are there: they may have been merged or withdrawn since."""
    sides = {state.final(pairing.black), state.final(pairing.white)}
    return len(sides) == len(SIDES) and state.gone.isdisjoint(sides)


def _outcomes(look: Look, entered: ClubEvent, pairings: Sequence[Pairing]) -> list[Outcome]:
    """Return what the results of the games of a round would do, tried as if they were entered."""
    if not pairings:
        return []
    before, facts = state_of(look.club), entered.event()
    ranks = {each.player.name: each.rank for each in facts.participants}
    day = min(entered.last.moment.date(), today())
    players = [key for each in pairings for key in (each.black, each.white)]
    before.labels.prefetch(players)
    look.standings.prefetch(map(look.state.final, players))
    sides = []
    for result in ("B+", "W+"):
        drafts = [
            changes.games.record_game(before, {
                "black": each.black, "white": each.white, "result": result, "date": str(day), "event": facts.name,
                "handicap": min(each.handicap, 9), "round": each.round or None, "kind": facts.kind or None,
                "komi": 0.5 if each.handicap else facts.komi, "size": facts.size,
                "black_rank": ranks.get(each.black, ""), "white_rank": ranks.get(each.white, ""),
            }, today())
            for each in pairings
        ]  # fmt: skip
        sides.append(_lines(Preview.of(look.club, before, drafts), len(drafts)))
    return [
        Outcome(each, _chance(look, each, facts.komi), black_wins, white_wins)
        for each, black_wins, white_wins in zip(pairings, *sides, strict=True)
    ]


def _lines(made: Preview, number: int) -> list[Sequence[Line]]:
    """Return what each of the first games of a preview would do."""
    lines: list[Sequence[Line]] = []
    for place in range(number):
        try:
            lines.append(made.standings.game(f"g{made.before.number + 1 + place}"))
        except HandanError:
            lines.append(())
    return lines


def _chance(look: Look, pairing: Pairing, komi: float | None) -> float | None:
    state = look.state
    black, white = (state.final(key) for key in (pairing.black, pairing.white))
    try:
        return look.standings.win_probability(black, white, min(pairing.handicap, 9), 0.5 if pairing.handicap else komi)
    except HandanError:
        return None
