"""What comparing and tuning cost: `make evidence`, or `python -m benchmarks.evidence --help`.

Processor seconds, since other programs may run beside. Everything that is called was compiled before: a federation is
compared until nothing is left to compile. The first comparison of an installation compiles, for a minute at most.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import polars as pl

import handan
from benchmarks import ledgers
from benchmarks.figures import PeakMemory
from handan.evidence import Task, compare, forecasts
from handan.evidence.worlds import World, simulate
from handan.systems import SYSTEMS

CLUB, LARGE, WARM = 3_460, 961_671, 30_000
MEGABYTE = 1024.0**2
VIEW = 16  # bytes in which Arrow keeps a text of a column, or where it stands
REPLAYING = tuple(name for name, made in SYSTEMS.items() if not made.traits.whole and name != "handan")
TUNED = ("elo", "glicko", "glicko2")


class Row(NamedTuple):
    """A figure and what it is to be at most."""

    what: str
    figure: float
    most: float
    unit: str = "s"

    @property
    def cells(self) -> list[str]:
        """The cells of the table."""
        within = "yes" if self.figure <= self.most else "no"
        return [self.what, f"{self.figure:.2f} {self.unit}", f"{self.most:g} {self.unit}", within]


def processor(call: Callable[[], object]) -> float:
    """Return the processor seconds of a call."""
    start = time.process_time()
    call()
    return time.process_time() - start


def compiles(call: Callable[[], object]) -> bool:
    """Return whether a call makes machine code; loops do so once they have had enough work in a process."""
    from numba.core import event

    with event.install_recorder("numba:compile") as made:
        call()
    return bool(made.buffer)


def federation(games: int, seed: int = 1) -> handan.Ledger:
    """Return invented games of a federation with tournaments, ranks and handicaps."""
    people = max(20, games // 6)
    world = World(seed=seed, games=games, players=people, tournaments=2, rounds=5, every=14, spread=6.0, days=1825)
    return simulate(world).ledger


def large(games: int) -> handan.Ledger:
    """Return even games of a server, many on each day."""
    return ledgers.ledger_of(ledgers.own(games))


def of_a_federation(games: int) -> Iterator[Row]:
    """Compare all systems on invented games, twice."""
    ledger = federation(games)
    while compiles(lambda: compare(ledger)):
        pass
    whole = processor(lambda: compare(ledger))
    yield Row(f"{games:,} games of a federation under all {len(SYSTEMS)} systems", whole, 10.0)


def of_a_club(games: int = 400) -> Iterator[Row]:
    """Learn the settings of a club."""
    ledger = simulate(World(seed=3, games=games, players=40)).ledger
    for name in TUNED:
        handan.tuned(ledger, handan.systems.system(name))
        seconds = processor(lambda name=name: handan.tuned(ledger, handan.systems.system(name)))  # type: ignore[misc]
        yield Row(f"settings of {name} learned from {len(ledger):,} games", seconds, 1.0)


def buffers(ledger: handan.Ledger) -> float:
    """Return the megabytes of the ledger's columns with 16 bytes for each text, which polars' estimate leaves out.

    A ledger that was read keeps its games as numbers too, in some 20 bytes each; these are not counted.
    """
    texts = sum(dtype == pl.String for dtype in ledger.games.dtypes)
    return (ledger.games.estimated_size() + VIEW * texts * len(ledger)) / MEGABYTE


def of_a_server(games: int, warm: int) -> Iterator[Row]:
    """Forecast very many games by all systems that replay, and compare them."""
    ledger, small = large(games), Task.of(large(warm))
    for name in (*REPLAYING, "handan"):
        forecasts(SYSTEMS[name](), small)
    start = time.process_time()
    task = Task.of(ledger)
    together = sum(processor(lambda name=name: forecasts(SYSTEMS[name](), task)) for name in REPLAYING)  # type: ignore[misc]
    yield Row("what is known before each of them", time.process_time() - start - together, 1.0)
    yield Row(f"{games:,} games under the {len(REPLAYING)} systems that replay them", together, 5.0)
    alone = processor(lambda: forecasts(SYSTEMS["handan"](), task))
    yield Row("the same games under `handan`", alone, 120.0)
    task.forget()
    memory = PeakMemory()
    compare(ledger, REPLAYING)
    growth = memory.growth()
    columns = ledger.games.estimated_size() / MEGABYTE
    yield Row(
        "memory of comparing them, above what the loaded ledger has, beside its columns", growth / columns, 2.0, "times"
    )
    yield Row(
        "the same with the ledger, beside its columns as they lie in memory",
        1.0 + growth / buffers(ledger),
        2.0,
        "times",
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a row for each figure."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evidence", description=__doc__)
    parser.add_argument("--games", type=int, default=LARGE, help=f"of the large ledger (default: {LARGE:,})")
    parser.add_argument("--club", type=int, default=CLUB, help=f"of the federation (default: {CLUB:,})")
    options = parser.parse_args(arguments)
    print("| what | processor | at most | within |\n|---|---|---|---|", flush=True)
    for row in chain(of_a_club(), of_a_federation(options.club), of_a_server(options.games, min(WARM, options.games))):
        print(f"| {' | '.join(row.cells)} |", flush=True)


if __name__ == "__main__":
    main()
