"""Dates as people write them, whose order of day, month and year the whole column decides."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cache

from handan.errors import Clause, FieldError, QuestionError, either, shown
from handan.files.io.options import ORDERS
from handan.ledger import When
from handan.ledger.dates import EXPECTED
from handan.words import joined, plain, table

IN_ORDER = "a date in the order {order}"
NAMES = {"dmy": "day/month/year", "mdy": "month/day/year", "ymd": "year/month/day"}
FIRST = {"dmy": "day", "mdy": "month", "ymd": "year"}
YEAR_FIRST = frozenset(("zh", "ja", "ko"))
"""Languages that write the year first; the other languages of the table but English write the day first."""
CENTURY = 51  # two digits from here on are of the last century (as result tables have it)
EPOCH = date(1899, 12, 30)
"""Day 0 of Excel's numbers of days, as they are from March 1900 on."""
EPOCH_1904 = date(1904, 1, 1)
"""Day 0 in workbooks made on older Macintosh computers."""
LONGEST = 80  # characters; our choice: longer text is no date
FEW_SLIPS = 10  # our choice: one date in so many, and one in any column, may be a slip
DEFAULTS = ("1900-01-01",)
"""What tournament programs write where no date was given."""
SERIALS = (10_000, 80_000)  # our choice: days that are meant, 1927 to 2119

NOON = "오전|오후|上午|下午|午前|午後"
AFTER_NOON = ("p", "오후", "下午", "午後")
TIME = re.compile(
    rf"(?<![\sT,])[\sT,]++(?:({NOON})\s*+)?(\d{{1,2}})[:h](\d\d)(?::(\d\d)(?:[.,]\d+)?)?\s*+([ap]\.?\s?m\.?|{NOON})?"
    r"\s*+(?:Z|(?:GMT|UTC)?[+-]\d\d?(?::?\d\d)?|GMT|UTC)?$",
    re.IGNORECASE,
)
THREE = re.compile(r"(\d{1,4})\s{0,9}([-/. ])\s{0,9}(\d{1,2})\s{0,9}[-/. ]\s{0,9}(\d{1,4})\.?")
EAST = re.compile(r"([^\W\d_]*)\s*(\d{1,4}|元)\s*[年년]\s*(\d{1,2})\s*[月월]\s*(?:(\d{1,2})\s*[日일号號]?)?")
ERA = re.compile(r"([^\W\d_]+)\s*(\d{1,2}|元)\s*[-/.]\s*(\d{1,2})\s*[-/.]\s*(\d{1,2})")
YEARLESS = Clause.of("a date with its year, such as 2026-05-01{hint}", hint=" (--date gives the year)")
DAY_MONTH = re.compile(r"(\d{1,2})\s{0,9}([/.-])\s{0,9}(\d{1,2})\.?")
MONTH_DAY = re.compile(r"(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일号號]?")
MONTH_YEAR = re.compile(r"(\d{1,2})\s*[/.-]\s*(\d{4})")
COMPACT = re.compile(r"((?:19|20)\d\d)(\d\d)(\d\d)")
BESIDE_DATES = frozenset(map(joined, ["st", "nd", "rd", "th", "de", "г", "年", "月", "日", "년", "월", "일"]))
POINT = re.compile(r"\d+(?:[.,]\d+)?")
SERIAL = re.compile(r"(\d{5})(?:[.,](\d+))?")
WORD = re.compile(r"[^\W\d_]+|\d+")
DAY_AND_MONTH = re.compile(r"\d{1,2}[\s.-]+([^\W\d_]+)\.?|([^\W\d_]+)\.?-\d\d")
WEEKDAY = re.compile(r"^[^\W\d_]{1,12}[.,]?\s+")
MORE_DAYS = re.compile(
    r"(?<!\d)(\d{1,2})((?:st|nd|rd|th)?)(?:\.?\s*(?:[,&+/–-]|and|to|und|bis|et)\s*\d{1,2}(?:st|nd|rd|th)?(?!\d))+"
)
"""Days of one month, such as `14, 15 August 2007` and `10./11. Oktober 2026`."""
WORDS_OF_DATE = 5  # our choice: words that a day among others has at most, as in `Sat 2 - 3 May 2026`
AROUND = " \t()[]（）,;:–—-"
"""What stands around a day in a line."""
SPAN = frozenset(("", "to", "and", "bis", "und", "au", "et", "/", "~", "〜", "～"))
"""What stands between the first and the last day of an event."""
ASIDE = re.compile(r"\([^()]*\)|（[^（）]*）")


@dataclass(frozen=True, slots=True)
class Numbers:
    """A date of three numbers whose order is open."""

    parts: tuple[int, int, int]
    long: bool
    """Whether the last number has four digits."""
    short: bool
    """Whether the last number has one digit, as no year has."""
    mark: str
    """What stands between them."""
    clock: tuple[int, ...]
    year: int | None = None
    """That the user gives where the cell has none; its parts are then day and month, and 0."""

    def day(self, order: str) -> date | None:
        """Return the day that is meant in an order, None if there is none."""
        if self.year is not None:
            day, month = self.parts[:2] if order == "dmy" else self.parts[1::-1]
            return _day(self.year, month, day)
        if self.long if order == "ymd" else self.short:
            return None
        first, second, third = self.parts
        year, month, day = {
            "dmy": (third, second, first), "mdy": (third, first, second), "ymd": (first, second, third)
        }[order]  # fmt: skip
        return _day(year if self.long else _full(year), month, day)


@dataclass(slots=True)
class DateReader:
    """Reads the unusual cells of one column of dates together."""

    order: str = ""
    """As the user says it; after reading, as it was decided; empty where no cell left it open."""
    languages: frozenset[str] = frozenset()
    """Languages of the headings."""
    epoch: date = EPOCH
    year: int | None = None
    """Of the days that are written without one; None: such a day is no date."""
    why: str = ""
    """What decided."""
    serials: bool = False
    """Whether days stand as numbers of days."""
    example: str = ""
    open: dict[str, Numbers] = field(default_factory=dict)

    def __call__(self, cells: Iterable[str]) -> tuple[dict[str, When], dict[str, str]]:
        """Return the dates of the cells, and what was expected of the bad ones; QuestionError if the order is open."""
        dates: dict[str, When] = {}
        bad: dict[str, str] = {}
        self.open = {}
        for cell in cells:
            if not cell.strip():
                continue
            try:
                date_or_numbers = self.read(cell)
            except FieldError as fault:
                bad[cell] = fault.expected
                continue
            if isinstance(date_or_numbers, When):
                dates[cell] = date_or_numbers
            else:
                self.open[cell] = date_or_numbers
        if self.open:
            self._decide()
        for cell, numbers in self.open.items():
            day = numbers.day(self.order) if self.order else None
            if day is None:
                bad[cell] = Clause.of(IN_ORDER, order=Clause.of(NAMES[self.order])) if self.order else EXPECTED
            else:
                dates[cell] = _when(day, numbers.clock)
        return dates, bad

    def read(self, cell: str) -> When | Numbers:
        """Return the date of a cell, or its numbers where their order is open; FieldError if it is none."""
        if len(cell) > LONGEST:
            raise FieldError("date", cell, EXPECTED)
        text = ASIDE.sub(" ", unicodedata.normalize("NFKC", cell)).strip().strip("'").strip()
        if match := SERIAL.fullmatch(text):
            return self._serial(cell, int(match[1]), float(f"0.{match[2] or 0}"))
        clock: tuple[int, ...] = ()
        if match := TIME.search(text):
            clock, text = _clock(match), text[: match.start()].rstrip(" ,")
        if match := COMPACT.fullmatch(text):
            return _certain(cell, (int(match[1]), int(match[2]), int(match[3])), clock)
        for reader in (_east, _by_month_name, _three, self._without_year):
            date_or_numbers = reader(cell, text, clock)
            if date_or_numbers is not None:
                return date_or_numbers
        return When.parse(cell)

    def _without_year(self, cell: str, text: str, clock: tuple[int, ...]) -> When | Numbers | None:
        """Read `3.5.`, `3/5`, `3 May` and `5月3日` as days of the year; FieldError where none is given."""
        text = WEEKDAY.sub("", text)
        numbers, east = DAY_MONTH.fullmatch(text), MONTH_DAY.fullmatch(text)
        month_and_day = (int(east[1]), int(east[2])) if east else _month_and_day(text)
        if numbers is None and month_and_day is None:
            return None
        if self.year is None:
            raise FieldError("date", cell, YEARLESS)
        if month_and_day:
            return _certain(cell, (self.year, *month_and_day), clock)
        first, mark, second = numbers.groups()  # type: ignore[union-attr]  # one of the two is there
        return Numbers((int(first), int(second), 0), long=False, short=False, mark=mark, clock=clock, year=self.year)

    def _serial(self, cell: str, days: int, rest: float) -> When:
        if not SERIALS[0] <= days <= SERIALS[1]:
            raise FieldError("date", cell, EXPECTED)
        self.serials = True
        day = self.epoch + timedelta(days=days)
        seconds = round(rest * 86_400)
        return _when(day, (seconds // 3600, seconds // 60 % 60) if seconds else ())

    def _decide(self) -> None:
        """Find the order in which most of the open cells make sense."""
        if self.order:
            self.why = "as asked"
            return
        numbers = _without_slips([item for item in self.open.values() if any(item.day(order) for order in ORDERS)])
        if not numbers:
            return
        marks = {item.mark for item in numbers}
        whole = [order for order in ("dmy", "mdy") if all(item.day(order) for item in numbers)]
        east = bool(self.languages) and self.languages <= YEAR_FIRST and all(item.day("ymd") for item in numbers)
        if east or (not whole and all(item.day("ymd") for item in numbers)):
            self.order, self.why = "ymd", "the headings" if east else "the column"
        elif whole and _years(numbers, "ymd") < _years(numbers, whole[0]):
            self.order, self.why = "ymd", "the column"
        elif (whole == ["dmy"] or marks == {"-"}) and self._year_may_be_first(numbers):
            self._ask(numbers, ("dmy", "ymd"))
        elif len(whole) == 1:
            self.order, self.why = whole[0], "the column"
        elif whole and all(item.day("dmy") == item.day("mdy") for item in numbers):
            self.order, self.why = "dmy", ""
        elif whole and all(item.mark in ".-" for item in numbers):
            self.order, self.why = "dmy", "custom"
        elif whole and self.languages and not self.languages & {"en", *YEAR_FIRST}:
            self.order, self.why = "dmy", "the headings"
        else:
            self._ask(numbers, ("dmy", "mdy"))

    def _year_may_be_first(self, numbers: list[Numbers]) -> bool:
        """Return whether the days of a column may be meant with the year first as well as with the day first."""
        if any(item.year for item in numbers):
            return False
        local = bool(self.languages) and not self.languages & {"en", *YEAR_FIRST}
        differ = any(item.day("ymd") != item.day("dmy") for item in numbers)
        return (
            differ and not local and math.isfinite(years := _years(numbers, "ymd")) and years == _years(numbers, "dmy")
        )

    def _ask(self, numbers: list[Numbers], orders: tuple[str, str]) -> None:
        cells = {item: cell for cell, item in reversed(self.open.items())}
        item = min((each for each in numbers if each.day(orders[0]) != each.day(orders[1])), key=cells.__getitem__)
        readings = {order: item.day(order) for order in orders if item.day(order)}
        days = either(map(str, readings.values()))
        pattern = "which comes first in its dates, the {one} or the {other}: is {cell} {days}?"
        one, other = (Clause.of(FIRST[order]) for order in orders)
        raise QuestionError(
            Clause.of(pattern, one=one, other=other, cell=shown(cells[item].strip()), days=days), "--dates",
            orders, readings=tuple(str(item.day(order) or "") for order in orders), cell=cells[item].strip(),
        )  # fmt: skip


def read_date(text: str, order: str) -> When | None:
    """Return the date of a text whose format says the order of day, month and year; None where nothing stands.

    Raises:
        FieldError: It is no date.
    """
    if not text.strip():
        return None
    when = DateReader(order).read(text)
    if isinstance(when, When):
        return when
    day = when.day(order)
    return When.parse(text) if day is None else _when(day, when.clock)


def real_date(when: When | None) -> When | None:
    """Return a date, or None where a tournament program wrote its own in place of one."""
    return None if str(when) in DEFAULTS else when


def _without_slips(numbers: list[Numbers]) -> list[Numbers]:
    """Return dates without the few that are no days in the order in which nearly all others are, such as 31/6/26."""
    by_order = [[item for item in numbers if item.day(order)] for order in ("dmy", "mdy")]
    fewer, most = sorted(by_order, key=len)
    slips = len(numbers) - len(most)
    return most if len(fewer) < len(most) and slips <= max(1, len(numbers) // FEW_SLIPS) else numbers


def _years(numbers: Iterable[Numbers], order: str) -> float:
    """Return in how many years dates lie in an order; infinitely many where one cannot be meant so, as between points.

    Dates of one list lie in few years, and on days of all kinds.
    """
    days = [None if order == "ymd" and item.mark == "." else item.day(order) for item in numbers]
    return len({day.year for day in days if day}) if all(days) else math.inf


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _full(year: int) -> int:
    """Return the year that two digits mean."""
    return year if year > 99 else year + (1900 if year >= CENTURY else 2000)


def _clock(match: re.Match[str]) -> tuple[int, ...]:
    hour, minute, second = int(match[2]), int(match[3]), int(match[4] or 0)
    if half := match[1] or match[5]:
        hour = hour % 12 + (12 if half.lower().startswith(AFTER_NOON) else 0)
    return (hour, minute, second) if second else (hour, minute)


def _when(day: date, clock: tuple[int, ...]) -> When:
    """Return a day and its time; midnight, which programs write for a day, is no time."""
    if not any(clock) or clock[0] > 23 or max(clock[1:]) > 59:
        return When(datetime(day.year, day.month, day.day))  # noqa: DTZ001  # clubs write local time
    moment = datetime(day.year, day.month, day.day, *clock)  # type: ignore[arg-type]  # noqa: DTZ001
    return When(moment, 16 if len(clock) == 2 else 19)


def _certain(cell: str, parts: tuple[int, int, int], clock: tuple[int, ...]) -> When:
    day = _day(*parts)
    if day is None:
        raise FieldError("date", cell, EXPECTED)
    return _when(day, clock)


def _east(cell: str, text: str, clock: tuple[int, ...]) -> When | None:
    """Read `2026年9月3日`, `令和8年9月3日`, `2026년 9월 3일`, `R8.9.3`."""
    match = EAST.fullmatch(text) or ERA.fullmatch(text)
    if not match:
        return None
    era, count, month, day = match.groups()
    year = 1 if count == "元" else int(count)
    if era:
        before = table()["eras"].get(plain(era))
        if before is None:
            return None
        year += before
    elif len(count) == 2:
        year = _full(year)
    if day is None and 1 <= int(month) <= 12:
        return When(datetime(year, int(month), 1), 7)  # noqa: DTZ001  # clubs write local time
    return _certain(cell, (year, int(month), int(day or 0)), clock)


@cache
def _months() -> dict[str, int]:
    """Return the number of each month by its names in all languages."""
    return {
        joined(word): number
        for names in table()["months"].values()
        for number, forms in enumerate(names.split(","), 1)
        for word in forms.split()
    }


def _words_and_months(text: str) -> tuple[list[str], list[int]]:
    """Return the words and numbers of a text, and the numbers of the months among them."""
    tokens = [joined(token) for token in WORD.findall(text)]
    return tokens, [_months()[token] for token in tokens if token in _months()]


def is_month(word: str) -> bool:
    """Return whether a word is the name of a month."""
    return joined(word) in _months()


def _by_month_name(cell: str, text: str, clock: tuple[int, ...]) -> When | None:
    """Read `3 Sept 2026`, `September 3rd, 2026`, `3-Sep-26`, `September 2026`; weekdays do not count."""
    tokens, months = _words_and_months(text)
    numbers = [token for token in tokens if token.isdecimal()]
    if len(months) != 1 or not 1 <= len(numbers) <= 2 or len(tokens) > 8:
        return None
    if len(numbers) == 1:
        return When(datetime(int(numbers[0]), months[0], 1), 7) if len(numbers[0]) == 4 else None  # noqa: DTZ001
    first, last = numbers
    year, day = (first, last) if len(first) == 4 else (last, first)
    return _certain(cell, (_full(int(year)), months[0], int(day)), clock)


def _month_and_day(text: str) -> tuple[int, int] | None:
    """Return the numbers of a month and a day as in `3 May` and `May 3rd`; None if it is none."""
    tokens, months = _words_and_months(text)
    days = [int(token) for token in tokens if token.isdecimal() and len(token) <= 2]
    if len(months) != 1 or len(days) != 1 or not all(map(_belongs, tokens)):
        return None
    return months[0], days[0]


def _three(cell: str, text: str, clock: tuple[int, ...]) -> When | Numbers | None:
    """Read three numbers: certain where the year has four digits and comes first."""
    text = WEEKDAY.sub("", text)
    if match := MONTH_YEAR.fullmatch(text):
        month = int(match[1])
        return When(datetime(int(match[2]), month, 1), 7) if 1 <= month <= 12 else None  # noqa: DTZ001
    match = THREE.fullmatch(text)
    if not match:
        return None
    first, mark, second, third = match.groups()
    if len(first) == 4 and len(third) <= 2:
        return _certain(cell, (int(first), int(second), int(third)), clock)
    if len(first) > 2 or len(third) == 3:
        return None
    return Numbers((int(first), int(second), int(third)), len(third) == 4, len(third) == 1, mark, clock)


@dataclass(frozen=True, slots=True)
class DatedLine:
    """A line of text that has a day among its words."""

    day: date
    """The first one where it has two ends."""
    rest: str
    """The line without it."""


def day_in_line(text: str, order: str = "") -> DatedLine | None:
    """Return the day that stands in a line; None where none, several, or one whose order of numbers is open does.

    Args:
        text: The line, such as `Spring Cup, 2-3 May 2026`.
        order: Of day, month and year, as the user says it.
    """
    words = text.split() if len(text) <= LONGEST and any(map(str.isdecimal, text)) else []
    spans: list[tuple[int, int, date]] = []
    place = 0
    while place < len(words):
        ends = range(min(len(words), place + WORDS_OF_DATE), place, -1)
        days = ((end, _only_day(" ".join(words[place:end]).strip(AROUND), order)) for end in ends)
        end, day = next(((end, day) for end, day in days if day), (place + 1, None))
        spans += [(place, end, day)] if day else []
        place = end
    if not spans or len(spans) > 2:
        return None
    (start, first_end, day), (last_start, end, last) = spans[0], spans[-1]
    between = " ".join(words[first_end:last_start]).strip(AROUND).casefold()
    if len(spans) == 2 and (last < day or between not in SPAN):
        return None
    return DatedLine(day, " ".join([*words[:start], *words[end:]]).strip(AROUND))


def _only_day(text: str, order: str) -> date | None:
    """Return the day that a text is, the first of `2-3 May 2026`; None where it is none for sure."""
    for part in dict.fromkeys((text, MORE_DAYS.sub(r"\1\2", text))):
        words = WORD.findall(part)
        numbers = sum(map(str.isdecimal, words)) + any(joined(word) in _months() for word in words)
        whole = numbers == 3 and any(word.isdecimal() and len(word) == 4 for word in words)
        if not all(map(_belongs, words)) or not (whole or COMPACT.fullmatch(part)):
            continue
        with suppress(QuestionError):
            when = DateReader(order)([part])[0].get(part)
            if when is not None and when.precision >= 10:
                return when.moment.date()
    return None


def looks_like_date(text: str) -> bool:
    """Return whether a text is a date of three parts in some order, and nothing else."""
    if len(text) > 40 or not any(c.isdigit() for c in text) or not all(_belongs(token) for token in WORD.findall(text)):
        return False
    for order in ORDERS:
        dates, _ = DateReader(order)([text])
        if dates and dates[text].precision >= 10 and not POINT.fullmatch(text):
            return True
    return False


def lost_decimals(text: str) -> bool:
    """Return whether a cell is a day and a month without a year, as spreadsheet programs make one of `6.5`."""
    match = DAY_AND_MONTH.fullmatch(text.strip()) if len(text) <= LONGEST else None
    return match is not None and joined(match[1] or match[2]) in _months()


def _belongs(token: str) -> bool:
    """Return whether a word or number may stand in a date."""
    word = joined(token)
    return word.isdecimal() or word in _months() or word in BESIDE_DATES
