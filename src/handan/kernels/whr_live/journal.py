"""What changes of a history are written down of, so that they can be taken back to the bit, and made once more."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.types import Flags, Floats, Ints, Numbers

ARRAY_BITS = 4
ARRAYS = 1 << ARRAY_BITS
"""More than there are arrays that a journal tells apart."""
FOLLOWING, FIRST_ENTRY, GAP, INFORMATION, BONUS, FIRST_DAY, PRIOR_AT, PENDING, WEIGHT, STALE, USED = range(11)
"""Arrays of single values that a journal writes down: `Days.following`, `entries`; `Entries.gap`, `information`,
`bonus`; `Players.first`, `prior_at`, `pending`, `weight`, `stale`; `History.used`."""


class Journal(NamedTuple):
    """What was overwritten: single values, the oldest first, and the states of days, each once."""

    place: Ints
    """Index in the array times `ARRAYS`, plus the number of the array, shape (room,)."""
    value: Floats
    """Shape (room,)."""
    day: Numbers
    """Row of `Days.state`, shape (room for days,)."""
    state: Floats
    """What stood there, shape (room for days, 4)."""
    used: Ints
    """How many values, and how many states were to be written down, shape (2,); more values than there is room for:
    they are not all there."""

    rows: Flags
    """Whether the state of a day is written down already, shape (room for days,); empty without room."""
    pending: Flags
    """Whether what a player has to move is, shape (room for players,)."""


def journal_of(room: int, days: int = 0, players: int = 0) -> Journal:
    """Return an empty journal.

    Args:
        room: For so many values; without room nothing is written down.
        days, players: Room of the history.
    """
    values, states = (np.empty(room, dtype=np.int64), np.empty(room)), (np.empty(days, np.int32), np.empty((days, 4)))
    marks = np.zeros(days, dtype=np.bool_), np.zeros(players, dtype=np.bool_)
    return Journal(*values, *states, np.zeros(2, dtype=np.int64), *marks)


@kernel
def note(journal: Journal, array: int, index: int, value: float) -> None:
    """Write down a value that is about to be overwritten."""
    room, used = len(journal.place), journal.used[0]
    if room == 0:
        return
    if used < room:
        journal.place[used] = index * ARRAYS + array
        journal.value[used] = value
    journal.used[0] = used + 1


@kernel
def note_row(days: Numbers, states: Floats, used: Ints, rows: Flags, state: Floats, day: int) -> None:
    """Write down the state of a day that is not there yet.

    Loops ask `rows` and call this, since a call that passes a whole journal takes longer than the rest of a turn.

    Args:
        days, states, used, rows: Arrays of the journal.
        state: That of the history.
        day: About to be overwritten.
    """
    rows[day] = True
    place = used[1]
    used[1] = place + 1
    days[place] = day
    for column in range(4):
        states[place, column] = state[day, column]


@kernel
def note_state(journal: Journal, state: Floats, day: int) -> None:
    """Write down the state of a day that is about to be overwritten, unless it is there already."""
    _, _, days, states, used, rows, _ = journal
    if len(rows) > 0 and not rows[day]:
        note_row(days, states, used, rows, state, day)


@kernel
def note_pending(journal: Journal, pending: Floats, player: int) -> None:
    """Write down what a player has to move, which is about to be overwritten, unless it is there already."""
    if len(journal.pending) == 0 or journal.pending[player]:
        return
    journal.pending[player] = True
    note(journal, PENDING, player, pending[player])
