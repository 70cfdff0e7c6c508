"""The course of ratings as an SVG: steps over days or games, ranks as bands, promotions as seals."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from html import escape
from typing import NamedTuple

from handan.charts import round_ticks
from handan.drawing.bands import Band
from handan.drawing.scales import day_ticks, days_across
from handan.ranks import Rank

SAME_DAY = 5.0  # pixels between games of one day; our choice
DOT, LINK = 6.0, 3.5  # pixels a game; our choice: dots nearer to each other cover the line, narrower links are not hit
LOOKS = ("first", "second", "third", "fourth")


class Size(NamedTuple):
    """Size of a drawing in pixels."""

    width: int
    height: int
    text: int
    """Size of letters."""
    days: int
    """Most ticks across."""


class Point(NamedTuple):
    """A game or an adjustment: where it led."""

    date: str
    rating: float
    rank: str
    label: str = ""
    """What it says, to who cannot see it too."""
    link: str = ""
    """Where its sum stands."""
    deviation: float | None = None


@dataclass(frozen=True)
class Course:
    """One player's ratings, in playing order."""

    name: str
    entry: Point
    """The first value; its date is not used."""
    points: Sequence[Point]

    @property
    def heights(self) -> list[float]:
        """The entry value and each after it."""
        return [self.entry.rating, *(point.rating for point in self.points)]


@dataclass(frozen=True)
class Words:
    """How a drawing writes figures, ranks and days."""

    figure: Callable[[float], str]
    rank: Callable[[str], str]
    day: Callable[[date, bool], str]
    """A tick of a day; whether only its year is written."""
    title: str = ""
    numbers: bool = field(default=True)
    """Whether figures stand at the left."""


def drawn(courses: Sequence[Course], bands_of: Callable[[float, float], list[Band]], size: Size, words: Words, *,
          by_day: bool = True, whole: bool = False, until: date | None = None) -> str:  # fmt: skip
    """Return the drawing of one or several courses; empty where none has a point.

    Args:
        courses: Of players of one club, whose ratings have one unit.
        bands_of: Returns the bands of ranks between two heights.
        size: Of the drawing.
        words: Of its texts.
        by_day: Whether days stand across, else the numbers of the games.
        whole: Whether only whole numbers stand at the left.
        until: The day at which the drawing ends, unless a game is later; None: a little after the last game.
    """
    courses = [course for course in courses if course.points]
    if not courses:
        return ""
    frame = _Frame(courses, size, by_day=by_day, until=until)
    parts = [
        _bands(frame, bands_of(frame.low, frame.high), words),
        _across(frame, words),
        _upwards(frame, words, whole=whole) if words.numbers else "",
        *(_course(frame, course, LOOKS[number % len(LOOKS)]) for number, course in enumerate(courses)),
        _seals(frame, courses[0], words) if len(courses) == 1 else "",
        _links(frame, courses[0]) if len(courses) == 1 else "",
    ]
    head = f'class="chart" viewBox="0 0 {size.width} {size.height}" width="{size.width}" height="{size.height}"'
    label = f'role="group" aria-label="{escape(words.title)}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {head} {label} font-size="{size.text}">{"".join(parts)}</svg>'


class _Frame:
    """Where days, games and ratings stand in a drawing."""

    def __init__(self, courses: Sequence[Course], size: Size, *, by_day: bool, until: date | None) -> None:
        self.size, self.by_day = size, by_day and any(point.date for course in courses for point in course.points)
        self.left, self.right = size.text * 3.2, size.width - size.text * 3.4
        self.top, self.bottom = size.text * 2.2, size.height - size.text * 1.9
        heights = [height for course in courses for height in course.heights]
        spread = [
            point.rating + sign * point.deviation
            for course in courses
            for point in course.points
            if point.deviation is not None
            for sign in (-1, 1)
        ]
        low, high = min(heights), max(heights)
        room = max(high - low, 1e-6)
        low, high = max(min([low, *spread]), low - room), min(max([high, *spread]), high + room)
        rim = 0.08 * (high - low) or max(abs(high) * 0.02, 1.0)
        self.low, self.high = low - rim, high + rim
        self.places = [self._across_of(course) for course in courses]
        first, last = min(places[0] for places in self.places), max(places[-1] for places in self.places)
        margin = max((last - first) * 0.03, 15.0 if self.by_day else 0.0)
        end = last + margin if until is None else max(last, float(until.toordinal()))
        self.first, self.last = (first - margin, end) if self.by_day else (0.0, max(last, 1.0))
        self._numbers = {id(course): number for number, course in enumerate(courses)}
        self._xs: dict[int, list[float]] = {}

    def _across_of(self, course: Course) -> list[float]:
        if self.by_day:
            return days_across([point.date for point in course.points])
        return [float(number) for number in range(1, len(course.points) + 1)]

    def x(self, place: float) -> float:
        return self.left + (place - self.first) / (self.last - self.first) * (self.right - self.left)

    def y(self, height: float) -> float:
        inside = min(max(height, self.low), self.high)
        return self.bottom - (inside - self.low) / (self.high - self.low) * (self.bottom - self.top)

    def xs(self, course: Course) -> list[float]:
        """Return where the points of a course stand; those of one day a little beside each other."""
        number_of = self._numbers[id(course)]
        if number_of not in self._xs:
            self._xs[number_of] = self._apart(self.places[number_of])
        return self._xs[number_of]

    def _apart(self, places: Sequence[float]) -> list[float]:
        made = list[float]()
        for number, place in enumerate(places):
            x = self.x(place)
            again = number > 0 and place == places[number - 1]
            made.append(max(x, made[-1] + SAME_DAY) if again else max(x, made[-1] if made else x))
        over = made[-1] - self.right
        return [x - over if over > 0 and x > self.right - 2 * over else x for x in made] if over > 0 else made


def _text(x: float, y: float, text: str, look: str = "") -> str:
    name = f' class="{look}"' if look else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{name}>{escape(text)}</text>'


def _bands(frame: _Frame, bands: Sequence[Band], words: Words) -> str:
    parts, last = [], frame.bottom + 2 * frame.size.text
    for band in bands:
        top, bottom = frame.y(band.high), frame.y(band.low)
        wide = frame.right - frame.left
        if round(band.rank.stones) % 2:
            place = f'x="{frame.left:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{bottom - top:.1f}"'
            parts.append(f'<rect class="band" {place}/>')
        middle = (top + bottom) / 2 + frame.size.text * 0.35
        if last - middle >= frame.size.text * 1.15:  # where bands are narrow, some stay without a name
            parts.append(_text(frame.right + frame.size.text * 0.5, middle, words.rank(str(band.rank)), "rank"))
            last = middle
    return "".join(parts)


def _across(frame: _Frame, words: Words) -> str:
    y, parts = frame.bottom + frame.size.text * 1.5, []
    if not frame.by_day:
        ticks = round_ticks(0, frame.last, frame.size.days, whole=True)
        marks = [(tick, str(round(tick))) for tick in ticks]
    else:
        days = day_ticks(frame.first, frame.last, frame.size.days)
        years = all(day.month == 1 for day in days)
        marks = [(float(day.toordinal()), words.day(day, years or day.month == 1)) for day in days]
    for place, text in marks:
        x = frame.x(place)
        parts.append(f'<path class="tick" d="M{x:.1f} {frame.top:.1f}V{frame.bottom:.1f}"/>')
        parts.append(_text(x, y, text, "across"))
    return "".join(parts)


def _upwards(frame: _Frame, words: Words, *, whole: bool) -> str:
    """Return the upward axis: a line across and a figure at each tick."""
    ticks = round_ticks(frame.low, frame.high, 6, whole=whole)
    shift = frame.size.text * 0.35
    return "".join(
        f'<path class="tick" d="M{frame.left:.1f} {frame.y(tick):.1f}H{frame.right:.1f}"/>'
        + _text(frame.left - frame.size.text * 0.5, frame.y(tick) + shift, words.figure(tick), "upwards")
        for tick in ticks
    )


def _course(frame: _Frame, course: Course, look: str) -> str:
    """Return the line of a course: a rating holds until the next game."""
    xs, ys = frame.xs(course), [frame.y(height) for height in course.heights]
    steps = "".join(f"H{x:.1f}V{y:.1f}" for x, y in zip(xs, ys[1:], strict=True))
    end = f"H{frame.right:.1f}" if frame.by_day else ""
    parts = [_spread(frame, course, xs)] if look == LOOKS[0] else []
    parts.append(f'<path class="line {look}" d="M{frame.left:.1f} {ys[0]:.1f}{steps}{end}"/>')
    if len(xs) * DOT <= frame.size.width:
        dots = [(frame.left, ys[0]), *zip(xs, ys[1:], strict=True)]
        parts.append("".join(f'<circle class="dot {look}" cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in dots))
    return "".join(parts)


def _spread(frame: _Frame, course: Course, xs: Sequence[float]) -> str:
    """Return how far the rating may be off, as a band of one deviation to each side."""
    points = [(x, point) for x, point in zip(xs, course.points, strict=True) if point.deviation is not None]
    if not points:
        return ""
    ends = [*(x for x, _ in points[1:]), frame.right if frame.by_day else points[-1][0]]
    upper = [(point.rating + (point.deviation or 0), x, end) for (x, point), end in zip(points, ends, strict=True)]
    lower = [(point.rating - (point.deviation or 0), x, end) for (x, point), end in zip(points, ends, strict=True)]
    there = "".join(f"L{x:.1f} {frame.y(h):.1f}H{end:.1f}" for h, x, end in upper)
    back = "".join(f"L{end:.1f} {frame.y(h):.1f}H{x:.1f}" for h, x, end in reversed(lower))
    return f'<path class="spread" d="M{there[1:]}{back}Z"/>'


def _seals(frame: _Frame, course: Course, words: Words) -> str:
    """Return a seal where a rank was reached for the first time, in two rows where they are near to each other."""
    best = Rank.parse(course.entry.rank) if course.entry.rank else None
    text, parts, ends = frame.size.text, [], [-1e9, -1e9]
    before = [course.entry, *course.points]
    for x, point, last in zip(frame.xs(course), course.points, before, strict=False):
        if best is not None and point.rank == last.rank:
            continue
        rank = Rank.parse(point.rank) if point.rank else None
        if rank is None or (best is not None and not rank > best):
            best = best or rank
            continue
        risen, best = best is not None, rank
        word = words.rank(point.rank)
        wide = text * (0.7 * len(word) + 0.7) + sum(text * 0.4 for char in word if ord(char) > 0x2E80)
        row = next((row for row, end in enumerate(ends) if x - wide / 2 > end + 2), None)
        if not risen or row is None:
            continue
        ends[row] = x + wide / 2
        y = 1.0 + row * text * 1.0
        parts.append(f'<path class="risen" d="M{x:.1f} {y + text:.1f}V{frame.y(point.rating):.1f}"/>')
        place = f'x="{x - wide / 2:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{text * 1.35:.1f}"'
        parts.append(f'<rect class="seal" {place} rx="2"/>')
        parts.append(_text(x, y + text * 1.03, word, "on-seal"))
    return "".join(parts)


def _links(frame: _Frame, course: Course) -> str:
    """Return what is touched for a step: the whole height between it and its neighbours."""
    xs = frame.xs(course)
    gap = max(1, math.ceil(len(xs) * LINK / frame.size.width))
    chosen = [number for number in range(0, len(xs), gap) if course.points[number].link]
    parts, upright = [], f'y="{frame.top:.1f}" height="{frame.bottom - frame.top:.1f}"'
    for place, number in enumerate(chosen):
        left = (xs[chosen[place - 1]] + xs[number]) / 2 if place else frame.left
        right = (xs[chosen[place + 1]] + xs[number]) / 2 if place + 1 < len(chosen) else frame.right
        point = course.points[number]
        area = f'x="{left:.1f}" width="{max(right - left, 1):.1f}" {upright}'
        label = escape(point.label)
        parts.append(
            f'<a href="{escape(point.link)}" tabindex="-1" aria-label="{label}">'
            f'<rect class="touch" {area}/><title>{label}</title></a>'
        )
    return "".join(parts)
