"""Forecasts of many games at once beside as many calls, with strangers among the players: `make predict`."""

from __future__ import annotations

import random
import statistics
import time
from pathlib import Path

import polars as pl

import handan
from handan import shortcuts
from handan.systems import SYSTEMS

CLUB = Path(__file__).resolve().parent.parent / "examples" / "club" / "games.csv"
GAMES, STRANGERS, CALLS, TIMES = 10_000, 1_000, 1_000, 3


def games(ledger: handan.Ledger) -> pl.DataFrame:
    """Return games of members against strangers, at all handicaps, always the same."""
    dice = random.Random(1)
    members = [player.name for player in ledger.players]
    return pl.DataFrame(
        {
            "black": [dice.choice(members) for _ in range(GAMES)],
            "white": [f"Stranger {dice.randrange(STRANGERS)}" for _ in range(GAMES)],
            "handicap": [dice.randrange(10) for _ in range(GAMES)],
        }
    )


def main() -> None:
    """Print seconds of the processor for each system: all at once, and as many calls, by a part of them."""
    ledger = handan.read(CLUB)
    frame = games(ledger)
    print(f"{'system':15} {'at once, s':>10} {'by calls, s':>11}")
    for name in SYSTEMS:
        ratings = shortcuts.rate(ledger, name)
        ratings.predict(frame.head(10), strangers="allow")
        runs = []
        for _ in range(TIMES):
            start = time.process_time()
            predicted = ratings.predict(frame, strangers="allow")["probability"]
            runs.append(time.process_time() - start)
        start = time.process_time()
        calls = [ratings.win_probability(*row, strangers="allow") for row in frame.head(CALLS).iter_rows()]
        by_calls = (time.process_time() - start) * GAMES / CALLS
        assert predicted.head(CALLS).to_list() == calls
        print(f"{name:15} {statistics.median(runs):10.3f} {by_calls:11.3f}")


if __name__ == "__main__":
    main()
