"""Whether a ledger's entries follow each other as they were written, and what those of a ledger from elsewhere mean."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import polars as pl

from handan.club.changes import fold
from handan.club.entries import FORMER, GENESIS, LAST_WITH_TEXTS, Draft, Record, personal, reason_of, seal_of
from handan.club.kinds import Kind
from handan.club.mentions import Mentions
from handan.club.people import Person
from handan.club.state import State, game_number
from handan.errors import Clause, InputError, SettingError, shown

GONE = (
    "entry {number}: its {names} cannot be read any more, and no entry says that a person was forgotten of whom it told"
)


def entry_that_carries(records: Iterable[Record]) -> Draft | None:
    """Return the entry that carries over a chain of older formats; None where no entry is of one.

    The digests of older formats hold personal texts. From this entry on, its digest of what stays when a person is
    forgotten stands for them.
    """
    bridge = Bridge()
    for record in records:
        bridge.take(record)
    return Draft(Kind.CHAIN_CARRIED, bridge.facts) if bridge.entries else None


class Bridge:
    """What an entry that carries older formats over says: one digest over all entries of these formats."""

    def __init__(self) -> None:
        self.entries, self.digest, self.sum = 0, GENESIS, hashlib.sha256()
        self.torn = 0
        """The first entry whose own digest can no longer be computed; 0 if there is none, or it was carried over."""

    @property
    def facts(self) -> dict[str, Any]:
        """What the entry says: up to where, with which digest, and the digest that takes its place."""
        return {"entries": self.entries, "digest": self.digest, "sealed": self.sum.hexdigest()}

    def take(self, record: Record) -> None:
        """Go on by an entry; InputError for an entry that carried something else over."""
        if record.format <= LAST_WITH_TEXTS:
            self.sum.update(record.sealed_digest().encode())
            self.entries, self.digest = record.number, record.digest
            self.torn = self.torn or (0 if record.recomputable else record.number)
        elif record.kind is Kind.CHAIN_CARRIED:
            if dict(record.facts) != self.facts:
                pattern = "the entries up to {last} were changed after entry {number} carried them over"
                raise InputError(Clause.of(pattern, last=self.entries, number=record.number))
            self.torn = 0


def verified(records: Iterable[Record]) -> Iterator[Record]:
    """Pass records on as long as they follow each other; InputError names the first that does not."""
    form, number, digest = 0, 0, GENESIS
    bridge, missing = Bridge(), MissingTexts()
    for record in records:
        if record.format < form:
            raise _refused(
                record,
                "entry {number} has digest format {form}, the one before it {other}",
                form=record.format,
                other=form,
            )
        form = record.format
        if record.number != number + 1:
            raise _refused(
                record, "entry {absent} is missing; entry {number} follows entry {last}", absent=number + 1, last=number
            )
        if record.previous != digest:
            raise _refused(
                record, "entry {number} does not follow entry {last}: the chain of digests is broken", last=number
            )
        try:
            fits = _fits(record)
            bridge.take(record)
            missing.take(record)
        except (
            ValueError,
            RecursionError,
            TypeError,
            AttributeError,
            KeyError,
        ) as error:  # such as infinite numbers
            raise _refused(record, "entry {number} holds what a ledger cannot: {why}", why=reason_of(error)) from None
        if not fits:
            raise _refused(record, "entry {number} was changed after it was written: its digest does not fit")
        number, digest = record.number, record.digest
        yield record
    if bridge.torn:
        pattern = "entry {number} was changed after it was written: what its digest is made of is gone"
        raise InputError(Clause.of(pattern, number=bridge.torn))
    missing.raise_if_any()


def _refused(record: Record, pattern: str, **values: object) -> InputError:
    return InputError(Clause.of(pattern, number=record.number, **values))


def _fits(record: Record) -> bool:
    """Whether the digest fits, and the digest of every text that is kept."""
    if record.recomputable and record.digest != record.computed():
        return False
    if record.format <= LAST_WITH_TEXTS and not record.sealed:  # as written before texts were sealed
        return True
    texts = personal(record.kind, record.facts, record.author, record.reason)
    kept = {place: text for place, text in texts.items() if place not in record.erased}
    gone = [text for place, text in texts.items() if place in record.erased]
    return (
        set(kept) == set(record.salts)
        and all(seal_of(record.salts[place], text) == record.sealed.get(place) for place, text in kept.items())
        and all(text in (FORMER, {"name": FORMER}) for text in gone)
    )


class MissingTexts:
    """Places of texts that are gone from entries read so far, without an entry that says why."""

    def __init__(self) -> None:
        self.entries: dict[int, tuple[Record, set[str]]] = {}

    def take(self, record: Record) -> None:
        """Go on by an entry, which may say why texts of those before it are gone."""
        if record.kind is Kind.PERSON_FORGOTTEN:
            self._explain(record)
        elif record.erased:
            self.entries[record.number] = (record, record.erased)

    def raise_if_any(self) -> None:
        """Raise InputError if texts are gone though no entry says that somebody was forgotten."""
        for number, (_, places) in self.entries.items():
            raise InputError(Clause.of(GONE, number=number, names=", ".join(sorted(places))))

    def _explain(self, record: Record) -> None:
        """Take away what an entry explains: by the keys of people and accounts, or by the numbers of entries."""
        people, accounts = (frozenset(record.facts[name]) for name in ("people", "accounts"))
        named = {place: set(numbers) for place, numbers in record.facts.get("texts", {}).items()}
        mentions = Mentions(people, accounts)
        for number, (entry, places) in list(self.entries.items()):
            left = places - mentions.by_keys(entry) - {place for place in places if number in named.get(place, ())}
            if left:
                self.entries[number] = (entry, left)
            else:
                del self.entries[number]


MEANINGLESS = (
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    OverflowError,
    SettingError,
    pl.exceptions.PolarsError,
)
"""What folding raises for entries that no change of a club makes; folding itself trusts its own."""


def fold_foreign(state: State, records: Iterable[Record]) -> State:
    """Return the state after entries that came from elsewhere; InputError for those that mean nothing.

    Players of a federation's clubs whose ledgers are not at hand are taken for granted.
    """
    entries = list(records)
    try:
        strangers = {key: Person(key, key) for key in _foreign_players(entries) if key not in state.people}
        state = fold(replace(state, people=state.people.with_changed(strangers)), _with_own_keys(entries))
        _refuse_absent_games(state)
        _refuse_absent_players(state)
        _ = state.ledger, [(rules.made, rules.as_rated()) for rules in state.rules]
    except MEANINGLESS as error:
        pattern = "the entries of {club} are no ledger: {why}"
        raise InputError(Clause.of(pattern, club=state.slug, why=reason_of(error))) from None
    return state


def _refuse_absent_games(state: State) -> None:
    """Raise LookupError if a record sheet names games that are not there."""
    named = {game_number(key) for sheet in state.sheets.values() for _, key in sheet.lines}
    if absent := named - {*state.recorded.numbered(named)["line"]}:
        raise LookupError(Clause.of("game {key} of a record sheet is not there", key=f"g{min(absent)}"))


def _refuse_absent_players(state: State) -> None:
    """Raise InputError if an event names players who are not there."""
    for event in state.events.values():
        for key in (*event.players, *(key for _, *pair, _ in event.facts.get("pairings", ()) for key in pair)):
            state.person(key)


def _foreign_players(records: Iterable[Record]) -> Iterator[str]:
    """Go through the keys of players of a federation's clubs that entries name."""
    for record in records:
        if record.kind.traits.names_players:
            named = (
                record.subject,
                *(record.facts.get(name) for name in ("black", "white", "player", "into", "apart")),
            )
            named += tuple(row.get("player") for row in record.facts.get("participants", ()))
            yield from (key for key in named if isinstance(key, str) and "." in key)


def _with_own_keys(records: Iterable[Record]) -> Iterator[Record]:
    """Pass records on as long as those that bring a subject bear its key."""
    for record in records:
        letter = record.kind.traits.letter
        if letter and record.subject != f"{letter}{record.number}":
            pattern = "entry {number} brings {key}, which is not its own key"
            raise InputError(Clause.of(pattern, number=record.number, key=shown(record.subject)))
        yield record
