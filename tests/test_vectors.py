"""The known answers of `tests/references` come out, and the runner that says so can say no."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.vectors.__main__ import main
from tests.vectors.comparing import difference
from tests.vectors.runner import run, run_file

REFERENCES = ROOT / "tests" / "references"
FILES = sorted(REFERENCES.glob("*.json"))
EGF_2021 = "EGF rating, 2021 and later (EGD)"
EGF_OLD = "EGF rating, before 2021 (GoR, Cieply)"
# con = ((3300 - 2300) / 200)^1.6 = 5^1.6 since 2021; the old table prints 18
CON = {"name": "con 2300", "function": "con", "inputs": {"rating": 2300}, "expected": 5.0**1.6, "tolerance": 1e-9}
OLD_CON = CON | {"expected": 18}
# a stands in the old table alone: 90 at 2300
OLD_A = {"name": "a 2300", "function": "a", "inputs": {"rating": 2300}, "expected": 90, "tolerance": 0}


def names(path: Path) -> str:
    return path.stem


def cases_of(path: Path) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8")).get("cases", [])
    return cases


def written(path: Path, *cases: dict[str, Any], system: str = "") -> Path:
    path.write_text(json.dumps({"system": system, "cases": cases}), encoding="utf-8")
    return path


def spoiled(expected: Any, tolerance: float) -> Any:
    """Return an expectation that differs in every number and text from the right one."""
    if isinstance(expected, dict):
        return {key: spoiled(value, tolerance) for key, value in expected.items()}
    if isinstance(expected, list):
        return [spoiled(value, tolerance) for value in expected]
    if expected is None or isinstance(expected, str | bool):
        return f"{expected}?"
    return expected + 3 * tolerance + 1e-6


@pytest.mark.parametrize("path", FILES, ids=names)
def test_every_known_answer_comes_out(path: Path) -> None:
    report = run_file(path)
    assert not report.failures, str(report)
    assert report.passed == len(cases_of(path))


@pytest.mark.extended
@pytest.mark.parametrize("path", FILES, ids=names)
def test_every_case_fails_when_its_expectation_is_spoiled(path: Path, tmp_path: Path) -> None:
    data = json.loads(path.read_text(encoding="utf-8"))
    wrong = [case | {"expected": spoiled(case["expected"], case["tolerance"])} for case in data.get("cases", [])]
    report = run([written(tmp_path / path.name, *wrong, system=data["system"])])
    assert (report.passed, len(report.failures)) == (0, len(wrong))


def test_glicko_2_tells_its_steps_where_a_case_asks_for_them(tmp_path: Path) -> None:
    # Glickman, "Example of the Glicko-2 system" (2013): printed v, Delta, phi*, phi' and mu'
    games = [[1400, 30, 1], [1550, 100, 0], [1700, 300, 0]]
    steps = {
        "name": "steps", "function": "glicko2", "tolerance": 1e-3,
        "inputs": {"rating": 1500, "rd": 200, "vol": 0.06, "tau": 0.5, "games": games},
        "expected": {"v": 1.7785, "delta": -0.4834, "phi_star": 1.152862, "phi": 0.8722, "mu": -0.2069},
    }  # fmt: skip
    path = written(tmp_path / "x.json", steps, system="Glicko, Glicko-2, TrueSkill, Elo")
    assert str(run([path])) == "1 passed, 0 failed"


def test_a_file_of_any_name_is_known_by_its_system(tmp_path: Path) -> None:
    new = written(tmp_path / "x1.json", CON, system=EGF_2021)
    old = written(tmp_path / "x2.json", OLD_CON, OLD_A, system=EGF_OLD)
    # 400 Elo are odds of 10 to 1
    odds = {"name": "odds", "function": "elo_expected", "inputs": {"diff": 400}, "expected": 10 / 11, "tolerance": 0}
    elo = written(tmp_path / "x3.json", odds, system="Glicko, Glicko-2, TrueSkill, Elo")
    assert str(run([new, old, elo])) == "4 passed, 0 failed"


@pytest.mark.parametrize("system", ["", "EGF"])
def test_a_file_whose_system_does_not_tell_is_known_by_its_name(system: str, tmp_path: Path) -> None:
    old = written(tmp_path / "egf_old.json", OLD_CON, system=system)
    assert run([old, written(tmp_path / "egf_2021.json", CON, system=system)]).passed == 2


def test_a_file_without_system_and_name_is_known_by_its_functions(tmp_path: Path) -> None:
    assert run([written(tmp_path / "x.json", OLD_CON, OLD_A)]).passed == 2


def test_a_case_that_two_systems_could_mean_fails(tmp_path: Path) -> None:
    assert "no adapter" in run([written(tmp_path / "x.json", CON)]).failures[0].got


@pytest.mark.parametrize("change", [{"function": "cons"}, {"inputs": {"rating": 2300, "rank": "3d"}}])
def test_a_function_or_input_without_adapter_fails(
    change: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path / "x.json", CON, CON | change, system=EGF_2021)
    assert main([str(path)]) == 1
    shown = capsys.readouterr().out
    assert "no adapter" in shown
    assert shown.splitlines()[-1] == "1 passed, 1 failed"


def test_a_failure_shows_file_case_function_inputs_expected_and_got(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path / "x.json", OLD_A | {"expected": 91}, system=EGF_OLD)
    assert main([str(tmp_path)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"FAILED {path}: a 2300",
        "  function: a",
        '  inputs: {"rating": 2300}',
        "  expected: 91 (tolerance 0)",
        "  got: 90.0 (value differs)",
        "0 passed, 1 failed",
    ]


def test_an_error_of_the_package_is_a_failure_in_one_line(tmp_path: Path) -> None:
    case = {"name": "bad", "function": "level_factor", "inputs": {"rank": "99z"}, "expected": 0, "tolerance": 0}
    (failure,) = run([written(tmp_path / "x.json", case, system="SAGC")]).failures
    assert failure.got.startswith("error: FieldError: ")
    assert "\n" not in failure.got


@pytest.mark.parametrize("missing", ["function", "inputs", "expected"])
def test_an_incomplete_case_fails(missing: str, tmp_path: Path) -> None:
    case = {key: value for key, value in OLD_A.items() if key != missing}
    (failure,) = run([written(tmp_path / "x.json", case, system=EGF_OLD)]).failures
    assert f"no {missing}" in failure.got


def test_a_data_table_counts_nothing_and_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "table.json").write_text('{"rows": []}', encoding="utf-8")
    (tmp_path / "deep").mkdir()
    written(tmp_path / "deep" / "x.json", OLD_A, system=EGF_OLD)
    assert main([str(tmp_path)]) == 0
    remark, counts = capsys.readouterr().out.splitlines()
    assert "table.json" in remark
    assert counts == "1 passed, 0 failed"


def test_files_that_cannot_be_read_fail(tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    report = run([tmp_path / "broken.json", tmp_path / "absent.json", tmp_path / "broken.json"])
    assert [failure.file.name for failure in report.failures] == ["broken.json", "absent.json"]


def test_the_command_ends_with_the_counts() -> None:
    path = REFERENCES / "points_japan.json"
    command = [sys.executable, "-m", "tests.vectors", str(path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{len(cases_of(path))} passed, 0 failed\n", "")


@pytest.mark.parametrize(
    ("expected", "got", "tolerance"),
    [
        (1, 1.0, 0),
        (0.1 + 0.2, 0.3, 0),
        (77, 77.5, 0.5),
        (math.inf, math.inf, 0),
        ([1, "9k"], (1.0, "9k"), 0),
        ({"a": 1}, {"a": 1, "b": 2}, 0),
        (None, None, 0),
        (True, True, 0),
        ([], [], 0),
    ],
)
def test_equal_values_do_not_differ(expected: Any, got: Any, tolerance: float) -> None:
    assert not difference(expected, got, tolerance)


@pytest.mark.parametrize(
    ("expected", "got", "place"),
    [
        (1, 2, "value"),
        (math.nan, math.nan, "value"),
        (1, True, "value"),
        (False, 0, "value"),
        (None, 0, "value"),
        ("9k", "8k", "value"),
        ("9", 9, "value"),
        (1, None, "value"),
        ([1, 2], [1], "value"),
        ([1, 2], 1, "value"),
        ({"a": 1}, {"b": 1}, "value"),
        ({"a": [1, {"b": 2}]}, {"a": [1, {"b": 2.1}]}, "value.a[1].b"),
    ],
)
def test_a_difference_is_found_at_its_place(expected: Any, got: Any, place: str) -> None:
    assert difference(expected, got, 1e-6) == place
