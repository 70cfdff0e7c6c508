"""Other programs beside ours on real games, each forecast one step ahead: `python -m benchmarks.peers_ahead --help`.

All programs forecast the same games, each from the games before its moment, round or day, in one run, each in a process
of its own and with its default constants. Draws are left out, since most programs take none.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import re
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import handan
from benchmarks import pages, runner
from benchmarks.forecasts import DATA, SETS, sets_at_hand
from benchmarks.peers import PEERS
from benchmarks.peers.environment import Environment
from benchmarks.report import table
from benchmarks.results import number
from handan.evidence import Task, forecasts
from handan.evidence.intervals import Clustered
from handan.evidence.logistic_curve import refit_places
from handan.evidence.rolling_fits import FIRST, GROWTH
from handan.evidence.scores import losses
from handan.kernels.types import Floats
from handan.ledger.ledger import games_kept

Answer = Mapping[str, Any]
PAGE = pages.DOCS / "peers.md"
FOLDER = runner.CACHE / "peers"
CHOSEN = ("h9", "opengotha", "kgs", "tom", "football")
LEVEL = "≈"
"""Behind the log-loss of a program that `handan` is not surely ahead of."""
VERSION = re.compile(r"([\w-]+) ([\d.]*\d)")
OURS = ("handan", "elo", "glicko", "glicko2", "trueskill", "bradley-terry", "whr")
"""Our systems: the one that is made to forecast, and those of which the others have one too."""


def ledger_of(path: Path, most: int) -> handan.Ledger:
    """Return the games of a set that all programs can take, those decided on the board; the first ones."""
    ledger = handan.read(str(path))
    games = Task.of(ledger).games
    chosen = games[ledger.arrays.score[games] != 0.5][:most]
    return games_kept(ledger, pl.int_range(pl.len()).is_in(chosen.tolist()), ledger.adjustments)


def write_arrays(task: Task, path: Path) -> None:
    """Write the games down for all programs: who, who won, the day, what did not know each other, when to fit anew."""
    ledger, games = task.ledger, task.games
    day = ledger.games["date"].dt.epoch("d").to_numpy() if ledger.arrays.dated.all() else task.knowledge.day
    refits = refit_places(task.batch[:-1], FIRST, GROWTH)
    np.savez(
        path, a=ledger.arrays.black[games], b=ledger.arrays.white[games], win=(task.score == 1.0).astype(np.int64),
        day=(day - day.min())[games], ptrue=np.full(len(games), 0.5), batch=task.batch, refits=refits,
    )  # fmt: skip


def ours(task: Task, name: str) -> tuple[Floats, float]:
    """Return the forecasts of one of our systems and the processor seconds; all that it calls is compiled before."""
    rules = handan.SYSTEMS[name]()
    chance = forecasts(rules, task)
    start = time.process_time()
    again = forecasts(rules, task)
    seconds = time.process_time() - start
    assert chance is not None
    assert again is not None
    return again, seconds


def theirs(program: str, environment: Environment, arrays: Path, limit: float) -> tuple[Floats | None, float, str]:
    """Return the forecasts of another program, the seconds, and why there are none; both are kept."""
    digest = hashlib.sha256(f"{program} {limit:g}".encode() + arrays.read_bytes()).hexdigest()[:16]
    output, kept = FOLDER / f"{digest}.npy", FOLDER / f"{digest}.json"
    if not kept.exists():
        figure = runner.peer(PEERS[program], environment, arrays, limit, "--ahead", str(output))
        kept.write_text(json.dumps([figure.seconds, figure.note]))
    seconds, note = json.loads(kept.read_text())
    return (np.load(output), seconds, "") if seconds else (None, 0.0, note)


def measured(path: Path, environment: Environment, programs: Sequence[str], options: argparse.Namespace) -> Answer:
    """Forecast a set by all programs, and judge them on the same games."""
    ledger = ledger_of(path, options.most)
    task, arrays = Task.of(ledger), FOLDER / "games.npz"
    write_arrays(task, arrays)
    rows: list[dict[str, Any]] = []
    columns: list[Floats] = []
    for name in OURS:
        chance, seconds = ours(task, name)
        rows.append({"program": f"`{name}`", "job": name, "seconds": seconds, "ours": True})
        columns.append(losses(chance, task.score))
    for program in programs:
        print(f"  {program}", file=sys.stderr, flush=True)
        answer, seconds, note = theirs(program, environment, arrays, options.limit)
        rows.append({"program": program, "job": PEERS[program].job, "seconds": seconds, "note": note, "ours": False})
        if answer is not None:
            columns.append(losses(answer, task.score))
    players = np.stack((ledger.arrays.black, ledger.arrays.white), axis=1)[task.games]
    clusters = Clustered.of(np.stack(columns, axis=1), task.knowledge.day[task.games], players)
    place = 0
    for row in rows:
        if not row.get("note"):
            weights = np.zeros(len(columns))
            weights[place] += 1.0
            weights[0] -= 1.0
            row |= {"log_loss": float(clusters.mean[place]), "behind": float(weights @ clusters.mean)}
            row["interval"] = clusters.interval(weights)
            place += 1
    return {"games": len(task.games), "players": len(ledger.players), "known": task.knowledge.level, "rows": rows}


def column(answer: Answer) -> dict[str, str]:
    """Return what the table says of each program on a set: log-loss, `LEVEL`, and its time as a multiple of ours."""
    seconds = {row["job"]: row["seconds"] for row in answer["rows"] if row["ours"]}
    cells = {}
    for row in answer["rows"]:
        if row.get("note"):
            cells[row["program"]] = f"– ({row['note']})"
        elif row["ours"]:
            cells[row["program"]] = f"{row['log_loss']:.4f}"
        else:
            level = LEVEL if row["interval"][0] <= 0.0 else ""
            times = number(row["seconds"] / seconds[row["job"]], 2)
            cells[row["program"]] = f"{row['log_loss']:.4f}{level} ({times})"
    return cells


def columns_of(page: str) -> dict[str, dict[str, str]]:
    """Return the columns of sets that a page has, each with the cell of every program."""
    written = page.partition("<!-- written by make peers -->")[2].partition("<!-- end of make peers -->")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in written.splitlines() if line[:1] == "|"]
    if not rows:
        return {}
    return {name: {row[0]: row[place] for row in rows[2:]} for place, name in enumerate(rows[0]) if place}


def not_ahead(columns: Mapping[str, Mapping[str, str]]) -> str:
    """Return where `handan` is not surely ahead of another program, in a sentence."""
    near = [
        f"{program} on {name}" for name, cells in columns.items() for program, cell in cells.items() if LEVEL in cell
    ]
    if not near:
        return "`handan` is ahead of every program that finished, on every set, by more than chance."
    return f"`handan` is ahead of every other program by more than chance, but for {', '.join(near)}."


def page_text(answers: Mapping[str, Answer], before: str = "") -> str:
    """Return where `handan` is not ahead, the versions, and one table of all programs and sets.

    Args:
        answers: Of the sets whose figures are kept.
        before: The page so far, whose columns stay where a set is not among them.
    """
    written = columns_of(before) | {name: column(answer) for name, answer in answers.items()}
    order = [*(name for name in SETS if name in written), *(name for name in written if name not in SETS)]
    columns = {name: written[name] for name in order}
    programs = dict.fromkeys(program for cells in columns.values() for program in cells)
    ranked = sorted(programs, key=lambda program: [_loss(cells.get(program, "")) for cells in columns.values()])
    rows = [[program, *(cells.get(program, "") for cells in columns.values())] for program in ranked]
    versions = dict(VERSION.findall(before.partition("Beside us:")[2].partition("\n")[0]))
    versions |= {name: version for answer in answers.values() for name, version in answer["versions"].items()}
    beside = "Beside us: " + ", ".join(f"{name} {version}" for name, version in versions.items()) + "."
    return "\n\n".join([not_ahead(columns), beside, table(("program", *columns), rows)])


def _loss(cell: str) -> float:
    """Return the log-loss of a cell; infinity where a program did not finish."""
    figure = re.match(r"\d\.\d+", cell)
    return float(figure[0]) if figure else math.inf


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the sets that are asked for, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers_ahead", description=__doc__)
    parser.add_argument("sets", nargs="*", help=f"of {', '.join(SETS)} (default: {', '.join(CHOSEN)})")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the sets (default: beside the checkout)")
    parser.add_argument("--programs", default="", help="other programs, by commas (default: all)")
    parser.add_argument(
        "--again", action="store_true", help="sets whose figures are kept too, but for what others forecast"
    )
    parser.add_argument("--most", type=int, default=60_000, help="games of a set, the first ones (default: 60,000)")
    parser.add_argument(
        "--limit", type=float, default=60.0, help="processor seconds for each other program (default: 60)"
    )
    options = parser.parse_args(arguments)
    os.environ["HANDAN_KERNELS"] = "compiled"  # as on a server; else sets of this size are rated by plain Python
    FOLDER.mkdir(parents=True, exist_ok=True)
    environment = Environment(runner.ROOT / ".venv-bench")
    programs = [name for name in options.programs.split(",") if name] or list(PEERS)
    versions, refused = environment.install({PEERS[name].package: None for name in programs})
    programs = [name for name in programs if PEERS[name].package in versions and PEERS[name].job in OURS]
    for name, reason in refused.items():
        print(f"{name} could not be installed: {reason}", file=sys.stderr)
    for name, path in sets_at_hand(options.data, options.sets or list(CHOSEN)):
        file = FOLDER / f"{Path(name).stem}.json"
        if options.again or not file.exists():
            print(name, file=sys.stderr, flush=True)
            file.write_text(json.dumps({**measured(path, environment, programs, options), "versions": versions}))
    files = {name: FOLDER / f"{name}.json" for name in SETS}
    answers = {name: json.loads(file.read_text()) for name, file in files.items() if file.exists()}
    pages.write(PAGE, "make peers", page_text(answers, PAGE.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
