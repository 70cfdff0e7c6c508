"""Speed and memory of every system beside those of an older version, in one run.

Both versions rate the same games in turns, so that whatever else the machine does falls on both; what counts is the
time of the processor, and the smallest of several ratings. Only what both versions have in public is called.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.ledgers import Games, frame_of, own
from benchmarks.load import checked_out
from benchmarks.runner import CACHE, ROOT
from handan.systems import SYSTEMS

ROUNDS = 5  # our choice: turns that each version has
AT_LEAST = (
    0.5  # seconds of the processor; our choice: a turn of a fast system rates many times, since one is mostly noise
)
MEMORY = "memory at most"
"""Row of the table that says how much of it a process took, in which the games are read and rated."""
SMALL = 2000  # games by which loops are compiled before; our choice
RATE = """
import json, resource, sys, time
import handan, polars
from handan.files import Limits
from handan.systems import SYSTEMS
path, small, repeat, at_least, *names = sys.argv[1:]
names = [name for name in names if name in SYSTEMS]
few = handan.read(polars.read_csv(small, try_parse_dates=True))
for name in names:
    handan.rate(few, name)  # compiles
games = polars.read_csv(path, try_parse_dates=True)
ledger = handan.read(games, limits=Limits(games=max(len(games), Limits().games)))
del games
figures = {}
for name in names:
    runs = []
    while len(runs) < int(repeat) or sum(runs) < float(at_least):
        start = time.process_time()
        handan.rate(ledger, name)
        runs.append(time.process_time() - start)
    figures[name] = min(runs)
print(json.dumps(figures | {"memory at most": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}))
"""


def turn(sources: Path, games: Path, systems: Sequence[str], repeat: int, cache: Path) -> dict[str, float]:
    """Return the seconds of processor time in which one version rates a file, by system, and `MEMORY`."""
    small = written(own(SMALL), games.with_name("small.csv"))
    variables = {"PYTHONPATH": str(sources), "HANDAN_KERNELS": "compiled", "NUMBA_CACHE_DIR": str(cache)}
    command = [sys.executable, "-c", RATE, str(games), str(small), str(repeat), str(AT_LEAST), *systems]
    done = subprocess.run(command, env=os.environ | variables, stdout=subprocess.PIPE, check=True)
    seconds: dict[str, float] = json.loads(done.stdout)
    return seconds


def turns(
    older: Path, newer: Path, games: Path, systems: Sequence[str], repeat: int, cache: Path, rounds: int = ROUNDS
) -> list[tuple[dict[str, float], dict[str, float]]]:
    """Let both versions rate a file in turns; the seconds of each turn."""
    return [
        (turn(older, games, systems, repeat, cache / "older"), turn(newer, games, systems, repeat, cache / "newer"))
        for _ in range(rounds)
    ]


def table(seen: Sequence[tuple[dict[str, float], dict[str, float]]]) -> str:
    """Return how many times as long this version takes, by system, and how much memory: the least beside the least."""
    lines = ["| system | times as much | middle turn | smallest | largest |", "|---|---:|---:|---:|---:|"]
    for name in [name for name in seen[0][1] if name in seen[0][0]]:
        ratios = sorted(newer[name] / older[name] for older, newer in seen)
        fastest = min(newer[name] for _, newer in seen) / min(older[name] for older, _ in seen)
        cells = (fastest, statistics.median(ratios), ratios[0], ratios[-1])
        lines.append(f"| {name} | " + " | ".join(f"{cell:.2f}" for cell in cells) + " |")
    return "\n".join(lines)


def written(games: Games, path: Path) -> Path:
    """Write games as a table that every version reads."""
    frame_of(games).write_csv(path)
    return path


def main() -> None:
    """Rate games of the harness's own under both versions, and print the ratios."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.against", description=__doc__)
    parser.add_argument("revision", help="the older version, as git names it")
    parser.add_argument("--games", type=int, default=20_000, help="games of the ledger (default: 20000)")
    parser.add_argument("--systems", default=",".join(SYSTEMS), help="by commas (default: all)")
    parser.add_argument(
        "--repeat", type=int, default=3, help="least ratings in a turn; the fastest counts (default: 3)"
    )
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"turns of each version (default: {ROUNDS})")
    given = parser.parse_args()
    with checked_out(given.revision) as older, TemporaryDirectory() as folder:
        games = written(own(given.games), Path(folder) / "games.csv")
        systems = given.systems.split(",")
        seen = turns(older, ROOT / "src", games, systems, given.repeat, CACHE / "numba", given.rounds)
    print(f"{given.games:,} games, processor time beside {given.revision}:\n\n{table(seen)}")


if __name__ == "__main__":
    main()
