"""The comparison of Coulom (2008), table 1, on other games: `python -m benchmarks.coulom --help`.

Source: R. Coulom, "Whole-History Rating: A Bayesian Rating System for Players of Time-Varying Strength" (2008), section
4.2: even games of a server in playing order, the first 23.8 % of them for training, the others for the test; the share
of games that the player wins who is rated higher before the game, equal ratings counting one half.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

import handan
from benchmarks import pages, runner
from benchmarks.forecasts import DATA, SETS, sets_at_hand
from benchmarks.report import table
from handan.evidence import Task, forecasts
from handan.evidence.scores import accuracy
from handan.ledger.ledger import games_kept
from handan.systems import SYSTEMS, System

PAGE = pages.DOCS / "real-games.md"
RESULTS = runner.CACHE / "coulom"
CHOSEN = ("kgs", "tom", "tygem")
TRAINING = 726_648 / (726_648 + 2_331_757)  # the share of the paper
KOMI = (5.5, 7.5)  # of even games: that of the servers; the paper has 6.5
SKILL = 25.0 / 6.0  # our TrueSkill's beta, where the paper's is 1


class Printed(NamedTuple):
    """A line of the paper's table 1: prediction rates in per cent, and the settings tuned on the training games."""

    training: float
    test: float
    settings: dict[str, Any]


PAPER = {
    "elo": Printed(56.001, 55.121, {"k": 20.0}),
    "glicko": Printed(56.184, 55.522, {"start_deviation": 150.0, "max_deviation": 150.0, "w2": 20.0, "period": "day"}),
    "trueskill": Printed(
        56.212, 55.536, {"sigma": SKILL * math.sqrt(0.5), "tau": SKILL * math.sqrt(0.000975), "p_draw": 0.0}
    ),
    "bradley-terry": Printed(56.216, 55.671, {"prior": 1.0}),
    "decayed": Printed(56.260, 55.698, {"prior": 1.0, "tau": 400.0}),
    "whr": Printed(56.356, 55.793, {"prior": 1.2, "w2": 14.0}),
}


def rules_of(name: str) -> System:
    """Return a system with the paper's settings, where it stands there."""
    return handan.systems.system(name, **(PAPER[name].settings if name in PAPER else {}))


def even_games(ledger: handan.Ledger, most: int) -> handan.Ledger:
    """Return the even games, the first ones."""
    komi = pl.col("komi")
    ledger = games_kept(ledger, (pl.col("handicap").fill_null(0) == 0) & (komi.is_null() | komi.is_between(*KOMI)), ())
    return games_kept(ledger, pl.int_range(pl.len()) < most, ())


def rates(task: Task, names: Sequence[str], kept: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the prediction rate of each system in the training and in the test games, in per cent.

    Args:
        task: The games.
        names: Of the systems.
        kept: An earlier answer about the same games; systems of the same revision are as they stand there.
    """
    count = len(task.games)
    cut = int(TRAINING * count)
    answer: dict[str, Any] = {"training": cut, "test": count - cut, "rates": {}, "revisions": {}}
    for name in names:
        answer["revisions"][name] = revision = SYSTEMS[name].revision
        if kept and kept.get("revisions", {}).get(name) == revision and kept["training"] == cut:
            if name in kept["rates"]:
                answer["rates"][name] = kept["rates"][name]
            continue
        print(f"  {name}", file=sys.stderr, flush=True)
        chance = forecasts(rules_of(name), task)
        if chance is not None:
            parts = (slice(None, cut), slice(cut, None))
            answer["rates"][name] = [100.0 * (accuracy(chance[part], task.score[part]) or math.nan) for part in parts]
    return answer


def page_text(answers: Mapping[str, Any]) -> str:
    """Return the table: the paper's lines and columns first, then our own system."""
    rows = []
    for name in (*PAPER, "handan"):
        printed = [f"{rate:.3f}" for rate in PAPER[name][:2]] if name in PAPER else ["", ""]
        own = [rate for answer in answers.values() for rate in answer["rates"].get(name, (None, None))]
        cells = ["" if rate is None else f"{rate:.3f}" for rate in own]
        rows.append([f"`{name}`", *printed, *cells])
    games = [f"{answer[part]:,}" for answer in answers.values() for part in ("training", "test")]
    margins = [_margin(answer[part]) for answer in answers.values() for part in ("training", "test")]
    rows += [["games", "726,648", "2,331,757", *games], ["95 % margin", "0.163", "0.091", *margins]]
    headers = [f"{name}, {part}" for name in ("paper", *answers) for part in ("training", "test")]
    return table(("system", *headers), rows)


def _margin(games: int) -> str:
    """Return 1.96 standard errors of the difference of two shares near one half, in points, as the paper has it."""
    return f"{196.0 * math.sqrt(0.5 / games):.3f}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Forecast the sets, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coulom", description=__doc__)
    parser.add_argument("sets", nargs="*", help=f"of {', '.join(SETS)} (default: {', '.join(CHOSEN)})")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the sets (default: beside the checkout)")
    parser.add_argument("--again", action="store_true", help="all systems, not only those of another revision")
    parser.add_argument("--most", type=int, default=150_000, help="games of a set, the first ones (default: 150,000)")
    options = parser.parse_args(arguments)
    RESULTS.mkdir(parents=True, exist_ok=True)
    for name, path in sets_at_hand(options.data, options.sets or list(CHOSEN)):
        file = RESULTS / f"{Path(name).stem}.json"
        print(name, file=sys.stderr, flush=True)
        kept = json.loads(file.read_text()) if file.exists() and not options.again else None
        task = Task.of(even_games(handan.read(str(path)), options.most))
        file.write_text(json.dumps(rates(task, [*PAPER, "handan"], kept)))
    files = {name: RESULTS / f"{name}.json" for name in SETS}
    answers = {name: json.loads(file.read_text()) for name, file in files.items() if file.exists()}
    pages.write(PAGE, "make coulom", page_text(answers))


if __name__ == "__main__":
    main()
