"""The house's own system as its page writes it, with dictionaries: one filter a setting, then weights, then means."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

Q = math.log(10) / 400
DEVIATIONS = (60, 90, 130, 190, 270, 390, 560)
GROWTHS = (0, 5, 20, 80)
Game = tuple[float, str, str, float]
"""Day, Black, White, Black's score."""


def prior(deviation: float, growth: float) -> float:
    """Return what a setting weighs before the first game, but for a factor."""
    one = math.log(deviation * Q / 0.7) / 0.5
    return math.exp(-(one**2 + math.log((growth + 3) / 17) ** 2) / 2)


def forecasts(games: Sequence[Game], sd: float, w2: float, beta: float) -> tuple[list[float], list[dict[str, float]]]:
    """Return the chance of Black before each game under one setting, and all ratings after each game."""
    rating: dict[str, float] = {}
    variance: dict[str, float] = {}
    last: dict[str, float] = {}
    chances, after = [], []
    for day, black, white, score in games:
        for name in (black, white):
            rating.setdefault(name, 1500.0)
            variance[name] = variance[name] + w2 * (day - last[name]) if name in last else sd**2
            last[name] = day
        kappa = Q / math.sqrt(1 + math.pi / 8 * Q**2 * (beta**2 + variance[black] + variance[white]))
        p = 1 / (1 + math.exp(-kappa * (rating[black] - rating[white])))
        chances.append(p)
        for name, sign in ((black, 1), (white, -1)):
            v = variance[name]
            rating[name] += sign * v * kappa * (score - p)
            variance[name] = v - v * v * kappa**2 * p * (1 - p)
        after.append(dict(rating))
    return chances, after


def after_each_game(games: Sequence[Game], beta: float) -> tuple[list[tuple[float, float]], list[float]]:
    """Return the ratings of both players after each game, means over the settings, and the weights at the end."""
    settings = list(product(DEVIATIONS, GROWTHS))
    filters = [forecasts(games, sd, w2, beta) for sd, w2 in settings]
    weights = [prior(sd, w2) for sd, w2 in settings]
    means = []
    for number, (_, black, white, score) in enumerate(games):
        for place, (chances, _) in enumerate(filters):
            p = chances[number]
            weights[place] *= p**score * (1 - p) ** (1 - score)
        total = sum(weights)
        weights = [weight / total for weight in weights]
        means.append(
            tuple(
                sum(w * after[number][name] for w, (_, after) in zip(weights, filters, strict=True))
                for name in (black, white)
            )
        )
    return [(one, other) for one, other in means], weights
