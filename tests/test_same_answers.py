"""Regression guard: a change that is said to leave the answers alone leaves the answers of every system alone.

The numbers in `samples/same_answers.json` were made by the code itself and prove nothing about a formula, which is what
`references/` and `naive/` are for. A change of a formula writes them anew: `python -m tests.test_same_answers NAME`.
The help of the command line is kept in the same way as `docs/cli.md`, which `test_docs.py` compares with the commands.
"""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import polars as pl
import pytest

from handan import read
from handan.cli.explain import paragraph
from handan.ledger import Ledger
from handan.ratings import Ratings
from handan.shortcuts import rate
from handan.systems import SYSTEMS
from tests.conftest import ROOT
from tests.forms import extended_but

KEPT = ROOT / "tests" / "samples" / "same_answers.json"
EXAMPLES = ROOT / "examples"


@cache
def ledgers() -> dict[str, Ledger]:
    """Return the example ledgers that every system can rate."""
    club = EXAMPLES / "club"
    return {
        "games": read(EXAMPLES / "games.csv", adjustments=EXAMPLES / "adjustments.csv"),
        "club": read(club / "games.csv", adjustments=club / "adjustments.csv"),
    }


def sums(values: Any) -> list[float]:
    """Return two sums of a column of numbers, one of sizes and one that the order of the numbers changes.

    They take the place of a digest of rounded numbers, which one number on the border of rounding would change.
    """
    numbers = np.nan_to_num(np.asarray(values, dtype=np.float64).ravel(), nan=0.1234, posinf=1e9, neginf=-1e9)
    weights = np.modf(np.arange(1, len(numbers) + 1) * (np.sqrt(5) - 1) / 2)[0]
    return [float(np.abs(numbers).sum()), float(numbers @ weights)]


def digest(text: str) -> str:
    """Return a short digest of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def of_frame(frame: pl.DataFrame) -> dict[str, Any]:
    """Return the sums of the columns of numbers of a table, and the digest of all others."""
    numbers = [name for name in frame.columns if frame[name].dtype == pl.Float64]
    others = frame.select(pl.exclude(numbers)).write_csv()
    return {name: sums(frame[name].to_numpy()) for name in numbers} | {"text": digest(others)}


def answers(ratings: Ratings) -> dict[str, Any]:
    """Return what a system says of a ledger: table, two histories and explanations, changes, forecasts, fair terms."""
    names = [ratings.ledger.players[index].name for index in ratings.arrays.ladder]
    first, last = names[0], names[-1]
    result: dict[str, Any] = {"table": of_frame(ratings.table())}
    for name in (first, last):
        lines = ratings.explain(name)
        result[f"history of {name}"] = of_frame(ratings.history(name))
        result[f"explain {name}"] = digest("\n\n".join(paragraph(line, 2) for line in lines))
        result[f"factors of {name}"] = sums([factor.value for line in lines for factor in line.reason.factors])
    result["change"] = sums(ratings.arrays.change)
    result["after"] = sums(ratings.arrays.after)
    probability = ratings.win_probability(last, first)
    result["forecast"] = None if probability is None else sums([probability])
    terms = ratings.fair_terms(first, last)
    result["terms"] = repr(replace(terms, difference=0.0))
    result["difference of terms"] = sums([terms.difference])
    notes = [*ratings.notes, *ratings.warnings, *map(str, ratings.unrated_counts.items())]
    result["said"] = digest("\n".join(notes).replace(str(ROOT), ""))  # some name the file of a game
    return result


def differences(expected: Any, actual: Any, place: str = "") -> list[str]:
    """Return where two answers differ; numbers may differ in the thirteenth digit, which machines do not share."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        names = [*expected, *(name for name in actual if name not in expected)]
        return [line for name in names for line in differences(expected.get(name), actual.get(name), f"{place} {name}")]
    if isinstance(expected, list) and isinstance(actual, list):
        size = abs(expected[0]) * 1e-12 + 1e-9  # a sum of small differences is of the size of its summands
        same = all(abs(one - other) <= size for one, other in zip(expected, actual, strict=True))
    else:
        same = expected == actual
    return [] if same else [f"{place}: {expected} became {actual}"]


@pytest.mark.parametrize("system", extended_but(["dgs", "egf", "elo", "glicko2", "points", "sagc"], SYSTEMS))
def test_every_system_answers_as_it_did(system: str) -> None:
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    assert system in kept, f"of a new system run: python -m tests.test_same_answers {system}"
    for name, ledger in ledgers().items():
        assert differences(kept[system][name], answers(rate(ledger, system))) == []


def main(systems: list[str]) -> None:
    """Keep the answers of today of some systems, of all where none is named."""
    made = json.loads(KEPT.read_text(encoding="utf-8"))
    for system in systems or SYSTEMS:
        made[system] = {name: answers(rate(ledger, system)) for name, ledger in ledgers().items()}
    lines = [f"{json.dumps(name)}: {json.dumps(made[name], ensure_ascii=False)}" for name in SYSTEMS]
    KEPT.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
