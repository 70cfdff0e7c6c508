"""Every change that a club's ledger knows: a kind of entry with its check and its effect, all in `HANDLERS`.

A check is asked of the state that the entry would follow and returns the entry to be written. Nothing is written here,
so a preview and the writing itself use the same functions. All raise InputError, or FieldError with the field that is
wrong. What entries do to the state of a club, `fold` does with them.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from itertools import islice

from handan.club.changes import events, games, office, players, sheets
from handan.club.entries import Draft, Record, chained
from handan.club.state import Folding, State

HANDLERS = {handler.kind: handler for room in (games, players, sheets, events, office) for handler in room.HANDLERS}
"""All kinds of entry."""
AT_ONCE = 20_000  # entries; our choice: so many stand in memory while a long ledger is read


def fold(state: State, records: Iterable[Record]) -> State:
    """Return the state after more entries; they must be valid, as those of a ledger are."""
    following = iter(records)
    while part := list(islice(following, AT_ONCE)):
        state = folding(state, part).made()
    return state


def with_drafts(state: State, drafts: Iterable[Draft], now: datetime) -> State:
    """Return the state after entries that nobody has written, as if they were written now."""
    return fold(state, chained(drafts, state.number, state.digest, "", now))


def folding(state: State, records: Iterable[Record]) -> Folding:
    """Return a state in the making that has taken more entries."""
    making = Folding(state)
    for record in records:
        making.take(record, HANDLERS[record.kind])
    return making
