"""A day's games added to saved ratings: what it costs beside what is there, and that it is the rating of everything."""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import numpy as np
import polars as pl

import handan
from handan.ledger import Ledger, Player
from handan.ledger.columns import SCHEMA
from handan.ledger.ledger import of_players
from handan.systems import system

START = datetime(2016, 1, 1)  # noqa: DTZ001  # dates of games bear no zone
EMPTY = ("kind", "event", "black_rank", "white_rank", "black_id", "white_id", "notes", "source")
A_DAY = 2_500  # games; ten million in eleven years


def table_of(games: int, players: int, first: int = 0) -> pl.DataFrame:
    """Return a server's games from a day on, 2,500 a day between players of near strength."""
    rng = np.random.default_rng(first + 1)
    strength = np.linspace(-3.0, 3.0, players)
    black = rng.integers(players, size=games)
    white = (black + rng.integers(1, max(2, players // 20), size=games)) % players
    wins = rng.random(games) < 1.0 / (1.0 + np.exp(strength[white] - strength[black]))
    day = first + np.arange(games) // A_DAY
    names = pl.Series([f"player {number:07d}" for number in range(players)])
    moment = np.datetime64(START, "D") + day
    return pl.DataFrame(
        {
            "date": pl.Series(moment.astype("datetime64[ms]")),
            "precision": pl.Series(np.full(games, 10), dtype=pl.UInt8),
            "black": names.gather(black), "white": names.gather(white),
            "result": pl.Series(np.where(wins, "B+R", "W+R")),
        }
    ).with_columns(
        handicap=pl.lit(0, dtype=pl.Int16), komi=pl.lit(6.5), size=pl.lit(19, dtype=pl.UInt8),
        **{name: pl.lit("") for name in EMPTY},
        **{name: pl.lit(None, dtype=SCHEMA[name]) for name in ("round", "moves", "entry", "line")},
    ).select(list(SCHEMA)).cast(SCHEMA)  # fmt: skip


def seconds(started: float) -> float:
    """Return how long something took."""
    return time.perf_counter() - started


def rows(name: str, sizes: list[int], folder: Path, players: int) -> Iterator[str]:
    """Yield what saving, adding and rating cost, one line a size of the ledger."""
    rules = system(name)
    for games in sizes:
        days = games // A_DAY
        table = table_of(games, players)
        ledger = of_players(table, [Player(each) for each in names_of(players)])
        started = time.perf_counter()
        ratings = rules.rate(ledger)
        rating = seconds(started)
        path = folder / f"{name}-{games}.handan"
        started = time.perf_counter()
        handan.save(ratings, path)
        saving = seconds(started)
        taken, costs = [], []
        whole = table
        for first in (days, days + 1, days + 2):
            today = table_of(A_DAY, players, first)
            whole = pl.concat([whole, today])
            later = Ledger.from_table(today)
            started = time.perf_counter()
            added = handan.open(path).add(later)
            costs.append(seconds(started))
            taken.append(added.taken)
        old = table_of(1, players, max(days - 100, 1))
        whole = pl.concat([whole, old])
        started = time.perf_counter()
        late = handan.open(path).add(Ledger.from_table(old))
        correcting = seconds(started)
        started = time.perf_counter()
        listed = handan.open(path).standings
        reading = seconds(started)
        replay = rules.rate(of_players(whole, ledger.players))
        same = np.array_equal(listed.rating, replay.rating)
        if listed.deviation is not None and replay.deviation is not None:
            same = same and np.array_equal(listed.deviation, replay.deviation)
        size = sum(part.stat().st_size for part in path.rglob("*"))
        yield (
            f"{name:12} {games:>11,} {rating:8.2f} {saving:8.2f} {min(costs):8.3f} {taken[-1]:>9,} {reading:8.2f}"
            f" {correcting:8.3f} {late.taken:>10,} {size / 1e6:8.0f} {'yes' if same else 'NO'}"
        )
        shutil.rmtree(path)


def names_of(players: int) -> list[str]:
    """Return the names of all players."""
    return [f"player {number:07d}" for number in range(players)]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000_000, help="games of the largest ledger")
    parser.add_argument("--players", type=int, default=20_000)
    parser.add_argument("--systems", default="elo,egf,glicko2")
    given = parser.parse_args()
    sizes = [size for size in (10_000, 100_000, 1_000_000, 10_000_000) if size <= given.games][-3:]
    print(f"{A_DAY:,} games a day, {given.players:,} players; seconds of the wall clock")
    print(f"{'system':12} {'games':>11} {'rate':>8} {'save':>8} {'add':>8} {'rated':>9} {'list':>8}"
          f" {'late':>8} {'rated':>10} {'MB':>8} same bits")  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        for name in given.systems.split(","):
            for line in rows(name, sizes, Path(folder), given.players):
                print(line, flush=True)


if __name__ == "__main__":
    main()
