"""All systems on all sets of real games, with intervals: `python -m benchmarks.comparison --help`.

Each set is compared by `handan.compare` and kept as JSON as it comes; the page is written from all that are there.
Forecasts are kept too, so that a system of another revision is made anew and the others stay. The sets lie beside the
checkout and are no part of the project.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import handan
from benchmarks import pages, runner
from benchmarks.forecasts import DATA, SETS, sets_at_hand
from benchmarks.kept import Kept
from benchmarks.report import table
from handan.evidence import APART
from handan.systems import SYSTEMS

ENOUGH = 1000
"""Games of a set whose best system is named; fewer hardly tell any two systems apart."""
GAMES = "games scored"
BEST = ("set", "best", "log-loss (95 %)", "accuracy", "slope", "next", "behind by (95 %)")
PAGE = pages.DOCS / "real-games.md"
RESULTS = runner.CACHE / "comparison"
Answer = Mapping[str, Any]


def plain(answer: handan.Comparison) -> dict[str, Any]:
    """Return an answer as it is kept."""
    days = {"first": str(answer.first or ""), "last": str(answer.last or "")}
    return answer.as_dict() | days | {"revisions": revisions()}


def revisions() -> dict[str, int]:
    """Return the revision of every system."""
    return {name: made.revision for name, made in SYSTEMS.items()}


def is_current(file: Path) -> bool:
    """Return whether a set was compared, by systems of the revisions of today."""
    return file.exists() and json.loads(file.read_text()).get("revisions") == revisions()


def column_of(answer: Answer) -> dict[str, str]:
    """Return the games and the log-loss of each system, the best of the set and what cannot be told from it in bold."""
    level = {each["b"] for each in _with_best(answer) if each["verdict"] == APART} | {_best(answer)}
    column = {GAMES: f"{answer['scored']:,}"}
    for each in answer["systems"]:
        text = "" if each["log_loss"] is None else _loss(each["log_loss"])
        column[f"`{each['system']}`"] = f"**{text}**" if text and each["system"] in level else text
    return column


def best_of(answer: Answer) -> list[str]:
    """Return the best system of a set, with its interval and by how much it leads which other one."""
    best, second = answer["systems"][:2]
    low, high = best["interval"]
    pair = next(pair for pair in _with_best(answer) if pair["b"] == second["system"])
    lead = f"{-pair['difference']:.4f} ({-pair['interval'][1]:.4f} to {-pair['interval'][0]:.4f})"
    loss = f"{_loss(best['log_loss'])} ({low:.4f} to {high:.4f})"
    slope = "" if best["calibration_slope"] is None else f"{best['calibration_slope']:.2f}"
    return [f"`{best['system']}`", loss, f"{100 * best['accuracy']:.1f} %", slope, f"`{second['system']}`", lead]


def _with_best(answer: Answer) -> list[Any]:
    return [pair for pair in answer["pairs"] if pair["a"] == _best(answer)]


def _best(answer: Answer) -> str:
    return str(answer["systems"][0]["system"])


def _loss(value: float) -> str:
    return f"{value:.4f}"


def kept() -> dict[str, Answer]:
    """Return the sets that were compared, in the order of `SETS`."""
    files = {name: RESULTS / f"{name}.json" for name in SETS}
    return {name: json.loads(file.read_text()) for name, file in files.items() if file.exists()}


def written(page: str) -> tuple[dict[str, dict[str, str]], dict[str, list[str]]]:
    """Return what a page says of each set: its column in the first table, and its row in the second."""
    text = page.partition("<!-- written by make comparison -->")[2].partition("<!-- end of make comparison -->")[0]
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.split("\n") if line[:1] == "|"]
    second = next((number for number, line in enumerate(lines) if line[0] == BEST[0]), len(lines))
    head, first = (lines[0] if lines else []), lines[2:second]
    columns = {name: {line[0]: line[place] for line in first} for place, name in enumerate(head) if place}
    return columns, {name: cells for name, *cells in lines[second + 2 :]}


def page_text(answers: Mapping[str, Answer], before: str = "") -> str:
    """Return a table of all sets, and the best system of each set whose games can tell systems apart.

    Args:
        answers: Of the sets whose figures are kept.
        before: The page so far, whose figures stay where a set is not among them.
    """
    columns, best = written(before)
    columns |= {name: column_of(answer) for name, answer in answers.items()}
    best |= {name: best_of(answer) for name, answer in answers.items() if answer["scored"] >= ENOUGH}
    names = [*(name for name in SETS if name in columns), *(name for name in columns if name not in SETS)]
    labels = (GAMES, *(f"`{name}`" for name in SYSTEMS))
    rows = [[label, *(columns[name].get(label, "") for name in names)] for label in labels]
    large = [[name, *best[name]] for name in names if name in best]
    return "\n\n".join([table(("system", *names), rows), *([table(BEST, large)] if large else [])])


def main(arguments: Sequence[str] | None = None) -> None:
    """Compare the sets that are asked for, one after another, each in a process of its own, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.comparison", description=__doc__)
    parser.add_argument("sets", nargs="*", help=f"of {', '.join(SETS)} (default: all)")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the sets (default: beside the checkout)")
    parser.add_argument("--systems", default="all", help="systems, by commas (default: all)")
    parser.add_argument("--again", action="store_true", help="make all forecasts anew")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)  # one set, in this process
    options = parser.parse_args(arguments)
    RESULTS.mkdir(parents=True, exist_ok=True)
    for name, path in sets_at_hand(options.data, options.sets):
        file = RESULTS / f"{Path(name).stem}.json"
        if options.here:
            ledger = handan.read(str(path))
            answer = handan.compare(
                ledger, options.systems, cluster=Kept(keep=RESULTS / file.stem, again=options.again)
            )
            file.write_text(json.dumps(plain(answer), indent=1))
        elif options.again or not is_current(file):
            command = ["nice", sys.executable, "-m", "benchmarks.comparison", "--here", name]
            wanted = ["--data", str(options.data), "--systems", options.systems, *["--again"] * options.again]
            subprocess.run([*command, *wanted], cwd=runner.ROOT, check=True)
    if not options.here:
        pages.write(PAGE, "make comparison", page_text(kept(), PAGE.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
