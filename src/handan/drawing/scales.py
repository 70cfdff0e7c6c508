"""The axis of days: days, months or years across."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date
from functools import lru_cache

MOST_DAYS = 10_000  # our choice: days of which a process remembers the numbers
MONTHS = (1, 2, 3, 6)
"""Months between two ticks, of which a year is a multiple."""


@lru_cache(MOST_DAYS)
def ordinal(text: str) -> float | None:
    """Return the day of a date as a number; that of a year or a month is its first; None for no date."""
    parts = [int(part) for part in text[:10].split("-")] if text else []
    return float(date(*[*parts, 1, 1][:3]).toordinal()) if parts else None


def day_ticks(low: float, high: float, most: int) -> list[date]:
    """Return at most so many first days of months or years between two days."""
    first, last = date.fromordinal(max(1, math.floor(low))), date.fromordinal(math.ceil(high))
    months = (last.year - first.year) * 12 + last.month - first.month
    gap = next((gap for gap in MONTHS if months / gap <= most), 0)
    if gap:
        count = range(first.year * 12 + first.month - 1, last.year * 12 + last.month)
        days = [date(number // 12, number % 12 + 1, 1) for number in count if number % 12 % gap == 0]
    else:
        years = last.year - first.year + 1
        gap = next(size for power in range(5) for size in (10**power, 2 * 10**power, 5 * 10**power)
                   if years / size <= most)  # fmt: skip
        days = [date(year, 1, 1) for year in range(first.year, last.year + 1) if year % gap == 0 and year > 0]
    return [day for day in days if low <= day.toordinal() <= high]


def days_across(dates: Sequence[str]) -> list[float]:
    """Return where on the axis of days each game of a row stands: one without a date with the one before it.

    No day is before that of an earlier game, so that a line never goes back.
    """
    places: list[float] = []
    last = min((number for number in map(ordinal, dates) if number is not None), default=1.0)
    for text in dates:
        number = ordinal(text)
        last = last if number is None else max(last, number)
        places.append(last)
    return places
