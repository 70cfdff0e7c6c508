"""Dates as people write them: a year, a month, a day, or a time of day, and how much of it was written."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, datetime

from handan.errors import Clause, FieldError, refuse_other

DAY = 10  # characters of a date without a time
EXPECTED = "a date such as 2026-05-01, 2026-05-01 14:30, 2026-05 or 2026"
FORMATS = {4: "%Y", 7: "%Y-%m", DAY: "%Y-%m-%d", 16: "%Y-%m-%d %H:%M", 19: "%Y-%m-%d %H:%M:%S"}
"""Length of the text, which is also the precision that is kept, and its form."""
LOOSE = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[ T](\d{1,2}):(\d\d)(?::(\d\d))?)?(?:\.0+)?Z?")
DAY_FIRST = re.compile(r"(\d{1,2})[.-](\d{1,2})[.-](\d{4})")
EARLIEST = datetime(1600, 1, 1)  # noqa: DTZ001  # older dates are slips of the pen
MISSING = ("nan", "NaT", "<NA>")
"""What is not known, as rows of pandas print it."""
EPOCH = date(1970, 1, 1)
"""The day that has the number 0."""


def read_day(name: str, value: object) -> date:
    """Return the day that somebody wrote in a field of this name; FieldError for what is none."""
    try:
        when = When.parse(str(value))
    except FieldError:
        when = None
    if when is None or when.precision != DAY:
        raise FieldError(name, value, "a day such as 2026-05-01")
    if when.moment < EARLIEST:
        raise FieldError(name, value, Clause.of("a day from {first} on", first=EARLIEST.date()))
    return when.moment.date()


def day_number(day: date) -> int:
    """Return the number of a day, as `Ledger.day` counts them: days since 1970-01-01."""
    return (day - EPOCH).days


@dataclass(frozen=True, slots=True, order=True)
class When:
    """A point in time with the precision with which it is known; a date without a time stands at the day's start."""

    moment: datetime
    precision: int = DAY
    """Characters of `YYYY-MM-DD HH:MM:SS` that are known: 4, 7, 10, 16 or 19."""

    @classmethod
    def parse(cls, text: str) -> When:
        """Read ISO dates, `YYYY/M/D`, `YYYY.MM.DD`, `D.M.YYYY` and `DD-MM-YYYY`; FieldError otherwise."""
        refuse_other("date", text, str, "text such as 2026-05-01")
        stripped = text.strip()
        try:
            if match := LOOSE.fullmatch(stripped):
                parts = [int(part) for part in match.groups() if part is not None]
                return cls(datetime(*parts), (10, 16, 19)[max(len(parts) - 4, 0)])  # type: ignore[arg-type]  # noqa: DTZ001  # clubs write local time
            if match := DAY_FIRST.fullmatch(stripped):
                return cls(datetime(int(match[3]), int(match[2]), int(match[1])))  # noqa: DTZ001  # see above
            if re.fullmatch(r"\d{4}(-\d\d)?", stripped):
                return cls(datetime(int(stripped[:4]), int(stripped[5:] or 1), 1), len(stripped))  # noqa: DTZ001  # see above
        except ValueError:
            pass
        raise FieldError("date", text, EXPECTED)

    @classmethod
    def of(cls, value: str | date | datetime | When | int | None) -> When | None:
        """Return a date from text, a year or Python's own dates; None for an unknown one, such as empty text."""
        if value is None or isinstance(value, When):
            return value
        if isinstance(value, str):
            return cls.parse(value) if value else None
        text = str(value)
        if text in MISSING:
            return None
        if isinstance(value, datetime):
            return cls(value.replace(tzinfo=None, microsecond=0), 19 if value.second else 16)
        if isinstance(value, date):
            return cls(datetime(value.year, value.month, value.day))  # noqa: DTZ001  # clubs write local time
        return cls.parse(text)

    def __str__(self) -> str:
        """ISO text, as long as what is known."""
        return written(self.moment, self.precision)

    @property
    def last(self) -> datetime:
        """The last second of the time that is meant: of the year, the month, the day, the minute."""
        end = {"month": 12} if self.precision == 4 else {}
        if self.precision <= 7:
            end["day"] = monthrange(self.moment.year, end.get("month", self.moment.month))[1]
        if self.precision <= DAY:
            end |= {"hour": 23, "minute": 59}
        return self.moment.replace(**end, second=59) if self.precision < 19 else self.moment  # type: ignore[arg-type]


def written(moment: datetime, precision: int) -> str:
    """Return the ISO text of a moment with `precision` characters; years are four digits on every platform."""
    return moment.isoformat(sep=" ", timespec="seconds")[:precision]


def written_day(moment: datetime | None, precision: int) -> str:
    """Return the day of a date of some precision, as it was written; empty where there is none."""
    return written(moment, min(precision, DAY)) if moment else ""
