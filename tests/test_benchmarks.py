"""The measuring harness runs and adds up; nothing here asserts a time."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks import against, ledgers, server, yardsticks
from benchmarks.aims import aims
from benchmarks.figures import Figure
from benchmarks.results import Results

pytestmark = pytest.mark.extended

ROOT = Path(__file__).resolve().parent.parent
PRINTED = """\
== g10k N=10000 P=800
elo           0.0001 s  125.0 M games/s
   online logloss 0.6500 acc 0.6000
whr w2=14 tol=0.001  build 0.001 s, 9 nodes; sweep 0.0002 s (9.0 M games/s per sweep); 20 sweeps 0.009 s to converge
   frozen logloss 0.6700 acc 0.6000
whr2(vectorised) w2=14 tol=0.001  build 0.001 s, 9 nodes; sweep 0.0001 s (9.0 M games/s per sweep); 20 sweeps 0.003 s
   frozen logloss 0.6700 acc 0.6000
"""


def harness(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the harness as `make bench` does."""
    command = [sys.executable, "-m", "benchmarks", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def results(*figures: Figure) -> Results:
    return Results("10k", 10_000, 800, "a test", 0.5, figures)


def test_the_harness_measures_a_tiny_ledger_and_prints_its_table(tmp_path: Path) -> None:
    output = tmp_path / "figures.json"
    done = harness("--games", 300, "--no-peers", "--systems", "elo,points", "--repeat", 1, "--output", output)
    assert done.returncode == 0, done.stderr
    assert "## 300 games" in done.stdout
    rows = [line for line in done.stdout.splitlines() if "| handan" in line]
    assert len(rows) == 2
    figures = json.loads(output.read_text())["sizes"]["300"]["figures"]
    losses = {figure["job"]: figure.get("frozen") for figure in figures}
    assert 0.0 < losses["elo"] < 1.0
    assert losses["points"] is None  # points systems have no law of chances


def test_an_unknown_system_is_refused_by_name() -> None:
    done = harness("--systems", "eloo", "--no-peers")
    assert done.returncode == 2
    assert "'eloo' is not one of" in done.stderr


def test_own_games_are_the_same_on_every_run_and_nobody_plays_himself() -> None:
    one, other = ledgers.own(1000), ledgers.own(1000)
    assert all(np.array_equal(getattr(one, name), getattr(other, name)) for name in vars(one))
    assert (one.black != one.white).all()
    assert (np.diff(one.day) >= 0).all()


def test_held_out_games_name_players_but_have_no_result() -> None:
    games = ledgers.own(1000)
    ledger = ledgers.ledger_of(games, games.cut)
    assert games.cut == 900
    assert len(ledger.players) == len(ledgers.ledger_of(games).players)
    assert np.array_equal(np.isnan(ledger.arrays.score), np.arange(1000) >= 900)


def test_the_c_programs_are_read_and_the_faster_solution_counts() -> None:
    figures = {figure.job: figure for figure in yardsticks.parse(PRINTED, 10_000, 9000)}
    assert figures["elo"].speed == pytest.approx(125e6)
    assert figures["elo"].online == 0.65
    assert figures["whr"].seconds == pytest.approx(0.004)
    assert figures["whr"].games == 9000


def test_an_aim_is_met_not_met_or_not_measured() -> None:
    mine = Figure("elo", "handan", 1000, 0.001, loop_seconds=0.0001)
    c, slow = Figure("elo", yardsticks.PROGRAM, 1000, 0.0001), Figure("elo", "another", 1000, 1.0)
    verdicts = {aim.text.split(":")[0]: aim.verdict for aim in aims([results(mine, c, slow)])}
    assert verdicts["elo, loops"] == "met"
    assert verdicts["elo, whole rating"] == "not met"
    assert verdicts["elo"] == "met"
    assert verdicts["glicko"] == "not measured"


def test_two_versions_rate_the_same_games_in_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(against, "AT_LEAST", 0.0)
    games = against.written(ledgers.own(40), tmp_path / "games.csv")
    sources = Path(against.__file__).parent.parent / "src"
    seen = against.turns(sources, sources, games, ["elo", "of tomorrow"], 1, tmp_path, rounds=1)
    assert [set(seconds) for turn in seen for seconds in turn] == [{"elo", against.MEMORY}] * 2


def test_the_table_of_the_server_has_a_figure_for_each_order_of_dates() -> None:
    costs, bare = server.Costs(), server.Costs()
    for place, late in enumerate(server.LATE):
        costs.rows[f"save {late}"] += [0.010 * (place + 1)] * 3
        costs.rows[f"preview {late}"] += [0.020, 0.030, 9.0]
    costs.rows[server.START], bare.rows[server.START] = [2.0], [1.5]
    line = server.row("a club", costs, bare)
    assert "| 10 / 20 / 30 | 30 / 30 / 30 |" in line
    assert line.count("|") == server.HEAD.splitlines()[0].count("|")
    assert " 500 | nan MB |" in line
    assert len({server.name_of(number) for number in range(2000)}) == 2000
