"""What is counted of players in one pass of compiled code is what a count by hand says."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest

import handan
from handan.ratings import arrays


@pytest.mark.parametrize("players", [5, 3_000])
def test_counts_of_many_games_are_those_of_a_count_by_hand(monkeypatch: pytest.MonkeyPatch, players: int) -> None:
    """Wins, losses, draws and the last game; a game without a result counts nowhere."""
    pytest.importorskip("numba")
    rng = np.random.default_rng(20_261_123)
    games = 3_000
    black = rng.integers(players, size=games)
    white = (black + rng.integers(1, players, games)) % players
    result = rng.choice(["B+R", "W+3.5", "Draw", "Void"], games, p=[0.4, 0.4, 0.1, 0.1])
    day = np.datetime64("2010-01-01") + np.arange(games)
    frame = pl.DataFrame({"date": day, "black": black, "white": white, "result": result})
    everybody = {"date": day[:1].repeat(players), "black": "x", "white": np.arange(players), "result": "Void"}
    tables = [
        table.with_columns(pl.col("black", "white").cast(pl.String)) for table in (pl.DataFrame(everybody), frame)
    ]
    ratings = handan.rate(handan.read(pl.concat(tables)), "elo")

    monkeypatch.setattr(arrays, "MANY", 0)
    monkeypatch.delenv("HANDAN_KERNELS", raising=False)
    tallies = arrays.tallied(ratings.ledger, ratings.arrays.sequence)

    counts: Counter[tuple[str, int]] = Counter()
    last: dict[str, int] = {}
    for number, game in enumerate(ratings.ledger):
        points = {"B+R": (2, 0), "W+3.5": (0, 2), "jigo": (1, 1)}.get(str(game.result))
        for name, halves in zip((game.black, game.white), points or (), strict=False):
            counts[name, halves] += 1
            last[name] = number
    for name, own in zip(ratings.ledger.names, tallies.tolist(), strict=True):
        losses, draws, wins = (counts[name, halves] for halves in range(3))
        assert own == [wins + draws + losses, wins, losses, draws, last.get(name, -1)]
