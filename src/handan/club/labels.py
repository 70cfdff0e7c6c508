"""The names by which lists tell players apart: the name alone, or with a number where several are called so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from handan.club.people import Person, stem_of
from handan.club.sealing import FORMER, HIDDEN

if TYPE_CHECKING:
    from handan.club.state import State


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

    def read(self, keys: Iterable[str]) -> None:
        """Be ready to be asked for the labels of some players one by one."""
        state = self.state
        state.people.read(keys := {state.final(key) for key in keys})
        state.people.read_stems(stem_of(state.people[key].name) for key in keys if key in state.people)

    def of_stem(self, stem: str) -> dict[str, str]:
        """Return the labels of the active players whose names have a stem, by key."""
        if stem not in self._by_stem:
            people = [person for person in self.state.people.of_stem(stem) if self.state.is_active(person.key)]
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
        return map(self.state.labels.__getitem__, self.state.active)

    def __len__(self) -> int:
        """Number of active players."""
        return len(self.state.active)


class Namesakes(Mapping[str, tuple[str, ...]]):
    """The keys of the active players who share a name, in the order in which they were registered, by name.

    Names that are kept from who looks, or kept no longer, are none that people share.
    """

    def __init__(self, state: State) -> None:
        """Take the club."""
        self.state = state

    def __getitem__(self, name: str) -> tuple[str, ...]:
        """Return the keys; KeyError for a name that not several share."""
        if name in {FORMER, HIDDEN}:
            raise KeyError(name)
        alike = [person.key for person in self.state.people.of_stem(stem_of(name)) if person.name == name]
        keys = tuple(key for key in alike if self.state.is_active(key))
        if len(keys) < 2:
            raise KeyError(name)
        return keys

    def __iter__(self) -> Iterator[str]:
        """Go through the names."""
        times = Counter(person.name for person in self.state.active.values())
        return (name for name, number in times.items() if number > 1 and name not in {FORMER, HIDDEN})

    def __len__(self) -> int:
        """Number of such names."""
        return sum(1 for _ in self)
