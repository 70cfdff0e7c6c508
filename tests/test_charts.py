"""Charts: a promotion is no fall, ranks are grid lines, and whole points get whole ticks."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from handan.charts import (
    DASHES,
    SHAPES,
    SYSTEMS,
    as_svg,
    calibration_chart,
    history_chart,
    rank_and_index,
    share_chart,
)

# source: G. Machado, M. Oliveira and L. Fernandes, "A physiologically-based model for simulation of color vision
# deficiency" (2009), table of severity 1.0, on linear RGB
SIGHTS = {
    "usual": np.eye(3),
    "protanopia": np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                            [-0.003882, -0.048116, 1.051998]]),
    "deuteranopia": np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                              [-0.011820, 0.042940, 0.968881]]),
    "tritanopia": np.array([[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                            [0.004733, 0.691367, 0.303900]]),
}  # fmt: skip
# CIE 15, from linear sRGB to XYZ with the white of D65 at 1
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def lab(colour: str, sight: str) -> Any:
    """Return L*, a*, b* of a colour as a kind of sight sees it."""
    rgb = np.array([int(colour[place : place + 2], 16) for place in (1, 3, 5)]) / 255.0
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    xyz = TO_XYZ @ np.clip(SIGHTS[sight] @ linear, 0.0, 1.0) / TO_XYZ.sum(axis=1)
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("sight", list(SIGHTS))
def test_systems_are_told_apart_by_every_kind_of_sight_and_without_colours(sight: str) -> None:
    for one, other in combinations(SYSTEMS, 2):
        assert np.linalg.norm(lab(one, sight) - lab(other, sight)) > 10.0  # 2.3 is just noticeable (Mahy, 1994)
    assert len(set(SYSTEMS)) == len(set(DASHES)) == len(set(SHAPES)) == len(SYSTEMS)


def test_a_system_looks_the_same_in_all_charts_of_a_page() -> None:
    rows = [{"system": name, "forecast": 0.4, "score": 0.5, "games": 30} for name in ("egf", "elo", "dgs")]
    parts = [{"across": "even", "system": row["system"], "share": 0.5} for row in rows]
    charts = [calibration_chart(rows, "Chances").to_dict(), share_chart(parts, "handicap", "White", "Parts").to_dict()]
    lines = [next(layer for layer in chart["layer"] if "strokeDash" in layer["encoding"]) for chart in charts]
    for line in lines:
        for channel in ("color", "strokeDash"):
            assert line["encoding"][channel]["scale"]["domain"] == ["egf", "elo", "dgs"]


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
