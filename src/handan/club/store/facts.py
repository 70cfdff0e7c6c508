"""The rows of a club's facts: written as its state changes, compared with what its entries come to, made anew."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import islice, takewhile
from typing import Any, NamedTuple

from django.db import connections, transaction

from handan.club.changes import fold
from handan.club.entries import Record
from handan.club.events import ClubEvent
from handan.club.federation import SameNumbers, federated
from handan.club.people import Person, sorted_as, stem_of
from handan.club.recorded import FOREIGN
from handan.club.state import GAME_FACTS, ClubAdjustment, EnteredSheet, Folding, State
from handan.club.store.clock import milliseconds
from handan.club.store.fact_models import Adjustment, ClubState, Event, Game, Player, Sheet
from handan.club.store.fields import FactsField
from handan.club.store.models import Club, Entry, records_of
from handan.errors import Clause, InputError
from handan.ledger.name_search import spelt


def records(club: Club, alias: str = "default") -> Iterator[Record]:
    """Go through a club's entries."""
    return records_of(Entry.objects.using(alias).filter(club=club))


def folded(club: Club, heads: Mapping[int, int] | None = None, alias: str = "default") -> State:
    """Return the state of a club, folded from all entries; a federation's with those of its clubs.

    Args:
        club: The club.
        heads: The last entry to be read of it and of each of its clubs, by their numbers in the database; None: all.
        alias: Of the database.
    """

    def up_to_head(ledger: Club) -> Iterator[Record]:
        whole = records(ledger, alias)
        return whole if heads is None else takewhile(lambda record: record.number <= heads[ledger.pk], whole)

    members = list(Club.objects.using(alias).filter(federation=club.pk).order_by("pk"))
    if not members:
        return fold(State(club.slug), up_to_head(club))
    states = [(member.pk, fold(State(member.slug), up_to_head(member))) for member in members]
    return federated(club.slug, states, up_to_head(club), SameNumbers.of(records(club, alias)))


FORM = 1
"""Of the rows: another number where a version of Handan makes other rows of the same entries."""
BATCH = 2000  # our choice: rows that are written by one statement, or compared at once
MEND = "; `handan club rebuild` makes the tables anew"
OF_STATE = [field.name for field in ClubState._meta.fields if field.name != "club"]  # noqa: SLF001
OWN_LAST = 10**18
"""In a federation its own players and adjustments stand behind those of its clubs."""
Row = Player | Game | Adjustment | Sheet | Event
Places = Callable[[str], int]
Report = Callable[[str, int, int], None]
"""Takes the name of a club, how many of its rows are looked at, and how many it should have."""


class Table(NamedTuple):
    """A table of facts."""

    model: Any
    of_state: str
    """Where a state has what the rows say."""
    key: str = "key"
    """What tells rows of a club apart."""
    order: str = "number"

    @property
    def columns(self) -> list[str]:
        """The columns with what the entries say."""
        return [field.name for field in self.model._meta.fields if field.name not in {"id", "club"}]  # noqa: SLF001

    @property
    def name(self) -> str:
        """What the rows are called in messages."""
        return str(self.model._meta.verbose_name_plural)  # noqa: SLF001  # Django's public name


PLAYERS, GAMES = Table(Player, "people"), Table(Game, "games", key="line", order="line")
ADJUSTMENTS, SHEETS, EVENTS = Table(Adjustment, "adjustments"), Table(Sheet, "sheets"), Table(Event, "events")
TABLES = (PLAYERS, GAMES, ADJUSTMENTS, SHEETS, EVENTS)


def save(club: Club, folding: Folding, state: State) -> None:
    """Write the rows that entries have changed, in the transaction in which these are written.

    Args:
        club: Whose rows.
        folding: The unit of work that took the entries.
        state: What it came to.
    """
    own: list[Collection[Any]] = [folding.touched_players, folding.touched_games]
    touched = own + [part.touched for part in (folding.adjustments, folding.sheets, folding.events)]
    for table, keys in zip(TABLES, touched, strict=True):
        if keys:
            _put(table, _rows(club, state, table, keys))
    _put_state(club, state)


def save_games(club: Club, state: State, numbers: Collection[int]) -> None:
    """Write the rows of some games, which are all that differs from the state before."""
    _put(GAMES, _rows(club, state, GAMES, numbers))
    _put_state(club, state)


def save_differing(club: Club, state: State, report: Report = lambda *_: None, alias: str = "default") -> int:
    """Let the rows of a club say what a state does; return how many did not. Those that did are left alone."""
    changed = done = 0
    whole = sum(len(getattr(state, table.of_state)) for table in TABLES)
    for table in TABLES:
        for stored, meant in _compared(club, state, table, alias):
            wrong = [row for key, row in meant.items() if key not in stored or _values(table, row) != stored[key]]
            gone = [key for key in stored if key not in meant]
            _put(table, wrong, alias)
            if gone:
                table.model.objects.using(alias).filter(club=club, **{f"{table.key}__in": gone}).delete()
            changed, done = changed + len(wrong) + len(gone), done + len(meant)
            report(club.name, done, whole)
    _put_state(club, state, alias)
    return changed


def refuse_other_rows(club: Club, state: State, alias: str = "default") -> None:
    """Raise InputError if the rows of a club do not say what a state does; it names the first row and its columns."""
    for table in TABLES:
        for stored, meant in _compared(club, state, table, alias):
            for key in sorted({*stored, *meant}, key=str):
                if key in stored and key in meant and _values(table, meant[key]) == stored[key]:
                    continue
                raise InputError(Clause.of(_difference(table, stored.get(key), meant.get(key)), club=club.name,
                                           table=table.name, key=key))  # fmt: skip
    row, meant_row = ClubState.objects.using(alias).filter(club=club).first(), _state_row(club, state)
    names = [name for name in OF_STATE if row is None or getattr(row, name) != getattr(meant_row, name)]
    if names and (row is not None or state.number):  # a club without entries needs no row
        pattern = "the table of states of clubs says something else of {club} than its entries ({names}){mend}"
        raise InputError(Clause.of(pattern, club=club.name, names=", ".join(names), mend=Clause.of(MEND)))


def _difference(table: Table, stored: tuple[Any, ...] | None, meant: Row | None) -> str:
    """Return what is wrong with a row, to be completed with club, table and key."""
    if meant is None:
        return "the table of {table} of {club} has {key}, which its entries do not know" + MEND
    if stored is None:
        return "the table of {table} of {club} lacks {key}" + MEND
    pairs = zip(table.columns, stored, _values(table, meant), strict=True)
    names = ", ".join(name for name, one, other in pairs if one != other)
    return f"the table of {{table}} of {{club}} says something else of {{key}} than its entries ({names})" + MEND


def _compared(
    club: Club, state: State, table: Table, alias: str
) -> Iterator[tuple[dict[Any, tuple[Any, ...]], dict[Any, Row]]]:
    """Go through the rows of a table, some at once: the values that stand there by key, and the rows that should."""
    all_rows = _rows(club, state, table, alias=alias)
    stored = table.model._base_manager.using(alias).filter(club=club)  # noqa: SLF001  # Django's public name
    place = table.columns.index(table.key)
    last = -1
    while True:
        part = list(islice(all_rows, BATCH))
        rows = stored.filter(**{f"{table.order}__gt": last})
        if part:
            last = getattr(part[-1], table.order)
            rows = rows.filter(**{f"{table.order}__lte": last})
        there = {values[place]: values for values in rows.values_list(*table.columns)}
        yield there, {getattr(row, table.key): row for row in part}
        if not part:
            return


def _values(table: Table, row: Row) -> tuple[Any, ...]:
    return tuple(getattr(row, name) for name in table.columns)


def _put(table: Table, rows: Iterable[Row], alias: str = "default") -> None:
    """Write rows, in the place of those of the same keys."""
    names = [field.attname for field in table.model._meta.fields if field.name != "id"]  # noqa: SLF001  # Django's public name
    values = (tuple(getattr(row, name) for name in names) for row in rows)
    put_rows(table.model, ("club_id", table.key), names, values, alias)


def put_rows(
    model: Any, unique: Sequence[str], names: Sequence[str], rows: Iterable[Sequence[Any]], alias: str = "default"
) -> None:
    """Write rows by one statement; many take a fifth of the time of Django's `bulk_create`, which binds all as objects.

    Args:
        model: Whose rows.
        unique: Columns that no two rows have alike; a row stands in the place of the one that has the same there.
        names: The columns that are written, those among them.
        rows: Their values.
        alias: Of the database.
    """
    connection = connections[alias]
    quoted = connection.ops.quote_name
    fields = {field.attname: field for field in model._meta.fields}  # noqa: SLF001  # Django's public name
    texts = [place for place, name in enumerate(names) if isinstance(fields[name], FactsField)]
    others = [quoted(name) for name in names if name not in unique]
    statement = (
        f"INSERT INTO {quoted(model._meta.db_table)} ({', '.join(map(quoted, names))})"  # noqa: S608, SLF001  # names alone
        f" VALUES ({', '.join(['%s'] * len(names))}) ON CONFLICT ({', '.join(map(quoted, unique))})"
        f" DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in others)}"
    )
    following = iter(rows)
    while part := [[*row] for row in islice(following, BATCH)]:
        for row in part:
            for place in texts:
                row[place] = fields[names[place]].get_prep_value(row[place])
        with connection.cursor() as cursor:
            cursor.executemany(statement, part)


def _put_state(club: Club, state: State, alias: str = "default") -> None:
    row = _state_row(club, state)
    ClubState.objects.using(alias).bulk_create(
        [row], update_conflicts=True, update_fields=OF_STATE, unique_fields=["club"]
    )


def _state_row(club: Club, state: State) -> ClubState:
    return ClubState(
        club=club,
        form=FORM,
        number=state.number,
        digest=state.digest,
        rules=[rules.as_dict() for rules in state.rules],
        lists=[asdict(item) for item in state.lists],
        key=state.key,
        zone=state.zone,
        sources=[asdict(source) for source in state.sources],
        strangers={key: into for key, into in state.merged.items() if key not in state.people},
    )


def _places(club: Club, alias: str = "default") -> Places:
    """Return what tells the place of a key, such as `p3` or `club.p3`, in the order of registration."""
    clubs = dict(Club.objects.using(alias).filter(federation=club.pk).values_list("slug", "pk"))
    first = OWN_LAST if clubs else 0

    def place(key: str) -> int:
        slug, _, own = key.rpartition(".")
        number = int(own[1:])
        return clubs.get(slug, 0) * FOREIGN + number if slug else first + number

    return place


def _rows(
    club: Club, state: State, table: Table, keys: Collection[Any] | None = None, alias: str = "default"
) -> Iterator[Row]:
    """Go through the rows that a table should have, in order: all, or those of some keys."""
    if table is GAMES:
        yield from _games(club, state, keys)
        return
    items, places = getattr(state, table.of_state), _places(club, alias)
    for key in sorted(items if keys is None else (key for key in keys if key in items), key=places):
        yield table.model(club=club, key=key, number=places(key), **COLUMNS[table](state, items[key]))


def _games(club: Club, state: State, numbers: Collection[int] | None) -> Iterator[Game]:
    games = state.games if numbers is None else state.recorded.numbered(numbers)
    names = ("line", "precision", *GAME_FACTS, "status", "latest", "added", "unconfirmed")
    physical = games.select(names).with_columns(date=games["date"].to_physical(), added=games["added"].to_physical())
    for values in physical.iter_rows():
        yield Game(club=club, **dict(zip(names, values, strict=True)))


def _player(state: State, person: Person) -> dict[str, Any]:
    return {
        "name": person.name, "reading": person.reading, "country": person.country, "home": person.club,
        "ids": list(person.ids), "earlier_homes": [list(home) for home in person.earlier_homes],
        "entry": person.entry, "merged_into": state.merged.get(person.key, ""),
        "withdrawn": person.key in state.withdrawn, "stem": stem_of(person.name),
        "sorted_as": "\n".join(sorted_as(person)), **spelt(person.name, person.reading, person.ids)._asdict(),
    }  # fmt: skip


def _adjustment(_: State, item: ClubAdjustment) -> dict[str, Any]:
    own = {name: getattr(item, name) for name in ("player", "withdrawn", "set_aside")}
    return {**own, "facts": dict(item.facts)}


def _sheet(_: State, item: EnteredSheet) -> dict[str, Any]:
    lists = {name: list(getattr(item, name)) for name in ("parts", "checks", "withdrawals")}
    return {**lists, "lines": [list(line) for line in item.lines]}


def _event(_: State, item: ClubEvent) -> dict[str, Any]:
    return {
        "entry": item.entry, "name": item.name, "first": milliseconds(item.first.moment),
        "until": milliseconds(item.last.last), "country": item.facts.get("country", ""),
        "kind": item.facts.get("kind", ""), "players": "".join(f" {player} " for player in item.players),
        "facts": dict(item.facts), "withdrawn": item.withdrawn,
    }  # fmt: skip


COLUMNS: dict[Table, Callable[[State, Any], dict[str, Any]]] = {
    PLAYERS: _player, ADJUSTMENTS: _adjustment, SHEETS: _sheet, EVENTS: _event,
}  # fmt: skip
"""What makes the columns of a row, but for those of a game."""


def heads_of_rows(club: Club, alias: str = "default") -> dict[int, int] | None:
    """Return the last entries that the rows of a federation follow, its own and its clubs', by numbers of clubs.

    None where they follow none, or clubs that are others than those of now.
    """
    row = ClubState.objects.using(alias).filter(club=club, form=FORM).first()
    clubs = dict(Club.objects.using(alias).filter(federation=club.pk).values_list("slug", "pk"))
    if row is None or {source["slug"] for source in row.sources} != {*clubs}:
        return None
    return {club.pk: row.number, **{clubs[source["slug"]]: source["number"] for source in row.sources}}


def refresh(club: Club, report: Report = lambda *_: None, alias: str = "default") -> int:
    """Let the rows of a club say what its entries come to when all are folded anew; return how many did not."""
    return save_differing(club, folded(club, alias=alias), report, alias)


def fill(report: Report = lambda *_: None, alias: str = "default") -> None:
    """Bring the rows of each club up to date that another version of Handan made, or none."""
    for club in Club.objects.using(alias).exclude(number=0):
        if not ClubState.objects.using(alias).filter(club=club, form=FORM, number=club.number).exists():
            with transaction.atomic(using=alias):
                refresh(club, report, alias)
