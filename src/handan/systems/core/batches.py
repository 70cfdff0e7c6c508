"""The boundaries of batches: places of a ledger where no game is rated together with one before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from handan.kernels.compiling import kernel
from handan.ledger.encoded_columns import DAY, unknown
from handan.ledger.event_numbers import EVENT_GAP
from handan.systems.core.periods import CALENDAR, calendar

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from handan.kernels.types import Floats, Ints
    from handan.ledger import Ledger

GAP = int(EVENT_GAP.total_seconds() * 1000)  # milliseconds
LOST = -(10**16)  # milliseconds; before all dates: the number of an unknown one
AT_ONCE = 1 << 22  # games that are looked at together; our choice
REACH = 4  # our choice: each checkpoint lies at most so many times as far from the end as the one after it


def batch_boundaries(ledger: Ledger, together: str) -> Ints:
    """Return the indices of the games that begin a batch, so that a ledger can be cut before them, ascending.

    No boundary falls within a day. Games without a date stand before all boundaries, with one dated game at least.

    Args:
        ledger: The games.
        together: Which games are rated from the same ratings (`Sequential.together`).
    """
    places = _day_begins(ledger)
    if together in CALENDAR and len(places):
        period = calendar(together, _days_of(ledger, places))
        before = calendar(together, _days_of(ledger, places - 1))
        places = places[period != before]
    return places[~_within_events(ledger, places)] if together == "event" and len(places) else places


def _day_begins(ledger: Ledger) -> Ints:
    """Return the places of the games that are the first of a day and follow a dated game, ascending."""
    dates, unit = _dates(ledger)
    places = [np.empty(0, dtype=np.int64)]
    for first in range(1, len(dates), AT_ONCE):
        part = dates[first - 1 : first + AT_ONCE]
        other_day = np.diff(part // unit) != 0
        places.append(first + np.flatnonzero(other_day & (part[:-1] != unknown(part.dtype))))
    return np.concatenate(places)


def _dates(ledger: Ledger) -> tuple[NDArray[Any], int]:
    """Return the dates as numbers, and how many of them make a day."""
    moments = ledger.arrays.columns.date
    return moments, 1 if moments.dtype == np.int32 else DAY


def _days_of(ledger: Ledger, places: Ints) -> Ints:
    dates, unit = _dates(ledger)
    days: Ints = dates[places].astype(np.int64) // unit
    return days


@kernel
def mark_events(event: Ints, day: Ints, number: Ints, state: Ints, crossed: Ints) -> None:
    """Count in `crossed` the cuts that lie between two games of one event that are not far apart.

    Args:
        event: Number of the event of each game, 0 for none, shape (games,).
        day: Date of each game in milliseconds, shape (games,).
        number: How many cuts there are up to each game, shape (games,).
        state: The date and `number` of the last game of each event, shape (events, 2); changed.
        crossed: What each cut adds to the number of events that lie across it, shape (cuts + 1,); changed.
    """
    for game in range(len(event)):
        which = event[game]
        if which != 0:
            if state[which, 1] >= 0 and (state[which, 0] < LOST or day[game] - state[which, 0] <= GAP):
                crossed[state[which, 1]] += 1
                crossed[number[game]] -= 1
            state[which, 0], state[which, 1] = day[game], number[game]


def _within_events(ledger: Ledger, places: Ints) -> NDArray[np.bool_]:
    """Return whether a cut before each of some games would part an event; games are looked at in pieces."""
    texts, event = ledger.arrays.different("event")
    if texts == [""]:
        return np.zeros(len(places), dtype=np.bool_)
    number = np.array([place + 1 if text else 0 for place, text in enumerate(texts)], dtype=np.int64)
    dates, unit = _dates(ledger)
    state, crossed = np.full((len(texts) + 1, 2), -1, dtype=np.int64), np.zeros(len(places) + 1, dtype=np.int64)
    for first in range(0, len(ledger), AT_ONCE):
        part = slice(first, first + AT_ONCE)
        own = number[event[part]]
        cuts = np.searchsorted(places, np.arange(first, first + len(own)), side="right")
        moment = dates[part].astype(np.int64) * (DAY // unit)
        mark_events.for_work(len(own))(own, moment, cuts, state, crossed)
    return np.cumsum(crossed)[:-1] > 0


def thin_out(depths: Ints | Floats) -> list[int]:
    """Return at which of several boundaries checkpoints are kept, so that few of them serve any game.

    Args:
        depths: Games from each boundary to the end, ascending.

    Returns:
        Places in `depths`, ascending: the first, then always the farthest that lies at most `REACH` times as far from
        the end as the one before, or the next where there is none.
    """
    kept: list[int] = [0] if len(depths) else []
    while kept and kept[-1] < len(depths) - 1:
        far = int(np.searchsorted(depths, REACH * depths[kept[-1]], side="right")) - 1
        kept.append(max(far, kept[-1] + 1))
    return kept
