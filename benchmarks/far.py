"""What so many games would cost, from the rates of fewer of them: games a core-second, bytes a game."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import handan
from benchmarks.adding import names_of, table_of
from handan.distributed import rate
from handan.ledger import Ledger, Player
from handan.systems import system

REPLAYED = ("elo", "egf", "glicko2")
SOLVED = ("bradley-terry", "decayed", "whr")


class Rate(NamedTuple):
    """How fast something went."""

    what: str
    games: float
    """Games a core-second: processor time of all threads."""
    at_once: bool
    """Whether the work can be dealt out to many workers."""


def core_seconds(work: Callable[[], object], times: int = 2) -> float:
    """Return the processor time of the fastest run; the first one may compile."""
    took = []
    for _ in range(times):
        started = time.process_time()
        work()
        took.append(time.process_time() - started)
    return min(took)


def stored(csv: Path, path: Path) -> None:
    """Read a file and write it as a ledger on disk."""
    handan.write(handan.read(csv), path)


def replayed(path: Path, name: str) -> None:
    """Rate a ledger on disk, and make the ladder."""
    system(name).rate(handan.read(path)).table()


def solved(path: Path, name: str) -> None:
    """Solve a ledger on disk by one worker, and make the ladder."""
    rate(path, system(name)).ratings.table()


def rates(games: int, players: int, folder: Path) -> Iterator[Rate]:
    """Yield how fast each of the ways goes."""
    csv, path = folder / "games.csv", folder / "games.ledger"
    handan.write(Ledger.among(table_of(games, players), [Player(name) for name in names_of(players)]), csv)
    yield Rate("read CSV and write a ledger on disk", games / core_seconds(partial(stored, csv, path)), at_once=False)
    for name in REPLAYED:
        yield Rate(f"rate by {name}", games / core_seconds(partial(replayed, path, name)), at_once=False)
    for name in SOLVED:
        yield Rate(f"solve {name} by workers", games / core_seconds(partial(solved, path, name)), at_once=True)


def main() -> int:
    """Print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.far", description=__doc__)
    parser.add_argument("--games", type=int, default=1_000_000, help="how many are measured")
    parser.add_argument("--players", type=int, default=20_000)
    parser.add_argument("--of", type=float, default=1e11, help="how many are asked about")
    given = parser.parse_args()
    print(f"{given.games:,} games of {given.players:,} players measured, {given.of:,.0f} asked about\n")
    print("| what | games a core-second | core-hours | in a day on |\n|---|---|---|---|")
    with TemporaryDirectory(prefix="handan-far-") as name:
        for each in rates(given.games, given.players, Path(name)):
            hours = given.of / each.games / 3600.0
            cores = f"{max(hours / 24.0, 1.0):,.0f} cores" if each.at_once else f"one core: {hours / 24.0:,.1f} days"
            print(f"| {each.what} | {each.games:,.0f} | {hours:,.0f} | {cores} |", flush=True)
        size = sum(file.stat().st_size for file in (Path(name) / "games.ledger").iterdir()) / given.games
        print(f"\non disk {size:.1f} bytes a game, {size * given.of / 1e12:.1f} TB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
