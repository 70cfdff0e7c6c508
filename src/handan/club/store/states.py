"""The state of a stored club: now, from the rows that follow its entries; of the past, folded from the entries."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import cached_property
from itertools import pairwise, takewhile
from typing import Any, Generic, TypeVar

import polars as pl
from django.db import OperationalError, connection, models, transaction
from django.db.models import Case, Exists, IntegerField, OuterRef, Q, QuerySet, Value, When
from django.db.models.functions import Concat, StrIndex
from django.db.models.lookups import GreaterThan

from handan.club.changes import HANDLERS
from handan.club.events import ChangedEvents, ClubEvent, Events
from handan.club.exchange import ledger_head, ledger_lines
from handan.club.federation import federated, games_of_club
from handan.club.kinds import Kind
from handan.club.people import FORMS, ChangedPeople, Form, Home, People, Person, different_homes, stem_of
from handan.club.recorded import FOREIGN, NO_GAMES, RECORDED, SIDES, ChangedGames, Chosen, Games, within
from handan.club.rules import Rules, rating_rules
from handan.club.state import COUNTS, STATUSES, ClubAdjustment, EnteredSheet, OfficialList, Source, State
from handan.club.store.clock import DAY_LONG, at_place, end_of, last_known, milliseconds, start_of, today
from handan.club.store.club_keys import signed_head
from handan.club.store.computing import computed_cache, throttle
from handan.club.store.database import BehindError, in_snapshot
from handan.club.store.fact_models import Adjustment, ClubState, Event, Game, Player, Sheet
from handan.club.store.facts import FORM, folded, records, save_differing, save_games
from handan.club.store.models import Club, Entry
from handan.ledger.name_search import BETWEEN, MIDDLE, SOUND, START, WHOLE, Wanted
from handan.ledger.phonetic import is_initials

AT_ONCE = 500  # our choice: keys that a query names; every database takes so many
PERSON_COLUMNS = ("key", "name", "reading", "country", "home", "ids", "earlier_homes", "entry")
PATIENCE = 100  # our choice: after so many questions about one or a few players, all are read
GAME_COLUMNS = [name for name in RECORDED if name != "entry"]
"""The entry that recorded a game is the number in its key."""
PHYSICAL = {"date": pl.Int64(), "added": pl.Int64()}
"""Moments as the rows count them."""
OfRow = TypeVar("OfRow")


def batches(values: Sequence[Any], size: int = AT_ONCE) -> Iterator[Sequence[Any]]:
    """Go through values, as many at once as a query names."""
    for first in range(0, len(values), size):
        yield values[first : first + size]


class StoredRows(Mapping[str, OfRow], Generic[OfRow]):
    """Rows of a table by their keys; each is read when it is asked for, all where all are."""

    def __init__(self, model: Any, club: Club, make: Callable[[Any], OfRow]) -> None:
        """Take the table, whose rows of a club are read, and what makes a value of one."""
        self._model, self._club, self._make = model, club, make
        self._by_key: dict[str, OfRow | None] = {}
        self._whole: dict[str, OfRow] | None = None

    @property
    def _rows(self) -> models.QuerySet[Any]:
        rows: models.QuerySet[Any] = self._model.objects.filter(club=self._club)
        return rows

    def __getitem__(self, key: str) -> OfRow:
        """Return what a row says; KeyError where there is none."""
        if self._whole is None and key not in self._by_key:
            row = self._rows.filter(key=key).first() if "\x00" not in key else None
            self._by_key[key] = None if row is None else self._make(row)
        value = self._by_key.get(key) if self._whole is None else self._whole.get(key)
        if value is None:
            raise KeyError(key)
        return value

    def __iter__(self) -> Iterator[str]:
        """Go through the keys, in the order of entry."""
        return iter(self._all())

    def __len__(self) -> int:
        """Number of rows."""
        return len(self._all())

    def _all(self) -> dict[str, OfRow]:
        if self._whole is None:
            rows = self._rows.order_by("number").values_list(named=True)  # a model for each row takes far longer
            self._whole = {row.key: self._make(row) for row in rows}
        return self._whole


class StoredPeople(People):
    """Players of one club; each is read once, all where all are asked for. It serves one request."""

    def __init__(self, club: int) -> None:
        """Take the number of the club in the database."""
        super().__init__()
        self._club = club
        self._by_key: dict[str, Person | None] = {}
        self._named: dict[tuple[Form, str], list[Person]] = {}
        self._questions = 0
        self._whole: People | None = None

    @property
    def _rows(self) -> QuerySet[Player]:
        return Player.objects.filter(club=self._club)

    def __getitem__(self, key: str) -> Person:
        """Return a player; KeyError for a stranger."""
        if (self._whole is None or key not in self._whole) and key not in self._by_key:
            self._count()
            self.prefetch([key])
        person = self._by_key.get(key)
        if person is None and self._whole is not None:
            person = self._whole.get(key)
        if person is None:
            raise KeyError(key)
        return person

    def __contains__(self, key: object) -> bool:
        """Whether a key is that of a player."""
        return isinstance(key, str) and self.get(key) is not None

    def __iter__(self) -> Iterator[str]:
        """Go through the keys."""
        return iter(self.whole)

    def __len__(self) -> int:
        """Number of players."""
        return self._rows.count() if self._whole is None else len(self._whole)

    def names(self) -> Iterator[tuple[str, str]]:
        """Yield the key and name of each player, without what else is known of them."""
        if self._whole is not None:
            return self._whole.names()
        return iter(self._rows.order_by("number").values_list("key", "name"))

    @property
    def whole(self) -> People:
        """All players, in memory."""
        if self._whole is None:
            self._whole = People({person.key: person for person in _people(self._rows)})
        return self._whole

    def _count(self) -> None:
        """Count a question; who asks many gets the answers from memory."""
        self._questions += 1
        if self._questions > PATIENCE:
            self.prefetch_all()

    def prefetch_all(self) -> None:
        """Fetch all players at once, before many are asked for."""
        _ = self.whole

    def with_changed(self, people: dict[str, Person]) -> People:  # type: ignore[override]
        """Return these players with others in their places, or behind them."""
        return ChangedPeople(self, people) if people else self

    def prefetch(self, keys: Iterable[str]) -> None:
        """Fetch some players at once, before each is asked for."""
        wanted = [key for key in dict.fromkeys(keys) if key not in self._by_key]
        if self._whole is not None:
            wanted = [key for key in wanted if key not in self._whole]
        self._by_key |= dict.fromkeys(wanted)
        storable = [key for key in wanted if key and is_storable(key)]
        for some in batches(storable):
            rows = self._rows.filter(key__in=some)
            self._by_key |= {person.key: person for person in _people(rows)}

    def homes(self, absent: Collection[str], day: date | None) -> tuple[list[str], list[str]]:
        """Return the different countries and clubs on a day, None: now, of all but some, given by key, sorted."""
        if day is not None or len(absent) > AT_ONCE:
            return self.whole.homes(absent, day)
        rows = self._rows.exclude(key__in=list(absent)).order_by()
        return different_homes(rows.values_list("country", "home").distinct())

    def named(self, form: Form, text: str) -> list[Person]:
        """Return the players who have a text among their names of a form."""
        if (form, text) not in self._named:
            self._count()
            if self._whole is not None:
                return self._whole.named(form, text)
            people = _people(self._rows.filter(_may_be_named(form, text))) if is_storable(text) else ()
            self._named[form, text] = [person for person in people if text in FORMS[form](person)]
            self._by_key |= {person.key: person for person in self._named[form, text]}
        return self._named[form, text]

    def prefetch_namesakes(self, keys: Iterable[str]) -> None:
        """Fetch some players at once, and those whose names have the same stems."""
        if self._whole is not None:
            return
        wanted = [key for key in dict.fromkeys(keys) if not self._has_alike(key) and is_storable(key)]
        self._by_key |= {key: self._by_key.get(key) for key in wanted}
        for some in batches(wanted):
            own = self._rows.filter(key__in=some)
            alike = [*_people(self._rows.filter(stem__in=own.order_by().values("stem")))]
            self._keep(alike, {stem_of(person.name) for person in alike})

    def prefetch_meant(self, texts: Iterable[str]) -> None:
        """Fetch at once the players whom texts name by their keys, or by names with the same stems."""
        wanted = [text for text in dict.fromkeys(texts) if is_storable(text)]
        if self._whole is None and len(wanted) <= AT_ONCE:
            stems = {stem_of(text) for text in wanted}
            self._by_key |= {text: self._by_key.get(text) for text in wanted}
            self._keep([*_people(self._rows.filter(Q(key__in=wanted) | Q(stem__in=stems)))], stems)

    def _keep(self, people: Iterable[Person], stems: Collection[str]) -> None:
        """Keep players who were read, who are all whose names have one of some stems."""
        self._named |= {("stem", stem): list[Person]() for stem in stems}
        for person in people:
            self._by_key[person.key] = person
            if (stem := stem_of(person.name)) in stems:
                self._named["stem", stem].append(person)

    def _has_alike(self, key: str) -> bool:
        """Whether a player was read with those whose names have the same stem."""
        person = self._by_key.get(key)
        return person is not None and ("stem", stem_of(person.name)) in self._named

    def fits(self, wanted: Wanted) -> list[tuple[int, Person]]:
        """Return the players whom a text that is searched for fits, and how well."""
        if self._whole is not None:
            return self._whole.fits(wanted)
        texts = [wanted.whole, wanted.heard, *(text for pair in wanted.fragments for text in pair)]
        if not all(map(is_storable, texts)):
            return []
        fits, starts = Q(), Q()
        for plain, heard in wanted.fragments:
            begins = _has("words", f" {plain}") | _has("heard", f" {heard}")
            within = _has("words", plain)
            fits &= begins | within if is_initials(plain) else within | _has("heard", heard)
            starts &= begins
        grades = [When(_is_one_of("wholes", wanted.whole), then=WHOLE),
                  When(_is_one_of("sounds", wanted.heard), then=SOUND)]  # fmt: skip
        grades += [When(starts, then=START)] if wanted.fragments else []
        otherwise = Value(MIDDLE if wanted.fragments else START)
        rows = self._rows.filter(fits).annotate(fit=Case(*grades, default=otherwise, output_field=IntegerField()))
        return [(fit, _person(*values)) for *values, fit in rows.order_by("number").values_list(*PERSON_COLUMNS, "fit")]


def is_storable(text: str) -> bool:
    """Whether a database takes a text; what it does not take stands nowhere in it."""
    return "\x00" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


def _people(rows: QuerySet[Player]) -> Iterator[Person]:
    return (_person(*values) for values in rows.order_by("number").values_list(*PERSON_COLUMNS))


def _person(
    key: str, name: str, reading: str, country: str, home: str, ids: Any, earlier: Any, entry: int
) -> Person:  # fmt: skip
    return Person(key, name, reading, country, home, tuple(ids), tuple(Home(*each) for each in earlier), entry)


def _may_be_named(form: Form, text: str) -> Q:
    """Return a condition that all players satisfy who have a text among their names of a form, and few others."""
    if form == "stem":
        return Q(stem=text)
    if form == "number":
        return _has("words", f" {text}")
    words = Q()
    for word in text.split() if form == "loose spelling" else ():
        words &= _has("words", word)
    return words | _has("wholes", BETWEEN + text)


def _has(column: str, text: str) -> Q:
    """Return whether a column has a text in it, letter by letter; `LIKE` takes some capitals for small letters."""
    return Q(GreaterThan(StrIndex(column, Value(text)), 0))


def _is_one_of(column: str, text: str) -> Q:
    """Return whether one of the forms in a column is a text."""
    return Q(GreaterThan(StrIndex(Concat(column, Value(BETWEEN)), Value(BETWEEN + text + BETWEEN)), 0))


class StoredGames(Games):
    """Games of one club; all are read once, where all are asked for. It serves one request."""

    def __init__(self, club: int) -> None:
        """Take the number of the club in the database."""
        self.club = club
        self._by_number: dict[int, dict[str, Any]] = {}

    @property
    def _rows(self) -> QuerySet[Game]:
        return Game.objects.filter(club=self.club)

    @cached_property
    def frame(self) -> pl.DataFrame:
        """All games."""
        return table_of_games(self._rows)

    def rows(self, chosen: Chosen) -> pl.DataFrame:
        """Return the games that are asked for, in the order of their numbers."""
        if len(chosen.numbers or ()) > AT_ONCE:
            parts = batches(sorted({*chosen.numbers}))  # type: ignore[misc]  # there are some
            return pl.concat([self.rows(chosen._replace(numbers=some)) for some in parts])
        rows = self._query(chosen)
        return within(self.frame, chosen) if rows is None else table_of_games(rows)

    def get(self, number: int) -> dict[str, Any] | None:
        """Return a game by the number in its key; None where it was never recorded."""
        if number not in self._by_number:
            self.prefetch([number])
        return self._by_number.get(number)

    def prefetch(self, numbers: Collection[int]) -> None:
        """Fetch some games at once, before each is asked for."""
        self._by_number |= {row["line"]: row for row in self.numbered(numbers).iter_rows(named=True)}

    def latest(self, chosen: Chosen, start: int = 0, stop: int | None = None) -> pl.DataFrame:
        """Return games from a place to before another, latest first, those without a date last."""
        rows = self._query(chosen)
        if rows is None:
            return super().latest(chosen, start, stop)
        dated, undated = rows.exclude(date=None).order_by("-date", "-line"), rows.filter(date=None).order_by("-line")
        table = table_of_games(dated[start:stop])
        if chosen.day is not None or (stop is not None and table.height == stop - start):
            return table
        before = start + table.height if table.height else dated.count()  # dated games in front of the others
        rest = undated[max(start - before, 0) : None if stop is None else max(stop - before, 0)]
        return pl.concat([table, table_of_games(rest)])

    def count(self, chosen: Chosen) -> int:
        """Return how many games are asked for."""
        rows = self._query(chosen)
        return super().count(chosen) if rows is None else rows.count()

    def _query(self, chosen: Chosen) -> QuerySet[Game] | None:
        """Return the rows that are asked for; None where so much is named that they are chosen in memory."""
        if max(len(chosen.keys or ()), len(chosen.dates or ())) > AT_ONCE:
            return None
        rows, statuses = self._rows, chosen.statuses if chosen.status is None else (chosen.status,)
        if statuses is not None:
            counting = Q() if COUNTS in statuses else ~Q(status=COUNTS)  # few do not count, and they have an index
            rows = rows.filter(counting, status__in=STATUSES.intersection(statuses))
        if chosen.numbers is not None:
            rows = rows.filter(line__in=chosen.numbers)
        if chosen.dates is not None:
            dated = Q(pk__in=[])
            for first, last in periods_of(chosen.dates):
                dated |= Q(date__gte=start_of(first), date__lt=start_of(last) + DAY_LONG)
            rows = any_of(rows, Q(date=None), dated) if chosen.undated else rows.filter(dated)
        if chosen.keys is not None:
            rows = games_with(rows, chosen.keys)
        if chosen.day is not None:
            rows = rows.filter(date__lt=start_of(chosen.day) + DAY_LONG)
        if chosen.event is not None:
            rows = rows.filter(event=chosen.event.replace("\x00", ""))
        if chosen.days is not None:
            first, last = map(milliseconds, chosen.days)
            rows = any_of(rows, Q(date__gte=first, date__lte=last), Q(date=None))
        return rows if chosen.club is None else entered_by(rows, chosen.club)

    def with_changed(self, rows: pl.DataFrame) -> Games:
        """Return these games with others in their places, or among them."""
        return ChangedGames(self, rows) if rows.height else self


def entered_by(rows: QuerySet[Game], club: str) -> QuerySet[Game]:
    """Return those of some games that a club of a federation entered, or no other club where the name is empty."""
    return rows.filter(line__gte=FOREIGN, black__startswith=f"{club}.") if club else rows.filter(line__lt=FOREIGN)


def games_with(rows: QuerySet[Game], keys: Collection[str]) -> QuerySet[Game]:
    """Return those of some games in which one of some players sits."""
    return any_of(rows, *(Q(**{f"{side}__in": list(keys)}) for side in SIDES))


def any_of(rows: QuerySet[Game], one: Q, other: Q) -> QuerySet[Game]:
    """Return those of some games for which one of two conditions holds.

    Each has an index, which SQLite does not use where both stand in one condition.
    """
    first, second = (rows.filter(each).order_by().values("pk") for each in (one, other))
    return Game.objects.filter(pk__in=first.union(second))


def periods_of(days: Iterable[date]) -> Iterator[tuple[date, date]]:
    """Yield the first and the last day of each row of days without a gap."""
    ordered = sorted({*days})
    gaps = [place for place in range(1, len(ordered)) if ordered[place] - ordered[place - 1] > timedelta(days=1)]
    for start, stop in pairwise([0, *gaps, len(ordered)]):
        if start < stop:
            yield ordered[start], ordered[stop - 1]


def table_of_games(rows: QuerySet[Game]) -> pl.DataFrame:
    """Return rows of games as a table, in their order: without another one that of their numbers.

    The database is not asked for that order: SQLite would go through all games by it rather than through the few.
    """
    plain = not rows.query.order_by
    values = (rows.order_by() if plain else rows).values_list(*GAME_COLUMNS)
    columns = list(zip(*values, strict=True))
    if not columns:
        return NO_GAMES
    made = {
        name: pl.Series(name, values, dtype=PHYSICAL.get(name, RECORDED[name])).cast(RECORDED[name])
        for name, values in zip(GAME_COLUMNS, columns, strict=True)
    }
    made["entry"] = made["line"].alias("entry")
    table = pl.DataFrame([made[name] for name in RECORDED])
    return table.sort("line") if plain else table


class StoredEvents(Events):
    """Events that are read when they are asked for."""

    def __init__(self, club: Club) -> None:
        """Take the club."""
        self._events, self._club = StoredRows(Event, club, _event), club
        self._by_name: dict[str, list[ClubEvent]] = {}

    def named(self, name: str) -> list[ClubEvent]:
        """Return the events of a name, those that were withdrawn among them."""
        self.prefetch([name])
        return self._by_name[name]

    def prefetch(self, names: Iterable[str]) -> None:
        """Fetch the events of some names at once, before each is asked for."""
        new = [name for name in dict.fromkeys(names) if name not in self._by_name]
        self._by_name |= {name: [] for name in new}
        for some in batches([name for name in new if "\x00" not in name]):
            for row in Event.objects.filter(club=self._club, name__in=some).order_by("number"):
                self._by_name[row.name].append(_event(row))

    def of(self, players: Collection[str]) -> list[ClubEvent]:
        """Return the events in which somebody takes part who has one of some keys."""
        wanted = Q(pk__in=())
        for key in players:
            wanted |= Q(players__contains=f" {key} ")
        return [_event(row) for row in Event.objects.filter(wanted, club=self._club).order_by("number")]

    def with_changed(self, changed: Mapping[str, ClubEvent]) -> Events:
        """Return these events with others in their places, or behind them."""
        return ChangedEvents(self, changed) if changed else self


def _event(row: Event) -> ClubEvent:
    return ClubEvent(row.key, row.entry, row.facts, row.withdrawn)


_lock = threading.Lock()
_forgotten: dict[int, int] = {}
"""The last entry by which each club forgot somebody, as far as this process knows."""


def state_of(club: Club) -> State:
    """Return the club's state up to its last entry; its rows are read when they are asked for, and serve one request.

    A federation's state holds those of its clubs: its rows follow theirs when somebody looks. Where a full disk or a
    lock keeps them behind, it is folded from the entries.

    BehindError within a snapshot if the rows are to follow first.
    """
    state = followed_state(club)
    if state is None:
        if in_snapshot():
            raise BehindError
        own = Club.objects.get(pk=club.pk)
        try:
            state = _of_rows(own, _followed(own))
        except OperationalError:
            if connection.in_atomic_block:
                raise
            state = state_at(own, own.number)
    return state


def followed_state(club: Club) -> State | None:
    """Return the club's state if its rows follow its last entry, and those of a federation the entries of its clubs."""
    has_members = Exists(Club.objects.filter(federation=OuterRef("club")))
    rows = ClubState.objects.filter(club=club.pk, form=FORM).select_related("club").annotate(has_members=has_members)
    row = rows.first()
    own = Club.objects.get(pk=club.pk) if row is None else row.club
    members = list(Club.objects.filter(federation=own.pk).order_by("pk")) if row is None or row.has_members else []
    _drop_what_was_forgotten({ledger.pk: ledger.forgotten for ledger in (own, *members)})
    if not own.number and not members:
        return State(own.slug)
    return None if row is None or not _is_fresh(row, own, members) else _of_rows(own, row)


def phases_of(state: State, day: date | None = None) -> list[Rules]:
    """Return the rules under which the games of a club are rated today or on a past day, each from its own date on."""
    return rating_rules(state.rules, min(day or today(), today()))


def rules_of(clubs: Iterable[Club]) -> dict[Club, Rules]:
    """Return the rules that each of some clubs goes by now, read at once where rows follow the club's last entry."""
    each = list(clubs)
    rows = ClubState.objects.filter(club__in=each, form=FORM).values_list("club", "number", "digest", "rules")
    stored = {(club, number, digest): Rules.of(rules[-1]) for club, number, digest, rules in rows}
    return {club: stored.get((club.pk, club.number, club.digest)) or state_of(club).rules[-1] for club in each}


def _is_fresh(row: ClubState, own: Club, members: list[Club]) -> bool:
    """Whether rows follow the last entries of a club, and of the clubs of a federation."""
    heads = [(member.slug, member.number, member.digest) for member in members]
    sources = [(source["slug"], source["number"], source["digest"]) for source in row.sources]
    return (row.number, row.digest, sources) == (own.number, own.digest, heads)


def _followed(club: Club) -> ClubState:
    """Return up to where the rows of a club follow the entries, which they do from now on."""
    with transaction.atomic():
        own = Club.objects.select_for_update().get(pk=club.pk)
        members = list(Club.objects.filter(federation=own.pk).order_by("pk"))
        row = ClubState.objects.filter(club=own, form=FORM).first()
        if row is None or not _is_fresh(row, own, members):
            states = [(member.pk, state_of(member)) for member in members]
            if not members:
                save_differing(own, folded(own))
            elif row is None or not _follow_games(own, row, states):
                save_differing(own, federated(own.slug, states, records(own)))
        return ClubState.objects.get(club=own)


def _follow_games(federation: Club, row: ClubState, states: list[tuple[int, State]]) -> bool:
    """Let the rows of a federation follow entries of its clubs about games; whether there were no others.

    Somebody who was withdrawn is there again with a game: then all is compared.
    """
    before = {source["slug"]: source["number"] for source in row.sources}
    if row.number != federation.number or [*before] != [state.slug for _, state in states]:
        return False
    parts = []
    for number, state in states:
        kinds = Entry.objects.filter(club=number, number__gt=before[state.slug]).values_list("kind", flat=True)
        if (
            state.withdrawn
            or state.number < before[state.slug]
            or not all(HANDLERS[Kind(kind)].of_game for kind in kinds)
        ):
            return False
        games = table_of_games(Game.objects.filter(club=number, latest__gt=before[state.slug]))
        parts.append(games_of_club(state.slug, number, games))
    changed = pl.concat(parts)
    state = _of_rows(federation, row)
    sources = tuple(Source(state.slug, state.number, state.digest) for _, state in states)
    after = replace(state, recorded=state.recorded.with_changed(changed), sources=sources)
    save_games(federation, after, changed["line"].to_list())
    return True


def _of_rows(club: Club, row: ClubState) -> State:
    """Return the state of a club whose rows follow its entries."""
    another = Player.objects.filter(~Q(merged_into="") | Q(withdrawn=True), club=club).order_by()
    others = sorted(another.values_list("number", "key", "merged_into", "withdrawn"))  # by their index, as they are few
    return State(
        club.slug,
        number=row.number,
        digest=row.digest,
        people=StoredPeople(club.pk),
        merged={key: into for _, key, into, _ in others if into} | row.strangers,
        recorded=StoredGames(club.pk),
        adjustments=StoredRows(Adjustment, club, _adjustment),
        rules=tuple(Rules.of(rules) for rules in row.rules),
        lists=tuple(OfficialList(**item) for item in row.lists),
        key=row.key,
        zone=row.zone,
        withdrawn=frozenset(key for _, key, _, withdrawn in others if withdrawn),
        sheets=StoredRows(Sheet, club, _sheet),
        events=StoredEvents(club),
        sources=tuple(Source(**source) for source in row.sources),
    )


def _adjustment(row: Adjustment) -> ClubAdjustment:
    return ClubAdjustment(row.key, row.player, row.facts, row.withdrawn, row.set_aside)


def _sheet(row: Sheet) -> EnteredSheet:
    lines = tuple((number, key) for number, key in row.lines)
    return EnteredSheet(row.key, lines, tuple(row.parts), tuple(row.checks), tuple(row.withdrawals))


def _drop_what_was_forgotten(last: Mapping[int, int]) -> None:
    """Drop what this process keeps where clubs forgot somebody since, given the last entries by which they did."""
    with _lock:
        newer = any(_forgotten.get(number, 0) != entry for number, entry in last.items())
        _forgotten.update(last)
    if newer:
        computed_cache.forget()


def state_known(club: Club, day: date) -> State:
    """Return the club's state as it was known at the end of a day; `clock.last_known` has the rule."""
    with at_place(club):
        if day >= today():
            return state_of(club)
        end = end_of(day)
    ledgers = [club, *Club.objects.filter(federation=club.pk).order_by("pk")]
    return _past(club, {ledger.pk: _head(ledger, last_known(ledger, end)) for ledger in ledgers})


def state_at(club: Club, number: int) -> State:
    """Return a club's state up to one of its entries; a federation's with its clubs as they are now."""
    members = Club.objects.filter(federation=club.pk).order_by("pk")
    return _past(club, {club.pk: _head(club, number), **{item.pk: (item.number, item.digest) for item in members}})


def _past(club: Club, heads: Mapping[int, tuple[int, str]]) -> State:
    """Return a state of the past, at the cost of who asks."""
    _drop_what_was_forgotten(dict(Club.objects.filter(pk__in=[*heads]).values_list("pk", "forgotten")))

    def make() -> State:
        with throttle.computing():
            return folded(club, {ledger: number for ledger, (number, _) in heads.items()})

    return computed_cache.get(("known", tuple(heads.items())), make)


def _head(club: Club, number: int) -> tuple[int, str]:
    """Return an entry's number and digest; of entry 0, which no club has, the number alone."""
    return number, Entry.objects.filter(club=club, number=number).values_list("digest", flat=True).first() or ""


def ledger_file(club: Club) -> Iterator[bytes]:
    """Go through the lines of a club's ledger as a file; entries written meanwhile are not in it."""
    number, digest = Club.objects.values_list("number", "digest").get(pk=club.pk)
    entries = takewhile(lambda record: record.number <= number, records(club))
    return ledger_lines(signed_head(club, ledger_head(club.slug, club.name, number, digest)), entries)
