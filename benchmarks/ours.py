"""Measure one of our systems in a process of its own; the last line printed is the figure as JSON."""

from __future__ import annotations

import argparse
import json
import math
import statistics
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.figures import Figure, PeakMemory, log_loss
from benchmarks.jobs import FORECASTING, Job, all_jobs
from benchmarks.ledgers import Games, ledger_of
from benchmarks.loops import stopwatch
from handan.ratings import Ratings, Standing
from handan.systems import System, system
from handan.systems.core.lazy_ratings import LazyArrays, rated_in_full

WARM_UP = 200  # games; enough for every kernel to be compiled
SHORT = 5.0  # seconds; longer jobs are not repeated
KOMI = 6.5


def measure(job: Job, games: Games, repeat: int) -> Figure:
    """Return speed, memory and forecasts of one system; everything that it calls has been compiled before."""
    rules = system(job.system, **job.settings)
    small = replace(games, **{name: getattr(games, name)[:WARM_UP] for name in vars(games)})
    forecasts(rules, rules.rate(ledger_of(small)), 0)
    start = time.perf_counter()
    ledger = ledger_of(games)
    ledger_seconds = time.perf_counter() - start
    memory = PeakMemory()
    first, loop, ratings = timed(rules, ledger)
    peak = memory.growth()
    game_by_game = job.system in FORECASTING and ratings.rated == len(games)
    online = forecasts_before(rules, ratings, games.cut) if game_by_game else None
    rated, list_first = ratings.rated, isinstance(ratings, LazyArrays)
    del ratings
    runs = [timed(rules, ledger)[:2] for _ in range(repeat if first < SHORT else 0)] or [(first, loop)]
    seconds, note = statistics.median(whole for whole, _ in runs), job.note
    if list_first:
        longer = statistics.median(timed_in_full(rules, ledger) for _ in range(repeat)) / seconds
        note += f"; the list: {longer:.1f} times as long with what each game changed"
    del ledger
    train = ledger_of(games, games.cut)
    train_seconds, _, frozen = timed(rules, train)
    won = games.win[games.cut :]
    chances = forecasts(rules, frozen, games.cut)
    return Figure(
        job=job.name,
        program="handan",
        games=rated,
        seconds=seconds,
        first_seconds=first,
        loop_seconds=statistics.median(inside for _, inside in runs) or None,
        train_seconds=train_seconds,
        ledger_seconds=ledger_seconds,
        frozen=None if chances is None else log_loss(chances, won),
        online=None if online is None else log_loss(online, won),
        memory=peak,
        note=note,
    )


def timed(rules: System, ledger: Any) -> tuple[float, float, Ratings]:
    """Rate once; return the seconds, those inside loops, and the ratings."""
    with stopwatch() as loops:
        start = time.perf_counter()
        ratings = rules.rate(ledger)
        return time.perf_counter() - start, loops.seconds, ratings


def timed_in_full(rules: System, ledger: Any) -> float:
    """Rate once with what is said of each game; return the seconds."""
    start = time.perf_counter()
    rated_in_full(rules, ledger)
    return time.perf_counter() - start


def forecasts(rules: System, ratings: Ratings, start: int) -> Any:
    """Return Black's chances in the games from `start` on by the ratings held now, None without a law of chances."""
    ledger = ratings.ledger
    standings = [ratings.standing(player.name) for player in ledger.players]
    pairs = zip(ledger.arrays.black[start:].tolist(), ledger.arrays.white[start:].tolist(), strict=True)
    chances = [rules.win_probability(standings[black], standings[white], 0, KOMI) for black, white in pairs]
    return None if None in chances else np.array(chances, dtype=np.float64)


def forecasts_before(rules: System, ratings: Ratings, start: int) -> Any:
    """Return Black's chances in the games from `start` on by the ratings just before each, None without a law."""
    rated_from, deviation = rules.onset(ratings)
    spread = np.full_like(rated_from, np.nan) if deviation is None else deviation
    sides = [
        [Standing("", rating, None if math.isnan(width) else width) for rating, width in zip(*game, strict=True)]
        for game in zip(rated_from[start:].tolist(), spread[start:].tolist(), strict=True)
    ]
    chances = [rules.win_probability(black, white, 0, KOMI) for black, white in sides]
    return None if None in chances else np.array(chances, dtype=np.float64)


def main() -> None:
    """Measure the job named on the command line."""
    parser = argparse.ArgumentParser(description="Measure one system in a process of its own.")
    parser.add_argument("job")
    parser.add_argument("games", type=Path, help="arrays (.npz)")
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    job = all_jobs()[options.job]
    figure = measure(job, Games.load(options.games), options.repeat)
    print(json.dumps(figure.as_dict()))


if __name__ == "__main__":
    main()
