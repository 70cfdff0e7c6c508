"""Texts of a ledger that are kept no longer: each must be one of which an entry says that its person was forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING

from handan.club.telling import Telling
from handan.errors import Clause, InputError

if TYPE_CHECKING:
    from handan.club.entries import Record


GONE = (
    "entry {number}: its {names} cannot be read any more, and no entry says that a person was forgotten of whom it told"
)


class MissingTexts:
    """Places of texts that are gone from entries read so far, without an entry that says why."""

    def __init__(self) -> None:
        self.entries: dict[int, tuple[Record, set[str]]] = {}

    def take(self, record: Record) -> None:
        """Go on by an entry, which may say why texts of those before it are gone."""
        if record.kind == "person forgotten":
            self._explain(record)
        elif record.erased:
            self.entries[record.number] = (record, record.erased)

    def refuse(self) -> None:
        """Refuse a ledger of which texts are gone though nobody was forgotten."""
        for number, (_, places) in self.entries.items():
            raise InputError(Clause.of(GONE, number=number, names=", ".join(sorted(places))))

    def _explain(self, record: Record) -> None:
        """Take away what an entry explains: by the keys of people and accounts, or by the numbers of entries."""
        people, accounts = (frozenset(record.facts[name]) for name in ("people", "accounts"))
        named = {place: set(numbers) for place, numbers in record.facts.get("texts", {}).items()}
        telling = Telling(people, accounts)
        for number, (entry, places) in list(self.entries.items()):
            left = places - telling.by_keys(entry) - {place for place in places if number in named.get(place, ())}
            if left:
                self.entries[number] = (entry, left)
            else:
                del self.entries[number]
