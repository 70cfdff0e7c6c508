"""Measure one other program in a process of its own; the last line printed is the figure as JSON."""

from __future__ import annotations

import argparse
import json
import resource
import time
import warnings
from importlib import import_module
from pathlib import Path

from benchmarks.figures import Figure, PeakMemory, log_loss
from benchmarks.ledgers import Games
from benchmarks.peers import PEERS, Peer
from benchmarks.peers.driving import Driver

MOST_MEMORY = 8 * 2**30  # bytes; a program that wants more is stopped, since the machine has other users


def driver_of(peer: Peer, games: Games) -> Driver:
    """Return the program ready to play."""
    part, name = peer.driver.split(".")
    driver: Driver = getattr(import_module(f"benchmarks.peers.{part}"), name)(games, *peer.settings)
    return driver


def measure(peer: Peer, games: Games) -> Figure:
    """Return speed, memory and forecasts; the clock stands still while forecasts are asked for."""
    driver = driver_of(peer, games)
    memory = PeakMemory()
    start = time.perf_counter()
    driver.play(0, games.cut)
    seconds = time.perf_counter() - start
    peak = memory.growth()
    frozen = log_loss(driver.chances(games.cut), games.win[games.cut :])
    if not driver.at_once:
        start = time.perf_counter()
        driver.play(games.cut, len(games))
        seconds += time.perf_counter() - start
    rated = games.cut if driver.at_once else len(games)
    return Figure(peer.job, peer.program, rated, seconds, frozen=frozen, memory=peak)


def main() -> None:
    """Measure the program named on the command line."""
    parser = argparse.ArgumentParser(description="Measure one other program in a process of its own.")
    parser.add_argument("program", choices=PEERS)
    parser.add_argument("games", type=Path, help="arrays (.npz)")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # what they warn of does not concern the reader of the table
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    peer = PEERS[options.program]
    try:
        figure = measure(peer, Games.load(options.games))
    except MemoryError:
        figure = Figure(peer.job, peer.program, note=f"wants more than {MOST_MEMORY // 2**30} GB of memory")
    print(json.dumps(figure.as_dict()))


if __name__ == "__main__":
    main()
