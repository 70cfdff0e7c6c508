"""Slow twins of the figures of a comparison: one game, one day and one pair of games at a time."""

from __future__ import annotations

import math


def log_loss(probability: list[float], score: list[float]) -> float:
    """Return the mean of -(s ln p + (1 - s) ln(1 - p))."""
    total = 0.0
    for p, s in zip(probability, score, strict=True):
        kept = min(max(p, 1e-6), 1.0 - 1e-6)
        total -= s * math.log(kept) + (1.0 - s) * math.log(1.0 - kept)
    return total / len(score)


def error_of_days_and_players(difference: list[float], day: list[int], players: list[tuple[int, int]]) -> float:
    """Return the standard error of the mean: each day, then each player, left out (games of both counted once)."""
    games, mean = len(difference), sum(difference) / len(difference)
    rest = [value - mean for value in difference]

    def left_out(holds: list[set[int]]) -> float:
        total, clusters = 0.0, {each for some in holds for each in some}
        for cluster in clusters:
            others = [value for value, some in zip(difference, holds, strict=True) if cluster not in some]
            total += (sum(others) / len(others) - mean) ** 2
        return total * (len(clusters) - 1) / len(clusters)

    pairs = both = alone = 0.0
    for one in range(games):
        alone += rest[one] ** 2
        for other in range(games):
            shared = len(set(players[one]) & set(players[other]))
            pairs += rest[one] * rest[other] * (shared == 2)
            both += rest[one] * rest[other] * (shared > 0 and day[one] == day[other])
    days, of_players = left_out([{each} for each in day]), left_out([set(pair) for pair in players]) - pairs / games**2
    return math.sqrt(max(days + of_players - both / games**2, days, of_players, alone / games**2))
