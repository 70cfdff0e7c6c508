"""Ledgers whose results follow a system's own forecasts: does a comparison find that out? `make own-models`.

For each system so many ledgers are drawn from its own odds, and all systems forecast them. The one that made them must
score best within noise, its slope of calibration be 1, and the 95 % intervals of the differences hold the truth as
often as they say: the difference to be expected in the very games of the ledger, whose odds are known; and, which is
more, the mean difference of all ledgers, which had other players on other days.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass

import numpy as np
import polars as pl

from handan.evidence import compare
from handan.evidence.scores import calibration, losses
from handan.evidence.worlds import Simulation, World, simulate_by
from handan.kernels.types import Floats
from handan.systems import SYSTEMS

SYSTEMS_TRIED = ("elo", "egf", "ogs", "glicko", "glicko2", "trueskill")
STARTS = {"elo": {"k": 32.0}}
NORMAL = 1.96


@dataclass(frozen=True)
class Recovery:
    """What comparisons said of ledgers that one system made."""

    system: str
    slope: float
    """Of the calibration of the system's own forecasts, all ledgers together."""
    behind: dict[str, tuple[float, float]]
    """Of each other system: mean of own log-loss less the other's, and standard error of that mean."""
    inside: float
    """Share of intervals of differences that hold what was to be expected of the ledger's games."""
    inside_all: float
    """Share of those that hold the mean difference of all ledgers."""
    intervals: int

    @property
    def best(self) -> bool:
        """Whether no other system is better by more than noise."""
        return all(mean < 2.0 * error for mean, error in self.behind.values())


def recovered(name: str, others: tuple[str, ...], ledgers: int, games: int = 400, players: int = 40) -> Recovery:
    """Draw ledgers from a system's own odds, compare all systems on each, and return what came out."""
    rules = SYSTEMS[name](**STARTS.get(name, {}))
    differences: dict[str, list[tuple[float, float, float, float]]] = {each: [] for each in others if each != name}
    forecasts: list[Floats] = []
    scores: list[Floats] = []
    for seed in range(ledgers):
        world = World(seed=seed, games=games, players=players, days=420, every=14, terms="even", rank_error=2.0)
        made = simulate_by(rules, world)
        forecasts.append(made.games["probability"].to_numpy())
        scores.append(made.ledger.arrays.score)
        answer = compare(made.ledger, [rules, *(SYSTEMS[each]() for each in differences)])
        own = next(each.system for each in answer.systems if each.system.split(":")[0] == name)
        for other, rows in differences.items():
            pair = answer.pair(own, other)
            sign = 1.0 if pair.a == own else -1.0
            low, high = sorted(sign * end for end in pair.interval)
            frame = answer.forecasts()
            due = expected_loss(frame[own], made) - expected_loss(frame[other], made)
            rows.append((sign * pair.difference, low, high, due))
    slope = calibration(np.concatenate(forecasts), np.concatenate(scores)).slope
    behind, inside, inside_all = {}, 0, 0
    for other, rows in differences.items():
        values, lows, highs, due = np.array(rows).T
        behind[other] = float(values.mean()), float(values.std(ddof=1) / np.sqrt(ledgers))
        inside += int(((lows <= due) & (due <= highs)).sum())
        inside_all += int(((lows <= values.mean()) & (values.mean() <= highs)).sum())
    count = ledgers * len(differences)
    return Recovery(name, slope or float("nan"), behind, inside / count, inside_all / count, count)


def expected_loss(forecast: pl.Series, made: Simulation) -> float:
    """Return the mean log-loss to be expected of forecasts, given the odds from which results were drawn."""
    p, q = made.games["probability"].to_numpy(), forecast.to_numpy()
    return float((p * losses(q, np.ones(len(q))) + (1.0 - p) * losses(q, np.zeros(len(q)))).mean())


def main() -> None:
    """Print a row for each system."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.own_models", description=__doc__)
    parser.add_argument("--ledgers", type=int, default=200, help="drawn from each system (default: 200)")
    parser.add_argument("--games", type=int, default=400, help="of each ledger (default: 400)")
    parser.add_argument("--systems", default=",".join(SYSTEMS_TRIED), help="by commas")
    options = parser.parse_args()
    tried = tuple(options.systems.split(","))
    head = ("made by", "slope", "best", "nearest other", "hold the truth of their games", "of all ledgers")
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}", flush=True)
    for name in tried:
        answer = recovered(name, tried, options.ledgers, options.games)
        nearest = max(answer.behind, key=lambda each: answer.behind[each][0])
        mean, error = answer.behind[nearest]
        near = f"{nearest} {mean:+.4f} ± {NORMAL * error:.4f}"
        shares = f"{100 * answer.inside:.1f} % of {answer.intervals:,} | {100 * answer.inside_all:.1f} %"
        print(f"| {name} | {answer.slope:.3f} | {'yes' if answer.best else 'no'} | {near} | {shares} |", flush=True)
        print(answer.behind, file=sys.stderr)


if __name__ == "__main__":
    main()
