"""Charts: a promotion is no fall, ranks are grid lines, and whole points get whole ticks."""

from __future__ import annotations

import re
import sys
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import handan
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
from handan.errors import InputError
from tests.conftest import ROOT

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


@pytest.mark.parametrize(
    ("ratings", "labels"),
    [
        ((46, 45, 46, 45), ["0", "1", "2", "3", "45", "46"]),
        ((10, 12), ["0", "1", "10", "11", "12"]),
        ((7,), ["0", "7"]),
    ],
)
def test_whole_points_and_games_get_whole_ticks_each_once(ratings: tuple[int, ...], labels: list[str]) -> None:
    points = [{"number": n, "date": "", "rating": float(each), "rank": "1d"} for n, each in enumerate(ratings)]
    assert re.findall(r">([-\d.]+)<", as_svg(history_chart(points, "Points"))) == labels


def test_points_that_are_not_whole_have_their_decimals() -> None:
    svg = as_svg(
        history_chart([{"number": n, "date": "", "rating": 1.0 + n / 5, "rank": ""} for n in (0, 1)], "Rating")
    )
    assert ">1.20<" in svg


def test_ratings_draw_the_courses_of_players_with_the_ranks_that_they_passed() -> None:
    ratings = handan.rate(handan.read(ROOT / "examples" / "games.csv"), "egf")
    chart = ratings.chart("Alice", "Bob").to_dict()
    rows = {row["player"]: row for row in _values(chart, -1)}
    assert {name: row["after"] for name, row in rows.items()} == {
        name: ratings.history(name)["after"][-1] for name in ("Alice", "Bob")
    }
    assert chart["layer"][-1]["encoding"]["x"]["field"] == "date"
    assert chart["title"] == "Alice, Bob: egf"
    assert {row["rank"] for row in _values(chart, 0)} >= {"8k", "9k"}  # both between 10k and 7k
    strongest = ratings.table()["player"][0]
    assert ratings.chart().to_dict()["title"] == f"{strongest}: egf"
    assert as_svg(ratings.chart("Alice")).startswith("<svg")


def _values(chart: dict[str, Any], layer: int) -> list[dict[str, Any]]:
    """Return the data of a layer, which stand once in a chart."""
    rows: list[dict[str, Any]] = chart["datasets"][chart["layer"][layer]["data"]["name"]]
    return rows


def test_games_without_a_date_are_drawn_by_their_numbers_and_too_many_players_are_refused() -> None:
    games = [handan.Game(name, "Ada", "B+R") for name in "BCDEFG"]
    ratings = handan.rate(handan.Ledger.of(games), "elo")
    assert ratings.chart("Ada").to_dict()["layer"][-1]["encoding"]["x"]["field"] == "number"
    with pytest.raises(InputError, match="at most 5 players; 6 were given"):
        ratings.chart(*"BCDEFG")
    with pytest.raises(InputError, match="nobody has a rating"):
        handan.rate(handan.Ledger.of([]), "elo").chart()


def test_without_the_extra_a_chart_says_which_one_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    ratings = handan.rate(handan.read(ROOT / "examples" / "games.csv"), "elo")
    with pytest.raises(InputError, match=r"pip install 'handan\[charts\]'"):
        ratings.chart("Alice")
