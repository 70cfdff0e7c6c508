"""`handan what-if`: both lists of the same games, under two systems or settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from handan.evidence.what_if import on_one_scale
from handan.systems import SYSTEMS, system
from tests.command_line import games, run

ROWS = (
    "2026-01-05,Ada,Bo,B+R,0,6.5,",
    "2026-01-12,Ada,Cy,B+R,0,6.5,",
    "2026-01-19,Bo,Cy,W+R,0,6.5,",
    "2026-01-26,Ada,Bo,W+R,0,6.5,",
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return games(tmp_path / "games.csv", *ROWS)


def test_the_two_lists_are_those_of_rate_and_their_differences_add_up(file: Path) -> None:
    answer = run("what-if", file, "--from", "elo", "--to", "elo:k=16", "-f", "json").json
    lists = [run("rate", file, "-s", "elo", *given, "-f", "json").json["players"] for given in ([], ["--set", "k=16"])]
    for side, rows in zip(("before", "after"), lists, strict=True):
        own = {row["player"]: (row["place"], row["rating"]) for row in rows}
        assert {row["player"]: (row[f"place_{side}"], row[f"rating_{side}"]) for row in answer["players"]} == own
    assert answer["one_scale"]
    losses = [
        run("compare", file, "--systems", name, "-f", "json").json["systems"][0]["log_loss"]
        for name in ("elo", "elo:k=16")
    ]
    assert {row["log_loss"] for row in answer["forecasts"]["systems"]} == set(losses)
    for row in answer["players"]:
        assert row["difference"] == row["rating_after"] - row["rating_before"]
    assert [abs(row["difference"]) for row in answer["players"]] == sorted(
        (abs(row["difference"]) for row in answer["players"]), reverse=True
    )


def test_nothing_is_subtracted_between_scales(file: Path) -> None:
    """Points of a card and Elo are no quantity that has a difference."""
    answer = run("what-if", file, "--from", "points", "--to", "elo")
    assert "different scales" in answer.out
    assert "difference" not in answer.out.splitlines()[0]
    lines = answer.out.splitlines()
    at = next(at for at, line in enumerate(lines) if "log-loss" in line)
    assert at < next(
        at for at, line in enumerate(lines) if "different scales" in line
    )  # tables, then what they come to
    assert "than a coin" in run("what-if", file, "--from", "points", "--to", "elo", "-f", "markdown").out
    rows = run("what-if", file, "--from", "points", "--to", "elo", "-f", "csv").csv
    assert {row["difference"] for row in rows} == {""}


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_system_is_on_its_own_scale_and_stones_are_not_points(name: str) -> None:
    assert on_one_scale(system(name), system(name))
    if name not in {"aga", "accelrat"}:
        assert not on_one_scale(system(name), system("aga"))


def test_scales_that_meet_at_one_rank_are_two() -> None:
    assert not on_one_scale(system("elo"), system("elo", per_rank=80.0))  # both have 1 dan at 2100
    assert on_one_scale(system("elo"), system("elo", k=40.0))


def test_one_system_is_asked_for_on_each_side(file: Path) -> None:
    assert "give one system to --from and one to --to" in run("what-if", file, "--from", "all", "--to", "elo").err
