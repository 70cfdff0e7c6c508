"""Settings learned in small clubs: `python -m benchmarks.circles --help`.

Circles of at most forty people and four hundred games are cut out of sets of real games: who played most with those who
are in is taken in next, from somebody drawn by chance on. The second half of each circle's games is forecast, one
step ahead; the settings learn from the first game on.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

import handan
from benchmarks.forecasts import DATA, SETS
from benchmarks.report import table
from handan import Ledger
from handan.evidence import Task, forecasts
from handan.evidence.own_settings import forecasts_tuned
from handan.evidence.scores import COIN, log_loss
from handan.kernels.types import Floats, Ints
from handan.systems import system

PEOPLE, MOST, FEWEST = 40, 400, 150  # our choice, but for those of the docstring
SEED = 2008
KINDS = {
    "tygem circles": ("tygem", "circle"),
    "tom circles": ("tom", "circle"),
    "football circles": ("football", "circle"),
    "football years": ("football", "year"),
    "h9 whole": ("h9", "whole"),
    "opengotha whole": ("opengotha", "whole"),
}
SYSTEMS = ("elo", "glicko", "glicko2")


def circles(ledger: Ledger, count: int, seed: int = SEED) -> Iterator[Ledger]:
    """Yield circles of people who play each other."""
    dice = np.random.default_rng(seed)
    black, white = ledger.arrays.black, ledger.arrays.white
    people = len(ledger.players)
    games = np.bincount(black, minlength=people) + np.bincount(white, minlength=people)
    order = dice.permutation(np.flatnonzero(games >= 20))
    for start in order[:count].tolist():
        inside = np.zeros(people, dtype=np.bool_)
        inside[start] = True
        while inside.sum() < PEOPLE:
            met = np.bincount(black[inside[white]], minlength=people) + np.bincount(
                white[inside[black]], minlength=people
            )
            met[inside] = 0
            if not met.any():
                break
            inside[int(np.argmax(met))] = True
        chosen = np.flatnonzero(inside[black] & inside[white])[:MOST]
        if len(chosen) >= FEWEST:
            yield part(ledger, chosen)


def years(ledger: Ledger) -> Iterator[Ledger]:
    """Yield the games of each year that are no more than a circle may have."""
    year = ledger.games["date"].dt.year().to_numpy()
    for each in np.unique(year):
        chosen = np.flatnonzero(year == each)
        if FEWEST <= len(chosen) <= MOST:
            yield part(ledger, chosen)


def part(ledger: Ledger, chosen: Ints) -> Ledger:
    """Return a ledger of some games, and of those who play them."""
    return Ledger.of([ledger[int(game)] for game in chosen])


def losses(ledger: Ledger, systems: Sequence[str] = SYSTEMS) -> Floats:
    """Return the log-loss of the second half by the default settings and by learned ones, shape (systems, 2)."""
    task = Task.of(ledger)
    late = slice(len(task.games) // 2, None)
    ways = [(forecasts(rules, task), forecasts_tuned(rules, task).probability) for rules in map(system, systems)]
    return np.array([[log_loss(way[late], task.score[late]) for way in both if way is not None] for both in ways])


def of_a_kind(ledger: Ledger, how: str, options: argparse.Namespace) -> Iterator[Ledger]:
    """Yield the small ledgers that are made of a set."""
    if how == "circle":
        return circles(ledger, options.circles, options.seed)
    return years(ledger) if how == "year" else iter([ledger])


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the mean log-loss of every kind, by default settings and by learned ones."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.circles", description=__doc__)
    parser.add_argument("kinds", nargs="*", help=f"of {', '.join(KINDS)} (default: all)")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the sets (default: beside the checkout)")
    parser.add_argument("--circles", type=int, default=60, help="circles of a kind (default: 60)")
    parser.add_argument("--seed", type=int, default=SEED, help="of those from whom circles are drawn")
    options = parser.parse_args(arguments)
    rows, seconds = [], []
    for kind in options.kinds or KINDS:
        name, how = KINDS[kind]
        path = options.data / SETS[name]
        if not path.exists():
            print(f"{kind}: {path} is absent, skipped", file=sys.stderr)
            continue
        each = []
        for ledger in of_a_kind(handan.read(str(path)), how, options):
            each.append(losses(ledger))
            if len(ledger) == MOST:
                start = time.perf_counter()
                handan.tuned(ledger, "glicko")
                seconds.append(time.perf_counter() - start)
        cells = [f"{value:.4f}" + "*" * bool(value > COIN) for value in np.mean(each, axis=0).ravel()]
        rows.append([kind, str(len(each)), *cells])
    print(table(("games of", "ledgers", *(f"{name}{more}" for name in SYSTEMS for more in ("", ", learned"))), rows))
    if seconds:
        print(f"\nGlicko learned its settings from {MOST} games in {statistics.median(seconds):.2f} s (median)")


if __name__ == "__main__":
    main()
