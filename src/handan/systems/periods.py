"""Rating periods of the calendar, and the days on which periods begin."""

from __future__ import annotations

import numpy as np

from handan.systems.base import Ints, Sheet

PERIODS = ("event", "month", "week", "day", "game")
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


def days(sheet: Sheet) -> Ints:
    """Return the day of the first game of each period, shape (periods,); 0 where no game has a date."""
    ledger = sheet.ledger
    day: Ints = sheet.taken(ledger.kept("day or 0", lambda: np.where(ledger.dated, ledger.day, 0)))
    return day if len(sheet.batch) > len(day) else day[sheet.batch[:-1]]


def last_day(sheet: Sheet) -> Ints:
    """Return the last day of the ledger, shape (1,); 0 where no game has a date."""
    ledger = sheet.ledger

    def latest() -> Ints:
        return np.array([ledger.day.max() if ledger.dated.any() else 0], dtype=np.int64)

    return ledger.kept("last day", latest)


def undated(sheet: Sheet) -> tuple[str, ...]:
    """Return the warning of a replay in which deviations should grow by days, and no game has a date."""
    if not len(sheet) or sheet.ledger.dated.any():
        return ()
    return ("no game has a date; deviations do not grow with time",)
