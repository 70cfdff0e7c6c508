"""A federation's state: the ledgers of its clubs together, and its own entries over them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from handan.club.changes import fold
from handan.club.entries import FORMER, Record
from handan.club.events import ClubEvent, Events
from handan.club.kinds import Kind
from handan.club.people import People, Person
from handan.club.recorded import FOREIGN, SIDES, Games
from handan.club.state import ClubAdjustment, Source, State

Place = tuple[str, int, int]
"""Of a number: the club, its entry about the player, and the place among that player's numbers."""


@dataclass(frozen=True)
class SameNumbers:
    """Which entries of clubs named the same number, as entries of a federation say that keep no number itself."""

    marks: Mapping[Place, tuple[Hashable, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, records: Iterable[Record]) -> SameNumbers:
        """Read the entries of a federation; a number of somebody who was forgotten is a mark, equal in all places."""
        marks: dict[Place, tuple[Hashable, ...]] = {}
        for record in records:
            if record.kind is Kind.PERSON_FORGOTTEN:
                for group, places in enumerate(record.facts.get("numbers", ())):
                    for slug, entry, place in places:
                        number = (str(slug), int(entry), int(place))
                        marks[number] = (*marks.get(number, ()), (record.number, group))
        return cls(marks)

    def numbers(self, slug: str, person: Person) -> list[Hashable]:
        """Return a player's numbers, each with the marks that stand for it, or the marks alone."""
        own = {place: marks for (club, entry, place), marks in self.marks.items()
               if (club, entry) == (slug, person.entry)}  # fmt: skip
        numbers: list[Hashable] = []
        for place in range(max([len(person.ids), *(place + 1 for place in own)])):
            numbers += [*person.ids[place : place + 1], *own.get(place, ())]
        return numbers


def same_numbers(ledgers: Mapping[str, Iterable[Record]], people: Iterable[str]) -> list[list[Place]]:
    """Return the places of each number that one of some people shares with another player, in order of the entries.

    Args:
        ledgers: Entries of the clubs of a federation.
        people: Keys of players in the federation, such as `club.p3`.
    """
    places: dict[str, list[Place]] = {}
    bearers: dict[str, set[str]] = {}
    for slug, records in ledgers.items():
        for record in records:
            if record.kind in {Kind.PLAYER_REGISTERED, Kind.PLAYER_CHANGED}:
                for place, number in enumerate(record.facts.get("ids", ())):
                    places.setdefault(number, []).append((slug, record.number, place))
                    bearers.setdefault(number, set()).add(f"{slug}.{record.subject}")
    own = set(people)
    return [where for number, where in places.items() if len(bearers[number]) > 1 and bearers[number] & own]


def one_person(state: State, people: Iterable[str]) -> list[str]:
    """Return the keys of some people, and of all whom a federation takes for one of them."""
    own = [key for key in people if key in state.people]
    same = {state.person(key).key for key in own}
    return [*own, *(key for key in state.people if key not in own and state.person(key).key in same)]


def without_former(state: State) -> State:
    """Return a federation's state in which all whom it takes for a forgotten person are a former member."""
    gone = one_person(state, [key for key, person in state.people.items() if person.former])
    masked = {key: Person(key, FORMER, club=key.partition(".")[0], ids=(key.replace(".", ":", 1),)) for key in gone}
    return replace(state, people=state.people.with_changed(masked))


def federated(
    slug: str, clubs: Sequence[tuple[int, State]], own: Iterable[Record], same: SameNumbers | None = None
) -> State:
    """Return the state of a federation.

    Players are `club.p3`; those who bear the same number of a register are one person, the others are merged by
    entries of the federation. Of what the clubs set by hand, ranks hold in the federation too; ratings are in the
    unit of the club's own system, and do not.

    Args:
        slug: Short name of the federation.
        clubs: A number for each club, the same at every time, and its state.
        own: The federation's entries.
        same: What later entries of the federation tell of numbers that are kept no longer; else its entries tell it.
    """
    records = list(own)
    same = SameNumbers.of(records) if same is None else same
    people: dict[str, Person] = {}
    merged: dict[str, str] = {}
    withdrawn: set[str] = set()
    numbers: dict[str, list[Hashable]] = {}
    adjustments: dict[str, ClubAdjustment] = {}
    events: dict[str, ClubEvent] = {}
    frames = [State(slug).games]
    for number, state in clubs:
        keys = {key: f"{state.slug}.{key}" for key in state.people}
        for key, person in state.people.items():
            home = person.club or state.slug
            ids = person.ids or (f"{state.slug}:{key}",)
            if key not in state.gone:
                numbers[keys[key]] = same.numbers(state.slug, person)
            earlier = tuple(each._replace(club=each.club or state.slug) for each in person.earlier_homes)
            people[keys[key]] = person._replace(key=keys[key], club=home, ids=ids, earlier_homes=earlier)
        merged |= {keys[key]: keys[into] for key, into in state.merged.items()}
        withdrawn |= {keys[key] for key in state.withdrawn}
        adjustments |= _ranks(state, keys)
        events |= {f"{state.slug}.{key}": event.of_club(state.slug) for key, event in state.events.items()}
        frames.append(games_of_club(state.slug, number, state.games))
    sources = tuple(Source(state.slug, state.number, state.digest) for _, state in clubs)
    merged |= _same_numbers(numbers, merged)
    base = State(
        slug,
        people=People(people),
        merged=merged,
        withdrawn=frozenset(withdrawn),
        recorded=Games(pl.concat(frames).sort("line")),
        adjustments=adjustments,
        events=Events(events),
        sources=sources,
    )
    return without_former(fold(base, records))


def games_of_club(slug: str, number: int, games: pl.DataFrame) -> pl.DataFrame:
    """Return games of a club, which has a number, as they stand in its federation."""
    sides = (pl.concat_str(pl.lit(f"{slug}."), side).alias(side) for side in SIDES)
    lines = pl.col("line") + number * FOREIGN
    return games.with_columns(*sides, line=lines, entry=lines)


UNITED = ("rating", "deviation")
"""Facts of an adjustment in the unit of the club's own system."""


def _ranks(state: State, keys: Mapping[str, str]) -> dict[str, ClubAdjustment]:
    """Return the club's adjustments of rank."""
    ranks = {}
    for item in state.adjustments.values():
        facts: dict[str, Any] = {name: value for name, value in item.facts.items() if name not in UNITED}
        if "rank" in facts:
            key = f"{state.slug}.{item.key}"
            aside = keys.get(item.set_aside, "")
            ranks[key] = ClubAdjustment(key, keys[item.player], facts, item.withdrawn, aside)
    return ranks


def _same_numbers(numbers: Mapping[str, Iterable[Hashable]], merged: Mapping[str, str]) -> dict[str, str]:
    """Return mergers of players who bear the same number of a register, into the first of them."""
    first: dict[Hashable, str] = {}
    same = {}
    for key, own in numbers.items():
        if key in merged:
            continue
        owner = next((first[number] for number in own if number in first), None)
        if owner is not None:
            same[key] = owner
        for number in own:
            first.setdefault(number, owner or key)
    return same
