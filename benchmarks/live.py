"""`handan.live`, play after play, beside the online libraries: `python -m benchmarks.live`.

All take the same games one by one, without dates, each in its own program's loop, in turns; the median of the seconds
counts. What `live` holds at the end is compared with `rate` of the same games, to the bit.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import handan
from benchmarks import ledgers, runner
from benchmarks.peers import PEERS
from benchmarks.peers.environment import Environment
from benchmarks.report import table
from handan.systems import System, system

SYSTEMS = (system("elo", k=32.0), system("glicko2", period="game"))
ONLINE = {"elo": ("elote Elo", "skelo Elo"), "glicko2": ("glicko2", "skelo Glicko-2")}
"""Other programs that take one game at a time."""


def ours(rules: System, games: ledgers.Games) -> float:
    """Return the seconds that `live` takes for the games; RuntimeError if `rate` says something else of them."""
    live = handan.live(rules)
    plays = [
        (f"p{black}", f"p{white}", "B+" if win else "W+")
        for black, white, win in zip(games.black.tolist(), games.white.tolist(), games.win.tolist(), strict=True)
    ]
    start = time.perf_counter()
    for black, white, result in plays:
        live.play(black, white, result)
    seconds = time.perf_counter() - start
    rated = handan.rate([{"black": b, "white": w, "result": r} for b, w, r in plays], rules)
    if any(live[name].rating != rated[name].rating for name in rated):
        raise RuntimeError(f"{rules.name}: live and rate differ")
    return seconds


def main() -> None:
    """Measure and print a table for each system."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.live", description=__doc__)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--turns", type=int, default=5)
    options = parser.parse_args()
    games = ledgers.own(options.games)
    environment = Environment(runner.ROOT / ".venv-bench")
    there, refused = environment.install({PEERS[name].package: None for names in ONLINE.values() for name in names})
    for name, reason in refused.items():
        print(f"{name} could not be installed: {reason}", file=sys.stderr)
    rows = []
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.npz"
        games.save(path)
        for rules in SYSTEMS:
            names = ONLINE[rules.name]
            programs = [name for name in names if PEERS[name].package in there]
            own: list[float] = []
            theirs: dict[str, list[float]] = {name: [] for name in programs}
            for _ in range(options.turns):
                own.append(ours(rules, games))
                for name in programs:
                    if seconds := runner.peer(PEERS[name], environment, path, 600.0).seconds:
                        theirs[name].append(seconds)
            for name, each in theirs.items():
                times = f"{statistics.median(each) / statistics.median(own):.2f}" if each else "not finished"
                rows.append([f"`{rules.name}`", name, times])
    print(table(("live", "beside", "times as long"), rows))


if __name__ == "__main__":
    main()
