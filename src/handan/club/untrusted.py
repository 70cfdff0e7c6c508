"""Ledgers that came from elsewhere: a chain shows that nothing was changed, not that it ever meant anything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import polars as pl

from handan.club.changes import fold
from handan.club.entries import Record, reason_of
from handan.club.people import Person
from handan.club.state import State, game_number
from handan.errors import Clause, InputError, SettingError, shown

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
