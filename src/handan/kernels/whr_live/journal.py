"""What changes of a history are written down of, so that they can be taken back to the bit, and made once more."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.types import Floats, Ints

ARRAYS = 16
"""More than there are arrays that a journal tells apart."""
STATE, FOLLOWING, FIRST_ENTRY, GAP, INFORMATION, BONUS, FIRST_DAY, PRIOR_AT, PENDING, WEIGHT, STALE, USED = range(12)
"""Arrays whose values a journal writes down: `Days.state` row by row, `following`, `entries`; `Entries.gap`,
`information`, `bonus`; `Players.first`, `prior_at`, `pending`, `weight`, `stale`; and `History.used`."""


class Journal(NamedTuple):
    """The values that were overwritten, the oldest first."""

    place: Ints
    """Index in the array times `ARRAYS`, plus the number of the array, shape (room,)."""
    value: Floats
    """Shape (room,)."""
    used: Ints
    """How many values were to be written down, shape (1,); more than there is room for: they are not all there."""


def journal_of(room: int) -> Journal:
    """Return an empty journal with room for so many values; without room nothing is written down."""
    return Journal(np.empty(room, dtype=np.int64), np.empty(room), np.zeros(1, dtype=np.int64))


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
