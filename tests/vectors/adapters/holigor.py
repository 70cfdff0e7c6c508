"""Adapters of the rating without an entry point."""

from __future__ import annotations

from typing import Any

import numpy as np

from handan.ledger import Game, Ledger
from handan.systems.holigor import Holigor, Results, ageing, devaluation, solve, sweep
from tests.naive.holigor import loss
from tests.vectors.family import Family


def results_of(games: list[dict[str, Any]]) -> Results:
    """Return the columns that the solver reads."""
    return Results(
        np.array([game["i"] for game in games], dtype=np.int64),
        np.array([game["j"] for game in games], dtype=np.int64),
        np.array([game["result"] for game in games], dtype=np.float64),
        np.array([game.get("weight", 1.0) for game in games], dtype=np.float64),
    )


def duel(wins: int, losses: int, p: float = 0.25) -> Any:
    """Rate a match of two players."""
    games = [Game("one", "other", "B+")] * wins + [Game("one", "other", "W+")] * losses
    return Holigor(p=p).rate(Ledger.of(games))


def two_player_difference(wins: int, losses: int, p: float = 0.25) -> float:
    """Return the converged difference, first minus second."""
    raw = duel(wins, losses, p).arrays.extra.raw
    return float(raw[0] - raw[1])


def first_iteration(wins: int, losses: int) -> float:
    """Return the first sweep of the first player."""
    return float(duel(wins, losses).arrays.extra.first[0])


def fit(players: int, games: list[dict[str, Any]], p: float = 0.25) -> dict[str, Any]:
    """Solve a set of games; x relative to player 0."""
    x, first = np.zeros(players), np.zeros(players)
    results = results_of(games)
    sweeps = solve(results, p, np.zeros(players, dtype=np.int64), 1e-12, 100_000, x, first)
    raw = x - x.min()
    count = np.bincount(results.one, minlength=players) + np.bincount(results.other, minlength=players)
    final = 1000.0 * raw * devaluation(count.astype(np.float64))
    return {
        "x": (x - x[0]).tolist(),
        "raw": raw.tolist(),
        "final": final.tolist(),
        "games_played": count.tolist(),
        "first_iteration": first.tolist(),
        "sweeps": sweeps,
    }


def note(games: list[dict[str, Any]], p: float = 0.25) -> dict[str, float]:
    """Return the loss at zero and at the minimum that is reached from a chain of rising ratings."""
    results = results_of(games)
    players = int(max(results.one.max(), results.other.max())) + 1
    x, new = -np.arange(players, dtype=np.float64), np.zeros(players)
    for _ in range(10_000):
        sweep(x, results, p, new)
        x = 0.5 * (x + new)
    return {
        "loss_at_zero": float(loss(np.zeros(players), results, p)),
        "loss_from_chain": float(loss(x, results, p)),
    }


FAMILIES = (
    Family(
        "holigor",
        r"holigor|no-entry-point",
        {
            "two_player_difference": two_player_difference,
            "first_iteration": first_iteration,
            "fit": fit,
            "devaluation": lambda games: float(devaluation(np.array([float(games)]))[0]),
            "aging": lambda years: float(ageing(np.array([float(years)]), "exp")[0]),
            "note": note,
        },
    ),
)
