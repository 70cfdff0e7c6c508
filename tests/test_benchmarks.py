"""The measuring harness runs and adds up; nothing here asserts a time."""

from __future__ import annotations

import argparse
import json
import math
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import benchmarks.__main__ as command_line
from benchmarks import against, finding, ledgers, reading, report, runner, server, yardsticks
from benchmarks.aims import Aim, aims
from benchmarks.figures import Figure, log_loss
from benchmarks.jobs import all_jobs
from benchmarks.results import Results, number

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


def test_a_ledger_keeps_the_games_in_their_order() -> None:
    games = ledgers.own(1000)
    ledger = ledgers.ledger_of(games)
    numbers = [int(player.name[1:]) - 1 for player in ledger.players]
    assert np.array_equal(np.array(numbers)[ledger.arrays.black], games.black)
    assert np.array_equal(ledger.arrays.score, games.win)


def test_held_out_games_name_players_but_have_no_result() -> None:
    games = ledgers.own(1000)
    ledger = ledgers.ledger_of(games, games.cut)
    assert games.cut == 900
    assert len(ledger.players) == len(ledgers.ledger_of(games).players)
    assert np.array_equal(np.isnan(ledger.arrays.score), np.arange(1000) >= 900)


def test_an_even_forecast_scores_the_logarithm_of_two() -> None:
    assert log_loss(np.full(4, 0.5), np.array([1, 0, 0, 1])) == pytest.approx(math.log(2.0))


def test_a_report_of_ratios_tells_no_times() -> None:
    mine, peer = Figure("elo", "handan", 1000, 0.001), Figure("elo", "another", 1000, 0.004)
    measured = results(mine, peer)
    text = report.size_section(measured, times=False) + report.growth_section([measured], times=False)
    assert "games/s" not in text
    assert "µs" not in text
    assert " ms" not in text
    another = next(line for line in text.splitlines() if "another" in line)
    assert another.split("|")[3].strip() == "0.25"  # a quarter of our speed
    timed = Aim("in at most 0.5 s", met=True, figure="0.337 s", timed=True)
    assert "0.337" in report.aims_section([timed])
    assert "0.337" not in report.aims_section([timed], times=False)


@pytest.mark.parametrize(("job", "programs"), [job for job in reading.JOBS if job[0].startswith("read")])
def test_readers_are_measured_beside_the_least_that_any_does(job: str, programs: tuple[str, ...]) -> None:
    for program in programs:
        figure = reading.measure(program, job, ledgers.own(300), 1)
        assert (figure.job, figure.program, figure.games) == (job, program, 300)
        assert figure.speed
        assert figure.wall_seconds


def test_the_whole_command_is_measured_as_a_process_of_its_own() -> None:
    figure = reading.measure("handan", "rate csv", ledgers.own(300), 1)
    assert figure.speed
    assert figure.memory
    assert figure.memory > 10  # MB, of the whole process


@pytest.mark.parametrize(("seconds", "met"), [(1.7, True), (1.9, False)])
def test_reading_is_judged_by_the_least_that_any_reader_does(seconds: float, met: bool) -> None:  # a case
    measured = results(Figure("read csv", "handan", 1000, seconds), Figure("read csv", "polars", 1000, 1.0))
    verdicts = {aim.text.split(":")[0]: aim.met for aim in aims([measured])}
    assert verdicts["read csv"] is met


def test_a_figure_survives_json() -> None:
    figure = Figure("elo", "handan", 10, 0.5, frozen=0.6, memory=0.0)
    assert Figure.from_dict(json.loads(json.dumps(figure.as_dict()))) == figure


def test_the_c_programs_are_read_and_the_faster_solution_counts() -> None:
    figures = {figure.job: figure for figure in yardsticks.parse(PRINTED, 10_000, 9000)}
    assert figures["elo"].speed == pytest.approx(125e6)
    assert figures["elo"].online == 0.65
    assert figures["whr"].seconds == pytest.approx(0.004)
    assert figures["whr"].games == 9000


def test_of_the_turns_of_ours_and_c_the_middle_ratio_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    job = all_jobs()["elo"]
    ours = iter([Figure("elo", "handan", 1000, 1.0, loop_seconds=seconds) for seconds in (0.5, 0.1, 0.3, 0.2, 0.9)])
    c = Figure("elo", yardsticks.PROGRAM, 1000, 0.3)
    monkeypatch.setattr(runner, "ours", lambda *_: next(ours))
    monkeypatch.setattr(yardsticks, "loops", lambda *_: [Figure("glicko", yardsticks.PROGRAM, 1000, 0.1), c])
    options = argparse.Namespace(yardsticks=Path(), repeat=1)
    mine, theirs = command_line.beside_c(options, job, Path(), 1000)
    assert (mine.loop_seconds, theirs) == (0.3, c)


def test_without_c_our_figure_stands_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = Figure("elo", "handan", 1000, 1.0, loop_seconds=0.5)
    monkeypatch.setattr(runner, "ours", lambda *_: mine)
    monkeypatch.setattr(yardsticks, "loops", lambda *_: [])
    options = argparse.Namespace(yardsticks=Path(), repeat=1)
    assert command_line.beside_c(options, all_jobs()["elo"], Path(), 1000) == [mine]


@pytest.mark.skipif(shutil.which("stdbuf") is None, reason="no stdbuf, which lets a program print line by line")
def test_the_c_program_is_stopped_behind_its_loops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = (f"{name} 0.1 s  125.0 M games/s\\n   online logloss 0.65 acc 0.6" for name in yardsticks.JOBS)
    program = tmp_path / "limit"
    program.write_text("#!/bin/sh\n" + "".join(f"printf '{line}\\n'\n" for line in lines) + "exec sleep 600\n")
    program.chmod(0o700)
    monkeypatch.setattr(yardsticks, "build", lambda *_: program)
    figures = yardsticks.loops(tmp_path, tmp_path / "games.npz", 1000)
    assert {figure.job for figure in figures} == set(yardsticks.JOBS.values())


def test_an_aim_is_met_not_met_or_not_measured() -> None:
    mine = Figure("elo", "handan", 1000, 0.001, loop_seconds=0.0001)
    c, slow = Figure("elo", yardsticks.PROGRAM, 1000, 0.0001), Figure("elo", "another", 1000, 1.0)
    verdicts = {aim.text.split(":")[0]: aim.verdict for aim in aims([results(mine, c, slow)])}
    assert verdicts["elo, loops"] == "met"
    assert verdicts["elo, whole rating"] == "not met"
    assert verdicts["elo"] == "met"
    assert verdicts["glicko"] == "not measured"


def test_a_program_that_did_not_finish_stands_in_the_table_with_the_reason() -> None:
    text = report.size_section(
        results(Figure("elo", "handan", 9, 1.0), Figure("elo", "another", note="not within 5 s"))
    )
    assert next(line for line in text.splitlines() if "another" in line).endswith("not within 5 s |")


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "–"), (0.033, "0.033"), (0.1724, "0.172"), (10.24, "10.2"), (999.6, "1,000"), (5_804_321.0, "5,800,000")],
)
def test_numbers_have_three_digits(value: float | None, text: str) -> None:
    assert number(value, 3) == text


def test_a_stranger_is_measured_beside_a_dictionary() -> None:
    ours, least = (finding.measure(program, 200, 1) for program in finding.PROGRAMS)
    assert (ours.job, ours.program, ours.games) == ("find stranger", "handan", finding.LOOKUPS)
    assert (least.program, least.games) == ("dict", finding.LOOKUPS)
    assert ours.seconds
    assert least.seconds


def test_two_versions_rate_the_same_games_in_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(against, "AT_LEAST", 0.0)
    games = against.written(ledgers.own(40), tmp_path / "games.csv")
    sources = Path(against.__file__).parent.parent / "src"
    seen = against.turns(sources, sources, games, ["elo", "of tomorrow"], 1, tmp_path, rounds=1)
    assert [set(seconds) for turn in seen for seconds in turn] == [{"elo", against.MEMORY}] * 2


def test_the_table_says_how_many_times_as_long_this_version_takes() -> None:
    seen = [({"elo": 2.0, "gone": 1.0}, {"elo": newer, "new": 1.0}) for newer in (1.0, 4.0, 3.0)]
    assert against.table(seen).splitlines()[2:] == ["| elo | 0.50 | 1.50 | 0.50 | 2.00 |"]


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
