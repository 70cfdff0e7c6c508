"""Ten million games solved by four workers of whom one is killed: the same bits as one alone, near what `rate` says.

How long one worker takes is of a second run, since the first of a machine may compile.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import handan
from benchmarks.adding import names_of, seconds, table_of
from handan.distributed import Answer, rate, workers
from handan.ledger import Ledger, Player
from handan.systems import system

NEAR = 1e-5
"""Elo by which the loops of one machine and of workers may differ; our choice: a thousandth of what lists show."""


@contextmanager
def one_killed(kind: type[Any], question: int) -> Iterator[list[int]]:
    """Kill the process of the second worker with SIGKILL as it is asked something; yield who was killed."""
    ask, killed, numbers = kind.ask, [], iter(range(1, 1_000_000))

    def asking(self: Any, method: str, *given: Any, each: Any = None) -> list[Any]:
        if next(numbers) == question:
            number = ask(self, "process")[1]
            killed.append(number)
            os.kill(number, signal.SIGKILL)
        answers: list[Any] = ask(self, method, *given, each=each)
        return answers

    kind.ask = asking
    try:
        yield killed
    finally:
        kind.ask = ask


def ledger_at(folder: Path, games: int, players: int) -> Path:
    """Write a ledger and return its folder."""
    path = folder / "games.ledger"
    handan.write(Ledger.among(table_of(games, players), [Player(name) for name in names_of(players)]), path)
    return path


def same(one: Answer, other: Answer) -> bool:
    """Return whether two answers are the same to the last bit."""
    pairs = [(getattr(one.ratings, name), getattr(other.ratings, name)) for name in ("rating", "deviation", "tallies")]
    return all(left.tobytes() == right.tobytes() for left, right in pairs) and one.ratings.notes == other.ratings.notes


def main() -> int:
    """Rate, print what it cost, and return 1 if the answers differ."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.distributed", description=__doc__)
    parser.add_argument("--games", type=int, default=10_000_000)
    parser.add_argument("--players", type=int, default=100_000)
    parser.add_argument("--cluster", default="ray:4", help="default: ray:4; local:4 does without Ray")
    parser.add_argument("--systems", default="bradley-terry,decayed,whr")
    parser.add_argument("--question", type=int, default=12, help="at which question one worker is killed")
    given = parser.parse_args()
    kind = workers.Actors if given.cluster.startswith("ray") else workers.Processes
    good = True
    with TemporaryDirectory(prefix="handan-distributed-") as name:
        path = ledger_at(Path(name), given.games, given.players)
        for chosen in given.systems.split(","):
            rules = system(chosen)
            rate(path, rules)
            started = time.perf_counter(), time.process_time()
            alone = rate(path, rules)
            wall, work = seconds(started[0]), time.process_time() - started[1]
            started_many = time.perf_counter()
            with one_killed(kind, given.question) as killed:
                many = rate(path, rules, given.cluster)
            wall_many = seconds(started_many)
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
            here = rules.rate(handan.read(path))
            apart = float(np.abs(here.rating - alone.ratings.rating).max())
            ok = same(alone, many) and len(killed) == 1 and apart < NEAR
            good &= ok
            print(
                f"{chosen}: {given.games:,} games, one worker and {given.cluster} with worker 2 killed (process "
                f"{killed}): {'the same bits' if same(alone, many) else 'OTHER BITS'}; {apart:.1g} Elo from `rate`\n"
                f"  {alone.ratings.notes[-2]}\n"
                f"  one worker {given.games / work:,.0f} games a core-second ({wall:.1f} s), {memory:.1f} GB at most\n"
                f"  {given.cluster} with start, death and reading again {wall_many / wall:.1f} times as long",
                flush=True,
            )
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
