"""The state of a club after some entries: its players, games, adjustments, rules and lists. No database, no clock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, ClassVar, NamedTuple

import polars as pl

from handan.club.entries import GENESIS
from handan.club.first_days import FirstDay, first_days_of
from handan.club.game_rows import columns_of, grouped, place_of, rows_where
from handan.club.numbering import numbered_ledger, order_of
from handan.club.once import once
from handan.club.passing_on import Since, ledger_since, named
from handan.club.rules import Rules
from handan.club.sealing import FORMER, HIDDEN
from handan.club.searched import ReadSearched
from handan.club.texts import ELSEWHERE, no_games
from handan.errors import Clause, InputError, shown
from handan.ledger import Adjustment, Ledger, Player
from handan.ledger.columns import SCHEMA
from handan.ledger.likeness import Alike, like_names
from handan.ledger.names import folded, loosely_spelt
from handan.ledger.slips import SpeltNames
from handan.ledger.spellings import Spelt, Wanted, spelt, table_of

COUNTS, WITHDRAWN, WAITING, DISPUTED = 0, 1, 2, 3
"""Status of a game: it counts, it was withdrawn, it waits for confirmation, or it waits and the opponent objects."""
FOREIGN = 10**9
"""Numbers from here on belong to games of a federation's clubs."""
SEARCHED, FRAGMENTS = 200, 16  # our choice: characters and fragments of a text that is searched for
GAME_FACTS = tuple(name for name in SCHEMA if name not in {"precision", *ELSEWHERE, "entry", "line"})
"""What an entry says of a game; `black` and `white` are keys of players. Absent: the default of the games table."""


class Person(NamedTuple):
    """One player of the club; 50,000 named tuples are read from a snapshot in a fourth of the time of a data class."""

    key: str
    name: str
    reading: str = ""
    """How the name is read or written in another script; for searching and sorting."""
    country: str = ""
    club: str = ""
    ids: tuple[str, ...] = ()
    """Numbers in registers, such as `egd:17076590`."""
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

    def as_dict(self) -> dict[str, Any]:
        """Return the facts of an entry."""
        facts = {name: getattr(self, name) for name in ("name", "reading", "country", "club")}
        return {**facts, "ids": list(self.ids)}

    @classmethod
    def of(cls, key: str, facts: Mapping[str, Any], entry: int = 0) -> Person:
        """Read the facts of an entry."""
        texts = {name: str(facts.get(name, "")) for name in ("name", "reading", "country", "club")}
        return cls(key, **texts, ids=tuple(facts.get("ids", ())), entry=entry)


@dataclass(frozen=True, slots=True)
class ClubAdjustment:
    """An adjustment of the club: who, what, from when, why."""

    key: str
    player: str
    facts: Mapping[str, Any]
    withdrawn: bool = False
    set_aside: str = ""
    """Key of the player whose merger into one with ranks of their own took its effect; empty: none did."""


@dataclass(frozen=True, slots=True)
class EnteredSheet:
    """A record sheet of which games were entered, all at once or in parts, and the entries about it."""

    key: str
    lines: tuple[tuple[int, str], ...]
    """Number on the paper and key of the game, in the order of the paper."""
    parts: tuple[int, ...]
    """Entries by which its games were entered."""
    checks: tuple[int, ...] = ()
    """Entries by which somebody compared it with the paper, without those that were taken back."""
    withdrawals: tuple[int, ...] = ()
    """Entries by which checks were taken back."""


@dataclass(frozen=True, slots=True)
class Source:
    """Up to which entry the ledger of a federation's club was read."""

    slug: str
    number: int
    digest: str


@dataclass(frozen=True, slots=True)
class OfficialList:
    """An official list that was published."""

    number: int
    entry: int
    as_of: str
    label: str
    system: str


@dataclass(frozen=True)
class State:
    """What a club's entries come to, up to one of them."""

    slug: str
    """Short name of the club; it marks players who are in no register."""
    number: int = 0
    """The last entry."""
    digest: str = GENESIS
    people: Mapping[str, Person] = field(default_factory=dict)
    merged: Mapping[str, str] = field(default_factory=dict)
    """Players who were found to be another one."""
    games: pl.DataFrame = field(default_factory=no_games)
    """All games ever recorded: columns of the games table, `black` and `white` as keys of players, `line` and
    `entry` the number of the entry that recorded it, `status`, `latest`, the number of the last entry about it, and
    `added`, the moment of the first, and `unconfirmed`, whether it never was confirmed though it should be."""
    adjustments: Mapping[str, ClubAdjustment] = field(default_factory=dict)
    rules: tuple[Rules, ...] = (Rules(),)
    """In order of their dates."""
    lists: tuple[OfficialList, ...] = ()
    key: str = ""
    """The public key that signs the lists; empty as long as none was signed."""
    zone: str = ""
    """Name of the zone in which the club's days begin; empty: the server's."""
    withdrawn: frozenset[str] = frozenset()
    """Players who were entered by mistake; `gone` are those of them who are in no game."""
    sheets: Mapping[str, EnteredSheet] = field(default_factory=dict)
    """Record sheets by key, in the order of entry."""
    sources: tuple[Source, ...] = ()
    """The ledgers of the clubs, if this is a federation."""
    view: tuple[Any, ...] = ()
    """What tells apart states of the same entries: the last entry by which somebody was forgotten, and for whom
    names are left out."""

    unnamed: frozenset[str] = frozenset()
    """Events and kinds of games that are not shown, since their names tell who somebody is."""

    since: ClassVar[Since | None] = None
    """The ledger of an earlier state and the games entered or corrected since, if that is all; no part of what a state
    says."""

    grown: ClassVar[Ledger | None] = None
    """The ledger of an earlier state with the games entered since, if others were corrected too; no part of what a
    state says."""

    searched_before: ClassVar[Sequence[tuple[Spelt, Person]]] = ()
    """What an earlier state has in `searched`; no part of what a state says."""

    def person(self, key: str) -> Person:
        """Return a player by key, the one they were merged into if so; InputError for a stranger."""
        if key not in self.people:
            raise InputError(Clause.of("player {key} is not registered", key=shown(key)))
        while key in self.merged:
            key = self.merged[key]
        return self.people[key]

    @once
    def active(self) -> dict[str, Person]:
        """Players who are neither merged into another nor gone, by key."""
        absent = self.merged.keys() | self.gone
        if not absent:
            return dict(self.people)
        return {key: person for key, person in self.people.items() if key not in absent}

    @once
    def gone(self) -> frozenset[str]:
        """Players who were entered by mistake, as long as none of their games counts or waits.

        A federation may have games of players whom their club has withdrawn since: there they stay.
        """
        if not self.withdrawn:
            return frozenset()
        games = rows_where(columns_of(self.games, "black", "white"), self.games["status"] != WITHDRAWN)
        return self.withdrawn - {*games["black"].unique(), *games["white"].unique(), *self.merged.values()}

    @once
    def labels(self) -> dict[str, str]:
        """The name that a list shows for each player, no two alike: namesakes bear their number, and so do the gone."""
        labels = {key: person.name for key, person in self.active.items()}
        tries = dict[str, int]()
        while True:  # a name may look like a name with its number; keys are never alike
            times = Counter(labels.values())
            many = {label for label, number in times.items() if number > 1} if len(times) < len(labels) else set()
            alike = [key for key, label in labels.items() if label in many and tries.get(key, 0) < 2] if many else []
            if not alike:
                return labels | {key: f"{self.people[key].name} ({self.slug}:{key})" for key in self.gone}
            for key in alike:
                tries[key] = tries.get(key, 0) + 1
                number = self.id_of(key) if tries[key] == 1 else f"{self.slug}:{key}"
                labels[key] = f"{self.active[key].name} ({number})"

    @once
    def keys(self) -> dict[str, str]:
        """The key of each name that a list shows."""
        return dict(zip(map(self.labels.__getitem__, self.active), self.active, strict=True))

    @once
    def name_numbers(self) -> dict[str, int]:
        """Number of each label of the active players in the order of names, by the reading where there is one.

        Namesakes stand in the order in which they were registered.
        """
        order = sorted(self.active.values(), key=sorted_as)
        return {self.labels[person.key]: number for number, person in enumerate(order)}

    @once
    def keys_by_name(self) -> list[str]:
        """The keys of the active players in the order of `name_numbers`."""
        return [self.keys[label] for label in self.name_numbers]

    @once
    def namesakes(self) -> dict[str, tuple[str, ...]]:
        """The keys of the active players who share a name, by name, in the order in which they were registered.

        Names that are kept from who looks, or kept no longer, are none that people share.
        """
        alike = grouped((person.name, key) for key, person in self.active.items())
        return {name: tuple(keys) for name, keys in alike.items() if len(keys) > 1 and name not in {FORMER, HIDDEN}}

    @once
    def first_days(self) -> Mapping[str, FirstDay | None]:
        """When the first game of each of `namesakes` was, by key; None for who has none."""
        keys = [key for keys in self.namesakes.values() for key in keys]
        return first_days_of(self, keys, self.games.lazy().filter(pl.col("status") != WITHDRAWN))

    def id_of(self, key: str) -> str:
        """Return a player's number in a register, else their number in this club."""
        person = self.person(key)
        return person.ids[0] if person.ids else f"{self.slug}:{person.key}"

    @once
    def ledger(self) -> Ledger:
        """The games that count and the adjustments that hold; column `line` is the number in a game's key."""
        return ledger_since(self, COUNTS) or self._whole_ledger()

    def _whole_ledger(self) -> Ledger:
        counts = self.games["status"] == COUNTS
        games = self.games if counts.all() else self.games.filter(counts)
        made = numbered_ledger(self, games)
        if made is not None:
            return made
        resolved = {key: self.person(key).key for key in self.people}
        names = {key: self.labels[final] for key, final in resolved.items()}
        ids = {key: next(iter(self.people[final].ids), "") for key, final in resolved.items()}
        listed = [Player(self.labels[key], order=order_of(key)) for key in self.active]
        table = named(games, names, ids, self.slug)
        return Ledger.from_table(table, self.valid_adjustments, listed=listed).as_numbers()

    @property
    def valid_adjustments(self) -> list[Adjustment]:
        """The adjustments that hold, of players by the names that a list shows."""
        valid = [item for item in self.shown_adjustments if self.is_in_force(item)]
        return [Adjustment(self.labels[self.person(item.player).key], **item.facts) for item in valid]

    @property
    def shown_adjustments(self) -> list[ClubAdjustment]:
        """All adjustments of players who are there, in order, also those that hold no longer."""
        return [item for item in self.adjustments.values() if self.person(item.player).key not in self.gone]

    def is_in_force(self, item: ClubAdjustment) -> bool:
        """Whether an adjustment is neither withdrawn nor set aside by a merger that holds still."""
        if item.withdrawn or not item.set_aside:
            return not item.withdrawn
        key = item.player
        while key != item.set_aside and key in self.merged:
            key = self.merged[key]
        return key not in self.merged

    def label_of(self, text: str) -> str:
        """Return an event or kind of a game as it is shown: empty for one that tells who somebody is."""
        return "" if text in self.unnamed else text

    def rules_on(self, day: date) -> Rules:
        """Return the rules that hold on a day."""
        begun = [rules for rules in self.rules if rules.since is None or rules.since <= day]
        return begun[-1] if begun else self.rules[0]

    def game(self, key: str) -> dict[str, Any]:
        """Return a game's row with its status; InputError for a game that was never recorded."""
        place = place_of(self.games["line"], game_number(key))
        if place is None:
            raise InputError(Clause.of("game {key} is not in the ledger", key=shown(key)))
        return self.games.row(place, named=True)

    @once
    def homes(self) -> tuple[list[str], list[str]]:
        """Different countries and clubs of the active players, sorted."""
        countries = {person.country for person in self.active.values() if person.country}
        return sorted(countries), sorted({person.club for person in self.active.values() if person.club})

    @once
    def owners(self) -> dict[str, list[str]]:
        """The keys of the active players who bear a number of a register."""
        return grouped((number, key) for key, person in self.active.items() for number in person.ids)

    @once
    def spellings(self) -> dict[str, list[str]]:
        """The keys of the active players whose name or reading is so when folded."""
        forms = ({folded(person.name), folded(person.reading)} for person in self.active.values())
        return grouped((form, key) for key, own in zip(self.active, forms, strict=True) for form in own if form)

    @once
    def spelt_names(self) -> SpeltNames:
        """The forms of `spellings`, in which names like a text are looked for."""
        return SpeltNames(self.spellings)

    @once
    def like_names(self) -> list[Alike]:
        """The active players whose labels are like each other, as `ledger.likeness.candidates` takes them."""
        return like_names(self.keys)

    @once
    def loose_spellings(self) -> dict[str, list[str]]:
        """As `spellings`, with the words in whatever order, or without blanks in scripts that need none."""
        pairs = [(loosely_spelt(form), key) for form, keys in self.spellings.items() for key in keys]
        return grouped(dict.fromkeys(pairs))

    @once
    def searched(self) -> Sequence[tuple[Spelt, Person]]:
        """Active players with what a search looks through, worked out once."""
        before = {person.key: (forms, person) for forms, person in self.searched_before}

        def forms_of(person: Person) -> Spelt:
            forms, earlier = before.get(person.key, (None, None))
            return forms if forms and earlier == person else spelt(person.name, person.reading, person.ids)

        return [(forms_of(person), person) for person in self.active.values()]

    @once
    def searched_texts(self) -> pl.DataFrame:
        """The fields of `Spelt` of the active players, in the order of `active`."""
        if isinstance(self.searched, ReadSearched):
            return self.searched.spellings
        return table_of(forms for forms, _ in self.searched)

    def matches(self, text: str) -> list[tuple[int, Person]]:
        """Return players whose name, reading or number holds every fragment of a text in any script, best first.

        With how well it fits, smaller is better: `WHOLE` for the whole name or reading, `SOUND` where it sounds so,
        `START` where every fragment begins a word, `MIDDLE` otherwise. Of the text 200 characters and 16 different
        fragments count.
        """
        return sorted(self._fits(text), key=lambda match: (match[0], match[1].name))

    def search(self, text: str, limit: int = 20) -> list[Person]:
        """Return the players of `matches`, best first."""
        return [person for _, person in self.matches(text)][:limit]

    def matching(self, text: str) -> list[Person]:
        """Return the players of `matches`, in the order in which they were registered."""
        return [person for _, person in self._fits(text)]

    def _fits(self, text: str) -> list[tuple[int, Person]]:
        """Return `matches` in the order in which the players were registered."""
        people = [*self.active.values()]
        fits = Wanted.of(text[:SEARCHED], FRAGMENTS).fits(self.searched_texts)
        return [(fit, people[place]) for place, fit in fits.iter_rows()]


def stem_of(name: str) -> str:
    """Return a name up to a blank and a bracket: labels that could look alike are of names with the same stem."""
    return name.partition(" (")[0]


def sorted_as(person: Person) -> tuple[str, str]:
    """Return by what a player is sorted among others: the reading of the name, where there is one, then the name."""
    name = folded(person.name)
    return folded(person.reading) or name, name


def game_number(key: str) -> int:
    """Return the number in a game's key, in its one spelling; 0 for what is none."""
    number = int(key[1:]) if key[1:].isdecimal() and len(key) < 18 else 0
    return number if key == f"g{number}" else 0
