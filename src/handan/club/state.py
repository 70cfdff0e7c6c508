"""The state of a club after some entries: its players, games, adjustments, rules and lists; and one in the making."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from typing import Any

import polars as pl

from handan.club.entries import FORMER, GENESIS, HIDDEN, Draft, Record
from handan.club.events import ClubEvent, Events
from handan.club.kinds import Kind
from handan.club.people import Layer, People, Person, order_of, sorted_as, stem_of
from handan.club.recorded import ELSEWHERE, FOREIGN, NO_GAMES, RECORDED, SIDES, Games, typed_games
from handan.club.rules import Rules
from handan.errors import Clause, InputError, shown
from handan.ledger import Adjustment, Event, Ledger, Participant, Player
from handan.ledger.columns import SCHEMA
from handan.ledger.name_folding import folded, loosely_spelt
from handan.ledger.name_search import Wanted
from handan.ledger.similar_names import Alike, like_players
from handan.ledger.typos import SpeltNames

COUNTS, WITHDRAWN, WAITING, DISPUTED = 0, 1, 2, 3
"""Status of a game: it counts, it was withdrawn, it waits for confirmation, or it waits and the opponent objects."""
STATUSES = {COUNTS, WITHDRAWN, WAITING, DISPUTED}
SEARCHED, FRAGMENTS = 200, 16  # our choice: characters and fragments of a text that is searched for
GAME_FACTS = tuple(name for name in SCHEMA if name not in {"precision", *ELSEWHERE, "entry", "line"})
"""What an entry says of a game; `black` and `white` are keys of players. Absent: the default of the games table."""


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
    """What a club's entries come to, up to one of them.

    Its players and games are in memory, or in a database and read when they are asked for.
    """

    slug: str
    """Short name of the club; it marks players who are in no register."""
    number: int = 0
    """The last entry."""
    digest: str = GENESIS
    people: People = field(default_factory=People)
    merged: Mapping[str, str] = field(default_factory=dict)
    """Players who were found to be another one."""
    recorded: Games = field(default_factory=Games)
    """All games ever recorded."""
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
    events: Events = field(default_factory=Events)
    """Tournaments and other events that were entered, by key, in the order of entry."""
    sources: tuple[Source, ...] = ()
    """The ledgers of the clubs, if this is a federation."""
    view: tuple[Any, ...] = ()
    """For whom names are left out, which tells apart states of the same entries."""
    unnamed: Container[str] = frozenset()
    """Events and kinds of games that are not shown, since their names tell who somebody is."""

    @property
    def head(self) -> str:
        """A digest that no other state has, neither of the club nor of the clubs of its federation."""
        if not self.sources:
            return self.digest
        return hashlib.sha256(repr((self.digest, self.sources)).encode()).hexdigest()

    @property
    def games(self) -> pl.DataFrame:
        """All games ever recorded, as a table."""
        return self.recorded.frame

    def person(self, key: str) -> Person:
        """Return a player by key, the one they were merged into if so; InputError for a stranger."""
        if key not in self.people:
            raise InputError(Clause.of("player {key} is not registered", key=shown(key)))
        return self.people[self.final(key)]

    def final(self, key: str) -> str:
        """Return whom a player was found to be."""
        while key in self.merged:
            key = self.merged[key]
        return key

    def names_of(self, key: str) -> list[str]:
        """Return the keys under which a player's games stand: their own and those merged into it."""
        merged = [other for other in self.merged if self.final(other) == key and other in self.people]
        return [*([key] if key in self.people and key not in self.merged else []), *sorted(merged, key=order_of)]

    def is_active(self, key: str) -> bool:
        """Whether a player is neither merged into another nor gone."""
        return key not in self.merged and key not in self.gone

    @property
    def active(self) -> Mapping[str, Person]:
        """Players who are neither merged into another nor gone, by key."""
        return Active(self)

    @cached_property
    def number_of_players(self) -> int:
        """Number of active players, who are not read for it."""
        others = self.merged.keys() | self.gone
        self.people.prefetch(others)
        return len(self.people) - sum(key in self.people for key in others)

    @cached_property
    def gone(self) -> frozenset[str]:
        """Players who were entered by mistake, as long as none of their games counts or waits.

        A federation may have games of players whom their club has withdrawn since: there they stay.
        """
        if not self.withdrawn:
            return frozenset()
        games = self.recorded.of(self.withdrawn).filter(pl.col("status") != WITHDRAWN)
        return self.withdrawn - {*games["black"], *games["white"], *self.merged.values()}

    @cached_property
    def labels(self) -> Labels:
        """The name that a list shows for each player by key, no two alike."""
        return Labels(self)

    @cached_property
    def keys(self) -> Mapping[str, str]:
        """The key of each name that a list shows."""
        return Keys(self)

    @cached_property
    def keys_by_name(self) -> list[str]:
        """The keys of the active players in the order of names, by the reading where there is one.

        Namesakes stand in the order in which they were registered.
        """
        return [person.key for person in sorted(self.active.values(), key=sorted_as)]

    def namesakes(self, name: str) -> tuple[str, ...]:
        """Return the keys of the active players who share a name, as they were registered; none where only one has it.

        Names that are kept from who looks, or kept no longer, are none that people share.
        """
        alike = [] if name in {FORMER, HIDDEN} else self.people.named("stem", stem_of(name))
        keys = self._active_keys(person for person in alike if person.name == name)
        return tuple(keys) if len(keys) > 1 else ()

    def id_of(self, key: str) -> str:
        """Return a player's number in a register, else their number in this club."""
        person = self.person(key)
        return person.ids[0] if person.ids else f"{self.slug}:{person.key}"

    @cached_property
    def ledger(self) -> Ledger:
        """The games that count and the adjustments that hold; column `line` is the number in a game's key."""
        listed = [Player(self.labels[key], order=f"{place:020}") for place, key in enumerate(self.active)]
        return self.ledger_of(self.games, self.valid_adjustments, listed)

    def ledger_of(
        self, games: pl.DataFrame, adjustments: Iterable[Adjustment] = (), listed: Iterable[Player] = (),
        events: Iterable[Event] = (),
    ) -> Ledger:  # fmt: skip
        """Return those of some games that count as a ledger, with players by the names that a list shows."""
        games = games.filter(pl.col("status") == COUNTS)
        keys = dict.fromkeys([*games["black"].unique(maintain_order=True), *games["white"].unique(maintain_order=True)])
        self.labels.prefetch(keys)
        finals = {key: self.person(key) for key in keys}
        names = {key: self.labels[person.key] for key, person in finals.items()}
        ids = {key: next(iter(person.ids), "") for key, person in finals.items()}
        sides = [pl.col(side).replace_strict(names, return_dtype=pl.String) for side in SIDES]
        numbers = [pl.col(side).replace_strict(ids, return_dtype=pl.String).alias(f"{side}_id") for side in SIDES]
        table = games.with_columns(*sides, *numbers, source=pl.lit(self.slug)) if keys else pl.DataFrame(schema=SCHEMA)
        table = table.select(list(SCHEMA)).cast(SCHEMA)
        return Ledger.from_table(table, adjustments, listed=listed, events=events)

    def shown_event(self, event: ClubEvent) -> Event:
        """Return an event as files tell events, with players by the names that a list shows, and their numbers.

        Two who were merged since take part as one, who has the byes of both, and are no longer paired with each other.
        """
        self.people.prefetch(event.players)
        plain = event.event()
        people = [self.person(each.player.name) for each in plain.participants]
        self.labels.prefetch([person.key for person in people])
        listed: dict[str, Participant] = {}
        for each, person in zip(plain.participants, people, strict=True):
            player = replace(each.player, name=self.labels[person.key], id=next(iter(person.ids), ""))
            first = listed.get(person.key, replace(each, player=player))
            byes = {**dict(each.byes), **dict(first.byes)}
            listed[person.key] = replace(first, byes=tuple(sorted(byes.items())))
        pairings = [
            replace(each, black=self.labels[self.final(each.black)], white=self.labels[self.final(each.white)])
            for each in plain.pairings
            if self.final(each.black) != self.final(each.white)
        ]
        return replace(plain, participants=tuple(listed.values()), pairings=tuple(pairings))

    @property
    def valid_adjustments(self) -> list[Adjustment]:
        """The adjustments that hold, of players by the names that a list shows."""
        valid = [item for item in self.shown_adjustments if self.is_in_force(item)]
        return [Adjustment(self.labels[self.person(item.player).key], **item.facts) for item in valid]

    @property
    def shown_adjustments(self) -> list[ClubAdjustment]:
        """All adjustments of players who are there, in order, also those that hold no longer."""
        return [item for item in self.adjustments.values() if self.final(item.player) not in self.gone]

    def is_in_force(self, item: ClubAdjustment) -> bool:
        """Whether an adjustment is neither withdrawn nor set aside by a merger that holds still."""
        if item.withdrawn or not item.set_aside:
            return not item.withdrawn
        key = item.player
        while key != item.set_aside and key in self.merged:
            key = self.merged[key]
        return key not in self.merged

    def label_of(self, text: str) -> str:
        """Return an event, kind or note of a game as it is shown: empty for one that tells who somebody is."""
        return "" if text in self.unnamed else text

    def rules_on(self, day: date) -> Rules:
        """Return the rules that hold on a day."""
        begun = [rules for rules in self.rules if rules.since is None or rules.since <= day]
        return begun[-1] if begun else self.rules[0]

    def game(self, key: str) -> dict[str, Any]:
        """Return a game's row with its status; InputError for a game that was never recorded."""
        row = self.recorded.get(game_number(key))
        if row is None:
            raise InputError(Clause.of("game {key} is not in the ledger", key=shown(key)))
        return row

    def homes(self, day: date | None = None) -> tuple[list[str], list[str]]:
        """Return the different countries and clubs of the active players on a day, None: now, sorted."""
        return self.people.homes(self.merged.keys() | self.gone, day)

    def bearing(self, number: str) -> list[str]:
        """Return the keys of the active players who bear a number of a register."""
        return self._active_keys(self.people.named("number", number))

    def spelt(self, name: str) -> list[str]:
        """Return the keys of the active players whose name or reading is so, whatever its marks and capitals."""
        return self._active_keys(self.people.named("spelling", folded(name)))

    def loosely_spelt(self, name: str) -> list[str]:
        """Return the keys as `spelt`, with the words in whatever order, or without blanks in scripts that need none."""
        return self._active_keys(self.people.named("loose spelling", loosely_spelt(name)))

    def _active_keys(self, people: Iterable[Person]) -> list[str]:
        return [person.key for person in people if self.is_active(person.key)]

    @cached_property
    def spelt_names(self) -> SpeltNames:
        """The names and readings of the active players, folded, in which names like a text are looked for."""
        return SpeltNames(dict.fromkeys(form for person in self.active.values() for form in sorted(person.spellings)))

    @cached_property
    def like_names(self) -> list[Alike]:
        """The active players whose names are like each other, as `ledger.similar_names.candidates` takes them."""
        return like_players({self.labels[key]: person.name for key, person in self.active.items()})

    def matches(self, text: str) -> list[tuple[int, Person]]:
        """Return players whose name, reading or number holds every fragment of a text in any script, best first.

        With how well it fits, smaller is better: `WHOLE` for the whole name or reading, `SOUND` where it sounds so,
        `START` where every fragment begins a word, `MIDDLE` otherwise. Of the text 200 characters and 16 different
        fragments count.
        """
        return sorted(self._fits(text), key=lambda match: (match[0], match[1].name))

    def search(self, text: str, limit: int = 20) -> list[Person]:
        """Return the players of `matches`, best first; nobody for a text without a word."""
        return [person for _, person in self.matches(text)][:limit] if text.strip() else []

    def matching(self, text: str) -> list[Person]:
        """Return the players of `matches`, in the order in which they were registered."""
        return [person for _, person in self._fits(text)]

    def _fits(self, text: str) -> list[tuple[int, Person]]:
        """Return `matches` in the order in which the players were registered."""
        wanted = Wanted.of(text[:SEARCHED], FRAGMENTS)
        return [(fit, person) for fit, person in self.people.fits(wanted) if self.is_active(person.key)]


class Active(Mapping[str, Person]):
    """Players of a club who are neither merged into another nor gone, by key."""

    def __init__(self, state: State) -> None:
        """Take the club."""
        self.state = state

    def __getitem__(self, key: str) -> Person:
        """Return a player; KeyError for who is not active."""
        if not self.state.is_active(key):
            raise KeyError(key)
        return self.state.people[key]

    def __iter__(self) -> Iterator[str]:
        """Go through the keys, in the order of registration."""
        return (key for key in self.state.people if self.state.is_active(key))

    def __len__(self) -> int:
        """Number of active players."""
        return sum(1 for _ in self)


def game_number(key: str) -> int:
    """Return the number in a game's key, in its one spelling; 0 for what is none."""
    number = int(key[1:]) if key[1:].isdecimal() and len(key) < 18 else 0
    return number if key == f"g{number}" else 0


class Labels(Mapping[str, str]):
    """The name that a list shows for each player by key: namesakes bear their number, and so do the gone.

    No two are alike. Only names with the same stem can have labels that look alike, so that a label is worked out from
    these alone.
    """

    def __init__(self, state: State) -> None:
        """Take the club."""
        self.state = state
        self._by_stem: dict[str, dict[str, str]] = {}

    def __getitem__(self, key: str) -> str:
        """Return the label of a player; KeyError for a stranger, and for who was merged into another."""
        person = self.state.people[key]
        if key in self.state.gone:
            return f"{person.name} ({self.state.slug}:{key})"
        if key in self.state.merged:
            raise KeyError(key)
        label = self.of_stem(stem_of(person.name)).get(key)
        return person.name if label is None else label  # somebody who came since the others were read

    def __iter__(self) -> Iterator[str]:
        """Go through the keys: of the active players, then of the gone."""
        yield from self.state.active
        yield from self.state.gone

    def __len__(self) -> int:
        """Number of players who are not merged into another."""
        return len(self.state.active) + len(self.state.gone)

    def prefetch(self, keys: Iterable[str]) -> None:
        """Fetch at once what the labels of some players are made of."""
        self.state.people.prefetch_namesakes({self.state.final(key) for key in keys})

    def of_stem(self, stem: str) -> dict[str, str]:
        """Return the labels of the active players whose names have a stem, by key."""
        if stem not in self._by_stem:
            people = [person for person in self.state.people.named("stem", stem) if self.state.is_active(person.key)]
            self._by_stem[stem] = self._told_apart(people)
        return self._by_stem[stem]

    def _told_apart(self, people: Iterable[Person]) -> dict[str, str]:
        labels = {person.key: person.name for person in people}
        tries = dict[str, int]()
        while len({*labels.values()}) < len(labels):  # a name may look like a name with its number; keys never do
            times = Counter(labels.values())
            alike = [key for key, label in labels.items() if times[label] > 1 and tries.get(key, 0) < 2]
            if not alike:
                break
            for key in alike:
                tries[key] = tries.get(key, 0) + 1
                number = self.state.id_of(key) if tries[key] == 1 else f"{self.state.slug}:{key}"
                labels[key] = f"{self.state.people[key].name} ({number})"
        return labels


class Keys(Mapping[str, str]):
    """The key of the active player whom a label names."""

    def __init__(self, state: State) -> None:
        """Take the club."""
        self.state = state
        self._by_stem: dict[str, dict[str, str]] = {}

    def __getitem__(self, label: str) -> str:
        """Return a key; KeyError for what is no label."""
        stem = stem_of(label)
        if stem not in self._by_stem:
            self._by_stem[stem] = {own: key for key, own in self.state.labels.of_stem(stem).items()}
        return self._by_stem[stem][label]

    def __iter__(self) -> Iterator[str]:
        """Go through the labels of the active players."""
        names = {key: name for key, name in self.state.people.names() if self.state.is_active(key)}
        times, labels = Counter(map(stem_of, names.values())), self.state.labels
        alike = {key for key, name in names.items() if times[stem_of(name)] > 1}
        labels.prefetch(alike)
        return (labels[key] if key in alike else name for key, name in names.items())

    def __len__(self) -> int:
        """Number of active players."""
        return len(self.state.active)


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Handler:
    """The check and the effect of one kind of entry."""

    kind: Kind
    check: Callable[..., Draft] | None
    """Checks what is wanted against a state and returns the entry to be written; None: not by a change of people."""
    effect: Callable[[Folding, Record], None]
    """Puts an entry's meaning into a state in the making; trusts the entry, which was checked when it was made."""
    of_game: bool = False
    """Whether it is about a game."""


class Folding:
    """A state in the making: what the effects of entries change, over a state that stays as it is."""

    def __init__(self, state: State) -> None:
        self.state, self.number, self.digest = state, state.number, state.digest
        self.people, self.merged = Layer(state.people), Layer(state.merged)
        self.adjustments, self.sheets = Layer(state.adjustments), Layer(state.sheets)
        self.events = Layer(state.events)
        self.rules, self.lists = list(state.rules), list(state.lists)
        self.key, self.zone, self.withdrawn = state.key, state.zone, set(state.withdrawn)
        self.facts: dict[int, Mapping[str, Any]] = {}
        self.statuses: dict[int, int] = {}
        self.latest: dict[int, int] = {}
        self.added: dict[int, datetime] = {}
        self.unconfirmed: dict[int, bool] = {}

    def take(self, record: Record, handler: Handler) -> None:
        """Let an entry have the effect that its kind has."""
        self.number, self.digest = record.number, record.digest
        if handler.of_game:
            self.latest[int(record.subject[1:])] = record.number
        handler.effect(self, record)

    def made(self) -> State:
        """Return the state after the entries that were taken."""
        return replace(
            self.state,
            number=self.number,
            digest=self.digest,
            people=self.state.people.with_changed(self.people.changed),
            merged=self.merged.whole,
            recorded=self.state.recorded.with_changed(self._games()),
            adjustments=self.adjustments.whole,
            rules=tuple(self.rules),
            lists=tuple(self.lists),
            key=self.key,
            zone=self.zone,
            withdrawn=frozenset(self.withdrawn),
            sheets=self.sheets.whole,
            events=self.state.events.with_changed(self.events.changed),
        )

    @property
    def touched_games(self) -> set[int]:
        """Numbers of the games that entries were about."""
        return {*self.latest}

    @property
    def touched_players(self) -> set[str]:
        """Keys of the players of whom something may be other than it was."""
        return self.people.touched | self.merged.touched | (self.withdrawn ^ self.state.withdrawn)

    def final(self, key: str) -> str:
        """Return whom a player was found to be."""
        while key in self.merged:
            key = self.merged[key]
        return key

    def status(self, number: int) -> int | None:
        """Return the status of a game, given by the number in its key, None for one that is not there."""
        if number in self.statuses:
            return self.statuses[number]
        return self.state.recorded.numbered([number])["status"].first()  # type: ignore[return-value]

    def _games(self) -> pl.DataFrame:
        """Return the rows of the games that entries were about."""
        if not self.latest:
            return NO_GAMES
        earlier = [number for number in self.latest if not self.state.number < number < FOREIGN]
        facts, parts, changing = [name for name in RECORDED if name not in CHANGING], [], {}
        if earlier:
            before = self.state.recorded.numbered(earlier)
            by_number = before.select("line", *CHANGING).with_columns(pl.col("added").to_physical())
            changing = {row["line"]: row for row in by_number.iter_rows(named=True)}
            parts.append(before.filter(~pl.col("line").is_in([*self.facts])).select(facts))
        if self.facts:
            typed = {column.name: column for column in typed_games(self.facts, GAME_FACTS)}
            parts.append(pl.DataFrame([typed[name].cast(RECORDED[name]) for name in facts]))
        rows = pl.concat(parts) if parts else NO_GAMES
        lines = rows["line"].to_list()
        cells = {
            "status": [self.statuses.get(line, changing.get(line, NEW)["status"]) for line in lines],
            "latest": [self.latest[line] for line in lines],
            "added": [
                _microseconds(self.added[line]) if line in self.added else changing.get(line, NEW)["added"]
                for line in lines
            ],
            "unconfirmed": [self.unconfirmed.get(line, changing.get(line, NEW)["unconfirmed"]) for line in lines],
        }
        columns = {column.name: column for column in rows}
        columns |= {name: pl.Series(name, values).cast(RECORDED[name]) for name, values in cells.items()}
        return pl.DataFrame([columns[name] for name in RECORDED])


CHANGING = ("status", "latest", "added", "unconfirmed")
"""What entries say of a game besides its facts."""
NEW: Mapping[str, Any] = {"status": COUNTS, "added": None, "unconfirmed": False}


def _microseconds(moment: datetime) -> int:
    """Return a moment as the games table counts it, since 1970; a column made of moments takes far longer."""
    return (moment - EPOCH) // timedelta(microseconds=1)
