"""Whether calibrated forecasts ever do worse than a coin over a year: `python -m benchmarks.calibrated --help`.

Federations and servers publish laws for their own games; forecasts take them with slopes that earlier games weigh. The
log-loss of each year of each set of real games, and of made ones in which all players enter on one day. `*` marks a
year that lost to a coin by more than chance: were its results coins, its sum of losses would have a deviation of half
the root of the sum of the squared log odds; two of these are chance.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

import numpy as np

import handan
from benchmarks.forecasts import DATA, SETS, sets_at_hand
from benchmarks.report import table
from handan import Game, Ledger, Rank
from handan.evidence import Task, forecasts
from handan.evidence.comparison import ROUNDING
from handan.evidence.scores import COIN, losses
from handan.systems import SYSTEMS, system

FEWEST = 50  # games of a year that is judged


def at_once(worth: float, *, ranks: bool, seed: int = 1, players: int = 300, games: int = 3000) -> Ledger:
    """Return games of players who all play on the first day, a rank being worth so many Elo."""
    dice = np.random.default_rng(seed)
    place = dice.integers(-15, 9, players)
    order = dice.permutation(players).reshape(-1, 2).tolist()
    pairs = [*order, *(dice.choice(players, 2, replace=False).tolist() for _ in range(games - len(order)))]
    made = []
    for number, (black, white) in enumerate(pairs):
        chance = 1.0 / (1.0 + 10.0 ** (worth * float(place[white] - place[black]) / 400.0))
        day = date(2020, 1, 1) + timedelta(days=max(0, number - len(order)) // 10)
        declared = [str(Rank.at(float(place[who]) + 31.0)) if ranks else "" for who in (black, white)]
        result = "B+R" if dice.random() < chance else "W+R"
        made.append(
            Game(f"p{black}", f"p{white}", result, day, komi=6.5, black_rank=declared[0], white_rank=declared[1])
        )
    return Ledger.of(made)


MADE = {
    "all at once, a rank is worth nothing": (0.0, True),
    "all at once, a rank is worth 20 Elo": (20.0, True),
    "all at once, a rank is worth 100 Elo": (100.0, True),
    "all at once, no ranks": (60.0, False),
}


class Year(NamedTuple):
    """How a system forecast the games of a year."""

    year: int
    games: int
    loss: float
    chance: float
    """By how much chance alone may move the loss."""

    def __str__(self) -> str:
        """The loss, whether it is a coin's but for chance, the year and its games."""
        return f"{self.loss:.4f}{'*' * (self.loss > COIN + self.chance + ROUNDING)} ({self.year}, {self.games:,})"


def years(name: str, ledger: Ledger) -> Iterator[Year]:
    """Yield the years of a system's forecasts."""
    task = Task.of(ledger)
    probability = forecasts(system(name), task)
    if probability is None:
        return
    chosen = probability[task.wanted]
    loss, lead = losses(chosen, task.score[task.wanted]), np.log(chosen) - np.log1p(-chosen)
    year = ledger.arrays.column("date").dt.year().fill_null(0).to_numpy()[task.games[task.wanted]]
    for one in np.unique(year).tolist():
        mine = year == one
        if mine.sum() >= FEWEST:
            chance = math.sqrt(float((lead[mine] ** 2).sum())) / mine.sum()
            yield Year(one, int(mine.sum()), float(loss[mine].mean()), float(chance))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the worst year of each set under each calibrated system."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibrated", description=__doc__)
    parser.add_argument("sets", nargs="*", help=f"of {', '.join(SETS)} (default: all, and the made ones)")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the sets (default: beside the checkout)")
    parser.add_argument("--systems", default="", help="systems, by commas (default: the calibrated ones that replay)")
    options = parser.parse_args(arguments)
    chosen = options.systems.split(",") if options.systems else [
        name for name, each in SYSTEMS.items() if each.traits.calibrated and not each.traits.whole
    ]  # fmt: skip
    ledgers = [(name, handan.read(str(path))) for name, path in sets_at_hand(options.data, options.sets)]
    ledgers += [] if options.sets else [(name, at_once(worth, ranks=ranks)) for name, (worth, ranks) in MADE.items()]
    rows = []
    for label, ledger in ledgers:
        worst = [str(max(years(name, ledger), key=lambda year: year.loss, default="")) for name in chosen]
        rows.append([label, *worst])
        print(*rows[-1], sep=" | ", flush=True)
    print("\n" + table(("worst year of", *chosen), rows))


if __name__ == "__main__":
    main()
