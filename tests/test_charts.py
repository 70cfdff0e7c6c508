"""Charts: a promotion is no fall, ranks are grid lines, and whole points get whole ticks."""

from __future__ import annotations

from typing import Any

import pytest

from handan.charts import as_svg, history_chart, rank_and_index


def drawn(points: list[tuple[str, float]], **options: bool) -> dict[str, Any]:
    rows = [{"number": i, "date": "", "rating": rating, "rank": rank} for i, (rank, rating) in enumerate(points)]
    chart: dict[str, Any] = history_chart(rows, "Rating", **options).to_dict()
    return chart


def test_rank_and_index_rise_together() -> None:
    # South African Go Clubs: past +999 a player is a rank higher at index 0, past -999 a rank lower at index 0
    climb = [
        ("11k", -999.0),
        ("11k", 0.0),
        ("11k", 999.0),
        ("10k", 0.0),
        ("10k", 985.0),
        ("9k", 0.0),
        ("1k", 0.0),
        ("1d", 0.0),
    ]
    heights = [rank_and_index(*place) for place in climb]
    assert heights == sorted(heights)
    assert heights[-1] - heights[-2] == 1.0


def test_the_chart_of_an_index_has_ranks_as_grid_lines() -> None:
    chart = drawn([("10k", 985.0), ("9k", 0.0), ("9k", 96.0)], own_ranks=True)
    (rows,) = chart["datasets"].values()
    assert [row["height"] for row in rows] == [21.985, 22.0, 22.096]
    ranks = [{"number": number, "date": "", "rating": 0.0, "rank": rank} for number, rank in enumerate(("2k", "2d"))]
    svg = as_svg(history_chart(ranks, "Rating", own_ranks=True))
    assert [label for label in ("3k", "2k", "1k", "1d", "2d") if f">{label}<" in svg] == ["2k", "1k", "1d", "2d"]


@pytest.mark.parametrize(("rating", "whole"), [(128.0, True), (128.2, False)])
def test_whole_points_get_whole_ticks(rating: float, whole: bool) -> None:
    axis = drawn([("1d", 130.0), ("1d", rating)])["layer"][0]["encoding"]["y"]["axis"]
    assert (axis.get("tickMinStep"), axis.get("format")) == ((1, "d") if whole else (None, None))
