"""Runs vector files against the package and tells which cases fail."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.vectors.adapters import FAMILIES
from tests.vectors.comparing import difference
from tests.vectors.family import Case, Chooser, NoAdapterError


@dataclass(frozen=True, slots=True)
class Failure:
    """A case that did not come out as expected, or a file that cannot be read."""

    file: Path
    got: str
    case: str = ""
    function: str = ""
    inputs: str = ""
    expected: str = ""

    def __str__(self) -> str:
        """The failure in lines; a file that cannot be read has only the first."""
        if not self.case:
            return f"FAILED {self.file}: {self.got}"
        names = ("function", "inputs", "expected", "got")
        return f"FAILED {self.file}: {self.case}" + "".join(f"\n  {name}: {getattr(self, name)}" for name in names)


@dataclass(frozen=True, slots=True)
class Report:
    """What came out of one file or several."""

    passed: int = 0
    failures: tuple[Failure, ...] = ()
    remarks: tuple[str, ...] = ()

    def __add__(self, other: Report) -> Report:
        """Join two reports."""
        return Report(self.passed + other.passed, self.failures + other.failures, self.remarks + other.remarks)

    def __str__(self) -> str:
        """Remarks, failures, and the line of counts that ends every report."""
        counts = f"{self.passed} passed, {len(self.failures)} failed"
        return "\n".join([*self.remarks, *map(str, self.failures), counts])


def run(paths: Iterable[str | Path]) -> Report:
    """Run every JSON file that is given or lies under a given folder, each file once."""
    files = dict.fromkeys(file for path in map(Path, paths) for file in _files(path))
    return sum(map(run_file, files), Report())


def _files(path: Path) -> list[Path]:
    return sorted(file for file in path.rglob("*.json") if file.is_file()) if path.is_dir() else [path]


def run_file(path: Path) -> Report:
    """Run one vector file; a JSON file without a list of cases is a data table, which counts nothing."""
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        return Report(failures=(Failure(path, f"cannot be read: {error}"),))
    if not isinstance(data, dict) or not isinstance(data.get("cases"), list):
        return Report(remarks=(f"{path}: has no cases (a data table); nothing counted",))
    cases = [case if isinstance(case, dict) else {"name": f"not an object: {case}"} for case in data["cases"]]
    chooser = Chooser.of(FAMILIES, str(data.get("system", "")), path.stem, cases)
    failures = tuple(failure for case in cases if (failure := _run_case(path, case, chooser)))
    return Report(len(cases) - len(failures), failures)


def _run_case(path: Path, case: Case, chooser: Chooser) -> Failure | None:
    """Return how a case fails, None if it passes."""
    got = _fault(case, chooser)
    if not got:
        return None
    tolerance = f" (tolerance {_text(case.get('tolerance', 0))})"
    inputs, expected = _text(case.get("inputs")), _text(case.get("expected")) + tolerance
    return Failure(
        path, got, str(case.get("name") or "case without a name"), str(case.get("function")), inputs, expected
    )


def _fault(case: Case, chooser: Chooser) -> str:
    """Return what came out of a case instead of what is expected; empty if it is as expected."""
    if missing := [name for name in ("function", "inputs", "expected") if name not in case]:
        return f"error: the case has no {' and no '.join(missing)}"
    try:
        got = chooser.adapter(case)(**case["inputs"])
        place = difference(case["expected"], got, float(case.get("tolerance") or 0.0))
    except NoAdapterError as error:
        return str(error)
    except Exception as error:  # noqa: BLE001  # whatever an adapter raises is this case's failure
        return f"error: {type(error).__name__}: {error}"
    return f"{_text(got)} ({place} differs)" if place else ""


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=repr)
