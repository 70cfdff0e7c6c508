"""Pandanet and KGS by bisection: one player after another is put where what he scored is what was expected."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple


class Result(NamedTuple):
    """A game; `worth` is what handicap and komi are worth to Black, `age` in days."""

    black: str
    white: str
    score: float
    worth: float
    age: float


Slope = Callable[[float, float, float, float], float]
"""Derivative of the log-likelihood in the own rating: of score, own rating, opponent's rating and worth."""


def pandanet(score: float, own: float, other: float, worth: float) -> float:
    """Return the derivative by a central difference, P = 1 - 10^(-gap / 4) / 2 of the stronger."""

    def log_likelihood(rating: float) -> float:
        gap = rating - other + worth
        p = 1 - 10 ** (-gap / 4) / 2 if gap >= 0 else 10 ** (gap / 4) / 2
        return score * math.log(p) + (1 - score) * math.log(1 - p)

    return (log_likelihood(own + 1e-6) - log_likelihood(own - 1e-6)) / 2e-6


def kgs(score: float, own: float, other: float, worth: float) -> float:
    """Return kappa (S - P), kappa by the mean of both: 0.85 up to 5 kyu (26), 1.30 from 2 dan (32) on."""
    kappa = 0.85 + 0.45 * min(max(((own + other) / 2 - 26) / 6, 0), 1)
    return kappa * (score - 1 / (1 + math.exp(-kappa * (own - other + worth))))


def kgs_weight(age: float, own: float) -> float:
    """Return 2^(-age / half-life): 15 days up to 15 kyu (16), 45 from 1 dan (31) on."""
    return 2 ** (-age / (15 + 30 * min(max((own - 16) / 15, 0), 1)))


def rate(
    games: Sequence[Result], entries: dict[str, float], slope: Slope, weight: Callable[[float, float], float]
) -> dict[str, float]:
    """Return the ratings at which no player's results pull; a virtual win and loss hold each to his entry."""
    ratings = dict(entries)

    def pull(name: str, own: float) -> float:
        total = sum(slope(score, own, entries[name], 0.0) for score in (1.0, 0.0))
        for game in games:
            if name == game.black:
                total += weight(game.age, own) * slope(game.score, own, ratings[game.white], game.worth)
            if name == game.white:
                total += weight(game.age, own) * slope(1 - game.score, own, ratings[game.black], -game.worth)
        return total

    moved = 1.0
    while moved > 1e-9:
        moved = 0.0
        for name, before in ratings.items():
            low, high = before - 50, before + 50
            for _ in range(60):
                middle = (low + high) / 2
                low, high = (middle, high) if pull(name, middle) > 0 else (low, middle)
            ratings[name] = (low + high) / 2
            moved = max(moved, abs(ratings[name] - before))
    return ratings
