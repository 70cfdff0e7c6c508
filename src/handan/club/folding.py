"""From entries to the state of a club: each has the effect that its kind has. No database, no clock."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from handan.club.changes import HANDLERS
from handan.club.changes.handler import Folding
from handan.club.entries import Record
from handan.club.state import State

AT_ONCE = 20_000  # entries; our choice: so many stand in memory while a long ledger is read


def fold(state: State, records: Iterable[Record]) -> State:
    """Return the state after more entries; they must be valid, as those of a ledger are."""
    following = iter(records)
    while part := list(islice(following, AT_ONCE)):
        state = folding(state, part).made()
    return state


def folding(state: State, records: Iterable[Record]) -> Folding:
    """Return a state in the making that has taken more entries."""
    making = Folding(state)
    for record in records:
        making.take(record, HANDLERS[record.kind])
    return making
