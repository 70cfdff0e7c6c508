"""How often 95 % intervals of a difference of two systems hold the truth: `make coverage-of-intervals`.

Differences of losses are drawn with the same mean in all ledgers, 0, and with parts that belong to a day, to a player,
or to a pair of players. An interval that means what it says holds 0 in 95 of 100 ledgers.
"""

from __future__ import annotations

import argparse
from typing import NamedTuple

import numpy as np

from handan.evidence.intervals import Clustered
from handan.kernels.types import Floats, Ints


class Design(NamedTuple):
    """Ledgers of one kind; deviations are in those of a game's own noise."""

    games: int
    days: int
    players: int
    of_day: float
    of_player: float
    of_pair: float = 0.0
    uneven: bool = False
    """Whether the second player plays half as much as the first, the third a third, and so on."""


DESIGNS = {
    "few days, few players": Design(200, 10, 12, 0.3, 0.3),
    "twenty days, fifteen players": Design(200, 20, 15, 0.2, 0.2),
    "players differ, days do not": Design(300, 100, 12, 0.0, 0.5),
    "some play far more": Design(300, 60, 20, 0.2, 0.3, uneven=True),
    "some play far more, no days": Design(600, 100, 40, 0.0, 0.3, uneven=True),
    "pairs differ": Design(300, 40, 15, 0.1, 0.1, 0.5),
    "eight days": Design(300, 8, 60, 0.4, 0.0),
    "five tournament days": Design(150, 5, 40, 0.1, 0.2),
    "games share nothing": Design(200, 20, 15, 0.0, 0.0),
    "a large club": Design(2000, 200, 100, 0.1, 0.1),
}
DIFFERENCE = np.array([1.0, -1.0])


def ledger(design: Design, seed: int) -> tuple[Floats, Ints, Ints]:
    """Return losses of two systems, shape (games, 2), the day of each game, and its players."""
    dice = np.random.default_rng(seed)
    share = 1.0 / np.arange(1, design.players + 1) ** float(design.uneven)
    one = dice.choice(design.players, design.games, p=share / share.sum())
    other = one.copy()
    while (same := one == other).any():
        other[same] = dice.choice(design.players, int(same.sum()), p=share / share.sum())
    day = np.sort(dice.integers(0, design.days, design.games))
    of_player, of_pair = dice.normal(size=design.players), dice.normal(size=(design.players, design.players))
    loss = dice.normal(size=design.games) + design.of_day * dice.normal(size=design.days)[day]
    loss += design.of_player * (of_player[one] + of_player[other])
    loss += design.of_pair * (of_pair + of_pair.T)[one, other] / np.sqrt(2.0)
    return np.stack((loss, np.zeros(design.games)), axis=1), day, np.stack((one, other), axis=1)


def coverage(design: Design, ledgers: int) -> float:
    """Return the share of ledgers whose interval holds the truth."""
    inside = 0
    for seed in range(ledgers):
        low, high = Clustered.of(*ledger(design, seed)).interval(DIFFERENCE)
        inside += low <= 0.0 <= high
    return inside / ledgers


def main() -> None:
    """Print a row for each design."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage", description=__doc__)
    parser.add_argument("--ledgers", type=int, default=2000, help="of each design (default: 2000)")
    options = parser.parse_args()
    print("| ledgers | games | days | players | hold the truth |\n|---|---|---|---|---|")
    for name, design in DESIGNS.items():
        share = coverage(design, options.ledgers)
        print(f"| {name} | {design.games} | {design.days} | {design.players} | {100 * share:.1f} % |", flush=True)


if __name__ == "__main__":
    main()
