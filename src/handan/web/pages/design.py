"""Every part of the pages in every state, for those who work on them; no club is needed."""

from __future__ import annotations

from datetime import date, timedelta
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from handan.drawing import Course, Point, drawn, rank_bands
from handan.systems import SYSTEMS
from handan.web.pages.chart import DESK, PHONE, Chart, words_of
from handan.web.pages.here import public

FIRST = date(2026, 1, 10)  # of the invented games
STEPS = (1, 1, -1, 1, 1, 1, -1, 1, 1, 1, 1, -1, 1, 1, 1, -1, 1, 1, 1, 1)
PLATES = (
    ("四段", "山田 春子", "ja", "182", 3), ("三段", "佐藤 健", "ja", "154", -2), ("1d", "Ada Lindqvist", "", "133", 4),
    ("2k", "김민수", "ko", "97", 0), ("4k", "王小明", "zh-Hans", "74", -2), ("7k", "Ioana Popescu", "", "1123.1", 12),
)  # fmt: skip
"""Rank, name, its language, points and how far it moved; all invented."""


@public
def design(request: HttpRequest) -> HttpResponse:
    """Show the parts of the pages: plates, charts, tables, states, forms and switches."""
    return render(request, "handan/design.html", {"plates": PLATES, "chart": _chart()})


def _chart() -> Chart:
    """Return the chart of invented games, two of them on one day, under points cards."""
    law, points, rating = SYSTEMS["points"](), [], 100.0
    for number, change in enumerate(STEPS):
        rating += change * 4
        day = FIRST + timedelta(days=14 * (number - (number == 5)))
        points.append(Point(str(day), rating, str(law.rank(rating)), f"{day}: {change:+d}"))
    course = Course("山田 春子", Point("", 100.0, str(law.rank(100.0))), points)
    sizes = [
        drawn([course], partial(rank_bands, law.rank), size, words_of("", 0), whole=True) for size in (DESK, PHONE)
    ]
    return Chart(sizes[0], sizes[1], (course.name,))
