"""Rating periods of the calendar, and the days on which periods begin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from handan.kernels.types import Ints
    from handan.systems.core.schedule import Schedule

Period = Literal["event", "month", "week", "day", "game"]
CALENDAR = ("month", "week", "day")
MONDAY = 3  # days from the Monday of its week to 1970-01-01, a Thursday


def calendar(period: str, day: Ints) -> Ints:
    """Return the number of the day, week (from Monday) or month of days since 1970-01-01."""
    if period == "week":
        return (day + MONDAY) // 7
    if period == "month":
        return day.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)
    return day


def first_day(period: str, day: Ints) -> Ints:
    """Return the first day of the calendar period that holds a day; the day itself for events and games."""
    if period == "week":
        return calendar(period, day) * 7 - MONDAY
    if period == "month":
        return calendar(period, day).astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)
    return day


def days(schedule: Schedule) -> Ints:
    """Return the day of the first game of each period, shape (periods,); 0 where no game has a date."""
    ledger = schedule.ledger
    of_games = ledger.arrays.day
    if not ledger.arrays.dated.all():
        of_games = ledger.arrays.kept("day or 0", lambda: np.where(ledger.arrays.dated, ledger.arrays.day, 0))
    day: Ints = schedule.taken(of_games)
    return day if len(schedule.batch) > len(day) else day[schedule.batch[:-1]]


def last_day(schedule: Schedule) -> Ints:
    """Return the last day of the ledger, of its past where it has no game, shape (1,); 0 where no game has a date."""
    ledger = schedule.ledger
    if schedule.past is not None and not len(ledger):
        return np.array([schedule.past.day], dtype=np.int64)

    def latest() -> Ints:
        return np.array([ledger.arrays.day.max() if ledger.arrays.dated.any() else 0], dtype=np.int64)

    return ledger.arrays.kept("last day", latest)


def undated(schedule: Schedule) -> tuple[str, ...]:
    """Return the warning of a replay in which deviations should grow by days, and no game has a date."""
    if not len(schedule) or schedule.ledger.arrays.dated.any():
        return ()
    return ("no game has a date; deviations do not grow with time",)
