"""Which texts of an entry mention a person: as author, as subject, by a name in a list, or by a word in a free text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from handan.club.entries import FORMER, NAMES, bare, opened
from handan.club.kinds import OF_EVENTS
from handan.ledger.name_folding import folded, unspaced

if TYPE_CHECKING:
    from handan.club.entries import Record

SHORTEST = 3  # our choice: letters of a word of a name by which a free text counts as naming somebody
LONG = 5  # our choice: letters of a name, or of a word of it, that is looked for inside other words too
WRITTEN = {"reason", "notes", "note"}
"""Places of free texts that whoever wrote the entry wrote."""
FREE = WRITTEN | {*OF_EVENTS}
"""Places of free texts."""
LABELS = ("event", "kind", "server")
"""Facts of a game that ratings may depend on, so that they are never taken away, but may hold a name."""


@dataclass(frozen=True)
class Mentions:
    """Some people: the keys of players and accounts, and all names they ever had."""

    people: frozenset[str]
    accounts: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()

    def places(self, entry: Any, texts: Mapping[str, Any]) -> set[str]:
        """Return the places of texts of an entry (a row or a record) that tell of these people."""
        gone = self.by_keys(entry)
        for place, text in texts.items():
            if (place in {"author", "account"} and folded(str(text)) in self._exact) or (
                (place in FREE or (place.startswith(NAMES) and isinstance(text, Mapping))) and self.named_in(str(text))
            ):
                gone.add(place)
        return gone & set(texts)

    def by_keys(self, entry: Any) -> set[str]:
        """Return the places that would tell of these people by the keys that an entry bears, whatever stands there."""
        places = {f"{NAMES}{key}" for key in self.people}
        if entry.account and entry.account in self.accounts:
            places |= {"author", *WRITTEN}
        if entry.subject in self.people:
            places |= {"person", "reason"}
        if entry.facts.get("player") in self.people:
            places |= {"note", "reason", "account"}
        return places

    def named_in(self, text: str) -> bool:
        """Whether a free text holds a name, or a longer word of one, in whatever capitals and marks."""
        return bool(self._pattern.search(folded(text)))

    @cached_property
    def _exact(self) -> set[str]:
        """The names when folded."""
        return {folded(name) for name in self.names}

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """What a free text that names them has in it, when folded."""
        words: set[str] = set()
        for name in map(folded, self.names):
            parts = {part for part in name.split() if len(part) >= SHORTEST or not part.isascii()}
            words |= {name, *parts} | ({name.replace(" ", "")} if unspaced(name) else set())
        return re.compile("|".join(_standing(word) for word in sorted(words - {""})) or "(?!)")

    def without(self, record: Record, instead: str = FORMER) -> Record:
        """Return a record without the texts that tell of these people; `instead` stands for a name."""
        texts = record.texts
        gone = self.places(record, texts)
        if labels := [name for name in LABELS if self.named_in(str(record.facts.get(name, "")))]:
            record = replace(record, facts={**record.facts, **dict.fromkeys(labels, "")})
        if not gone:
            return record
        kept = {place: text for place, text in texts.items() if place not in gone}
        salts = {place: salt for place, salt in record.salts.items() if place not in gone}
        names = dict.fromkeys((place for place in gone if place.startswith(NAMES)), instead)
        sealed = record.sealed or dict.fromkeys(texts, "")
        facts = opened(record.kind, bare(record.kind, record.facts), sealed, {**kept, **names}, salts)
        if "person" in gone:
            facts = {"name": instead}
        if "account" in gone:
            facts["account"] = instead
        author = instead if "author" in gone else record.author
        reason = "" if "reason" in gone else record.reason
        return replace(record, facts=facts, author=author, reason=reason, salts=salts)


def _standing(word: str) -> str:
    """Return the pattern of a word: anywhere, or alone where it is so short that other words have it in them."""
    text = re.escape(word)
    anywhere = len(word) > 1 if unspaced(word) else len(word) >= LONG
    return text if anywhere else rf"(?<!\w){text}s?(?!\w)"


def all_names(facts: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the names and readings in what entries say of players."""
    return {str(text) for item in facts for text in (item.get("name"), item.get("reading")) if text}
