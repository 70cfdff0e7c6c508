"""Drawings of ratings: days, ranks, the entry value, promotions, and the hard cases, read back from the drawing."""

from __future__ import annotations

import re
from datetime import date
from functools import partial
from itertools import pairwise

import pytest

from handan.charts import rank_and_index, round_ticks
from handan.drawing import Band, Course, Point, Size, Words, drawn, next_rank_at, rank_bands
from handan.drawing.scales import day_ticks
from handan.ranks import Rank
from handan.ratings import rank_from
from handan.systems import SYSTEMS

SIZE = Size(940, 320, 14, 8)
PLAIN = Words(lambda value: f"{value:g}", str, lambda day, year: str(day.year) if year else f"{day:%b}")
EGF = SYSTEMS["egf"]()


def course(*points: Point, entry: float = 2000.0, rank: str = "1k") -> Course:
    return Course("Ada", Point("", entry, rank), points)


def picture(one: Course, *, by_day: bool = True, size: Size = SIZE) -> str:
    return drawn([one], partial(rank_bands, EGF.rank), size, PLAIN, by_day=by_day)


def dots(svg: str) -> list[tuple[float, float]]:
    """Return where the entry value and each game stand."""
    return [(float(x), float(y)) for x, y in re.findall(r'<circle class="dot first" cx="([\d.]+)" cy="([\d.]+)"', svg)]


def test_ranks_of_a_federation_are_bands_of_a_hundred() -> None:
    # European Go Federation, rating system: 1 dan is from 2050 to below 2150
    bands = rank_bands(EGF.rank, 1990.0, 2180.0)
    assert [str(band.rank) for band in bands] == ["1k", "1d", "2d"]
    assert [band.high for band in bands] == pytest.approx([2050.0, 2150.0, 2180.0])
    assert (bands[0].low, [band.low for band in bands[1:]]) == (1990.0, [band.high for band in bands[:-1]])


def test_a_long_course_has_dots_and_places_to_touch_as_far_as_they_can_be_told_apart() -> None:
    points = [Point(str(date(2020 + n // 12, n % 12 + 1, 1)), 2000.0 + n, "1k", link=f"#g{n}") for n in range(140)]
    desk, phone = (picture(course(*points), size=size) for size in (SIZE, Size(340, 280, 13, 4)))
    wide = [
        [float(width) for width in re.findall(r'"touch" x="[\d.]+" width="([\d.]+)"', svg)] for svg in (desk, phone)
    ]
    assert (len(wide[0]), len(dots(desk)), len(dots(phone))) == (140, 141, 0)
    assert 50 < len(wide[1]) < 100
    assert sum(wide[1]) == pytest.approx(340 - 13 * 6.6, abs=3.0)  # together they cover the whole width


def test_the_next_rank_begins_where_the_band_ends() -> None:
    rank, begins = next_rank_at(EGF.rank, 2060.0, 500.0) or (None, 0.0)
    assert str(rank) == "2d"
    assert begins == pytest.approx(2150.0)
    assert EGF.rank(begins) == rank
    assert next_rank_at(SYSTEMS["holigor"]().rank, 0.0, 10.0) is None  # it has no ranks


def test_a_rating_holds_until_the_next_game_and_days_are_to_scale() -> None:
    svg = picture(course(Point("2026-01-01", 2010.0, "1k"), Point("2026-01-11", 2020.0, "1k"),
                         Point("2026-01-31", 2015.0, "1k")))  # fmt: skip
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = dots(svg)
    assert x0 < x1 < x2 < x3
    assert (x3 - x2) == pytest.approx(2 * (x2 - x1), rel=0.02)
    assert y0 > y1 > y3 > y2  # 2000, 2010, 2015, 2020: upwards in a drawing is a smaller number
    path = re.search(r'class="line first" d="M[\d.]+ [\d.]+([^"]+)"', svg)
    assert path is not None
    assert set(re.findall("[A-Z]", path[1])) == {"H", "V"}  # steps, not slopes


def test_a_drawing_ends_on_the_day_that_is_named_or_that_of_a_later_game() -> None:
    course = Course(
        "Ada", Point("", 1500.0, "1k"), [Point("2026-05-01", 1510.0, "1k"), Point("2026-05-31", 1520.0, "1k")]
    )
    ends = []
    for until in (None, date(2026, 5, 20), date(2026, 5, 31), date(2026, 12, 1)):
        svg = drawn([course], lambda *_: [], Size(940, 320, 14, 8), PLAIN, until=until)
        last, line = re.findall(r'cx="([\d.]+)"', svg)[-1], re.findall(r"H([\d.]+)\"", svg)
        ends.append(float(line[-1]) - float(last))
    assert ends[1] == ends[2] == 0.0
    assert 0.0 < ends[0] < ends[3]


@pytest.mark.parametrize("by_day", [True, False])
def test_two_games_of_one_day_both_stand_in_it(by_day: bool) -> None:
    back = course(
        Point("2026-01-01", 2010.0, "1k"), Point("2026-01-01", 2000.0, "1k"), Point("2026-01-01", 2010.0, "1k")
    )
    places = dots(picture(back, by_day=by_day))
    assert len(set(places)) == 4
    assert all(50 < x < 900 for x, _ in places[1:])


def test_one_game_and_none() -> None:
    assert picture(course()) == ""
    for text in ("2026-01-01", "2026-01", "2026", ""):
        svg = picture(course(Point(text, 2010.0, "1k")))
        assert len(dots(svg)) == 2  # the entry value too
        assert "nan" not in svg


def test_twenty_years_without_a_game_go_back_for_nobody() -> None:
    svg = picture(course(Point("2001-03-04", 2010.0, "1k"), Point("2021-03-04", 2020.0, "1k"),
                         Point("", 2030.0, "1k"), Point("2020-01-01", 2040.0, "1k")))  # fmt: skip
    xs = [x for x, _ in dots(svg)]
    assert xs == sorted(xs)
    assert ">2010<" in svg
    assert ">2020<" in svg


def test_a_promotion_bears_a_seal_once() -> None:
    climb = course(
        Point("2026-01-01", 2060.0, "1d"), Point("2026-02-01", 2040.0, "1k"), Point("2026-03-01", 2055.0, "1d")
    )
    assert picture(climb).count('class="seal"') == 1


def test_an_index_does_not_fall_at_a_promotion() -> None:
    # South African Go Clubs: past +999 a player is a rank higher at index 0
    steps = (("10k", 985.0), ("9k", 0.0), ("9k", 96.0))
    points = [Point(f"2026-01-0{number}", rank_and_index(*step), step[0]) for number, step in enumerate(steps, 1)]
    climb = Course("Ada", Point("", rank_and_index("10k", 600.0), "10k"), points)

    def bands(low: float, high: float) -> list[Band]:
        return [Band(max(low, n), min(high, n + 1), rank_from(n)) for n in range(int(low), int(high) + 1)]

    svg = drawn([climb], bands, SIZE, PLAIN)
    heights = [y for _, y in dots(svg)]
    assert heights == sorted(heights, reverse=True)
    assert ">9k<" in svg


def test_a_drawing_for_phones_keeps_its_letters_large() -> None:
    points = [Point(f"{year}-05-01", 1500.0 + 40 * (year % 7), "6k") for year in range(1990, 2026)]
    svg = picture(course(*points), size=Size(340, 280, 13, 4))
    assert 'width="340"' in svg
    assert 'font-size="13"' in svg  # CSS pixels: it is shown in its own size
    across = [float(x) for x in re.findall(r'<text x="([\d.]+)" y="[\d.]+" class="across"', svg)]
    assert all(later - earlier > 35 for earlier, later in pairwise(across))


def test_texts_are_escaped() -> None:
    point = Point("2026-01-01", 2010.0, "1k", '<b>"&', "#g1")
    assert "<b>" not in picture(course(point))


def test_ticks_are_round_and_within() -> None:
    assert round_ticks(98.0, 131.0, 6) == [100.0, 110.0, 120.0, 130.0]
    assert round_ticks(1.2, 3.9, 6, whole=True) == [2.0, 3.0]
    assert day_ticks(date(2026, 1, 10).toordinal(), date(2026, 4, 2).toordinal(), 4) == [
        date(2026, 2, 1), date(2026, 3, 1), date(2026, 4, 1)]  # fmt: skip


def test_every_rank_has_its_place_on_the_axis() -> None:
    assert [rank_from(number).stones for number in (1, 30, 31)] == [1.0, 30.0, 31.0]
    assert str(Rank.at(31.0)) == "1d"
