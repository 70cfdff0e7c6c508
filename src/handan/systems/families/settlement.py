"""When the points of a club move, and which games two opponents play on one day."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from handan.kernels.arrays import ordered
from handan.kernels.types import Ints
from handan.ledger import Ledger, When
from handan.ratings import Ratings
from handan.systems.core.past import Past
from handan.systems.core.schedule import Schedule

WRITTEN = {"day": 10, "month": 7}
"""Characters of a date that name its day or its month."""
UNIT = {"day": "D", "month": "M"}
NO_PAIR_DAY = -1


def dated_to(ledger: Ledger, unit: str, first: int = 0) -> NDArray[np.bool_]:
    """Return whether the `day` or the `month` of each game from a first one on is known, shape (games,)."""
    precision = ledger.rows(ledger.places[first:-1], ("precision",))["precision"]
    written = (precision.fill_null(0) if precision.null_count() else precision).to_numpy()
    return np.asarray(ledger.dated[first:] & (written >= WRITTEN[unit]))


def settled(schedule: Schedule, unit: str) -> Schedule:
    """Return the schedule with the games of one `day` or `month` in one batch.

    A game whose day (month) is not known is not known to share it with another game, so it is a batch by itself.
    """
    taken = schedule.sequence
    if not len(taken):
        return schedule
    days = schedule.ledger.day[taken].astype("datetime64[D]")
    period = days.astype(f"datetime64[{UNIT[unit]}]").astype(np.int64)
    alone = ~dated_to(schedule.ledger, unit)[taken]
    period[alone] = period.max(initial=0) + 1 + np.flatnonzero(alone)
    _, first, number = np.unique(period, return_index=True, return_inverse=True)
    place = np.argsort(np.argsort(first))[number]  # batches in the order of their first games
    order = np.argsort(place, kind="stable")
    starts = np.flatnonzero(np.diff(place[order], prepend=-1))
    return replace(schedule, sequence=taken[order], batch=np.append(starts, len(taken)))


def same_period(ledger: Ledger, when: When, unit: str) -> NDArray[np.bool_]:
    """Return whether each game is settled together with one of a day, given as `when`, shape (games,)."""
    if when.precision < WRITTEN[unit]:
        return np.zeros(len(ledger), dtype=bool)
    period = f"datetime64[{UNIT[unit]}]"
    own = np.datetime64(when.moment.date()).astype(period)
    same: NDArray[np.bool_] = dated_to(ledger, unit) & (ledger.day.astype("datetime64[D]").astype(period) == own)
    return same


def pair_days(ledger: Ledger, games: Ints) -> Ints:
    """Return a number for the pair of opponents and the day of each of some games, shape (some,).

    `NO_PAIR_DAY` where the day is not known; the other numbers count from 0.
    """
    with_day = dated_to(ledger, "day")[games]
    number = np.full(len(games), NO_PAIR_DAY, dtype=np.int64)
    if with_day.any():
        games, people = games[with_day], len(ledger.players)
        one, other, day = ledger.black[games], ledger.white[games], ledger.day[games]
        pair = np.minimum(one, other) * people + np.maximum(one, other)  # one number is sorted far sooner than three
        key = (day - day.min()) * people**2 + pair
        order = ordered(key)
        again = np.empty_like(order)
        again[order] = np.cumsum(np.diff(key[order], prepend=-1) > 0) - 1
        number[with_day] = again
    return number


def pairs_since(ratings: Ratings, day: int) -> Ints:
    """Return the players of the rated games from a day on, where the day of a game is known, shape (pairs, 2).

    Args:
        ratings: Of a ledger whose last game has a date.
        day: Days since 1970-01-01.
    """
    ledger = ratings.ledger
    first = ledger.first_on(day)
    if first == len(ledger):
        return np.empty((0, 2), dtype=np.int64)
    games = np.flatnonzero((ratings.unrated[first:] == 0) & dated_to(ledger, "day", first)) + first
    return np.stack([side[games].astype(np.int64) for side in ledger.seats], axis=1)


def counted_before(past: Past | None, schedule: Schedule, days: Ints) -> Ints:
    """Return how many games of each pair and day of a schedule stand before it, shape (rated,).

    Args:
        past: What is known from the games before.
        schedule: The games.
        days: Number of the pair and day of each of them (`pair_days`).
    """
    counted = np.zeros(len(schedule), dtype=np.int64)
    if past is None or not len(past.pairs):
        return counted
    pairs = np.sort(past.pairs, axis=1)
    own = np.sort(past.numbers[np.stack((schedule.black, schedule.white), axis=1)], axis=1)
    for game in np.flatnonzero((days >= 0) & (schedule.ledger.day[schedule.sequence] == past.day)):
        counted[days[game]] = (pairs == own[game]).all(axis=1).sum()
    return counted
