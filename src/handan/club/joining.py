"""Players of several clubs of a federation who bear one number of a register, also after one of them was forgotten."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from handan.club.entries import Record
from handan.club.kinds import Kind
from handan.club.people import Person
from handan.club.sealing import FORMER
from handan.club.state import State

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
