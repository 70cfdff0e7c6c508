"""Does `handan fit-card` find the card that is planted in invented clubs? `make card-recovery`."""

from __future__ import annotations

import argparse
from typing import Any, NamedTuple

from handan.evidence import World, fit_card, simulate
from handan.evidence.card_fit import Worth

IRREGULAR = "17,17,17,10,10,10,10,10"
PLANTED: dict[str, dict[str, Any]] = {
    "12 points a stone": {"stone": 12.0, "fair_komi": 6.0, "card": "tokyo15"},
    "15 points a stone": {"stone": 15.0, "fair_komi": 7.5, "card": "tagajo12"},
    "17 points, from the fourth stone 10": {"worths": IRREGULAR, "spread": 5.0, "card": "tokyo15"},
}
"""What is true, and the other card by which the club plays."""


class Recovery(NamedTuple):
    """How many of the intervals held the truth."""

    per_stone: list[bool]
    komi: list[bool]
    stones: list[bool]
    """Of the points that all free stones of a handicap are worth together."""
    irregular: list[bool]
    """Whether the stones were found to differ."""


def inside(worth: Worth, truth: float) -> bool:
    """Return whether an interval holds the truth; one without end does."""
    return worth.interval is None or worth.interval[0] <= truth <= worth.interval[1]


def recovered(settings: dict[str, Any], clubs: int, games: int) -> Recovery:
    """Invent clubs that play by a wrong card, and look for the true one."""
    answer = Recovery([], [], [], [])
    for seed in range(clubs):
        world = World(seed=seed, games=games, terms="card", **settings)
        fit = fit_card(simulate(world).ledger)
        if not world.worths:
            answer.per_stone.append(inside(fit.per_stone, world.stone))
        answer.komi.append(inside(fit.fair_komi, world.fair_komi))
        for row in fit.stones:
            if row.points is not None:
                answer.stones.append(inside(row.points, world.help(row.handicap, world.fair_komi)))
        answer.irregular.append(not fit.alike)
    return answer


def main() -> None:
    """Print a row for each card."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.card_recovery", description=__doc__)
    parser.add_argument("--clubs", type=int, default=40, help="of each kind (default: 40)")
    parser.add_argument("--games", type=int, default=4000, help="of each club (default: 4000)")
    options = parser.parse_args()
    head = ("planted", "points a stone", "fair komi", "each handicap", "found irregular")
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}", flush=True)
    for name, settings in PLANTED.items():
        answer = recovered(settings, options.clubs, options.games)
        cells = [f"{sum(each)} of {len(each)}" if each else "" for each in answer]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
