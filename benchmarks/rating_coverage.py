"""How often intervals of ratings and forecasts hold the truth: `make coverage-of-ratings`.

Worlds are invented, so that everybody's strength is known. A rating and its deviation say between which values a player
stands against the mean of the own pool, in Elo by the system's law; `win_interval` says between which chances that of a
game lies, here an even one between two who met in the newest tenth of the games. Systems have their defaults, and the
worlds their rank of 60 Elo.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from statistics import NormalDist
from typing import Any

import numpy as np

import handan
from benchmarks import pages
from benchmarks.report import table
from handan.evidence import World, simulate
from handan.evidence.worlds.simulation import Simulation
from handan.ratings import Standing
from handan.systems import SYSTEMS
from handan.systems.elo import expected

LEVELS = (0.5, 0.8, 0.95)
SERVER: dict[str, Any] = {
    "per_rank": 60.0, "terms": "even", "declares": "never", "newcomers": 0.0, "ageing_share": 0.0, "rare": 0.0,
    "drift": 1.2, "spread": 3.0,
}  # fmt: skip
WORLDS: dict[str, dict[str, Any]] = {
    "drift": SERVER | {"players": 60, "games": 3000},
    "newcomers": SERVER | {"players": 60, "games": 3000, "newcomers": 0.5, "rare": 0.2},
    "small pools": SERVER | {"players": 48, "games": 1500, "pools": 6, "pool_gap": 0.0},
    "club with ranks": {"per_rank": 60.0, "drift": 1.2, "players": 60, "games": 2000},
}
"""`drift`: everybody's strength wanders by 72 Elo a year, as `whr` has it."""


def log_odds(chance: float | None) -> float:
    """Return ln(p / (1 - p)) of a chance that a system has."""
    assert chance is not None
    return math.log(chance / (1.0 - chance))


def above(ratings: handan.Ratings, name: str, middle: Standing) -> tuple[float, float]:
    """Return by how many Elo a player stands above an exact rating by the system's law, and the deviation of that."""
    player = ratings.standing(name)
    exact, elo = player._replace(deviation=None), 400.0 / math.log(10.0)
    leads = [log_odds(ratings.win_probability(*pair)) for pair in ((exact, middle), (middle, exact))]
    interval = ratings.win_interval(player, middle)
    assert interval is not None
    wide = (log_odds(interval[1]) - log_odds(interval[0])) / (2.0 * NormalDist().inv_cdf(0.975))
    return elo * (leads[0] - leads[1]) / 2.0, elo * wide


def of_ratings(ratings: handan.Ratings, made: Simulation) -> Iterator[float]:
    """Yield by how many deviations each player is off, against the mean of the pool."""
    people = {row["player"]: row for row in made.players.to_dicts()}
    names = [name for name in ratings if ratings[name].games > 0]
    for pool in sorted({people[name]["pool"] for name in names}):
        mine = [name for name in names if people[name]["pool"] == pool]
        middle = Standing(mine[0], float(np.median([ratings[name].rating for name in mine])))
        rating, deviation = np.array([above(ratings, name, middle) for name in mine]).T
        truth = np.array([people[name]["last_strength"] for name in mine])
        yield from (((rating - rating.mean()) - (truth - truth.mean())) / deviation).tolist()


def of_forecasts(ratings: handan.Ratings, made: Simulation) -> Iterator[tuple[bool, ...]]:
    """Yield for the next game of each pair whether the interval of each level holds its chance."""
    strength = dict(made.players.select("player", "last_strength").iter_rows())
    newest = made.games.tail(len(made.games) // 10)
    for black, white in sorted(set(newest.select("black", "white").iter_rows())):
        truth = expected(strength[black] - strength[white])
        ends = [ratings.win_interval(black, white, level=level) for level in LEVELS]
        yield tuple(pair is not None and pair[0] <= truth <= pair[1] for pair in ends)


def coverage(name: str, world: str, seeds: int) -> list[float]:
    """Return the shares of ratings, then of forecasts, whose intervals of 50, 80 and 95 % hold the truth.

    Empty for a system that rates nobody there.
    """
    off: list[float] = []
    covered: list[tuple[bool, ...]] = []
    for seed in range(1, seeds + 1):
        made = simulate(World(seed=seed, **WORLDS[world]))
        ratings = handan.rate(made.ledger, SYSTEMS[name]())
        off += of_ratings(ratings, made)
        covered += of_forecasts(ratings, made)
    if not off:
        return []
    within = [float((np.abs(off) < NormalDist().inv_cdf(0.5 + 0.5 * level)).mean()) for level in LEVELS]
    return [*within, *np.mean(covered, axis=0).tolist()]


def with_deviations() -> list[str]:
    """Return the systems that forecast and say how sure their ratings are."""
    made = simulate(World(players=8, games=60))
    return [
        name
        for name, system in SYSTEMS.items()
        if handan.rate(made.ledger, system()).win_interval(*made.players["player"][:2]) is not None
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Write a row for each system and world into the page of the benchmarks."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rating_coverage", description=__doc__)
    parser.add_argument("--seeds", type=int, default=10, help="worlds of each kind (default: 10)")
    parser.add_argument("--systems", default="", help="systems, by commas (default: all that state deviations)")
    parser.add_argument("--print", action="store_true", help="do not write the page")
    options = parser.parse_args(arguments)
    rows = []
    for name in options.systems.split(",") if options.systems else with_deviations():
        shares = [[f"{100.0 * share:.0f}" for share in coverage(name, world, options.seeds)] for world in WORLDS]
        print(name, *(f"{' '.join(each[:3])} / {' '.join(each[3:])}" for each in shares), sep=" | ", flush=True)
        rows.append([f"`{name}`", *(f"{each[2]} / {each[5]}" if each else "rates nobody" for each in shares)])
    if not options.print:
        pages.write(pages.DOCS / "benchmarks.md", "make coverage-of-ratings", table(("system", *WORLDS), rows))


if __name__ == "__main__":
    main()
