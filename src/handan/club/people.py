"""The players of a club, and questions about their names; the same of players in memory and of those in a database."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, MutableMapping
from datetime import date
from functools import cached_property
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import polars as pl

from handan.club.entries import FORMER
from handan.ledger.name_folding import folded, loosely_spelt
from handan.ledger.name_search import Wanted, spelt, table_of

Value = TypeVar("Value")


class Layer(MutableMapping[str, Value], Generic[Value]):
    """A mapping over another one, which is asked for whatever did not change."""

    def __init__(self, below: Mapping[str, Value]) -> None:
        self.below = below
        self.changed: dict[str, Value] = {}
        """New values by key, of new keys in the order in which they came."""
        self.removed: set[str] = set()

    def __getitem__(self, key: str) -> Value:
        """Return a value; KeyError where there is none."""
        if key in self.changed:
            return self.changed[key]
        if key in self.removed:
            raise KeyError(key)
        return self.below[key]

    def __setitem__(self, key: str, value: Value) -> None:
        """Put a value in its place."""
        self.changed[key] = value
        self.removed.discard(key)

    def __delitem__(self, key: str) -> None:
        """Take a value away; KeyError where there is none."""
        if key not in self:
            raise KeyError(key)
        self.changed.pop(key, None)
        if key in self.below:
            self.removed.add(key)

    def __contains__(self, key: object) -> bool:
        """Whether there is a value."""
        return key in self.changed or (key not in self.removed and key in self.below)

    def __iter__(self) -> Iterator[str]:
        """Go through the keys: those below in their order, then the new ones."""
        yield from (key for key in self.below if key not in self.removed)
        yield from (key for key in self.changed if key not in self.below)

    def __len__(self) -> int:
        """Number of keys."""
        return sum(1 for _ in self)

    @property
    def whole(self) -> Mapping[str, Value]:
        """The values without a layer: those below themselves where nothing changed; of others not in memory itself."""
        if not self.touched:
            return self.below
        if not isinstance(self.below, dict):
            return self
        kept = {key: value for key, value in self.below.items() if key not in self.removed}
        return {**kept, **self.changed}

    @property
    def touched(self) -> set[str]:
        """The keys that were set or deleted."""
        return {*self.changed, *self.removed}


class Home(NamedTuple):
    """A country and club that a player has left."""

    until: str
    """The day from which the next ones hold."""
    country: str
    club: str


class Person(NamedTuple):
    """One player of the club."""

    key: str
    name: str
    reading: str = ""
    """How the name is read or written in another script; for searching and sorting."""
    country: str = ""
    club: str = ""
    ids: tuple[str, ...] = ()
    """Numbers in registers, such as `egd:17076590`."""
    earlier_homes: tuple[Home, ...] = ()
    """Countries and clubs before those of now, oldest first."""
    entry: int = 0
    """The last entry about the player; who differs in it alone is equal."""

    def __eq__(self, other: object) -> bool:
        """Return whether another one says the same of the same player."""
        return isinstance(other, Person) and tuple(self)[:-1] == tuple(other)[:-1]

    def __ne__(self, other: object) -> bool:
        """Return whether another one does not."""
        return not self == other

    def __hash__(self) -> int:
        """Return the hash of what it says."""
        return hash(tuple(self)[:-1])

    @property
    def former(self) -> bool:
        """Whether this person was forgotten."""
        return self.name == FORMER

    @property
    def spellings(self) -> set[str]:
        """Name and reading, folded."""
        return {folded(self.name), folded(self.reading)} - {""}

    @property
    def loose_spellings(self) -> set[str]:
        """As `spellings`, with the words in whatever order, or without blanks in scripts that need none."""
        return {loosely_spelt(form) for form in self.spellings}

    def home_on(self, day: date | None) -> tuple[str, str]:
        """Return country and club on a day, None: those of now."""
        for home in self.earlier_homes if day is not None else ():
            if str(day) < home.until:
                return home.country, home.club
        return self.country, self.club

    def as_dict(self) -> dict[str, Any]:
        """Return the facts of an entry."""
        facts = {name: getattr(self, name) for name in ("name", "reading", "country", "club")}
        homes = {"earlier_homes": [home._asdict() for home in self.earlier_homes]} if self.earlier_homes else {}
        return {**facts, "ids": list(self.ids), **homes}

    @classmethod
    def of(cls, key: str, facts: Mapping[str, Any], entry: int = 0) -> Person:
        """Read the facts of an entry."""
        texts = {name: str(facts.get(name, "")) for name in ("name", "reading", "country", "club")}
        homes = tuple(Home(**home) for home in facts.get("earlier_homes", ()))
        return cls(key, **texts, ids=tuple(facts.get("ids", ())), earlier_homes=homes, entry=entry)


Form = Literal["stem", "number", "spelling", "loose spelling"]
"""Of a name: see `stem_of`; of a register; name or reading, folded; the same in whatever order of words."""
FORMS: Mapping[Form, Callable[[Person], Iterable[str]]] = {
    "stem": lambda person: (stem_of(person.name),),
    "number": lambda person: person.ids,
    "spelling": lambda person: person.spellings,
    "loose spelling": lambda person: person.loose_spellings,
}
"""What a player is called in each form."""


class People(Mapping[str, Person]):
    """Players by key, in the order of registration; also those who were merged into another, or withdrawn."""

    def __init__(self, people: Mapping[str, Person] | None = None) -> None:
        """Take the players by key."""
        self._people: Mapping[str, Person] = {} if people is None else people

    def __getitem__(self, key: str) -> Person:
        """Return a player; KeyError for a stranger."""
        return self._people[key]

    def __contains__(self, key: object) -> bool:
        """Whether a key is that of a player."""
        return key in self._people

    def __iter__(self) -> Iterator[str]:
        """Go through the keys."""
        return iter(self._people)

    def __len__(self) -> int:
        """Number of players."""
        return len(self._people)

    def names(self) -> Iterator[tuple[str, str]]:
        """Yield the key and name of each player."""
        return ((key, person.name) for key, person in self.items())

    def with_changed(self, people: Mapping[str, Person]) -> People:
        """Return these players with others in their places, or behind them."""
        return People({**self._people, **people}) if people else self

    def prefetch(self, keys: Iterable[str]) -> None:
        """Fetch some players at once, before each is asked for."""

    def prefetch_all(self) -> None:
        """Fetch all players at once, before many are asked for."""

    def prefetch_namesakes(self, keys: Iterable[str]) -> None:
        """Fetch some players at once, and those whose names have the same stems."""

    def prefetch_meant(self, texts: Iterable[str]) -> None:
        """Fetch at once the players whom texts name by their keys, or by names with the same stems."""

    def homes(self, absent: Collection[str], day: date | None) -> tuple[list[str], list[str]]:
        """Return the different countries and clubs on a day, None: now, of all but some, given by key, sorted."""
        return different_homes(person.home_on(day) for key, person in self.items() if key not in absent)

    def named(self, form: Form, text: str) -> list[Person]:
        """Return the players who have a text among their names of a form."""
        if form not in self._groups:
            self._groups[form] = _grouped(self.values(), FORMS[form])
        return self._groups[form].get(text, [])

    def fits(self, wanted: Wanted) -> list[tuple[int, Person]]:
        """Return the players whom a text that is searched for fits, and how well."""
        people = [*self.values()]
        return [(fit, people[place]) for place, fit in wanted.fits(self._table).iter_rows()]

    @cached_property
    def _groups(self) -> dict[Form, dict[str, list[Person]]]:
        """The players by their names of each form that was asked for."""
        return {}

    @cached_property
    def _table(self) -> pl.DataFrame:
        return table_of(spelt(person.name, person.reading, person.ids) for person in self.values())


class ChangedPeople(People):
    """Players of whom some are others than in the database, or new."""

    def __init__(self, below: People, changed: Mapping[str, Person]) -> None:
        """Take the players as they stand, and those who stand in their places or behind them."""
        layer = Layer(below)
        layer.update(changed)
        super().__init__(layer)
        self._below, self._changed = below, People(changed)

    def with_changed(self, people: Mapping[str, Person]) -> People:
        """Return these players with others in their places, or behind them."""
        return ChangedPeople(self._below, {**self._changed, **people}) if people else self

    def prefetch(self, keys: Iterable[str]) -> None:
        """Fetch some players at once, before each is asked for."""
        self._below.prefetch(key for key in keys if key not in self._changed)

    def prefetch_all(self) -> None:
        """Fetch all players at once, before many are asked for."""
        self._below.prefetch_all()

    def prefetch_namesakes(self, keys: Iterable[str]) -> None:
        """Fetch some players at once, and those whose names have the same stems."""
        self._below.prefetch_namesakes(key for key in keys if key not in self._changed)

    def prefetch_meant(self, texts: Iterable[str]) -> None:
        """Fetch at once the players whom texts name by their keys, or by names with the same stems."""
        self._below.prefetch_meant(texts)

    def named(self, form: Form, text: str) -> list[Person]:
        """Return the players who have a text among their names of a form."""
        stay = [person for person in self._below.named(form, text) if person.key not in self._changed]
        return sorted([*stay, *self._changed.named(form, text)], key=lambda person: order_of(person.key))

    def fits(self, wanted: Wanted) -> list[tuple[int, Person]]:
        """Return the players whom a text that is searched for fits, and how well."""
        stay = [pair for pair in self._below.fits(wanted) if pair[1].key not in self._changed]
        return sorted([*stay, *self._changed.fits(wanted)], key=lambda pair: order_of(pair[1].key))


def stem_of(name: str) -> str:
    """Return a name up to a blank and a bracket: labels that could look alike are of names with the same stem."""
    return name.partition(" (")[0]


def different_homes(homes: Iterable[tuple[str, str]]) -> tuple[list[str], list[str]]:
    """Return the different countries and clubs, each sorted."""
    countries, clubs = (sorted({*texts} - {""}) for texts in zip(*{*homes}, ("", ""), strict=True))
    return countries, clubs


def sorted_as(person: Person) -> tuple[str, str]:
    """Return by what a player is sorted among others: the reading of the name, where there is one, then the name."""
    name = folded(person.name)
    return folded(person.reading) or name, name


def order_of(key: str) -> str:
    """Return what puts players into order of registration, whatever their names: the key with a long number."""
    club, point, own = key.rpartition(".")
    return f"{club}{point}{own[:1]}{own[1:]:0>20}"


def _grouped(people: Iterable[Person], names: Callable[[Person], Iterable[str]]) -> dict[str, list[Person]]:
    """Return players by each of their names."""
    groups: dict[str, list[Person]] = {}
    for person in people:
        for name in names(person):
            groups.setdefault(name, []).append(person)
    return groups
