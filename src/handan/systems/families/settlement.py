"""When the points of a club move, and which games two opponents play on one day."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import numpy as np

from handan.kernels.compiling import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from handan.kernels.types import Ints, Seats
    from handan.ledger import Ledger, When
    from handan.systems.core.schedule import Schedule

WRITTEN = {"day": 10, "month": 7}
"""Characters of a date that name its day or its month."""
UNIT = {"day": "D", "month": "M"}
NO_PAIR_DAY = -1
SECRET = (secrets.randbits(62) | 1, secrets.randbits(62) | 1)
"""Decides where a pair stands in a table while pairs are numbered; the numbers do not depend on it."""


def dated_to(ledger: Ledger, unit: str) -> NDArray[np.bool_]:
    """Return whether the `day` or the `month` of each game is known, shape (games,)."""
    precision = ledger.arrays.column("precision")
    written = (precision.fill_null(0) if precision.null_count() else precision).to_numpy()
    return np.asarray(ledger.arrays.dated & (written >= WRITTEN[unit]))


def settled(schedule: Schedule, unit: str) -> Schedule:
    """Return the schedule with the games of one `day` or `month` in one batch.

    A game whose day (month) is not known is not known to share it with another game, so it is a batch by itself.
    """
    days = schedule.ledger.arrays.day.astype("datetime64[D]")
    period = days.astype(f"datetime64[{UNIT[unit]}]").astype(np.int64)
    alone = ~dated_to(schedule.ledger, unit)
    period[alone] = period.max(initial=0) + 1 + np.flatnonzero(alone)
    return schedule.in_batches(period)


def same_period(ledger: Ledger, when: When, unit: str) -> NDArray[np.bool_]:
    """Return whether each game is settled together with one of a day, given as `when`, shape (games,)."""
    if when.precision < WRITTEN[unit]:
        return np.zeros(len(ledger), dtype=bool)
    period = f"datetime64[{UNIT[unit]}]"
    own = np.datetime64(when.moment.date()).astype(period)
    same: NDArray[np.bool_] = dated_to(ledger, unit) & (ledger.arrays.day.astype("datetime64[D]").astype(period) == own)
    return same


def pair_days(ledger: Ledger, games: Ints) -> Ints:
    """Return a number for the pair of opponents and the day of each of some games, shape (some,).

    `NO_PAIR_DAY` where the day is not known; the other numbers count from 0.
    """
    with_day = dated_to(ledger, "day")[games]
    number = np.full(len(games), NO_PAIR_DAY, dtype=np.int64)
    if with_day.any():
        places = np.flatnonzero(with_day)
        places = places[np.argsort(ledger.arrays.day[games[places]], kind="stable")]
        games = games[places]
        (one, other), day = (side[games] for side in ledger.arrays.seats), ledger.arrays.day[games]
        most = int(np.diff(np.flatnonzero(np.diff(day)), prepend=-1, append=len(day) - 1).max())
        again = np.empty(len(games), dtype=np.int64)
        number_pairs.for_work(len(games))(one, other, day, SECRET, np.full(_places_for(most), -1), again)
        number[places] = again
    return number


def _places_for(games: int) -> int:
    """Return a power of two that is at least twice as large as the number of a day's games."""
    return 1 << (2 * games - 1).bit_length()


@kernel
def number_pairs(one: Seats, other: Seats, day: Ints, secret: tuple[int, int], place: Ints, number: Ints) -> None:
    """Number the pairs of each day, from 0 on, in the order in which they meet.

    The place of a pair is taken from the upper half of 64 bits of a sum, below 2^31, the same in both forms.

    Args:
        one, other: Players of each game, in either order, shape (games,).
        day: Of each game; games of one day stand behind each other.
        secret: Two odd numbers that nobody who makes a file of games knows, so that no pairs can be made for one place.
        place: The last game that was found at each place of a table, -1 for none, shape (a power of two,); changed.
        number: Filled, shape (games,).
    """
    low_factor, high_factor = secret
    first, count, last = 0, 0, len(place) - 1
    for game in range(len(one)):
        if day[game] != day[first]:
            first = game
        low, high = int(min(one[game], other[game])), int(max(one[game], other[game]))
        at = ((low * low_factor + high * high_factor) >> 32) & last
        while place[at] >= first:
            there = place[at]
            if min(one[there], other[there]) == low and max(one[there], other[there]) == high:
                break
            at = (at + 1) & last
        if place[at] >= first:
            number[game] = number[place[at]]
        else:
            number[game] = count
            count += 1
            place[at] = game
