"""Which games belong to one event: those of one name and time."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

EVENT_GAP = timedelta(days=31)  # our choice: games of one event name further apart belong to two events
EVENT_SPAN = 366  # days; our choice: a name that goes on for longer is a series, of which each year is an event


def numbered_events(
    name: NDArray[Any], in_event: NDArray[np.bool_], moment: NDArray[np.datetime64]
) -> NDArray[np.int64] | None:
    """Return the number of the event of each game; a game without an event is one by itself, shape (games,).

    Events are numbered in the order of their first games; None where no game is of an event.

    Args:
        name: Number of the name of each game's event among different names, in playing order, shape (games,).
        in_event: Whether the game is of an event with a name, shape (games,).
        moment: When each game was, shape (games,).
    """
    row = np.flatnonzero(in_event)
    if not len(row):
        return None
    dated = ~np.isnat(moment)
    row = row[np.lexsort((moment[row], dated[row], name[row]))]
    first = np.arange(len(name))  # of each game the game that opens its event
    starts = _starts(name[row], moment[row])
    first[row] = np.minimum.reduceat(row, np.flatnonzero(starts))[np.cumsum(starts) - 1]
    opens = first == np.arange(len(name))
    return np.asarray((np.cumsum(opens) - 1)[first])


def _starts(name: NDArray[Any], moment: NDArray[np.datetime64]) -> NDArray[np.bool_]:
    """Return which games begin another event than the one before, of games by name and in the order of days."""
    starts = np.ones(len(name), dtype=np.bool_)
    starts[1:] = (name[1:] != name[:-1]) | (np.diff(moment) > np.timedelta64(EVENT_GAP))
    series = np.cumsum(starts) - 1
    day = moment.astype("datetime64[D]")
    first = np.fmin.reduceat(day, np.flatnonzero(starts))[series]
    year = np.where(np.isnat(moment), 0, (day - first).astype(np.int64) // EVENT_SPAN)
    starts[1:] |= year[1:] != year[:-1]
    return starts
