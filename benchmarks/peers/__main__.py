"""Measure one other program in a process of its own; the last line printed is the figure as JSON."""

from __future__ import annotations

import argparse
import json
import resource
import time
import warnings
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import numpy as np

from benchmarks.figures import Figure, PeakMemory, log_loss
from benchmarks.ledgers import Games
from benchmarks.peers import PEERS, Peer
from benchmarks.peers.driving import Driver, Floats

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


def one_step_ahead(peer: Peer, games: Games, batch: Floats, refits: Floats) -> tuple[Floats, float]:
    """Return Black's chance in every game from what was known before it, and the processor seconds of it all.

    A program that rates all games together is made anew for each fit; before the first, games are even.

    Args:
        peer: The program.
        games: All games.
        batch: Place of the first of each run of games that do not know each other, and the number of games.
        refits: Places before which all games are fitted anew, by programs that rate them together.
    """
    chances = np.full(len(games), 0.5)
    driver = driver_of(peer, games)
    start = time.process_time()
    if not driver.at_once:
        for first, behind in pairwise(batch.tolist()):
            chances[first:behind] = driver.chances(first, behind)
            driver.play(first, behind)
        return chances, time.process_time() - start
    for first, behind in pairwise([*refits.tolist(), len(games)]):
        driver = driver_of(peer, games)
        driver.play(0, first)
        chances[first:behind] = driver.chances(first, behind)
    return chances, time.process_time() - start


def ahead(peer: Peer, path: Path, output: Path) -> Figure:
    """Forecast the games of a file one step ahead, write the chances down, and return the figure."""
    games = Games.load(path)
    with np.load(path) as arrays:
        chances, seconds = one_step_ahead(peer, games, arrays["batch"], arrays["refits"])
    np.save(output, chances)
    return Figure(peer.job, peer.program, len(games), seconds, online=log_loss(chances, games.win))


def main() -> None:
    """Measure the program named on the command line."""
    parser = argparse.ArgumentParser(description="Measure one other program in a process of its own.")
    parser.add_argument("program", choices=PEERS)
    parser.add_argument("games", type=Path, help="arrays (.npz)")
    parser.add_argument("--ahead", type=Path, help="forecast all games one step ahead, and write the chances there")
    parser.add_argument("--limit", type=int, default=86_400, help="processor seconds at most (default: a day)")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # what they warn of does not concern the reader of the table
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (options.limit, options.limit + 1))  # seconds; the first of them ends it
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    peer = PEERS[options.program]
    try:
        if options.ahead:
            figure = ahead(peer, options.games, options.ahead)
        else:
            figure = measure(peer, Games.load(options.games))
    except MemoryError:
        figure = Figure(peer.job, peer.program, note=f"wants more than {MOST_MEMORY // 2**30} GB of memory")
    print(json.dumps(figure.as_dict()))


if __name__ == "__main__":
    main()
